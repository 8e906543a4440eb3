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

#ifndef OPEN_SPIEL_GAMES_TRICTRAC_TRICTRAC_STRUCT_H_
#define OPEN_SPIEL_GAMES_TRICTRAC_TRICTRAC_STRUCT_H_

#include <array>
#include <string>
#include <vector>

#include "open_spiel/json/include/nlohmann/json.hpp"
#include "open_spiel/spiel.h"
#include "open_spiel/spiel_utils.h"
#include "tablier/games/trictrac/trictrac.h"

// States of Trictrac as plain values and as JSON, and back.

namespace open_spiel {
namespace trictrac {

// A state as plain values. Pairs are White's and Black's, unless they are said
// to be the mover's and the opponent's. TrictracGame::NewInitialState(json)
// sets up a position from these fields; those left out have the values of the
// initial position, and `due` is computed.
struct TrictracStructContents {
  int current_player;         // as State::CurrentPlayer(), which a set-up can
                              // only confirm
  std::array<int, 24> board;  // men by field, White's positive
  std::string stage;          // one of StageNames()
  int mover;                  // who throws and moves: White 0, Black 1
  std::array<int, 2> dice;    // 0 before the throw
  std::array<int, 2> points;  // 0 to 10
  std::array<int, 2> holes;   //
  std::array<int, 2> throws;  // since the men were set up, counted to 9
  std::array<bool, 2> points_run;         // scored without interruption
  std::array<bool, 2> holes_run;          // won without interruption
  std::array<bool, 2> first_hole;         // won the first hole of the game
  std::array<bool, 2> corner_just_taken;  // by the last move
  std::array<int, 2> due;        // points of the throw: mover's, opponent's
  bool drawing;                  // the next throw is the draw
  bool swapped;                  // the colours have changed sides
  std::vector<int> first_throw;  // with jan_de_rencontre, until the second
                                 // throw: high, low; 0, 0 before it
  int winner;                    // kInvalidPlayer if none
  int turns;                     // decisions made
  // With schools only:
  int school;                   // the decision about the points of the throw
  std::array<int, 2> declared;  // mover's, opponent's
  int claim;
  int fill_due;
  bool failed;
  bool hole_settled;
  std::array<int, 2> left;
  std::array<int, 2> points_before;
  std::array<int, 2> holes_before;
  std::array<bool, 2> points_run_before;
  std::array<bool, 2> holes_run_before;
  std::array<bool, 2> first_hole_before;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(TrictracStructContents, current_player, board,
                                 stage, mover, dice, points, holes, throws,
                                 points_run, holes_run, first_hole,
                                 corner_just_taken, due, drawing, swapped,
                                 first_throw, winner, turns, school, declared,
                                 claim, fill_due, failed, hole_settled, left,
                                 points_before, holes_before, points_run_before,
                                 holes_run_before, first_hole_before);
};

SPIEL_DEFINE_STRUCT(TrictracStateStruct, StateStruct, TrictracStructContents);
SPIEL_DEFINE_STRUCT(TrictracObservationStruct, ObservationStruct,
                    TrictracStructContents);

// An action as its text, such as "1-7 1-6", "leave" or "dice 6 5".
struct TrictracActionStruct : public ActionStruct {
  std::string text;
  SPIEL_STRUCT_BOILERPLATE(TrictracActionStruct, text);
};

// The names of the stages of a turn, in the order of their numbers.
const std::array<std::string, 6>& StageNames();

// The fields of a position. `current_player` and `turns` are not part of it.
TrictracStructContents ContentsOf(const ::tablier::Trictrac::State& position);

// Replaces fields of `usual` by those of a set-up. Errors are fatal and say
// which field is wrong.
TrictracStructContents ReadContents(const nlohmann::json& json,
                                    const TrictracStructContents& usual);

// The position with these fields, under the rules of `start`. Positions that no
// game can reach are fatal errors that give the reason. The points due for the
// throw are computed unless `due_is_known`.
::tablier::Trictrac::State PositionOf(const TrictracStructContents& contents,
                                      const ::tablier::Trictrac::State& start,
                                      bool due_is_known);

// Ends with a fatal error that gives the reason.
[[noreturn]] void RefuseSetUp(const std::string& reason);

}  // namespace trictrac
}  // namespace open_spiel

#endif  // OPEN_SPIEL_GAMES_TRICTRAC_TRICTRAC_STRUCT_H_
