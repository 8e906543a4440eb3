// The compiled games, one line each.
//
// Each file ends with TABLIER_GAME(...), a macro that the includer of this list defines; see registry.cpp.
#include "backgammon/backgammon.h"
#include "pig.h"
#include "tic_tac_toe.h"
#include "trictrac/a_ecrire.h"
#include "trictrac/trictrac.h"
