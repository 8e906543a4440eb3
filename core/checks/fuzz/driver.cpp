// Runs a fuzz target without libFuzzer: TARGET CORPUS RUNS SEED.
//
// Replays the files of the folder CORPUS, then tries RUNS new inputs: random bytes, or a file with a few bytes changed.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "../../rng.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<Bytes> read_all(const char* folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> files;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return files;
}

std::uint8_t random_byte(tablier::Rng& rng) { return static_cast<std::uint8_t>(rng.below(256)); }

Bytes new_input(const std::vector<Bytes>& files, tablier::Rng& rng) {
  Bytes input;
  if (files.empty() || rng.below(2) == 0) {
    input.resize(1200);
    for (auto& byte : input) byte = random_byte(rng);
    return input;
  }
  input = files[static_cast<std::size_t>(rng.below(static_cast<int>(files.size())))];
  for (int changes = 1 + rng.below(4); changes > 0 && !input.empty(); --changes) {
    input[static_cast<std::size_t>(rng.below(static_cast<int>(input.size())))] = random_byte(rng);
  }
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s CORPUS RUNS SEED\n", argv[0]);
    return 2;
  }
  const auto files = read_all(argv[1]);
  const long runs = std::strtol(argv[2], nullptr, 10);
  tablier::Rng rng{std::strtoull(argv[3], nullptr, 10)};
  for (const Bytes& file : files) LLVMFuzzerTestOneInput(file.data(), file.size());
  for (long run = 0; run < runs; ++run) {
    const Bytes input = new_input(files, rng);
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%zu files, %ld new inputs\n", files.size(), runs);
}
