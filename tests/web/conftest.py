import secrets

import pytest
from known_dice import DRAWN


@pytest.fixture(autouse=True)
def _known_dice(monkeypatch):
    for name, draw in DRAWN.items():
        monkeypatch.setattr(secrets, name, draw)
