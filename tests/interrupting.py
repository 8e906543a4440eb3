"""Watches processes, and interrupts them while they are busy, however fast the machine is."""

import os
import signal
import time
from pathlib import Path


def processor_seconds(pid):
    """Returns the CPU time used by all threads of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def is_alive(pid):
    """Returns whether a process exists and has not ended; one that has, but was not waited for, is a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children_of(process):
    return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def until_children_work(process, count=2, seconds=1.0):
    """Waits until `count` children have each used `seconds` of CPU time, which is more than start-up takes."""
    while sum(processor_seconds(pid) > seconds for pid in children_of(process)) < count:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)


def interrupt_at_work(process, seconds=0.3):
    """Sends Ctrl-C to a process that has just reported its start, after `seconds` more of CPU time."""
    begun = processor_seconds(process.pid)
    while processor_seconds(process.pid) < begun + seconds:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
