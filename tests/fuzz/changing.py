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
def spliced(draw, texts, known=("",)):
    """Draws one of the texts with up to three changes of whole lines or words, which may come from another or `known`.

    Some are missing, doubled, or the last ones.
    """
    parts = re.compile(draw(st.sampled_from([r"[^\n]*\n", r"\w+|\W", r"\S+|\s+"])))
    value = parts.findall(draw(st.sampled_from(texts)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(value)))
        how = draw(st.sampled_from(["replace", "insert", "leave out", "double", "end"]))
        if how == "end":
            del value[at:]
        elif how == "leave out":
            del value[at : at + 1]
        elif how == "double":
            value[at:at] = value[at : at + 1]
        else:
            value[at : at + (how == "replace")] = [draw(_parts_of(texts, parts, known))]
    return "".join(value)


@st.composite
def _parts_of(draw, texts, parts, known):
    if draw(st.booleans()):
        return draw(st.sampled_from(known))
    text = draw(st.sampled_from(texts))
    found = parts.search(text, draw(st.integers(0, len(text))))
    return found[0] if found else ""


def composed(begins, known):
    """Returns a strategy of texts: a beginning, and then anything that is known in any order."""
    return st.tuples(st.sampled_from(begins), st.lists(st.sampled_from(known), max_size=8).map("".join)).map("".join)


THINGS = [None, True, -1, 0, 1, 10**9, 10**30, 1.5, "", "x", "\n", "x" * 300, [], [[]], {}, {"name": 1}, {"": None}]


@st.composite
def spliced_json(draw, texts, known=("x",)):
    """Draws one of the texts of JSON objects, with up to two values or keys that are others or missing, at any depth.

    New keys are `known`.
    """
    value = json.loads(draw(st.sampled_from(texts)))
    for _ in range(draw(st.integers(1, 2))):
        place = value
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = draw(st.sampled_from([*keys, *(known if isinstance(place, dict) else [len(place)])]))
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
