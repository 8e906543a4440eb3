// Leaving and entering Python around work in the core.
//
// When the interpreter shuts down, it ends any other thread that asks for the GIL, in the middle of C++. So before it
// does, threads that are on their way into Python get there and come back, and later ones wait until the process is
// gone.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace tablier {

namespace nb = nanobind;

class Shutdown {
 public:
  // Called when the interpreter is about to shut down, by the thread that does it, with the GIL.
  static void begin() {
    thread_ = std::this_thread::get_id();
    begun_ = true;
    PyThreadState* const state = PyEval_SaveThread();
    for (int ms = 0; ms < kPatience && entering_ > 0; ++ms) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    PyEval_RestoreThread(state);
  }

  // Brackets the time in which a thread asks for the GIL or has it.
  static void enter() {
    ++entering_;
    if (!begun_ || thread_ == std::this_thread::get_id()) return;
    --entering_;
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  static void leave() { --entering_; }

 private:
  static constexpr int kPatience = 5000;  // milliseconds for a method of a game in Python to return

  static inline std::atomic<bool> begun_{false};
  static inline std::atomic<int> entering_{0};
  static inline std::thread::id thread_;
};

// Works without the GIL.
class Released {
 public:
  Released() : state_(PyEval_SaveThread()) {}
  ~Released() {
    Shutdown::enter();
    PyEval_RestoreThread(state_);
    Shutdown::leave();
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  PyThreadState* state_;
};

// Works with the GIL, which this thread may already have.
class Acquired {
 public:
  Acquired() : outside_(!PyGILState_Check()) {
    if (outside_) Shutdown::enter();
    state_ = PyGILState_Ensure();
  }
  ~Acquired() {
    PyGILState_Release(state_);
    if (outside_) Shutdown::leave();
  }
  Acquired(const Acquired&) = delete;
  Acquired& operator=(const Acquired&) = delete;

 private:
  bool outside_;  // the thread did not have the GIL
  PyGILState_STATE state_;
};

}  // namespace tablier
