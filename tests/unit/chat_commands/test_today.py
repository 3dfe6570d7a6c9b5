"""Buttons below the schedule of today."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from rich_agent.chat_commands.agenda import tasks
from rich_agent.chat_commands.paged_list import ListPage, ListPlace
from rich_agent.domain.agenda.plans import ScheduleBlock
from rich_agent.feature import loaded_features
from rich_agent.installed import choose_features
from rich_agent.times import Clocks

NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)
START = NOW.replace(tzinfo=None)
DRAWING = tuple(one.name for one in loaded_features() if "day" in one.pictures)


@pytest.fixture
def choice() -> Iterator[None]:
    """All features are switched on again."""
    yield
    choose_features((), ())


@pytest.mark.usefixtures("choice")
@pytest.mark.parametrize(
    ("off", "verbs"), [((), [tasks.PICTURE_VERB] * bool(DRAWING)), (DRAWING, [])]
)
def test_day_is_offered_as_a_picture_only_where_it_can_be_drawn(
    off: tuple[str, ...], verbs: list[str]
) -> None:
    """A button whose picture no feature draws would lead to nothing."""
    choose_features((), off)
    block = ScheduleBlock(1, START, START + timedelta(hours=1), "Paper", None, "work")
    place = ListPlace(7, Clocks("en", "UTC", NOW), part="today")
    message = tasks._page(ListPage(place, (), 0, ()), [block])
    assert [one.data.partition(":")[0] for row in message.buttons for one in row] == verbs
