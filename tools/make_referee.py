"""Makes a referee: decisions on which good players disagree, with every action rolled out.

    python tools/make_referee.py FILE --policy expectimax:plies=1,net=best.safetensors,by=win
    python tools/make_referee.py FILE --again heuristic

The first command finds decisions in games between different players and rolls them out. Most are disputed: the judges
do not all choose the same action. A judge is wrong more often than usual where it stands alone, so players are
comparable only if they, or players like them, are among the judges: take a panel. And each player is better in
positions that its own moves lead to, so all judges play. Rare kinds of decision have a quota, so that each can be
scored on its own, and some decisions are undisputed, because weak players err there too. The weight of a decision says
how often its like came up in the games. Training never sees the decisions: it plays its own games, from its own seeds.
The second command rolls out the same decisions by another policy and adds its losses to the file.

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
from collections import Counter, deque
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
UNDISPUTED = 0.2
"""Number of undisputed decisions per disputed one."""
RANDOM_MOVES = 0.01
"""Share of random moves in the games, which lead to positions that good play avoids."""
ENOUGH = {"win_chance": 0.004, "points": 0.2}
"""A decision has enough games if the standard errors of its losses are at most this."""

T = TypeVar("T")
Stratum = tuple[str, bool]
"""The kind of a decision, and whether it is disputed."""
Decision = tuple[str, bool, str]
"""A decision: its stratum and its state in hex."""


@dataclass(frozen=True)
class Played:
    """What a game has."""

    found: list[Decision]
    """The decisions that may be taken, in the order in which to take them."""
    met: dict[str, int]
    """The number of decisions of each kind."""
    looked: list[list[Any]]
    """The number of decisions of each stratum that the judges looked at: [kind, whether disputed, number]."""


@dataclass(frozen=True)
class Dispute:
    """Who plays the games in which decisions are found, and who disagrees about them."""

    game: str
    players: tuple[str, ...]
    judges: tuple[str, ...]
    seed: int

    def play(self, number: int) -> Played:
        """Plays game `number`, with the judges looking on."""
        game, draw = tablier.load_game(self.game), random.Random(f"{self.seed} {number}")
        players = [make_player(draw.choice(self.players), game, seed=number) for _ in range(2)]
        judges = [make_player(judge, game, seed=number) for judge in self.judges]
        state, found = game.new_initial_state(), []
        met, looked = Counter[str](), Counter[Stratum]()
        while not state.is_terminal():
            legal = state.legal_actions()
            if state.is_chance_node() or len(legal) == 1:
                state.apply_action(draw.choice(legal))
                continue
            kind, order, chance = kind_of(state), draw.random(), draw.random()
            met[kind] += 1
            if kind != MOVE or chance < LOOKED_AT:
                disputed = len({judge.choose(state.clone()) for judge in judges}) > 1
                looked[kind, disputed] += 1
                found.append((order, (kind, disputed, state.serialize().hex())))
            astray = draw.random() < RANDOM_MOVES
            state.apply_action(draw.choice(legal) if astray else players[state.current_player()].choose(state.clone()))
        return Played(
            [decision for _, decision in sorted(found)], met, [[*stratum, count] for stratum, count in looked.items()]
        )


def kind_of(state: State) -> str:
    """Returns the kind of a decision: `move`, `hold_or_leave` or `bearing_off`."""
    home = home_of(state.get_game())
    kind = home.decision_kind(state)
    if kind == MOVE and any(to == 0 for action in state.legal_actions() for _, to in home.moves(state, action) or []):
        return "bearing_off"
    return kind


def find(dispute: Dispute, count: int, journal: Journal, workers: int) -> tuple[list[Decision], dict[Stratum, float]]:
    """Finds `count` disputed decisions, and undisputed ones; those in the journal need not be found again.

    Which ones are taken does not depend on the number of workers.

    Returns:
        The decisions, and the share that each stratum has of the decisions of a game.
    """
    left = _quotas(count)
    decisions: list[Decision] = []
    first, met, looked = 0, Counter[str](), Counter[Stratum]()

    def add(line: dict[str, Any]) -> None:
        for kind, disputed, state in line["taken"]:
            left[kind, disputed] -= 1
            decisions.append((kind, disputed, state))
        met.update(line["met"])
        for kind, disputed, number in line["looked"]:
            looked[kind, disputed] += number

    for line in journal.lines("game"):
        first = line["game"] + 1
        add(line)
    if any(left.values()):
        games = _results(dispute.play, ((number,) for number in itertools.count(first)), workers)
        total = len(decisions) + sum(left.values())
        with contextlib.closing(games), tqdm(total=total, initial=len(decisions), unit="decision", desc="find") as bar:
            for number, played in enumerate(games, first):
                taken = _take(played.found, left)
                line = {"game": number, "taken": taken, "met": played.met, "looked": played.looked}
                journal.add(line)
                add(line)
                bar.update(len(taken))
                if not any(left.values()):
                    break
    of_kind = {kind: looked[kind, True] + looked[kind, False] for kind in met}
    shares = {(kind, is_so): met[kind] / met.total() * n / of_kind[kind] for (kind, is_so), n in looked.items()}
    return decisions, shares


def _quotas(count: int) -> dict[Stratum, int]:
    """Returns how many decisions of each stratum to take."""
    left: dict[Stratum, int] = {}
    for disputed, number in ((True, count), (False, round(UNDISPUTED * count))):
        rare = {(kind, disputed): round(share * number) for kind, share in QUOTAS.items()}
        left |= rare | {(MOVE, disputed): number - sum(rare.values())}
    return left


def _take(found: list[Decision], left: dict[Stratum, int]) -> list[Decision]:
    """Returns the decisions of a game to take."""
    missing, taken = Counter(left), list[Decision]()
    for decision in found:
        if missing[decision[:2]] > 0 and len(taken) < PER_GAME:
            missing[decision[:2]] -= 1
            taken.append(decision)
    return taken


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
    dispute = Dispute(args.game, tuple(dict.fromkeys([*judges, *args.players])), judges, args.seed)
    for player in dispute.players:
        make_player(player, game)  # report a wrong string before the first game
    make_policy(game, args.policy)
    told = {**asdict(dispute), "count": args.count, "policy": args.policy, **_told(settings)}
    with Journal(args.file, _with_networks(told)) as journal:
        decisions, shares = find(dispute, args.count, journal, settings.threads or os.cpu_count() or 1)
        states = [game.deserialize(bytes.fromhex(state)) for *_, state in decisions]
        losses, about = roll_out_all(game, args.policy, states, settings, journal)
        about |= {"players": list(dispute.players), "judges": list(dispute.judges), "strata": _told_shares(shares)}
        number = Counter((kind, disputed) for kind, disputed, _ in decisions)
        cases = [
            Case(state, kind, own, weight=shares[kind, disputed] * len(decisions) / number[kind, disputed])
            for (kind, disputed, _), state, own in zip(decisions, states, losses, strict=True)
        ]
        Referee(game, about, cases).save(args.file)
        journal.remove()


def _told_shares(shares: dict[Stratum, float]) -> dict[str, float]:
    return {f"{kind}, {'disputed' if disputed else 'undisputed'}": share for (kind, disputed), share in shares.items()}


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
        cases = [replace(case, again=own) for case, own in zip(referee.cases, losses, strict=True)]
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
    parser.add_argument("--players", nargs="+", default=["heuristic", "greedy"], help="play the games; with the judges")
    parser.add_argument("--judges", nargs="+", default=["heuristic"], help="disagree; with the policy")
    parser.add_argument("--count", type=int, default=10_000, help="number of disputed decisions (default 10,000)")
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
