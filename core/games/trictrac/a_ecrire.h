// The scored game (partie à écrire): an agreed number of marqués, paid in tokens. rules.md, 15.
//
// Board, points and holes are those of the ordinary game; only its end differs. A marqué ends when a player leaves and
// somebody has six holes or more. Equal holes make it void (refait), to be played again for a larger consolation.
#pragma once

#include "account_validity.h"
#include "trictrac.h"

namespace tablier {

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
    kFirstOfBoard,  // from here on as in the ordinary game
    kWithSchools = kFirstOfBoard + 11,
    kFillSchool,
    kPlayers,
    kOptionCount
  };
  static constexpr Option kOptions[] = {
      {.name = "marques",
       .default_value = 12,
       .min = 2,
       .max = trictrac::kMostMarques,
       .doc = "marqués to play: an even number, of three players a multiple of 3"},
      trictrac::choice("refait_consolation", kConsolations, "how the consolation grows after void marqués"),
      trictrac::choice("next_marque_first", kBeginners, "who throws first in the next marqué"),
      trictrac::choice("bredouille_progression", kProgressions, "how often bredouille doubles"),
      {.name = "tail_tokens_per_loss", .default_value = 2, .min = 1, .max = 2, .doc = "tokens aside for a lost marqué"},
      {.name = "bets",
       .kind = OptionKind::kFlag,
       .default_value = 1,
       .max = 1,
       .doc = "28 for the first marqué lost beyond half of those one plays, 8 for each further one"},
      {.name = "final_tail", .max = trictrac::kMostFinalTail, .doc = "tokens that the overall winner gets on top"},
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
      Trictrac::kOptions[Trictrac::kWithSchools],
      Trictrac::kOptions[Trictrac::kFillSchool],
      {.name = "players",
       .default_value = 2,
       .min = 2,
       .max = 3,
       .doc = "two, or three of whom one rests in each marqué and is paid the consolation"},
  };
  static_assert(std::size(kOptions) == kOptionCount);
  static constexpr int kBoardOptions[] = {
      Trictrac::kFirstThrow,           Trictrac::kForbiddenTest,      Trictrac::kBearingOff,
      Trictrac::kLastThrowCarriesOver, Trictrac::kFillWayRule,        Trictrac::kMezeasNext,
      Trictrac::kPileDeMisere,         Trictrac::kJanDeRencontre,     Trictrac::kMargot,
      Trictrac::kSwapColoursOnExit,    Trictrac::kExplicitRollOption, Trictrac::kWithSchools,
      Trictrac::kFillSchool,
  };
  static_assert(kFirstOfBoard + std::size(kBoardOptions) == kPlayers);

  // What follows the board: for two players, and for three.
  static constexpr int kObservation = trictrac::kObservation + 4, kObservationOfThree = trictrac::kObservation + 6;
  static constexpr int kFeatures = trictrac::kMarkov + 7, kFeaturesOfThree = trictrac::kMarkov + 12;

  static constexpr Facts facts{
      .name = "trictrac_a_ecrire",
      .title = "Trictrac à écrire",
      .help =
          "The scored game: an agreed number of marqués, each a game of Trictrac that ends when a player leaves\n"
          "after a hole and somebody has six holes or more. The loser pays in tokens: the winner's holes, twice or\n"
          "four times in bredouille, and a consolation, less his own holes. Equal holes are played again.\n"
          "Actions and chance outcomes are those of trictrac; the returns are the tokens won and lost.",
      .num_actions = trictrac::kMoveActions,
      .max_chance_outcomes = trictrac::kThrowCount,
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
  static constexpr int kSeats = 3;

  static Facts describe(std::span<const std::int64_t> options) {
    Facts result = facts;
    if (options[kWithSchools]) result.num_actions = trictrac::kSchoolActions;
    if (options[kPlayers] == 3) {
      result.num_players = 3;
      result.observation.dims[0] = kObservationOfThree;
      result.features.dims[0] = kFeaturesOfThree;
    }
    return result;
  }
  static const char* contradiction(std::span<const std::int64_t> options) {
    if (options[kFillSchool] && !options[kWithSchools]) return "fill_school says nothing without schools";
    if (options[kPlayers] == 2 && options[kMarques] % 2) return "marques must be even, for two players";
    if (options[kPlayers] == 3 && options[kMarques] % 3) return "marques must be a multiple of 3, for three players";
    return nullptr;
  }

  static void init(std::span<const std::int64_t> options, State& state) {
    using namespace trictrac;
    std::int64_t board[Trictrac::kOptionCount];
    for (int i = 0; i < Trictrac::kOptionCount; ++i) board[i] = Trictrac::kOptions[i].default_value;
    for (std::size_t i = 0; i < std::size(kBoardOptions); ++i) board[kBoardOptions[i]] = options[kFirstOfBoard + i];
    board[Trictrac::kEncoding] = 1;
    Rules rules = Trictrac::rules(board);
    rules.switches |= kScoredGame;
    state = {};
    start_game(state.core, rules);
    Account& account = state.account;
    account.marques = static_cast<std::uint8_t>(options[kMarques]);
    account.final_tail = static_cast<std::uint16_t>(options[kFinalTail]);
    account.terms = static_cast<std::uint8_t>(
        (options[kRefaitConsolation] ? kLinear : 0) | (options[kNextMarqueFirst] ? kWinnerBegins : 0) |
        (options[kBredouilleProgression] ? kProgressive : 0) | (options[kTailTokensPerLoss] == 1 ? kOneTail : 0) |
        (options[kBets] ? kPaysBets : 0) | (options[kPlayers] == 3 ? kThree : 0));
  }

  static bool finished(const State& state) { return state.account.played == state.account.marques; }

  static int current_player(const State& state) {
    if (finished(state)) return kTerminal;
    const int seat = Trictrac::current_player(state.core);
    return seat < 0 ? seat : trictrac::player_at(state.account, seat);
  }
  static int legal_actions(const State& state, Action* out) {
    return finished(state) ? 0 : Trictrac::legal_actions(state.core, out);
  }
  static bool is_legal(const State& state, Action action) {
    return !finished(state) && Trictrac::is_legal(state.core, action);
  }

  // A marqué ends with leaving, and with schools when what may be claimed against it has been.
  static void apply(State& state, Action action) {
    using namespace trictrac;
    Core& core = state.core;
    const bool leaving =
        on(core, kSchools) ? core.school == School::kClaimAfterGo : core.stage == Stage::kHoldOrGo && action == kGo;
    const bool drawing = core.facts & kDrawing;
    Trictrac::apply(core, action);
    if (drawing && !(core.facts & kDrawing)) state.account.first = core.player;
    const bool left = leaving && core.stage <= Stage::kRollDice;
    if (left && std::max(core.holes[0], core.holes[1]) >= 6) end_marque(state);
  }

  static void returns(const State& state, double* out) {
    for (int p = 0; p < trictrac::players(state.account); ++p) out[p] = state.account.tokens[p];
  }

  // Who rests sees the board from White's side.
  static int view_from(const trictrac::Account& account, int player) {
    const int seat = trictrac::seat_of(account, player);
    return seat == trictrac::kResting ? 0 : seat;
  }

  static int chance_classes(const State& state, Action* outcomes, int* weights) {
    return Trictrac::chance_classes(state.core, outcomes, weights);
  }
  static void canonical(State& state) { Trictrac::canonical(state.core); }

  // The account by players, the asking one first, the others in their order after him.
  static void observation(const State& state, int player, std::uint8_t* out) {
    const auto& account = state.account;
    Trictrac::observation(state.core, view_from(account, player), out);
    out += trictrac::kObservation;
    const auto put = [&out](int value) { *out++ = static_cast<std::uint8_t>(std::min(value, 127)); };
    const int n = trictrac::players(account);
    put(account.played);
    put(account.refaits);
    for (int k = 0; k < n; ++k) put(account.lost[(player + k) % n]);
    if (n == 3) put((trictrac::player_at(account, trictrac::kResting) - player + n) % n);
  }

  static void features(const State& state, int player, float* out) {
    const auto& account = state.account;
    const int n = trictrac::players(account), seat = view_from(account, player);
    trictrac::features(state.core, seat, out);
    out += trictrac::kMarkov;
    const float marques = account.marques;
    *out++ = static_cast<float>(account.played) / marques;
    *out++ = static_cast<float>(account.refaits) / 4;
    *out++ = account.first == seat;
    for (int k = 0; k < n; ++k) *out++ = static_cast<float>(account.lost[(player + k) % n]) / marques;
    for (int k = 0; k < n; ++k) *out++ = static_cast<float>(account.tokens[(player + k) % n]) / 100;
    if (n == 2) return;
    for (int k = 0; k < n; ++k) *out++ = (player + k) % n == trictrac::player_at(account, trictrac::kResting);
  }

  static void to_string(const State& state, char* out) {
    Trictrac::to_string(state.core, out);
    const auto& account = state.account;
    const int used = static_cast<int>(std::strlen(out));
    trictrac::Writer write(out + used, facts.string_buffer_size - used);
    write.put("\nmarqué %d of %d, refaits %d, %s began; ", std::min<int>(account.played + 1, account.marques),
              account.marques, account.refaits, account.first ? "Black" : "White");
    if (trictrac::players(account) == 2) {
      write.put("White %d tokens, %d lost; Black %d tokens, %d lost", account.tokens[0], account.lost[0],
                account.tokens[1], account.lost[1]);
    } else {
      static constexpr const char* kSeats[] = {"White", "Black", "rests"};
      for (int p = 0; p < 3; ++p) {
        write.put("%splayer %d (%s) %d tokens, %d lost", p ? "; " : "", p, kSeats[trictrac::seat_of(account, p)],
                  account.tokens[p], account.lost[p]);
      }
    }
    if (finished(state)) write.put("; the game is over");
  }

  static void action_to_string(const State& state, Action action, char* out) {
    Trictrac::action_to_string(state.core, action, out);
  }

  static const char* invalid(const State& state) {
    if (const char* reason = trictrac::invalid_account(state.account)) return reason;
    if (!trictrac::on(state.core, trictrac::kScoredGame)) return "the game is not the scored one";
    if (const char* reason = trictrac::invalid(state.core)) return reason;
    return trictrac::invalid_beginning(state.account, state.core);
  }

  static bool same_rules(const State& a, const State& b) {
    return a.core.rules == b.core.rules && a.account.terms == b.account.terms &&
           a.account.marques == b.account.marques && a.account.final_tail == b.account.final_tail;
  }

  // Three players have no mirror image: who rests next depends on the seats.
  static bool mirror(State& state) {
    if (trictrac::players(state.account) == 3 || !trictrac::mirror(state.core)) return false;
    std::swap(state.account.tokens[0], state.account.tokens[1]);
    std::swap(state.account.lost[0], state.account.lost[1]);
    state.account.first ^= 1;
    return true;
  }

 private:
  static void end_marque(State& state) {
    using namespace trictrac;
    Core& core = state.core;
    const int winner = core.holes[0] > core.holes[1] ? 0 : 1;
    close_marque(state.account, core.holes, has(core.runs, kHolesRun, winner));
    core.points[0] = core.points[1] = core.holes[0] = core.holes[1] = core.runs = 0;
    new_setting(core, state.account.first);
    await_roll(core);
  }
};

}  // namespace tablier

TABLIER_GAME(tablier::TrictracAEcrire);
