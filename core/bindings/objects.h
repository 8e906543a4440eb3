// The C++ side of tablier.Game and tablier.State, and the argument conversions that all bindings share.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "../erased.h"
#include "../options.h"
#include "../words.h"

namespace tablier {

namespace nb = nanobind;

struct GameObject {
  std::shared_ptr<const AnyGame> any;
  std::vector<std::int64_t> options;
  Facts described;  // the facts under these options
  Words start;

  GameObject(std::shared_ptr<const AnyGame> game, std::vector<std::int64_t> values);

  const Facts& facts() const { return described; }
  // A game in Python may have the name of a plugin's, or be registered again with states of another size.
  bool same_rules(const GameObject& other) const {
    const AnyGame &mine = *any, &theirs = *other.any;
    return this == &other || (facts().name == other.facts().name && options == other.options &&
                              start.count() == other.start.count() && typeid(mine) == typeid(theirs));
  }
};

struct StateObject {
  std::shared_ptr<const GameObject> game;
  Words words;
  double rewards[kMaxPlayers] = {};  // from the last action

  explicit StateObject(std::shared_ptr<const GameObject> owner) : game(std::move(owner)), words(game->start) {}

  const AnyGame& any() const { return *game->any; }
  const Facts& facts() const { return game->facts(); }
};

// Converts an integer of Python or NumPy. Raises TypeError for anything else, bool included; `what` names the argument.
std::int64_t to_integer(nb::handle value, const char* what);

// Like to_integer(), limited to least .. most, or to the 64-bit seeds. Raises ValueError with the accepted range.
std::int64_t to_number(nb::handle value, const char* what, std::int64_t least, std::int64_t most);
void expect_number(std::int64_t number, const char* what, std::int64_t least, std::int64_t most);
std::uint64_t to_seed(nb::handle value);

// The player whose view is requested. None means the player to move, or player 0 if there is none.
int to_player(const StateObject& state, nb::handle player);

// Converts keyword options and raises an error that lists what is accepted. Ignores retired options.
std::vector<std::int64_t> to_options(const Facts& facts, const nb::dict& options);
nb::object from_option(const Option& option, std::int64_t value);

std::string state_text(const StateObject& state);
std::string action_text(const StateObject& state, Action action);

nb::bytes serialize(const StateObject& state);
StateObject deserialize(std::shared_ptr<const GameObject> game, const nb::bytes& data);

void bind_refusals();
void bind_game(nb::module_& module);
void bind_state(nb::module_& module);
void bind_batch(nb::module_& module);
void bind_search(nb::module_& module);
void bind_nets(nb::module_& module);
void bind_backgammon(nb::module_& module);
void bind_trictrac(nb::module_& module);
void bind_heuristic(nb::module_& module);

}  // namespace tablier
