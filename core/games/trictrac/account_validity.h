// Which accounts of the scored game are possible. rules.md, 15. validity.h covers the board.
#pragma once

#include "account.h"
#include "throw_validity.h"

namespace tablier::trictrac {

// The number of played marqués in which a player rested.
inline int rested(const Account& account, int player) {
  if (players(account) == 2) return 0;
  return (account.played + 2 - (player + 1) % 3) / 3;  // the player sits out marqués m with m % 3 == (player + 1) % 3
}

// Checks the tokens of an account that is not settled.
inline const char* impossible_tokens(const Account& account) {
  const int tail = account.terms & kOneTail ? 1 : 2;
  std::int64_t sum = 0;
  for (int p = 0; p < players(account); ++p) {
    const std::int64_t tokens = account.tokens[p];
    sum += tokens;
    if (std::abs(tokens) > std::int64_t{account.played} * (2 * kMostPaid + tail))
      return "no player can have this many tokens";
    const int least = 3 * (account.played - rested(account, p)) + 2 * rested(account, p);
    if (account.lost[p] == 0 && tokens < least) return "a player who has lost no marqué was paid for each";
  }
  return sum == -tail * account.played ? nullptr : "the tokens are not those won, lost and put aside";
}

// Whether settling some account leads to this one. Tries all ways to share the tail and to pay the final tail.
inline bool follows_from_an_account(const Account& settled) {
  const int n = players(settled);
  const int nobody = n * n;
  for (int shared = 1; shared < 1 << n; ++shared) {
    for (int who = 0; who <= nobody; ++who) {
      // What settling adds, given who has the most tokens before the tail, and who the most and the fewest after it.
      Account added = settled;
      for (int p = 0; p < n; ++p) added.tokens[p] = (shared >> p) & 1;
      share_tail(added);
      for (int p = 0; p < n; ++p) added.tokens[p] -= (shared >> p) & 1;
      if (added.terms & kPaysBets) pay_bets(added);
      if (who < nobody) {
        if (who / n == who % n) continue;
        Account tail = settled;
        for (int p = 0; p < n; ++p) tail.tokens[p] = p == who / n ? 2 : p == who % n ? 0 : 1;
        const Account before = tail;
        pay_final_tail(tail);
        for (int p = 0; p < n; ++p) added.tokens[p] += tail.tokens[p] - before.tokens[p];
      }
      Account unsettled = settled;
      for (int p = 0; p < n; ++p) unsettled.tokens[p] -= added.tokens[p];
      if (impossible_tokens(unsettled)) continue;
      settle_account(unsettled);
      if (std::equal(settled.tokens, settled.tokens + n, unsettled.tokens)) return true;
    }
  }
  return false;
}

inline const char* invalid_account(const Account& account) {
  const bool encoded = account.terms & kBounded || !(account.terms & kCounting);
  if (account.first > 1 || !encoded) return "the terms are out of range";
  const int n = players(account);
  if (account.marques < 2 || account.marques > kMostMarques || account.marques % n != 0) {
    return "marques is out of range";
  }
  if (account.final_tail > kMostFinalTail) return "final_tail is out of range";
  int lost = 0;
  for (int p = 0; p < n; ++p) {
    lost += account.lost[p];
    if (account.lost[p] > account.played - rested(account, p)) return "a player has lost more marqués than they played";
  }
  if (account.played > account.marques || lost != account.played) return "the marqués do not add up";
  if (n == 2 && (account.tokens[2] != 0 || account.lost[2] != 0)) return "two players have a third account";
  for (const int zero : account.unused) {
    if (zero != 0) return "the account has entries that mean nothing";
  }
  if (account.played < account.marques) return impossible_tokens(account);
  for (const std::int32_t tokens : account.tokens) {
    if (std::abs(std::int64_t{tokens}) > kMostTokens) return "no player can have this many tokens";
  }
  if (account.refaits != 0) return "the game is over, but a void marqué is still to be replayed";
  return follows_from_an_account(account) ? nullptr : "the account is not settled as it is at the end";
}

// Whether it follows from the rules which seat began this marqué: White began the first, and seats take turns.
inline bool beginner_is_fixed(const Account& account, const Core& core) {
  const bool in_turn = !(account.terms & kWinnerBegins);
  return core.rules.first_throw == FirstThrow::kWhite && (in_turn || account.played == 0);
}

// Checks the account against the board.
inline const char* invalid_beginning(const Account& account, const Core& core) {
  if (on(core, kExpertFeatures) != ((account.terms & kCounting) != 0)) return "the board has another encoding";
  const bool in_turn = !(account.terms & kWinnerBegins), three = account.terms & kThree;
  const bool first_marque = account.played == 0;
  const int expected = in_turn && !three ? account.played % 2 : 0;
  if (beginner_is_fixed(account, core) && account.first != expected) return "the other player began this marqué";
  if (core.facts & kDrawing && (!first_marque || account.refaits != 0 || account.first != 0)) {
    return "the draw comes before everything else";
  }
  if (on(core, kRencontre) && !on(core, kSchools)) {
    const bool kept = core.rencontre != 0;
    const bool first_setting = first_marque && account.refaits == 0;
    if (kept ? !first_setting : first_setting && opening(core)) return "the first throw is kept only until the second";
    Core without = core;
    without.rules.switches &= static_cast<std::uint16_t>(~kRencontre);
    const bool moving = core.stage == Stage::kHoldOrGo || core.stage == Stage::kMove;
    if (!first_setting && moving && !gives_what_is_due(without, core.men[core.player]))
      return "the points due are not those of the throw";
  }
  const bool over = account.played == account.marques;
  const bool untouched = opening(core) && core.throws == 0 && !(core.facts & kDrawing);
  if (over && (!untouched || core.stage != (on(core, kExplicitRoll) ? Stage::kRollDice : Stage::kRollWaiting)))
    return "the game is over, but another marqué has started";
  // With schools a setting may also restart because the points for bearing off were not marked.
  if (untouched && core.player != account.first && (over || !on(core, kSchools)))
    return "the other player began this marqué";
  return nullptr;
}

}  // namespace tablier::trictrac
