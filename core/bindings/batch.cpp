// Binds tablier.BatchEnv: many games stepped at once into the caller's arrays. The kernel is kernels/batch.h.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <optional>

#include "arrays.h"
#include "busy.h"
#include "objects.h"
#include "search.h"

namespace tablier {

using namespace nb::literals;

namespace {

struct BatchObject {
  std::shared_ptr<const GameObject> game;
  std::unique_ptr<AnyBatch> batch;
  int threads;
  std::uint64_t seed;
  bool busy = false;  // see busy.h

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
  if (!env.game->same_rules(*state.game))
    throw nb::value_error("the state belongs to a different game or to different options");
  const std::size_t slot = to_slot(env, i);
  const Busy busy(env.busy, "BatchEnv");
  if (!env.batch->set_state(slot, state.words.data())) {
    throw nb::value_error(
        "the game is over in this state, or ends with the next roll; pass a state in which a player is to move");
  }
}

// Runs one call at a time, with the GIL released.
template <class Work>
void without_gil(BatchObject& env, Work&& work) {
  const Busy busy(env.busy, "BatchEnv");
  const Released released;
  work();
}

// Checks the caller's arrays and keeps them alive while a step writes to them.
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
    throw nb::type_error(("game must be a tablier.Game from tablier.load_game(), not " + type).c_str());
  }
  auto game = nb::cast<std::shared_ptr<GameObject>>(given);
  const auto n = to_number(count, "n", 1, 100'000'000);
  const auto seed = to_seed(seed_value);
  const auto threads = static_cast<int>(to_number(thread_count, "threads", 1, kMaxThreads));
  std::unique_ptr<AnyBatch> batch;
  {
    const Released released;
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
    const Released released;
    illegal = wide ? env.batch->choose(static_cast<const std::int64_t*>(chosen.data()))
                   : env.batch->choose(static_cast<const std::int32_t*>(chosen.data()));
    if (illegal == env.batch->size()) env.batch->step(outputs.view);
  }
  if (illegal != env.batch->size()) {
    const auto action = wide ? static_cast<const std::int64_t*>(chosen.data())[illegal]
                             : static_cast<const std::int32_t*>(chosen.data())[illegal];
    throw nb::value_error(("game " + std::to_string(illegal) + ": action " + std::to_string(action) +
                           " is not legal; no game was stepped. The state of this game is\n" +
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

std::int64_t play(BatchObject& env, const nets::Network& network, nb::handle features, nb::handle codes,
                  nb::handle viewer, nb::handle before, nb::handle after, nb::handle over, nb::handle best,
                  nb::handle explored, nb::handle expected, double epsilon, double discount) {
  const Facts& facts = env.game->facts();
  if (facts.num_players != 2) throw nb::value_error("play() needs a game for two players");
  if (std::isnan(epsilon) || epsilon < 0 || epsilon > 1) throw nb::value_error("epsilon must be from 0 to 1");
  if (std::isnan(discount) || discount < 0 || discount > 1) throw nb::value_error("discount must be from 0 to 1");
  expect_fit(*env.game, network);
  if (!nb::hasattr(viewer, "shape") || nb::len(nb::object(viewer.attr("shape"))) != 2) {
    throw nb::type_error("array 'viewer' must be a NumPy array with shape [n, moves]");
  }
  const Py_ssize_t n = env.size(), moves = nb::cast<Py_ssize_t>(viewer.attr("shape")[nb::int_(1)]);
  auto shape = dims(facts.features);
  shape.insert(shape.begin(), {n, moves});
  Held held[9];
  nets::PlayView view;
  view.moves = moves;
  view.epsilon = epsilon;
  view.discount = discount;
  view.features = held[0].take<float>(features, "features", shape);
  view.codes = held[8].take<std::uint8_t>(codes, "codes", {n, moves, static_cast<Py_ssize_t>(network.sizes().size())});
  view.viewer = held[1].take<std::int32_t>(viewer, "viewer", {n, moves});
  view.before = held[2].take<float>(before, "before", {n, moves});
  view.after = held[3].take<float>(after, "after", {n, moves});
  view.over = reinterpret_cast<std::uint8_t*>(held[4].take<bool>(over, "over", {n, moves}));
  view.best = held[5].take<float>(best, "best", {n, moves + 1});
  view.explored = reinterpret_cast<std::uint8_t*>(held[6].take<bool>(explored, "explored", {n, moves + 1}));
  view.expected = held[7].take<float>(expected, "expected", {n, moves});
  if (!view.viewer || !view.before || !view.after || !view.over || !view.best || !view.explored) {
    throw nb::type_error("every array except 'features', 'codes' and 'expected' is required");
  }
  std::int64_t evaluations = 0;
  without_gil(env, [&] { evaluations = env.batch->play(network, view); });
  return evaluations;
}

void words(BatchObject& env, nb::handle states) {
  const auto count = static_cast<std::size_t>(env.game->any->state_words());
  const CallerArray to(states, "states", true);
  Word* out = to.expect<std::uint64_t>({env.size(), static_cast<Py_ssize_t>(count)});
  without_gil(env, [&] {
    for (std::size_t i = 0; i < env.batch->size(); ++i) env.batch->get_state(i, out + i * count);
  });
}

// A saved batch is, for each game, its random generator followed by its serialized state. All rows have the same size.
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
    throw nb::value_error("not a saved BatchEnv of this game and size");
  }
  const std::size_t row = data.size() / n;
  std::vector<Word> words;
  std::vector<Rng> rngs(n);
  for (std::size_t i = 0; i < n; ++i) {  // check all of them before changing any
    const char* saved = data.c_str() + i * row;
    std::memcpy(&rngs[i], saved, sizeof(Rng));
    const StateObject state = deserialize(env.game, nb::bytes(saved + sizeof(Rng), row - sizeof(Rng)));
    if (state.any().current_player(state.words.data()) < 0) {
      throw nb::value_error("not a saved BatchEnv: it contains a game in which no player is to move");
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
                "Steps n games at once and writes the results into arrays of the caller.\n"
                "\n"
                "Every game is always at a decision: dice are rolled inside, and a finished game is replaced by a\n"
                "new one at once. Game i draws its dice from stream (seed, i), so results do not depend on the\n"
                "number of threads. One thread may use a BatchEnv at a time; a second one gets RuntimeError.\n"
                "\n"
                "Args:\n"
                "    game: The game to play.\n"
                "    n: Number of games, from 1 to 100,000,000.\n"
                "    seed: Seed of the dice, from 0 to 2**64 - 1.\n"
                "    threads: Number of threads, from 1 to 1024.\n"
                "\n"
                "Raises:\n"
                "    TypeError: If an argument has the wrong type.\n"
                "    ValueError: If an argument is out of range.\n"
                "    RuntimeError: If the game ends before any player can decide, or the threads cannot be started.")
      .def(
          "__init__",
          [](B* self, nb::handle game, nb::handle n, nb::handle seed, nb::handle threads) {
            new (self) B(make_batch(game, n, seed, threads));
          },
          "game"_a, "n"_a, "seed"_a = 0, "threads"_a = 1,
          nb::sig("def __init__(self, game: Game, n: typing.SupportsIndex, seed: typing.SupportsIndex = 0, threads: "
                  "typing.SupportsIndex = 1) -> None"))
      .def_prop_ro(
          "game", [](const B& env) { return std::const_pointer_cast<GameObject>(env.game); },
          "The game that is played.")
      .def_prop_ro(
          "threads", [](const B& env) { return env.threads; }, "The number of threads.")
      .def("__len__", &B::size)
      .def(
          "reset",
          [](B& env, nb::handle value) {
            const auto seed = value.is_none() ? env.seed : to_seed(value);
            without_gil(env, [&] { env.batch->reset(seed); });
            env.seed = seed;
          },
          "seed"_a = nb::none(), nb::sig("def reset(self, seed: typing.SupportsIndex | None = None) -> None"),
          "Restarts all games with the dice of `seed`; None repeats the last seed.")
      .def("step", &step, "actions"_a, nb::kw_only(), "features"_a = nb::none(), "legal_mask"_a = nb::none(),
           "current_player"_a = nb::none(), "rewards"_a = nb::none(), "done"_a = nb::none(), nb::sig(step_sig.c_str()),
           "Plays one action in every game, and then the dice up to the next decision.\n"
           "\n"
           "Each output array is optional and must be C-contiguous. `arrays()` creates a full set.\n"
           "\n"
           "Args:\n"
           "    actions: [n] actions.\n"
           "    features: [n, *features_shape] next decision, as the player to move sees it.\n"
           "    legal_mask: [n, num_distinct_actions] legal actions of the next decision.\n"
           "    current_player: [n] player to move next.\n"
           "    rewards: [n, num_players] rewards of this step, dice included.\n"
           "    done: [n] whether this step ended the game; the next decision then belongs to a new game.\n"
           "\n"
           "Raises:\n"
           "    TypeError: If an array has the wrong shape, dtype or layout.\n"
           "    ValueError: If an action is not legal. No game is stepped then.")
      .def("observe", &observe, nb::kw_only(), "features"_a = nb::none(), "legal_mask"_a = nb::none(),
           "current_player"_a = nb::none(), nb::sig(observe_sig.c_str()),
           "Writes the current decision of every game into the given arrays.\n"
           "\n"
           "Args:\n"
           "    features: [n, *features_shape], as the player to move sees it.\n"
           "    legal_mask: [n, num_distinct_actions] legal actions.\n"
           "    current_player: [n] player to move.\n"
           "\n"
           "Raises:\n"
           "    TypeError: If an array has the wrong shape, dtype or layout.")
      .def("afterstates", &afterstates, nb::kw_only(), "offsets"_a, "actions"_a, "player"_a, "features"_a, "rewards"_a,
           nb::sig("def afterstates(self, *, offsets: numpy.typing.NDArray[numpy.int64], actions: "
                   "numpy.typing.NDArray[numpy.int32], player: numpy.typing.NDArray[numpy.int32], features: "
                   "numpy.typing.NDArray[numpy.float32], rewards: numpy.typing.NDArray[numpy.float32]) -> int"),
           "Writes the afterstate of every legal action of every game: the position before the next roll.\n"
           "\n"
           "The rows of game i are offsets[i] to offsets[i + 1] - 1.\n"
           "\n"
           "Args:\n"
           "    offsets: [n + 1] first row of each game, and the total.\n"
           "    actions: [rows] action that leads to each afterstate.\n"
           "    player: [rows] player who sees the afterstate: the next to decide or, before a roll, the\n"
           "        player who moved; -1 if the game is over.\n"
           "    features: [rows, *features_shape], as `player` sees it; zeros if the game is over.\n"
           "    rewards: [rows, num_players] rewards of the action itself.\n"
           "\n"
           "Returns:\n"
           "    The total number of rows. If it exceeds the length of `actions`, only `offsets` was written:\n"
           "    call again with larger arrays.\n"
           "\n"
           "Raises:\n"
           "    TypeError: If an array has the wrong shape, dtype or layout.")
      .def("play", &play, "network"_a, nb::kw_only(), "features"_a = nb::none(), "codes"_a = nb::none(), "viewer"_a,
           "before"_a, "after"_a, "over"_a, "best"_a, "explored"_a, "expected"_a = nb::none(), "epsilon"_a = 0.0,
           "discount"_a = 1.0,
           nb::sig(
               "def play(self, network: tablier._core.nets.Network, *, features: "
               "numpy.typing.NDArray[numpy.float32] | None = None, codes: numpy.typing.NDArray[numpy.uint8] | None = "
               "None, viewer: numpy.typing.NDArray[numpy.int32], before: "
               "numpy.typing.NDArray[numpy.float32], after: numpy.typing.NDArray[numpy.float32], over: "
               "numpy.typing.NDArray[numpy.bool_], best: numpy.typing.NDArray[numpy.float32], explored: "
               "numpy.typing.NDArray[numpy.bool_], expected: numpy.typing.NDArray[numpy.float32] | None = None, "
               "epsilon: float = 0.0, discount: float = 1.0) -> int"),
           "Lets a network play both sides of every game for `moves` moves, the second dimension of the arrays.\n"
           "\n"
           "Rewards and values are half the margin of player 0 over player 1.\n"
           "\n"
           "Args:\n"
           "    network: Values the afterstates; the best move is played.\n"
           "    features: [n, moves, *features_shape] afterstate, as `viewer` sees it, zeros if the game is over; or\n"
           "        None to leave it out.\n"
           "    codes: [n, moves, inputs] afterstate, as the network reads it, zeros if the game is over; or None to\n"
           "        leave it out.\n"
           "    viewer: [n, moves] next to decide or, before a roll, the mover; -1 if the game is over.\n"
           "    before: [n, moves] reward of the move.\n"
           "    after: [n, moves] reward of the dice that follow.\n"
           "    over: [n, moves] whether the game ended; the next move then belongs to a new game.\n"
           "    best: [n, moves + 1] value of the best move at each decision, the one after the last move included.\n"
           "    explored: [n, moves + 1] whether a random move was played instead.\n"
           "    expected: [n, moves] value of the afterstate, averaged over all rolls with the best reply to each, or\n"
           "        None to leave it out, since it takes about twenty times as long.\n"
           "    epsilon: Probability of a random move.\n"
           "    discount: Factor of the value of the reply in `expected`.\n"
           "\n"
           "Returns:\n"
           "    The number of positions evaluated.\n"
           "\n"
           "Raises:\n"
           "    TypeError: If an array has the wrong shape, dtype or layout.\n"
           "    ValueError: If the network does not fit the game, or the game is not for two players.")
      .def(
          "arrays", [](nb::handle self) { return nb::module_::import_("tablier.batch").attr("arrays")(self); },
          nb::sig("def arrays(self) -> tablier.batch.Arrays"),
          "Returns new arrays for `step()`, filled with the current decisions.")
      .def(
          "state",
          [](B& env, nb::handle i) {
            const std::size_t slot = to_slot(env, i);
            const Busy busy(env.busy, "BatchEnv");
            return state_at(env, slot);
          },
          "i"_a, nb::sig("def state(self, i: typing.SupportsIndex) -> State"),
          "Returns a copy of the state of game i; raises IndexError if there is no such game.")
      .def("set_state", &set_state, "i"_a, "state"_a,
           nb::sig("def set_state(self, i: typing.SupportsIndex, state: State) -> None"),
           "Sets game i to a copy of the state, and rolls the dice up to the next decision.\n"
           "\n"
           "Raises:\n"
           "    IndexError: If there is no game i.\n"
           "    ValueError: If the state belongs to a different game, or the game ends without a decision.")
      .def("words", &words, "states"_a, nb::sig("def words(self, states: numpy.typing.NDArray[numpy.uint64]) -> None"),
           "Writes the states of all games into an array of shape [n, state_size].")
      .def("save", &save, "Returns all games and their random generators as bytes.")
      .def("restore", &restore, "data"_a,
           "Restores the games saved by `save()`.\n"
           "\n"
           "Args:\n"
           "    data: Bytes from a BatchEnv with the same game, options and n.\n"
           "\n"
           "Raises:\n"
           "    ValueError: If the data does not fit or is damaged. No game is changed then.");
}

}  // namespace tablier
