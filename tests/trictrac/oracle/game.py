"""Brute-force oracle for Trictrac, part 3: points, holes, the flow of an ordinary game
(rules.md sections 2, 10, 11, 12; contract.md 2) and the price of a marqué (section 15)."""

from .plays import CORNER, DEFAULT, START, legal_plays, mirror, own, own_total
from .scoring import Score, score_throw, value_of


def mark(points, run, holes, i, x):
    """Section 10.  Returns new (points, run, holes) as tuples; x = 0 marks nothing."""
    points, run, holes, j = list(points), list(run), list(holes), 1 - i
    if x > 0:
        if points[i] == 0:
            run[i] = True
        if points[j] > 0:
            run[j] = False
        points[i] += x
        while points[i] >= 12:
            holes[i] += 2 if run[i] else 1
            points[i] -= 12
            points[j] = 0
            run[j] = False
            run[i] = True
    return tuple(points), tuple(run), tuple(holes)


def consolation(refaits=0, model="doubling"):
    """Section 15.5."""
    return 2 * 2**refaits if model == "doubling" else 2 * (refaits + 1)


def marque_payment(winner_holes, loser_holes, grade="single", refaits=0, model="doubling"):
    """Section 15.5: tokens paid by the loser.  grade: single, petite or grande."""
    k = {"single": 1, "petite": 2, "grande": 4}[grade]
    return k * winner_holes + k * consolation(refaits, model) - loser_holes


def is_refait(holes):
    """Section 15.3, asked when a player leaves."""
    return holes[0] == holes[1] and holes[0] >= 6


class GameOracle:
    """State of one ordinary game.  `board` is seen from White's side; legal() and choose() use the
    mover's side.  stage: draw, roll, hold_or_leave, move, over.  Nothing is passed through silently
    except marking; a throw that cannot be played is still choose()n (the board stays)."""

    def __init__(self, options=DEFAULT):
        self.options = options
        self.board = START
        self.points, self.run, self.holes = (0, 0), (False, False), (0, 0)
        self.throws = [0, 0]  # per player, in this setting
        self.settings = 1
        self.throws_in_game = 0
        self.first_dice = None  # for jan_de_rencontre
        self.just_took_corner = [False, False]  # did the player's last throw take their corner?
        self.hole_log = []  # winner of each marking that made holes, in order
        self.turn = 0
        self.dice = None
        self.score = Score()
        self.winner = None
        self.stage = "roll" if options.first_throw == "white" else "draw"

    # -------- queries
    def mover_board(self):
        return self.board if self.turn == 0 else mirror(self.board)

    def legal(self):
        assert self.stage == "move"
        return legal_plays(self.mover_board(), self.dice, self.options)

    def started_second(self, i):
        """Section 12: i won their first hole after the other had won one."""
        return i in self.hole_log and self.hole_log[0] != i

    def holes_run(self, i):
        """Section 12: every hole of i won with no hole of the other in between, from their first on,
        and still open (a hole of the other after them ends it: no re-entry, F 225)."""
        if i not in self.hole_log:
            return False
        return all(w == i for w in self.hole_log[self.hole_log.index(i) :])

    def stake(self):
        """Section 12, asked when the game is over."""
        assert self.stage == "over"
        w, loser = self.winner, 1 - self.winner
        if self.options.stake_rule == "single":
            return 1
        if self.options.stake_rule == "double":
            return 2 if self.holes_run(w) else 1
        if self.holes[loser] == 0:
            return 4
        if self.started_second(w) and self.holes_run(w):
            return 3
        return 2 if self.holes[loser] < 6 else 1

    # -------- actions
    def roll(self, d1, d2):
        if self.stage == "draw":  # section 2.1: White's die, Black's die
            if d1 == d2:
                return
            self.turn = 0 if d1 > d2 else 1
            self.stage = "roll"
            if self.options.first_throw == "fresh_roll":
                return
        assert self.stage == "roll"
        self.throws_in_game += 1
        self._throw(d1, d2)

    def _throw(self, d1, d2):
        """Section 2.3 (a), (b), (c)."""
        p = self.turn
        self.dice = (d1, d2)
        self.throws[p] += 1
        self.score = score_throw(self.mover_board(), self.dice, self.throws[p], self.options, self.just_took_corner[p])
        if self.throws_in_game == 1:
            self.first_dice = sorted(self.dice)
        if self.options.jan_de_rencontre and self.throws_in_game == 2 and sorted(self.dice) == self.first_dice:
            self.score.jans["jan_de_rencontre"] = 1
            self.score.player_points, self.score.opponent_points = value_of(self.score.jans, d1 == d2)
        made_hole = self._mark(p, self.score.player_points)
        if self.stage != "over":
            self.stage = "hold_or_leave" if made_hole else "move"

    def _mark(self, i, x):
        """Marks, keeps the order of the holes, checks for the end (section 12).  True if i made a hole."""
        before = self.holes[i]
        self.points, self.run, self.holes = mark(self.points, self.run, self.holes, i, x)
        if self.holes[i] == before:
            return False
        self.hole_log.append(i)
        if self.holes[i] >= self.options.holes_to_win:
            self.winner, self.stage = i, "over"
        return True

    def _new_setting(self):
        """Men back on the talons, throw counters restart; self.turn throws first."""
        self.board = START
        self.throws = [0, 0]
        self.just_took_corner = [False, False]
        self.settings += 1
        self.dice = None
        self.stage = "roll"

    def leave(self):
        """Section 11: all points and runs to zero, the opponent marks nothing, the leaver throws again."""
        assert self.stage == "hold_or_leave"
        self.points, self.run = (0, 0), (False, False)
        self._new_setting()

    def hold(self):
        assert self.stage == "hold_or_leave"
        self.stage = "move"

    def choose(self, final):
        """Section 2.3 (d), (e), (f).  final: the board after the play, from the mover's side."""
        assert self.stage == "move"
        final = tuple(final)
        assert final in self.legal(), "illegal play"
        p = self.turn
        self.just_took_corner[p] = own(self.mover_board(), CORNER) == 0 and own(final, CORNER) == 2
        self.board = final if p == 0 else mirror(final)
        self._mark(1 - p, self.score.opponent_points)
        if self.stage == "over":
            return
        if own_total(final) == 0:  # section 6: all men out; same player throws again
            dice = self.dice
            self._new_setting()
            if self.options.last_throw_carries_over:
                self._throw(*dice)  # F 118: also the first throw of the new setting
            return
        self.turn = 1 - p
        self.dice = None
        self.stage = "roll"
