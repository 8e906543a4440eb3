// The scored game (partie à écrire): an agreed number of marqués, paid in tokens. rules.md, 15.
//
// Board, points and holes are those of the ordinary game; only its end differs. A marqué ends when a player leaves and
// somebody has six holes or more. Equal holes make it void (refait), to be played again for a larger consolation.
#pragma once

#include "trictrac.h"

namespace tablier {

namespace trictrac {

enum Term : std::uint8_t {
  kLinear = 1 << 0,        // consolation 2, 4, 6, ... after refaits, instead of 2, 4, 8, ...
  kWinnerBegins = 1 << 1,  // the winner throws first in the next marqué, instead of the players in turn
  kProgressive = 1 << 2,   // bredouille goes on doubling every six holes
  kOneTail = 1 << 3,       // one token aside for a lost marqué, instead of two
  kPaysBets = 1 << 4,      // 28 for the first marqué lost beyond half, 8 for each further one
};

struct Account {
  std::int32_t tokens[2];    // what each has won and lost, the tail put aside not counted back
  std::uint16_t lost[2];     // marqués
  std::uint16_t played;      // marqués, without the void ones
  std::uint16_t final_tail;  // agreed amount for the overall winner
  std::uint8_t refaits;      // in a row
  std::uint8_t first;        // who threw first in this marqué
  std::uint8_t terms;        // of Term
  std::uint8_t unused[5];
};
static_assert(sizeof(Account) == 24 && std::has_unique_object_representations_v<Account>);

// How many times over the winner of a marqué is paid (rules.md, 15.4).
inline int grade(int holes, bool run, bool progressive) {
  if (!run || holes < 6) return 1;
  if (!progressive) return holes >= 12 ? 4 : 2;
  int k = 1;
  for (int h = holes; h >= 6 && k < 1 << 10; h -= 6) k *= 2;
  return k;
}

inline int consolation(int refaits, bool linear) { return linear ? 2 * (refaits + 1) : 2 << std::min(refaits, 16); }

// rules.md, 15.5: what the loser of a marqué pays.
inline int payment(int winner_holes, int loser_holes, int k, int consolation) {
  return k * winner_holes + k * consolation - loser_holes;
}

// The account at the end: the tail, the bets, the final tail (rules.md, 15.6 to 15.8).
inline void settle_account(Account& account, int marques) {
  const int tail = (account.terms & kOneTail ? 1 : 2) * (account.lost[0] + account.lost[1]);
  int ahead = account.tokens[0] == account.tokens[1] ? -1 : account.tokens[0] > account.tokens[1] ? 0 : 1;
  if (ahead < 0) {
    account.tokens[0] += tail / 2;
    account.tokens[1] += tail - tail / 2;
  } else {
    account.tokens[ahead] += tail;
  }
  if (account.terms & kPaysBets) {
    for (int p = 0; p < 2; ++p) {
      const int beyond = account.lost[p] - marques / 2;
      if (beyond <= 0) continue;
      const int bet = 28 + 8 * (beyond - 1);
      account.tokens[p] -= bet;
      account.tokens[1 - p] += bet;
    }
  }
  ahead = account.tokens[0] == account.tokens[1] ? -1 : account.tokens[0] > account.tokens[1] ? 0 : 1;
  if (ahead >= 0) {
    account.tokens[ahead] += account.final_tail;
    account.tokens[1 - ahead] -= account.final_tail;
  }
}

}  // namespace trictrac

struct TrictracAEcrire {
  struct State {
    trictrac::Core core;
    trictrac::Account account;
  };

  static constexpr std::string_view kConsolations[] = {"doubling", "linear"};
  static constexpr std::string_view kBeginners[] = {"alternate", "winner"};
  static constexpr std::string_view kProgressions[] = {"2 and 4", "every six holes"};

