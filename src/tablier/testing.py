"""The conformance kit: checks that a game, built-in or not, fulfils the contract.

Examples:
    >>> import tablier
    >>> from tablier.testing import check_game
    >>> check_game(tablier.load_game("pig"))  # silent if the game passes

`check_game` plays seeded random games and examines every node; at the first problem it raises a `ConformanceError` with
the problem and the position. `playthrough` returns the transcript of a game for a golden file, and `signature` hashes
the behaviour of all built-in games.
"""

from __future__ import annotations

import copy
import math
import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from tablier import _core
from tablier._core import BatchEnv, Game, State
from tablier.python_game import CHANCE, TERMINAL

MAX_STEPS = 20_000
"""Maximum number of actions in a random game; a longer game fails the check."""


class ConformanceError(AssertionError):
    """Raised when a game violates the contract."""


def check_game(game: Game, games: int = 5, seed: int = 0) -> None:
    """Plays random games and checks every node against the contract.

    Args:
        game: the game to check.
        games: number of games to play.
        seed: seed of the first game; the next games use the following numbers.

    Raises:
        ConformanceError: the game violates the contract; the message names the problem and the position.
        TypeError: `game` is not a `Game`.
    """
    if not isinstance(game, Game):
        raise TypeError(f"check_game() takes a game from load_game(), not {type(game).__name__}")
    _check_facts(game)
    texts: dict[str, State] = {}
    for number in range(games):
        totals = np.zeros(game.num_players())
        for state in random_nodes(game, seed=seed + number):
            totals += state.rewards()
            for check in NODE_CHECKS:
                _run(check, game, state)
            _require(texts.setdefault(str(state), state) == state, "a different state has the same text", state)
            _require(
                np.allclose(totals, state.returns()),
                f"rewards add up to {totals.tolist()}, but returns() is {state.returns()}",
                state,
            )
    _check_chance_is_uniform(game, seed)
    _check_batch(game, seed)


def random_nodes(game: Game, seed: int, max_steps: int = MAX_STEPS) -> Iterator[State]:
    """Plays a random game and yields a copy of every state, from the initial to the terminal one.

    Args:
        game: the game to play.
        seed: seed of the actions and dice.
        max_steps: maximum number of actions.

    Raises:
        ConformanceError: the game is not over after `max_steps` actions.
    """
    rng = random.Random(seed)
    state = game.new_initial_state()
    for _ in range(max_steps):
        yield state.clone()
        if state.is_terminal():
            return
        state.apply_action(rng.choice(state.legal_actions()))
    raise ConformanceError(f"{game.name}: a random game was not over after {max_steps} actions")


def playthrough(game: Game, seed: int = 0, detailed: int = 150) -> str:
    """Returns the transcript of a random game, for a golden file.

    Args:
        game: the game to play.
        seed: seed of the actions and dice.
        detailed: number of nodes from the start that are printed in full, like the last one. For the nodes in between
            the transcript has only the actions and rewards.

    Raises:
        ConformanceError: the game is not over after `MAX_STEPS` actions.
    """
    lines = [f"game: {game!r}", f"players: {game.num_players()}", f"actions: {game.num_distinct_actions()}"]
    lines += [f"chance outcomes: {game.max_chance_outcomes()}", f"state: {game.state_size()} words"]
    lines += [f"observation: {game.observation_shape()} {game.observation_dtype()}"]
    lines += [f"features: {game.features_shape()}", "help:", *("  " + line for line in game.help().splitlines())]
    rng = random.Random(seed)
    state = game.new_initial_state()
    for number in range(MAX_STEPS):
        if number < detailed or state.is_terminal():
            lines += _node(game, state, number)
        if state.is_terminal():
            return "\n".join(lines) + "\n"
        action = rng.choice(state.legal_actions())
        lines += [f"apply: {action} {state.action_to_string(action)}"]
        state.apply_action(action)
        if number >= detailed and any(state.rewards()):
            lines += [f"rewards: {state.rewards()}"]
    raise ConformanceError(f"{game.name}: a random game was not over after {MAX_STEPS} actions")


def _node(game: Game, state: State, number: int) -> list[str]:
    lines = ["", f"# node {number}", *str(state).splitlines()]
    lines += [f"current player: {state.current_player()}", f"rewards: {state.rewards()}"]
    lines += [f"returns: {state.returns()}"]
    for player in range(game.num_players()):
        lines += [f"observation of {player}: {_run_lengths(state.observation(player))}"]
        lines += [f"features of {player}: {_run_lengths(state.features(player))}"]
    if not state.is_terminal():
        lines += ["legal: " + ", ".join(f"{a} {state.action_to_string(a)}" for a in state.legal_actions())]
    return lines


