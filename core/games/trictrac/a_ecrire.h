// The scored game (partie à écrire): an agreed number of marqués, paid in tokens. rules.md, 15. account.h has the
// payments.
//
// Board, points and holes are those of the ordinary game; only the end differs. A marqué ends when a player leaves and
// either player has six holes or more. With equal holes it is void (refait) and is replayed for a larger consolation.
#pragma once

#include "account_codes.h"
#include "account_validity.h"
#include "trictrac.h"

namespace tablier {

struct TrictracAEcrire {
  struct State {
    trictrac::Core core;
    trictrac::Account account;
  };

  // The options of the account come first, then those of the board.
  static constexpr auto kOptions = joined(options_of(trictrac::kAccountRows), options_of(trictrac::kSharedRows));
  static constexpr std::string_view kFormat1[] = {"marques",
                                                  "refait_consolation",
                                                  "next_marque_first",
                                                  "bredouille_progression",
                                                  "tail_tokens_per_loss",
                                                  "bets",
                                                  "final_tail",
                                                  "first_throw",
                                                  "forbidden_test",
                                                  "bearing_off",
                                                  "last_throw_carries_over",
                                                  "fill_way_rule",
                                                  "mezeas_next_throw_only",
                                                  "pile_de_misere",
                                                  "jan_de_rencontre",
                                                  "margot_la_fendue",
                                                  "swap_colours_on_exit",
                                                  "explicit_roll",
                                                  "schools",
                                                  "fill_school",
                                                  "players"};

  // Sizes with the account after the board, for two players and for three.
  static constexpr int kObservation = trictrac::kObservation + 4, kObservationOfThree = trictrac::kObservation + 6;
  static constexpr int kFeatures = trictrac::kMarkov + 7, kFeaturesOfThree = trictrac::kMarkov + 12;

  static constexpr Facts facts{
      .name = "trictrac_a_ecrire",
      .title = "Trictrac à écrire",
      .help =
          "The scored game: an agreed number of marqués. Each is a game of Trictrac that ends when a player leaves\n"
          "after a hole and either player has six holes or more. The loser pays tokens: the winner's holes and a\n"
          "consolation, doubled or quadrupled in bredouille, minus the loser's holes. Equal holes are replayed.\n"
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
      .retired = trictrac::kRetiredOptions,
      .format1_options = kFormat1,
  };
  static constexpr int kMaxActions = Trictrac::kMaxActions;
  static constexpr int kSeats = 3;

  static trictrac::Rules rules(std::span<const std::int64_t> options) {
    using namespace trictrac;
    Rules rules{};
    write_defaults(kOrdinaryRows, rules);
    write_options(kSharedRows, options.subspan(kAccountRows.size()), rules);
    rules.switches |= kScoredGame | kMarkovFeatures;
    if (account(options).terms & kCounting) rules.switches |= kExpertFeatures;
    return rules;
  }
  static trictrac::Account account(std::span<const std::int64_t> options) {
    trictrac::Account account{};
    write_options(trictrac::kAccountRows, options, account);
    return account;
  }

  static Facts describe(std::span<const std::int64_t> options) {
    Facts result = facts;
    if (rules(options).switches & trictrac::kSchools) result.num_actions = trictrac::kSchoolActions;
    const trictrac::Account agreed = account(options);
    if (trictrac::players(agreed) == 3) {
      result.num_players = 3;
      result.observation.dims[0] = kObservationOfThree;
      result.features.dims[0] = kFeaturesOfThree;
    }
    if (agreed.terms & trictrac::kBounded) {
      const int board = agreed.terms & trictrac::kCounting ? trictrac::kExpert : trictrac::kMarkov;
      result.features.dims[0] = board + trictrac::account_features(trictrac::players(agreed));
    }
    return result;
  }
  static Contradiction contradiction(std::span<const std::int64_t> options) {
    const trictrac::Account agreed = account(options);
    const int n = trictrac::players(agreed);
    if (n == 2 && agreed.marques % 2) return {"odd_marques", "marques must be even, for two players"};
    if (n == 3 && agreed.marques % 3) {
      return {"marques_of_three", "marques must be a multiple of 3, for three players"};
    }
    return trictrac::rules_contradiction(rules(options));
  }

