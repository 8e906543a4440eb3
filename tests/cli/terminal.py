"""Runs `tablier` the way a user does: as a process with typed input, in a pseudo-terminal where needed."""

import os
import pty
import select
import signal
import sys
import time
from pathlib import Path

import forking

COMMAND = [sys.executable, "-m", "tablier"]
PATIENCE = 120
"""Seconds to wait for text before a test fails."""


def tablier(*arguments, typed="", env=None):
    """The finished process: returncode, stdout, stderr."""
    inherited = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    changed = {**inherited, "LC_ALL": "C.UTF-8", **(env or {})}
    return forking.run(arguments, typed, changed)


def plain(text):
    """French text as a keyboard writes it: without no-break spaces and curly apostrophes."""
    return text.translate({0xA0: " ", 0x202F: " ", 0x2019: "'"})


class Terminal:
    """A command in a pseudo-terminal: `typed` sends keys, `until` waits for text on the screen."""

    def __init__(self, *arguments, env=None):
        self.screen = ""
        changed = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **(env or {})}
        if not env or "NO_COLOR" not in env:
            changed.pop("NO_COLOR", None)
        self._pid, self._fd = pty.fork()
        if self._pid == 0:
            signal.signal(
                signal.SIGINT, signal.SIG_DFL
            )  # background jobs of a shell ignore SIGINT, and children inherit that
            os.execvpe(COMMAND[0], [*COMMAND, *arguments], changed)

    def typed(self, text):
        os.write(self._fd, text.encode())

    def until(self, words):
        """Reads until the text appears in new output, and returns that output."""
        end, start = time.monotonic() + PATIENCE, len(self.screen)
        while words not in self.screen[start:]:
            ready, _, _ = select.select([self._fd], [], [], max(0, end - time.monotonic()))
            assert ready, f"{words!r} did not come in {self.screen[start:]!r}"
            try:
                self.screen += os.read(self._fd, 65536).decode(errors="replace")
            except OSError:  # the other end was closed
                break
        assert words in self.screen[start:], self.screen[start:]
        return self.screen[start:]

    def idle(self):
        """Waits until the process blocks on input: an earlier Ctrl-C would take effect only at the next key."""
        asleep = 0
        while asleep < 5:
            state = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()[0]
            asleep = asleep + 1 if state == "S" else 0
            time.sleep(0.05)

    def code(self):
        """Waits for the process to exit and returns its exit code."""
        while True:
            try:
                piece = os.read(self._fd, 65536)
            except OSError:
                break
            if not piece:
                break
            self.screen += piece.decode(errors="replace")
        _, status = os.waitpid(self._pid, 0)
        os.close(self._fd)
        return os.waitstatus_to_exitcode(status)
