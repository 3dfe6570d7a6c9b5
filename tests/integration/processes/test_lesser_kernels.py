"""The confinement where the kernel, or a container, offers less than this one."""

import errno
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rich_agent.runtime.confined_command import CommandBounds, confined_command
from rich_agent.runtime.confinement import offered_measures
from tests.integration.processes.test_reader_confinement import TRIES, tries_in
from tests.lesser_kernels import command_under

ROOT = Path(__file__).parents[3]
TRIAL = Path(__file__).with_name("confined_trial.py")
LEVELS = range(1, 7)
NO_LANDLOCK = {"landlock_create_ruleset": errno.ENOSYS}
NO_NAMESPACES = {"unshare": errno.EPERM}
NO_FILTERS = {"seccomp": errno.EINVAL}
Left = Callable[[dict[str, Any]], set[str]]
ALLOWED = {"reading": "open('/proc/meminfo').read()"}
READING = {"shadow", "passwd", "home", "kernel"}
ROOT_ALONE = {"shadow", "home"}
LIMITS = {"more memory", "more time", "more files"}
OF_SERVERS = {
    "udp": TRIES["udp"],
    "a program": "__import__('subprocess').run(['true'], check=True)",
    "folder": "__import__('os').listdir('{folder}')",
    "note": "open('{folder}/notes/1', 'w').write('words')",
    "other": "open('{folder}/other', 'w')",
    "system": "open('/usr/other', 'w')",
    "shadow": TRIES["shadow"],
}
pytestmark = pytest.mark.skipif(
    offered_measures() < (6, True), reason="this kernel itself offers less"
)


PRIVATE = """
import ctypes, os, sys
from rich_agent.runtime.confinement import keep_memory_private
if os.getuid() == 0:
    os.setuid(12345)
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # as after the start of a program
if sys.argv[1] == "closed":
    keep_memory_private()
if not os.fork():
    try:
        open(f"/proc/{os.getppid()}/environ").read()
    except OSError:
        os._exit(3)
    os._exit(0)
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""

ONE_PORT = """
import json, socket, sys
from rich_agent.runtime.confinement import Bounds, confine, program_files
confine(Bounds(program_files(), {}, runs_programs=True, network=True, port=int(sys.argv[1])))
passed = []
for port in sys.argv[1:]:
    try:
        socket.create_connection(("127.0.0.1", int(port)), 5).close()
        passed.append(port)
    except PermissionError:
        pass
