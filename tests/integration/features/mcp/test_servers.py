"""Servers of tools over MCP: real processes, over pipes and over HTTP."""

import asyncio

import psutil
import pytest

from rich_agent.errors import OutcomeUnknownError, UpstreamTimeoutError
from rich_agent.features.mcp.definitions import McpServer
from rich_agent.features.mcp.ports import (
    McpLoginError,
    McpServerAwayError,
    McpServers,
    ServerText,
)
from tests.integration.features.mcp.offices import (
    Transport,
    by_command,
    connected,
    office_over,
    server_at,
    tool,
    within,
)
from tests.stand_ins.mcp_servers.starting import at_address

DEADLINE_S = 30.0
both = pytest.mark.parametrize("transport", ["stdio", "http"])


async def come_back(servers: McpServers) -> None:
    """Wait until the office has tools."""
    async with asyncio.timeout(DEADLINE_S):
        while not await servers.tools():  # noqa: ASYNC110 - as turns ask
            await asyncio.sleep(0.05)


@pytest.mark.costs("it starts servers as processes")
@both
async def test_server_gives_its_tools_and_what_they_give(transport: Transport) -> None:
    """Data counts more than text; files are named; an error of a tool is no error of ours."""
    with office_over(transport) as office:
        async with connected([office]) as office_is:
            servers = office_is.servers
            tools = {one.name: one for one in await servers.tools()}
            found = await servers.call(tool("look_up"), {"name": "Ann"})
            shown = await servers.call(tool("show"), {})
            failed = await servers.call(tool("fail"), {})
            unknown = await servers.call(tool("no_such_tool"), {})
            (report,) = await servers.report()
    assert tools["look_up"].is_read_only
    assert not tools["look_up"].is_destructive
    note = tools["note"]
    assert (note.is_read_only, note.is_destructive, note.is_open_world) == (False, True, True)
    assert (found.data, found.texts) == ({"name": "Ann", "room": 14}, ())
    page = "https://office.test/rules"
    assert shown.texts == (
        ServerText("The plan of the office."),
        ServerText("No smoking.", page, page),
    )
    assert shown.attachments == ("image (image/png, 12 kB)", "plan: file:///plan.pdf")
    assert (failed.is_error, unknown.is_error) == (True, True)
    assert failed.texts[0].text == "The printer is on fire."
    assert (report.about, report.trouble) == ("office 1.2", None)


@pytest.mark.costs("it starts servers as processes")
@both
async def test_server_that_is_slow_is_waited_for_no_longer(transport: Transport) -> None:
    """The call may have been done; the next one finds the connection as it was."""
    with office_over(transport) as office:
        async with connected([within(office, 5.0)]) as office_is:
            with pytest.raises(UpstreamTimeoutError):
                await office_is.servers.call(tool("sleep"), {"seconds": 60})
            found = await office_is.servers.call(tool("look_up"), {"name": "Ann"})
    assert found.data["room"] == 14
    assert office_is.troubles == []


@pytest.mark.costs("it starts servers as processes")
@both
async def test_server_sends_no_more_than_is_read(transport: Transport) -> None:
    """A large text is cut; beyond 4 MB nothing is parsed, and the server can be used again."""
    with office_over(transport) as office:
        async with connected([office]) as office_is:
            large = await office_is.servers.call(tool("shout"), {"size": 3 * 2**20})
            with pytest.raises(OutcomeUnknownError, match="than 4 MB"):
                await office_is.servers.call(tool("shout"), {"size": 5 * 2**20})
            await come_back(office_is.servers)
            again = await office_is.servers.call(tool("look_up"), {"name": "Ann"})
    assert len(large.texts[0].text) == 20_000
    assert again.data["room"] == 14


