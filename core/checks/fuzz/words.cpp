// Fuzzes the states of every game. An input chooses a game, options and actions, and then bits to flip in the words.
//
// Whatever the words, no function of the C table may write outside of its buffers. If no bit is flipped, every state
// and its mirror image must be valid: whatever the engine makes can be saved and read back.
//
// With -DTABLIER_LIBFUZZER it is a target for libFuzzer. Otherwise it is a program: words RUNS SEED.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "../../c_api/table.h"
#include "../../rng.h"

namespace tablier {

int fail(int code, std::string_view) { return code; }  // of the C library, which is not linked

namespace {

[[noreturn]] void broken(std::string_view game, const char* what, const char* why) {
  std::fprintf(stderr, "%.*s: %s: %s\n", static_cast<int>(game.size()), game.data(), what, why ? why : "");
  std::abort();
}

// The bytes of an input; 0 when they are used up.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  bool more() const { return left_ > 0; }
  unsigned byte() { return left_ == 0 ? 0 : (--left_, *data_++); }
  unsigned number() {
    unsigned result = 0;
    for (int i = 0; i < 3; ++i) result = result << 8 | byte();
    return result;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

// Buffers of exactly the declared sizes, on the heap, where AddressSanitizer guards their ends.
template <class T>
std::unique_ptr<T[]> room(int size) {
  return std::make_unique<T[]>(static_cast<std::size_t>(size));
}

template <Game G>
std::vector<std::int64_t> choose_options(Input& in) {
  std::vector<std::int64_t> values;
  for (const Option& option : G::facts.options) {
    const unsigned chosen = in.byte();
    const auto span = static_cast<std::uint64_t>(option.largest() - option.least()) + 1;
    const auto value = option.least() + static_cast<std::int64_t>(chosen % span);
    values.push_back(chosen % 4 == 0 ? option.default_value : value);
  }
  if constexpr (Describes<G>) {
    if (!G{}.contradiction(values)) return values;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = G::facts.options[i].default_value;
  }
  return values;
}

template <Game G>
void expect_valid(const typename G::State& state, const char* what) {
  if (const char* reason = G::invalid(state)) broken(G::facts.name, what, reason);
}

// Plays up to 255 actions; every state on the way, and its mirror image, must be valid.
template <Game G>
typename G::State play(Input& in) {
  const auto values = choose_options<G>(in);
  typename G::State state{};
  G::init(values, state);
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
  if (valid != (why == nullptr)) broken(facts.name, "invalid() and its reason disagree", why);
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
      broken(facts.name, "a valid state led to one that is not", why);
    }
  }
}

template <Game G>
void fuzz(Input& in) {
  const auto state = play<G>(in);
  const auto words = room<Word>(state_words<G>);
  store(G{}, state, words.get());
  const unsigned flips = in.byte();
  if (flips % 8 == 7) {
    for (int i = 0; i < state_words<G>; ++i) words[i] = in.number() * 0x9e3779b97f4a7c15;
  }
  for (unsigned i = 0; i < flips % 8; ++i) {
    const unsigned at = in.number() % (64 * state_words<G>);
    words[at / 64] ^= Word{1} << at % 64;
  }
  call_everything<G>(words.get(), in);
}

std::vector<void (*)(Input&)>& games() {
  static std::vector<void (*)(Input&)> list;
  return list;
}

template <Game G>
bool enter() {
  games().push_back(&fuzz<G>);
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

#ifndef TABLIER_LIBFUZZER
int main(int argc, char** argv) {
  const long runs = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 1000;
  tablier::Rng rng{argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1};
  std::vector<std::uint8_t> input(1200);
  for (long run = 0; run < runs; ++run) {
    for (auto& byte : input) byte = static_cast<std::uint8_t>(rng.below(256));
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%ld inputs\n", runs);
}
#endif
