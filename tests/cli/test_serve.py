"""`tablier serve`: a bad setup ends in a one-line message before the first request is served."""

import pytest

from tablier.cli import main


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("diary.txt", "diary.txt cannot be used as a game database: file is not a database; choose another --db"),
        ("none/games.sqlite", "none/games.sqlite cannot be written: the folder does not exist"),
        (".", "cannot be written: it is a folder"),
    ],
)
def test_a_file_that_cannot_hold_games_is_refused(name, words, tmp_path, capsys):
    diary = tmp_path / "diary.txt"
    diary.write_text("dear diary, " * 100)
    assert main(["serve", "--port", "0", "--db", str(tmp_path / name)]) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith(f"tablier: {tmp_path}")
    assert errors.endswith(f"{words}\n")
    assert errors.count("\n") == 1
    assert diary.read_text().startswith("dear diary")
    assert not (tmp_path / "none").exists(), "only the default place is made"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--proxy", "everyone"], "--proxy 'everyone' is neither an address nor a network"),
        (["--proxy", "192.0.2.7/24"], "--proxy '192.0.2.7/24' is neither"),
        (["--disk", "0"], "--disk must be from 1 to 1000000 MB, not 0"),
        (["--keep", "nan"], "--keep must be from 1 to 36500 days, not nan"),
    ],
)
def test_settings_that_cannot_be(args, words, tmp_path, capsys):
    assert main(["serve", "--port", "0", "--db", str(tmp_path / "games.sqlite"), *args]) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("host", ["a..b", "x" * 64])
def test_a_host_that_cannot_be_a_name_is_told_as_such(host, tmp_path, capsys):
    assert main(["serve", "--port", "0", "--db", str(tmp_path / "games.sqlite"), "--host", host]) == 2
    assert capsys.readouterr().err == f"tablier: cannot resolve the address '{host}'; choose another --host\n"
    assert list(tmp_path.iterdir()) == []
