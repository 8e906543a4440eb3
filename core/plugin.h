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

#include <exception>
#include <string>
#include <vector>

#include "erased.h"

// A hash of the installed headers.
#include "plugin_abi.h"

// What must be equal in a plugin and the package: the headers, the standard library, and the sizes of what they
// exchange. g++ and clang agree on the rest, so a plugin may come from either, in any version.
#define TABLIER_TEXT_OF(x) #x
#define TABLIER_TEXT(x) TABLIER_TEXT_OF(x)
#if defined(_LIBCPP_VERSION)
#define TABLIER_LIBRARY "libc++ " TABLIER_TEXT(_LIBCPP_ABI_VERSION)
#elif defined(__GLIBCXX__) && (defined(_GLIBCXX_DEBUG) || !_GLIBCXX_USE_CXX11_ABI)
#define TABLIER_LIBRARY "libstdc++ with other settings"
#elif defined(__GLIBCXX__)
#define TABLIER_LIBRARY "libstdc++"
#elif defined(_MSC_VER)
#define TABLIER_LIBRARY "Microsoft STL " TABLIER_TEXT(_ITERATOR_DEBUG_LEVEL)
#else
#define TABLIER_LIBRARY "C++ library of " __VERSION__
#endif

#if defined(_WIN32)
#define TABLIER_EXPORT extern "C" __declspec(dllexport)
#else
#define TABLIER_EXPORT extern "C" __attribute__((visibility("default")))
#endif

namespace tablier {

template <class... T>
std::string sizes_of() {
  return ((std::to_string(sizeof(T)) + "/" + std::to_string(alignof(T)) + " ") + ...);
}

inline std::string plugin_abi() {
  return TABLIER_HEADERS ", " TABLIER_LIBRARY ", sizes " +
         sizes_of<Facts, Option, Contradiction, PlayoutTotals, BatchView, AfterView, Workers, nets::Network,
                  nets::PlayView, search::Config, search::ExpectimaxConfig, search::RolloutConfig, search::RolloutView,
                  search::RootView, search::Stop, std::string, std::vector<Word>, std::exception_ptr>();
}

}  // namespace tablier

#undef TABLIER_GAME
#define TABLIER_GAME(G)                                            \
  static_assert(::tablier::sound<G>());                            \
  TABLIER_EXPORT const char* tablier_plugin_abi() {                \
    static const std::string abi = ::tablier::plugin_abi();        \
    return abi.c_str();                                            \
  }                                                                \
  TABLIER_EXPORT const ::tablier::AnyGame* tablier_plugin_game() { \
    static const ::tablier::Erased<G> game;                        \
    return &game;                                                  \
  }                                                                \
  static_assert(true)
