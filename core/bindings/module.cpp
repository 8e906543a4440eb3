// The extension module tablier._core: registers all bindings and opens plugins.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "../plugin.h"
#include "gil.h"
#include "objects.h"
#include "shared_library.h"

namespace {

namespace nb = nanobind;

// A game in a library, which stays loaded until the process ends. Only open_plugin() makes one.
struct Plugin {
  const tablier::AnyGame* game;

  std::shared_ptr<tablier::GameObject> load(const nb::dict& options) const {
    auto values = tablier::to_options(game->facts(), options);
    const std::shared_ptr<const tablier::AnyGame> shared(game, [](const tablier::AnyGame*) {});
    return std::make_shared<tablier::GameObject>(shared, std::move(values));
  }
};

// The plugin ABI is described in plugin.h.
Plugin open_plugin(const std::string& path) {
  std::string error;
  tablier::SharedLibrary library(std::filesystem::path(std::u8string(path.begin(), path.end())), error);
  if (!library.is_open()) throw nb::value_error(("the plugin cannot be opened: " + error).c_str());
  auto* const abi = library.find<const char*()>("tablier_plugin_abi");
  auto* const game = library.find<const tablier::AnyGame*()>("tablier_plugin_game");
  const std::string expected = tablier::plugin_abi();
  if (!abi || !game || abi() != expected) {
    const std::string found =
        abi && game ? std::string("it was built as '") + abi() + "'" : "it does not export a game";
    library.close();
    throw nb::value_error((path + " is not a plugin for this build of tablier ('" + expected + "'): " + found).c_str());
  }
  return {game()};
}

}  // namespace

// nanobind keeps one set of types for a process, so a second interpreter would take them from the first. This is found
// out before nanobind is initialised.
#define PyInit__core tablier_init_in_main_interpreter
NB_MODULE(_core, module) {
  module.doc() =
      "The compiled core of tablier: games, batches and searches.\n"
      "\n"
      "Import these names from `tablier` and its public modules, not from here.";
  nb::set_leak_warnings(false);  // games that are still registered at exit are not leaks
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&tablier::Shutdown::begin));
  tablier::bind_refusals();
  tablier::bind_game(module);
  tablier::bind_state(module);
  tablier::bind_nets(module);
  tablier::bind_batch(module);
  tablier::bind_search(module);
  tablier::bind_backgammon(module);
  tablier::bind_trictrac(module);
  tablier::bind_heuristic(module);
  nb::class_<Plugin>(module, "Plugin", "The game of an opened plugin.")
      .def_prop_ro(
          "name", [](const Plugin& self) { return std::string(self.game->facts().name); }, "The name of the game.")
      .def("load", &Plugin::load, nb::arg("options"), nb::sig("def load(self, options: dict[str, typing.Any]) -> Game"),
           "Loads the game; raises like `load_native()`.");
  module.def("open_plugin", &open_plugin, nb::arg("path"), nb::sig("def open_plugin(path: str) -> Plugin"),
             "Opens a shared library that contains a game.\n"
             "\n"
             "Args:\n"
             "    path: Path of the library.\n"
             "\n"
             "Raises:\n"
             "    ValueError: If the library cannot be opened, or was not built for this version of tablier.");
}
#undef PyInit__core

// NOLINTNEXTLINE(bugprone-reserved-identifier): Python prescribes the name.
extern "C" NB_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError, "tablier can be used only in the main interpreter of a process");
    return nullptr;
  }
  return tablier_init_in_main_interpreter();
}
