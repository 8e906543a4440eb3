"""How backgammon looks and reads: pictures, texts, kinds of decisions, and the data of the page."""

import random
from xml.etree import ElementTree

import pytest
from positions import setup

import tablier
from tablier.games import home_of
from tablier.messages import everywhere, render

GAME = tablier.load_game("backgammon")
HOME = home_of(GAME)
USUAL = ("6:5 8:3 13:5 24:2", "6:5 8:3 13:5 24:2")
SVG = "{http://www.w3.org/2000/svg}"


def drawn(state, kind, **settings):
    tree = ElementTree.fromstring(state.svg(**settings))
    return [e for e in tree.iter() if e.get("class", "").split(" ")[0] == f"backgammon-{kind}"]


def place(element):
    x, y = element.get("transform").removeprefix("translate(").split(")")[0].split()
    return float(x), float(y)


def test_the_picture_has_every_man_on_its_point():
    state = setup(GAME, *USUAL, dice=(3, 1))
    men = drawn(state, "man")
    assert [man.get("class").split()[1] for man in men].count("ivory") == 15
    assert len(men) == 30
    assert [len(list(die.iter(f"{SVG}circle"))) for die in drawn(state, "die")] == [3, 1]
    assert not drawn(state, "off") + drawn(state, "arrow") + drawn(state, "highlight")


def test_the_bar_and_men_borne_off_are_drawn():
    state = setup(GAME, "bar:2 6:5", "bar:7 1:2", dice=(3, 1))
    bar = [man for man in drawn(state, "man") if place(man)[0] == 441]  # the middle of the bar
    assert [man.get("class").split()[1] for man in bar] == ["ivory"] * 2 + ["ebony"] * 7
    assert [count.text for count in drawn(state, "count")] == ["7"]
    assert len(drawn(state, "off")) == 8 + 6


def test_arrows_highlights_and_numbers_from_the_other_side():
    state = setup(GAME, "bar:1 6:5 8:3 13:5 24:1", USUAL[1], dice=(3, 1))
    assert len(drawn(state, "arrow", arrows=[(25, 22), (6, 5), (1, 0), (0, 4)])) == 4
    assert len(drawn(state, "highlight", highlight=[5, 22])) == 2
    numbers = [label.text for label in drawn(state, "label", numbering=1)]
    assert numbers == [str(n) for n in range(24, 0, -1)]
    for wrong in ({"highlight": [0]}, {"arrows": [(5, 5)]}, {"width": 0}, {"numbering": 2}, {"arrows": [(26, 1)]}):
        with pytest.raises(ValueError, match="must be"):
            state.svg(**wrong)


def test_the_picture_is_told_in_words_in_both_languages():
    state = setup(GAME, "bar:1 6:5", "1:2", dice=(3, 1), player=1)
    told = everywhere(HOME.describe(state))
    assert "Black: 5 on point 6, 1 on the bar, 9 borne off." in told["en"]
    assert "Noir a amené 3 et 1." in told["fr"]
    assert state.svg(lang="fr").count("Noir") >= 2


def test_pixels():
    pytest.importorskip("PIL")
    from tablier.raster import rgb_array

    empty, full = (rgb_array(setup(GAME, men, "1:2")) for men in ("1:1", "bar:7 6:5 1:3"))
    assert empty.shape == full.shape == (608, 882, 3)
    assert (empty != full).any()


def text_of(state, viewer):
    return ["".join(part for part, _ in line) for line in HOME.board(state, viewer, "en", None, False)]


def test_the_text_board_is_seen_from_either_side():
    state = setup(GAME, "bar:1 6:5 8:3 13:5 24:1", "6:5 8:3 13:5 24:2", dice=(3, 1))
    white, black = text_of(state, 0), text_of(state, 1)
    assert white[0] == black[0]
    assert white[2][-3:] == "x |"  # one man on White's 24
    assert black[2][-3:] == "o |"
    assert white[-1] == "    x  White 168 pips, 1 on the bar"
    assert black[-1] == "    o  Black 167 pips"