print(json.dumps(passed))
"""


def run(command: list[str], tries: dict[str, str], lesser: dict[str, Any]) -> Any:
    """The output of the command under a lesser kernel: JSON, or its last words."""
    done = subprocess.run(
        command_under(lesser, command),
        input=json.dumps(tries),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), *sys.path]))},
    )
    return set(json.loads(done.stdout)) if done.stdout else done.stderr.strip()


@pytest.fixture
def left_to_reader(tmp_path: Path) -> Left:
    """Says what a reader can do under a lesser kernel."""
    tries = ALLOWED | tries_in(tmp_path)
    # One would make another process of it; the others are about how the bot starts a reader.
    for name in ("exec", "own beginning", "parent's environment"):
        del tries[name]
    return lambda lesser: run([sys.executable, str(TRIAL), "reader"], tries, lesser)


@pytest.mark.parametrize("version", LEVELS)
def test_reader_is_confined_by_each_version_of_landlock(left_to_reader: Left, version: int) -> None:
    """The filter of calls refuses what older ones do not know."""
    assert left_to_reader({"landlock": version}) == ALLOWED.keys()


def test_reader_has_a_root_folder_of_its_own_without_landlock(left_to_reader: Left) -> None:
    """Nothing else is left either, as long as namespaces are open to all."""
    assert left_to_reader({"refused": NO_LANDLOCK}) == ALLOWED.keys()


def test_reader_without_landlock_and_namespaces_can_read(left_to_reader: Left) -> None:
    """Files that its account can read, and nothing more."""
    found = left_to_reader({"refused": NO_LANDLOCK | NO_NAMESPACES})
    assert found - ROOT_ALONE == ALLOWED.keys() | READING - ROOT_ALONE


def test_reader_without_filters_cannot_read(left_to_reader: Left) -> None:
    """Landlock alone keeps files, and TCP; limits hold."""
    found = left_to_reader({"refused": NO_FILTERS})
    assert not found & (READING | LIMITS | {"tcp", "listen", "write", "make a folder", "delete"})
    assert {"udp", "fork"} <= found


def test_reader_without_any_measure_has_limits(left_to_reader: Left) -> None:
    """As on macOS: they are all that holds."""
    found = left_to_reader({"refused": NO_LANDLOCK | NO_NAMESPACES | NO_FILTERS})
    assert not found & LIMITS
    assert {"passwd", "udp", "write"} <= found


@pytest.mark.parametrize(("version", "number"), [(3, 2), (4, 1)])
def test_process_connects_only_to_its_port(version: int, number: int) -> None:
    """Versions of Landlock before the fourth do not know ports."""
    with socket.create_server(("127.0.0.1", 0)) as own, socket.create_server(("", 0)) as other:
        ports = [str(server.getsockname()[1]) for server in (own, other)]
        passed = run([sys.executable, "-c", ONE_PORT, *ports], {}, {"landlock": version})
    assert passed == {*ports[:number]}


@pytest.mark.parametrize(
    ("lesser", "why"),
    [
        (NO_LANDLOCK | NO_NAMESPACES, "this kernel has no Landlock"),
        ({**NO_NAMESPACES, "landlock_create_ruleset": errno.EOPNOTSUPP}, "Landlock is switched"),
        ({**NO_NAMESPACES, "landlock_create_ruleset": errno.EPERM}, "perhaps the container's"),
        (NO_FILTERS, "seccomp is missing or refused"),
    ],
)
def test_command_does_not_run_where_it_cannot_be_confined(lesser: dict[str, int], why: str) -> None:
    """It says what is missing."""
    command = confined_command([sys.executable, "-c", "print(1)"], CommandBounds(), None)
    said = run(command, {}, {"refused": lesser})
    assert said.startswith("Error: it cannot be confined on this system")
    assert why in said


@pytest.mark.parametrize("lesser", [{"landlock": 1}, {"refused": NO_LANDLOCK}])
def test_command_is_confined_by_lesser_kernels(lesser: dict[str, Any], tmp_path: Path) -> None:
    """By old versions of Landlock, and in a root folder of its own."""
    (tmp_path / "notes").mkdir()
    read = (
        str(TRIAL),
        str(ROOT / "src"),
        *(path for path in sys.path if path and Path(path).exists()),
    )
    bounds = CommandBounds((*read, str(tmp_path)), (str(tmp_path / "notes"),))
    command = confined_command([sys.executable, str(TRIAL), "command"], bounds, None)
    tries = {name: code.format(folder=tmp_path) for name, code in OF_SERVERS.items()}
    assert run(command, tries, lesser) == {"a program", "folder", "note"}
    assert (tmp_path / "notes/1").read_text("utf-8") == "words"


@pytest.mark.costs("it runs commands as processes of their own")
@pytest.mark.parametrize(
    ("lesser", "level", "said"),
    [
        ({"refused": NO_LANDLOCK}, "ok", "(by a root folder of its own and seccomp)"),
        ({"refused": NO_LANDLOCK | NO_NAMESPACES}, "warn", "(this kernel has no Landlock"),
    ],
)
def test_doctor_tells_what_a_lesser_kernel_leaves(
    lesser: dict[str, Any], level: str, said: str
) -> None:
    """It tries it, and says why."""
    code = (
        "import asyncio, json;"
        "from rich_agent.commands.diagnosis.file_readers import check_file_readers;"
        "found = asyncio.run(check_file_readers());"
        "print(json.dumps([found.level, found.detail]))"
    )
    found = run([sys.executable, "-c", code], {}, lesser)
    assert level in found
    assert any(said in one for one in found)


def test_memory_is_closed_to_other_processes_of_the_account() -> None:
    """They can read the environment of any other process of it."""
    path = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    for how, code in (("open", 0), ("closed", 3)):
        done = subprocess.run([sys.executable, "-c", PRIVATE, how], check=False, env=path)
        assert done.returncode == code