def signature() -> dict[str, str]:
    """Returns a hash of the behaviour of each built-in game, by name, and one of all games under "all".

    A hash changes when, and only when, the behaviour of its game changes.
    """
    numbers = {name: _core.load_native(name, {})._behaviour(200, 2024) for name in _core.native_games()}
    total = 0
    for number in numbers.values():
        total = (total * 0x100000001B3 + number) % 2**64
    return {name: f"{number:016x}" for name, number in {**numbers, "all": total}.items()}


def _run_lengths(values: np.ndarray) -> str:
    """Formats an array as text, with runs written as value*count."""
    runs: list[list[float]] = []
    for value in values.ravel().tolist():
        if runs and runs[-1][0] == value:
            runs[-1][1] += 1
        else:
            runs.append([value, 1])
    return " ".join(f"{value:.6g}" + (f"*{count}" if count > 1 else "") for value, count in runs)


def _require(condition: bool, problem: str, state: State | None = None) -> None:
    if not condition:
        raise ConformanceError(problem if state is None else f"{state.get_game().name}: {problem}\nat\n{state}")


def _run(check: Callable[[Game, State], None], game: Game, state: State) -> None:
    """Runs a check on one node and makes sure that read-only methods do not change the state."""
    before = state.clone()
    check(game, state)
    _require(state == before, f"{check.__name__} only called read-only methods, but the state changed", state)


def _check_facts(game: Game) -> None:
    name = game.name
    _require(game.num_players() >= 1, f"{name}: a game needs at least one player")
    _require(game.num_distinct_actions() >= 1, f"{name}: a game needs at least one action")
    _require(game.min_utility() <= game.max_utility(), f"{name}: min_utility exceeds max_utility")
    _require(bool(game.help().strip()), f"{name}: help() is empty")
    _require(game.new_initial_state() == game.new_initial_state(), f"{name}: two initial states differ")
    _require(pickle.loads(pickle.dumps(game)) == game, f"{name}: pickling changed the game")


def _check_player(game: Game, state: State) -> None:
    player = state.current_player()
    _require(player in (CHANCE, TERMINAL) or 0 <= player < game.num_players(), f"invalid player {player}", state)
    _require(state.is_chance_node() == (player == CHANCE), "is_chance_node() and current_player() differ", state)
    _require(state.is_terminal() == (player == TERMINAL), "is_terminal() and current_player() differ", state)


def _check_actions(game: Game, state: State) -> None:
    legal = state.legal_actions()
    if state.is_terminal():
        _require(legal == [], "a finished game has legal actions", state)
        return
    most = game.max_chance_outcomes() if state.is_chance_node() else game.num_distinct_actions()
    _require(len(legal) > 0, "no action is legal, but the game is not over", state)
    _require(legal == sorted(set(legal)), f"legal actions are not ascending and unique: {legal}", state)
    _require(legal[0] >= 0 and legal[-1] < most, f"legal actions out of range: {legal}", state)
    _require(np.flatnonzero(state.legal_actions_mask()).tolist() == legal, "mask and legal actions differ", state)
    for player in range(game.num_players()):
        expected = legal if player == state.current_player() else []
        _require(state.legal_actions(player) == expected, f"wrong legal_actions({player})", state)
        mask = state.legal_actions_mask(player)
        _require(len(mask) == game.num_distinct_actions(), f"wrong length of legal_actions_mask({player})", state)
        _require(np.flatnonzero(mask).tolist() == expected, f"wrong legal_actions_mask({player})", state)
    texts = [state.action_to_string(action) for action in legal]
    _require(len(set(texts)) == len(texts), f"two actions have the same text: {texts}", state)


def _check_chance(game: Game, state: State) -> None:
    if not state.is_chance_node():
        return
    outcomes = state.chance_outcomes()
    _require([o for o, _ in outcomes] == state.legal_actions(), "wrong outcomes in chance_outcomes()", state)
    _require(math.isclose(sum(p for _, p in outcomes), 1), "probabilities do not sum to 1", state)
    _require(len({p for _, p in outcomes}) == 1, "outcomes are not equally likely", state)


