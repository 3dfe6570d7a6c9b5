"""Draws the schedule of a day as a picture below an answer, with fonts of its own."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rich_agent.feature import Feature

if TYPE_CHECKING:
    from rich_agent.feature.day import DayTimelineState


def draw_attached_day(content: Mapping[str, Any], locale: str) -> bytes:
    """The picture of an attachment of the kind `day`; see `draw_day`."""
    from rich_agent.feature.day import DayTimeline
    from rich_agent.features.day_picture.drawing import draw_day

    return draw_day(DayTimeline.from_state(cast("DayTimelineState", content)), locale)


feature = Feature(
    name="day_picture",
    locales=Path(__file__).parent / "locales",
    pictures={"day": draw_attached_day},
)
