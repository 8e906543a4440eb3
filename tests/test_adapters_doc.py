"""Runs the examples of docs/adapters.md."""

import pytest
from doc_examples import code_blocks

BLOCKS = code_blocks("adapters.md", "python")


def test_there_is_an_example_for_each_library():
    assert len(BLOCKS) == 3


@pytest.mark.parametrize("block", BLOCKS, ids=["gymnasium", "pettingzoo", "open_spiel"])
def test_the_example_runs(block):
    exec(block, {})
