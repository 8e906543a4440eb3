"""The fuzz targets of the core without libFuzzer: their corpus and seeded inputs. `make fuzz` runs them by time."""

import subprocess

import pytest
from c_programs import BUILD, ROOT, make

FUZZED = {"words": 3000, "table": 10_000, "networks": 2000, "search": 2000}
"""Targets of core/checks/fuzz, and how many new inputs to try after those of the corpus."""


@pytest.mark.parametrize("target", FUZZED)
def test_no_input_breaks_a_promise_of_the_core(target):
    """The target `words` has sanitizers; `make fuzz` and `make sanitize` run all of them with sanitizers."""
    result = make("fuzz-programs")
    assert result.returncode == 0, result.stdout + result.stderr
    corpus = ROOT / "core/checks/fuzz/corpus" / target
    command = [BUILD / f"fuzz_{target}", corpus, str(FUZZED[target]), "1"]
    result = subprocess.run(command, capture_output=True, text=True)
    expected = f"{len(list(corpus.iterdir()))} files, {FUZZED[target]} new inputs\n"
    assert (result.returncode, result.stdout) == (0, expected), result.stderr
