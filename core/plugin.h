// Builds a C++ game outside this source tree as a plugin.
//
//   #include <tablier/plugin.h>     // first
//   #include "my_game.h"            // ends with TABLIER_GAME(MyGame);
//
//   g++ -std=c++20 -O3 -shared -fPIC -I$(python -c "import tablier; print(tablier.get_include())") my_game.cpp -o
//   my_game.so
//
// Then call `tablier.load_plugin("./my_game.so")` in Python. The file of the game is the same inside and outside the
// tree.
#pragma once

#include "erased.h"

// A hash of the installed headers. A plugin built with other headers or by another compiler is rejected.
#include "plugin_abi.h"
#define TABLIER_PLUGIN_ABI TABLIER_HEADERS " " __VERSION__

#undef TABLIER_GAME
#define TABLIER_GAME(G)                                                      \
  static_assert(::tablier::sound<G>());                                      \
  extern "C" const char* tablier_plugin_abi() { return TABLIER_PLUGIN_ABI; } \
  extern "C" const ::tablier::AnyGame* tablier_plugin_game() {               \
    static const ::tablier::Erased<G> game;                                  \
    return &game;                                                            \
  }                                                                          \
  static_assert(true)
