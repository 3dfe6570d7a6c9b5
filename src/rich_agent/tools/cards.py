"""The card of a day: a heading with its blocks below it, as Markdown of bounded length."""

from rich_agent.domain.answer.markdown import plain_markdown
from rich_agent.domain.day_timeline import DayTimeline
from rich_agent.phrases import say
from rich_agent.times import say_full_date


def day_card(timeline: DayTimeline, locale: str) -> str:
    """The blocks of a day, one a line."""
    lines = list(map(plain_markdown, timeline.lines()))
    if timeline.left_out:
        lines.append(omission_line(timeline.left_out, locale))
    bullets = (f"- {line}" for line in lines)
    return "\n".join([f"**{say_full_date(timeline.day, locale)}**", "", *bullets])


def omission_line(count: int, locale: str) -> str:
    """The line for blocks that are not shown: "and 3 more"."""
    return say(locale, "timeline-left-out", count=count)
