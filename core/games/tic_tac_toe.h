// Tic-tac-toe: two players take turns to mark a square of a 3 x 3 board; three in a row win.
//
// Squares and actions are numbered 0 .. 8, row by row. Player 0 is x and moves first.
#pragma once

#include <array>
#include <bit>
#include <cstdio>

#include "../game.h"

namespace tablier {

struct TicTacToe {
  struct State {
    Word marks[2];  // bit i: the player has square i
    Word turn;      // 0 or 1: player to move; kWon + p: player p has won; kDrawn
  };

  static constexpr Facts facts{
      .name = "tic_tac_toe",
      .title = "Tic-tac-toe",
      .help =
          "Two players take turns to mark a square of a 3 x 3 board; three marks in a row, a column or a\n"
          "diagonal win. Player 0 plays x and moves first. Action 3 * row + column marks that square, rows and\n"
          "columns counted from 0 at the top left.",
      .num_actions = 9,
      .max_game_length = 9,
      .observation = {3, {2, 3, 3}},
      .features = {3, {2, 3, 3}},
      .string_buffer_size = 32,
  };
  static constexpr int kMaxActions = 9;

  static void init(std::span<const std::int64_t>, State& state) { state = {}; }

  static int current_player(const State& state) { return state.turn < 2 ? static_cast<int>(state.turn) : kTerminal; }

  static int legal_actions(const State& state, Action* out) {
    if (state.turn >= 2) return 0;
    int count = 0;
    for (Word free = ~(state.marks[0] | state.marks[1]) & kBoard; free != 0; free &= free - 1) {
      out[count++] = std::countr_zero(free);
    }
    return count;
  }

  static bool is_legal(const State& state, Action action) {
    return state.turn < 2 && action >= 0 && action < 9 && !(((state.marks[0] | state.marks[1]) >> action) & 1);
  }

  static void apply(State& state, Action action) {
    Word& mine = state.marks[state.turn];
    mine |= Word{1} << action;
    if (has_line(mine)) {
      state.turn += kWon;
    } else {
      state.turn = (state.marks[0] | state.marks[1]) == kBoard ? kDrawn : 1 - state.turn;
    }
  }

  static void returns(const State& state, double* out) {
    out[0] = state.turn == kWon ? 1 : state.turn == kWon + 1 ? -1 : 0;
    out[1] = 0 - out[0];
  }

  static void observation(const State& state, int player, std::uint8_t* out) { planes(state, player, out); }
  static void features(const State& state, int player, float* out) { planes(state, player, out); }

  static void to_string(const State& state, char* out) {
    for (int square = 0; square < 9; ++square) {
      *out++ = (state.marks[0] >> square) & 1 ? 'x' : (state.marks[1] >> square) & 1 ? 'o' : '.';
      if (square % 3 == 2 && square < 8) *out++ = '\n';
    }
    *out = 0;
  }

  static void action_to_string(const State& state, Action action, char* out) {
    std::snprintf(out, facts.string_buffer_size, "%c(%d,%d)", state.turn == 0 ? 'x' : 'o', action / 3, action % 3);
  }

  static const char* invalid(const State& state) {
    const Word x = state.marks[0], o = state.marks[1];
    if ((x | o) > kBoard) return "a mark lies outside the board";
    if (x & o) return "a square holds both marks";
    const int lead = std::popcount(x) - std::popcount(o);
    if (lead != 0 && lead != 1) return "x and o did not move in turn";
    const bool x_line = has_line(x), o_line = has_line(o);
    if ((x_line && (o_line || lead != 1)) || (o_line && lead != 0)) return "play continued after a complete line";
    const Word turn = x_line ? kWon : o_line ? kWon + 1 : (x | o) == kBoard ? kDrawn : static_cast<Word>(lead);
    return state.turn == turn ? nullptr : "the player to move does not match the marks";
  }

 private:
  static constexpr Word kBoard = 0x1ff;
  static constexpr Word kWon = 2;  // and 3
  static constexpr Word kDrawn = 4;

  // Bit m is set if the set m of squares contains a line.
  static constexpr auto kHasLine = [] {
    std::array<Word, 8> table{};
    for (int marks = 0; marks < 512; ++marks) {
      for (int line : {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124}) {
        if ((marks & line) == line) table[marks / 64] |= Word{1} << (marks % 64);
      }
    }
    return table;
  }();

  static bool has_line(Word marks) { return (kHasLine[marks / 64] >> (marks % 64)) & 1; }

  template <class T>
  static void planes(const State& state, int player, T* out) {
    for (int plane = 0; plane < 2; ++plane) {
      const Word marks = state.marks[plane ^ player];
      for (int square = 0; square < 9; ++square) *out++ = static_cast<T>((marks >> square) & 1);
    }
  }
};

}  // namespace tablier

TABLIER_GAME(tablier::TicTacToe);