@pytest.mark.costs("it starts servers as processes")
async def test_server_whose_command_ends_is_started_again() -> None:
    """Its last words are told; the call that it died of may have been done."""
    async with connected([by_command()]) as office_is:
        with pytest.raises(OutcomeUnknownError, match="the roof fell in"):
            await office_is.servers.call(tool("die"), {})
        assert await office_is.servers.tools() == []
        with pytest.raises(McpServerAwayError):
            await office_is.servers.call(tool("look_up"), {"name": "Ann"})
        await come_back(office_is.servers)
        found = await office_is.servers.call(tool("look_up"), {"name": "Ann"})
    assert found.data["room"] == 14


@pytest.mark.parametrize("sessions", ["", "yes"])
async def test_server_that_was_restarted_is_asked_again(sessions: str) -> None:
    """A call not taken, because the session was forgotten, is sent once more in a new one."""
    with at_address(OFFICE_SESSIONS=sessions) as office:
        async with connected([server_at(office)]) as office_is:
            await office_is.servers.call(tool("look_up"), {"name": "Ann"})
            office.stop()
            office.start()
            found = await asyncio.gather(
                *(office_is.servers.call(tool("look_up"), {"name": name}) for name in "BCD")
            )
            (report,) = await office_is.servers.report()
    assert [one.data["name"] for one in found] == list("BCD")
    assert (report.trouble, office_is.troubles) == (None, [])


@pytest.mark.costs("it starts servers as processes")
async def test_server_gets_no_secret_of_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command has the variables of its entry, and those that any program needs."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    async with connected([by_command(OFFICE_TOOLS="0")]) as office_is:
        answer = await office_is.servers.call(tool("variables"), {})
    assert "OFFICE_TOOLS" in answer.data["names"]
    assert "OPENAI_API_KEY" not in answer.data["names"]


@pytest.mark.costs("it starts servers as processes")
async def test_server_that_is_away_costs_no_time_and_one_notice() -> None:
    """Its tools are hidden, those of others are not; it is tried again beside the turns."""
    nobody = McpServer("nobody", url="http://127.0.0.1:9/mcp")
    broken = McpServer("broken", command="no-such-command")
    async with connected([nobody, broken, by_command()]) as office_is:
        tools = await office_is.servers.tools()
        async with asyncio.timeout(DEADLINE_S):
            while len(office_is.troubles) < 2:  # noqa: ASYNC110 - told by other tasks
                await asyncio.sleep(0.05)
        reports = {one.server.name: one for one in await office_is.servers.report()}
    assert {one.server for one in tools} == {"office"}
    assert isinstance(reports["nobody"].trouble, McpServerAwayError)
    assert "cannot be started" in str(reports["broken"].trouble)
    assert {str(one) for one in office_is.troubles} == {
        str(reports[name].trouble) for name in ("nobody", "broken")
    }


async def test_server_that_refuses_the_login_is_told_of_at_once() -> None:
    """Its tools are hidden, and the notice says what to renew."""
    with at_address(OFFICE_TOKEN="right") as office:
        wrong = McpServer("office", url=office.url, headers={"Authorization": "Bearer no"})
        right = McpServer("open", url=wrong.url, headers={"Authorization": "Bearer right"})
        async with connected([wrong, right]) as office_is:
            tools = await office_is.servers.tools()
    assert {one.server for one in tools} == {"open"}
    (told,) = office_is.troubles
    assert isinstance(told, McpLoginError)
    assert "headers of office" in told.hint


def is_office(process: psutil.Process) -> bool:
    """Whether a process is the server and runs."""
    try:
        return "office.py" in " ".join(process.cmdline())
    except psutil.NoSuchProcess:  # also a zombie
        return False


def has_ended(process: psutil.Process) -> bool:
    """Whether a process runs no more; one whose end nobody asked about yet is a zombie."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@pytest.mark.costs("it starts servers as processes")
async def test_server_ends_with_the_block() -> None:
    """Also when the block fails, its process is gone."""
    processes: list[psutil.Process] = []

    def fail() -> None:
        processes.extend(one for one in psutil.Process().children() if is_office(one))
        raise LookupError("a fault of ours")

    with pytest.raises(LookupError):
        async with connected([by_command()]):
            fail()
    assert processes
    assert all(has_ended(one) for one in processes)
