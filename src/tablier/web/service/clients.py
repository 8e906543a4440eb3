"""Who sends a request: an address, and the network it belongs to.

One household or one attacker often has many addresses: a /24 in IPv4, a /64 in IPv6. Limits therefore hold for an
address and, a few times higher, for its network.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

LOOPBACK = ("127.0.0.1", "localhost", "::1")
IPV4_PREFIX, IPV6_PREFIX = 24, 64

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class Client:
    """The sender of a request."""

    address: str
    network: str
    local: bool = False
    """Whether the request comes from this machine and not from a proxy; the rate of such requests is not limited."""


NOBODY = Client("", "", True)
"""The client of work that nobody asked for."""


@lru_cache(4096)
def network_of(address: str) -> str:
    """Returns the network of an address: its /24 in IPv4, its /64 in IPv6; other texts are returned as they are.

    >>> network_of("203.0.113.77"), network_of("2001:db8:1:2:3::4"), network_of("::ffff:203.0.113.77")
    ('203.0.113.0/24', '2001:db8:1:2::/64', '203.0.113.0/24')
    """
    found = _parsed(address)
    if found is None:
        return address
    prefix = IPV4_PREFIX if found.version == 4 else IPV6_PREFIX
    return str(ipaddress.ip_network((found, prefix), strict=False))


def is_among(address: str, networks: Sequence[Network]) -> bool:
    """Returns whether an address belongs to one of the networks."""
    found = _parsed(address)
    return found is not None and any(found in network for network in networks)


def client_of(peer: str, forwarded: str, proxies: Sequence[Network]) -> Client:
    """Returns the client of a request.

    Args:
        peer: the address at the other end of the connection.
        forwarded: the `X-Forwarded-For` header; it counts only if the peer is a proxy.
        proxies: the proxies that this server trusts.

    Example:
        >>> proxies = [ipaddress.ip_network("10.0.0.1")]
        >>> client_of("10.0.0.1", "192.0.2.9, 198.51.100.7", proxies).address  # the proxy added the last one
        '198.51.100.7'
        >>> client_of("198.51.100.7", "192.0.2.9", proxies).address
        '198.51.100.7'
    """
    if not is_among(peer, proxies):
        return Client(peer, network_of(peer), peer in LOOPBACK)
    address = peer
    for text in reversed(forwarded.split(",")):  # each proxy appends the address that it saw
        found = _parsed(text.strip())
        if found is None:
            break
        address = str(found)
        if not is_among(address, proxies):
            break
    return Client(address, network_of(address))


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found
