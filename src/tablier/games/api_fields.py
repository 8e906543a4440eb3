"""Fields of requests and answers, for the server and for games that add to its API. Needs pydantic."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, RootModel, StrictBool, StrictStr
from pydantic_core import PydanticCustomError


def _whole(value: Any) -> Any:
    """A whole number as JSON has it: 3 and 3.0 are the same, "3" and true are not numbers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool | str | bytes):
        raise PydanticCustomError("whole_number", "Input should be a whole number")
    return value


Whole = BeforeValidator(_whole)
"""Put it into the annotation of every whole number that clients send."""
Number = Annotated[int, Field(ge=-(2**31), le=2**31), Whole]
OptionName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
OptionValue = StrictBool | Number | Annotated[StrictStr, Field(max_length=40)]
Options = Annotated[dict[OptionName, OptionValue], Field(max_length=40)]
"""Rule options of a game, for `load_game`."""


class Body(BaseModel):
    """What a client sends: nothing beyond the named fields."""

    model_config = ConfigDict(extra="forbid")


class Words(RootModel[dict[str, str]]):
    """A text in every language that the server speaks, English among them: language to text."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"en": "White wins.", "fr": "Blanc gagne."}]})
