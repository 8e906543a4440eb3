"""Records as match text (.mat), the format of Jellyfish that most programs of backgammon read and write.

     3 point match

     Game 1
     White : 0                      Black : 0
      1) 31: 8/5 6/5                 65: 24/18 18/13
      2) 66: 24/18 24/18 13/7 13/7   42: Cannot Move
                                      Wins 2 points

White is on the left. Points are in the mover's numbering, 25 is the bar and 0 off the board; `bar`, `off`, `13/7(2)`
and `24/18/13` are read too. Money play is a match to 0 points. Lines that begin with a semicolon hold the header. Games
with a doubling cube are refused. A record can end after a throw, or within a doublet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tablier._core import State
from tablier._core.backgammon import parts
from tablier.games.backgammon.turns import VARIATIONS, GameRecord, Replay, Turn, refusal, side_key, start_of, turns_of
from tablier.games.backgammon.typed import read_paths
from tablier.messages import MessageError, reason_of
from tablier.record_format import HEADER_LENGTH, checked_header
from tablier.registry import load_game

LEFT, MIDDLE = 27, 20
"""Width of the left column; where a text further right belongs to the right one."""
MAX_LINE = 2_000
"""Maximum length of a line, in characters. Two names of `HEADER_LENGTH` fit."""
MAX_TAGS, MAX_GAMES = 100, 10_000
"""Maximum number of header keys and of games, because every game gets a copy of the header."""
# Reading must take time in proportion to the text, so patterns must not try the same characters from several places.
_LENGTH = re.compile(r"\s*(\d{1,4})\s+point match\b.*", re.IGNORECASE)
_GAME = re.compile(r"\s*Game\s+(\d{1,5})\s*", re.IGNORECASE)
_SCORE = re.compile(r":\s*+(\d{1,5})\s{2,}+")
_LAST_SCORE = re.compile(r"\d{1,5}")
_TURN = re.compile(r"\s*(\d{1,4})\)(.*)")
_CELL = re.compile(r"([1-6])([1-6]):")
_WINS = re.compile(r"Wins\s++(\d{1,4})\s++points?\b", re.IGNORECASE)
_TAG = re.compile(r';\s*\[([A-Za-z][A-Za-z0-9_ ]{0,39}) "(.*)"\]\s*')
_CUBE = re.compile(r"\b(doubles?|takes?|drops?|beavers?)\b", re.IGNORECASE)
_CANNOT = re.compile(r"cannot move|no move|\(no play\)", re.IGNORECASE)


def recognises(text: str) -> bool:
    """Whether a text looks like match text."""
    for line in text.split("\n"):
        if line.strip() and not line.startswith(";"):
            return bool(_LENGTH.fullmatch(line) or _GAME.fullmatch(line))
    return False


def write(games: Sequence[GameRecord]) -> str:
    """Writes the games of a match, or of money play."""
    first, variation = games[0], _variation(games[0])
    kept = {key: value for key, value in first.header.items() if key not in ("White", "Black")}
    if len(kept) > MAX_TAGS:
        raise MessageError.of("backgammon.record.many_tags", most=MAX_TAGS)
    tags = kept if variation == "Backgammon" else {"Variation": variation} | kept
    lines = [f'; [{key} "{value}"]' for key, value in checked_header(tags).items()]
    lines += ["", f" {first.length} point match"]
    for record in games:
        if _variation(record) != variation:
            variation = _variation(record)
            lines += ["", f'; [Variation "{variation}"]']
        names = [record.header.get(side_key(side)) or side_key(side) for side in (0, 1)]
        left, right = (f"{_plain(name)} : {points}" for name, points in zip(names, record.score, strict=True))
        lines += ["", f" Game {record.number}", f" {left.ljust(29)}  {right}"]
        lines += _turn_lines(*turns_of(record.game, record.actions))
    return "\n".join(lines) + "\n"


def _variation(record: GameRecord) -> str:
    return VARIATIONS[str(record.game.options()["start"])]


def _plain(name: str) -> str:
    """Returns a name that cannot be taken for the columns of the line."""
    return " ".join(name.replace(":", " ").split()) or "?"


def _turn_lines(turns: list[Turn], last: State) -> list[str]:
    cells = [(turn.player, _cell(turn, turn is turns[-1] and _is_waiting(last))) for turn in turns]
    rows: list[list[str]] = []
    for player, text in cells:
        if player == 0 or not rows:
            rows.append(["", ""])
        rows[-1][player] = text
    lines = [f"{n:>3}) {left.ljust(LEFT)} {right}".rstrip() for n, (left, right) in enumerate(rows, 1)]
    if last.is_terminal():
        now = parts(last)
        points = f"Wins {now.points} point{'s' * (now.points > 1)}"
        lines.append((" " * 6 if now.player == 0 else " " * 34) + points)
    return lines


def _is_waiting(state: State) -> bool:
    return state.current_player() >= 0


def _cell(turn: Turn, waiting: bool) -> str:
    moved = " ".join(f"{start}/{to}{'*' if hits else ''}" for start, to, hits in turn.moves)
    return f"{turn.dice[0]}{turn.dice[1]}: {moved or ('' if waiting else 'Cannot Move')}".rstrip()


class _Reader:
    """Reads match text line by line."""

    def __init__(self) -> None:
        self.header: dict[str, str] = {}
        self.start = "standard"
        self.length = 0
        self.games: list[GameRecord] = []
        self.replay: Replay | None = None

    def read(self, text: str) -> list[GameRecord]:
        for number, line in enumerate(text.replace("\r\n", "\n").replace("\t", "    ").split("\n"), 1):
            try:
                self._line(line)
            except MessageError as error:
                raise refusal(number, line, reason_of(error)) from None
        self._finish()
        if not self.games:
            raise MessageError.of("backgammon.record.no_game")
        return self.games

    def _line(self, line: str) -> None:
        if not line.strip():
            return
        if line.startswith(";"):
            self._tag(line)
        elif len(line) > MAX_LINE:
            raise MessageError.of("backgammon.record.long_line", most=MAX_LINE, length=len(line))
        elif found := _LENGTH.fullmatch(line):
            self.length = int(found[1])
        elif found := _GAME.fullmatch(line):
            self._finish()
            if len(self.games) >= MAX_GAMES:
                raise MessageError.of("backgammon.record.many_games", most=MAX_GAMES)
            game = load_game("backgammon", start=self.start)
            self.games.append(GameRecord(game, (), dict(self.header), self.length, (0, 0), int(found[1])))
            self.replay = Replay(game)
        elif self.replay is None:
            raise MessageError.of("backgammon.record.begins")
        elif found := _TURN.fullmatch(line):
            self._turns(line, found.start(2))
        elif found := _WINS.match(line, len(line) - len(line.lstrip())):
            self.replay.check_result(int(found.start() >= MIDDLE), int(found[1]), self.length == 0)
        elif players := _players(line):
            names, self.games[-1].score = players
            self.games[-1].header |= checked_header({key: name[:HEADER_LENGTH] for key, name in names.items()})
        else:
            raise MessageError.of("backgammon.record.unknown_line")

    def _tag(self, line: str) -> None:
        """Reads a line of the header; comments of other forms are skipped."""
        found = _TAG.fullmatch(line)
        if found is None:
            return
        key, value = found[1].replace(" ", ""), found[2]
        if key == "Variation":
            self.start = start_of(value)
        elif key not in ("Game", "Option"):
            self.header |= checked_header({key: value[:HEADER_LENGTH]})
            if len(self.header) > MAX_TAGS:
                raise MessageError.of("backgammon.record.many_tags", most=MAX_TAGS)

    def _turns(self, line: str, begin: int) -> None:
        if _CUBE.search(line, begin):
            raise MessageError.of("backgammon.record.cube")
        cells = list(_CELL.finditer(line, begin))
        if not cells:
            if line[begin:].strip() and not _WINS.search(line, begin):
                raise MessageError.of("backgammon.record.unknown_line")
            return
        if len(cells) > 2 or line[begin : cells[0].start()].strip():
            raise MessageError.of("backgammon.record.unknown_line")
        for place, cell in enumerate(cells):
            stop = cells[place + 1].start() if place + 1 < len(cells) else len(line)
            side = place if len(cells) == 2 else int(cell.start() >= MIDDLE)
            self._cell(side, (int(cell[1]), int(cell[2])), line[cell.end() : stop].strip().lower())

    def _cell(self, side: int, dice: tuple[int, int], text: str) -> None:
        if self.replay is None:
            raise MessageError.of("backgammon.record.begins")
        if text and not _CANNOT.fullmatch(text):
            self.replay.play(side, dice, read_paths(text))
            return
        try:
            self.replay.play(side, dice, [])
        except MessageError as error:
            if error.code != "backgammon.record.can_move" or text:
                raise
            self.replay.waiting = True  # the record ends after the throw

    def _finish(self) -> None:
        if self.replay is not None:
            self.games[-1].actions = tuple(self.replay.actions)
        self.replay = None


def _players(line: str) -> tuple[dict[str, str], tuple[int, int]] | None:
    """Parses the names of the players and their points; returns None if the line does not have them."""
    rest, _, last = line.rpartition(":")
    first, second = _SCORE.search(rest), _LAST_SCORE.fullmatch(last.strip())
    if not first or not second:
        return None
    names = {"White": rest[: first.start()].strip(), "Black": rest[first.end() :].rstrip()}
    return names, (int(first[1]), int(second[0]))


def read(text: str) -> list[GameRecord]:
    """Reads the games of a match, or of money play.

    Raises:
        MessageError: the text is not match text, or a move is illegal; it names the line and the reason.
    """
    return _Reader().read(text)
