"""The API against its schema: valid requests are answered as described, invalid ones are refused."""

import re
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from serving import PATIENCE, Process, begin

from tablier.web.http.app import App, Settings

EXAMPLES = 25


@pytest.fixture(scope="module")
def process(tmp_path_factory):
    with Process(tmp_path_factory.mktemp("schema"), "--think", "0.2") as found:
        yield found


@pytest.fixture(scope="module")
def table(process):
    """A table with a tutor, for paths that need one."""
    return begin(process.client, "tic_tac_toe", tutor=True)


DESCRIBED = App(Settings(Path("never-opened.sqlite"))).fastapi.openapi()
schema = schemathesis.openapi.from_dict(DESCRIBED)


@schema.exclude(path_regex="events").parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_answers_are_as_described(case, process, table):
    """Replaces a well-formed table id by one that exists, to get past the 404."""
    given = str((case.path_parameters or {}).get("table", ""))
    if re.fullmatch("[A-Za-z0-9_-]{22}", given):
        case.path_parameters["table"] = table[0]
    answer = case.call(base_url=str(process.client.base_url), timeout=PATIENCE)
    assert answer.status_code < 500
    case.validate_response(answer, excluded_checks=[positive_data_acceptance])  # no schema can list the legal moves
