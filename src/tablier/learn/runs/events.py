"""Writes metrics for TensorBoard synchronously, so that the caller sees every error."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path
from typing import Any


class Events:
    """A TensorBoard event file. From step `first` on, it replaces the events of older files."""

    def __init__(self, folder: Path, first: int) -> None:
        from tensorboard.compat.proto.event_pb2 import Event, SessionLog
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.summary.writer.record_writer import RecordWriter

        self._event, self._summary = Event, Summary
        folder.mkdir(exist_ok=True)
        name = f"events.out.tfevents.{time.time_ns() // 10**9:010d}.{socket.gethostname()}.{os.getpid()}"
        self._file = (folder / name).open("ab")
        self._records = RecordWriter(self._file)
        self._write(file_version="brain.Event:2", step=first)
        self._write(session_log=SessionLog(status=SessionLog.START), step=first)

    def add(self, rows: list[dict[str, Any]]) -> None:
        """Writes rows of metrics."""
        for row in rows:
            values = [
                self._summary.Value(tag=name, simple_value=value)
                for name, value in row.items()
                if name != "step" and value is not None
            ]
            self._write(summary=self._summary(value=values), step=row["step"])
        self._file.flush()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _write(self, **parts: Any) -> None:
        self._records.write(self._event(wall_time=time.time(), **parts).SerializeToString())
