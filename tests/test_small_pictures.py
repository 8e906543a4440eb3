from xml.etree import ElementTree

from playing import play

DRAWN = "{http://www.w3.org/2000/svg}"


def actions_of(state, **kwargs):
    tree = ElementTree.fromstring(state.svg(**kwargs))
    return sorted(int(element.get("data-action")) for element in tree.iter() if element.get("data-action"))


def test_the_free_squares_can_be_clicked(tic_tac_toe):
    assert actions_of(play(tic_tac_toe, [0, 4, 8])) == [1, 2, 3, 5, 6, 7]


def test_no_square_can_be_clicked_after_the_end(tic_tac_toe):
    state = play(tic_tac_toe, [0, 3, 1, 4, 2])
    assert state.is_terminal()
    assert actions_of(state) == []


def test_crosses_noughts_and_the_winning_row_are_drawn(tic_tac_toe):
    tree = ElementTree.fromstring(play(tic_tac_toe, [0, 3, 1, 4, 2]).svg())
    assert len(tree.findall(f"{DRAWN}circle")) == 2
    assert len(tree.findall(f"{DRAWN}path")) == 3 + 1  # three crosses and the grid
    assert [square.get("fill-opacity") for square in tree.findall(f"{DRAWN}rect")] == [".25"] * 3 + [".04"] * 6
    assert "Crosses: row 1 column 1, row 1 column 2, row 1 column 3." in tree.get("aria-label")


def test_pig_shows_scores_the_turn_and_the_die(pig):
    state = play(pig, [0, 5, 0, 4, 1, 0, 2])  # 11 banked; the other player has rolled a 3
    tree = ElementTree.fromstring(state.svg(die=3))
    texts = [element.text for element in tree.iter(f"{DRAWN}text")]
    assert texts == ["1", "11", "2", "0", "+3"]
    assert len([pip for pip in tree.iter(f"{DRAWN}circle") if pip.get("class") == "pip"]) == 3
    assert actions_of(state) == [0, 1]


def test_pigs_die_cannot_be_clicked_while_it_rolls_or_after_the_end(pig):
    assert actions_of(play(pig, [0])) == []
    won = play(pig, [0, 5] * 17 + [1])
    assert won.is_terminal()
    assert actions_of(won) == []
    assert ">100<" in won.svg()
