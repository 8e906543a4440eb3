// Writes network files for the core (docs/networks.md), with any numbers in them and a correct checksum.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>

#include "../erased.h"
#include "../nets/tensor_file.h"
#include "fuzz/input.h"

namespace tablier::fuzz {

using Bytes = std::vector<std::uint8_t>;

class NetworkFile {
 public:
  template <class T>
  void add(const std::string& name, const std::vector<T>& numbers) {
    const char* type = std::is_same_v<T, std::int16_t> ? "I16" : std::is_same_v<T, std::int32_t> ? "I32" : "F64";
    const std::size_t begin = data.size();
    data.resize(begin + numbers.size() * sizeof(T));
    if (!numbers.empty()) std::memcpy(data.data() + begin, numbers.data(), numbers.size() * sizeof(T));
    header_ += ",\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":[" + std::to_string(numbers.size()) +
               "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(data.size()) + "]}";
  }

  // The file of a network for this game.
  Bytes sealed(std::string_view game) const { return described("{\"game\":\"" + std::string(game) + "\"}"); }

  // The file with any description, which says what the network is for.
  Bytes described(std::string_view description) const {
    std::string quoted;
    for (const char c : description) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    char sum[9];
    const auto* text = reinterpret_cast<const std::uint8_t*>(description.data());
    std::snprintf(sum, sizeof sum, "%08x", nets::crc32(data, nets::crc32({text, description.size()})));
    const std::string header =
        "{\"__metadata__\":{\"tablier\":\"" + quoted + "\",\"crc32\":\"" + sum + "\"}" + header_ + "}";
    const std::uint64_t length = header.size();
    Bytes file(sizeof length + header.size() + data.size());
    std::memcpy(file.data(), &length, sizeof length);
    std::memcpy(file.data() + sizeof length, header.data(), header.size());
    std::copy(data.begin(), data.end(), file.begin() + static_cast<std::ptrdiff_t>(sizeof length + header.size()));
    return file;
  }

  Bytes data;  // of all arrays, in the order in which they were added

 private:
  std::string header_;
};

// A network that fits a game; the input chooses its sizes, and a seed for its weights. They are so small that no sum
// overflows, unless they are wild.
inline NetworkFile make_network(Input& in, const AnyGame& game, const Facts& facts, bool wild = false) {
  const unsigned kind = in.byte();
  const bool policy = kind & 1, reads_features = kind & 2, compact = kind & 4;
  std::vector<std::int32_t> sizes = game.code_sizes(facts);
  const bool coded = !sizes.empty() && !reads_features;
  if (!coded) sizes.assign(static_cast<std::size_t>(facts.features.size()), 2 + static_cast<int>(in.byte() % 8));
  const int width = 1 + static_cast<int>(in.byte() % 40), hidden = static_cast<int>(in.byte() % 3);
  const int outputs = 1 + static_cast<int>(in.byte() % 2), ceiling = 1 + static_cast<int>(in.byte());
  constexpr int kFeatures = 12, kShift = 4;
  Rng rng{in.number()};
  const auto numbers = [&rng, wild]<class T>(std::size_t count, int limit, T) {
    std::vector<T> result(count);
    for (T& number : result) {
      number = static_cast<T>(wild ? rng.below(1 << 30) * 4U : static_cast<unsigned>(rng.below(2 * limit + 1) - limit));
    }
    return result;
  };
  NetworkFile file;
  std::vector<std::int32_t> plan{compact ? 2 : 1, coded ? 0 : 1, static_cast<std::int32_t>(sizes.size()), width,
                                 ceiling,         outputs,       policy ? facts.num_actions : 0,          hidden};
  std::vector<int> units{width};
  for (int i = 0; i < hidden; ++i) {
    units.push_back(1 + static_cast<int>(in.byte() % 24));
    plan.insert(plan.end(), {units.back(), static_cast<std::int32_t>(in.byte() % 12), ceiling});
  }
  if (compact) plan.insert(plan.end(), {kFeatures, kShift});
  file.add("plan", plan);
  file.add("sizes", sizes);
  const std::size_t columns = static_cast<std::size_t>(width);
  std::size_t rows = 0, values = 0;
  std::vector<std::int32_t> counts, listed;
  for (const std::int32_t size : sizes) {
    counts.push_back(rng.below(3));
    for (int i = 0; i < counts.back(); ++i) listed.push_back(rng.below(kFeatures));
    rows += static_cast<std::size_t>(size);
    values += static_cast<std::size_t>(size * counts.back());
  }
  if (compact) {
    file.add("counts", counts);
    file.add("features", listed);
    file.add("values", numbers(values, 16, std::int32_t{}));
    file.add("weights", numbers(kFeatures * columns, 16, std::int16_t{}));
  } else {
    file.add("rows", numbers(rows * columns, 32767 / (static_cast<int>(sizes.size()) + 1), std::int16_t{}));
  }
  file.add("bias", numbers(columns, 20, std::int16_t{}));
  units.push_back(outputs);
  for (std::size_t i = 0; i + 1 < units.size(); ++i) {
    const std::string name = i + 2 == units.size() ? "output" : "hidden." + std::to_string(i);
    const auto before = static_cast<std::size_t>(units[i]), after = static_cast<std::size_t>(units[i + 1]);
    file.add(name + ".weight", numbers(before * after, 1000, std::int16_t{}));
    file.add(name + ".bias", numbers(after, 100'000, std::int32_t{}));
  }
  file.add("scales", std::vector<double>(static_cast<std::size_t>(outputs) + 1, 1e-6));
  if (policy) {
    const auto actions = static_cast<std::size_t>(facts.num_actions);
    file.add("policy.weight", numbers(actions * columns, 1000, std::int16_t{}));
    file.add("policy.bias", numbers(actions, 100'000, std::int32_t{}));
  }
  return file;
}

}  // namespace tablier::fuzz
