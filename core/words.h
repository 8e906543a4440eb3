// The words of one state, kept in place up to a size that covers every usual game: copying them does not allocate.
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
  Words& operator=(const Words& other) {  // both of the same game, hence of the same size
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
