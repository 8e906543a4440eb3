"""`tablier serve`: the web board."""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Any

from tablier.cli.arguments import new_parser, writable
from tablier.cli.extras import extra

EXAMPLE = """example:
  tablier serve
  tablier serve --port 9000 --runs runs --think 2
  tablier serve --host 0.0.0.0"""

SAYS_HOST = """\
This server answers the whole network at {host}, not only this machine. Anyone who can reach it may open tables, let
players think and look at the training runs in {runs}; who has a table's link may watch it. Traffic is not encrypted:
others on the way can read seat tokens. Use it in a network you trust, or behind a proxy that speaks HTTPS."""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "serve", "play in the browser, on a web board", EXAMPLE)
    parser.add_argument("--port", type=int, default=8000, help="where to answer (default 8000; 0: any that is free)")
    parser.add_argument("--host", default="127.0.0.1", help="answer other machines, too (default: only this one)")
    parser.add_argument("--name", action="append", default=[], help="a further name of this server, as of a proxy")
    parser.add_argument("--db", type=Path, default=None, help="the file of games (default in the user's data folder)")
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="folder of training runs (default runs)")
    parser.add_argument("--think", type=float, default=5.0, help="seconds a player may think (default 5)")
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    parser.set_defaults(run=run)


def default_db() -> Path:
    """Where games are kept if nothing else is said."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "tablier" / "games.sqlite"


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    with extra("web"):
        import uvicorn

        from tablier.web.http.app import App, Settings
        from tablier.web.http.connections import Connection
        from tablier.web.http.guard import LOOPBACK
        from tablier.web.service.limits import Limits
        from tablier.web.service.store import Store, StoreError
    if not 0 <= args.port <= 65535:
        raise ValueError(f"a port is from 0 to 65535, not {args.port}")
    if not 0.05 <= args.think <= 60:
        raise ValueError(f"--think is from 0.05 to 60 seconds, not {args.think:g}")
    db = writable(str(args.db)) if args.db else default_db()
    try:
        Store(db).close()  # what is wrong with the file is told here; the server opens it again
    except StoreError as error:
        raise ValueError(f"{error}; choose another --db") from None
    sys.setswitchinterval(0.0005)  # the thread that writes games down is not to wait for the one that answers
    listening = _listen(args.host, args.port)
    port = listening.getsockname()[1]
    limits = Limits(think=args.think)
    settings = Settings(db, args.runs, args.host, tuple(args.name), limits)
    app = App(settings)
    if args.host not in LOOPBACK:
        print(SAYS_HOST.format(host=args.host, runs=args.runs))
    shown = "127.0.0.1" if args.host in ("0.0.0.0", "::", "") else args.host
    url = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"

    class Server(uvicorn.Server):
        """Says where it is when it answers, and lets event streams end when it is asked to stop."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                print(f"Tablier plays at {url}  (Ctrl-C ends it; games are kept in {settings.db})", flush=True)
                if args.open:
                    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()

        def handle_exit(self, sig: int, frame: Any) -> None:
            app.ending()
            super().handle_exit(sig, frame)

    config = uvicorn.Config(
        app,
        http=Connection,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
        timeout_keep_alive=75,
        limit_concurrency=900,  # files that a process may have open by default are 1024
        proxy_headers=False,
    )
    server = Server(config)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    if not server.started:
        print("tablier: the server could not start", file=sys.stderr)
        return 1
    return 0


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except OSError:
        raise ValueError(f"there is no address {host!r} to answer at") from None
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise ValueError(f"cannot answer at {host}, port {port}: {error.strerror}; choose another --port") from None
    return listening
