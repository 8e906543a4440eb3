"""Child processes that are interrupted while they work, whenever that is."""

import os
import signal
import time
from pathlib import Path


def processor_seconds(pid):
    """Processor time that a process has used, all its threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def until_children_work(process, count=2, seconds=1.0):
    """Waits until so many children of a process have each worked for so long, longer than it takes to begin."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while sum(processor_seconds(pid) > seconds for pid in children.read_text().split()) < count:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)


def interrupt_at_work(process, seconds=0.3):
    """Sends Ctrl-C to a process that has just said it begins, once it has worked for so long."""
    begun = processor_seconds(process.pid)
    while processor_seconds(process.pid) < begun + seconds:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
