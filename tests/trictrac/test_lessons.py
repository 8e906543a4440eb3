"""The lessons against the engine: every position, every answer, and every number that the words say."""

import json
import re
from pathlib import Path

import pytest

from tablier._core import trictrac
from tablier.analysis import candidates
from tablier.games.trictrac import lessons
from tablier.games.trictrac.jans import throw_jans
from tablier.games.trictrac.lessons.drawn import board
from tablier.games.trictrac.plays import plays
from tablier.messages import languages, render, templates
from tablier.registry import load_game

GAME = load_game("trictrac")
STEPS = [(lesson["name"], step) for lesson in lessons.raw() for step in lesson["steps"]]
NAMES = [f"{lesson}.{step['name']}" for lesson, step in STEPS]
VECTORS = [json.loads(line) for line in Path(__file__).with_name("vectors.jsonl").read_text().splitlines()]
each_step = pytest.mark.parametrize(("lesson", "step"), STEPS, ids=NAMES)

RULES = {2, 4, 6, 12, 13, 15, 24, 1, 7, 18, 19}
"""Numbers of the rules: the tariff, twelve points and holes, fifteen men, talons and corners, the bounds of jans."""
WORDS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze",
}


def throw_of(step):
    return lessons.Throw.of(step, GAME)


def ways(throw):
    return [way for jan in throw_jans(throw.after) for way in jan.details]


def landings(throw):
    """Returns every field where a man of a legal play starts, rests or stops."""
    now = trictrac.parts(throw.after)
    a, b = now.dice
    found = set()
    for play in plays(now.board_from(now.player), now.dice):
        for start, stop in play.moves:
            found |= {start, stop, start + a, start + b}
    return found


def fields(throw, step):
    """Returns the fields that words may name: those with men, those a play touches, those of a way, and the jans'."""
    now = trictrac.parts(throw.after)
    men = now.board_from(throw.player)
    touched = {place for way in ways(throw) for place in (way.source, way.target, way.rest)} | landings(throw)
    a, b = now.dice
    rests = {way.source + number for way in ways(throw) for number in (a, b)}
    filled = {place for jan in throw_jans(throw.after) for place in jan.fields}
    return {n + 1 for n, count in enumerate(men) if count} | touched | rests | filled | RULES


def numbers(throw, step):
    """Returns the numbers that words may say, besides those of the rules."""
    said = set(lessons.numbers(throw, step).values())
    before = trictrac.parts(throw.before)
    said |= {*before.points, *before.holes, before.points[throw.player] + throw.due[0]}
    return said | {jan.points for jan in throw_jans(throw.after)} | {jan.ways for jan in throw_jans(throw.after)}


def texts(lesson, step, lang):
    for name in ("ask", "why", "hint"):
        yield templates(lang)[f"trictrac.lesson.{lesson}.{step['name']}.{name}"]


def said_numbers(text, lang):
    """Yields the literal numbers of a template from 3 on, in digits and in words, without years."""
    plain = re.sub(r"\{\w+\}", " ", text)
    words = WORDS[lang].split()
    for found in re.findall(r"\d+", plain):
        if int(found) < 1000:
            yield int(found)
    for word in re.findall(r"[a-zé]+", plain.lower()):
        if word in words[3:]:
            yield words.index(word)


def test_the_path_teaches_everything_in_order():
    assert [one["name"] for one in lessons.raw()] == [
        "moving", "resting", "corner", "hitting", "filling", "marking", "holes", "leaving", "return", "schools",
    ]  # fmt: skip
    assert len(NAMES) == len(set(NAMES)) >= 40


@each_step
def test_every_position_can_be_reached_and_its_question_has_an_answer(lesson, step):
    one = lessons.exercise(lesson, step, GAME)
    if one.question == "move":
        assert one.right
        assert one.right <= set(one.state.legal_actions())
        wished = step.get("plays")
        assert len(one.right) == (len(wished) if wished else len(one.state.legal_actions()))
    else:
        assert one.right < set(one.options)


