"""Work that the bot gives itself: told apart from what Telegram sends by its number alone."""

from contextlib import nullcontext
from unittest.mock import AsyncMock, MagicMock

import pytest

from rich_agent.composition.answering import InternalServices
from rich_agent.errors import FeatureMissingError
from rich_agent.feature.parts import Parts
from rich_agent.ports.inbox import StoredUpdate, internal_update
from rich_agent.telegram.deliver.messenger import Hold, ReplyTarget
from rich_agent.telegram.receive.envelope import envelope
from rich_agent.telegram.serve.internal_work import InternalKinds, InternalWork
from tests.twins.accounts import InMemoryAccounts
from tests.twins.attempts import InMemoryAttempts


async def hold() -> None:
    """The lane is ours."""


def stored(update_id: int, kind: str = "chore") -> StoredUpdate:
    """An update of this kind as the inbox hands it out."""
    return StoredUpdate(update_id, internal_update(update_id, 42, kind, urgent=True).raw, 1)


def kinds(done: list[int]) -> InternalKinds:
    """One kind of work, which notes what it was asked to do."""

    async def do(update_id: int, _hold: Hold) -> None:
        done.append(update_id)

    async def tell(update_id: int) -> ReplyTarget:
        return ReplyTarget(update_id, 42, "en")

    return InternalKinds({"chore": InternalWork(do, tell)})


async def test_internal_work_is_done_under_its_own_number() -> None:
    """The number leads to what it is about, and to the one who waits for it."""
    done: list[int] = []
    known = kinds(done)
    assert await known.do([stored(-7)], hold)
    assert done == [-7]
    assert await known.target_of([stored(-7)]) == ReplyTarget(-7, 42, "en")


@pytest.mark.parametrize(
    ("kind", "failure"),
    [
        ("lesson", None),
        ("chess_due", None),
        ("stream", None),
        ("chess_won", None),
        ("reminder", FeatureMissingError),
    ],
)
async def test_internal_work_of_a_kind_that_the_process_lacks_is_not_finished(
    kind: str, failure: type[Exception] | None
) -> None:
    """Known kinds are finished, also a letter whose work was retried; a notice of nobody is not."""
    repositories, accounts = MagicMock(), InMemoryAccounts()
    repositories.accounts = accounts
    repositories.inbox.attempts = InMemoryAttempts()
    word, due_work = AsyncMock(return_value=None), MagicMock()
    chat = MagicMock(features=Parts(work={"chess_due": due_work}, notices={"chess_won": word}))
    services = InternalServices(
        MagicMock(), repositories, MagicMock(), MagicMock(), MagicMock(), chat
    )
    all_kinds = services.kinds(MagicMock())
    with pytest.raises(failure) if failure else nullcontext():
        assert await all_kinds.do([stored(-7, kind)], hold)
    assert await all_kinds.target_of([stored(-7, kind)]) is None


async def test_internal_work_is_never_what_telegram_sends() -> None:
    """An update with a number of Telegram's is none, though it names the same kind."""
    done: list[int] = []
    known = kinds(done)
    for update in (stored(7), stored(-7, "message"), StoredUpdate(-8, b"garbage", 1)):
        assert not await known.do([update], hold)
        assert await known.target_of([update]) is None
    assert done == []


def test_internal_update_names_its_user() -> None:
    """The inbox files it in their lane."""
    update = internal_update(-7, 42, "chore", urgent=True)
    assert envelope(update.raw).user_id == update.user_id == 42
