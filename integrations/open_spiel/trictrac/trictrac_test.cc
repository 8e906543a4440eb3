// Copyright 2026 The Tablier developers
//
// Licensed under the Apache License, Version 2.0 (the "License");
// you may not use this file except in compliance with the License.
// You may obtain a copy of the License at
//
//      http://www.apache.org/licenses/LICENSE-2.0
//
// Unless required by applicable law or agreed to in writing, software
// distributed under the License is distributed on an "AS IS" BASIS,
// WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
// See the License for the specific language governing permissions and
// limitations under the License.

#include "open_spiel/games/trictrac/trictrac.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "open_spiel/abseil-cpp/absl/strings/match.h"
#include "open_spiel/abseil-cpp/absl/strings/str_cat.h"
#include "open_spiel/abseil-cpp/absl/strings/str_replace.h"
#include "open_spiel/algorithms/minimax.h"
#include "open_spiel/game_parameters.h"
#include "open_spiel/json/include/nlohmann/json.hpp"
#include "open_spiel/observer.h"
#include "open_spiel/spiel.h"
#include "open_spiel/spiel_globals.h"
#include "open_spiel/spiel_utils.h"
#include "open_spiel/tests/basic_tests.h"

namespace open_spiel {
namespace trictrac {
namespace {

namespace testing = open_spiel::testing;

constexpr const char* kParameters[] = {
    "trictrac",
    "trictrac(utility=score)",
    "trictrac(max_turns=50)",
    "trictrac(observation=observation,utility=score)",
    "trictrac(explicit_roll=True,first_throw=draw)",
    "trictrac(first_throw=fresh_roll,stake_rule=quadruple)",
    "trictrac(schools=True,fill_school=double,utility=score,holes_to_win=60)",
    "trictrac(encoding=markov,bearing_off=by_default_only,"
    "last_throw_carries_over=True)",
    "trictrac(jan_de_rencontre=True,pile_de_misere=True,margot_la_fendue=True,"
    "mezeas_next_throw_only=True,swap_colours_on_exit=True)",
};

// Fatal errors become exceptions, so that tests can expect them.
void ThrowErrors(const std::string& message) {
  throw std::runtime_error(message);
}

void ExpectError(const std::function<void()>& act, const std::string& words) {
  try {
    act();
  } catch (const std::exception& error) {
    if (absl::StrContains(error.what(), words)) return;
    SpielFatalError(
        absl::StrCat("expected '", words, "', got '", error.what(), "'"));
  }
  SpielFatalError(absl::StrCat("expected an error with '", words, "'"));
}

// The throw (d1, d2) as an action.
Action Throw(int d1, int d2) { return 6 * (d1 - 1) + d2 - 1; }

// A position in which White throws, after both have thrown often.
nlohmann::json WhiteThrows(const std::array<int, kNumFields>& board) {
  return {{"board", board}, {"throws", {9, 9}}};
}

// Calls `check` at every state of a few random games.
void PlayGames(const Game& game, int games,
               const std::function<void(const State&)>& check) {
  std::mt19937 rng(1);
  for (int i = 0; i < games; ++i) {
    std::unique_ptr<State> state = game.NewInitialState();
    for (check(*state); !state->IsTerminal(); check(*state)) {
      const std::vector<Action> actions = state->LegalActions();
      state->ApplyAction(actions[rng() % actions.size()]);
    }
  }
}

void BasicTrictracTests() {
  testing::LoadGameTest("trictrac");
  for (const char* name : kParameters) {
    const auto game = LoadGame(name);
    testing::ChanceOutcomesTest(*game);
    testing::RandomSimTest(*game, 10, /*serialize=*/true, /*verbose=*/false);
  }
  testing::RandomSimTestWithUndo(*LoadGame("trictrac"), 3);
  testing::RandomSimTestWithUndo(*LoadGame("trictrac(utility=score)"), 3);
  testing::CheckChanceOutcomes(*LoadGame("trictrac(max_turns=2)"));
}

void FactsTest() {
  const auto game = LoadGame("trictrac");
  SPIEL_CHECK_EQ(game->NumDistinctActions(), 514);
  SPIEL_CHECK_EQ(game->MaxChanceOutcomes(), 36);
  SPIEL_CHECK_EQ(game->ObservationTensorSize(), 217);
  SPIEL_CHECK_EQ(
      LoadGame("trictrac(observation=observation)")->ObservationTensorSize(),
      36);
  SPIEL_CHECK_EQ(game->UtilitySum(), 0.0);
  const auto scored = LoadGame("trictrac(utility=score)");
  SPIEL_CHECK_FALSE(scored->UtilitySum().has_value());
  SPIEL_CHECK_TRUE(scored->GetType().reward_model ==
                   GameType::RewardModel::kRewards);
  const auto state = game->NewInitialState();
  SPIEL_CHECK_EQ(state->ActionToString(kChancePlayerId, 8), "dice 2 3");
  SPIEL_CHECK_EQ(state->StringToAction("dice 2 3"), 8);
}

void ObserverTest() {
  for (const char* name : {"trictrac", "trictrac(observation=observation)"}) {
    const auto game = LoadGame(name);
    const auto single = game->MakeObserver(
        absl::nullopt, {{"name", GameParameter("single_tensor")}});
    testing::RandomSimTestCustomObserver(*game, single);
    Observation observation(*game, single);
    PlayGames(*game, 1, [&](const State& state) {
      for (Player player = 0; player < kNumPlayers; ++player) {
        observation.SetFrom(state, player);
        const auto seen = observation.tensors()[0].data();
        SPIEL_CHECK_TRUE(std::vector<float>(seen.begin(), seen.end()) ==
                         state.ObservationTensor(player));
      }
    });
  }
}

void ActionStringsTest() {
  PlayGames(*LoadGame("trictrac(schools=True)"), 3, [](const State& state) {
    for (const Action action : state.LegalActions()) {
      SPIEL_CHECK_EQ(state.StringToAction(state.ActionToString(action)),
                     action);
      const auto action_struct = state.ActionToStruct(action);
      SPIEL_CHECK_EQ(state.StructToActions(*action_struct)[0], action);
    }
  });
}

// A state set up from the JSON of another is the same state.
void StructTest() {
  for (const char* name : kParameters) {
    const auto game = LoadGame(name);
    PlayGames(*game, 2, [&](const State& state) {
      const auto copy = game->NewInitialState(state.ToJson());
      SPIEL_CHECK_EQ(copy->ToString(), state.ToString());
      SPIEL_CHECK_EQ(copy->ToJson(), state.ToJson());
      SPIEL_CHECK_EQ(copy->LegalActions(), state.LegalActions());
      SPIEL_CHECK_EQ(copy->Returns(), state.Returns());
    });
  }
}

void SerializationTest() {
  const auto game = LoadGame("trictrac(utility=score)");
  const auto start =
      game->NewInitialState(LoadGame("trictrac")->NewInitialState()->ToJson());
  start->ApplyAction(Throw(6, 5));
  start->ApplyAction(start->LegalActions()[0]);
  const std::string saved = start->Serialize();
  const auto copy = game->DeserializeState(saved);
  SPIEL_CHECK_EQ(copy->ToJson(), start->ToJson());
  SPIEL_CHECK_EQ(copy->History(), start->History());
  SPIEL_CHECK_EQ(copy->StartingStateStr(), start->StartingStateStr());
  ExpectError(
      [&] {
        game->DeserializeState(
            absl::StrReplaceAll(saved, {{"format 1", "format 2"}}));
      },
      "it has format 2, and this version reads only format 1");
  ExpectError([&] { game->DeserializeState("1\n2\n"); },
              "it does not begin with");
  ExpectError([&] { game->DeserializeState(saved.substr(0, 40)); },
              "not a serialized state");
  ExpectError(
      [&] {
        LoadGame("trictrac(utility=score,holes_to_win=3)")
            ->DeserializeState(saved);
      },
      "saved with other parameters");
  ExpectError(
      [&] {
        game->DeserializeState(
            absl::StrReplaceAll(saved, {{"history 34", "history 99"}}));
      },
      "action 99 at move 0 is not legal");
}

// Positions with figures that are printed in books on the game.
void PrintedPositionsTest() {
  struct Printed {
    std::array<int, kNumFields> board;
    int d1, d2;
    double points;
  };
  const Printed positions[] = {
      // Lepeintre (1818), fig. 2: the last half-field is covered in three ways.
      {{3, 2, 3, 3,  2, 1,  1, 0, 0, 0,  0,  0,
        0, 0, 0, -2, 0, -2, 0, 0, 0, -3, -3, -5},
       3,
       2,
       24},  // twelve points in a run are two holes
      // Lepeintre (1818), fig. 3: the small jan is kept.
      {{2, 2, 3, 3,  2, 2,  1, 0, 0,  0,  0,  0,
        0, 0, 0, -2, 0, -2, 0, 0, -2, -2, -2, -5},
       5,
       3,
       4},
  };
  const auto game = LoadGame("trictrac(utility=score)");
  for (const Printed& printed : positions) {
    const auto state = game->NewInitialState(WhiteThrows(printed.board));
    SPIEL_CHECK_TRUE(state->IsChanceNode());
    state->ApplyAction(Throw(printed.d1, printed.d2));
    SPIEL_CHECK_EQ(state->Returns()[0], printed.points);
    SPIEL_CHECK_EQ(state->Rewards(), state->Returns());
    testing::RandomSimTestWithSpecificInitialState(*game, 1, state.get());
  }
}

// Soumille (1738): 6-6 from the start cannot be played by one man.
void OnlyMoveTest() {
  const auto state = LoadGame("trictrac")->NewInitialState();
  state->ApplyAction(Throw(6, 6));
  SPIEL_CHECK_EQ(state->LegalActions().size(), 1);
  SPIEL_CHECK_EQ(state->ActionToString(state->LegalActions()[0]), "1-7 1-7");
}

// A search through the dice prefers the play that leads by most after the
// opponent's reply.
void ExpectiminimaxTest() {
  const auto game = LoadGame("trictrac");
  const auto state = game->NewInitialState();
  state->ApplyAction(Throw(2, 3));
  const auto lead = [](const State& leaf) -> double {
    const auto& position = static_cast<const TrictracState&>(leaf).position();
    return ::tablier::trictrac::score_of(position, 0) -
           ::tablier::trictrac::score_of(position, 1);
  };
  const auto [value, best] =
      algorithms::ExpectiminimaxSearch(*game, state.get(), lead, 2, 0);
  const auto legal = state->LegalActions();
  SPIEL_CHECK_TRUE(std::find(legal.begin(), legal.end(), best) != legal.end());
  for (const Action action : legal) {
    const auto child = state->Child(action);
    double mean = 0;
    for (const auto& [roll, probability] : child->ChanceOutcomes()) {
      const auto thrown = child->Child(roll);
      double worst = std::numeric_limits<double>::infinity();
      for (const Action reply : thrown->LegalActions()) {
        worst = std::min(worst, lead(*thrown->Child(reply)));
      }
      mean += probability * worst;
    }
    SPIEL_CHECK_LE(mean, value + 1e-9);
    if (action == best) SPIEL_CHECK_FLOAT_EQ(mean, value);
  }
}

// The roll that gives the last hole ends the game, for either utility.
void EndOnRollTest() {
  for (const bool win : {true, false}) {
    const auto game = LoadGame(absl::StrCat(
        "trictrac(holes_to_win=2,utility=", win ? "win" : "score", ")"));
    const auto state = game->NewInitialState(
        WhiteThrows({3, 2, 3, 3,  2, 1,  1, 0, 0, 0,  0,  0,
                     0, 0, 0, -2, 0, -2, 0, 0, 0, -3, -3, -5}));
    state->ApplyAction(Throw(3, 2));
    SPIEL_CHECK_TRUE(state->IsTerminal());
    SPIEL_CHECK_EQ(state->CurrentPlayer(), kTerminalPlayerId);
    SPIEL_CHECK_TRUE(state->LegalActions().empty());
    SPIEL_CHECK_EQ(state->Returns()[0], win ? 1 : 24);
    SPIEL_CHECK_EQ(state->Returns()[1], win ? -1 : 0);
    SPIEL_CHECK_EQ(state->Rewards(), state->Returns());
    ExpectError([&] { state->ApplyAction(2); }, "the game is over");
    state->UndoAction(kChancePlayerId, Throw(3, 2));
    SPIEL_CHECK_TRUE(state->IsChanceNode());
  }
}

void ErrorsTest() {
  const auto game = LoadGame("trictrac");
  const auto state = game->NewInitialState();
  ExpectError([&] { state->ApplyAction(36); },
              "action 36 is not legal in stage RollWaiting");
  state->ApplyAction(Throw(1, 2));
  const std::string before = state->ToString();
  for (const Action action : {0, 1, 300, 514, -2, 1 << 30}) {
    ExpectError([&] { state->ApplyAction(action); },
                absl::StrCat("action ", action, " is not legal in stage Move"));
  }
  SPIEL_CHECK_EQ(state->ToString(), before);
  ExpectError([&] { state->UndoAction(0, 2); }, "is not the last one");
  ExpectError([&] { state->ObservationString(-1); }, "player >= 0");
  ExpectError([&] { state->ObservationTensor(2); }, "player <");
  ExpectError([] { LoadGame("trictrac(holes_to_win=0)"); },
              "an integer from 1 to 100");
  ExpectError([] { LoadGame("trictrac(utility=fame)"); }, "one of score, win");
  ExpectError([] { LoadGame("trictrac(max_turns=0)"); }, "at least 1");
  ExpectError([] { LoadGame("trictrac(observation=pixels)"); },
              "features, observation");
  ExpectError([] { LoadGame("trictrac(fill_school=double)"); },
              "no effect without schools");
  ExpectError([] { LoadGame("trictrac(colour=blue)"); }, "colour");
  ExpectError([&] { game->NewInitialState("{"); }, "cannot be set up");
  ExpectError([&] { game->NewInitialState("{\"dice\": 3}"); },
              "'dice' must look like [0,0], not 3");
  ExpectError([&] { game->NewInitialState("{\"men\": 3}"); },
              "there is no field 'men'");
  ExpectError([&] { game->NewInitialState("{\"stage\": \"Tea\"}"); },
              "stage must be one of RollWaiting");
  ExpectError([&] { game->NewInitialState("{\"points\": [300, 0]}"); },
              "points must be from 0 to 255, not 300");
  ExpectError([&] { game->NewInitialState("{\"points\": [13, 0]}"); },
              "cannot be set up");
}

// Values are refused without following them to their depth.
void DeepSetUpTest() {
  const auto game = LoadGame("trictrac");
  for (const int levels : {3, 100000, 1000000}) {
    const std::string array =
        absl::StrCat(std::string(levels, '['), std::string(levels, ']'));
    const std::string board = absl::StrCat("{\"board\": ", array, "}");
    ExpectError([&] { game->NewInitialState(board); }, "not this array of 1");
    ExpectError([&] { game->NewInitialState(nlohmann::json::parse(board)); },
                "not this array of 1");
    ExpectError(
        [&] {
          game->DeserializeState(
              absl::StrCat("trictrac state, format 1\nstart ", board,
                           "\nhistory \nposition "));
        },
        "not this array of 1");
    ExpectError([&] { game->NewInitialState(array); }, "a JSON object");
    ExpectError(
        [&] { game->NewInitialState(absl::StrCat("{\"men\": ", array, "}")); },
        "there is no field 'men'");
  }
  ExpectError([&] { game->NewInitialState("{\"board\": {\"1\": 15}}"); },
              "not this object of 1");
}

void CurrentPlayerInSetUpTest() {
  const auto game = LoadGame("trictrac");
  game->NewInitialState("{\"current_player\": -1}");
  ExpectError([&] { game->NewInitialState("{\"current_player\": 7}"); },
              "current_player of this position is -1, not 7");
  ExpectError(
      [&] {
        game->NewInitialState("{\"turns\": 1000, \"current_player\": 0}");
      },
      "current_player of this position is -4, not 0");
}

void ActionStringErrorsTest() {
  const auto game = LoadGame("trictrac(max_turns=1)");
  const auto state = game->NewInitialState();
  SPIEL_CHECK_EQ(state->ActionToString(0, 8), "dice 2 3");
  ExpectError([&] { state->ActionToString(0, 300); },
              "actions are from 0 to 35");
  for (const Player player : {-2, 2, 77}) {
    ExpectError([&] { state->ActionToString(player, 1); },
                absl::StrCat("there is no player ", player));
  }
  state->ApplyAction(Throw(2, 3));
  SPIEL_CHECK_EQ(state->ActionToString(kChancePlayerId, 8), "dice 2 3");
  state->ActionToString(1, 513);
  ExpectError([&] { state->ActionToString(0, 514); },
              "actions are from 0 to 513");
  state->ApplyAction(state->LegalActions()[0]);
  SPIEL_CHECK_TRUE(state->IsTerminal());
  ExpectError([&] { state->ActionToString(0, 300); },
              "actions are from 0 to 35");
}

// Whatever OpenSpiel derives from the length of a game is an int.
void LongestGameTest() {
  const auto game = LoadGame("trictrac(max_turns=1000000000)");
  SPIEL_CHECK_EQ(game->MaxChanceNodesInHistory(), 1000000100);
  SPIEL_CHECK_EQ(game->MaxMoveNumber(), 2000000100);
  SPIEL_CHECK_EQ(game->MaxHistoryLength(), 2000000100);
  for (const int turns : {1000000001, std::numeric_limits<int>::max()}) {
    ExpectError(
        [&] { LoadGame(absl::StrCat("trictrac(max_turns=", turns, ")")); },
        "max_turns must be at most 1000000000");
  }
}

}  // namespace
}  // namespace trictrac
}  // namespace open_spiel

int main(int argc, char** argv) {
  open_spiel::SetErrorHandler(open_spiel::trictrac::ThrowErrors);
  open_spiel::trictrac::BasicTrictracTests();
  open_spiel::trictrac::FactsTest();
  open_spiel::trictrac::ObserverTest();
  open_spiel::trictrac::ActionStringsTest();
  open_spiel::trictrac::StructTest();
  open_spiel::trictrac::SerializationTest();
  open_spiel::trictrac::PrintedPositionsTest();
  open_spiel::trictrac::OnlyMoveTest();
  open_spiel::trictrac::ExpectiminimaxTest();
  open_spiel::trictrac::EndOnRollTest();
  open_spiel::trictrac::ErrorsTest();
  open_spiel::trictrac::DeepSetUpTest();
  open_spiel::trictrac::CurrentPlayerInSetUpTest();
  open_spiel::trictrac::ActionStringErrorsTest();
  open_spiel::trictrac::LongestGameTest();
  std::cout << "trictrac_test: all passed" << std::endl;
  return 0;
}
