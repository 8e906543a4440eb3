// Threads that wait for work: run(n, task) calls task(begin, end) over slices of 0 .. n-1 and returns when all are done.
//
// Slices depend on n alone, never on the number of threads, and every index is handled exactly once; a task that writes
// only to its own indices therefore gives the same result for any number of threads. The first exception of a task is
// rethrown to the caller after all threads have stopped.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tablier {

// Tells the core that it is in a waiting loop.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

class Workers {
 public:
  explicit Workers(int threads) : threads_(threads), owner_(getpid()) {
    if (threads_ > 1) start();
  }

  ~Workers() {
    if (pool_.empty()) return;
    if (!mine()) {  // after a fork the threads exist only in the parent: forget them, there is nothing to join
      for (auto& thread : pool_) (void)new std::thread(std::move(thread));
      return;
    }
    stop_ = true;
    wake();
    for (auto& thread : pool_) thread.join();
  }

  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const { return threads_; }

  void run(std::size_t n, std::size_t slice, const std::function<void(std::size_t, std::size_t)>& task) {
    if (pool_.empty() || n <= slice || !mine()) {
      if (n > 0) task(0, n);
      return;
    }
    task_ = &task;
    n_ = n;
    slice_ = slice;
    next_ = 0;
    busy_ = static_cast<int>(pool_.size());
    wake();
    work();
    for (int busy; (busy = busy_.load(std::memory_order_acquire)) != 0;) busy_.wait(busy);
    if (auto failure = std::exchange(failure_, nullptr)) std::rethrow_exception(failure);
  }

 private:
  bool mine() const { return owner_ == getpid(); }

  void start() {
    pool_.reserve(static_cast<std::size_t>(threads_ - 1));
    for (int i = 1; i < threads_; ++i) pool_.emplace_back([this] { loop(); });
  }

  void wake() {
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }

  void loop() {
    for (std::uint32_t seen = 0;;) {
      // Batches follow each other within microseconds: look a while before going to sleep.
      for (int i = 0; i < 2000 && round_.load(std::memory_order_acquire) == seen; ++i) relax();
      round_.wait(seen, std::memory_order_acquire);
      ++seen;
      if (stop_) return;
      work();
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
  }

  void work() {
    try {
      for (;;) {
        const std::size_t begin = next_.fetch_add(slice_, std::memory_order_relaxed);
        if (begin >= n_) return;
        (*task_)(begin, begin + slice_ < n_ ? begin + slice_ : n_);
      }
    } catch (...) {
      next_ = n_;  // let the others stop early
      const std::lock_guard lock(failure_mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  int threads_;
  pid_t owner_;
  std::vector<std::thread> pool_;
  std::atomic<std::uint32_t> round_ = 0;
  std::atomic<int> busy_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  const std::function<void(std::size_t, std::size_t)>* task_ = nullptr;
  std::size_t n_ = 0;
  std::size_t slice_ = 1;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

}  // namespace tablier