def test_points_that_changed_are_highlighted():
    before = setup(GAME, *USUAL, dice=(3, 1))
    after = before.child(HOME.read(before, "8/5 6/5"))
    marked = [
        text.strip() for line in HOME.board(after, 0, "en", before, True) for text, style in line if "yellow" in style
    ]
    assert marked == ["8", "6", "5"]


def told(state, action):
    return {lang: render(HOME.tell(state, action, state.child(action)), lang) for lang in ("en", "fr")}


def test_the_course_of_a_game_is_told():
    state = GAME.new_initial_state()
    assert told(state, 0)["en"] == "Opening roll: 1 each; roll again."
    assert told(state, 2)["en"] == "Opening roll: White 1, Black 3. Black starts and plays these dice."
    doublet = setup(GAME, *USUAL, dice=(3, 3), player=1)
    half = HOME.read(doublet, "8/5(2)")
    assert told(doublet, half)["en"] == "Black plays 8/5(2), the first half of the doublet."
    assert told(doublet, half)["fr"] == "Noir joue 8/5(2), la première moitié du doublet."
    shut = setup(GAME, "bar:1 6:14", "1:2 2:2 3:2 4:2 5:2 6:2 8:3", dice=(3, 1))
    assert told(shut, shut.legal_actions()[0])["en"] == "White cannot play."


@pytest.mark.parametrize(
    ("loser", "scoring", "result"),
    [
        ("1:14", "full", "White wins the game."),
        ("1:15", "full", "White wins a gammon: 2 points."),
        ("1:14 20:1", "full", "White wins a backgammon: 3 points."),
        ("1:14 20:1", "gammons", "White wins a gammon: 2 points."),
        ("1:14 20:1", "win_loss", "White wins the game."),
    ],
)
def test_results(loser, scoring, result):
    game = tablier.load_game("backgammon", scoring=scoring)
    state = setup(game, "", loser, winner=0)
    assert render(home_of(game).result(state), "en") == result


@pytest.mark.parametrize(
    ("mover", "other", "kind"),
    [
        (*USUAL, "move"),
        ("6:5 5:5 8:5", "6:5 5:5 8:5", "race"),
        ("6:5 5:5 4:5", "6:5 5:5 8:5", "bearing_off"),
        ("6:5 5:5 4:5", "6:5 5:5 24:1", "move"),
        ("6:5 5:5 4:5", "6:5 5:5 bar:1", "move"),
    ],
)
def test_kinds_of_decisions(mover, other, kind):
    for player in (0, 1):
        assert HOME.decision_kind(setup(GAME, mover, other, dice=(2, 1), player=player)) == kind


def test_kinds_have_names():
    for kind in ("race", "bearing_off"):
        assert len(set(everywhere(HOME.kind_name(kind)).values())) == 2


def test_the_rules_have_sections_in_both_languages():
    sections = list(HOME.rules())
    assert len(sections) == 8
    for title, paragraphs in sections:
        assert all(render(text, "en") != render(text, "fr") for text in (title, *paragraphs))


def test_every_order_of_steps_is_a_legal_way_to_the_same_position():
    chance, seen = random.Random(4), 0
    for start in ("standard", "hyper"):
        game = tablier.load_game("backgammon", start=start)
        home, state = home_of(game), game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() >= 0:
                for one in home.legal(state):
                    goal = state.child(one["action"])
                    for order in one["orders"]:
                        men = [(begin, die) for begin, _, die in order]
                        assert state.child(tablier._core.backgammon.spell(state, men)) == goal
                        assert all(to == max(0, begin - die) for begin, to, die in order)
                        seen += 1
            state = state.child(chance.choice(state.legal_actions()))
    assert seen > 1000


def test_a_man_can_go_by_either_number_first():
    state = setup(GAME, *USUAL, dice=(2, 1))
    (one,) = [one for one in HOME.legal(state) if one["text"] == "24/21"]
    assert sorted(one["orders"]) == [((24, 22, 2), (22, 21, 1)), ((24, 23, 1), (23, 21, 2))]
    assert one["moves"] in one["orders"]


def test_a_variant_has_its_own_name():
    names = [home_of(tablier.load_game("backgammon", start=start)).title for start in ("standard", "long", "hyper")]
    assert [render(name, "en") for name in names] == ["Backgammon", "Backgammon", "Hypergammon"]
