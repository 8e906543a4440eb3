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

#ifndef OPEN_SPIEL_GAMES_TRICTRAC_TRICTRAC_H_
#define OPEN_SPIEL_GAMES_TRICTRAC_TRICTRAC_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "open_spiel/abseil-cpp/absl/types/optional.h"
#include "open_spiel/abseil-cpp/absl/types/span.h"
#include "open_spiel/game_parameters.h"
#include "open_spiel/games/trictrac/trictrac_struct.h"
#include "open_spiel/json/include/nlohmann/json.hpp"
#include "open_spiel/spiel.h"
#include "open_spiel/spiel_globals.h"
#include "open_spiel/spiel_utils.h"
#include "tablier/games/trictrac/trictrac.h"

// Trictrac, the classic French game of the 17th to 19th centuries, played on a
// backgammon board: https://en.wikipedia.org/wiki/Trictrac
//
// Two players move fifteen men each by the throws of two dice. The aim is not
// to get home first but to score on the way: for hitting single men (without
// moving), for filling a quarter of the board and keeping it full, and for some
// rare positions. Twelve points are a hole, or two if the opponent scored
// nothing meanwhile, and twelve holes win. After winning a hole with their own
// throw a player may leave: the men are set up again, and they throw.
//
// The rules are those of the classic treatises: Soumille (1738), Fallavel
// (1776), Lepeintre (1818), Guiton (1822), Lelasseux-Lafosse (1852), and of
// Malfilatre, "Lois et regles du trictrac" (2013). The engine in tablier/
// implements them; this file adapts it to OpenSpiel and adds no rules of its
// own.
//
// A throw is a chance node with 36 equally likely outcomes: outcome i is the
// throw (i / 6 + 1, i % 6 + 1). A throw can end the game, so check IsTerminal()
// before CurrentPlayer(). A player can move twice in a row: never alternate
// players by counting.
//
// Actions:
//   0    throw the dice (only with explicit_roll)
//   1    leave, after winning a hole
//   2    + 16 * c1 + c2: move with the first die, then with the second
//   258  + 16 * c1 + c2: move with the second die, then with the first
// c1 and c2 count the mover's men from their talon. A stack is named by its
// last man; 0 is a number that is not played. With schools, further actions
// declare and claim points.
//
// Parameters:
//   "utility"        string  "win": zero-sum, +1 and -1 at the end (default);
//                            "score": general-sum, rewards are changes of the
//                            score, 12 for a hole and 1 for a point
//   "observation"    string  the observation tensor: "features", 217 numbers in
//                            [0, 1] (default), or "observation", 36 integers
//   "max_turns"      int     decisions after which a game is stopped; the
//                            returns stay as they are (default 1000)
//   "explicit_roll"  bool    throwing is an action (default false)
//   "encoding"       string  "classic" (default); "markov": 231 features that
//                            make the state Markov; "expert": 301 features,
//                            with the prospects of the next throw
// Rules:
//   "holes_to_win"             int     (default 12)
//   "first_throw"              string  "white" (default), "draw" or
//                                      "fresh_roll"
//   "bearing_off"              string  "paris" (default) or "by_default_only"
//   "stake_rule"               string  "single" (default), "double" or
//                                      "quadruple": what a victory is worth
//   "last_throw_carries_over"  bool    (default false)
//   "mezeas_next_throw_only"   bool    (default false)
//   "pile_de_misere"           bool    (default false)
//   "jan_de_rencontre"         bool    (default false)
//   "margot_la_fendue"         bool    (default false)
//   "swap_colours_on_exit"     bool    (default false)
//   "schools"                  bool    players mark their own points (default
//                                      false)
//   "fill_school"              string  "single" (default) or "double"

