"""A locked file is locked for other processes until its process ends, however it ends."""

import subprocess
import sys

import pytest

from tablier import locks

HOLDER = """
import sys
from tablier import locks
file = open(sys.argv[1], "r+b")
locks.acquire(file.fileno())
print("held", flush=True)
sys.stdin.read()
"""


def test_the_lock_of_a_killed_process_is_free_again(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"content")
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        with path.open("r+b") as file:
            with pytest.raises(OSError):  # noqa: PT011  (the number of the error depends on the system)
                locks.acquire(file.fileno())
            assert file.read() == b"content", "others can read the file, and its position has not moved"
            holder.kill()
            locks.acquire(file.fileno(), wait=True)
