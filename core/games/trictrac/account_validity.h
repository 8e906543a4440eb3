// Which accounts of the scored game can stand. rules.md, 15.
#pragma once

#include "account.h"
#include "throw_validity.h"

namespace tablier::trictrac {

// How many of the marqués that were played a player has rested in.
inline int rested(const Account& account, int player) {
  if (players(account) == 2) return 0;
  return (account.played + 2 - (player + 1) % 3) / 3;  // marqués m with m % 3 == (player + 1) % 3: then he is third
}

// The tokens before the end is settled.
inline const char* impossible_tokens(const Account& account) {
  const int tail = account.terms & kOneTail ? 1 : 2;
  std::int64_t sum = 0;
  for (int p = 0; p < players(account); ++p) {
    const std::int64_t tokens = account.tokens[p];
    sum += tokens;
    if (std::abs(tokens) > std::int64_t{account.played} * (2 * kMostPaid + tail))
      return "nobody can have so many tokens";
    const int least = 3 * (account.played - rested(account, p)) + 2 * rested(account, p);
    if (account.lost[p] == 0 && tokens < least) return "who has lost no marqué has been paid for each";
  }
  return sum == -tail * account.played ? nullptr : "the tokens are not those won, lost and put aside";
}

// Is there an account which, when it is settled, becomes this one? The tail goes to some of the players, the final tail
// to one from the others, or to nobody.
inline bool follows_from_an_account(const Account& settled) {
  const int n = players(settled);
  const int nobody = n * n;
  for (int shared = 1; shared < 1 << n; ++shared) {
    for (int who = 0; who <= nobody; ++who) {
      // What settling adds, if these have most before the tail, and then one has most and one least.
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
  if (account.first > 1 || account.terms >= 2 * kThree) return "the terms are out of range";
  const int n = players(account);
  if (account.marques < 2 || account.marques > kMostMarques || account.marques % n != 0) {
    return "marques is out of range";
  }
  if (account.final_tail > kMostFinalTail) return "final_tail is out of range";
  int lost = 0;
  for (int p = 0; p < n; ++p) {
    lost += account.lost[p];
    if (account.lost[p] > account.played - rested(account, p)) return "a player has lost more marqués than he played";
  }
  if (account.played > account.marques || lost != account.played) return "the marqués do not add up";
  if (n == 2 && (account.tokens[2] != 0 || account.lost[2] != 0)) return "two players have a third account";
  for (const int zero : account.unused) {
    if (zero != 0) return "the account has entries that mean nothing";
  }
  if (account.played < account.marques) return impossible_tokens(account);
  for (const std::int32_t tokens : account.tokens) {
    if (std::abs(std::int64_t{tokens}) > kMostTokens) return "nobody can have so many tokens";
  }
  if (account.refaits != 0) return "the game is over, and a void marqué is still to be played again";
  return follows_from_an_account(account) ? nullptr : "the account is not settled as it is at the end";
}

// Account and board together.
inline const char* invalid_beginning(const Account& account, const Core& core) {
  const bool white = core.rules.first_throw == FirstThrow::kWhite;
  const bool in_turn = !(account.terms & kWinnerBegins), three = account.terms & kThree;
  const bool first_marque = account.played == 0;
  const int expected = in_turn && !three ? account.played % 2 : 0;
  if (white && (in_turn || first_marque) && account.first != expected) return "the other player began this marqué";
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
    return "the game is over, and another marqué has begun";
  // With schools a setting may also begin anew because the points of bearing off were not marked.
  if (untouched && core.player != account.first && (over || !on(core, kSchools)))
    return "the other player began this marqué";
  return nullptr;
}

}  // namespace tablier::trictrac
