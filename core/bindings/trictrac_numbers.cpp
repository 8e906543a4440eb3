// The numbers of Trictrac under their names: stages, what schools ask, jans, actions.
#include <nanobind/stl/pair.h>

#include "trictrac_parts.h"

namespace tablier {

using namespace nb::literals;
using namespace trictrac;

namespace {

void bind_enums(nb::module_& module) {
  nb::enum_<Stage>(module, "Stage", "The stages of a turn.", nb::is_arithmetic())
      .value("ROLL_WAITING", Stage::kRollWaiting)
      .value("ROLL_DICE", Stage::kRollDice)
      .value("MARK_POINTS", Stage::kMarkPoints)
      .value("HOLD_OR_GO", Stage::kHoldOrGo)
      .value("MOVE", Stage::kMove)
      .value("MARK_THEIR_POINTS", Stage::kMarkTheirPoints);
  nb::enum_<School>(module, "SchoolStep", "What is decided about the points of a throw, with schools.",
                    nb::is_arithmetic())
      .value("NONE", School::kNone)
      .value("DECLARE", School::kDeclare)
      .value("CLAIM_AGAINST_MOVER", School::kClaimAgainstMover)
      .value("CLAIM_AGAINST_OTHER", School::kClaimAgainstOther)
      .value("CLAIM_AFTER_GO", School::kClaimAfterGo)
      .value("CLAIM_AFTER_WIN", School::kClaimAfterWin)
      .value("DECIDE_FILLING", School::kDecideFilling);
  nb::enum_<Jan> jans(module, "Jan", "What a throw scores; the names are those of records.", nb::is_arithmetic());
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
        if (outcome < 0 || outcome >= kThrowCount) throw nb::value_error("the outcomes of a throw are 0 to 35");
        const auto [d1, d2] = throw_of(outcome);
        return std::pair(d1, d2);
      },
      "outcome"_a, "The dice of a chance outcome.");
  module.def(
      "outcome",
      [](int d1, int d2) {
        check_dice(d1, d2);
        return outcome_of(d1, d2);
      },
      "d1"_a, "d2"_a, "The chance outcome of these dice.");
  module.def("is_move", &is_move, "action"_a, "Whether an action of a player moves men, or passes.");
  module.def("declaration", &declaration_of, "amount"_a, "The action that declares these points.");
  module.def("claim", &claim_of, "amount"_a, "The action that claims a school of these points.");
  module.def("amount", &amount_of, "action"_a, "The points that an action declares or claims; 0 for every other.");
}

}  // namespace tablier
