"""Draws pictures below an answer, with fonts of its own: the schedule of a day, and charts."""

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


def draw_attached_chart(content: Mapping[str, Any], locale: str) -> bytes:
    """The picture of an attachment of the kind `computed`; see `draw_chart`."""
    from rich_agent.feature import Attachment
    from rich_agent.feature.surface import block_of
    from rich_agent.features.day_picture.charts import draw_chart

    block = block_of(Attachment("computed", "", content), locale)
    if block is None or block.chart is None:
        raise OSError("there is no chart")
    return draw_chart(block.chart)


feature = Feature(
    name="day_picture",
    locales=Path(__file__).parent / "locales",
    pictures={"day": draw_attached_day, "computed": draw_attached_chart},
)
