"""Makes a referee: decisions on which good players disagree, with every action rolled out.

    python tools/make_referee.py FILE --policy expectimax:plies=1,net=best.safetensors,by=win
    python tools/make_referee.py FILE --again heuristic

The first command finds decisions in games between different players and rolls them out. A decision is taken if the
judges do not all choose the same action, at most `PER_GAME` from one game. A judge is wrong more often than usual where
it stands alone, so players are comparable only if they, or players like them, are among the judges: take a panel. Rare
kinds of decision have a quota, so that each can be scored on its own. Training never sees the decisions: it plays its
own games, from its own seeds. The second command rolls out the same decisions by another policy and adds its losses to
the file.

Stop either command whenever you like, and run it again to continue: everything it has done is in FILE.part.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import hashlib
import itertools
import os
import random
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from referee_journal import Journal, Refused
from tqdm import tqdm

import tablier
from tablier._core import Game, State
from tablier.analysis import Policy, RolloutSettings, make_policy, roll_out_candidates
from tablier.analysis.referee import Case, Losses, Referee
from tablier.games import home_of
from tablier.games.home import MOVE
from tablier.messages import MessageError
from tablier.players import make_player

PER_GAME = 4
LOOKED_AT = 0.15
"""Share of the moves of a game that the judges look at, so that those taken are spread over the game."""
QUOTAS = {"hold_or_leave": 0.2, "bearing_off": 0.1}
"""Shares of the rare kinds of decision; the rest are moves."""
RANDOM_MOVES = 0.05
"""Share of random moves in the games, which lead to positions that good play avoids."""
ENOUGH = {"win_chance": 0.004, "points": 0.2}
"""A decision has enough games if the standard errors of its losses are at most this."""

T = TypeVar("T")
Found = tuple[float, str, str]
"""A disputed decision: a random number that decides which ones of a game are taken, the kind, and the state in hex."""


@dataclass(frozen=True)
class Dispute:
    """Who plays the games in which decisions are found, and who disagrees about them."""

    game: str
    players: tuple[str, ...]
    judges: tuple[str, ...]
    seed: int

    def decisions_of(self, number: int, wanted: frozenset[str]) -> list[Found]:
        """Plays game `number` and returns its disputed decisions of the wanted kinds."""
        game, draw = tablier.load_game(self.game), random.Random(f"{self.seed} {number}")
        players = [make_player(draw.choice(self.players), game, seed=number) for _ in range(2)]
        judges = [make_player(judge, game, seed=number) for judge in self.judges]
        state, found = game.new_initial_state(), []
        while not state.is_terminal():
            legal = state.legal_actions()
            if state.is_chance_node() or len(legal) == 1 or draw.random() < RANDOM_MOVES:
                state.apply_action(draw.choice(legal))
                continue
            kind, order, looked = kind_of(state), draw.random(), draw.random()
            looks = kind in wanted and (kind != MOVE or looked < LOOKED_AT)
            if looks and len({judge.choose(state.clone()) for judge in judges}) > 1:
                found.append((order, kind, state.serialize().hex()))
            state.apply_action(players[state.current_player()].choose(state.clone()))
        return sorted(found)


def kind_of(state: State) -> str:
    """Returns the kind of a decision: `move`, `hold_or_leave` or `bearing_off`."""
    home = home_of(state.get_game())
    kind = home.decision_kind(state)
    if kind == MOVE and any(to == 0 for action in state.legal_actions() for _, to in home.moves(state, action) or []):
        return "bearing_off"
    return kind


def find(dispute: Dispute, count: int, journal: Journal, workers: int) -> list[tuple[str, str]]:
    """Returns `count` decisions, each with its kind and its state in hex; those in the journal need not be found again.

    Which ones are taken does not depend on the number of workers.
    """
    left = {kind: round(share * count) for kind, share in QUOTAS.items()}
    left[MOVE] = count - sum(left.values())
    decisions: list[tuple[str, str]] = []
    first = 0
    for line in journal.lines("game"):
        first = line["game"] + 1
        decisions += [(kind, state) for kind, state in line["taken"]]
    for kind, _ in decisions:
        left[kind] -= 1
    if not any(left.values()):
        return decisions
    games = _in_order(dispute, first, workers, left)
    with contextlib.closing(games), tqdm(total=count, initial=len(decisions), unit="decision", desc="find") as bar:
        for number, found in games:
            taken: list[tuple[str, str]] = []
            for _, kind, state in found:
                if left[kind] > 0 and len(taken) < PER_GAME:
                    left[kind] -= 1
                    taken.append((kind, state))
            journal.add({"game": number, "taken": taken})
            decisions += taken
            bar.update(len(taken))
            if not any(left.values()):
                break
    return decisions


def _in_order(
    dispute: Dispute, first: int, workers: int, left: dict[str, int]
) -> Generator[tuple[int, list[Found]], None, None]:
    """Yields the decisions of game after game. With several workers, the next ones are being played meanwhile."""

    def calls() -> Iterator[tuple[int, frozenset[str]]]:
        for number in itertools.count(first):
            yield number, frozenset(kind for kind, missing in left.items() if missing > 0)

    yield from zip(itertools.count(first), _results(dispute.decisions_of, calls(), workers), strict=False)


def _results(call: Callable[..., T], arguments: Iterator[tuple[Any, ...]], workers: int) -> Generator[T, None, None]:
    """Yields the results of calls in order. Several workers are processes, which work on the next calls meanwhile."""
    if workers == 1:
        yield from itertools.starmap(call, arguments)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = deque(pool.submit(call, *own) for own in itertools.islice(arguments, 2 * workers))
        try:
            while waiting:
                yield waiting.popleft().result()
                waiting.extend(pool.submit(call, *own) for own in itertools.islice(arguments, 1))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True)
class Judgement:
    """How decisions are rolled out."""

    game: str
    policy: str
    settings: RolloutSettings

    def losses_of(self, number: int, state: bytes) -> list[tuple[int, float, float]]:
        """Rolls out the actions of decision `number`; returns each with its loss and the standard error of that."""
        game, policy = _policy(self.game, self.policy)
        own = replace(self.settings, seed=self.settings.seed + number, threads=1)
        decision = game.deserialize(state)
        found = {one.action: one for one in roll_out_candidates(decision, policy, own)}
        return [
            (action, round(max(0.0, found[action].behind), 6), round(found[action].behind_error, 6))
            for action in decision.legal_actions()
        ]


@functools.cache
def _policy(game: str, policy: str) -> tuple[Game, Policy]:
    loaded = tablier.load_game(game)
    return loaded, make_policy(loaded, policy)


def roll_out_all(
    game: Game, policy: str, states: list[State], settings: RolloutSettings, journal: Journal
) -> tuple[list[Losses], dict[str, Any]]:
    """Rolls out the actions of all states. Returns their losses, and a description of the policy and the settings."""
    unit = "points" if make_policy(game, policy).searched.win_chance(0.0) is None else "win_chance"
    settings = replace(settings, enough=settings.enough or ENOUGH[unit])
    done: dict[int, Losses] = {
        line["at"]: {action: (loss, error) for action, loss, error in line["losses"]} for line in journal.lines("at")
    }
    start = time.monotonic()
    left = [number for number in range(len(states)) if number not in done]
    judgement = Judgement(game.name, policy, settings)
    calls = ((number, states[number].serialize()) for number in left)
    results = _results(judgement.losses_of, calls, settings.threads or os.cpu_count() or 1)
    with (
        contextlib.closing(results),
        tqdm(total=len(states), initial=len(done), unit="decision", desc="roll out") as bar,
    ):
        for number, losses in zip(left, results, strict=True):
            journal.add({"at": number, "losses": losses})
            done[number] = {action: (loss, error) for action, loss, error in losses}
            bar.update(1)
    print(f"{policy}: {time.monotonic() - start:.0f} s for {len(left)} decisions")
    about = {**asdict(settings), "policy": policy, "unit": unit}
    del about["threads"]
    return [done[number] for number in range(len(states))], about


def make(args: argparse.Namespace, settings: RolloutSettings) -> None:
    """Finds decisions, rolls them out and writes the referee."""
    game = tablier.load_game(args.game)
    judges = tuple(dict.fromkeys([args.policy, *args.judges]))
    dispute = Dispute(args.game, tuple(dict.fromkeys([args.policy, *args.players])), judges, args.seed)
    for player in (*dispute.players, *dispute.judges):
        make_player(player, game)  # report a wrong string before the first game
    make_policy(game, args.policy)
    told = {**asdict(dispute), "count": args.count, "policy": args.policy, **_told(settings)}
    with Journal(args.file, _with_networks(told)) as journal:
        decisions = find(dispute, args.count, journal, settings.threads or os.cpu_count() or 1)
        states = [game.deserialize(bytes.fromhex(state)) for _, state in decisions]
        losses, about = roll_out_all(game, args.policy, states, settings, journal)
        about |= {"players": list(dispute.players), "judges": list(dispute.judges)}
        kinds = [kind for kind, _ in decisions]
        Referee(game, about, map(Case, states, kinds, losses)).save(args.file)
        journal.remove()


def make_again(args: argparse.Namespace, settings: RolloutSettings) -> None:
    """Adds the losses by a second policy to a referee."""
    referee = Referee.read(args.file)
    if args.again == referee.about["policy"]:
        raise Refused(f"{args.file} was made with {args.again}; the second policy must be another one")
    make_policy(referee.game, args.again)
    made = hashlib.sha256(Path(args.file).read_bytes()).hexdigest()
    told = {"again": args.again, "referee": made, **_told(settings)}
    with Journal(args.file, _with_networks(told)) as journal:
        states = [case.state for case in referee.cases]
        losses, about = roll_out_all(referee.game, args.again, states, settings, journal)
        cases = (Case(case.state, case.kind, case.losses, own) for case, own in zip(referee.cases, losses, strict=True))
        Referee(referee.game, {**referee.about, "again": about}, cases).save(args.file)
        journal.remove()


def _told(settings: RolloutSettings) -> dict[str, Any]:
    return {name: value for name, value in asdict(settings).items() if name != "threads"}


def _with_networks(told: dict[str, Any]) -> dict[str, Any]:
    """Adds the hashes of the networks that player strings name, so that a run is not continued with other networks."""
    strings = [text for value in told.values() for text in (value if isinstance(value, tuple) else [value])]
    settings = [part for text in strings if isinstance(text, str) for part in text.partition(":")[2].split(",")]
    files = sorted({part.removeprefix("net=") for part in settings if part.startswith("net=")})
    return {**told, "networks": [hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="the referee to write, or with --again, to add to")
    parser.add_argument("--game", default="trictrac")
    policy = parser.add_mutually_exclusive_group(required=True)
    policy.add_argument("--policy", help="plays the rollouts")
    policy.add_argument("--again", metavar="POLICY", help="second policy, whose losses are added to the file")
    parser.add_argument("--players", nargs="+", default=["heuristic", "greedy"], help="play the games; with the policy")
    parser.add_argument("--judges", nargs="+", default=["heuristic"], help="disagree; with the policy")
    parser.add_argument("--count", type=int, default=10_000, help="number of decisions (default 10,000)")
    parser.add_argument("--games", type=int, default=108, help="games per action at most (default 108)")
    parser.add_argument("--decisions", type=int, default=6, help="length of a rollout (default 6)")
    parser.add_argument("--portion", type=int, default=9, help="games between two looks at the results (default 9)")
    parser.add_argument(
        "--clearly", type=float, default=4.0, help="drop actions behind by this many errors (default 4)"
    )
    parser.add_argument("--enough", type=float, default=0.0, help=f"errors that are small enough (default {ENOUGH})")
    parser.add_argument("--seed", type=int, default=20_261_117)
    parser.add_argument("--threads", type=int, default=0, help="threads and processes (default: all cores)")
    args = parser.parse_args(arguments)
    try:
        settings = RolloutSettings(
            args.games, args.decisions, args.seed, args.threads, args.portion, args.clearly, args.enough
        )
        (make_again if args.again else make)(args, settings)
    except (MessageError, Refused, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped. Run the same command to continue.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
