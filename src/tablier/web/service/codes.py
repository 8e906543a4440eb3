"""The secret codes of libraries, which people copy from one browser to another.

A code is 128 random bits and a checksum, written in 28 letters and digits: seven groups of four. The alphabet has no
I, L, O and U; what people type instead of a digit is read as the digit.
"""

from __future__ import annotations

import hashlib
import secrets

from tablier.web.service.refusal import Refused

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH, CHECKED, GROUP = 28, 26, 4
"""Characters of a code, those before its checksum, and those of a group."""
BITS = 128
_READ_AS = str.maketrans("OIL", "011", " -\u2010\u2011\u2013\t\r\n")


def new_code() -> str:
    """Returns a new code that nobody can guess."""
    number = int.from_bytes(secrets.token_bytes(BITS // 8))
    body = spelled(number, CHECKED)
    return body + _checksum(body)


def spaced(code: str) -> str:
    """Returns a code in groups, as people read it.

    >>> spaced("0123456789ABCDEFGHJKMNPQRSTV")
    '0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV'
    """
    return "-".join(code[at : at + GROUP] for at in range(0, LENGTH, GROUP))


def read_code(text: str) -> str:
    """Returns the code that a person typed or pasted.

    Raises:
        Refused: it is too short or too long, has other characters, or a typing error (422).
    """
    code = text.upper().translate(_READ_AS)
    if wrong := [letter for letter in code if letter not in ALPHABET]:
        raise Refused(422, "library.code.letter", letter=wrong[0])
    if len(code) != LENGTH:
        raise Refused(422, "library.code.length", n=len(code), most=LENGTH)
    if _checksum(code[:CHECKED]) != code[CHECKED:]:
        raise Refused(422, "library.code.typo")
    return code


def spelled(number: int, length: int, letters: str = ALPHABET) -> str:
    """Returns a number with `length` digits, written in an alphabet."""
    digits = []
    for _ in range(length):
        number, digit = divmod(number, len(letters))
        digits.append(letters[digit])
    return "".join(reversed(digits))


def _checksum(body: str) -> str:
    return spelled(int.from_bytes(hashlib.sha256(f"library {body}".encode()).digest()[:2]), LENGTH - CHECKED)
