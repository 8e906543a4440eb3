// tablier.BatchEnv: many games at once, written into arrays of the caller.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <optional>

#include "arrays.h"
#include "busy.h"
#include "objects.h"

namespace tablier {

using namespace nb::literals;

namespace {

struct BatchObject {
  std::shared_ptr<const GameObject> game;
  std::unique_ptr<AnyBatch> batch;
  int threads;
  std::uint64_t seed;
  bool busy = false;  // set while a call runs without the GIL, so that a second thread gets an error and not a crash

  Py_ssize_t size() const { return static_cast<Py_ssize_t>(batch->size()); }
};

std::size_t to_slot(const BatchObject& env, nb::handle i) {
  const auto slot = to_integer(i, "i");
  if (slot < 0 || slot >= env.size()) {
    throw nb::index_error(
        ("game " + std::to_string(slot) + " does not exist; games are 0 to " + std::to_string(env.size() - 1)).c_str());
  }
  return static_cast<std::size_t>(slot);
}

StateObject state_at(const BatchObject& env, std::size_t slot) {
  StateObject state(env.game);
  env.batch->get_state(slot, state.words.data());
  return state;
}

void set_state(BatchObject& env, nb::handle i, const StateObject& state) {
  if (!env.game->same_rules(*state.game)) throw nb::value_error("the state belongs to another game or other options");
  const std::size_t slot = to_slot(env, i);
  const Busy busy(env.busy, "BatchEnv");
  if (!env.batch->set_state(slot, state.words.data())) {
    throw nb::value_error(
        "the state is over, or the dice end it: a BatchEnv holds games in which somebody must decide");
  }
}

// One call at a time, with the GIL released.
template <class Work>
void without_gil(BatchObject& env, Work&& work) {
  const Busy busy(env.busy, "BatchEnv");
  const nb::gil_scoped_release released;
  work();
}

// Keeps the caller's arrays alive and checked while a step writes to them.
class Outputs {
 public:
  Outputs(const BatchObject& env, nb::handle features, nb::handle mask, nb::handle player, nb::handle rewards,
          nb::handle done) {
    const Facts& facts = env.game->facts();
    const Py_ssize_t n = env.size();
    auto features_shape = dims(facts.features);
    features_shape.insert(features_shape.begin(), n);
    view.features = take<float>(0, features, "features", features_shape);
    view.mask = reinterpret_cast<std::uint8_t*>(take<bool>(1, mask, "legal_mask", {n, facts.num_actions}));
    view.current_player = take<std::int32_t>(2, player, "current_player", {n});
    view.rewards = take<float>(3, rewards, "rewards", {n, facts.num_players});
    view.done = reinterpret_cast<std::uint8_t*>(take<bool>(4, done, "done", {n}));
  }

  BatchView view;

 private:
  template <class T>
  T* take(int slot, nb::handle array, const char* name, const std::vector<Py_ssize_t>& shape) {
    if (array.is_none()) return nullptr;
    return held_[slot].emplace(array, name, true).template expect<T>(shape);
  }

