"""Runs commands in forks of a process that has imported Tablier already: importing takes longer than most commands.

A fork is a process like any other, with its own input, output, environment, working folder and exit code.
"""

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path

from tablier.messages.catalogue import EXTRA

LARGEST = 2**20  # bytes of a request


@cache
def _process(messages):
    """Starts the process that forks; returns a socket to it. Catalogues are found on import, hence `messages`."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, __file__, str(theirs.fileno())]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env={**os.environ, EXTRA: messages},
        pass_fds=[theirs.fileno()],
    )
    theirs.close()
    atexit.register(_end, process, ours)
    return ours


def _end(process, channel):
    channel.close()  # a process whose channel is closed ends
    process.wait()


def run(arguments, typed, environment):
    """Runs `tablier` with these arguments, input and environment; returns a `subprocess.CompletedProcess`."""
    channel = _process(environment.get(EXTRA, ""))
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
        given.write(typed)
        given.seek(0)
        request = json.dumps([arguments, environment, str(Path.cwd())]).encode()
        assert len(request) < LARGEST
        socket.send_fds(channel, [request], [one.fileno() for one in (given, out, error)])
        code = channel.recv(LARGEST)
        assert code, "the process that runs commands has died"
        told = []
        for one in (out, error):
            one.seek(0)
            told.append(one.read().decode())
    return subprocess.CompletedProcess(arguments, int(code), *told)


def _serve(channel):
    from tablier.cli import main, make_parser

    make_parser()  # imports all commands
    import_module("tablier.cli.terminal.seating")  # which most of them import when they run
    while True:
        request, files, _, _ = socket.recv_fds(channel, LARGEST, 3)
        if not request:
            return 0
        child = os.fork()
        if not child:
            break
        for file in files:
            os.close(file)
        _, status = os.waitpid(child, 0)
        channel.send(str(os.waitstatus_to_exitcode(status)).encode())
    channel.close()
    for standard, file in enumerate(files):
        os.dup2(file, standard)
        os.close(file)
    arguments, environment, folder = json.loads(request)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["tablier", *arguments]
    return main()


if __name__ == "__main__":
    sys.exit(_serve(socket.socket(fileno=int(sys.argv[1]))))
