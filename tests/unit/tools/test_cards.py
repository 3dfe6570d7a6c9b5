"""The card of a day."""

from datetime import date

from rich_agent.domain.day_timeline import DayTimeline, TimelineBlock
from rich_agent.tools.cards import day_card

TODAY = date(2026, 11, 23)


def test_card_of_a_day_has_a_line_for_each_block() -> None:
    """In the user's language, with what is left out."""
    day = DayTimeline(TODAY, (TimelineBlock(540, 600, "会議", "meeting"),), 2)
    assert day_card(day, "ja") == "**2026年11月23日月曜日**\n\n- 09:00–10:00 会議\n- ほか2件"
