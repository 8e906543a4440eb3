"""Paths from users: links that lead to themselves, and users without a home folder."""

import errno
import os
from pathlib import Path

import pytest

import tablier
from tablier.adapters import open_spiel_plugin
from tablier.adapters.open_spiel_plugin import PluginError
from tablier.cache import cache_folder
from tablier.cli import main
from tablier.cli.commands.serve import default_db
from tablier.messages import MessageError
from tablier.paths import resolved


@pytest.fixture
def loops(tmp_path, monkeypatch):
    """A folder with links that lead to themselves."""
    monkeypatch.chdir(tmp_path)
    for name in ("loop", "loop.svg", "loop.py", "loop.so"):
        Path(name).symlink_to(name)
    return tmp_path


def test_a_path_is_resolved(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("file")
    real = Path(os.path.realpath(tmp_path))
    assert resolved(tmp_path / "link") == real / "file"
    assert resolved(tmp_path / "nowhere" / ".." / "new") == real / "new"


@pytest.mark.parametrize("name", ["loop", "loop/inside"])
def test_a_link_to_itself_is_an_error_of_the_system(loops, name):
    with pytest.raises(OSError, match="loop") as raised:
        resolved(name)
    assert (raised.value.errno, raised.value.filename) == (errno.ELOOP, name)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["simulate", "--game", "pig", "--save", "loop"], 2),
        (["simulate", "--game", "pig", "--save", "loop/inside"], 2),
        (["ladder", "first.sqlite", "--csv", "loop"], 2),
        (["ladder", "first.sqlite", "--plot", "loop.svg"], 2),
        (["analyze", "game.txt", "--annotate", "loop"], 2),
        (["serve", "--port", "0", "--db", "loop"], 2),
        (["games", "--import", "./loop.py"], 1),
        (["games", "--import", "./loop.so"], 1),
    ],
)
def test_commands_tell_it_in_one_line(loops, capsys, words, code):
    game = tablier.load_game("pig")
    Path("game.txt").write_text(tablier.records.dump(game, []))
    assert main(words) == code
    said = capsys.readouterr().err
    assert "loop" in said
    assert said.endswith(": too many levels of symbolic links\n")
    assert len(said.splitlines()) == 1


def test_a_plugin_or_a_database_behind_such_a_link(loops):
    from tablier.web.service.database import StoreError
    from tablier.web.service.examine import examine, repair
    from tablier.web.service.store import Store

    with pytest.raises(OSError, match="symbolic links"):
        tablier.load_plugin("loop.so")
    for use in (Store, examine, repair):
        with pytest.raises(StoreError, match="symbolic links"):
            use(Path("loop"))


@pytest.fixture
def homeless(monkeypatch):
    """A user without a home folder, as in a container."""

    def unknown():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", unknown)
    for name in ("HOME", "TABLIER_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)


def test_without_a_home_folder_the_error_names_what_to_set(homeless, monkeypatch, capsys):
    with pytest.raises(MessageError, match=r"no home folder.*set TABLIER_CACHE to a folder"):
        cache_folder("tables")
    with pytest.raises(PluginError, match=r"no home folder.*set TABLIER_CACHE to a folder.*python_trictrac remains"):
        open_spiel_plugin.cache_folder()
    assert main(["serve", "--port", "0"]) == 2
    assert capsys.readouterr().err == "tablier: this user has no home folder for the database; name a file with --db\n"


def test_with_the_variables_no_home_folder_is_needed(homeless, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_db() == tmp_path / "tablier" / "games.sqlite"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder("tables") == tmp_path / "tablier" / "tables"
    monkeypatch.setenv("TABLIER_CACHE", str(tmp_path / "own"))
    assert cache_folder("tables") == tmp_path / "own" / "tables"
