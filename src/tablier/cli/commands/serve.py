"""`tablier serve`: serves the web board."""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import sys
import threading
import webbrowser
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any

from tablier.cli.arguments import given_path, new_parser, writable
from tablier.cli.extras import extra
from tablier.paths import home_folder

EXAMPLE = """example:
  tablier serve
  tablier serve --port 9000 --runs runs --think 2
  tablier serve --host 0.0.0.0
  tablier serve --name games.example.org --proxy 127.0.0.1"""

SAYS_HOST = """\
This server listens at {host} and can be reached from other machines. Anyone who can connect may create tables, use
computer players and see the training runs in {runs}; anyone with the link of a table may watch it.
Traffic is not encrypted, so seat tokens can be intercepted. Use it only on a trusted network or behind HTTPS."""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "serve", "play in the browser", EXAMPLE)
    parser.add_argument(
        "--port", type=int, default=8000, metavar="N", help="port to listen on (default 8000; 0: any free port)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1, this machine only)"
    )
    parser.add_argument(
        "--name", action="append", default=[], help="additional host name, such as that of a proxy; repeatable"
    )
    parser.add_argument(
        "--proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="address or network of a reverse proxy; its X-Forwarded-For header is believed; repeatable",
    )
    parser.add_argument(
        "--db", type=given_path, metavar="FILE", help="database file (default: in the user's data folder)"
    )
    parser.add_argument(
        "--runs", type=given_path, default="runs", metavar="FOLDER", help="folder with training runs (default runs)"
    )
    parser.add_argument(
        "--think", type=float, default=5.0, metavar="SECONDS", help="thinking time of computer players (default 5)"
    )
    parser.add_argument(
        "--disk", type=float, default=2000, metavar="MB", help="room for new games in the database (default 2000)"
    )
    parser.add_argument(
        "--keep",
        type=float,
        default=30,
        metavar="DAYS",
        help="days without a move after which a game may be deleted once the database is nearly full (default 30)",
    )
    parser.add_argument(
        "--cache", type=int, default=1000, metavar="TABLES", help="tables to keep in memory, 100 kB each (default 1000)"
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.set_defaults(run=run)


def default_db() -> Path:
    """Returns the default path of the database; raises MessageError if the user has no home folder."""
    data = os.environ.get("XDG_DATA_HOME") or home_folder("home.database") / ".local" / "share"
    return Path(data) / "tablier" / "games.sqlite"


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    with extra("web"):
        import uvicorn

        from tablier.web.http.app import App, Settings
        from tablier.web.http.connections import Connection
        from tablier.web.service.clients import LOOPBACK
        from tablier.web.service.limits import DAY, Limits
        from tablier.web.service.store import Store, StoreError
    if not 0 <= args.port <= 65535:
        raise ValueError(f"--port must be from 0 to 65535, not {args.port}")
    if not 0.05 <= args.think <= 60:
        raise ValueError(f"--think must be from 0.05 to 60 seconds, not {args.think:g}")
    if not 1 <= args.disk <= 1_000_000:
        raise ValueError(f"--disk must be from 1 to 1000000 MB, not {args.disk:g}")
    if not 1 <= args.keep <= 36500:
        raise ValueError(f"--keep must be from 1 to 36500 days, not {args.keep:g}")
    if not 1 <= args.cache <= 1_000_000:
        raise ValueError(f"--cache must be from 1 to 1000000 tables, not {args.cache}")
    proxies = tuple(map(_network, args.proxy))
    db = writable(args.db) if args.db else default_db()
    listening = _listen(args.host, args.port)
    try:
        Store(db).close()  # report a bad file now; the server opens it again
    except StoreError as error:
        listening.close()
        raise ValueError(str(error)) from None
    sys.setswitchinterval(0.0005)  # the thread that saves games must not wait for the event loop
    port = listening.getsockname()[1]
    limits = Limits(think=args.think, disk=int(1_000_000 * args.disk), keep=DAY * args.keep, live=args.cache)
    settings = Settings(db, Path(args.runs), args.host, tuple(args.name), proxies, limits)
    app = App(settings)
    if args.host not in LOOPBACK:
        print(SAYS_HOST.format(host=args.host, runs=args.runs))
    shown = "127.0.0.1" if args.host in ("0.0.0.0", "::", "") else args.host
    url = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"

    class Server(uvicorn.Server):
        """Prints its address once it is up, or stops if it cannot, and closes event streams on shutdown."""

        failure: OSError | None = None

        async def main_loop(self) -> None:
            try:
                print(f"Tablier is running at {url}  (Ctrl-C stops it; games are saved in {settings.db})", flush=True)
                if args.open:
                    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
            except OSError as error:
                self.failure, self.should_exit = error, True
            await super().main_loop()

        def handle_exit(self, sig: int, frame: Any) -> None:
            app.ending()
            super().handle_exit(sig, frame)

    config = uvicorn.Config(
        app,
        http=type("ProxiedConnection", (Connection,), {"proxies": proxies}),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
        timeout_keep_alive=75,
        limit_concurrency=900,  # more than connections.MOST, which comes first
        proxy_headers=False,
    )
    server = Server(config)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    if server.failure:
        raise server.failure
    if not server.started:
        print("tablier: the server could not start", file=sys.stderr)
        return 1
    return 0


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text)
    except ValueError:
        raise ValueError(
            f"--proxy {text!r} is neither an address nor a network; write it as 192.0.2.7 or 192.0.2.0/24"
        ) from None


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except (OSError, UnicodeError):  # a name with an empty or long part cannot be encoded
        raise ValueError(f"cannot resolve the address {host!r}; choose another --host") from None
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise ValueError(f"cannot listen on {host}, port {port}: {error.strerror}; choose another --port") from None
    return listening