@each_step
def test_every_field_that_is_named_is_there(lesson, step):
    throw = throw_of(step)
    known = fields(throw, step)
    for lang, word in (("en", "fields?"), ("fr", "flèches?")):
        for text in texts(lesson, step, lang):
            for found in re.findall(rf"\b{word} (\d+)(?:(?:, (\d+))? (?:and|et|to|à|or|ou) (\d+))?", text):
                assert {int(number) for number in found if number} <= known, text


@each_step
def test_every_number_is_the_engines(lesson, step):
    throw = throw_of(step)
    known = fields(throw, step) | numbers(throw, step)
    for lang in languages():
        for text in texts(lesson, step, lang):
            assert set(said_numbers(text, lang)) <= known, text


@each_step
def test_points_are_said_by_the_engine_or_are_the_tariff(lesson, step):
    """A literal number of points is a value of the tariff or a score on the board; all others are placeholders."""
    before = trictrac.parts(throw_of(step).before)
    tariff = {value for simple, doublet, _ in trictrac.tariff().values() for value in (simple, doublet)}
    for lang in languages():
        for text in texts(lesson, step, lang):
            for found in re.findall(r"(\d+) points?", text):
                assert int(found) in tariff | set(before.points), text


@each_step
def test_the_words_can_be_said_in_every_language(lesson, step):
    one = lessons.exercise(lesson, step, GAME)
    for lang in languages():
        for text in (one.ask, one.why, one.hint, *one.options.values()):
            assert "{" not in render(text, lang)


def steps_named(*names):
    return [step for (_, step), name in zip(STEPS, NAMES, strict=True) if name in names]


@pytest.mark.parametrize(
    "step", steps_named("leaving.hold", "leaving.leave", "leaving.threat"), ids=lambda s: s["name"]
)
def test_to_hold_or_to_leave_is_as_the_champion_judges(step):
    ranked = candidates(throw_of(step).after, "champion:plies=1")
    side = {"hold": False, "leave": True}
    best = {leaves: next(one for one in ranked if (one.action == trictrac.LEAVE) == leaves) for leaves in side.values()}
    right = side[step["right"]]
    assert best[right].win_chance > best[not right].win_chance + 0.05


def test_claims_of_the_texts():
    """What the words say beyond numbers."""
    by = dict(zip(NAMES, (step for _, step in STEPS), strict=True))
    scores = {name: throw_of(step).due for name, step in by.items()}
    assert scores["hitting.false"] == (0, 4)  # only the opponent marks
    assert all(min(scores[name]) > 0 for name in ("hitting.true_and_false", "marking.unplayable", "leaving.threat"))
    assert scores["filling.break"] == (0, 0)
    assert len(plays(board(by["filling.break"]["board"]), (5, 5))) == 1
    assert len(plays(board(by["resting.forbidden"]["board"]), (6, 5))) == 1
    alone = plays(board(by["corner.not_alone"]["board"]), (6, 1))
    assert all(play.board[11] == 0 for play in alone)
    drawn = [one for one in VECTORS if one["board"] == board(by["filling.three_ways"]["board"])]
    assert any("1818" in one["source"] and one["dice"] == [3, 2] for one in drawn)
    assert scores["schools.right"][0] == by["schools.right"]["marked"]
    assert throw_of(by["holes.hole"]).holes == 1
    assert throw_of(by["holes.bredouille"]).holes == throw_of(by["holes.second"]).holes == 2


@pytest.mark.parametrize(
    "drawing", ["1:15", "1:x | 24:15", "25:1 | 24:15", "1:14 1:1 | 24:15", "0:15 | 24:15", "1:8 | 1:7"]
)
def test_a_drawing_that_is_wrong_is_refused(drawing):
    with pytest.raises(ValueError, match=r"drawing|field"):
        board(drawing)
