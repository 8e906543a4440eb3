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

#include "open_spiel/games/trictrac/trictrac_struct.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "open_spiel/abseil-cpp/absl/strings/str_cat.h"
#include "open_spiel/abseil-cpp/absl/strings/str_join.h"
#include "open_spiel/abseil-cpp/absl/strings/string_view.h"
#include "open_spiel/json/include/nlohmann/json.hpp"
#include "open_spiel/spiel_globals.h"
#include "open_spiel/spiel_utils.h"
#include "tablier/games/trictrac/parts.h"
#include "tablier/games/trictrac/trictrac.h"

namespace open_spiel {
namespace trictrac {
namespace {

using Position = ::tablier::Trictrac::State;

std::uint8_t Byte(int value, absl::string_view field) {
  if (value < 0 || value > 255) {
    RefuseSetUp(absl::StrCat(field, " must be from 0 to 255, not ", value));
  }
  return static_cast<std::uint8_t>(value);
}

::tablier::trictrac::Both<std::uint8_t> Bytes(const std::array<int, 2>& values,
                                              absl::string_view field) {
  return {Byte(values[0], field), Byte(values[1], field)};
}

std::array<int, 2> Ints(const ::tablier::trictrac::Both<std::uint8_t>& bytes) {
  return {bytes[0], bytes[1]};
}

// Whether a value of a set-up has the type of the one it replaces.
bool SameType(const nlohmann::json& value, const nlohmann::json& usual) {
  constexpr int kLargest = 1000000;
  if (usual.is_array()) {
    if (!value.is_array()) return false;
    if (!usual.empty() && value.size() != usual.size()) return false;
    const nlohmann::json element = usual.empty() ? nlohmann::json(0) : usual[0];
    return std::all_of(value.begin(), value.end(), [&](const auto& item) {
      return SameType(item, element);
    });
  }
  if (usual.is_boolean()) return value.is_boolean();
  if (usual.is_string()) return value.is_string();
  return value.is_number_integer() && value >= -kLargest && value <= kLargest;
}

// A value as an error message shows it. Arrays and objects can be too deep to
// write out.
std::string Shown(const nlohmann::json& value) {
  if (!value.is_structured()) return value.dump();
  return absl::StrCat("this ", value.type_name(), " of ", value.size());
}

::tablier::trictrac::Stage StageNamed(const std::string& name) {
  const auto& names = StageNames();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    RefuseSetUp(absl::StrCat("stage must be one of ",
                             absl::StrJoin(names, ", "), ", not ", name));
  }
  return static_cast<::tablier::trictrac::Stage>(found - names.begin());
}

// The inverse of ContentsOf(), for the engine.
::tablier::trictrac::Parts PartsOf(const TrictracStructContents& from) {
  using ::tablier::trictrac::School;
  ::tablier::trictrac::Parts to;
  to.board = from.board;
  to.stage = StageNamed(from.stage);
  to.player = Byte(from.mover, "mover");
  to.dice = Bytes(from.dice, "dice");
  to.points = Bytes(from.points, "points");
  to.holes = Bytes(from.holes, "holes");
  to.throws = Bytes(from.throws, "throws");
  to.points_run = from.points_run;
  to.holes_run = from.holes_run;
  to.first_hole = from.first_hole;
  to.corner_just_taken = from.corner_just_taken;
  to.due = Bytes(from.due, "due");
  to.drawing = from.drawing;
  to.swapped = from.swapped;
  if (from.first_throw.size() == 2) {
    to.first_throw =
        Bytes({from.first_throw[0], from.first_throw[1]}, "first_throw");
  } else if (!from.first_throw.empty()) {
    RefuseSetUp("first_throw must have two numbers, or none");
  }
  if (from.winner != kInvalidPlayer) to.winner = from.winner;
  if (from.school < 0 ||
      from.school > static_cast<int>(School::kDecideFilling)) {
    RefuseSetUp("there is no such school");
  }
  to.school = static_cast<School>(from.school);
  to.declared = Bytes(from.declared, "declared");
  to.claim = Byte(from.claim, "claim");
  to.fill_due = Byte(from.fill_due, "fill_due");
  to.failed = from.failed;
  to.hole_settled = from.hole_settled;
  to.left = Bytes(from.left, "left");
  to.points_before = Bytes(from.points_before, "points_before");
  to.holes_before = Bytes(from.holes_before, "holes_before");
  to.points_run_before = from.points_run_before;
  to.holes_run_before = from.holes_run_before;
  to.first_hole_before = from.first_hole_before;
  return to;
}

}  // namespace

[[noreturn]] void RefuseSetUp(const std::string& reason) {
  SpielFatalError(
      absl::StrCat("trictrac: this position cannot be set up: ", reason));
}

const std::array<std::string, 6>& StageNames() {
  static const auto* names = new std::array<std::string, 6>{
      "RollWaiting",    "RollDice", "MarkPoints",
      "HoldOrGoChoice", "Move",     "MarkAdvPoints"};
  return *names;
}

TrictracStructContents ContentsOf(const Position& position) {
  const ::tablier::trictrac::Parts from =
      ::tablier::trictrac::take_apart(position);
  TrictracStructContents to{};
  to.board = from.board;
  to.stage = StageNames()[static_cast<int>(from.stage)];
  to.mover = from.player;
  to.dice = Ints(from.dice);
  to.points = Ints(from.points);
  to.holes = Ints(from.holes);
  to.throws = Ints(from.throws);
  to.points_run = from.points_run;
  to.holes_run = from.holes_run;
  to.first_hole = from.first_hole;
  to.corner_just_taken = from.corner_just_taken;
  to.due = Ints(from.due);
  to.drawing = from.drawing;
  to.swapped = from.swapped;
  if (from.first_throw) {
    to.first_throw = {(*from.first_throw)[0], (*from.first_throw)[1]};
  }
  to.winner = from.winner.value_or(kInvalidPlayer);
  to.school = static_cast<int>(from.school);
  to.declared = Ints(from.declared);
  to.claim = from.claim;
  to.fill_due = from.fill_due;
  to.failed = from.failed;
  to.hole_settled = from.hole_settled;
  to.left = Ints(from.left);
  to.points_before = Ints(from.points_before);
  to.holes_before = Ints(from.holes_before);
  to.points_run_before = from.points_run_before;
  to.holes_run_before = from.holes_run_before;
  to.first_hole_before = from.first_hole_before;
  return to;
}

TrictracStructContents ReadContents(const nlohmann::json& json,
                                    const TrictracStructContents& usual) {
  if (!json.is_object()) RefuseSetUp("it must be a JSON object");
  nlohmann::json fields = usual;
  for (const auto& [name, value] : json.items()) {
    const auto field = fields.find(name);
    if (field == fields.end()) {
      RefuseSetUp(absl::StrCat("there is no field '", name, "'"));
    }
    // The only field whose length varies.
    const bool any_length = name == "first_throw";
    if (!SameType(value, any_length ? nlohmann::json::array() : *field)) {
      RefuseSetUp(absl::StrCat("'", name, "' must look like ", field->dump(),
                               ", not ", Shown(value)));
    }
    *field = value;
  }
  return fields.get<TrictracStructContents>();
}

Position PositionOf(const TrictracStructContents& contents,
                    const Position& start, bool due_is_known) {
  Position position = start;
  if (const char* reason = put_together(PartsOf(contents), position)) {
    RefuseSetUp(reason);
  }
  if (!due_is_known) work_out_due(position);
  if (const char* reason = ::tablier::Trictrac::invalid(position)) {
    RefuseSetUp(reason);
  }
  return position;
}

}  // namespace trictrac
}  // namespace open_spiel
