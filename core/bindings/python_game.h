// Adapts a game written in Python to the Game concept. The kernels run it like any other game, one call into Python at
// a time.
//
// Its state is a tuple of integers in Python and the same number of words here. tablier.PythonGame has the contract.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "../game.h"

namespace tablier {

namespace nb = nanobind;

class PythonGame {
 public:
  static constexpr int kMaxWords = 64;
  static constexpr int kMaxActions = 4096;
  static constexpr int kSeats = kMaxPlayers;
  static constexpr bool kMayThrow = true;

  struct State {
    Word words[kMaxWords];
  };

  explicit PythonGame(nb::object definition);
  ~PythonGame();
  PythonGame(const PythonGame&) = delete;
  PythonGame& operator=(const PythonGame&) = delete;

  void init(std::span<const std::int64_t> options, State& state) const;
  int current_player(const State& state) const;
  int legal_actions(const State& state, Action* out) const;
  void apply(State& state, Action action) const;
  void returns(const State& state, double* out) const;
  void observation(const State& state, int player, std::uint8_t* out) const;
  void features(const State& state, int player, float* out) const;
  void to_string(const State& state, char* out) const;
  void action_to_string(const State& state, Action action, char* out) const;
  const char* invalid(const State& state) const;
  bool mirror(State& state) const;
  bool has_mirror() const { return has_mirror_; }
  int chance_classes(const State& state, Action* outcomes, int* weights) const;
  void canonical(State& state) const;
  void estimate(const State& state, double* to_come) const;
  bool has_estimate() const { return has_estimate_; }
  std::vector<State> indistinguishable(const State& state, int player) const;
  int words() const { return words_; }

  Facts facts;

 private:
  nb::tuple to_tuple(const State& state) const;
  void from_tuple(nb::handle value, const char* method, State& state) const;
  void copy_numbers(const nb::object& value, const char* method, double* out) const;
  void copy_bytes(const nb::object& value, const char* method, std::size_t size, void* out) const;
  void copy_text(const nb::object& value, const char* method, char* out) const;
  [[noreturn]] void complain(const char* method, const std::string& expected) const;

  nb::object definition_;
  int words_;
  bool has_mirror_, merges_chance_, has_canonical_, has_estimate_;
  std::uint64_t number_;  // unique in this process
  std::string name_, title_, help_;
  struct OptionText {
    std::string name, doc;
    std::vector<std::string> choices;
    std::vector<std::string_view> choice_views;
  };
  std::vector<OptionText> option_texts_;
  std::vector<Option> options_;
};

}  // namespace tablier
