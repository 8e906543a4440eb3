// A thread pool for loops: run(n, slice, task) calls task(begin, end) over slices of 0 .. n-1 and returns when all are
// done. It has no queue of tasks and no futures.
//
// Every index is handled exactly once, so a task that writes only to its own indices gives the same result with any
// number of threads. Each thread starts with the same block of indices in every run, whose data is still in its cache,
// and then helps with the other blocks. The first exception of a task is rethrown after all threads have stopped.
//
// Threads sleep on a condition variable and not on std::atomic::wait, whose list of waiters is a static variable of a
// header: a plugin from another compiler has its own, and would wake nobody.
#pragma once

#if !defined(_WIN32)
#include <unistd.h>
#endif

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace tablier {

// Hints to the processor that this is a spin loop.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

// Tells a process from one that was forked from it; Windows does not fork.
inline std::int64_t process_id() {
#if defined(_WIN32)
  return 0;
#else
  return getpid();
#endif
}

inline constexpr int kMaxThreads = 1024;

class Workers {
 public:
  explicit Workers(int threads) : threads_(threads), owner_(process_id()), blocks_(static_cast<std::size_t>(threads)) {
    if (threads_ > 1) start();
  }

  ~Workers() {
    if (pool_.empty()) return;
    if (!mine()) {  // after a fork the threads exist only in the parent: leak what would wait for them
      for (auto& thread : pool_) (void)new std::thread(std::move(thread));
      (void)new std::unique_ptr(std::move(sleepers_));
      return;
    }
    finish();
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
    slice_ = slice;
    for (std::size_t t = 0, count = blocks_.size(); t < count; ++t) {
      blocks_[t].next.store(n * t / count, std::memory_order_relaxed);
      blocks_[t].end = n * (t + 1) / count;
    }
    busy_ = static_cast<int>(pool_.size());
    wake();
    work(0);
    if (linger(busy_, [](int value) { return value == 0; }) != 0) {
      std::unique_lock lock(sleepers_->mutex);
      sleepers_->done.wait(lock, [this] { return busy_ == 0; });
    }
    if (auto failure = std::exchange(failure_, nullptr)) std::rethrow_exception(failure);
  }

 private:
  bool mine() const { return owner_ == process_id(); }

  void finish() {
    stop_ = true;
    wake();
    for (auto& thread : pool_) thread.join();
  }

  void start() {
    pool_.reserve(static_cast<std::size_t>(threads_ - 1));
    try {
      for (int i = 1; i < threads_; ++i) pool_.emplace_back([this, i] { loop(static_cast<std::size_t>(i)); });
    } catch (const std::system_error& error) {
      finish();
      throw std::runtime_error("the system started only " + std::to_string(pool_.size() + 1) + " of " +
                               std::to_string(threads_) + " threads: " + error.what());
    }
  }

  // Spins before sleeping, because batches follow each other within microseconds. Returns the last value seen.
  template <class T, class Done>
  static T linger(const std::atomic<T>& atom, Done done) {
    T value = atom.load(std::memory_order_acquire);
    for (int i = 0; i < kLinger && !done(value); ++i) {
      relax();
      value = atom.load(std::memory_order_acquire);
    }
    return value;
  }

  void wake() {
    {
      const std::lock_guard lock(sleepers_->mutex);
      round_.fetch_add(1, std::memory_order_release);
    }
    sleepers_->woken.notify_all();
  }

  void loop(std::size_t me) {
    for (std::uint32_t seen = 0;;) {
      if (linger(round_, [seen](std::uint32_t value) { return value != seen; }) == seen) {
        std::unique_lock lock(sleepers_->mutex);
        sleepers_->woken.wait(lock, [this, seen] { return round_ != seen; });
      }
      ++seen;
      if (stop_) return;
      work(me);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        const std::lock_guard lock(sleepers_->mutex);  // not while run() is between its look at busy_ and its sleep
        sleepers_->done.notify_one();
      }
    }
  }

  void work(std::size_t me) {
    try {
      for (std::size_t k = 0, count = blocks_.size(); k < count; ++k) {
        Block& block = blocks_[(me + k) % count];
        for (;;) {
          const std::size_t begin = block.next.fetch_add(slice_, std::memory_order_relaxed);
          if (begin >= block.end) break;
          (*task_)(begin, std::min(begin + slice_, block.end));
        }
      }
    } catch (...) {
      for (Block& block : blocks_) block.next = block.end;  // stop the other threads early
      const std::lock_guard lock(failure_mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  static constexpr int kLinger = 4000;

  struct alignas(64) Block {  // one cache line each, against false sharing
    std::atomic<std::size_t> next = 0;
    std::size_t end = 0;
  };

  struct Sleepers {
    std::mutex mutex;
    std::condition_variable woken, done;  // threads wait for a round, run() for its end
  };

  int threads_;
  std::int64_t owner_;
  std::vector<Block> blocks_;
  std::unique_ptr<Sleepers> sleepers_ = std::make_unique<Sleepers>();
  std::vector<std::thread> pool_;
  std::atomic<std::uint32_t> round_ = 0;
  std::atomic<int> busy_ = 0;
  std::atomic<bool> stop_ = false;
  const std::function<void(std::size_t, std::size_t)>* task_ = nullptr;
  std::size_t slice_ = 1;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

}  // namespace tablier
