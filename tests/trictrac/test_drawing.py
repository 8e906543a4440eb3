"""The drawing of the Trictrac board: its contents, that it is self-contained, and that bad input is refused."""

from xml.etree import ElementTree

import numpy as np
import pytest

from tablier.games.trictrac.drawing import MIDDLE, draw

SVG = "{http://www.w3.org/2000/svg}"
START = [15] + [0] * 22 + [-15]


def board(white: dict[int, int], black: dict[int, int]) -> list[int]:
    return [white.get(field, 0) - black.get(field, 0) for field in range(1, 25)]


MIDDLE_GAME = board(
    {1: 3, 3: 1, 6: 2, 7: 2, 8: 2, 9: 1, 10: 2, 12: 2}, {24: 6, 22: 1, 20: 1, 19: 2, 18: 2, 16: 1, 13: 2}
)
BEARING_OFF = board({19: 1, 20: 2, 22: 2, 23: 3, 24: 2}, {1: 2, 2: 1, 4: 2, 5: 2, 8: 3, 13: 2})


def rich(**changes):
    asked = {
        "dice": (5, 3),
        "points": (6, 8),
        "holes": (4, 7),
        "points_run": (False, True),
        "pavillon": 1,
        "player": 0,
        "highlight": (9, 11, 22),
        "arrows": ((6, 9), (6, 11)),
        "title": "5-3 & <fill>",
    }
    return draw(MIDDLE_GAME, **(asked | changes))


def all_of(svg: str, kind: str) -> list[ElementTree.Element]:
    """Returns every element of the drawing whose first class is this kind, in drawing order."""
    return [e for e in ElementTree.fromstring(svg).iter() if e.get("class", "").split(" ")[0] == f"trictrac-{kind}"]


def place(element: ElementTree.Element) -> tuple[float, float]:
    x, y = element.get("transform", "").removeprefix("translate(").split(")")[0].split()
    return float(x), float(y)


def colours(elements: list[ElementTree.Element]) -> list[str]:
    return [element.get("class", "").split(" ")[1] for element in elements]


def ids(svg: str) -> set[str]:
    found = [e.get("id") for e in ElementTree.fromstring(svg).iter() if e.get("id")]
    assert len(found) == len(set(found))
    return set(found)


def test_start_position_shows_two_talons_of_fifteen_at_the_right():
    svg = draw(START)
    men = all_of(svg, "man")
    assert colours(men) == ["ivory"] * 15 + ["ebony"] * 15
    assert len({place(man)[0] for man in men}) == 1
    assert all(place(man)[1] > MIDDLE for man in men[:15])
    assert all(place(man)[1] < MIDDLE for man in men[15:])
    assert [e.text for e in all_of(svg, "count")] == ["15", "15"]
    assert len(all_of(svg, "fleche")) == 24
    assert len(all_of(svg, "hole")) == 12 + 12 + 3
    assert not all_of(svg, "off") + all_of(svg, "die") + all_of(svg, "highlight") + all_of(svg, "arrow")


def test_fields_run_right_to_left_below_and_left_to_right_above():
    at = {field: place(all_of(draw(board({field: 1}, {})), "man")[0]) for field in range(1, 25)}
    assert [at[field][0] for field in range(1, 13)] == sorted((at[f][0] for f in range(1, 13)), reverse=True)
    for field in range(1, 13):
        assert at[field][0] == at[25 - field][0]
        assert at[25 - field][1] < MIDDLE < at[field][1]


@pytest.mark.parametrize("count", range(1, 16))
def test_a_stack_of_any_height_stays_in_its_half_and_tells_its_number_above_five(count):
    svg = draw(board({7: count}, {}))
    heights = [place(man)[1] for man in all_of(svg, "man")]
    assert len(set(heights)) == count
    assert heights == sorted(heights, reverse=True)
    assert min(heights) > MIDDLE + 24 + 30  # room for jetons and dice in the middle
    assert [e.text for e in all_of(svg, "count")] == ([str(count)] if count > 5 else [])


def test_men_borne_off_are_shown_beside_the_board():
    svg = draw(BEARING_OFF)
    assert colours(all_of(svg, "man")).count("ivory") == 10
    assert colours(all_of(svg, "off")) == ["ivory"] * 5 + ["ebony"] * 3
    assert "5 off" in svg
    assert "5 off the board" in svg


def test_highlights_arrows_and_dice():
    svg = rich()
    assert len(all_of(svg, "highlight")) == 3
    assert len(all_of(svg, "arrow")) == 2
    pips = [len(list(die.iter(f"{SVG}circle"))) for die in all_of(svg, "die")]
    assert pips == [5, 3]
    assert all(place(die)[1] > MIDDLE for die in all_of(svg, "die"))
    assert all(place(die)[1] < MIDDLE for die in all_of(rich(player=1), "die"))
    assert len(all_of(draw(BEARING_OFF, arrows=[(19, 25), (5, 0), (8, 13), (8, 4)]), "arrow")) == 4


def test_jetons_walk_from_the_talon_over_the_bar_to_the_corner():
    spots = [place(all_of(draw(START, points=(points, 0)), "jeton")[0]) for points in range(0, 12, 2)]
    assert [x for x, _ in spots] == sorted((x for x, _ in spots), reverse=True)
    assert all(y > MIDDLE for _, y in spots)


