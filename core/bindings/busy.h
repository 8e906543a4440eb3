// A guard for objects that release the GIL: a second thread gets an error instead of a data race.
#pragma once

#include <nanobind/nanobind.h>

#include <stdexcept>
#include <string>

namespace tablier {

// Every call that reads or changes the object takes one, after converting its arguments, which may run Python code.
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
