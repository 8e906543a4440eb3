"""Commands speak English here, whatever the locale of the machine, and lines are as long as they like."""

import pytest


@pytest.fixture(autouse=True)
def _plain_surroundings(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("COLUMNS", raising=False)
