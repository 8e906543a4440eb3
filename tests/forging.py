"""Saved states with other words, as a malicious sender could write them."""

import struct


def forge(data, words):
    """Keeps the header, replaces the words and fixes the checksum, as a malicious sender could."""
    mask, gamma = 2**64 - 1, 0x9E3779B97F4A7C15

    def mix(x):
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
        return x ^ (x >> 31)

    start = len(data) - 8 - 16 - 8 * len(words)
    body = data[:start] + struct.pack(f"<{len(words)}Q", *words) + data[-24:-8]
    total = len(body)
    for byte in body:
        total = (mix(total ^ byte) + gamma) & mask
    return body + struct.pack("<Q", total)
