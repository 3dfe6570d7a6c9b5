"""A command of a server is held to its bounds by the kernel, or does not run."""

import os
import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rich_agent.features.mcp.definitions import McpServer, ServerTool
from rich_agent.runtime.confined_command import CommandBounds
from rich_agent.runtime.confinement import offered_measures
from tests.integration.features.mcp.offices import connected

BURGLAR = Path(__file__).with_name("burglar.py")
pytestmark = pytest.mark.skipif(
    offered_measures()[0] < 6 or not offered_measures()[1],
    reason="needs Landlock as of Linux 6.12, and filters for seccomp",
)
NETWORK = {
    "tcp": "__import__('socket').create_connection(('127.0.0.1', {port}), 5)",
    "udp": "__import__('socket').socket(2, 2)",
    "listen": "__import__('socket').create_server(('127.0.0.1', 0))",
}
TRIES = {
    "unix": "__import__('socket').socket(1, 1)",
    "packets": "__import__('socket').socket(17, 3)",
    "settings": "open('{folder}/.env').read()",
    "list settings": "__import__('os').listdir('{folder}')",
    "shadow": "open('/etc/shadow').read()",
    "parent's environment": "open('/proc/{parent}/environ').read()",
    "parent's memory": "open('/proc/{parent}/mem', 'rb').read(1)",
    "parent's folder": "__import__('os').listdir('/proc/{parent}/cwd/')",
    "a secret": "__import__('os').environ['OPENAI_API_KEY'] or 1 / 0",
    "write": "open('{folder}/new', 'w')",
    "append": "open('{folder}/.env', 'a')",
    "make a folder": "__import__('os').mkdir('/tmp/burglar')",
    "make a link": "__import__('os').symlink('/etc', '/tmp/burglar')",
    "delete": "__import__('os').unlink('{folder}/.env')",
    "rename": "__import__('os').rename('{folder}/.env', '{folder}/gone')",
    "cut": "__import__('os').truncate('{folder}/.env', 0)",
    "change a mode": "__import__('os').chmod('{folder}/.env', 0o666)",
    "change an owner": "__import__('os').chown('{folder}/.env', 0, 0)",
    "change a time": "__import__('os').utime('{folder}/.env')",
    "mark": "__import__('os').setxattr('{folder}/.env', 'user.mark', b'1')",
    "by a program": "__import__('subprocess').run(['cat', '{folder}/.env'], check=True)",
    "signal to the parent": "__import__('os').kill({parent}, 0)",
    "more memory": "__import__('resource').setrlimit(2, (-1, -1))",
    "more files": "__import__('resource').setrlimit(7, (65536, 65536))",
    "parent's limits": "__import__('resource').prlimit({parent}, 4)",
    "namespaces": "1 / (1 + __import__('ctypes').CDLL(None).unshare(0x10000000))",
    "become another": "__import__('os').setuid(12345) if __import__('os').getuid() == 0 else 1 / 0",
}
WORK = {
    "programs": "__import__('subprocess').run(['true'], check=True)",
    "threads": "__import__('threading').Thread(target=print, args=('',)).start()",
    "nowhere": "open('/dev/null', 'w').write('x')",
    "certificates": "__import__('ssl').create_default_context()",
}


def burglar(bounds: CommandBounds | None) -> McpServer:
    """The server, which may read its own program besides."""
    return McpServer("burglar", sys.executable, (str(BURGLAR),), bounds=bounds)


def may(
    *, network: bool = False, write: tuple[str, ...] = (), read: tuple[str, ...] = ()
) -> McpServer:
    """The server with bounds that let it do so."""
    return burglar(CommandBounds((str(BURGLAR), *read), write, network))


async def passed(server: McpServer, tries: dict[str, str], **places: object) -> set[str]:
    """The names of the tries that succeeded."""
    given = {"parent": os.getpid(), **places}
    arguments = {name: code.format(**given) for name, code in tries.items()}
    async with connected([server]) as servers:
        answer = await servers.servers.call(ServerTool("burglar", "run"), arguments)
    return set(filter(None, answer.texts[0].text.split(",")))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the bot runs in, with settings that hold secrets."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    (tmp_path / ".env").write_text("OPENAI_API_KEY=sk-secret\n", "utf-8")
    return tmp_path


@pytest.mark.costs("it starts servers as processes")
async def test_confined_server_works_and_reaches_nothing_else(folder: Path) -> None:
    """Network, files, secrets, other processes, limits: the kernel refuses each."""
    tries = NETWORK | TRIES | WORK
    assert await passed(may(), tries, folder=folder, port=9) == WORK.keys()
    assert (folder / ".env").read_text("utf-8") == "OPENAI_API_KEY=sk-secret\n"


@pytest.mark.costs("it starts servers as processes")
async def test_server_without_bounds_reaches_what_the_bot_does(folder: Path) -> None:
    """So the tries above try something; secrets in the environment are kept from it in any case."""
    tries = {name: TRIES[name] for name in ("settings", "append", "more memory", "a secret")}
    found = await passed(burglar(None), NETWORK | tries, folder=folder, port=9)
    assert found == {"udp", "listen", "settings", "append", "more memory"}


@pytest.mark.costs("it starts servers as processes")
async def test_confined_server_has_what_its_bounds_name(folder: Path) -> None:
    """A folder to read, one to write, and the network, but not the sockets of local services."""
    (folder / "notes").mkdir()
    (folder / "books").mkdir()
    server = may(network=True, read=(f"{folder}/books",), write=(f"{folder}/notes",))
    tries = {
        "note": "open('{folder}/notes/1', 'w').write('words')",
        "rename": "__import__('os').rename('{folder}/notes/1', '{folder}/notes/2')",
        "read": "__import__('os').listdir('{folder}/books')",
        "write a book": "open('{folder}/books/1', 'w')",
        "settings": TRIES["settings"],
        "unix": TRIES["unix"],
        "packets": TRIES["packets"],
    }
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        found = await passed(server, NETWORK | tries, folder=folder, port=port)
    assert found == NETWORK.keys() | {"note", "rename", "read"}
    assert (folder / "notes/2").read_text("utf-8") == "words"


@pytest.mark.costs("it starts servers as processes")
async def test_confined_server_leaves_nothing_that_runs_before_it_is_confined(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module in the folder that it works in is not taken for one of the program."""
    monkeypatch.syspath_prepend("")
    (folder / "ctypes.py").write_text(f"open('{folder}/escaped', 'w')", "utf-8")
    server = replace(may(write=(str(folder),)), directory=str(folder))
    assert await passed(server, WORK) >= {"programs"}
    assert not (folder / "escaped").exists()


async def test_server_that_cannot_be_confined_does_not_run(folder: Path) -> None:
    """A folder that does not exist is told of."""
    async with connected([may(write=(f"{folder}/gone",))]) as servers:
        (report,) = await servers.servers.report()
    assert f"confine names what does not exist: {folder}/gone" in str(report.trouble)
