// Writes formatted text into a fixed buffer, for the texts of states and actions.
#pragma once

#include <cstddef>
#include <cstdio>

namespace tablier {

// Drops what does not fit.
class Writer {
 public:
  Writer(char* out, int size) : out_(out), left_(size) { *out = 0; }

  void put(const char* text) { put("%s", text); }

  template <class... Args>
  void put(const char* format, Args... args) {
    const int wanted = std::snprintf(out_, static_cast<std::size_t>(left_), format, args...);
    const int written = wanted < left_ ? wanted : left_ - 1;
    out_ += written;
    left_ -= written;
  }

 private:
  char* out_;
  int left_;
};

}  // namespace tablier
