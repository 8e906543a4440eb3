// Binds the constants of Trictrac (stages, jans, actions), and conversions between numbers and their meaning.
#include <nanobind/stl/pair.h>

#include "trictrac_parts.h"

namespace tablier {

using namespace nb::literals;
using namespace trictrac;

namespace {

void bind_enums(nb::module_& module) {
  nb::enum_<Stage>(module, "Stage", "A stage of a turn.", nb::is_arithmetic())
      .value("ROLL_WAITING", Stage::kRollWaiting)
      .value("ROLL_DICE", Stage::kRollDice)
      .value("MARK_POINTS", Stage::kMarkPoints)
      .value("HOLD_OR_GO", Stage::kHoldOrGo)
      .value("MOVE", Stage::kMove)
      .value("MARK_THEIR_POINTS", Stage::kMarkTheirPoints);
  nb::enum_<School>(module, "SchoolStep", "The decision about the points of a throw, when schools are played.",
                    nb::is_arithmetic())
      .value("NONE", School::kNone)
      .value("DECLARE", School::kDeclare)
      .value("CLAIM_AGAINST_MOVER", School::kClaimAgainstMover)
      .value("CLAIM_AGAINST_OTHER", School::kClaimAgainstOther)
      .value("CLAIM_AFTER_GO", School::kClaimAfterGo)
      .value("CLAIM_AFTER_WIN", School::kClaimAfterWin)
      .value("DECIDE_FILLING", School::kDecideFilling);
  nb::enum_<Jan> jans(module, "Jan", "A way to score with a throw. Game records use these names.", nb::is_arithmetic());
  for (int jan = 0; jan < kJanCount; ++jan) jans.value(kJanNames[jan], static_cast<Jan>(jan));
}

}  // namespace

void bind_trictrac_numbers(nb::module_& module) {
  bind_enums(module);
  const auto number = [&module](const char* name, int value) { module.attr(name) = value; };
  number("ROLL", kRoll);
  number("LEAVE", kGo);
  number("FIRST_MOVE", kDie1First);
  number("DECLARE", kDeclare);
  number("CLAIM", kClaim);
  number("CORRECT", kForceCorrect);
  number("NO_CLAIM", kPassClaim);
  number("FILL", kHaveItFilled);
  number("NOTHING_CLAIMED", kNoClaim);
  number("CORRECTION_CLAIMED", kForce);
  number("MOST_DECLARED", kMostDeclared);
  number("MOST_THROWS", kMostThrows);
  number("MOST_TOKENS", kMostTokens);
  number("MOST_MARQUES", kMostMarques);

  module.def(
      "throw",
      [](int outcome) {
        if (outcome < 0 || outcome >= kThrowCount) throw nb::value_error("outcome must be from 0 to 35");
        const auto [d1, d2] = throw_of(outcome);
        return std::pair(d1, d2);
      },
      "outcome"_a, "Returns the two dice of a chance outcome; raises ValueError unless it is from 0 to 35.");
  module.def(
      "outcome",
      [](int d1, int d2) {
        check_dice(d1, d2);
        return outcome_of(d1, d2);
      },
      "d1"_a, "d2"_a, "Returns the chance outcome of two dice; raises ValueError unless they are from 1 to 6.");
  module.def("is_move", &is_move, "action"_a, "Returns whether a player action is a move; a pass counts as one.");
  module.def("declaration", &declaration_of, "amount"_a, "Returns the action that declares this amount of points.");
  module.def("claim", &claim_of, "amount"_a, "Returns the action that claims a school of this amount of points.");
  module.def("amount", &amount_of, "action"_a,
             "Returns the points that an action declares or claims; 0 for all other actions.");
}

}  // namespace tablier
