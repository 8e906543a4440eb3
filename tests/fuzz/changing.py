"""Texts and bytes that are nearly right, for hypothesis."""

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


def said(error):
    """Checks that a refusal says why."""
    assert str(error).strip()
