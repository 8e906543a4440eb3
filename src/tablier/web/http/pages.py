"""Serves the page's files, the modules of games, the message catalogues and the API documentation.

Only files in `static/` and in the `page` folders of homes have an address, so no address can lead outside them. The
page loads nothing from other hosts.

Why not Starlette's StaticFiles and GZipMiddleware: they serve every file in a folder and compress it for each request.
Here, only files with listed suffixes are served, games can add folders while the server runs, and errors are messages
in every language.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tablier.games import home_types
from tablier.messages import Entry, Message, languages, sent_keys, templates, terminal_keys
from tablier.web.http.refusals import refusal

STATIC = Path(__file__).parent.parent / "static"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
SMALL = 600
"""Files smaller than this, in bytes, are not compressed."""
PAUSE = 1.0
"""Minimum time between two scans of known folders, in seconds, so that requests for unknown addresses are cheap."""


@dataclass(frozen=True)
class File:
    """A file ready to send: its content, the gzipped content, the media type and the ETag."""

    content: bytes
    packed: bytes | None
    kind: str
    tag: str

    @classmethod
    def of(cls, content: bytes, suffix: str) -> File:
        """Creates a file; the suffix determines the media type."""
        kind = TYPES[suffix]
        packs = len(content) >= SMALL and not kind.startswith(("image/png", "font/"))
        packed = gzip.compress(content, 6, mtime=0) if packs else None
        return cls(content, packed, kind, f'"{hashlib.sha256(content).hexdigest()[:20]}"')


class Files:
    """The files of the page, and those of games under `games/<key>/`. Changed files are read again.

    The files of a new game are found at once, and a new file in a known folder when PAUSE has passed since the last
    scan.

    Args:
        folder: the folder of the page.
        clock: returns the time in seconds.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._paths: dict[str, Path] = {}
        self._read: dict[str, tuple[float, File]] = {}
        self._scan()

    def _scan(self) -> None:
        self._paths = dict(_addresses(self._folder, ""))
        self._homes = home_types()
        for home in self._homes:
            if home.folder is not None and home.page():
                self._paths |= _addresses(home.folder / "page", f"games/{home.page()}/")
        self._scanned = self._clock()

    def get(self, address: str) -> File | None:
        """Returns the file at an address, or None."""
        is_due = self._clock() - self._scanned >= PAUSE
        if address not in self._paths and (is_due or home_types() != self._homes):
            self._scan()
        path = self._paths.get(address)
        if path is None or not path.is_file():
            return None
        changed, file = self._read.get(address, (None, None))
        if file is None or changed != path.stat().st_mtime:
            changed, file = path.stat().st_mtime, File.of(path.read_bytes(), path.suffix)
            self._read[address] = changed, file
        return file


def _addresses(folder: Path, prefix: str) -> Iterator[tuple[str, Path]]:
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix in TYPES:
            yield prefix + path.relative_to(folder).as_posix(), path


class Catalogues:
    """The message catalogues (`messages/en.json` and so on) and the list of languages (`messages/languages.json`).

    Parts that only some pages need, such as the texts of the rules, have their own file (`messages/en.rules.json`).
    """

    def __init__(self) -> None:
        self._made: dict[str, tuple[object, File]] = {}

    def get(self, address: str) -> File | None:
        """Returns the catalogue at an address, or None; it is rebuilt when a game has added messages."""
        name = address.removeprefix("messages/").removesuffix(".json")
        lang, dot, part = name.partition(".")
        is_known = name == "languages" or (lang in _languages() and (part in (*PARTS, *OF_PAGE) if dot else True))
        if address != f"messages/{name}.json" or not is_known:
            return None
        source = languages() if name == "languages" else templates(lang)
        known, file = self._made.get(name, (None, None))
        if file is None or known is not source:
            told = _names() if name == "languages" else _for_the_page(templates(lang), part)
            file = File.of(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode(), ".json")
            self._made[name] = source, file
        return file


COMMANDS = (
    "arena.",
    "cluster.",
    "judge.",
    "ladder.",
    "luck.",
    "match.",
    "rating.",
    "referee.",
    "rollout.",
)
"""Prefixes of other keys that only commands use. The page loads faster without them."""


PARTS = ("rules",)
"""Parts of a game's catalogue (`<home>.<part>.`) that a page loads when it needs them."""
OF_PAGE = {
    "analysis": ("page.analysis.", "page.rollout.", "page.set_up.", "page.share."),
    "library": ("page.library.",),
    "learning": ("page.lessons.", "page.puzzles.", "page.exercise."),
    "review": ("page.review.",),
    "runs": ("page.runs.",),
}
"""Parts of the page's own texts that are loaded when they are needed, by the prefixes of their keys."""


