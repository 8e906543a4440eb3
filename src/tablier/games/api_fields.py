"""Field types for requests and responses, shared by the server and by games that extend its API. Needs pydantic."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, RootModel, StrictBool, StrictStr
from pydantic_core import PydanticCustomError


def _whole(value: Any) -> Any:
    """Accepts 3 and 3.0 as the same integer, as JSON does; rejects "3" and true."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool | str | bytes):
        raise PydanticCustomError("whole_number", "Input should be a whole number")
    return value


Whole = BeforeValidator(_whole)
"""Annotates every integer that clients send."""
Number = Annotated[int, Field(ge=-(2**31), le=2**31), Whole]
OptionName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
OptionValue = StrictBool | Number | Annotated[StrictStr, Field(max_length=40)]
Options = Annotated[dict[OptionName, OptionValue], Field(max_length=40)]
"""Rule options, passed on to `load_game`."""


class Body(BaseModel):
    """Base class of request bodies; unknown fields are rejected."""

    model_config = ConfigDict(extra="forbid")


class Words(RootModel[dict[str, str]]):
    """A text in every language of the server, by language code; English is always present."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"en": "White wins.", "fr": "Blanc gagne."}]})