  enum OptionIndex {
    kMarques,
    kRefaitConsolation,
    kNextMarqueFirst,
    kBredouilleProgression,
    kTailTokensPerLoss,
    kBets,
    kFinalTail,
    kFirstOfBoard  // from here on as in the ordinary game
  };
  static constexpr Option kOptions[] = {
      {.name = "marques", .default_value = 12, .min = 2, .max = 240, .doc = "marqués to play, an even number"},
      trictrac::choice("refait_consolation", kConsolations, "how the consolation grows after void marqués"),
      trictrac::choice("next_marque_first", kBeginners, "who throws first in the next marqué"),
      trictrac::choice("bredouille_progression", kProgressions, "how often bredouille doubles"),
      {.name = "tail_tokens_per_loss", .default_value = 2, .min = 1, .max = 2, .doc = "tokens aside for a lost marqué"},
      {.name = "bets",
       .kind = OptionKind::kFlag,
       .default_value = 1,
       .max = 1,
       .doc = "28 for the first marqué lost beyond half, 8 for each further one"},
      {.name = "final_tail", .max = 10'000, .doc = "tokens that the overall winner gets on top"},
      Trictrac::kOptions[Trictrac::kFirstThrow],
      Trictrac::kOptions[Trictrac::kForbiddenTest],
      Trictrac::kOptions[Trictrac::kBearingOff],
      Trictrac::kOptions[Trictrac::kLastThrowCarriesOver],
      Trictrac::kOptions[Trictrac::kFillWayRule],
      Trictrac::kOptions[Trictrac::kMezeasNext],
      Trictrac::kOptions[Trictrac::kPileDeMisere],
      Trictrac::kOptions[Trictrac::kJanDeRencontre],
      Trictrac::kOptions[Trictrac::kMargot],
      Trictrac::kOptions[Trictrac::kSwapColoursOnExit],
      Trictrac::kOptions[Trictrac::kExplicitRollOption],
  };
  static constexpr int kBoardOptions[] = {
      Trictrac::kFirstThrow,           Trictrac::kForbiddenTest,      Trictrac::kBearingOff,
      Trictrac::kLastThrowCarriesOver, Trictrac::kFillWayRule,        Trictrac::kMezeasNext,
      Trictrac::kPileDeMisere,         Trictrac::kJanDeRencontre,     Trictrac::kMargot,
      Trictrac::kSwapColoursOnExit,    Trictrac::kExplicitRollOption,
  };

  static constexpr int kObservation = trictrac::kObservation + 4;
  static constexpr int kFeatures = trictrac::kMarkov + 7;

  static constexpr Facts facts{
      .name = "trictrac_a_ecrire",
      .title = "Trictrac à écrire",
      .help =
          "The scored game: an agreed number of marqués, each a game of Trictrac that ends when a player leaves\n"
          "after a hole and somebody has six holes or more. The loser pays in tokens: the winner's holes, twice or\n"
          "four times in bredouille, and a consolation, less his own holes. Equal holes are played again.\n"
          "Actions and chance outcomes are those of trictrac; the returns are the tokens won and lost.",
      .num_actions = trictrac::kMoveActions,
      .max_chance_outcomes = 36,
      .min_utility = -1e7,
      .max_utility = 1e7,
      .utility = Utility::kGeneralSum,
      .reward_model = RewardModel::kEveryStep,
      .observation = {1, {kObservation}},
      .observation_is_signed = true,
      .features = {1, {kFeatures}},
      .observation_colour = 24,
      .features_colour = 194,
      .string_buffer_size = 2560,
      .options = kOptions,
  };
  static constexpr int kMaxActions = Trictrac::kMaxActions;

  static Facts describe(std::span<const std::int64_t>) { return facts; }
  static const char* contradiction(std::span<const std::int64_t> options) {
    return options[kMarques] % 2 ? "marques must be even, for two players" : nullptr;
  }

  static void init(std::span<const std::int64_t> options, State& state) {
    using namespace trictrac;
    std::int64_t board[Trictrac::kOptionCount];
    for (int i = 0; i < Trictrac::kOptionCount; ++i) board[i] = Trictrac::kOptions[i].default_value;
    for (std::size_t i = 0; i < std::size(kBoardOptions); ++i) board[kBoardOptions[i]] = options[kFirstOfBoard + i];
    board[Trictrac::kEncoding] = 1;
    Rules rules = Trictrac::rules(board);
    rules.marques = static_cast<std::uint16_t>(options[kMarques]);
    state = {};
    start_game(state.core, rules);
    Account& account = state.account;
    account.final_tail = static_cast<std::uint16_t>(options[kFinalTail]);
    account.terms = static_cast<std::uint8_t>(
        (options[kRefaitConsolation] ? kLinear : 0) | (options[kNextMarqueFirst] ? kWinnerBegins : 0) |
        (options[kBredouilleProgression] ? kProgressive : 0) | (options[kTailTokensPerLoss] == 1 ? kOneTail : 0) |
        (options[kBets] ? kPaysBets : 0));
  }

  static bool finished(const State& state) { return state.account.played == state.core.rules.marques; }

  static int current_player(const State& state) {
    return finished(state) ? kTerminal : Trictrac::current_player(state.core);
  }
  static int legal_actions(const State& state, Action* out) {
    return finished(state) ? 0 : Trictrac::legal_actions(state.core, out);
  }
  static bool is_legal(const State& state, Action action) {
    return !finished(state) && Trictrac::is_legal(state.core, action);
  }

  static void apply(State& state, Action action) {
    using namespace trictrac;
    Core& core = state.core;
    const bool leaves = core.stage == Stage::kHoldOrGo && action == kGo;
    if (leaves && std::max(core.holes[0], core.holes[1]) >= 6) return end_marque(state);
    const bool drawing = core.facts & kDrawing;
    Trictrac::apply(core, action);
    if (drawing && !(core.facts & kDrawing)) state.account.first = core.player;
  }

  static void returns(const State& state, double* out) {
    for (int p = 0; p < 2; ++p) out[p] = state.account.tokens[p];
  }

  static void observation(const State& state, int player, std::uint8_t* out) {
    Trictrac::observation(state.core, player, out);
    const auto& account = state.account;
    const int extra[4] = {account.played, account.refaits, account.lost[player], account.lost[1 - player]};
    for (int i = 0; i < 4; ++i) out[trictrac::kObservation + i] = static_cast<std::uint8_t>(std::min(extra[i], 127));
  }

  static void features(const State& state, int player, float* out) {
    trictrac::features(state.core, player, out);
    out += trictrac::kMarkov;
    const auto& account = state.account;
    const float marques = state.core.rules.marques;
    *out++ = static_cast<float>(account.played) / marques;
    *out++ = static_cast<float>(account.refaits) / 4;
    *out++ = account.first == player;
    *out++ = static_cast<float>(account.lost[player]) / marques;
    *out++ = static_cast<float>(account.lost[1 - player]) / marques;
    *out++ = static_cast<float>(account.tokens[player]) / 100;
    *out++ = static_cast<float>(account.tokens[1 - player]) / 100;
  }

  static void to_string(const State& state, char* out) {
    Trictrac::to_string(state.core, out);
    const auto& account = state.account;
    const int used = static_cast<int>(std::strlen(out));
    trictrac::Writer write(out + used, facts.string_buffer_size - used);
    write.put("\nmarqué %d of %d, refaits %d, %s began; White %d tokens, %d lost; Black %d tokens, %d lost%s",
              std::min(account.played + 1, static_cast<int>(state.core.rules.marques)),
              static_cast<int>(state.core.rules.marques), account.refaits, account.first ? "Black" : "White",
              account.tokens[0], account.lost[0], account.tokens[1], account.lost[1],
              finished(state) ? "; the game is over" : "");
  }

  static void action_to_string(const State& state, Action action, char* out) {
    Trictrac::action_to_string(state.core, action, out);
  }

  static const char* invalid(const State& state) {
    const auto& account = state.account;
    if (state.core.rules.marques < 2 || state.core.rules.marques > 240) return "marques is out of range";
    if (account.played > state.core.rules.marques || account.lost[0] + account.lost[1] != account.played) {
      return "the marqués do not add up";
    }
    if (account.first > 1 || account.terms >= 32) return "the terms are out of range";
    for (const int zero : account.unused) {
      if (zero != 0) return "the account has entries that mean nothing";
    }
    return trictrac::invalid(state.core);
  }

  static bool same_rules(const State& a, const State& b) {
    return a.core.rules == b.core.rules && a.account.terms == b.account.terms &&
           a.account.final_tail == b.account.final_tail;
  }

  static bool mirror(State& state) {
    if (!trictrac::mirror(state.core)) return false;
    std::swap(state.account.tokens[0], state.account.tokens[1]);
    std::swap(state.account.lost[0], state.account.lost[1]);
    state.account.first ^= 1;
    return true;
  }

 private:
  static void end_marque(State& state) {
    using namespace trictrac;
    Core& core = state.core;
    Account& account = state.account;
    if (core.holes[0] == core.holes[1]) {
      if (account.refaits < 255) ++account.refaits;
    } else {
      const int w = core.holes[0] > core.holes[1] ? 0 : 1, loser = 1 - w;
      const int k = grade(core.holes[w], has(core.runs, kHolesRun, w), account.terms & kProgressive);
      const int paid =
          payment(core.holes[w], core.holes[loser], k, consolation(account.refaits, account.terms & kLinear));
      account.tokens[w] += paid;
      account.tokens[loser] -= paid + (account.terms & kOneTail ? 1 : 2);
      ++account.lost[loser];
      ++account.played;
      account.refaits = 0;
      account.first = static_cast<std::uint8_t>(account.terms & kWinnerBegins ? w : 1 - account.first);
      if (account.played == core.rules.marques) settle_account(account, core.rules.marques);
    }
    core.points[0] = core.points[1] = core.holes[0] = core.holes[1] = core.runs = 0;
    new_setting(core, account.first);
    await_roll(core);
  }
};

}  // namespace tablier

TABLIER_GAME(tablier::TrictracAEcrire);
