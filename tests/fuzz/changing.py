"""Texts and bytes that are nearly right, for hypothesis."""

import copy
import json
import re
import string

from hypothesis import strategies as st

TOKENS = ["", " ", "\n", "=", ":", ",", "/", "-", "0", "1", "24", "9" * 20, "é", "\x00", "{", "[" * 1000, '"', "*"]


@st.composite
def changed(draw, seeds, alphabet=string.printable):
    """Draws one of the texts or byte strings, with up to four changes: parts cut, doubled, moved or replaced."""
    value = draw(st.sampled_from(seeds))
    binary = isinstance(value, bytes)
    for _ in range(draw(st.integers(0, 4))):
        begin = draw(st.integers(0, len(value)))
        end = min(len(value), begin + draw(st.sampled_from([0, 0, 1, 1, 2, 8, 100])))
        other = draw(st.integers(0, len(value)))
        how = draw(st.sampled_from(["replace", "replace", "double", "move"]))
        if how == "replace":
            more = st.binary(max_size=4) if binary else st.sampled_from(TOKENS) | st.text(alphabet, max_size=4)
            value = value[:begin] + draw(more) + value[end:]
        elif how == "double":
            value = value[:end] + value[begin:end] + value[end:]
        else:
            rest = value[:begin] + value[end:]
            value = rest[:other] + value[begin:end] + rest[other:]
    return value


@st.composite
def spliced(draw, texts):
    """Draws one of the texts, with up to three lines or words that come from another, or are missing or doubled."""
    parts = re.compile(draw(st.sampled_from([r"[^\n]*\n", r"\w+|\W", r"\S+|\s+"])))
    value = parts.findall(draw(st.sampled_from(texts)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(value)))
        other = draw(st.sampled_from(texts))
        begin = draw(st.integers(0, len(other)))
        found = parts.search(other, begin)
        new = [found[0]] if found else []
        how = draw(st.sampled_from(["replace", "insert", "leave out", "double"]))
        if how == "double":
            new = value[at : at + 1] * 2
        value[at : at + (how != "insert")] = [] if how == "leave out" else new
    return "".join(value)


THINGS = [None, True, -1, 0, 1, 10**9, 10**30, 1.5, "", "x", "\n", "x" * 300, [], [[]], {}, {"name": 1}, {"": None}]


@st.composite
def spliced_json(draw, texts):
    """Draws one of the texts of JSON objects, with a value or key at any depth that is another, new or missing."""
    value = json.loads(draw(st.sampled_from(texts)))
    for _ in range(draw(st.integers(1, 2))):
        place = value
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = draw(st.sampled_from([*keys, "x" if isinstance(place, dict) else len(place)]))
            inner = place[key] if key in keys else None
            if not isinstance(inner, dict | list) or draw(st.booleans()):
                break
            place = inner
        thing = copy.deepcopy(draw(st.sampled_from([*THINGS, "leave out"])))  # the next change may go into it
        if thing == "leave out":
            if key in keys:
                del place[key]
        elif isinstance(place, dict):
            place[key] = thing
        else:
            place[key : key + 1] = [thing]
    return json.dumps(value)


def said(error):
    """Checks that a refusal says why."""
    assert str(error).strip()
