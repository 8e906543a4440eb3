"""Error responses: a sentence in the client's language, with its code and parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from starlette.responses import Response

from tablier.messages import Message, languages, portable, render

MOST_LANGUAGES = 32
_QUALITY = re.compile(r"\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*", re.IGNORECASE)


def refusal(
    status: int, message: Message, accept_language: str = "", headers: Mapping[str, str] | None = None
) -> Response:
    """Builds the response `{"detail": ..., "code": ..., "params": {...}}`.

    Args:
        status: the HTTP status.
        message: the reason.
        accept_language: the `Accept-Language` header of the request, which selects the language of `detail`.
        headers: additional headers.
    """
    lang = preferred(accept_language)
    params = {name: portable(value) for name, value in message.params.items()}
    body = json.dumps({"detail": render(message, lang), "code": message.key, "params": params}, ensure_ascii=False)
    more = {"Content-Language": lang, **(headers or {})}
    if status == 401:
        more["WWW-Authenticate"] = "Bearer"
    if status == 429:
        more["Retry-After"] = "2"
    return Response(body.encode("utf-8", "replace"), status, more, "application/json")


def preferred(accept_language: str) -> str:
    """Returns the available language that an `Accept-Language` header prefers; English if it names none.

    >>> preferred("de-CH, fr-CH;q=0.8, en;q=0.5"), preferred("en;q=0.9, fr;q=1"), preferred("fr;q=0, *")
    ('fr', 'fr', 'en')
    """
    known = {lang.lower(): lang for lang in languages()}
    wanted = []
    for item in accept_language.lower().split(",")[:MOST_LANGUAGES]:
        name, _, weight = item.partition(";")
        given = _QUALITY.fullmatch(weight or "q=1")
        wanted.append((float(given[1]) if given else 0.0, name.strip()))
    for quality, name in sorted(wanted, key=lambda one: -one[0]):
        parts = name.split("-")
        for n in range(len(parts), 0, -1):  # fr-CH also means fr
            if quality and "-".join(parts[:n]) in known:
                return known["-".join(parts[:n])]
    return languages()[0]
