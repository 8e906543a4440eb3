// Whole turns: every position that a throw can lead to, with the one or two actions that lead there. A doublet is two
// actions of one turn; other programs, and books, see it as one play of four moves.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "backgammon.h"

namespace tablier::backgammon {

struct Turn {
  Core after;
  Action first, second;  // second is -1 if the turn has one action
};

// Lists the turns of a decision, one per resulting position, in ascending order of the actions. In the second half of a
// doublet these are the actions that are left.
inline void list_turns(const Core& state, std::vector<Turn>& out) {
  out.clear();
  Action firsts[kActions], seconds[kActions];
  const int count = Backgammon::legal_actions(state, firsts);
  for (int i = 0; i < count; ++i) {
    Core half = state;
    apply_play(half, firsts[i]);
    if (half.phase != Phase::kSecondHalf) {
      out.push_back({half, firsts[i], -1});
      continue;
    }
    const int more = Backgammon::legal_actions(half, seconds);
    for (int j = 0; j < more; ++j) {
      Core after = half;
      apply_play(after, seconds[j]);
      out.push_back({after, firsts[i], seconds[j]});
    }
  }
  if (state.phase != Phase::kMove || !doublet(state)) return;
  const auto order = [](const Turn& a, const Turn& b) { return std::memcmp(&a.after, &b.after, sizeof a.after); };
  std::stable_sort(out.begin(), out.end(), [&](const Turn& a, const Turn& b) { return order(a, b) < 0; });
  out.erase(std::unique(out.begin(), out.end(), [&](const Turn& a, const Turn& b) { return order(a, b) == 0; }),
            out.end());
  std::sort(out.begin(), out.end(),
            [](const Turn& a, const Turn& b) { return a.first != b.first ? a.first < b.first : a.second < b.second; });
}

// The men of the opponent and of the player to act, on points 1 .. 24 of their own numbering and on the bar. When the
// game is over, it would be the loser's turn. This is how GNU Backgammon writes a position.
inline constexpr int kSide = kBar;
inline void write_sides(const Core& state, std::uint8_t* out) {
  const int acts = state.phase == Phase::kOver ? 1 - state.player : state.player;
  for (int side = 0; side < 2; ++side) {
    const Men& men = state.men[side == 0 ? 1 - acts : acts];
    for (int place = 1; place <= kSide; ++place) *out++ = static_cast<std::uint8_t>(men.count(place));
  }
}

}  // namespace tablier::backgammon
