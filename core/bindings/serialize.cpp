// A state as bytes: what it is, under which rules it was made, the words, and a checksum. All numbers little-endian.
//
//   "TBLR"  u8 version  u8 length, name  u8 count, i64 option values  u16 words, u64 each  f64 rewards per player  u64
//   sum
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "objects.h"

namespace tablier {

static_assert(std::endian::native == std::endian::little, "write_number and Reader copy native integers");

namespace {

constexpr char kMagic[] = {'T', 'B', 'L', 'R'};
constexpr std::uint8_t kVersion = 1;

template <class T>
void write_number(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::uint64_t checksum(const char* data, std::size_t size) {
  std::uint64_t sum = size;
  for (std::size_t i = 0; i < size; ++i) sum = mix(sum ^ static_cast<unsigned char>(data[i])) + kGoldenGamma;
  return sum;
}

[[noreturn]] void reject(const std::string& reason) {
  throw nb::value_error(("these bytes are not a saved state: " + reason).c_str());
}

class Reader {
 public:
  Reader(const char* data, std::size_t size) : data_(data), left_(size) {}

  const char* take(std::size_t size) {
    if (size > left_) reject("they end too early");
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

}  // namespace

nb::bytes serialize(const StateObject& state) {
  const Facts& facts = state.facts();
  std::string out(kMagic, sizeof kMagic);
  write_number(out, kVersion);
  write_number(out, static_cast<std::uint8_t>(facts.name.size()));
  out += facts.name;
  write_number(out, static_cast<std::uint8_t>(state.game->options.size()));
  for (const auto value : state.game->options) write_number(out, value);
  write_number(out, static_cast<std::uint16_t>(state.words.count()));
  for (int i = 0; i < state.words.count(); ++i) write_number(out, state.words.data()[i]);
  for (int p = 0; p < facts.num_players; ++p) write_number(out, state.rewards[p]);
  write_number(out, checksum(out.data(), out.size()));
  return nb::bytes(out.data(), out.size());
}

StateObject deserialize(std::shared_ptr<const GameObject> game, const nb::bytes& data) {
  const Facts& facts = game->facts();
  Reader in(data.c_str(), data.size());
  if (std::memcmp(in.take(sizeof kMagic), kMagic, sizeof kMagic) != 0) reject("they do not begin with TBLR");
  if (const int version = in.number<std::uint8_t>(); version != kVersion) {
    reject("format " + std::to_string(version) + " is unknown; this is format " + std::to_string(kVersion));
  }
  const std::size_t length = in.number<std::uint8_t>();
  const std::string name(in.take(length), length);
  if (name != facts.name) {
    const bool readable = std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
    reject("they belong to " + (readable ? "'" + name + "'" : "another game") + ", not to " + std::string(facts.name));
  }
  std::vector<std::int64_t> options(in.number<std::uint8_t>());
  for (auto& value : options) value = in.number<std::int64_t>();
  if (options.size() != game->options.size()) reject("they name another number of options");
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i] == game->options[i]) continue;
    reject("they were made with another value of option '" + std::string(facts.options[i].name) + "' than this game's");
  }
  StateObject state(std::move(game));
  if (in.number<std::uint16_t>() != state.words.count()) reject("they hold a state of another size");
  for (int i = 0; i < state.words.count(); ++i) state.words.data()[i] = in.number<Word>();
  for (int p = 0; p < facts.num_players; ++p) {
    state.rewards[p] = in.number<double>();
    if (!std::isfinite(state.rewards[p])) reject("a reward is not a number");
  }
  if (in.left() != sizeof(std::uint64_t))
    reject(in.left() < sizeof(std::uint64_t) ? "they end too early" : "they go on after the end");
  if (in.number<std::uint64_t>() != checksum(data.c_str(), data.size() - sizeof(std::uint64_t)))
    reject("the checksum is wrong");
  if (const char* reason = state.any().invalid(state.words.data())) reject(reason);
  if (!state.any().same_rules(state.words.data(), state.game->start.data()))
    reject("header and state disagree on the rules");
  return state;
}

}  // namespace tablier
