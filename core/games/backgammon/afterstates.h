// The states after every legal play of a decision, and the codes in which they differ, without making each state.
#pragma once

#include "codes.h"

namespace tablier::backgammon {

// The afterstates of one decision. The state near to all of them is that after moving no man.
class Moving {
 public:
  explicit Moving(const Core& before, bool plays_two)
      : mover_(before.player),
        high_(std::max(before.dice[0], before.dice[1])),
        low_(std::min(before.dice[0], before.dice[1])),
        blots_(Ground(before.men[1 - before.player]).blots),
        may_end_(before.men[before.player].total(~bit(kOff)) <= 2),
        before_(before),
        still_(before) {
    end_turn(still_, plays_two);
  }

  // The places that a man leaves and reaches in each of the two moves; to = from if there is no such move.
  struct Moves {
    int from[2], to[2];
  };
  Moves moves(int action) const {
    const Spelling play(action, mover_);
    const int first = std::max(play.first, 0), second = std::max(play.second, 0);
    return {{first, second},
            {play.first < 0 ? first : landing(first, play.low_first ? low_ : high_),
             play.second < 0 ? second : landing(second, play.low_first ? high_ : low_)}};
  }

  const Core& still() const { return still_; }

  Core after(int action) const {
    Core state = before_;
    apply_play(state, action);
    return state;
  }
  bool ends(int action) const { return may_end_ && after(action).phase == Phase::kOver; }

  // The first `count` codes of the mover that differ from those of still() (Afterstate in game.h). A man moves in one
  // step unless a man is hit.
  template <class Put>
  void recode(int action, int count, Put& put) const {
    const auto [from, to] = moves(action);
    const Mask landed = (from[0] != to[0] ? bit(to[0]) : 0) | (from[1] != to[1] ? bit(to[1]) : 0);
    const bool hits = blots_ & landed;
    if (!hits) {
      for (int i = 0; i < 2; ++i) {
        if (from[i] == to[i]) continue;
        const int less = i == 0 ? 0 : (from[1] == to[0]) - (from[1] == from[0]);
        const int more = i == 0 ? 0 : (to[1] == to[0]) - (to[1] == from[0]);
        put.step(code_of(from[i]), code_of(to[i]), less, more);
      }
      if (count <= kCodes) return;
    }
    const Core then = after(action);
    const Men &mine = then.men[mover_], &theirs = then.men[1 - mover_];
    if (hits) {
      for (Mask left = landed | bit(from[0]) | bit(from[1]); left != 0; left &= left - 1) {
        const int place = std::countr_zero(left);
        // A man may have hit on a point and gone on.
        put(code_of(place), mine.count(place));
      }
      put(kBarCode + 1, theirs.count(kBar));
    }
    if (count <= kCodes) return;
    std::uint8_t codes[kAllCodes - kLeadCode];
    write_men_codes(mine, theirs, codes);
    for (int i = kLeadCode; i < count; ++i) put(i, codes[i - kLeadCode]);
  }

 private:
  static int code_of(int place) {
    if (place == kBar) return kBarCode;
    return place == kOff ? static_cast<int>(kOffCode) : kPointCode + place - 1;
  }

  int mover_, high_, low_;
  Mask blots_;
  bool may_end_;
  const Core& before_;
  Core still_;
};

// One of several afterstates (Afterstate in game.h).
class AfterPlay {
 public:
  AfterPlay(const Moving& moving, int action) : moving_(moving), action_(action) {}

  const Core& state() const {
    if (!made_) state_ = moving_.after(action_), made_ = true;
    return state_;
  }
  const Core* near(int count) const { return count < kCodes || moving_.ends(action_) ? nullptr : &moving_.still(); }
  template <class Put>
  void recode(int count, Put& put) const {
    moving_.recode(action_, count, put);
  }

 private:
  const Moving& moving_;
  int action_;
  mutable Core state_;  // made when it is asked for
  mutable bool made_ = false;
};

}  // namespace tablier::backgammon
