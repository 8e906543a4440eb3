// Fuzzes the C table as a program that links the library uses it: names, options as text, and games that are played.
//
// Errors have a reason and change nothing. Whatever init() accepts can be played, and every state on the way is valid.
#include <algorithm>
#include <cstring>
#include <string>

#include "../../c_api/tablier.h"
#include "played.h"

namespace tablier::fuzz {

namespace {

// Bytes of the input as text without zeros.
std::string text_of(Input& in, unsigned most) {
  std::string text;
  for (unsigned left = in.byte() % (most + 1); left > 0; --left) {
    const unsigned byte = in.byte();
    if (byte != 0) text += static_cast<char>(byte);
  }
  return text;
}

std::string value_of(Input& in, const Option& option) {
  switch (in.byte() % 6) {
    case 0:
      return text_of(in, 24);
    case 1:
      return std::to_string(static_cast<int>(in.number()) - (1 << 23));
    case 2:
      return in.byte() % 2 ? "true" : "false";
    default:
      return value_text(option,
                        option.least() + in.below(static_cast<std::size_t>(
                                             std::min<std::int64_t>(option.largest() - option.least(), 1000) + 1)));
  }
}

std::string config_of(Input& in, const Facts& facts) {
  std::string config;
  for (unsigned left = in.byte() % 6; left > 0; --left) {
    if (!config.empty()) config += ',';
    const unsigned chosen = in.byte();
    const auto known = chosen % 5 == 0 ? facts.retired : facts.options;
    if (chosen % 7 == 0 || known.empty()) {
      config += text_of(in, 40);
    } else {
      const Option& option = known[in.byte() % known.size()];
      config += std::string(option.name) + "=" + value_of(in, option);
    }
  }
  return config;
}

void expect_unchanged(const tablier_game_table& table, const Word* state, const Word* before) {
  if (std::memcmp(state, before, sizeof(Word) * static_cast<std::size_t>(table.state_size)) != 0) {
    broken(table.name, "an error changed the state");
  }
}

// Plays by the table alone; returns false at the end of the game.
bool step(const tablier_game_table& table, Input& in, Word* state, Word* before, std::int32_t* actions) {
  const char* why = "";
  if (table.invalid(state, &why) != TABLIER_OK || why || table.invalid(state, nullptr) != TABLIER_OK) {
    broken(table.name, "a state that was played is not valid", why ? why : "");
  }
  if ((table.current_player(state) < 0) != (table.is_chance_node(state) || table.is_terminal(state))) {
    broken(table.name, "nobody decides and nothing is rolled");
  }
  const int count = table.valid_actions(state, actions);
  if ((count == 0) != (table.is_terminal(state) != 0)) broken(table.name, "a game without actions is not over");
  std::memcpy(before, state, sizeof(Word) * static_cast<std::size_t>(table.state_size));
  const auto any = static_cast<std::int32_t>(in.number()) - (1 << 22);
  const bool listed = std::find(actions, actions + count, any) != actions + count;
  const int code = table.apply_action(state, any);  // which may be another spelling of a listed action
  if (listed && code != TABLIER_OK) broken(table.name, "a listed action is refused");
  if (code == TABLIER_OK) return true;
  expect_unchanged(table, state, before);
  if (count == 0) return false;
  if (table.apply_action(state, actions[in.below(static_cast<std::size_t>(count))]) != TABLIER_OK) {
    broken(table.name, "a listed action is refused");
  }
  return true;
}

void look(const tablier_game_table& table, const Word* state) {
  const auto scores = room<double>(table.num_players);
  const auto bytes = room<std::uint8_t>(table.observation_shape.size);
  const auto floats = room<float>(table.features_shape.size);
  const auto text = room<char>(table.string_buffer_size);
  table.outcome(state, scores.get());
  for (int player = 0; player < table.num_players; ++player) {
    if (table.observation(state, player, bytes.get()) != TABLIER_OK) broken(table.name, "a player sees nothing");
    if (table.features(state, player, floats.get()) != TABLIER_OK) broken(table.name, "a player has no features");
  }
  table.to_string(state, text.get());
  for (int action = 0; action < table.max_actions; action += 7) table.action_to_string(state, action, text.get());
}

void fuzz(Input& in) {
  const unsigned chosen = in.byte();
  const auto* table =
      chosen % 8 == 7 ? tablier_game(text_of(in, 20).c_str()) : tablier_game_at(chosen % registered_games().size());
  if (tablier_game(nullptr) || tablier_game_at(registered_games().size())) broken("games", "there is one too many");
  if (!table) return;
  const auto state = room<Word>(table->state_size), before = room<Word>(table->state_size);
  const auto actions = room<std::int32_t>(table->max_actions);
  for (int i = 0; i < table->state_size; ++i) state[i] = before[i] = in.byte();
  const std::string config = config_of(in, find_game(table->name)->game->facts());
  const int code = table->init(config.c_str(), state.get());
  if (code != TABLIER_OK) {
    if (code != TABLIER_BAD_CONFIG || !*tablier_last_error()) broken(table->name, "a refusal has no reason", config);
    return expect_unchanged(*table, state.get(), before.get());
  }
  while (in.more() && step(*table, in, state.get(), before.get(), actions.get())) {
  }
  look(*table, state.get());
}

}  // namespace
}  // namespace tablier::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tablier::fuzz::Input in(data, size);
  tablier::fuzz::fuzz(in);
  return 0;
}
