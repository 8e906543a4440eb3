"""Lessons and puzzles for the page: positions, questions and replies to answers, with texts in every language."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from tablier.games import Facts, Home, home_of
from tablier.games.exercise import Exercise, Lesson, Puzzle, PuzzleSet
from tablier.messages import Message, Number, Text, everywhere
from tablier.registry import load_game, registered_games
from tablier.web.service import view
from tablier.web.service.refusal import Refused
from tablier.web.service.table import Table


def home_named(name: str) -> Home:
    """Returns the home of a game with its default options; refuses with 404 if there is no such game."""
    if name not in registered_games():
        raise Refused(404, "game.missing", name=name, names=", ".join(registered_games()))
    return home_of(load_game(name))


def listed_lessons() -> list[Facts]:
    """Returns the games that have lessons, each with the names of its lessons."""
    taught = ((home_named(name), name) for name in registered_games())
    return [
        {"game": name, "titles": everywhere(home.title), "lessons": [_heading(one) for one in lessons]}
        for home, name in taught
        if (lessons := home.lessons())
    ]


def _heading(lesson: Lesson) -> Facts:
    about = {"title": everywhere(lesson.title), "about": everywhere(lesson.about)}
    return {"name": lesson.name, "steps": len(lesson.steps)} | about


def lesson(game: str, name: str) -> Facts:
    """Returns a lesson with its steps; refuses with 404 if there is none of this name."""
    home = home_named(game)
    found = next((one for one in home.lessons() if one.name == name), None)
    if found is None:
        raise Refused(404, "lesson.missing", name=name)
    return _heading(found) | {"steps": [_step(home, one) for one in found.steps]}


def _step(home: Home, one: Exercise) -> Facts:
    told = {"why": everywhere(one.why), "hint": everywhere(one.hint), "right": sorted(one.right)}
    return posed(home, one) | told | {"log": thrown(one)}


def posed(home: Home, one: Exercise) -> Facts:
    """Returns an exercise as it is asked: the position as at a table, the question, and the answers to pick from."""
    options = [{"value": value, "text": everywhere(text)} for value, text in one.options.items()]
    return {
        "name": one.name,
        "question": one.question,
        "ask": everywhere(one.ask),
        "score": one.score,
        "source": everywhere(one.source) if one.source else None,
        "options": options,
        "view": position(home, one),
    }


def position(home: Home, one: Exercise) -> Facts:
    """Returns the position of an exercise as a view that a board can show and play on."""
    seats = [
        {"player": "human" if seat == one.viewer else "record", "you": seat == one.viewer, "label": label, "name": ""}
        for seat, label in enumerate(view.sides(home))
    ]
    moves = one.question == "move"
    return {
        "game": home.game.name,
        "titles": everywhere(home.title),
        "options": home.game.options(),
        "seats": seats,
        "to_move": one.state.current_player(),
        "your_turn": moves,
        "scene": view.in_words(dict(one.scene), view.SCENE_WORDS),
        "legal": view.legal(home, one.state) if moves else [],
    }


def retry(table: Table, at: int) -> Facts:
    """Returns a decision of a table as an exercise: the position after `at` actions; refuses if it is no decision."""
    state, story = table.past(at)
    seat = state.current_player()
    if seat < 0:
        raise Refused(409, "decision.none")
    home = table.home
    line = next((dict(entry) for entry in reversed(story.log) if entry["kind"] == "throw"), None)
    ask = Message("puzzle.retry", who=home.side(seat))
    one = Exercise(
        str(at), state, "move", ask, frozenset(), home.scene(state, story.memory), {}, viewer=seat, score=True
    )
    return posed(home, one) | {"log": [line] if line else []}


def thrown(one: Exercise) -> list[Facts]:
    """Returns the log of an exercise: the throw and what it scores."""
    line: dict[str, Any] = dict(one.thrown)
    return [{"version": 0, **view.in_words(line)}]


def listed_puzzles(day: str) -> list[Facts]:
    """Returns the games that have puzzles, each with its sets and the puzzle of a day.

    Args:
        day: any text; the same text gives the same puzzle.
    """
    homes = ((home_named(name), name) for name in registered_games())
    return [
        {
            "game": name,
            "titles": everywhere(home.title),
            "daily": puzzle_of_day(sets, day).name,
            "sets": [_puzzle_set(one) for one in sets],
        }
        for home, name in homes
        if (sets := home.puzzles())
    ]


def _puzzle_set(one: PuzzleSet) -> Facts:
    puzzles = [{"name": puzzle.name, "level": puzzle.level} for puzzle in one.puzzles]
    return {"name": one.name, "title": everywhere(one.title), "about": everywhere(one.about), "puzzles": puzzles}


def puzzle_of_day(sets: Sequence[PuzzleSet], day: str) -> Puzzle:
    """Returns the puzzle of a day: first its set, so that all kinds are equally frequent, then one of it."""
    number = int.from_bytes(hashlib.sha256(day.encode()).digest())
    puzzles = sets[number % len(sets)].puzzles
    return puzzles[number // len(sets) % len(puzzles)]


def _puzzle(home: Home, name: str) -> Exercise:
    found = next((one for group in home.puzzles() for one in group.puzzles if one.name == name), None)
    if found is None:
        raise Refused(404, "puzzle.missing", name=name)
    return found.exercise()


def puzzle(game: str, name: str) -> Facts:
    """Returns a puzzle, without its answer; refuses with 404 if there is none of this name."""
    home = home_named(game)
    return posed(home, _puzzle(home, name))


def verdict(game: str, name: str, answer: int) -> Facts:
    """Returns the reply to an answer; refuses if there is no such puzzle (404) or no such answer (422)."""
    home = home_named(game)
    one = _puzzle(home, name)
    known = one.losses or one.options
    if answer not in known:
        raise Refused(422, "puzzle.answer", answer=answer)
    best = min(one.right, key=lambda right: one.losses.get(right, 0.0))
    told = [everywhere(text) for text in _told(home, one, answer, best)]
    return {"right": answer in one.right, "told": told, "solution": best, "log": thrown(one)}


def _told(home: Home, one: Exercise, answer: int, best: int) -> list[Text]:
    if not one.losses:
        is_right = answer in one.right
        return [Message("puzzle.count.right") if is_right else Message("puzzle.count.wrong", answer=one.options[best])]
    names = {"best": _name(home, one, best), "played": _name(home, one, answer)}
    if answer == best:
        other = min((loss, other) for other, loss in one.losses.items() if other != best)[1]
        return [Message("puzzle.best", best=names["best"]), *_reasons(home, one, best, other)]
    if answer in one.right:
        return [Message("puzzle.close", best=names["best"])]
    cost = Number(one.losses[answer], ".1%")
    return [Message("puzzle.loses", cost=cost, **names), *_reasons(home, one, best, answer)]


def _name(home: Home, one: Exercise, answer: int) -> Text:
    return one.options[answer] if one.options else home.action(one.state, answer)


def _reasons(home: Home, one: Exercise, best: int, other: int) -> list[Text]:
    better, worse = one.action(best), one.action(other)
    found = home.reasons(one.state, better, worse) if better is not None and worse is not None else []
    return found or [Message("puzzle.later")]