  static void init(std::span<const std::int64_t> options, State& state) {
    state = {};
    trictrac::start_game(state.core, rules(options));
    state.account = account(options);
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

  // A marqué ends when a player leaves; with schools, after the claims against that are settled.
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

  // Moves change the board alone. Leaving can end the marqué, and with schools other actions can.
  template <class Visit>
  static void afterstates(const State& state, Visit visit) {
    using namespace trictrac;
    const bool may_leave = on(state.core, kSchools) || state.core.stage == Stage::kHoldOrGo;
    State after = state, near = state;
    Trictrac::afterstates(state.core, [&](Action action, const auto& played) {
      if (may_leave && (action == kGo || on(state.core, kSchools))) {
        State left = state;  // with an account of its own
        apply(left, action);
        visit(action, Afterstate<State>{left});
      } else {
        visit(action, AfterMove<std::remove_cvref_t<decltype(played)>>{played, after, near});
      }
    });
  }

  static void returns(const State& state, double* out) {
    for (int p = 0; p < trictrac::players(state.account); ++p) out[p] = state.account.tokens[p];
  }

  static int chance_classes(const State& state, Action* outcomes, int* weights) {
    return Trictrac::chance_classes(state.core, outcomes, weights);
  }
  static void canonical(State& state) { Trictrac::canonical(state.core); }

  // The account by player: the observing player first, then the others in order.
  static void observation(const State& state, int player, std::uint8_t* out) {
    const auto& account = state.account;
    Trictrac::observation(state.core, trictrac::view_from(account, player), out);
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
    const int n = trictrac::players(account), seat = trictrac::view_from(account, player);
    trictrac::features(state.core, seat, out);
    if (account.terms & trictrac::kBounded) {
      const int board = trictrac::features_of(state.core);
      trictrac::clip_features(out, board);
      std::uint8_t codes[trictrac::kAccountCodes];
      trictrac::write_account_codes(account, state.core, player, codes);
      return trictrac::decode_account(codes, n, out + board);
    }
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

  // Networks in the core read the encodings whose features are bounded.
  static std::span<const std::uint16_t> code_sizes() { return trictrac::kScoredCodeSizes; }
  static int code_count(const Facts& chosen) {
    using namespace trictrac;
    const int account = chosen.features.size() - account_features(chosen.num_players);
    return account == kExpert ? kAllScoredCodes : account == kMarkov ? kScoredCodes : 0;
  }
  static void codes(const State& state, int player, int count, std::uint8_t* out) {
    trictrac::write_scored_codes(state.core, state.account, player, count, out);
  }
  static void decode(const State& start, const std::uint8_t* codes, float* features) {
    trictrac::decode_scored(codes, trictrac::features_of(start.core), trictrac::players(start.account), features);
  }

  static void to_string(const State& state, char* out) {
    Trictrac::to_string(state.core, out);
    const auto& account = state.account;
    const int used = static_cast<int>(std::strlen(out));
    Writer write(out + used, facts.string_buffer_size - used);
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

  static bool bounded(const State& state, const Facts& chosen) {
    const int n = trictrac::players(state.account);
    const int plain = (n == 3 ? kFeaturesOfThree : kFeatures) - trictrac::kMarkov;
    const int account = state.account.terms & trictrac::kBounded ? trictrac::account_features(n) : plain;
    return trictrac::bounded(state.core) && trictrac::bounded(state.account) && n <= chosen.num_players &&
           trictrac::features_of(state.core) + account <= chosen.features.size();
  }
  static const char* invalid(const State& state) {
    if (const char* reason = trictrac::invalid_account(state.account)) return reason;
    if (!trictrac::on(state.core, trictrac::kScoredGame)) return "the game is not the scored one";
    if (const char* reason = trictrac::invalid(state.core)) return reason;
    return trictrac::invalid_beginning(state.account, state.core);
  }

  static bool same_rules(const State& a, const State& b) {
    return Trictrac::same_rules(a.core, b.core) && a.account.terms == b.account.terms &&
           a.account.marques == b.account.marques && a.account.final_tail == b.account.final_tail;
  }

  static void upgrade(State& state) { Trictrac::upgrade(state.core); }

  // With three players there is no mirror image: the seats decide who sits out next. Nor is there where the rules name
  // the seat that begins.
  static bool mirror(State& state) {
    if (trictrac::players(state.account) == 3 || trictrac::beginner_is_fixed(state.account, state.core)) return false;
    if (!trictrac::mirror(state.core)) return false;
    std::swap(state.account.tokens[0], state.account.tokens[1]);
    std::swap(state.account.lost[0], state.account.lost[1]);
    state.account.first ^= 1;
    return true;
  }

 private:
  // An afterstate of the board, as one of the scored game: `after` and `near` have its account.
  template <class Played>
  struct AfterMove {
    const Played& played;
    State &after, &near_state;

    const State& state() const {
      after.core = played.state();
      return after;
    }
    const State* near(int count) const {
      const trictrac::Core* core =
          count >= trictrac::kScoredCodes ? played.near(count - trictrac::kAccountCodes) : nullptr;
      if (!core) return nullptr;
      near_state.core = *core;
      return &near_state;
    }
    template <class Put>
    void recode(int count, Put& put) const {
      Shifted<Put> shifted{put};
      played.recode(count - trictrac::kAccountCodes, shifted);
    }
  };

  // Makes room for the codes of the account among those of the board.
  template <class Put>
  struct Shifted {
    Put& put;

    void operator()(int index, int code) {
      put(index < trictrac::kCodes ? index : index + trictrac::kAccountCodes, code);
    }
    void step(int from, int to, int less, int more) { put.step(from, to, less, more); }
    void fall(int from, int less) { put.fall(from, less); }
  };

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
