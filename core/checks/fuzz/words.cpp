// Fuzzes the states of every game. An input chooses a game, options and actions, and then bits to flip in the words.
//
// Whatever the words, no function of the C table may write outside of its buffers. If no bit is flipped, every state
// and its mirror image must be valid: whatever the engine makes can be saved and read back.
//
// It needs no other file of the core, so that even the tests, which build no other part with sanitizers, run it with
// them.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "../../c_api/table.h"
#include "input.h"

namespace tablier {

int fail(int code, std::string_view) { return code; }  // of the C library, which is not linked

namespace {

using fuzz::broken;
using fuzz::Input;
using fuzz::room;

template <Game G>
void expect_valid(const typename G::State& state, const char* what) {
  if (const char* reason = G::invalid(state)) broken(G::facts.name, what, reason);
}

// Plays up to 255 actions; every state on the way, and its mirror image, must be valid.
template <Game G>
typename G::State play(Input& in, const typename G::State& start) {
  auto state = start;
  Action actions[G::kMaxActions];
  for (unsigned left = in.byte(); left > 0; --left) {
    expect_valid<G>(state, "a state that was played is not valid");
    if constexpr (Mirrorable<G>) {
      auto image = state;
      if (G{}.mirror(image)) expect_valid<G>(image, "a mirror image is not valid");
    }
    const int count = G::legal_actions(state, actions);
    if (count == 0) break;
    G::apply(state, actions[in.number() % static_cast<unsigned>(count)]);
  }
  return state;
}

template <Game G>
void call_everything(Word* words, Input& in) {
  using Table = CTable<G>;
  constexpr Facts facts = G::facts;
  const char* why = nullptr;
  const bool valid = Table::invalid(words, &why) == TABLIER_OK;
  if (valid != (why == nullptr)) broken(facts.name, "invalid() and its reason disagree", why ? why : "");
  const auto actions = room<Action>(facts.max_actions());
  const auto scores = room<double>(facts.num_players);
  const auto bytes = room<std::uint8_t>(facts.observation.size());
  const auto floats = room<float>(facts.features.size());
  const auto text = room<char>(facts.string_buffer_size);
  for (int step = 0; step < 4; ++step) {
    (void)Table::is_terminal(words);
    const int count = Table::valid_actions(words, actions.get());
    Table::outcome(words, scores.get());
    for (int player = -1; player <= facts.num_players; ++player) {
      (void)Table::observation(words, player, bytes.get());
      (void)Table::features(words, player, floats.get());
    }
    Table::to_string(words, text.get());
    const auto any = static_cast<Action>(in.number() * 2654435761U);  // also numbers that are no action
    for (const Action action : {any, any & 1023, count > 0 ? actions[(any & 0x7fffffff) % count] : -1}) {
      Table::action_to_string(words, action, text.get());
    }
    const Action action = count > 0 && any % 8 ? actions[(any & 0x7fffffff) % count] : any & 1023;
    const bool legal = Table::apply_action(words, action) == TABLIER_OK;
    if (valid && step == 0 && legal && Table::invalid(words, &why) != TABLIER_OK) {
      broken(facts.name, "a valid state led to one that is not", why ? why : "");
    }
  }
}

// Codes are below their sizes, and decoding them gives the features; some encodings have no codes.
template <Game G>
void check_codes(const Facts& facts, const typename G::State& state, int player, const float* features) {
  const std::span<const std::uint16_t> sizes = G{}.code_sizes();
  const auto codes = room<std::uint8_t>(static_cast<std::int64_t>(sizes.size()));
  const auto decoded = room<float>(facts.features.size());
  const int count = G{}.code_count(facts);
  if (count == 0) return;
  G{}.codes(state, player, count, codes.get());
  for (int i = 0; i < count; ++i) {
    if (codes[i] >= sizes[static_cast<std::size_t>(i)]) broken(facts.name, "a code is too large");
  }
  G{}.decode(state, codes.get(), decoded.get());
  for (std::int64_t i = 0; i < facts.features.size(); ++i) {
    const auto near = [&](float feature) { return std::abs(feature - decoded[i]) < 0.01f; };  // some are rounded
    if (near(features[i]) || near(std::min(features[i], 1.0f))) continue;  // codes end with the last hole of a game
    const auto of = std::to_string(i) + ": " + std::to_string(decoded[i]) + ", not " + std::to_string(features[i]);
    broken(facts.name, "the codes do not give a feature", of);
  }
}

// What evaluators and networks read of a valid state: encodings have the sizes of the options, and numbers are finite.
template <Game G>
void encode(const Facts& facts, const typename G::State& state) {
  const G game;
  const auto bytes = room<std::uint8_t>(facts.observation.size());
  const auto floats = room<float>(facts.features.size());
  for (int player = 0; player < facts.num_players; ++player) {
    game.observation(state, player, bytes.get());
    game.features(state, player, floats.get());
    if constexpr (Coded<G>) check_codes<G>(facts, state, player, floats.get());
  }
  double to_come[seats<G>] = {};
  if constexpr (Estimates<G>) game.estimate(state, to_come);
  if (game.current_player(state) != kTerminal) known_value(game, state, to_come);
  if (!std::all_of(to_come, to_come + facts.num_players, [](double value) { return std::isfinite(value); })) {
    broken(facts.name, "an estimate is not finite");
  }
  if (game.current_player(state) != kChance) return;
  Action outcomes[G::kMaxActions];
  int weights[G::kMaxActions];
  const int classes = chance_classes(game, state, outcomes, weights);
  if (std::accumulate(weights, weights + classes, 0) != game.legal_actions(state, outcomes)) {
    broken(facts.name, "the classes of a roll do not add up");
  }
}

// All listed actions are legal, and any other legal number leads where one of them does: it is another spelling.
template <Game G>
void compare_legality(const Facts& facts, const typename G::State& state) {
  Action actions[G::kMaxActions];
  const int count = G::legal_actions(state, actions);
  const std::span listed(actions, static_cast<std::size_t>(count));
  const auto after = [&](Action action) {  // as player 0 sees it: states may remember the spelling
    auto next = state;
    G::apply(next, action);
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(facts.observation.size()));
    G{}.observation(next, 0, seen.data());
    return seen;
  };
  for (Action action = -1; action <= std::max(facts.num_actions, facts.max_actions()); ++action) {
    const bool is_listed = std::ranges::find(listed, action) != listed.end();
    const bool legal = is_legal(G{}, state, action);
    if (is_listed && !legal) broken(facts.name, "a listed action is not legal", std::to_string(action));
    if (is_listed || !legal) continue;
    const auto leads = [&](Action other) { return after(other) == after(action); };
    if (std::ranges::none_of(listed, leads)) broken(facts.name, "a legal action is not listed", std::to_string(action));
  }
}

// Replaces each byte of the words by each small number: what is then taken as valid leads to valid states.
template <Game G>
void try_neighbours(const typename G::State& start, Word* words) {
  Action actions[G::kMaxActions];
  for (int at = 0; at < 8 * state_words<G>; ++at) {
    const int shift = at % 8 * 8;
    const Word before = words[at / 8];
    for (Word value = 0; value < 32; ++value) {
      words[at / 8] = (before & ~(Word{0xff} << shift)) | value << shift;
      auto state = load(G{}, words);
      if constexpr (CarriesRules<G>) {
        if (!G{}.same_rules(state, start)) continue;
      }
      if (words[at / 8] == before || G::invalid(state)) continue;
      if (const int count = G::legal_actions(state, actions); count > 0) {
        G::apply(state, actions[static_cast<int>(value) % count]);
        expect_valid<G>(state, "a neighbour that is valid led to a state that is not");
      }
    }
    words[at / 8] = before;
  }
}

template <Game G>
void fuzz_game(Input& in) {
  auto values = fuzz::choose_options(G::facts.options, in);
  Facts facts = G::facts;
  if constexpr (Describes<G>) {
    if (G{}.contradiction(values)) values = default_options(G::facts);
    facts = G{}.describe(values);
  }
  typename G::State start{};
  G::init(values, start);
  const auto state = play<G>(in, start);
  const auto words = room<Word>(state_words<G>);
  store(G{}, state, words.get());
  fuzz::change_words(in, state_words<G>, words.get());
  fuzz::change_bytes(in, state_words<G>, words.get());
  if (in.byte() % 4 == 0) try_neighbours<G>(start, words.get());
  const auto changed = load(G{}, words.get());
  bool same_rules = true;
  if constexpr (CarriesRules<G>) same_rules = G{}.same_rules(changed, start);
  if (same_rules && !G::invalid(changed)) {
    encode<G>(facts, changed);
    compare_legality<G>(facts, changed);
  }
  call_everything<G>(words.get(), in);
}

std::vector<void (*)(Input&)>& games() {
  static std::vector<void (*)(Input&)> list;
  return list;
}

template <Game G>
bool enter() {
  games().push_back(&fuzz_game<G>);
  return true;
}

}  // namespace
}  // namespace tablier

#define TABLIER_CONCAT(a, b) a##b
#define TABLIER_ENTERED(number) TABLIER_CONCAT(entered_, number)
#undef TABLIER_GAME
#define TABLIER_GAME(G) [[maybe_unused]] static const bool TABLIER_ENTERED(__COUNTER__) = tablier::enter<G>()

#include "../../games/list.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tablier::Input in(data, size);
  const auto& games = tablier::games();
  games[in.byte() % games.size()](in);
  return 0;
}