def _for_the_page(catalogue: Mapping[str, Entry], part: str) -> dict[str, Entry]:
    elsewhere = terminal_keys() | sent_keys()
    mine = {key: entry for key, entry in catalogue.items() if key not in elsewhere and not key.startswith(COMMANDS)}
    return {key: entry for key, entry in mine.items() if part_of(key) == part}


def part_of(key: str) -> str:
    """Returns the part of the catalogue that a message belongs to, "" for what every page needs."""
    first, _, rest = key.partition(".")
    if first == "page":
        return next((part for part, prefixes in OF_PAGE.items() if key.startswith(prefixes)), "")
    name = rest.partition(".")[0]
    return name if name in PARTS else ""


def _languages() -> tuple[str, ...]:
    home_types()  # importing a home adds its messages
    return languages()


def _names() -> list[dict[str, object]]:
    return [{"code": code, "name": templates(code)["@name"]} for code in languages()]


class Pages:
    """The ASGI application for everything outside the API."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._files, self._catalogues = Files(folder), Catalogues()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends a file, or a 404 response (ASGI interface)."""
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        accepted = request.headers.get("accept-language", "")
        if request.method not in ("GET", "HEAD"):
            return refusal(405, Message("method.refused"), accepted, {"Allow": "GET, HEAD"})
        address = request.url.path.removeprefix("/") or "index.html"
        file = self._catalogues.get(address) or self._files.get(address)
        if file is None:
            return refusal(404, Message("address.missing"), accepted)
        headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        content = file.content
        if file.packed and "gzip" in request.headers.get("accept-encoding", ""):
            content = file.packed
            headers["Content-Encoding"] = "gzip"
        return Response(content, headers=headers, media_type=file.kind)


def describe(schema: dict[str, Any]) -> str:
    """Renders an OpenAPI schema as an HTML page without scripts."""
    operations = [
        (f"{method.upper()} {path}", operation)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    shared = set.intersection(*(set(operation["responses"]) for _, operation in operations))
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tablier: HTTP API</title>',
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/css/base.css">',
        "</head><body><main>",
        f"<h1>Tablier: HTTP API, version {escape(schema['info']['version'])}</h1>",
        f'<p>{escape(schema["info"]["description"])} <a href="openapi.json">openapi.json</a></p>',
        f"<p>Every request can fail with {', '.join(sorted(shared))} and {_link(_ERROR)}.</p>",
    ]
    for name, operation in operations:
        parts.append(f"<h2><code>{escape(name)}</code></h2><p>{escape(operation.get('description', ''))}</p><ul>")
        for one in operation.get("parameters", []):
            need = "required" if one.get("required") else "optional"
            parts.append(f"<li><code>{escape(one['name'])}</code> ({one['in']}, {need})</li>")
        for kind, content in operation.get("requestBody", {}).get("content", {}).items():
            parts.append(f"<li>body: {escape(kind)} {_link(content.get('schema', {}))}</li>")
        for status in sorted(set(operation["responses"]) - shared):
            given = operation["responses"][status]
            shapes = " ".join(_link(content.get("schema", {})) for content in given.get("content", {}).values())
            parts.append(f"<li>{status}: {escape(given['description'])} {shapes}</li>")
        parts.append("</ul>")
    parts.append("<h2>Requests and responses</h2><dl>")
    for name, shape in schema["components"]["schemas"].items():
        parts.append(f'<dt id="{escape(name)}"><code>{escape(name)}</code></dt>')
        parts.append(f"<dd>{escape(shape.get('description', ''))}<ul>")
        for key, value in shape.get("properties", {}).items():
            parts.append(f"<li><code>{escape(key)}</code>: {_link(value)}</li>")
        parts.append("</ul></dd>")
    return "".join([*parts, "</dl></main></body></html>"])


_ERROR = {"$ref": "#/components/schemas/Error"}


def _link(shape: dict[str, Any]) -> str:
    """Renders a schema as a short text, with a link if it has a name."""
    if name := shape.get("$ref", "").rpartition("/")[2]:
        return f'<a href="#{escape(name)}">{escape(name)}</a>'
    if several := shape.get("anyOf") or shape.get("oneOf"):
        return " or ".join(map(_link, several))
    if shape.get("type") == "array":
        return f"list of {_link(shape.get('items', {}))}"
    if "const" in shape or "enum" in shape:
        return escape(", ".join(map(str, shape.get("enum", [shape.get("const")]))))
    return escape(str(shape.get("type", "")))
