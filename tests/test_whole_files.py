"""Files that are replaced as a whole."""

import errno
import os

import pytest

from tablier.whole_files import write_whole


def test_a_file_is_written_and_replaced(tmp_path):
    for data in (b"old", b"new"):
        write_whole(tmp_path / "file", data)
        assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", data)]


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_file_is_as_it_was_if_it_cannot_be_replaced(call, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "file").write_bytes(b"old")
    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / "file", b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"old")]
