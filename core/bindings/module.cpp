// The extension module tablier._core: registers all bindings and opens plugins.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <filesystem>
#include <string>
#include <string_view>

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

// The beginning of a text from a library, in printable ASCII.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 400;
  constexpr const char* kDigits = "0123456789abcdef";
  std::string result;
  for (const char letter : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte >= ' ' && byte <= '~') {
      result += letter;
    } else {
      result += {'\\', 'x', kDigits[byte / 16], kDigits[byte % 16]};
    }
  }
  return text.size() > kMost ? result + "..." : result;
}

// Raises a ValueError whose text may contain a path, which need not be UTF-8.
[[noreturn]] void refuse(const std::string& text) {
  const auto length = static_cast<Py_ssize_t>(text.size());
  const nb::object message = nb::steal(PyUnicode_DecodeUTF8(text.data(), length, "backslashreplace"));
  if (message.is_valid()) PyErr_SetObject(PyExc_ValueError, message.ptr());
  throw nb::python_error();
}

// The plugin ABI is described in plugin.h. Its functions are called once each: what they return need not last.
Plugin open_plugin(const nb::bytes& name) {
  const std::string path(name.c_str(), name.size());
  std::string error;
  tablier::SharedLibrary library(std::filesystem::path(std::u8string(path.begin(), path.end())), error);
  if (!library.is_open()) refuse("the plugin cannot be opened: " + error);
  auto* const find_abi = library.find<const char*()>("tablier_plugin_abi");
  auto* const find_game = library.find<const tablier::AnyGame*()>("tablier_plugin_game");
  const std::string expected = tablier::plugin_abi();
  const char* const abi = find_abi && find_game ? find_abi() : nullptr;
  const bool fits = abi && abi == expected;
  const tablier::AnyGame* const game = fits ? find_game() : nullptr;
  if (!game) {
    const std::string found = abi && !fits ? "it was built as '" + shown(abi) + "'" : "it does not export a game";
    library.close();
    refuse(path + " is not a plugin for this build of tablier ('" + expected + "'): " + found);
  }
  return {game};
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
          "name", [](const Plugin& self) { return shown(self.game->facts().name); }, "The name of the game.")
      .def("load", &Plugin::load, nb::arg("options"), nb::sig("def load(self, options: dict[str, typing.Any]) -> Game"),
           "Loads the game; raises like `load_native()`.");
  module.def("open_plugin", &open_plugin, nb::arg("path"), nb::sig("def open_plugin(path: bytes) -> Plugin"),
             "Opens a shared library that contains a game.\n"
             "\n"
             "Args:\n"
             "    path: Path of the library, as `os.fsencode` returns it.\n"
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
