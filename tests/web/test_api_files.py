"""The page's files: content types, compression and caching."""

import gzip

import pytest
from serving import server

from tablier.web.http import pages
from tablier.web.http.pages import PAUSE, Files


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with server(tmp_path_factory.mktemp("files")) as found:
        yield found


def test_the_page_is_there(client):
    answer = client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.text == client.get("/index.html").text


def test_what_has_not_changed_is_not_sent_again(client):
    first = client.get("/")
    assert first.headers["cache-control"] == "no-cache"
    again = client.get("/", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_page_can_only_be_read(client):
    assert client.post("/", json={}).status_code == 405
    head = client.request("HEAD", "/")
    assert (head.status_code, head.content) == (200, b"")


def test_files_are_found_packed_and_read_again(tmp_path):
    (tmp_path / "js").mkdir()
    script = tmp_path / "js" / "main.js"
    script.write_text("let answer = 42;\n" * 100)
    (tmp_path / "notes.exe").write_text("not for the web")
    now = 0.0
    files = Files(tmp_path, clock=lambda: now)
    found = files.get("js/main.js")
    assert found.kind == "text/javascript; charset=utf-8"
    assert gzip.decompress(found.packed) == found.content
    assert len(found.packed) < len(found.content)
    assert files.get("notes.exe") is None
    assert files.get("../" + tmp_path.name + "/js/main.js") is None
    script.write_text("let answer = 43;\n")
    assert files.get("js/main.js").content == b"let answer = 43;\n"
    assert files.get("js/main.js").tag != found.tag
    (tmp_path / "new.css").write_text("p { color: red }")
    now += PAUSE
    assert files.get("new.css").kind == "text/css; charset=utf-8"


def test_unknown_addresses_scan_the_folders_at_most_once_a_second(tmp_path, monkeypatch):
    scans, now = 0, 0.0

    def counted(*args):
        nonlocal scans
        scans += args[0] == tmp_path
        return found(*args)

    found = pages._addresses
    monkeypatch.setattr(pages, "_addresses", counted)
    files = Files(tmp_path, clock=lambda: now)
    for second in range(1, 4):
        for _ in range(100):
            assert files.get("nothing.js") is None
        assert scans == second
        now += PAUSE
    (tmp_path / "nothing.js").write_text("// Something.\n")
    assert files.get("nothing.js").content == b"// Something.\n"
