"""Starts Ray on this machine or joins a running cluster, and says in one line why that fails.

Ray trusts everyone who can reach its ports. A cluster started here therefore listens on the loopback interface only.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import socket
import warnings
from collections.abc import Callable, Iterator, Sequence

# Ray reads both when it is imported. With the second, a node that it starts here stays on the loopback interface, as it
# does on macOS and Windows; otherwise it would replace 127.0.0.1 by an address that others can reach.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"

import ray

from tablier.cluster.pool import Pool
from tablier.messages import Message, MessageError

LOCAL, AUTO, CLIENT = "local", "auto", "ray://"
LOOPBACK = "127.0.0.1"
REACH_SECONDS = 5.0
"""Seconds to wait for a connection. Ray itself would try for minutes."""
STORE = 512 * 2**20
"""Bytes of shared memory for objects on a cluster started here."""


@contextlib.contextmanager
def connect(
    address: str,
    workers: int = 0,
    imports: Sequence[str] = (),
    tell: Callable[[Message], None] = lambda _: None,
) -> Iterator[Pool]:
    """Starts or joins a cluster and yields its workers.

    Args:
        address: `local` starts Ray on this machine, `auto` joins the cluster that this machine belongs to, and
            `ray://HOST:PORT` or `HOST:PORT` joins a cluster by its address.
        workers: number of workers; 0 for one per CPU of the cluster.
        imports: files and modules with games, which every worker imports first (`tablier.imports`).
        tell: called with messages about workers that start, fail or are replaced.

    Yields:
        A pool with at least one worker that is ready.

    Raises:
        MessageError (a ValueError): the address is invalid, the cluster cannot be reached, or no worker can be used.
    """
    _start(address, workers)
    pool = None
    try:
        pool = Pool(workers or int(ray.cluster_resources().get("CPU", 1)), imports, tell)
        pool.wait_until_ready()
        yield pool
    finally:
        if pool is not None:
            pool.close()
        ray.shutdown()


def _start(address: str, workers: int) -> None:
    try:
        if address == LOCAL:
            start_local(workers or os.cpu_count() or 1)
        elif address == AUTO:
            from ray._private.services import get_ray_address_from_environment  # there is no public one

            found = get_ray_address_from_environment(AUTO, None)
            _check_reachable(found)  # the file that names it may be that of a cluster that was killed
            _join(found)
        else:
            _check_reachable(address)
            _join(address)
    except MessageError:
        raise
    except Exception as error:  # Ray raises many types
        reason = " ".join(str(error).split()).partition(". ")[0][:200] or type(error).__name__
        key = "cluster.not_running" if address == AUTO else "cluster.not_started"
        if address.startswith(CLIENT) and isinstance(error, ConnectionError):  # somebody listens, but does not answer
            key = "cluster.no_client"
        raise MessageError.of(key, address=address, reason=reason) from None


def _join(address: str) -> None:
    with warnings.catch_warnings():  # what they say is in the error, too
        warnings.simplefilter("ignore")
        ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False)


def start_local(cpus: int) -> None:
    """Starts a cluster of one node on this machine that listens on the loopback interface only."""
    ray.init(
        address=LOCAL,
        num_cpus=cpus,
        include_dashboard=False,
        object_store_memory=STORE,
        logging_level=logging.ERROR,
        log_to_driver=False,
        _node_ip_address=LOOPBACK,
    )
    if ray.util.get_node_ip_address() != LOOPBACK:
        ray.shutdown()
        raise MessageError.of("cluster.imported_early")


def _check_reachable(address: str) -> None:
    """Raises MessageError unless something listens at the address."""
    found = re.fullmatch(r"(?:ray://)?([\w.-]+|\[[0-9a-fA-F:]+\]):(\d{1,5})", address)
    if not found or not 0 < int(found.group(2)) < 2**16:
        raise MessageError.of("cluster.bad_address", address=address)
    try:
        socket.create_connection((found.group(1).strip("[]"), int(found.group(2))), REACH_SECONDS).close()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise MessageError.of("cluster.unreachable", address=address, reason=reason) from None
