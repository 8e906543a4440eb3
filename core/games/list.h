// The games that are compiled in: one line a game.
//
// The last line of each file, TABLIER_GAME(...), means what the includer of this list makes it mean: see registry.cpp.
#include "pig.h"
#include "tic_tac_toe.h"
#include "trictrac/a_ecrire.h"
#include "trictrac/trictrac.h"
