"""`tablier completion`: prints a shell script that completes commands, options, games and players.

The script is generated from the argument parsers; what an argument accepts (a game, a player, a file) follows from its
name.

Why not shtab: its bash script completes nothing after `--options a=1,` and cannot offer only the options of one game.
Why not argcomplete: it starts Python at every Tab.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import tablier
from tablier.cli.arguments import ALGORITHM_NAMES, new_parser
from tablier.registry import DEFAULT_GAME

EXAMPLE = """to enable completion in the current shell (left) or permanently (right):
  bash   source <(tablier completion bash)    add this line to ~/.bashrc
  zsh    source <(tablier completion zsh)     add this line to ~/.zshrc, after compinit
  fish   tablier completion fish | source     tablier completion fish > ~/.config/fish/completions/tablier.fish

example:
  source <(tablier completion bash)"""
GAME, OPTIONS, PLAYER, FILES, FOLDERS = "game", "options", "player", "files", "folders"
Kind: TypeAlias = str | list[str] | None
"""One of the kinds above, a list of choices, or None if unknown."""
KINDS: dict[str, Kind] = {
    "game": GAME,
    "options": OPTIONS,
    "name": GAME,
    "against": PLAYER,
    "player": PLAYER,
    "players": PLAYER,
    "opponents": PLAYER,
    "first": PLAYER,
    "second": PLAYER,
    "anchor": PLAYER,
    "judge": PLAYER,
    "luck": PLAYER,
    "file": FILES,
    "imports": FILES,
    "subject": FILES,
    "load": FILES,
    "save": FILES,
    "plot": FILES,
    "csv": FILES,
    "annotate": FILES,
    "folder": FOLDERS,
    "runs": FOLDERS,
    "algorithm": ALGORITHM_NAMES,
    "preset": ["default", "quick", "strong"],
}
"""What an argument accepts, by its name."""


@dataclass
class Command:
    """What a shell can complete after a command."""

    name: str
    summary: str
    options: list[str] = field(default_factory=list)
    values: dict[str, Kind] = field(default_factory=dict)
    """What the options with a value accept."""
    argument: Kind = None
    """What the positional arguments accept."""
    helps: dict[str, str] = field(default_factory=dict)


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "completion", "print a shell completion script", EXAMPLE)
    parser.add_argument("shell", choices=tuple(SHELLS), help="shell to write the script for")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.cli import make_parser

    print(SHELLS[args.shell](commands(make_parser())), end="")
    return 0


def commands(parser: argparse.ArgumentParser) -> list[Command]:
    """Returns all commands of a parser."""
    result = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            summaries = {choice.dest: choice.help or "" for choice in action._choices_actions}
            result += [_command(name, summaries.get(name, ""), one) for name, one in action.choices.items()]
    return result


def _command(name: str, summary: str, parser: argparse.ArgumentParser) -> Command:
    command = Command(name, summary)
    for action in parser._actions:
        kind: Kind = list(action.choices) if action.choices else KINDS.get(action.dest)
        if not action.option_strings:
            command.argument = kind
            continue
        flag = action.option_strings[-1]
        command.options.append(flag)
        command.helps[flag] = action.help or ""
        if action.nargs != 0:
            command.values[flag] = kind
    return command


def _players() -> list[str]:
    from tablier.players import PLAYERS

    return sorted(set(PLAYERS) - {"human"})


def _words(kind: Kind) -> list[str]:
    if kind is None or isinstance(kind, list):
        return kind or []
    if kind == OPTIONS:  # of all games
        return sorted({option for game in tablier.registered_games() for option in _options(game)})
    return {GAME: tablier.registered_games(), PLAYER: _players()}.get(kind, [])


def _options(game: str) -> list[str]:
    return [f"{option}=" for option in tablier.load_game(game).options()]


def _by_game(offer: Callable[[str], str]) -> str:
    """Returns a shell `case` that completes the options of the game on the command line."""
    cases = " ".join(f"{game}) {offer(' '.join(_options(game)))} ;;" for game in tablier.registered_games())
    return f'case "$game" in {cases} esac'


def _bash(found: list[Command]) -> str:
    """Returns the script for bash: one function, in which the first word that is not an option is the command."""

    def offer(kind: Kind) -> str:
        if kind in (FILES, FOLDERS):
            letter = "f" if kind == FILES else "d"
            return f'compopt -o filenames; COMPREPLY=($(compgen -{letter} -- "$current"))'
        if kind == OPTIONS:
            words = 'COMPREPLY=($(compgen -P "$begun" -W "{}" -- "${{current##*,}}"))'
            return f"compopt -o nospace; {_by_game(words.format)}"
        return f'COMPREPLY=($(compgen -W "{" ".join(_words(kind))}" -- "$current"))'

    head = [
        "# completion of tablier for bash: source <(tablier completion bash)",
        "_tablier() {",
        f'    local current="${{COMP_WORDS[COMP_CWORD]}}" previous="" command="" game={DEFAULT_GAME} begun="" i',
        "    for ((i = 1; i < COMP_CWORD; i++)); do",
        '        if [[ "${COMP_WORDS[i]}" != -* && -z "$command" ]]; then command="${COMP_WORDS[i]}"; fi',
        '        if [[ "${COMP_WORDS[i]}" == --game ]]; then game="${COMP_WORDS[i+1]}"; fi',
        "    done",
        '    for ((i = COMP_CWORD; i > 2; i -= 2)); do [[ "${COMP_WORDS[i-1]}" == "=" ]] || break; done  # a=1,b',
        '    previous="${COMP_WORDS[i-1]}"',
        '    if [[ $i -lt $COMP_CWORD && "${COMP_WORDS[i]}" == --* ]]; then previous="${COMP_WORDS[i]}"; fi',
        '    if [[ "$current" == *,* ]]; then begun="${current%,*},"; fi',
        "    COMPREPLY=()",
    ]
    return "\n".join([*head, *_cases(found, offer), "}", "complete -F _tablier tablier"]) + "\n"


def _zsh(found: list[Command]) -> str:
    """Returns the script for zsh, which works like the one for bash."""

    def offer(kind: Kind) -> str:
        if kind in (FILES, FOLDERS):
            return "_files" if kind == FILES else "_files -/"
        if kind == OPTIONS:
            words = "compadd -S '' -- {}"
            return f"compset -P '*,'; {_by_game(words.format)}"
        return f"compadd -- {' '.join(_words(kind))}" if _words(kind) else ":"

    head = [
        "#compdef tablier",
        "# completion of tablier for zsh: source <(tablier completion zsh), after compinit",
        "_tablier() {",
        f'    local previous="${{words[CURRENT-1]}}" current="${{words[CURRENT]}}" command="" game={DEFAULT_GAME} i',
        "    for ((i = 2; i < CURRENT; i++)); do",
        '        if [[ "${words[i]}" != -* && -z "$command" ]]; then command="${words[i]}"; fi',
        '        if [[ "${words[i]}" == --game ]]; then game="${words[i+1]}"; fi',
        "    done",
    ]
    return "\n".join([*head, *_cases(found, offer), "}", "compdef _tablier tablier"]) + "\n"


def _cases(found: list[Command], offer: Callable[[Kind], str]) -> list[str]:
    """Returns the shell code that completes the value of an option, an option, or an argument, in this order."""
    lines = ['    case "$command $previous" in']
    for command in found:
        lines += [f'        "{command.name} {flag}") {offer(kind)}; return ;;' for flag, kind in command.values.items()]
    lines += ["    esac", '    if [[ "$current" == -* && -n "$command" ]]; then', '        case "$command" in']
    lines += [f"            {command.name}) {offer(command.options)} ;;" for command in found]
    lines += ["        esac", "        return", "    fi", '    case "$command" in']
    lines.append(f'        "") {offer([*(command.name for command in found), "--help", "--version"])} ;;')
    lines += [f"        {command.name}) {offer(command.argument)} ;;" for command in found if command.argument]
    return [*lines, "    esac"]


def _fish(found: list[Command]) -> str:
    """Returns the script for fish: one line per option."""

    def quoted(text: str) -> str:
        return "'" + " ".join(text.split()).replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = ["# completion of tablier for fish: tablier completion fish | source", "complete -c tablier -f"]
    for command in found:
        lines.append(f"complete -c tablier -n __fish_use_subcommand -a {command.name} -d {quoted(command.summary)}")
    for command in found:
        here = f"complete -c tablier -n '__fish_seen_subcommand_from {command.name}'"
        for flag in command.options:
            text = f"{here} -l {flag.removeprefix('--')} -d {quoted(command.helps[flag])}"
            if flag in command.values:
                kind = command.values[flag]
                text += " -r" + (" -F" if kind in (FILES, FOLDERS) else "")
                text += f" -a {quoted(' '.join(_words(kind)))}" if kind and _words(kind) else ""
            lines.append(text)
        if command.argument in (FILES, FOLDERS):
            lines.append(f"{here} -F")
        elif command.argument:
            lines.append(f"{here} -a {quoted(' '.join(_words(command.argument)))}")
    return "\n".join(lines) + "\n"


SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
