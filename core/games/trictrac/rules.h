// The rule options of Trictrac (rules.md, 14), each declared once in kRuleRows. A new option needs a bit or a field in
// Rules, a row, and its text in the message catalogues.
#pragma once

#include <algorithm>

#include "../../option_rows.h"
#include "plays.h"

namespace tablier::trictrac {

enum class FirstThrow : std::uint8_t { kDraw, kFreshRoll, kWhite };
enum class StakeRule : std::uint8_t { kSingle, kDouble, kQuadruple };

// The options in force. Every state contains them, so that it is self-contained.
struct Rules {
  std::uint8_t holes_to_win;
  FirstThrow first_throw;
  BearingOff bearing_off;
  StakeRule stake_rule;
  std::uint16_t switches;  // bits of Switch

  bool operator==(const Rules&) const = default;
};

// Saved states contain these bits, so their meaning never changes.
enum Switch : std::uint16_t {
  kCarriesOver = 1 << 0,
  kRetiredFillWayRule = 1 << 1,  // may be set in states saved by earlier versions; has no effect
  kMezeasNextThrowOnly = 1 << 2,
  kPile = 1 << 3,
  kRencontre = 1 << 4,
  kMargotLaFendue = 1 << 5,
  kSwapColours = 1 << 6,
  kSchools = 1 << 7,
  kDoubleFillSchool = 1 << 8,
  kExplicitRoll = 1 << 9,
  kUtilityWin = 1 << 10,
  kMarkovFeatures = 1 << 11,
  kExpertFeatures = 1 << 13,  // only together with kMarkovFeatures
  kScoredGame = 1 << 12,      // no number of holes wins; a_ecrire.h has the account
};

inline constexpr std::string_view kFirstThrows[] = {"draw", "fresh_roll", "white"};
inline constexpr std::string_view kBearingOffs[] = {"paris", "by_default_only"};
inline constexpr std::string_view kStakeRules[] = {"single", "double", "quadruple"};
inline constexpr std::string_view kFillSchools[] = {"single", "double"};
inline constexpr std::string_view kUtilities[] = {"score", "win"};
inline constexpr std::string_view kEncodings[] = {"classic", "markov", "expert"};
inline constexpr std::string_view kEncodingDoc =
    "what features() returns: the classic values, all that affects the future (markov), the same from 0 to 1 "
    "(bounded), or also the prospects of the next throw (expert)";
static_assert(std::size(kFirstThrows) == static_cast<int>(FirstThrow::kWhite) + 1);
static_assert(std::size(kBearingOffs) == static_cast<int>(BearingOff::kByDefaultOnly) + 1);
static_assert(std::size(kStakeRules) == static_cast<int>(StakeRule::kQuadruple) + 1);

struct RuleRow {
  OptionRow<Rules> row;
  bool shared;  // whether the scored game has the option too
};

namespace detail {

template <Switch kBit>
consteval OptionRow<Rules> to_switch(Option option) {
  return to_bit<&Rules::switches, kBit>(option);
}
consteval OptionRow<Rules> to_encoding(Option option) {
  return {option,
          [](Rules& rules, std::int64_t value) {
            const int others = rules.switches & ~(kMarkovFeatures | kExpertFeatures);
            const int chosen = value == 2 ? kMarkovFeatures | kExpertFeatures : value == 1 ? kMarkovFeatures : 0;
            rules.switches = static_cast<std::uint16_t>(others | chosen);
          },
          [](const Rules& rules) -> std::int64_t {
            if (!(rules.switches & kMarkovFeatures)) return rules.switches & kExpertFeatures ? -1 : 0;
            return rules.switches & kExpertFeatures ? 2 : 1;
          }};
}
consteval RuleRow ordinary(OptionRow<Rules> row) { return {row, false}; }
consteval RuleRow shared(OptionRow<Rules> row) { return {row, true}; }

}  // namespace detail

inline constexpr auto kRuleRows = [] {
  using namespace detail;
  return std::array{
      ordinary(to_field<&Rules::holes_to_win>(
          {.name = "holes_to_win", .default_value = 12, .min = 1, .max = 100, .doc = "holes needed to win the game"})),
      shared(to_field<&Rules::first_throw>(
          choice("first_throw", kFirstThrows, "who starts; after a draw, the dice drawn are played or thrown again"))),
      shared(to_field<&Rules::bearing_off>(
          choice("bearing_off", kBearingOffs,
                 "exact numbers always bear off, or (old rule) only if unplayable on the board"))),
      shared(to_switch<kCarriesOver>(
          flag("last_throw_carries_over", "the throw that bears off the last man also starts the next setting"))),
      shared(to_switch<kMezeasNextThrowOnly>(
          flag("mezeas_next_throw_only", "mezeas scores only on the throw right after taking the corner"))),
      shared(to_switch<kPile>(flag("pile_de_misere", "all fifteen men on the corner score"))),
      shared(to_switch<kRencontre>(flag("jan_de_rencontre", "repeating the first throw of the game scores"))),
      shared(to_switch<kMargotLaFendue>(
          flag("margot_la_fendue", "landing between two single men scores for the opponent"))),
      ordinary(to_field<&Rules::stake_rule>(choice("stake_rule", kStakeRules, "value of a win"))),
      shared(to_switch<kSwapColours>(flag("swap_colours_on_exit", "the players swap colours after bearing off"))),
      shared(to_switch<kSchools>(
          flag("schools", "players mark their own points and can claim what the opponent marks wrongly"))),
      shared(
          to_switch<kDoubleFillSchool>(choice("fill_school", kFillSchools, "school for not filling or keeping a jan"))),
      shared(to_switch<kExplicitRoll>(flag("explicit_roll", "players throw the dice themselves"))),
      // These two affect the interface, not the game.
      ordinary(to_switch<kUtilityWin>(
          choice("utility", kUtilities,
                 "returns are the score (12 per hole, plus points), or the stake won or lost at the end"))),
      ordinary(to_encoding(choice("encoding", kEncodings, kEncodingDoc))),
  };
}();

// All rows, and those shared with the scored game.
inline constexpr auto kOrdinaryRows = [] {
  std::array<OptionRow<Rules>, kRuleRows.size()> rows;
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = kRuleRows[i].row;
  return rows;
}();
inline constexpr auto kSharedRows = [] {
  constexpr auto count = std::count_if(kRuleRows.begin(), kRuleRows.end(), [](const RuleRow& r) { return r.shared; });
  std::array<OptionRow<Rules>, count> rows;
  std::size_t next = 0;
  for (const RuleRow& rule : kRuleRows) {
    if (rule.shared) rows[next++] = rule.row;
  }
  return rows;
}();

inline constexpr std::string_view kForbiddenTests[] = {"material"};
inline constexpr std::string_view kFillWayRules[] = {"effective", "nominal"};
inline constexpr Option kRetiredOptions[] = {choice("forbidden_test", kForbiddenTests, ""),
                                             choice("fill_way_rule", kFillWayRules, "")};

// fill_school has no meaning without schools.
constexpr Contradiction rules_contradiction(const Rules& rules) {
  if (rules.switches & kDoubleFillSchool && !(rules.switches & kSchools)) {
    return {"fill_school_without_schools", "fill_school has no effect without schools"};
  }
  return {};
}

constexpr Rules without_retired(Rules rules) {
  rules.switches = static_cast<std::uint16_t>(rules.switches & ~kRetiredFillWayRule);
  return rules;
}

// All bits that options set.
inline constexpr std::uint16_t kKnownSwitches = [] {
  std::uint16_t known = kScoredGame | kRetiredFillWayRule;
  for (const auto& row : kOrdinaryRows) {
    Rules rules{};
    row.write(rules, row.option.largest());
    known = static_cast<std::uint16_t>(known | rules.switches);
  }
  return known;
}();

inline const char* invalid_rules(const Rules& rules) {
  if (rules.switches & ~kKnownSwitches) return "an option is unknown";
  return are_accepted(kOrdinaryRows, rules) ? nullptr : "an option has a value that it does not accept";
}

}  // namespace tablier::trictrac
