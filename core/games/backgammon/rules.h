// The options of backgammon, each declared once in kRuleRows.
#pragma once

#include "../../option_rows.h"

namespace tablier::backgammon {

enum class Scoring : std::uint8_t { kFull, kGammons, kWinLoss };
enum class Start : std::uint8_t { kStandard, kNackgammon, kHyper, kLong };
enum class Encoding : std::uint8_t { kClassic, kExpert };

// The options in force. Every state contains them, so that it is self-contained.
struct Rules {
  Scoring scoring;
  Start start;
  Encoding encoding;

  bool operator==(const Rules&) const = default;
};

inline constexpr std::string_view kScorings[] = {"full", "gammons", "win_loss"};
inline constexpr std::string_view kStarts[] = {"standard", "nackgammon", "hyper", "long"};
inline constexpr std::string_view kEncodings[] = {"classic", "expert"};

inline constexpr auto kRuleRows = std::array{
    to_field<&Rules::scoring>(
        choice("scoring", kScorings, "a win counts 1, a gammon 2, a backgammon 3; or gammons only; or 1 for any win")),
    to_field<&Rules::start>(choice("start", kStarts,
                                   "where the men start: the usual position, nackgammon, hypergammon (three men), or "
                                   "longgammon (all on the 24 point)")),
    // This one affects the interface, not the game.
    to_field<&Rules::encoding>(choice("encoding", kEncodings,
                                      "features() returns the 198 values of TD-Gammon, or more, with the dice and what "
                                      "an experienced player counts")),
};

// What the largest win counts.
constexpr int most_points(Scoring scoring) {
  return scoring == Scoring::kFull ? 3 : scoring == Scoring::kGammons ? 2 : 1;
}

}  // namespace tablier::backgammon
