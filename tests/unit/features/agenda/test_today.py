"""Buttons below the schedule of today."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from unittest.mock import AsyncMock

import pytest

from rich_agent.chat_commands.paged_list import ListPage, ListPlace
from rich_agent.chat_commands.registry import Presses
from rich_agent.chat_commands.replies import PressReply, PressRequest
from rich_agent.domain.answer.attachments import Attachment
from rich_agent.domain.message import User
from rich_agent.feature import loaded_features
from rich_agent.features.agenda.commands import tasks
from rich_agent.features.agenda.domain.plans import ScheduleBlock
from rich_agent.installed import choose_features
from rich_agent.phrases import say
from rich_agent.times import Clocks

NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)
START = NOW.replace(tzinfo=None)
HOUR = timedelta(hours=1)
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
    block = ScheduleBlock(1, START, START + HOUR, "Paper", None, "work")
    place = ListPlace(7, Clocks("en", "UTC", NOW), part="today")
    message = tasks._page(ListPage(place, (), 0, ()), [block])
    assert [one.data.partition(":")[0] for row in message.buttons for one in row] == verbs


@pytest.mark.usefixtures("choice")
async def test_older_button_of_a_picture_says_that_it_no_longer_works() -> None:
    """No feature draws the day any more; what else a reply brings is kept."""
    choose_features((), DRAWING)
    schedule = AsyncMock()
    schedule.day.return_value = [ScheduleBlock(1, START, START + HOUR, "Paper", None, "work")]
    saved = PressReply("Saved.", attachments=(Attachment("day", ""),))
    answers = tasks.DayPictures(schedule).presses()
    presses = Presses({**answers, "save1": AsyncMock(return_value=saved)})
    button = tasks.picture_button(START.date(), "de").data
    request = PressRequest(button, User(42), 7, (), 1, locale="de")
    outdated = PressReply(say("de", "button-outdated"))
    assert await presses.answer(request) == outdated
    assert await presses.answer(replace(request, data="save1:")) == saved
    if DRAWING:
        choose_features((), ())
        (picture,) = (await presses.answer(request)).attachments
        assert picture.kind == "day"


def test_lists_may_be_asked_for_in_groups() -> None:
    """Each command that shows what is one's own is answered there to its user alone."""
    (agenda,) = (one for one in loaded_features() if one.name == "agenda")
    assert {entry.name for entry in agenda.menu if entry.in_groups} == {"tasks", "today", "notes"}
