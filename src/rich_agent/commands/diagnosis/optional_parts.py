"""Checks of what an installation may do without: MCP servers, task lists, readers of files."""

import os
import resource
import socket
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from rich_agent.commands.diagnosis.check_results import CheckResult, failed
from rich_agent.composition.repositories import Repositories
from rich_agent.composition.task_lists import make_seal, missing_for_lists
from rich_agent.composition.tools import open_mcp_servers
from rich_agent.domain.text import counted
from rich_agent.errors import RichAgentError
from rich_agent.ports.mcp import ServerReport
from rich_agent.ports.task_lists import TaskListError
from rich_agent.runtime.readers import Effort, ReaderFailedError, read_apart
from rich_agent.settings.settings import Settings

_NAMED = 3


async def check_mcp_servers(settings: Settings) -> list[CheckResult]:
    """One finding for each server, after a try to connect it; none without servers."""
    async with open_mcp_servers(settings) as servers:
        reports = await servers.report() if servers else ()
    return list(_findings(reports))


def _findings(reports: Sequence[ServerReport]) -> Iterator[CheckResult]:
    from rich_agent.tools.mcp.listing import listed  # noqa: PLC0415 - loads a library

    for report in reports:
        server = report.server
        name = f"tool server {server.name}"
        if report.trouble:
            yield failed(name, report.trouble)
            continue
        offered = {tool.name for tool in report.tools}
        allowed = [one for one in report.tools if server.allows(one.name)]
        tools = listed(allowed, {server.name: server})
        hidden = [one for one in tools.values() if one.fault]
        usable = counted(len(tools) - len(hidden), "tool")
        trust = "trusted" if server.is_trusted else "not trusted: each call asks first"
        detail = f"{report.about or 'connected'}: {usable} of {len(offered)}; {trust}"
        missing = sorted((server.tools or frozenset()) - offered)
        if missing:
            hint = f"Take {', '.join(missing)} out of its tools in MCP_SERVERS_FILE."
            yield CheckResult(name, "warn", f"{detail}; it has no {', '.join(missing)}", hint)
        elif hidden:
            why = "; ".join(f"{one.tool.name}: {one.fault}" for one in hidden[:_NAMED])
            yield CheckResult(name, "ok", f"{detail}; hidden: {why} (`rich-agent tools` lists all)")
        else:
            yield CheckResult(name, "ok", detail)


_NAME = "task lists"
_MENDS = {
    "extra": "Install the extra: pip install 'rich-agent[calendar]'.",
    "key": "Set CREDENTIALS_KEY to the key that they were encrypted with.",
}


async def check_task_lists(settings: Settings, repositories: Repositories) -> CheckResult:
    """Check what keeps users from connecting; it is a fault only if some are connected."""
    try:
        stored = await repositories.task_lists.passwords()
    except RichAgentError as error:
        return failed(_NAME, error)
    seal = make_seal(settings)
    if seal is None:
        missing = missing_for_lists(settings)
        lacks = "no CREDENTIALS_KEY" if missing == "key" else "the extra `calendar` is missing"
        if not stored and not settings.task_lists.credentials_keys:
            return CheckResult(_NAME, "ok", f"{lacks}: users cannot connect task lists")
        return CheckResult(_NAME, "FAIL", f"{lacks}, but it is needed", _MENDS[missing])
    closed = 0
    for user_id, password in stored:
        try:
            seal.open(user_id, password)
        except TaskListError:
            closed += 1
    detail = f"{counted(len(stored), 'user')} connected"
    if closed:
        hint = "Add the earlier key to CREDENTIALS_KEY, or let these users send /connect again."
        return CheckResult(_NAME, "warn", f"{detail}; {closed} passwords cannot be read", hint)
    return CheckResult(_NAME, "ok", detail)


_MEND: Final = (
    "Run the bot on Linux 5.13 or newer, on x86_64 or arm64, with Landlock and seccomp; "
    "or in a container without secrets in files that it can read."
)
_EFFORT: Final = Effort(deadline_s=20.0)


async def check_file_readers() -> CheckResult:
    """Whether a reader is kept from everything but its file."""
    name = "file readers"
    try:
        found = await read_apart(reachable_from, os.getpid(), list[str], "doctor", _EFFORT)
    except ReaderFailedError as error:
        return CheckResult(name, "FAIL", str(error), "Look at the memory that is free.")
    if not found:
        told = "no network, no files, no other programs, no secrets; limits that hold"
        return CheckResult(name, "ok", told)
    told = f"what reads files that people send could reach: {', '.join(found)}"
    return CheckResult(name, "warn", told, _MEND)


def reachable_from(parent: int) -> list[str]:
    """List what this process can do, of all that a file's reader should not."""
    tried: dict[str, Callable[[], object]] = {
        "the network": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close(),
        "files of the system": lambda: Path("/etc/passwd").read_bytes(),
        "files of this folder": lambda: Path(f"/proc/{parent}/cwd/.").iterdir().__next__(),
        "writing files": lambda: TemporaryFile().close(),
        "secrets of the bot": lambda: Path(f"/proc/{parent}/environ").read_bytes(),
        "the environment": lambda: next(iter(os.environ)),
        "starting programs": _start,
        "its parent": lambda: os.kill(parent, 0),
        "its own limits": lambda: resource.setrlimit(resource.RLIMIT_AS, _NO_LIMIT),
    }
    return [name for name, attempt in tried.items() if _succeeds(attempt)]


_NO_LIMIT: Final = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


def _start() -> None:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, ValueError, StopIteration):
        return False
    return True
