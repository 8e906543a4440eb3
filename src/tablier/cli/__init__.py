"""The command line. `commands/` has one file per subcommand, with `add(subparsers)` and `run(args)`.

Exit codes: 0 success, 1 failure, 2 usage error, 130 interrupted, 141 broken pipe.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import tablier
from tablier.messages import Message, MessageError, Text, language, reason_of, render, say, visible

COMMANDS = (
    "play",
    "serve",
    "analyze",
    "rollout",
    "replay",
    "simulate",
    "match",
    "arena",
    "ladder",
    "referee",
    "games",
    "train",
    "eval",
    "runs",
    "bench",
    "playthrough",
    "doctor",
    "completion",
)
"""Modules of `commands/`, in the order of the help. `main` imports them, so that Ctrl-C is handled during imports."""

_CALLED_WRONGLY = (ValueError, FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)
_UNWRITABLE = (errno.EBADF, errno.EFBIG, errno.ENOSPC, errno.EDQUOT)
"""Errors of writing. Those of a stream such as stdout do not name a file."""
_LONGEST, _END = 250, 100
"""Maximum length of a word in an error message, and how much of its beginning and end is shown if it is longer."""
_NO_MEMORY = ("can't allocate memory", "failed to allocate memory", "out of memory", "bad_alloc", "bad allocation")
"""How torch and onnxruntime say, in a RuntimeError, that memory is used up."""


class Parser(argparse.ArgumentParser):
    """An argument parser that reports errors in one line. Subcommands use it too."""

    def error(self, message: str) -> NoReturn:
        """Prints the error in one line and exits with code 2."""
        self.exit(2, f"{self.prog}: {_line(message)}; see {self.prog} --help\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is sys.stdout:
            print(message, end="")  # argparse ignores errors, and would exit with 0
        else:
            super()._print_message(message, file)


def make_parser() -> Parser:
    """Returns the parser of all commands."""
    parser = Parser(
        prog="tablier",
        description="Play, analyze and learn dice board games.",
        epilog="example:\n  tablier play\n  tablier COMMAND --help",
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tablier {tablier.__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    for name in COMMANDS:
        import_module(f"tablier.cli.commands.{name}").add(subparsers)
    for command in subparsers.choices.values():
        import_module("tablier.cli.arguments").add_import(command)
        command.set_defaults(parser=command)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code.

    Args:
        argv: the arguments after `tablier`; by default those of this process.
    """
    _open_streams()
    args = argparse.Namespace()
    try:
        try:
            return _run(argv, args)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _discard_unwritten()
        return 141
    except _CALLED_WRONGLY as error:  # the user's mistake: one line, no traceback
        return _tell(error, 2, args)
    except (OSError, MemoryError) as error:
        return _tell(error, 1, args)
    except RuntimeError as error:
        if not any(words in str(error).lower() for words in _NO_MEMORY):
            raise
        return _tell(MemoryError(), 1, args)
    except KeyboardInterrupt:
        print(f"tablier: {say(_language(args), 'terminal.stopped')}", file=sys.stderr)
        return 130


def _open_streams() -> None:
    """Opens those of stdin, stdout and stderr that the caller has closed.

    Reading ends at once, writing to stdout is an error, and what is written to stderr is lost. Without this, the next
    file that is opened would get the number of a closed stream.
    """
    for name, mode, flags in (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY)):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, flags)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))


def _discard_unwritten() -> None:
    """Discards what cannot be written to stdout and stderr; otherwise Python reports an error at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(argv: Sequence[str] | None, args: argparse.Namespace) -> int:
    """Runs a command. Fills in `args`, which the caller needs to report errors."""
    parser = make_parser()
    _, rest = parser.parse_known_args(argv, args)
    args.rest = rest
    if rest and not getattr(args, "takes_rest", False):
        what = f"unknown option {rest[0]}" if rest[0].startswith("-") else f"unexpected argument {rest[0]!r}"
        getattr(args, "parser", parser).error(what)
    if not hasattr(args, "run"):
        parser.print_help(sys.stderr)
        raise SystemExit(2)
    import_module("tablier.imports").import_games(args.imports)
    try:
        code: int = args.run(args)
    except SystemExit as error:
        if error.code:
            raise
        raise MessageError.of("terminal.wrong.exited") from error  # it is not ours, and would look like success
    return code


def _language(args: argparse.Namespace) -> str:
    return language(getattr(args, "lang", None))


def _tell(error: BaseException, code: int, args: argparse.Namespace) -> int:
    text = _line(render(_reason(error), _language(args))) or type(error).__name__
    with contextlib.suppress(OSError):  # if stderr cannot be written either, the exit code says it
        print(f"tablier: {text}", file=sys.stderr)
    _discard_unwritten()
    return code


def _line(text: str) -> str:
    """Returns an error message as one line, in which long words such as paths are shortened."""
    words = (word if len(word) <= _LONGEST else f"{word[:_END]}...{word[-_END:]}" for word in text.split())
    return visible(" ".join(words))


def _reason(error: BaseException) -> Text:
    if isinstance(error, OSError) and error.strerror:
        reason = error.strerror.lower()
        if error.filename is not None:
            return Message("terminal.wrong.file", file=str(error.filename), reason=reason)
        if error.errno in _UNWRITABLE:
            return Message("terminal.wrong.output", reason=reason)
    if isinstance(error, MemoryError) and not str(error):
        return Message("terminal.wrong.memory")
    return reason_of(error)