def test_the_third_jeton_goes_to_the_player_in_bredouille():
    assert len(all_of(draw(START), "jeton")) == 3
    jetons = all_of(draw(START, points=(4, 8), points_run=(False, True)), "jeton")
    assert [place(jeton)[1] < MIDDLE for jeton in jetons] == [False, True, True]
    assert "8 points, bredouille" in draw(START, points=(4, 8), points_run=(False, True))
    assert "bredouille" not in draw(START, points_run=(True, True))  # without points there is nothing to double


def test_fichets_count_holes_and_the_pavillon_stands_by_its_owner():
    white, black = all_of(draw(START, holes=(12, 1)), "fichet")
    assert place(white)[0] == place(all_of(draw(board({12: 1}, {})), "man")[0])[0]
    assert place(black)[0] == place(all_of(draw(START), "man")[0])[0]
    assert place(all_of(draw(START, holes=(14, 1)), "fichet")[0]) == place(white)
    for owner in (0, 1):
        svg = draw(START, holes=(5, 3), pavillon=owner)
        (flag,) = all_of(svg, "pavillon")
        assert abs(place(flag)[0] - place(all_of(svg, "fichet")[owner])[0]) < 20
        assert f"{('White', 'Black')[owner]} has the flag." in svg


def test_swapped_exchanges_the_colours_of_the_men_only():
    svg = draw(START, swapped=True)
    assert colours(all_of(svg, "man")) == ["ebony"] * 15 + ["ivory"] * 15
    assert "White: 15 on field 1." in svg


def test_title_and_description_tell_the_position_in_words():
    root = ElementTree.fromstring(rich())
    assert root.get("role") == "img"
    title, words = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("aria-labelledby") == f"{title.get('id')} {words.get('id')}"
    assert title.text == "5-3 & <fill>"
    for part in (
        "2 on field 12",
        "6 on field 24",
        "4 holes, 6 points, to play.",
        "Dice 5 and 3.",
        "Black has the flag",
    ):
        assert part in words.text


def test_hostile_titles_stay_text():
    hostile = "</title><script>alert(1)</script>\0\x0b\ud800 \"'& é"
    root = ElementTree.fromstring(draw(START, title=hostile))
    assert root.find(f"{SVG}title").text == "</title><script>alert(1)</script> \"'& é"
    assert not list(root.iter(f"{SVG}script"))


def test_ids_differ_between_drawings_and_every_reference_is_its_own():
    first, second = draw(START), rich()
    assert not ids(first) & ids(second)
    for svg in (first, second):
        used = {part.split(")")[0] for part in svg.split("url(#")[1:]}
        assert used <= ids(svg)


def test_drawing_is_deterministic_small_and_self_contained():
    assert rich() == rich()
    assert draw(np.array(MIDDLE_GAME, dtype=np.int8)) == draw(MIDDLE_GAME)
    for svg in (draw(START), rich(), draw(BEARING_OFF)):
        assert len(svg.encode()) < 40_000
        assert svg.count("http") == 1  # the namespace
        assert "<script" not in svg
        assert "href" not in svg


def test_labels_and_width():
    assert [e.text for e in all_of(draw(START), "label")] == [str(field) for field in range(1, 25)]
    assert not all_of(draw(START, labels=False), "label")
    assert ElementTree.fromstring(draw(START, width=400)).get("width") == "400"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"board": [0] * 23}, "24 fields; got 23"),
        ({"board": [8, 8] + [0] * 22}, "White must have at most 15 men; got 16"),
        ({"board": [0] * 22 + [-15, -1]}, "Black must have at most 15 men; got 16"),
        ({"board": [1.5] + [0] * 23}, "an integer; got 1.5"),
        ({"board": [16] + [0] * 23}, "from -15 to 15; got 16"),
        ({"dice": (7, 1)}, "dice must be from 0 to 6; got 7"),
        ({"dice": (3, 0)}, "two numbers from 1 to 6"),
        ({"dice": (3,)}, "dice must be a pair"),
        ({"points": (12, 0)}, "points must be from 0 to 11; got 12"),
        ({"points_run": (True,)}, "points_run must be a pair"),
        ({"holes": (0, -1)}, "holes must be at least 0; got -1"),
        ({"pavillon": 2}, "pavillon .* got 2"),
        ({"player": -1}, "player .* got -1"),
        ({"highlight": [25]}, "highlighted field must be from 1 to 24; got 25"),
        ({"arrows": [(3, 26)]}, "end of an arrow must be from 0 to 25; got 26"),
        ({"arrows": [(0, 3)]}, "start of an arrow must be from 1 to 24; got 0"),
        ({"arrows": [(3, 3)]}, "different fields"),
        ({"width": 0}, "width must be at least 1; got 0"),
    ],
)
def test_nonsense_is_refused_with_the_reason(wrong, message):
    asked = {"board": START} | wrong
    with pytest.raises(ValueError, match=message):
        draw(asked.pop("board"), **asked)


def test_a_state_draws_itself():
    import tablier
    from tablier.testing import random_nodes

    for state in random_nodes(tablier.load_game("trictrac"), seed=4):
        ElementTree.fromstring(state.svg(width=400))
    assert state._repr_svg_() == state.svg()
    scored = tablier.load_game("trictrac_a_ecrire").new_initial_state()
    assert "White: 15 on field 1." in scored.svg()


def test_a_game_without_a_picture_says_so(race):
    state = race.new_initial_state()
    assert state._repr_svg_() is None
    with pytest.raises(ValueError, match="race has no picture"):
        state.svg()
