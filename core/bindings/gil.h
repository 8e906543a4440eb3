// Leaving and entering Python around work in the core.
//
// When the interpreter shuts down, it ends any other thread that asks for the GIL, in the middle of C++. Such a thread
// waits here instead, until the process is gone.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <thread>

namespace tablier {

namespace nb = nanobind;

inline void stay_if_python_ends() {
#if PY_VERSION_HEX >= 0x030D0000
  const auto ends = [] { return Py_IsFinalizing(); };
#else
  const auto ends = [] { return _Py_IsFinalizing(); };
#endif
  while (ends()) std::this_thread::sleep_for(std::chrono::seconds(1));
}

// Works without the GIL.
class Released {
 public:
  Released() : state_(PyEval_SaveThread()) {}
  ~Released() {
    stay_if_python_ends();
    PyEval_RestoreThread(state_);
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  PyThreadState* state_;
};

// Works with the GIL, which this thread may already have.
class Acquired {
 public:
  Acquired() : state_((PyGILState_Check() ? void() : stay_if_python_ends(), PyGILState_Ensure())) {}
  ~Acquired() { PyGILState_Release(state_); }
  Acquired(const Acquired&) = delete;
  Acquired& operator=(const Acquired&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace tablier