namespace open_spiel {
namespace trictrac {

inline constexpr int kNumPlayers = 2;
inline constexpr int kNumFields = 24;
inline constexpr int kNumChanceOutcomes = 36;
inline constexpr int kDefaultMaxTurns = 1000;

// With more, the number of moves in a game would not be an int.
inline constexpr int kMostMaxTurns = 1000000000;

// A draw for the first throw is repeated while the dice are equal. The
// probability of as many repetitions as this is 6^-100.
inline constexpr int kMaxDraws = 100;

class TrictracGame;

// A state is the engine's 64 bytes, and what OpenSpiel asks about the past.
class TrictracState : public State {
 public:
  using Position = ::tablier::Trictrac::State;

  TrictracState(std::shared_ptr<const Game> game, const Position& position,
                int turns_left);
  TrictracState(const TrictracState&) = default;

  Player CurrentPlayer() const override;
  bool IsTerminal() const override;
  bool IsChanceNode() const override;
  std::vector<Action> LegalActions() const override;
  ActionsAndProbs ChanceOutcomes() const override;
  std::string ActionToString(Player player, Action action) const override;
  std::string ToString() const override;
  std::vector<double> Returns() const override;
  // The rewards since the last decision, those of the dice included: OpenSpiel
  // reads rewards only at decisions and at the end.
  std::vector<double> Rewards() const override;
  std::string ObservationString(Player player) const override;
  void ObservationTensor(Player player,
                         absl::Span<float> values) const override;
  std::unique_ptr<State> Clone() const override;
  // Replays the game without its last action, in time proportional to its
  // length: a state keeps no earlier positions.
  void UndoAction(Player player, Action action) override;
  std::string Serialize() const override;

  std::unique_ptr<StateStruct> ToStruct() const override;
  std::unique_ptr<ObservationStruct> ToObservationStruct(
      Player player) const override;
  std::unique_ptr<ActionStruct> ActionToStruct(Player player,
                                               Action action) const override;
  std::vector<Action> StructToActions(
      const ActionStruct& action_struct) const override;

  const Position& position() const { return position_; }
  int turns_left() const { return turns_left_; }

 protected:
  void DoApplyAction(Action action) override;

 private:
  friend class TrictracGame;

  const TrictracGame& game() const;
  bool IsLegal(Action action) const;
  // Applies a legal action and leaves the history alone.
  void Advance(Action action);
  TrictracStructContents Contents() const;

  Position position_;
  int turns_left_;
  // The returns before the last decision.
  std::array<double, kNumPlayers> returns_before_ = {0, 0};
};

class TrictracGame : public Game {
 public:
  explicit TrictracGame(const GameParameters& params);

  using Game::NewInitialState;
  std::unique_ptr<State> NewInitialState() const override;
  // Sets up a position from the fields of TrictracStateStruct.
  std::unique_ptr<State> NewInitialState(const std::string& str) const override;
  std::unique_ptr<State> NewInitialState(
      const nlohmann::json& json) const override;
  std::unique_ptr<State> DeserializeState(
      const std::string& str) const override;

  int NumDistinctActions() const override { return facts_.num_actions; }
  int MaxChanceOutcomes() const override { return kNumChanceOutcomes; }
  int NumPlayers() const override { return kNumPlayers; }
  double MinUtility() const override { return facts_.min_utility; }
  double MaxUtility() const override { return facts_.max_utility; }
  absl::optional<double> UtilitySum() const override;
  std::vector<int> ObservationTensorShape() const override;
  int MaxGameLength() const override { return max_turns_; }
  int MaxChanceNodesInHistory() const override {
    return max_turns_ + kMaxDraws;
  }

  // Whether the observation tensor holds the features, not the 36 integers.
  bool shows_features() const { return shows_features_; }

 private:
  friend class TrictracState;

  // A state at the start of a game or, if `starting_state` is not empty, of the
  // position that it sets up.
  std::unique_ptr<TrictracState> Start(const std::string& starting_state) const;
  std::unique_ptr<TrictracState> SetUp(const nlohmann::json& json) const;

  ::tablier::Facts facts_;  // those of the chosen rules
  TrictracState::Position start_;
  int max_turns_;
  bool shows_features_;
};

}  // namespace trictrac
}  // namespace open_spiel

#endif  // OPEN_SPIEL_GAMES_TRICTRAC_TRICTRAC_H_
