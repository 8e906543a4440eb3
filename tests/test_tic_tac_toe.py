"""The rules of tic-tac-toe, one rule per test."""

from playing import play


def test_sizes_are_those_of_the_contract(tic_tac_toe):
    assert tic_tac_toe.num_players() == 2
    assert tic_tac_toe.state_size() == 3
    assert tic_tac_toe.num_distinct_actions() == tic_tac_toe.max_actions() == 9
    assert tic_tac_toe.observation_shape() == tic_tac_toe.features_shape() == (2, 3, 3)
    assert tic_tac_toe.max_chance_outcomes() == 0


def test_x_begins_and_players_alternate(tic_tac_toe):
    state = tic_tac_toe.new_initial_state()
    assert [state.current_player()] + [play(tic_tac_toe, moves).current_player() for moves in ([4], [4, 0])] == [
        0,
        1,
        0,
    ]


def test_a_marked_square_is_taken(tic_tac_toe):
    assert play(tic_tac_toe, [4, 0]).legal_actions() == [1, 2, 3, 5, 6, 7, 8]


def test_a_row_a_column_and_a_diagonal_win(tic_tac_toe):
    for moves in ([0, 3, 1, 4, 2], [0, 1, 3, 2, 6], [0, 1, 4, 2, 8], [2, 0, 4, 1, 6]):
        state = play(tic_tac_toe, moves)
        assert state.is_terminal()
        assert state.returns() == state.rewards() == [1, -1]


def test_o_can_win_too(tic_tac_toe):
    assert play(tic_tac_toe, [0, 3, 1, 4, 8, 5]).returns() == [-1, 1]


def test_a_full_board_without_a_line_is_a_draw(tic_tac_toe):
    state = play(tic_tac_toe, [0, 1, 2, 4, 3, 5, 7, 6, 8])
    assert state.is_terminal()
    assert state.returns() == [0, 0]
    assert str(state) == "xox\nxoo\noxx"


def test_the_last_square_can_win(tic_tac_toe):
    assert play(tic_tac_toe, [0, 1, 2, 3, 4, 6, 5, 7, 8]).returns() == [1, -1]


def test_the_number_of_games_is_the_known_one(tic_tac_toe):
    def games(state):
        return 1 if state.is_terminal() else sum(games(state.child(a)) for a in state.legal_actions())

    after_the_centre = tic_tac_toe.new_initial_state().child(4)
    after_the_corner = tic_tac_toe.new_initial_state().child(0)
    after_the_edge = tic_tac_toe.new_initial_state().child(1)
    assert games(after_the_centre) + 4 * games(after_the_corner) + 4 * games(after_the_edge) == 255168


def test_planes_show_own_marks_first(tic_tac_toe):
    state = play(tic_tac_toe, [4, 0])
    assert state.observation(0)[0].tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert state.observation(0)[1].tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert (state.features(1) == state.features(0)[::-1]).all()


def test_actions_have_names(tic_tac_toe):
    assert tic_tac_toe.new_initial_state().action_to_string(5) == "x(1,2)"
    assert play(tic_tac_toe, [4]).action_to_string(1, 0) == "o(0,0)"
