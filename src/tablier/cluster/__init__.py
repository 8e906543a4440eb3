"""Games on several machines, with Ray (docs/scale.md). Needs `pip install 'tablier[cluster]'`.

`connection.py` starts or joins a cluster, `pool.py` keeps its workers busy, `worker.py` is what runs on them.
`arenas.py` plays matches and tournaments, `check.py` measures a cluster. Training uses the pool through
`tablier.learn.data.place.Place` and does not know that it is a cluster.
"""

from __future__ import annotations

from tablier.cluster.connection import connect
from tablier.cluster.pool import Pool

__all__ = ["Pool", "connect"]
