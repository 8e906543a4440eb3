// Binds tablier._core.search.rollouts (search/rollouts.h). tablier.analysis.roll_out is the public interface.
#include <nanobind/stl/shared_ptr.h>

#include "search.h"

namespace tablier {

using namespace nb::literals;

namespace {

nb::tuple rollouts(nb::handle given, nb::handle evaluator, nb::handle states, nb::handle players, nb::handle games,
                   nb::handle first, nb::handle decisions, bool luck, const std::string& objective, nb::handle seed,
                   nb::handle threads) {
  const auto game = to_game(given);
  const auto native = to_native(*game, evaluator);
  if (native.config.evaluator == search::Evaluator::kRollout) {
    throw nb::value_error("random games cannot be the policy of a rollout");
  }
  const Facts& facts = game->facts();
  const Positions at(*game, states, players);
  search::RolloutConfig config;
  config.games = to_number(games, "games", 1, 1'000'000);
  config.first = to_number(first, "first", 0, std::int64_t{1} << 62);
  config.decisions = static_cast<int>(to_number(decisions, "decisions", 0, search::RolloutConfig::kMostDecisions));
  config.luck = luck;
  config.seed = to_seed(seed);
  if (objective != "own" && objective != "margin") throw nb::value_error("objective must be own or margin");
  config.objective = objective == "own" ? search::Objective::kOwn : search::Objective::kMargin;
  Workers workers(static_cast<int>(to_number(threads, "threads", 1, kMaxThreads)));
  const auto rows = at.count() * static_cast<std::size_t>(config.games);
  std::vector<double> rewards(rows * static_cast<std::size_t>(facts.num_players)), lucky(rewards.size());
  std::vector<std::uint8_t> ended(rows);
  {
    const Released released;
    game->any->roll_out(facts, native.config, config, at.states(), at.viewers(), at.count(), workers,
                        {rewards.data(), lucky.data(), ended.data()});
  }
  const auto shape = nb::make_tuple(at.n, config.games, facts.num_players);
  return nb::make_tuple(to_array(rewards, shape), to_array(lucky, shape),
                        to_array(ended, nb::make_tuple(at.n, config.games)));
}

}  // namespace

void bind_rollouts(nb::module_& module) {
  module.def("rollouts", &rollouts, "game"_a, "evaluator"_a, "states"_a, "players"_a, "games"_a, "first"_a = 0,
             "decisions"_a = 0, "luck"_a = true, "objective"_a = "own", "seed"_a = 0, "threads"_a = 1,
             nb::sig("def rollouts(game: tablier._core.Game, evaluator: tablier.evaluators.native.NativeEvaluator, "
                     "states: numpy.typing.NDArray[numpy.uint64], players: numpy.typing.NDArray[numpy.int32], games: "
                     "int, first: int = 0, decisions: int = 0, luck: bool = True, objective: str = 'own', seed: int = "
                     "0, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.float64], "
                     "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.uint8]]"),
             "Continues games from positions, by a policy that plays the action with the best afterstate.\n"
             "\n"
             "Args:\n"
             "    game: The game of the states.\n"
             "    evaluator: An evaluator that runs in C++ and values afterstates.\n"
             "    states: [n, state_size] positions.\n"
             "    players: [n] player who moved before a roll; ignored at a decision.\n"
             "    games: Games per position, from 1 to 1,000,000.\n"
             "    first: Number of the first game. Games with the same number have the same dice in all positions.\n"
             "    decisions: Decisions after which a game is valued instead of continued; 0 plays it out.\n"
             "    luck: Whether to measure luck, which takes most of the time.\n"
             "    objective: What players maximise, `own` or `margin`.\n"
             "    seed: Seed of the dice, from 0 to 2**64 - 1.\n"
             "    threads: Number of threads, from 1 to 1024. The result does not depend on it.\n"
             "\n"
             "Returns:\n"
             "    The future rewards [n, games, players], their luck of the same shape (zeros without `luck`), and\n"
             "    whether each game was played to its end, [n, games].\n"
             "\n"
             "Raises:\n"
             "    TypeError: If an array has the wrong shape or dtype.\n"
             "    ValueError: If a state is not valid in this game, or the evaluator cannot be the policy.");
}

}  // namespace tablier
