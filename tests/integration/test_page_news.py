"""News for pages: a change of what users see there tells open pages, wherever it is made."""

from datetime import time

from rich_agent.domain.memory.items import LongTermMemory, MemoryItem
from rich_agent.domain.time.wall_time import QuietHours
from rich_agent.domain.tools import ToolCall, ToolResult
from rich_agent.ports.tools import Asker, Executed
from rich_agent.repositories.accounts import PostgresAccounts
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.knowledge.user_files import PostgresUserFiles
from rich_agent.repositories.memories import PostgresMemories
from rich_agent.repositories.tools import PostgresToolExecutions
from tests.contract.test_user_files import sent
from tests.integration.page_news import following_pages

ME = 42


async def test_pages_are_told_of_changed_settings(database_url: str, databases: Databases) -> None:
    """A chosen or learned language, zone, or quiet hours."""
    accounts = PostgresAccounts(databases.app)
    async with following_pages(database_url) as pages:
        await pages.hears(accounts.choose_locale(ME, "de"), ME)
        await pages.hears(accounts.learn_time_zone(ME, "Europe/Berlin"), ME)
        await pages.hears(accounts.choose_time_zone(ME, "Asia/Tokyo"), ME)
        await pages.hears(accounts.keep_quiet_hours(ME, QuietHours(time(22), time(7))), ME)


async def test_pages_are_told_of_changed_memory(database_url: str, databases: Databases) -> None:
    """Something that was learned, and something that was forgotten for good."""
    memories = PostgresMemories(databases.app)
    learned = LongTermMemory(facts=(MemoryItem("Lives in Kyoto", "r1", "2026-03-02T10:00:00"),))
    async with following_pages(database_url) as pages:
        await pages.hears(memories.change(ME, lambda _: learned), ME)
        empty = LongTermMemory()
        await pages.hears(memories.change(ME, lambda _: empty, for_good=True), ME)


async def test_pages_are_told_of_changed_files(database_url: str, databases: Databases) -> None:
    """A file that is sent, kept, forgotten, or left behind with its conversation."""
    files = PostgresUserFiles(databases.rag, databases.app)
    async with following_pages(database_url) as pages:
        await pages.hears(files.store(sent(ME)), ME)
        (stored,) = await files.all_of(ME)
        await pages.hears(files.keep(ME, [stored.id], kept=True), ME)
        await pages.hears(files.keep(ME, [stored.id], kept=False), ME)
        await pages.hears(files.forget(ME, [stored.id]), ME)


async def test_pages_are_told_of_what_tools_did_and_undid(
    database_url: str, databases: Databases
) -> None:
    """A call that acts, and its Undo; the change is listed until it is undone."""
    executions = PostgresToolExecutions(databases.app)
    asker, call = Asker(ME, f"tg:{ME}", "r1"), ToolCall("c1", "add", {})
    result = ToolResult("c1", "success", "{}", done="Added.", undoable=True).to_state()

    async def run() -> Executed:
        return Executed(result, {"id": 1})

    async def take_back(_: object) -> str:
        return "Removed."

    async with following_pages(database_url) as pages:
        await pages.hears(executions.once(asker, call, run), ME)
        (change,) = await executions.recent(ME, 5)
        assert (change.request_id, change.done, change.can_be_undone) == ("r1", "Added.", True)
        assert await executions.recent(ME + 1, 5) == []
        await pages.hears(executions.undo(ME, "r1", take_back), ME)
        assert await executions.recent(ME, 5) == []