def _check_copies(game: Game, state: State) -> None:
    data = state.serialize()
    twins = [state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    twins.append(game.deserialize(data))
    for twin in twins:
        _require(twin == state and hash(twin) == hash(state), "a copy differs", state)
        _require(str(twin) == str(state), "a copy prints differently", state)
        _require(twin.rewards() == state.rewards(), "a copy has different rewards", state)
        _require(twin.legal_actions() == state.legal_actions(), "a copy has different legal actions", state)
        if not state.is_terminal():
            twin.apply_action(state.legal_actions()[-1])
            _require(state.serialize() == data, "playing on a copy changed the original", state)


def _check_views(game: Game, state: State) -> None:
    for player in range(game.num_players()):
        observation, features = state.observation(player), state.features(player)
        _require(observation.shape == game.observation_shape(), "observation() has the wrong shape", state)
        _require(features.shape == game.features_shape(), "features() has the wrong shape", state)
        _require(bool(np.isfinite(features).all()), "features are not finite", state)
        filled = np.full_like(features, -7)
        _require(state.features(player, out=filled) is filled, "features() did not return `out`", state)
        _require(bool((filled == features).all()), "features(out=...) did not fill the array", state)
        bytes_out = np.full_like(observation, 77)
        state.observation(player, out=bytes_out)
        _require(bool((bytes_out == observation).all()), "observation(out=...) did not fill the array", state)


def _check_hidden(game: Game, state: State) -> None:
    for player in range(game.num_players()):
        for other in state._indistinguishable(player):
            hidden = f"player {player} cannot distinguish this state from\n{other}\nbut their"
            same = bool((state.observation(player) == other.observation(player)).all())
            _require(same, f"{hidden} observation shows the difference", state)
            same = bool((state.features(player) == other.features(player)).all())
            _require(same, f"{hidden} features show the difference", state)
            same = state.legal_actions(player) == other.legal_actions(player)
            _require(same, f"{hidden} legal actions show the difference", state)


def _check_refusals(game: Game, state: State) -> None:
    legal = set(state.legal_actions())
    probes = [-1, game.max_actions(), 2**31, 2**63, *range(min(game.max_actions(), 64))]
    for action in probes:
        if action in legal:
            continue
        tried = state.clone()
        try:
            tried.apply_action(action)
        except ValueError as error:
            _require("action" in str(error), f"the error for action {action} does not name it: {error}", state)
            _require(tried.serialize() == state.serialize(), f"the refused action {action} changed the state", state)
        else:  # a game may accept another encoding of an action that it lists
            known = any(state.child(listed) == tried for listed in legal)
            _require(known, f"illegal action {action} was accepted", state)


def _check_returns(game: Game, state: State) -> None:
    returns = state.returns()
    _require(len(returns) == game.num_players(), "returns() must have one number per player", state)
    _require(all(map(math.isfinite, returns)), f"returns() is not finite: {returns}", state)
    low, high = game.min_utility(), game.max_utility()
    _require(all(low <= value <= high for value in returns), f"returns {returns} out of bounds", state)
    kind = game.get_type()
    if kind.utility.name == "ZERO_SUM":
        _require(math.isclose(sum(returns), 0, abs_tol=1e-9), f"returns {returns} do not sum to 0", state)
    if kind.reward_model.name == "TERMINAL" and not state.is_terminal():
        _require(not any(returns), f"returns {returns} before the end of a game with terminal rewards", state)


def _check_mirror(game: Game, state: State) -> None:
    if not state.has_mirror():
        _require(not game.has_mirror() or state.is_chance_node(), "the position has no mirror image", state)
        return
    mirror = state.mirrored()
    player = state.current_player()
    _require(mirror.mirrored() == state, "mirroring twice does not restore the position", state)
    _require(mirror.current_player() == (1 - player if player >= 0 else player), "mirror image: wrong player", state)
    _require(mirror.returns() == state.returns()[::-1], "mirror image: wrong returns", state)
    actions = {action: game.mirrored_action(action) if player >= 0 else action for action in state.legal_actions()}
    _require(mirror.legal_actions() == sorted(actions.values()), "mirror image: wrong legal actions", state)
    colour_seen, colour_fed = game._colour_entries()
    for seat in range(2):
        expected, fed = state.observation(1 - seat), state.features(1 - seat)
        if colour_seen >= 0:
            expected[colour_seen] ^= 1
        if colour_fed >= 0:
            fed[colour_fed] = 1 - fed[colour_fed]
        _require(bool((mirror.observation(seat) == expected).all()), f"mirror image: wrong observation({seat})", state)
        _require(bool((mirror.features(seat) == fed).all()), f"mirror image: wrong features({seat})", state)
    for action, image in actions.items():
        _require(mirror.child(image) == state.child(action).mirrored(), f"mirror image: action {action} differs", state)


def _check_chance_classes(game: Game, state: State) -> None:
    """Checks the classes, because search visits one outcome per class and gives it the weight of the whole class."""
    if not state.is_chance_node():
        return
    classes, outcomes = state._chance_classes(), state.legal_actions()
    chosen = [outcome for outcome, _ in classes]
    _require(len(set(chosen)) == len(chosen), f"chance_classes() names an outcome twice: {classes}", state)
    _require(set(chosen) <= set(outcomes), f"chance_classes() names impossible outcomes: {classes}", state)
    _require(all(weight >= 1 for _, weight in classes), f"a weight of chance_classes() is below 1: {classes}", state)
    whole = sum(weight for _, weight in classes)
    _require(whole == len(outcomes), f"the weights of chance_classes() sum to {whole}, not {len(outcomes)}", state)
    if len(classes) == len(outcomes):  # one outcome per class
        return
    forms = {outcome: state.child(outcome)._canonical() for outcome in outcomes}
    weights = Counter[State]()
    for outcome, weight in classes:
        weights[forms[outcome]] += weight
        _require(
            weight == 1 or forms[outcome] == state.child(outcome),
            f"outcome {outcome} represents its class, but canonical() changes the state it leads to",
            state,
        )
    for form, size in Counter(forms.values()).items():
        same = [outcome for outcome in outcomes if forms[outcome] == form]
        _require(
            weights[form] == size,
            f"outcomes {same} lead to the same canonical state: chance_classes() must give it weight {size}, "
            f"not {weights[form]}",
            state,
        )


def _check_canonical(game: Game, state: State) -> None:
    form = state._canonical()
    if form == state:
        return
    problem = f"its canonical state is\n{form}\nwhich has"
    _require(form._canonical() == form, f"{problem} a different canonical state", state)
    _require(form.current_player() == state.current_player(), f"{problem} a different player to move", state)
    _require(form.returns() == state.returns(), f"{problem} different returns: {form.returns()}", state)
    leads, expected = (
        Counter(one.child(action)._canonical() for action in one.legal_actions()) for one in (form, state)
    )
    same = leads == expected if state.is_chance_node() else leads.keys() == expected.keys()
    _require(same, f"{problem} actions that lead to different positions", state)


def _check_estimate(game: Game, state: State) -> None:
    estimate = None if state.is_terminal() else state._estimate()
    if estimate is None:
        return
    _require(all(map(math.isfinite, estimate)), f"estimate() is not finite: {estimate}", state)
    if game.get_type().utility.name == "ZERO_SUM":
        scale = max(1.0, *map(abs, estimate))
        balanced = math.isclose(sum(estimate), 0, abs_tol=1e-6 * scale)
        _require(balanced, f"estimate() {estimate} does not sum to 0 in a zero-sum game", state)


NODE_CHECKS = (
    _check_player,
    _check_actions,
    _check_chance,
    _check_copies,
    _check_views,
    _check_hidden,
    _check_refusals,
    _check_returns,
    _check_mirror,
    _check_chance_classes,
    _check_canonical,
    _check_estimate,
)


def _check_chance_is_uniform(game: Game, seed: int) -> None:
    """Checks that outcomes are uniform: games of the C++ kernel and of a Python loop have the same mean length."""
    if game.max_chance_outcomes() == 0:
        return
    by_kernel = game.random_playouts(200, seed).lengths.astype(float)
    by_hand = np.array([sum(1 for _ in random_nodes(game, seed + i)) - 1 for i in range(50)], float)
    error = math.sqrt(by_kernel.var() / len(by_kernel) + by_hand.var() / len(by_hand))
    difference = abs(by_kernel.mean() - by_hand.mean())
    _require(difference <= 6 * error + 1e-9, f"{game.name}: the mean length of playouts is {difference:.1f} steps off")


def _check_batch(game: Game, seed: int) -> None:
    """Checks that batch stepping agrees with single states and does not depend on the number of threads."""
    n, steps = 16, 40
    envs = [BatchEnv(game, n, seed, threads) for threads in (1, 2)]
    arrays = [env.arrays() for env in envs]
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        states = [envs[0].state(i) for i in range(n)]
        for i, state in enumerate(states):
            _require(state.current_player() == arrays[0].current_player[i] >= 0, "batch: wrong player", state)
            _require(bool((state.features() == arrays[0].features[i]).all()), "batch: wrong features", state)
            _require(bool((state.legal_actions_mask() == arrays[0].legal_mask[i]).all()), "batch: wrong mask", state)
        actions = np.array([rng.choice(np.flatnonzero(row)) for row in arrays[0].legal_mask], np.int32)
        for env, out in zip(envs, arrays, strict=True):
            env.step(actions, **vars(out))
        for i, (state, action) in enumerate(zip(states, actions, strict=True)):
            child = state.child(action)
            if not child.is_chance_node():
                _require(bool(arrays[0].done[i]) == child.is_terminal(), "batch: wrong done flag", child)
                _require(np.allclose(arrays[0].rewards[i], child.rewards()), "batch: wrong rewards", child)
        for field, one in vars(arrays[0]).items():
            same = (one == getattr(arrays[1], field)).all()
            _require(bool(same), f"{game.name}: the batch array {field} depends on the number of threads")
    saved = envs[0].save()
    envs[1].restore(saved)
    _require(envs[1].save() == saved, f"{game.name}: restoring a saved batch changed it")
