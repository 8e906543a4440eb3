// The words of one state. Up to a size that covers all usual games they are stored inline, so that copying does not
// allocate.
#pragma once

#include <cstring>
#include <memory>

#include "game.h"

namespace tablier {

class Words {
 public:
  explicit Words(int count)
      : count_(count), heap_(count > kInPlace ? new Word[static_cast<std::size_t>(count)]() : nullptr) {}
  Words(const Words& other) : Words(other.count_) { *this = other; }
  Words& operator=(const Words& other) {  // both belong to the same game, so the sizes are equal
    if (this != &other) std::memcpy(data(), other.data(), bytes());
    return *this;
  }

  Word* data() { return heap_ ? heap_.get() : here_; }
  const Word* data() const { return heap_ ? heap_.get() : here_; }
  int count() const { return count_; }
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * sizeof(Word); }
  bool operator==(const Words& other) const {
    return count_ == other.count_ && std::memcmp(data(), other.data(), bytes()) == 0;
  }

 private:
  static constexpr int kInPlace = 16;
  int count_;
  std::unique_ptr<Word[]> heap_;
  Word here_[kInPlace] = {};
};

}  // namespace tablier
