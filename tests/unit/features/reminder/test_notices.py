"""Notices of due reminders, as the bot sends them."""

from datetime import UTC, datetime
from typing import Any
from unittest.mock import AsyncMock, MagicMock

import pytest

from rich_agent.composition.answering import InternalServices
from rich_agent.composition.feature_joining import join_parts
from rich_agent.domain.access import Access
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.feature.parts import Parts
from rich_agent.features.reminder.notices import ReminderNotices
from rich_agent.features.reminder.records import REMINDER_WORK, DueReminder
from rich_agent.features.reminder.reminder import Reminder
from rich_agent.ports.accounts import Account
from rich_agent.telegram.deliver.messenger import ReplyTarget
from tests.twins.accounts import InMemoryAccounts
from tests.unit.telegram.test_notices import ADA, hold, stored


@pytest.mark.parametrize("failure", [KeyError("tea"), DatabaseUnavailableError("bad statement")])
async def test_reminder_whose_wording_breaks_is_not_lost(failure: Exception) -> None:
    """It is tried again, and in the end its user is told, in its topic."""
    at = datetime(2026, 3, 2, 8, tzinfo=UTC)
    digest = Reminder(1, ADA, "", "digest", at, "Europe/Berlin", topic_id=5)
    reminders = AsyncMock()
    reminders.due.return_value = DueReminder(digest, "queued", at, is_delayed=False)
    reminders.now.return_value = at
    reminders.upcoming.side_effect = failure
    accounts = InMemoryAccounts(accounts={ADA: Account(locale="de", time_zone="Europe/Berlin")})
    word = ReminderNotices(reminders, accounts, Access(frozenset({ADA}))).word
    parts = join_parts({"reminder": Parts(notices={REMINDER_WORK: word})})
    messenger, nothing = AsyncMock(), MagicMock()
    messenger.outbox.find.return_value = None
    chat: Any = MagicMock(features=parts)
    repositories: Any = MagicMock(accounts=accounts)
    services = InternalServices(nothing, repositories, messenger, nothing, nothing, chat)
    notices = services._notices()
    with pytest.raises(type(failure)):
        await notices.send(stored(REMINDER_WORK), hold)
    target = ReplyTarget(-7, ADA, "de", topic_id=5, time_zone="Europe/Berlin")
    assert await notices.target_of(stored(REMINDER_WORK)) == target
    reminders.due.return_value = None
    assert await notices.target_of(stored(REMINDER_WORK)) is None
    messenger.api.send_message.assert_not_called()
