// The account of the scored game: seats, the payment of a marqué, the settlement at the end. rules.md, 15.3 to 15.9.
//
// Seats are White 0 and Black 1, as everywhere; with three players the resting one has seat 2. Two players keep their
// seats. With three, marqué m (counted from 0) is played by player m % 3 as White and the next one as Black. In every
// three marqués each pair meets once, and each player is White once, Black once, and sits out once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "rules.h"

namespace tablier::trictrac {

enum Term : std::uint8_t {
  kLinear = 1 << 0,        // consolation 2, 4, 6, ... after refaits, instead of 2, 4, 8, ...
  kWinnerBegins = 1 << 1,  // the winner throws first in the next marqué, instead of the players in turn
  kProgressive = 1 << 2,   // bredouille doubles again every six holes
  kOneTail = 1 << 3,       // one token put aside for a lost marqué, instead of two
  kPaysBets = 1 << 4,      // 28 for the first marqué lost beyond half of one's marqués, 8 for each further one
  kThree = 1 << 5,         // three players
  kBounded = 1 << 6,       // all features are from 0 to 1 (account_codes.h)
  kCounting = 1 << 7,      // and they include those of expert.h; only together with kBounded
};

inline constexpr int kMostMarques = 240;
inline constexpr int kMostFinalTail = 10'000;
inline constexpr int kMostPaid = 20'000;        // to the winner of a marqué, and to the player who sits out
inline constexpr int kMostTokens = 10'000'000;  // more than 240 marqués can pay

struct Account {
  std::int32_t tokens[3];    // net tokens of each player; the tail is deducted until the end
  std::uint16_t final_tail;  // paid to the overall winner
  std::uint8_t lost[3];      // marqués lost, by player
  std::uint8_t played;       // marqués played, without void ones
  std::uint8_t marques;      // marqués to play
  std::uint8_t refaits;      // consecutive void marqués
  std::uint8_t first;        // the seat that threw first in this marqué
  std::uint8_t terms;        // bits of Term
  std::uint8_t unused[2];
};
static_assert(sizeof(Account) == 24 && std::has_unique_object_representations_v<Account>);

inline constexpr std::string_view kConsolations[] = {"doubling", "linear"};
inline constexpr std::string_view kBeginners[] = {"alternate", "winner"};
inline constexpr std::string_view kProgressions[] = {"2 and 4", "every six holes"};

inline constexpr std::string_view kScoredEncodings[] = {"markov", "bounded", "expert"};

consteval OptionRow<Account> to_scored_encoding(Option option) {
  return {option,
          [](Account& account, std::int64_t value) {
            const int others = account.terms & ~(kBounded | kCounting);
            const int chosen = value == 2 ? kBounded | kCounting : value == 1 ? kBounded : 0;
            account.terms = static_cast<std::uint8_t>(others | chosen);
          },
          [](const Account& account) -> std::int64_t {
            if (!(account.terms & kBounded)) return account.terms & kCounting ? -1 : 0;
            return account.terms & kCounting ? 2 : 1;
          }};
}

// The options of the account.
inline constexpr auto kAccountRows = std::array{
    to_field<&Account::marques>({.name = "marques",
                                 .default_value = 12,
                                 .min = 2,
                                 .max = kMostMarques,
                                 .doc = "marqués to play, an even number or, for three players, a multiple of 3"}),
    to_bit<&Account::terms, kLinear>(
        choice("refait_consolation", kConsolations, "how the consolation grows after void marqués")),
    to_bit<&Account::terms, kWinnerBegins>(
        choice("next_marque_first", kBeginners, "who throws first in the next marqué")),
    to_bit<&Account::terms, kProgressive>(
        choice("bredouille_progression", kProgressions, "how the bredouille multiplier grows")),
    to_bit<&Account::terms, kOneTail, 1, 2>({.name = "tail_tokens_per_loss",
                                             .default_value = 2,
                                             .min = 1,
                                             .max = 2,
                                             .doc = "tokens set aside for each lost marqué"}),
    to_bit<&Account::terms, kPaysBets>(flag(
        "bets", "28 for the first marqué lost beyond half of a player's marqués, 8 for each one after that", true)),
    to_field<&Account::final_tail>(
        {.name = "final_tail", .max = kMostFinalTail, .doc = "extra tokens for the overall winner"}),
    to_bit<&Account::terms, kThree, 3, 2>(
        {.name = "players",
         .default_value = 2,
         .min = 2,
         .max = 3,
         .doc = "two, or three, one of whom sits out each marqué and is paid the consolation"}),
    to_scored_encoding(choice("encoding", kScoredEncodings, kEncodingDoc)),
};

inline constexpr int kResting = 2;  // seat of the player who sits out

inline int players(const Account& account) { return account.terms & kThree ? 3 : 2; }
// Whether every function can compute with this account, possible or not.
inline bool bounded(const Account& account) {
  for (const std::int32_t tokens : account.tokens) {
    if (tokens < -kMostTokens || tokens > kMostTokens) return false;
  }
  return account.first <= 1 && account.terms < 2 * kThree && account.marques >= 2 && account.marques <= kMostMarques;
}
inline int player_at(const Account& account, int seat) {
  return account.terms & kThree ? (account.played + seat) % 3 : seat;
}
inline int seat_of(const Account& account, int player) {
  return account.terms & kThree ? (player + 3 - account.played % 3) % 3 : player;
}

// The factor of the payment to the winner of a marqué (rules.md, 15.4).
inline int grade(int holes, bool run, bool progressive) {
  if (!run || holes < 6) return 1;
  if (!progressive) return holes >= 12 ? 4 : 2;
  int k = 1;
  for (int h = holes; h >= 6 && k < 1 << 10; h -= 6) k *= 2;
  return k;
}

// Capped far beyond what anybody plays, so that tokens cannot overflow.
inline int consolation(int refaits, bool linear) {
  return std::min(linear ? 2 * (refaits + 1) : 2 << std::min(refaits, 16), kMostPaid);
}

// The payment of the loser of a marqué (rules.md, 15.5).
inline int payment(int winner_holes, int loser_holes, int k, int consolation) {
  return std::min(k * winner_holes + k * consolation - loser_holes, kMostPaid);
}

// The player with strictly the most tokens, or -1.
inline int leader(const Account& account) {
  const std::int32_t* end = account.tokens + players(account);
  const std::int32_t* most = std::max_element(account.tokens, end);
  return std::count(account.tokens, end, *most) == 1 ? static_cast<int>(most - account.tokens) : -1;
}

// The tail is shared by the players with the most tokens; a remainder goes to the first of them, token by token.
inline void share_tail(Account& account) {
  const int n = players(account);
  int tail = (account.terms & kOneTail ? 1 : 2) * account.played;
  const std::int32_t most = *std::max_element(account.tokens, account.tokens + n);
  bool ahead[3] = {};
  for (int p = 0; p < n; ++p) ahead[p] = account.tokens[p] == most;
  for (int p = 0; tail > 0; p = (p + 1) % n) {
    if (!ahead[p]) continue;
    ++account.tokens[p];
    --tail;
  }
}

// An equal share of the marqués is half of those a player takes part in. A player who loses more than this pays the
// others in equal parts.
inline void pay_bets(Account& account) {
  const int n = players(account);
  for (int p = 0; p < n; ++p) {
    const int beyond = account.lost[p] - account.marques / n;
    if (beyond <= 0) continue;
    const int bet = 28 + 8 * (beyond - 1);
    account.tokens[p] -= bet;
    for (int q = 0; q < n; ++q) account.tokens[q] += q == p ? 0 : bet / (n - 1);
  }
}

// The others pay the final tail. If it is odd, the one with fewer tokens (the later if equal) pays one more.
inline void pay_final_tail(Account& account) {
  const int n = players(account), first = leader(account);
  if (first < 0) return;
  int last = -1;
  for (int p = 0; p < n; ++p) {
    if (p != first && (last < 0 || account.tokens[p] <= account.tokens[last])) last = p;
  }
  const int half = n == 3 ? account.final_tail / 2 : 0;
  account.tokens[first] += account.final_tail;
  account.tokens[last] -= account.final_tail - half;
  if (n == 3) account.tokens[3 - first - last] -= half;
}

// Settles the account at the end: tail, bets, final tail (rules.md, 15.6 to 15.8). Afterwards it sums to zero.
inline void settle_account(Account& account) {
  share_tail(account);
  if (account.terms & kPaysBets) pay_bets(account);
  pay_final_tail(account);
}

// Ends a marqué with the holes of White and Black. `run` is whether the winner's holes are a run.
inline void close_marque(Account& account, const std::uint8_t* holes, bool run) {
  if (holes[0] == holes[1]) {
    if (account.refaits < 255) ++account.refaits;
    return;
  }
  const int seat = holes[0] > holes[1] ? 0 : 1;
  const int winner = player_at(account, seat), loser = player_at(account, 1 - seat);
  const int consoled = consolation(account.refaits, account.terms & kLinear);
  const int paid =
      payment(holes[seat], holes[1 - seat], grade(holes[seat], run, account.terms & kProgressive), consoled);
  account.tokens[winner] += paid;
  account.tokens[loser] -= paid + (account.terms & kOneTail ? 1 : 2);
  if (account.terms & kThree) {
    account.tokens[player_at(account, kResting)] += consoled;
    account.tokens[loser] -= consoled;
  }
  ++account.lost[loser];
  ++account.played;
  account.refaits = 0;
  // With three players White sits out next, Black becomes White, and the idle player becomes Black. Playing in turn
  // means that the same seat starts, which is then the next player. A winner who sits out cedes the first throw.
  const bool three = account.terms & kThree;
  const int in_turn = three ? account.first : 1 - account.first;
  account.first = static_cast<std::uint8_t>(account.terms & kWinnerBegins ? (three ? 1 - seat : seat) : in_turn);
  if (account.played == account.marques) settle_account(account);
}

}  // namespace tablier::trictrac
