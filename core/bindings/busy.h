// One call at a time: an object that works without the GIL refuses a second thread instead of crashing.
#pragma once

#include <nanobind/nanobind.h>

#include <stdexcept>
#include <string>

namespace tablier {

// Taken by every call that reads or changes the object, after its arguments are converted: Python code may run inside.
class Busy {
 public:
  Busy(bool& flag, const char* what) : flag_(flag) {
    if (flag) throw std::runtime_error(std::string("this ") + what + " is in use by another thread");
    flag = true;
  }
  ~Busy() { flag_ = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  bool& flag_;
};

}  // namespace tablier
