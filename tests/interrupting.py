"""Interrupts child processes while they are busy, however fast the machine is."""

import os
import signal
import time
from pathlib import Path


def processor_seconds(pid):
    """Returns the CPU time used by all threads of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def until_children_work(process, count=2, seconds=1.0):
    """Waits until `count` children have each used `seconds` of CPU time, which is more than start-up takes."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while sum(processor_seconds(pid) > seconds for pid in children.read_text().split()) < count:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)


def interrupt_at_work(process, seconds=0.3):
    """Sends Ctrl-C to a process that has just reported its start, after `seconds` more of CPU time."""
    begun = processor_seconds(process.pid)
    while processor_seconds(process.pid) < begun + seconds:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