  std::optional<CallerArray> held_[5];
};

BatchObject make_batch(nb::handle given, nb::handle count, nb::handle seed_value, nb::handle thread_count) {
  if (!nb::isinstance<GameObject>(given)) {
    const auto type = nb::cast<std::string>(given.type().attr("__name__"));
    throw nb::type_error(("game must be a tablier.Game, made by tablier.load_game(), not " + type).c_str());
  }
  auto game = nb::cast<std::shared_ptr<GameObject>>(given);
  const auto n = to_number(count, "n", 1, 100'000'000);
  const auto seed = to_seed(seed_value);
  const auto threads = static_cast<int>(to_number(thread_count, "threads", 1, kMaxThreads));
  std::unique_ptr<AnyBatch> batch;
  {
    const nb::gil_scoped_release released;
    batch = game->any->batch(game->facts(), game->start.data(), static_cast<std::size_t>(n), seed, threads);
  }
  return BatchObject{std::move(game), std::move(batch), threads, seed};
}

void step(BatchObject& env, nb::handle actions, nb::handle features, nb::handle mask, nb::handle player,
          nb::handle rewards, nb::handle done) {
  const CallerArray chosen(actions, "actions", false);
  const bool wide = chosen.is<std::int64_t>();
  if (!wide && !chosen.is<std::int32_t>()) chosen.fail("must have dtype int32 or int64");
  chosen.expect_shape({env.size()});
  const Outputs outputs(env, features, mask, player, rewards, done);
  std::size_t illegal = 0;
  const Busy busy(env.busy, "BatchEnv");
  {
    const nb::gil_scoped_release released;
    illegal = wide ? env.batch->choose(static_cast<const std::int64_t*>(chosen.data()))
                   : env.batch->choose(static_cast<const std::int32_t*>(chosen.data()));
    if (illegal == env.batch->size()) env.batch->step(outputs.view);
  }
  if (illegal != env.batch->size()) {
    const auto action = wide ? static_cast<const std::int64_t*>(chosen.data())[illegal]
                             : static_cast<const std::int32_t*>(chosen.data())[illegal];
    throw nb::value_error(("game " + std::to_string(illegal) + ": action " + std::to_string(action) +
                           " is not legal; no game was stepped. The game stands at\n" +
                           state_text(state_at(env, illegal)))
                              .c_str());
  }
}

void observe(BatchObject& env, nb::handle features, nb::handle mask, nb::handle player) {
  const Outputs outputs(env, features, mask, player, nb::none(), nb::none());
  without_gil(env, [&] { env.batch->observe(outputs.view); });
}

std::size_t afterstates(BatchObject& env, nb::handle offsets, nb::handle actions, nb::handle player,
                        nb::handle features, nb::handle rewards) {
  const Facts& facts = env.game->facts();
  const CallerArray to_offsets(offsets, "offsets", true), to_actions(actions, "actions", true),
      to_player(player, "player", true), to_features(features, "features", true), to_rewards(rewards, "rewards", true);
  const auto rows = nb::cast<Py_ssize_t>(actions.attr("__len__")());
  auto shape = dims(facts.features);
  shape.insert(shape.begin(), rows);
  AfterView view{static_cast<std::size_t>(rows),          to_offsets.expect<std::int64_t>({env.size() + 1}),
                 to_actions.expect<std::int32_t>({rows}), to_player.expect<std::int32_t>({rows}),
                 to_features.expect<float>(shape),        to_rewards.expect<float>({rows, facts.num_players})};
  std::size_t count = 0;
  without_gil(env, [&] { count = env.batch->afterstates(view); });
  return count;
}

void words(BatchObject& env, nb::handle states) {
  const auto count = static_cast<std::size_t>(env.game->any->state_words());
  const CallerArray to(states, "states", true);
  Word* out = to.expect<std::uint64_t>({env.size(), static_cast<Py_ssize_t>(count)});
  without_gil(env, [&] {
    for (std::size_t i = 0; i < env.batch->size(); ++i) env.batch->get_state(i, out + i * count);
  });
}

// A saved batch is a list of (serialised state, key and count of its dice), all in one bytes object.
nb::bytes save(BatchObject& env) {
  const Busy busy(env.busy, "BatchEnv");
  std::string out;
  for (std::size_t i = 0; i < env.batch->size(); ++i) {
    const Rng rng = env.batch->rng(i);
    const nb::bytes state = serialize(state_at(env, i));
    out.append(reinterpret_cast<const char*>(&rng), sizeof rng);
    out.append(state.c_str(), state.size());
  }
  return nb::bytes(out.data(), out.size());
}

void restore(BatchObject& env, const nb::bytes& data) {
  const std::size_t n = env.batch->size();
  if (data.size() % n != 0 || data.size() / n <= sizeof(Rng)) {
    throw nb::value_error("these bytes are not a saved BatchEnv of this game and size");
  }
  const std::size_t row = data.size() / n;
  std::vector<Word> words;
  std::vector<Rng> rngs(n);
  for (std::size_t i = 0; i < n; ++i) {  // all are checked before the first is changed
    const char* saved = data.c_str() + i * row;
    std::memcpy(&rngs[i], saved, sizeof(Rng));
    const StateObject state = deserialize(env.game, nb::bytes(saved + sizeof(Rng), row - sizeof(Rng)));
    if (state.any().current_player(state.words.data()) < 0) {
      throw nb::value_error("these bytes hold a game in which nobody is to decide");
    }
    words.insert(words.end(), state.words.data(), state.words.data() + state.words.count());
  }
  const Busy busy(env.busy, "BatchEnv");
  env.batch->assign(words.data(), rngs.data());
}

}  // namespace

void bind_batch(nb::module_& module) {
  using B = BatchObject;
  constexpr const char* kArrays =
      "features: numpy.typing.NDArray[numpy.float32] | None = None, "
      "legal_mask: numpy.typing.NDArray[numpy.bool_] | None = None, "
      "current_player: numpy.typing.NDArray[numpy.int32] | None = None";
  static const std::string step_sig =
      std::string(
          "def step(self, actions: numpy.typing.NDArray[numpy.int32] | numpy.typing.NDArray[numpy.int64], *, ") +
      kArrays +
      ", rewards: numpy.typing.NDArray[numpy.float32] | None = None, "
      "done: numpy.typing.NDArray[numpy.bool_] | None = None) -> None";
  static const std::string observe_sig = std::string("def observe(self, *, ") + kArrays + ") -> None";
  nb::class_<B>(module, "BatchEnv",
                "n games at once. Every game is always at a decision: dice are rolled inside, and a finished game is\n"
                "replaced at once by a new one. Results do not depend on the number of threads.")
      .def(
          "__init__",
          [](B* self, nb::handle game, nb::handle n, nb::handle seed, nb::handle threads) {
            new (self) B(make_batch(game, n, seed, threads));
          },
          "game"_a, "n"_a, "seed"_a = 0, "threads"_a = 1,
          nb::sig("def __init__(self, game: Game, n: typing.SupportsIndex, seed: typing.SupportsIndex = 0, threads: "
                  "typing.SupportsIndex = 1) -> None"))
      .def_prop_ro("game", [](const B& env) { return std::const_pointer_cast<GameObject>(env.game); })
      .def_prop_ro("threads", [](const B& env) { return env.threads; })
      .def("__len__", &B::size)
      .def(
          "reset",
          [](B& env, nb::handle value) {
            const auto seed = value.is_none() ? env.seed : to_seed(value);
            without_gil(env, [&] { env.batch->reset(seed); });
            env.seed = seed;
          },
          "seed"_a = nb::none(), nb::sig("def reset(self, seed: typing.SupportsIndex | None = None) -> None"),
          "Starts all games anew with the dice of `seed`, by default those of the last reset.")
      .def(
          "step", &step, "actions"_a, nb::kw_only(), "features"_a = nb::none(), "legal_mask"_a = nb::none(),
          "current_player"_a = nb::none(), "rewards"_a = nb::none(), "done"_a = nb::none(), nb::sig(step_sig.c_str()),
          "Plays one action in every game and writes what follows into the given arrays: `rewards` and `done` of this\n"
          "step, and the next decision's `features`, `legal_mask` and `current_player`. An illegal action raises\n"
          "ValueError and no game is stepped.")
      .def("observe", &observe, nb::kw_only(), "features"_a = nb::none(), "legal_mask"_a = nb::none(),
           "current_player"_a = nb::none(), nb::sig(observe_sig.c_str()),
           "Writes the present decision of every game into the given arrays.")
      .def(
          "afterstates", &afterstates, nb::kw_only(), "offsets"_a, "actions"_a, "player"_a, "features"_a, "rewards"_a,
          nb::sig("def afterstates(self, *, offsets: numpy.typing.NDArray[numpy.int64], actions: "
                  "numpy.typing.NDArray[numpy.int32], player: numpy.typing.NDArray[numpy.int32], features: "
                  "numpy.typing.NDArray[numpy.float32], rewards: numpy.typing.NDArray[numpy.float32]) -> int"),
          "Writes what every action of every game leads to, before the dice: the rows of game i are offsets[i] to\n"
          "offsets[i + 1]. `player` is who sees the position, the next to decide or, before dice, who moved; -1 where\n"
          "the game is over. `rewards` are those of the action itself. Returns how many rows there are; if they are\n"
          "more than the arrays have, only the offsets were written.")
      .def(
          "arrays", [](nb::handle self) { return nb::module_::import_("tablier.batch").attr("arrays")(self); },
          nb::sig("def arrays(self) -> tablier.batch.Arrays"), "New arrays of the right shapes and types.")
      .def(
          "state",
          [](B& env, nb::handle i) {
            const std::size_t slot = to_slot(env, i);
            const Busy busy(env.busy, "BatchEnv");
            return state_at(env, slot);
          },
          "i"_a, nb::sig("def state(self, i: typing.SupportsIndex) -> State"), "A copy of game i.")
      .def("set_state", &set_state, "i"_a, "state"_a,
           nb::sig("def set_state(self, i: typing.SupportsIndex, state: State) -> None"),
           "Puts a copy of the state into game i.")
      .def("words", &words, "states"_a, nb::sig("def words(self, states: numpy.typing.NDArray[numpy.uint64]) -> None"),
           "Writes the words of all games into the array [n, state_size].")
      .def("save", &save, "All games and their dice as bytes.")
      .def("restore", &restore, "data"_a, "Puts back what save() wrote for the same game, options and n.");
}

}  // namespace tablier
