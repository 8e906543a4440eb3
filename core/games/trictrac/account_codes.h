// The scored game as codes for networks in the core, and its features as a function of them: those of the board
// (codes.h), clipped, and those of the account. All are from 0 to 1.
//
// Codes of the account stand between those of the board and those of expert.h.
#pragma once

#include "account.h"
#include "codes.h"

namespace tablier::trictrac {

// Codes of the account, counted from the end of the board's. Players are the viewer, then the others in order; with
// two, the codes of a third are 0.
enum AccountCode : int {
  kPlayedCode,                 // marqués played / marques in steps of 1 / kProgress
  kLeftCode,                   // marqués left
  kRefaitsCode,                // consecutive void marqués
  kSeatsCode,                  // 2 * how far after the viewer the player sits who rests + whether the viewer began
  kLostCode,                   // three players: marqués lost; kProgress / 2 is an equal share
  kLeadCode = kLostCode + 3,   // tokens that the viewer is ahead of the next player, and of the one after; kEven: none
  kTallyCode = kLeadCode + 2,  // holes of the viewer and of the opponent, beyond twelve too
};
inline constexpr int kAccountCodes = kTallyCode + 2;
inline constexpr int kMostLeft = 24, kMostRefaits = 8, kEven = 128, kMostTally = 36;

inline constexpr int kScoredCodes = kCodes + kAccountCodes;  // without those of expert.h
inline constexpr int kAllScoredCodes = kAllCodes + kAccountCodes;

inline constexpr auto kScoredCodeSizes = [] {
  std::array<std::uint16_t, kAllScoredCodes> sizes{};
  for (std::size_t i = 0; i < kAllCodes; ++i) sizes[i < kCodes ? i : i + kAccountCodes] = kCodeSizes[i];
  std::uint16_t* account = sizes.data() + kCodes;
  account[kPlayedCode] = kProgress + 1;
  account[kLeftCode] = kMostLeft + 1;
  account[kRefaitsCode] = kMostRefaits + 1;
  account[kSeatsCode] = 6;
  for (int k = 0; k < 3; ++k) account[kLostCode + k] = kProgress + 1;
  for (int k = 0; k < 2; ++k) account[kLeadCode + k] = 256;
  for (int k = 0; k < 2; ++k) account[kTallyCode + k] = kMostTally + 1;
  return sizes;
}();

// The number of features of the account, for two players or for three.
constexpr int account_features(int players) { return 14 + 2 * players + 3 * (players - 1) + (players == 3 ? 3 : 0); }

// The player's place at the board. The one who sits out sees the board from White's side.
inline int view_from(const Account& account, int player) {
  const int seat = seat_of(account, player);
  return seat == kResting ? 0 : seat;
}

inline void write_account_codes(const Account& account, const Core& core, int player, std::uint8_t* out) {
  const auto put = [out](int code, int value, int most) {
    out[code] = static_cast<std::uint8_t>(std::clamp(value, 0, most));
  };
  const int n = players(account), seat = view_from(account, player), marques = std::max<int>(account.marques, 1);
  const auto share = [marques](int count, int whole) { return (whole * count + marques / 2) / marques; };
  std::fill_n(out, static_cast<int>(kAccountCodes), std::uint8_t{0});
  put(kPlayedCode, share(account.played, kProgress), kProgress);
  put(kLeftCode, marques - account.played, kMostLeft);
  put(kRefaitsCode, account.refaits, kMostRefaits);
  const int rests = n == 3 ? (player_at(account, kResting) - player + n) % n : 0;
  put(kSeatsCode, 2 * rests + (account.first == seat), 5);
  for (int k = 0; k < n; ++k) {
    const int who = (player + k) % n;
    put(kLostCode + k, share(account.lost[who], kProgress / 2 * n), kProgress);
    if (k > 0) put(kLeadCode + k - 1, kEven + account.tokens[player] - account.tokens[who], 255);
  }
  put(kTallyCode, core.holes[seat], kMostTally);
  put(kTallyCode + 1, core.holes[1 - seat], kMostTally);
}

// Writes the features of an account with these codes.
inline void decode_account(const std::uint8_t* codes, int players, float* out) {
  const auto share = [](int value, int most) {
    return static_cast<float>(std::clamp(value, 0, most)) / static_cast<float>(most);
  };
  *out++ = share(codes[kPlayedCode], kProgress);
  const int left = codes[kLeftCode], refaits = codes[kRefaitsCode];
  *out++ = left == 1;
  *out++ = left == 2;
  *out++ = share(left, 12);
  *out++ = refaits >= 1;
  *out++ = refaits >= 2;
  *out++ = share(refaits, kMostRefaits);
  *out++ = codes[kSeatsCode] & 1;
  for (int k = 0; k < 2; ++k) {
    const int holes = codes[kTallyCode + k];
    *out++ = share(holes, 6);
    *out++ = holes >= 6;  // whoever leaves ends the marqué
    *out++ = share(holes - 12, kMostTally - 12);
  }
  for (int k = 0; k < players; ++k) {
    *out++ = share(codes[kLostCode + k], kProgress);
    *out++ = codes[kLostCode + k] > kProgress / 2;  // pays bets
  }
  for (int k = 0; k < players - 1; ++k) {
    const int lead = codes[kLeadCode + k];
    *out++ = share(lead, 255);
    *out++ = lead > kEven;
    *out++ = lead < kEven;
  }
  if (players == 2) return;
  for (int k = 0; k < 3; ++k) *out++ = codes[kSeatsCode] / 2 == k;
}

// Writes at least the first `count` codes. There is room for all.
inline void write_scored_codes(const Core& core, const Account& account, int player, int count, std::uint8_t* out) {
  const int seat = view_from(account, player);
  write_codes(core, seat, kCodes, out);
  write_account_codes(account, core, player, out + kCodes);
  if (count > kScoredCodes) write_expert_codes(core, seat, out + kScoredCodes);
}

inline void clip_features(float* features, int count) {
  for (int i = 0; i < count; ++i) features[i] = std::clamp(features[i], 0.0f, 1.0f);
}

// The features of a position with these codes; `board` is how many of them the board has.
inline void decode_scored(const std::uint8_t* codes, int board, int players, float* out) {
  std::uint8_t of_board[kAllCodes];
  std::copy_n(codes, static_cast<int>(kCodes), of_board);
  if (board == kExpert) std::copy_n(codes + kScoredCodes, 2 * kExpertCodes, of_board + kCodes);
  decode_features(of_board, board, out);
  clip_features(out, board);
  decode_account(codes + kCodes, players, out + board);
}

}  // namespace tablier::trictrac
