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
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "open_spiel/abseil-cpp/absl/strings/escaping.h"
#include "open_spiel/abseil-cpp/absl/strings/numbers.h"
#include "open_spiel/abseil-cpp/absl/strings/str_cat.h"
#include "open_spiel/abseil-cpp/absl/strings/str_join.h"
#include "open_spiel/abseil-cpp/absl/strings/str_split.h"
#include "open_spiel/abseil-cpp/absl/strings/string_view.h"
#include "open_spiel/abseil-cpp/absl/strings/strip.h"
#include "open_spiel/abseil-cpp/absl/types/optional.h"
#include "open_spiel/abseil-cpp/absl/types/span.h"
#include "open_spiel/game_parameters.h"
#include "open_spiel/games/trictrac/trictrac_struct.h"
#include "open_spiel/json/include/nlohmann/json.hpp"
#include "open_spiel/observer.h"
#include "open_spiel/spiel.h"
#include "open_spiel/spiel_globals.h"
#include "open_spiel/spiel_utils.h"
#include "tablier/games/trictrac/trictrac.h"
#include "tablier/options.h"

namespace open_spiel {
namespace trictrac {
namespace {

using ::tablier::OptionKind;
using Engine = ::tablier::Trictrac;
using Position = TrictracState::Position;

constexpr absl::string_view kFeatures = "features";
constexpr absl::string_view kObservation = "observation";

// Serialized states begin with this line.
constexpr absl::string_view kFormat = "trictrac state, format 1";
constexpr absl::string_view kFormatName = "trictrac state, format ";

// The engine's defaults, except that White throws first and only the end of the
// game is rewarded, which is what OpenSpiel's search algorithms accept.
std::string DefaultChoice(const ::tablier::Option& option) {
  if (option.name == "first_throw") return "white";
  if (option.name == "utility") return "win";
  return std::string(option.choices[option.default_value]);
}

GameParameters ParameterSpecification() {
  GameParameters parameters = {
      {"max_turns", GameParameter(kDefaultMaxTurns)},
      {"observation", GameParameter(std::string(kFeatures))}};
  for (const ::tablier::Option& option : Engine::facts.options) {
    GameParameter& parameter = parameters[std::string(option.name)];
    switch (option.kind) {
      case OptionKind::kInteger:
        parameter = GameParameter(static_cast<int>(option.default_value));
        break;
      case OptionKind::kFlag:
        parameter = GameParameter(option.default_value != 0);
        break;
      case OptionKind::kChoice:
        parameter = GameParameter(DefaultChoice(option));
        break;
    }
  }
  return parameters;
}

// Facts about the game.
const GameType kGameType{/*short_name=*/"trictrac",
                         /*long_name=*/"Trictrac",
                         GameType::Dynamics::kSequential,
                         GameType::ChanceMode::kExplicitStochastic,
                         GameType::Information::kPerfectInformation,
                         GameType::Utility::kZeroSum,
                         GameType::RewardModel::kTerminal,
                         /*max_num_players=*/kNumPlayers,
                         /*min_num_players=*/kNumPlayers,
                         /*provides_information_state_string=*/false,
                         /*provides_information_state_tensor=*/false,
                         /*provides_observation_string=*/true,
                         /*provides_observation_tensor=*/true,
                         ParameterSpecification()};

std::shared_ptr<const Game> Factory(const GameParameters& params) {
  return std::make_shared<const TrictracGame>(params);
}

REGISTER_SPIEL_GAME(kGameType, Factory);

RegisterSingleTensorObserver single_tensor(kGameType.short_name);

// The type of a game under these parameters.
GameType TypeOf(const GameParameters& params) {
  GameType type = kGameType;
  const auto utility = params.find("utility");
  if (utility != params.end() && utility->second.has_string_value() &&
      utility->second.string_value() == "score") {
    type.utility = GameType::Utility::kGeneralSum;
    type.reward_model = GameType::RewardModel::kRewards;
  }
  return type;
}

// The value of an option from the text of a parameter.
std::int64_t OptionValue(const ::tablier::Option& option,
                         const std::string& text) {
  const std::optional<std::int64_t> value =
      ::tablier::parse_value(option, text);
  if (!value) {
    SpielFatalError(::tablier::wrong_value(Engine::facts, option, text).what());
  }
  return *value;
}

std::string PositionText(const Position& position) {
  char text[Engine::facts.string_buffer_size];
  Engine::to_string(position, text);
  return text;
}

std::string Hex(const Position& position) {
  return absl::BytesToHexString(absl::string_view(
      reinterpret_cast<const char*>(&position), sizeof(position)));
}

[[noreturn]] void RefuseSaved(absl::string_view reason) {
  SpielFatalError(absl::StrCat("trictrac: not a serialized state: ", reason));
}

}  // namespace

TrictracState::TrictracState(std::shared_ptr<const Game> game,
                             const Position& position, int turns_left)
    : State(std::move(game)), position_(position), turns_left_(turns_left) {}

const TrictracGame& TrictracState::game() const {
  return static_cast<const TrictracGame&>(*game_);
}

Player TrictracState::CurrentPlayer() const {
  return turns_left_ > 0 ? Engine::current_player(position_)
                         : kTerminalPlayerId;
}

bool TrictracState::IsTerminal() const {
  return turns_left_ <= 0 || ::tablier::trictrac::over(position_);
}

bool TrictracState::IsChanceNode() const {
  return CurrentPlayer() == kChancePlayerId;
}

std::vector<Action> TrictracState::LegalActions() const {
  if (IsTerminal()) return {};
  ::tablier::Action actions[Engine::kMaxActions];
  const int count = Engine::legal_actions(position_, actions);
  return std::vector<Action>(actions, actions + count);
}

ActionsAndProbs TrictracState::ChanceOutcomes() const {
  SPIEL_CHECK_TRUE(IsChanceNode());
  static const ActionsAndProbs* const outcomes = [] {
    auto* all = new ActionsAndProbs();
    for (int i = 0; i < kNumChanceOutcomes; ++i) {
      all->push_back({i, 1.0 / kNumChanceOutcomes});
    }
    return all;
  }();
  return *outcomes;
}

bool TrictracState::IsLegal(Action action) const {
  return !IsTerminal() && action >= 0 && action < Engine::kMaxActions &&
         Engine::is_legal(position_, static_cast<::tablier::Action>(action));
}

void TrictracState::Advance(Action action) {
  if (position_.stage != ::tablier::trictrac::Stage::kRollWaiting) {
    Engine::returns(position_, returns_before_.data());
    --turns_left_;
  }
  Engine::apply(position_, static_cast<::tablier::Action>(action));
}

void TrictracState::DoApplyAction(Action action) {
  if (!IsLegal(action)) {
    const absl::string_view stage =
        StageNames()[static_cast<int>(position_.stage)];
    SpielFatalError(
        IsTerminal()
            ? absl::StrCat("trictrac: action ", action,
                           " is refused: the game is over (stage ", stage, ")")
            : absl::StrCat("trictrac: action ", action,
                           " is not legal in stage ", stage,
                           "; legal: ", absl::StrJoin(LegalActions(), ", "),
                           "\n", ToString()));
  }
  Advance(action);
}

std::string TrictracState::ActionToString(Player player, Action action) const {
  if (player != kChancePlayerId && (player < 0 || player >= num_players_)) {
    SpielFatalError(absl::StrCat("trictrac: there is no player ", player));
  }
  const bool rolls = player == kChancePlayerId ||
                     Engine::current_player(position_) == kChancePlayerId;
  const int count = rolls ? kNumChanceOutcomes : game().NumDistinctActions();
  if (action < 0 || action >= count) {
    SpielFatalError(absl::StrCat("trictrac: there is no action ", action,
                                 " of player ", player,
                                 "; actions are from 0 to ", count - 1));
  }
  if (rolls) {
    const auto [d1, d2] =
        ::tablier::trictrac::throw_of(static_cast<int>(action));
    return absl::StrCat("dice ", d1, " ", d2);
  }
  char text[Engine::facts.string_buffer_size];
  Engine::action_to_string(position_, static_cast<::tablier::Action>(action),
                           text);
  return text;
}

std::string TrictracState::ToString() const {
  std::string text = PositionText(position_);
  if (turns_left_ <= 0) absl::StrAppend(&text, "\nstopped");
  return text;
}

std::vector<double> TrictracState::Returns() const {
  std::vector<double> returns(kNumPlayers);
  Engine::returns(position_, returns.data());
  return returns;
}

std::vector<double> TrictracState::Rewards() const {
  std::vector<double> rewards = Returns();
  for (int p = 0; p < kNumPlayers; ++p) rewards[p] -= returns_before_[p];
  return rewards;
}

std::string TrictracState::ObservationString(Player player) const {
  SPIEL_CHECK_GE(player, 0);
  SPIEL_CHECK_LT(player, num_players_);
  return PositionText(position_);
}

void TrictracState::ObservationTensor(Player player,
                                      absl::Span<float> values) const {
  SPIEL_CHECK_GE(player, 0);
  SPIEL_CHECK_LT(player, num_players_);
  SPIEL_CHECK_EQ(values.size(), game().ObservationTensorSize());
  if (game().shows_features()) {
    Engine::features(position_, player, values.data());
    return;
  }
  std::int8_t seen[::tablier::trictrac::kObservation];
  ::tablier::trictrac::observe(position_, player, seen);
  std::copy(std::begin(seen), std::end(seen), values.begin());
}

std::unique_ptr<State> TrictracState::Clone() const {
  return std::make_unique<TrictracState>(*this);
}

void TrictracState::UndoAction(Player player, Action action) {
  if (history_.empty() || !(history_.back() == PlayerAction{player, action})) {
    SpielFatalError(absl::StrCat("trictrac: action ", action, " of player ",
                                 player, " is not the last one"));
  }
  history_.pop_back();
  --move_number_;
  const auto start = game().Start(starting_state_str_);
  position_ = start->position_;
  turns_left_ = start->turns_left_;
  returns_before_ = start->returns_before_;
  for (const PlayerAction& past : history_) Advance(past.action);
}

std::string TrictracState::Serialize() const {
  return absl::StrCat(kFormat, "\nstart ", starting_state_str_, "\nhistory ",
                      absl::StrJoin(History(), " "), "\nposition ",
                      Hex(position_), "\n");
}

TrictracStructContents TrictracState::Contents() const {
  TrictracStructContents contents = ContentsOf(position_);
  contents.current_player = CurrentPlayer();
  contents.turns = game().MaxGameLength() - turns_left_;
  return contents;
}

std::unique_ptr<StateStruct> TrictracState::ToStruct() const {
  return std::make_unique<TrictracStateStruct>(nlohmann::json(Contents()));
}

std::unique_ptr<ObservationStruct> TrictracState::ToObservationStruct(
    Player player) const {
  SPIEL_CHECK_GE(player, 0);
  SPIEL_CHECK_LT(player, num_players_);
  return std::make_unique<TrictracObservationStruct>(
      nlohmann::json(Contents()));
}

std::unique_ptr<ActionStruct> TrictracState::ActionToStruct(
    Player player, Action action) const {
  auto action_struct = std::make_unique<TrictracActionStruct>();
  action_struct->text = ActionToString(player, action);
  return action_struct;
}

std::vector<Action> TrictracState::StructToActions(
    const ActionStruct& action_struct) const {
  return {StringToAction(
      SafeActionCast<TrictracActionStruct>(action_struct)->text)};
}

TrictracGame::TrictracGame(const GameParameters& params)
    : Game(TypeOf(params), params),
      max_turns_(ParameterValue<int>("max_turns")) {
  std::vector<std::int64_t> options;
  for (const ::tablier::Option& option : Engine::facts.options) {
    const std::string name(option.name);
    switch (option.kind) {
      case OptionKind::kInteger:
        options.push_back(
            OptionValue(option, absl::StrCat(ParameterValue<int>(name))));
        break;
      case OptionKind::kFlag:
        options.push_back(ParameterValue<bool>(name));
        break;
      case OptionKind::kChoice:
        options.push_back(
            OptionValue(option, ParameterValue<std::string>(name)));
        break;
    }
  }
  if (const auto problem = Engine::contradiction(options)) {
    SpielFatalError(::tablier::contradictory(Engine::facts, problem).what());
  }
  if (max_turns_ < 1) {
    SpielFatalError(absl::StrCat("trictrac: max_turns must be at least 1, not ",
                                 max_turns_));
  }
  if (max_turns_ > kMostMaxTurns) {
    SpielFatalError(absl::StrCat("trictrac: max_turns must be at most ",
                                 kMostMaxTurns, ", not ", max_turns_));
  }
  const std::string view = ParameterValue<std::string>("observation");
  if (view != kFeatures && view != kObservation) {
    SpielFatalError(absl::StrCat("trictrac: observation must be one of ",
                                 kFeatures, ", ", kObservation, ", not ",
                                 view));
  }
  shows_features_ = view == kFeatures;
  facts_ = Engine::describe(options);
  Engine::init(options, start_);
}

absl::optional<double> TrictracGame::UtilitySum() const {
  if (GetType().utility == GameType::Utility::kZeroSum) return 0;
  return absl::nullopt;
}

std::vector<int> TrictracGame::ObservationTensorShape() const {
  return {shows_features_ ? facts_.features.size() : facts_.observation.size()};
}

std::unique_ptr<State> TrictracGame::NewInitialState() const {
  return Start("");
}

std::unique_ptr<TrictracState> TrictracGame::Start(
    const std::string& starting_state) const {
  if (starting_state.empty()) {
    return std::make_unique<TrictracState>(shared_from_this(), start_,
                                           max_turns_);
  }
  try {
    return SetUp(nlohmann::json::parse(starting_state));
  } catch (const nlohmann::json::exception& error) {
    RefuseSetUp(error.what());
  }
}

std::unique_ptr<State> TrictracGame::NewInitialState(
    const std::string& str) const {
  return Start(str);
}

std::unique_ptr<State> TrictracGame::NewInitialState(
    const nlohmann::json& json) const {
  return SetUp(json);
}

std::unique_ptr<TrictracState> TrictracGame::SetUp(
    const nlohmann::json& json) const {
  const TrictracStructContents contents =
      ReadContents(json, Start("")->Contents());
  if (contents.turns < 0 || contents.turns > max_turns_) {
    RefuseSetUp(absl::StrCat("turns must be from 0 to ", max_turns_));
  }
  const Position position =
      PositionOf(contents, start_, /*due_is_known=*/json.contains("due"));
  auto state = std::make_unique<TrictracState>(shared_from_this(), position,
                                               max_turns_ - contents.turns);
  if (json.contains("current_player") &&
      contents.current_player != state->CurrentPlayer()) {
    RefuseSetUp(absl::StrCat("current_player of this position is ",
                             state->CurrentPlayer(), ", not ",
                             contents.current_player));
  }
  state->starting_state_str_ = state->ToJson();
  return state;
}

std::unique_ptr<State> TrictracGame::DeserializeState(
    const std::string& str) const {
  const std::vector<std::string> lines =
      absl::StrSplit(absl::StripSuffix(str, "\n"), '\n');
  if (lines[0] != kFormat) {
    absl::string_view version = lines[0];
    if (!absl::ConsumePrefix(&version, kFormatName)) {
      RefuseSaved(absl::StrCat("it does not begin with '", kFormat, "'"));
    }
    RefuseSaved(absl::StrCat("it has format ", version,
                             ", and this version reads only format 1"));
  }
  if (lines.size() != 4) RefuseSaved("it must have four lines");
  absl::string_view start = lines[1], history = lines[2], position = lines[3];
  if (!absl::ConsumePrefix(&start, "start") ||
      !absl::ConsumePrefix(&history, "history") ||
      !absl::ConsumePrefix(&position, "position ")) {
    RefuseSaved("its lines must be start, history and position");
  }
  auto state = Start(std::string(absl::StripPrefix(start, " ")));
  for (const absl::string_view word :
       absl::StrSplit(history, ' ', absl::SkipEmpty())) {
    Action action;
    if (!absl::SimpleAtoi(word, &action)) {
      RefuseSaved(absl::StrCat("'", word, "' is not an action"));
    }
    if (!state->IsLegal(action)) {
      RefuseSaved(absl::StrCat("action ", action, " at move ",
                               state->MoveNumber(),
                               " is not legal under these rules"));
    }
    state->ApplyAction(action);
  }
  if (position != Hex(state->position_)) {
    RefuseSaved(
        "its history leads to another position; it was saved with other "
        "parameters, or by a version with other rules");
  }
  return state;
}

}  // namespace trictrac
}  // namespace open_spiel
