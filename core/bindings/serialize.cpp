// The byte format of a saved state. All numbers are little-endian.
//
//   "TBLR"  u8 version  u8 length, game name  options  u16 count, u64 words  f64 reward per player  u64 checksum
//
// Options that differ from their defaults are stored as text: u16 length, "name=value,name=value". Format 1 stored the
// values of all options in the order of Facts::format1_options: u8 count, i64 each.
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "objects.h"

namespace tablier {

static_assert(std::endian::native == std::endian::little, "write_number and Reader copy native integers");

namespace {

constexpr char kMagic[] = {'T', 'B', 'L', 'R'};
constexpr std::uint8_t kVersion = 2, kOldest = 1;

template <class T>
void write_number(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::uint64_t checksum(const char* data, std::size_t size) {
  std::uint64_t sum = size;
  for (std::size_t i = 0; i < size; ++i) sum = mix(sum ^ static_cast<unsigned char>(data[i])) + kGoldenGamma;
  return sum;
}

[[noreturn]] void reject(const std::string& reason) { throw nb::value_error(("not a saved state: " + reason).c_str()); }

class Reader {
 public:
  Reader(const char* data, std::size_t size) : data_(data), left_(size) {}

  const char* take(std::size_t size) {
    if (size > left_) reject("the data is truncated");
    left_ -= size;
    return std::exchange(data_, data_ + size);
  }

  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }

  std::size_t left() const { return left_; }

 private:
  const char* data_;
  std::size_t left_;
};

// Maps the values of format 1 to the current options. Retired options must have a value that was accepted; new options
// get their defaults.
std::vector<std::int64_t> read_format1_options(Reader& in, const Facts& facts) {
  std::vector<std::string_view> names(facts.format1_options.begin(), facts.format1_options.end());
  if (names.empty()) {
    for (const Option& option : facts.options) names.push_back(option.name);
  }
  if (in.number<std::uint8_t>() != names.size()) reject("it has the wrong number of options");
  auto values = default_options(facts);
  for (const auto name : names) {
    const auto value = in.number<std::int64_t>();
    const Option* option = known_option(facts, name);
    if (!option || value < option->least() || value > option->largest()) reject("an option has an invalid value");
    if (const auto index = find_option(facts.options, name)) values[*index] = value;
  }
  return values;
}

std::vector<std::int64_t> read_options(Reader& in, const Facts& facts) {
  const std::size_t length = in.number<std::uint16_t>();
  std::vector<std::int64_t> values(kMaxOptions);
  if (const auto refusal = parse_options(facts, {in.take(length), length}, values.data())) reject(refusal->what());
  values.resize(facts.options.size());
  return values;
}

}  // namespace

nb::bytes serialize(const StateObject& state) {
  const Facts& facts = state.facts();
  std::string out(kMagic, sizeof kMagic);
  write_number(out, kVersion);
  write_number(out, static_cast<std::uint8_t>(facts.name.size()));
  out += facts.name;
  const std::string options = options_text(facts, state.game->options);
  write_number(out, static_cast<std::uint16_t>(options.size()));
  out += options;
  write_number(out, static_cast<std::uint16_t>(state.words.count()));
  for (int i = 0; i < state.words.count(); ++i) write_number(out, state.words.data()[i]);
  for (int p = 0; p < facts.num_players; ++p) write_number(out, state.rewards[p]);
  write_number(out, checksum(out.data(), out.size()));
  return nb::bytes(out.data(), out.size());
}

StateObject deserialize(std::shared_ptr<const GameObject> game, const nb::bytes& data) {
  const Facts& facts = game->facts();
  Reader in(data.c_str(), data.size());
  if (std::memcmp(in.take(sizeof kMagic), kMagic, sizeof kMagic) != 0) reject("it does not start with TBLR");
  const int version = in.number<std::uint8_t>();
  if (version < kOldest || version > kVersion) {
    reject("format " + std::to_string(version) + " is unknown; this version reads formats up to " +
           std::to_string(kVersion));
  }
  const std::size_t length = in.number<std::uint8_t>();
  const std::string name(in.take(length), length);
  if (name != facts.name) {
    const bool readable = std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
    reject("it belongs to " + (readable ? "'" + name + "'" : "another game") + ", not to " + std::string(facts.name));
  }
  const auto options = version == 1 ? read_format1_options(in, facts) : read_options(in, facts);
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i] == game->options[i]) continue;
    reject("it was saved with a different value of option '" + std::string(facts.options[i].name) +
           "' than this game's");
  }
  StateObject state(std::move(game));
  if (in.number<std::uint16_t>() != state.words.count()) reject("the state has the wrong size");
  for (int i = 0; i < state.words.count(); ++i) state.words.data()[i] = in.number<Word>();
  for (int p = 0; p < facts.num_players; ++p) {
    state.rewards[p] = in.number<double>();
    if (!std::isfinite(state.rewards[p])) reject("a reward is not finite");
  }
  if (in.left() != sizeof(std::uint64_t))
    reject(in.left() < sizeof(std::uint64_t) ? "the data is truncated" : "there is extra data at the end");
  if (in.number<std::uint64_t>() != checksum(data.c_str(), data.size() - sizeof(std::uint64_t)))
    reject("the checksum is wrong");
  if (version < kVersion) state.any().upgrade(state.words.data());
  if (const char* reason = state.any().invalid(state.words.data())) reject(reason);
  if (!state.any().same_rules(state.words.data(), state.game->start.data()))
    reject("the header and the state disagree on the rules");
  return state;
}

}  // namespace tablier
