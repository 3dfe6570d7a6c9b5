"""`rich-agent service`: a unit that systemd accepts, and what is told to systemd and launchd."""

import json
import os
import plistlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from rich_agent.commands.autostart import stopped_service
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.runtime.autostart.launchd import LaunchAgent
from rich_agent.runtime.autostart.service import Launch, run_all
from rich_agent.runtime.autostart.systemd import SystemdUser
from rich_agent.settings.settings import all_settings
from tests.forking import Ended, run_to_end

TOKEN = "700000001:AAF-sandbox-token-for-the-tests-000"
# Writes its words into a file, and answers as the programs of systemd 252 and macOS 15 do.
STAND_IN = """#!/bin/sh
echo "$(basename "$0") $*" >> "$CALLS"
case "$(basename "$0") $*" in
  *--property=Version*) echo 252 ;;
  "systemctl --user show"*) cat "$STATE" ;;
  "journalctl "*) echo "rich-agent is ready as @bot" ;;
  *--property=Linger*) echo no ;;
  "launchctl print"*) cat "$STATE" ;;
esac
"""
RUNNING = """\
LoadState=loaded
UnitFileState=enabled
ActiveState=active
SubState=running
ActiveEnterTimestamp=Sun 2026-11-29 12:43:58 UTC
MainPID=24745
Result=success
"""
PRINTED = """\
gui/501/rich-agent = {
\tactive count = 1
\tpath = /Users/anna/Library/LaunchAgents/rich-agent.plist
\tstate = running
\tprogram = /Users/anna/.local/bin/rich-agent
\tpid = 1
\tlast exit code = (never exited)
}
"""


@dataclass(frozen=True, slots=True)
class Machine:
    """A home with a bot's folder, and stand-ins for the programs of the manager of services."""

    home: Path
    variables: dict[str, str]

    @property
    def bot(self) -> Path:
        """The folder of the bot."""
        return self.home / "my bot"

    @property
    def unit(self) -> Path:
        """The unit of systemd."""
        return self.home / "config/systemd/user/rich-agent.service"

    def run(self, *words: str, expect: int = 0, folder: Path | None = None, **more: str) -> Ended:
        """Run a command of `rich-agent` in a folder."""
        arguments = ["rich_agent.cli", *words]
        done = run_to_end(arguments, self.variables | more, folder or self.bot, deadline_s=60)
        assert done.returncode == expect, done.stdout + done.stderr
        return done

    def calls(self) -> list[str]:
        """The calls of the stand-ins since the last look."""
        file = Path(self.variables["CALLS"])
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine where nothing is installed yet."""
    programs, bot = tmp_path / "bin", tmp_path / "my bot"
    programs.mkdir()
    bot.mkdir()
    (bot / ".env").write_text(f"TELEGRAM_BOT_TOKEN={TOKEN}\nOPENAI_API_KEY=sandbox\n")
    for name in ("systemctl", "journalctl", "loginctl", "launchctl"):
        (programs / name).write_text(STAND_IN)
        (programs / name).chmod(0o755)
    (tmp_path / "state").write_text(RUNNING)
    inherited = {name: value for name, value in os.environ.items() if name not in all_settings()}
    variables = {
        **inherited,
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_DATA_HOME": str(tmp_path / "share"),
        "PATH": f"{programs}:{os.environ['PATH']}",
        "CALLS": str(tmp_path / "calls"),
        "STATE": str(tmp_path / "state"),
    }
    return Machine(tmp_path, variables)


@pytest.mark.costs("it starts commands")
def test_service_is_installed_shown_and_removed(machine: Machine) -> None:
    """The unit runs the bot of this folder; systemd is told of it, and asked for its state."""
    trial = machine.run("service", "install", "--dry-run").stdout
    assert "would run systemctl --user enable rich-agent.service" in trial
    assert not machine.unit.exists()
    machine.calls()

    installed = machine.run("service", "install", "--yes", LOG_LEVEL="info", no_proxy="a")
    absent = installed.stderr.partition("The service does not see what only this shell has: ")[2]
    assert absent.startswith("LOG_LEVEL, ")
    assert "NO_PROXY" in absent
    assert f"WorkingDirectory={machine.bot}\n" in machine.unit.read_text("utf-8")
    assert [call for call in machine.calls() if "show" not in call] == [
        "systemctl --user daemon-reload",
        "systemctl --user enable rich-agent.service",
        "systemctl --user restart rich-agent.service",
        f"loginctl enable-linger {os.geteuid()}",
    ]
    other = machine.home / "other"
    shutil.copytree(machine.bot, other)
    refusal = machine.run("service", "install", expect=1, folder=other).stderr
    assert f"runs the bot in {machine.bot}" in refusal

    status = json.loads(machine.run("service", "status", "--json").stdout)
    flags = (status["is_installed"], status["is_enabled"], status["is_running"])
    assert flags == (True, True, True)
    assert status["since"] == "Sun 2026-11-29 12:43:58 UTC"
    assert status["log"] == ["rich-agent is ready as @bot"]
    Path(machine.variables["STATE"]).write_text(RUNNING.replace("=active", "=failed"))
    assert "no: failed" in machine.run("service", "status", expect=1).stdout
    machine.calls()

    machine.run("service", "uninstall")
    assert not machine.unit.exists()
    calls = [call for call in machine.calls() if "show" not in call]
    assert calls == [
        "systemctl --user disable --now rich-agent.service",
        "systemctl --user daemon-reload",
    ]
    assert "nothing to do" in machine.run("service", "uninstall").stdout
    assert "not installed" in machine.run("service", "status", expect=1).stdout


@pytest.mark.costs("it starts commands")
def test_service_that_could_not_start_is_refused(machine: Machine) -> None:
    """Without its settings in .env, or without systemd: each time with what to do instead."""
    empty = machine.home / "empty"
    empty.mkdir()
    token = {"TELEGRAM_BOT_TOKEN": TOKEN}
    assert "no .env" in machine.run("service", "install", expect=1, folder=empty, **token).stderr
    for name in (b"one\nExecStart=two", b"one\\", b"one\xff"):
        odd = Path(os.fsdecode(os.fsencode(machine.home) + b"/" + name))
        shutil.copytree(machine.bot, odd)
        words = machine.run("service", "install", "--dry-run", expect=1, folder=odd).stderr
        assert "cannot hold" in words
    (empty / ".env").write_text("OPENAI_API_KEY=sandbox\n")
    words = machine.run("service", "install", expect=1, folder=empty, **token).stderr
    assert "only in the environment of this shell" in words
    systemctl = machine.home / "bin/systemctl"
    systemctl.write_text("#!/bin/sh\necho Failed to connect to bus >&2\nexit 1\n")
    words = machine.run("service", "install", expect=1).stderr
    assert "Failed to connect to bus" in words
    assert "@reboot" in words
    assert not machine.unit.exists()


def test_service_runs_again_if_its_data_cannot_be_removed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is stopped before; its unit is as it was."""
    for name in ("PATH", "CALLS", "STATE"):
        monkeypatch.setenv(name, machine.variables[name])
    machine.unit.parent.mkdir(parents=True)
    machine.unit.touch()
    systemd = SystemdUser(machine.home / "config")
    with pytest.raises(DatabaseUnavailableError), stopped_service(systemd):
        raise DatabaseUnavailableError("the data are in use")
    assert [call for call in machine.calls() if "show" not in call and "journal" not in call] == [
        "systemctl --user disable --now rich-agent.service",
        "systemctl --user daemon-reload",
        "systemctl --user enable rich-agent.service",
        "systemctl --user restart rich-agent.service",
    ]


@pytest.mark.skipif(
    not shutil.which("systemd-analyze") and not os.environ.get("RICH_AGENT_REQUIRE_SYSTEMD"),
    reason="needs systemd-analyze, of the Debian package systemd",
)
@pytest.mark.parametrize("name", ["a $b %h", "a \"'\\n"])
def test_unit_of_the_user_is_sound(tmp_path: Path, name: str) -> None:
    """Systemd knows every line, and reads words with blanks, quotes and signs as they are."""
    program, folder = tmp_path / name, tmp_path / f"100% of {name}"
    program.touch(mode=0o755)
    folder.mkdir()
    systemd = SystemdUser(tmp_path)
    systemd.file.parent.mkdir(parents=True)
    launch = Launch((str(program), "--x=%n"), folder, "/usr/bin:/a b")
    systemd.file.write_bytes(systemd.describe(launch))
    assert systemd.folder() == folder
    command = ["systemd-analyze", "--user", "--man=no", "verify", str(systemd.file)]
    variables = {"XDG_RUNTIME_DIR": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=variables)
    assert (done.returncode, done.stderr) == (0, "")


def test_launchd_is_given_an_agent(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The property list starts the bot again after failures; its state is read from launchctl."""
    for name in ("PATH", "CALLS", "STATE"):
        monkeypatch.setenv(name, machine.variables[name])
    Path(machine.variables["STATE"]).write_text(PRINTED)
    agent = LaunchAgent(machine.home, 501)
    agent.file.parent.mkdir(parents=True)
    agent.file.write_bytes(agent.describe(Launch(("/bin/ra",), machine.bot, "/usr/bin")))
    content = plistlib.loads(agent.file.read_bytes())
    assert content["ProgramArguments"] == ["/bin/ra", "run"]
    assert content["KeepAlive"] == {"SuccessfulExit": False}
    assert agent.folder() == machine.bot
    agent.log.parent.mkdir(parents=True)
    agent.log.write_text("one\ntwo\nthree\n")
    run_all([*agent.install_commands(), *agent.uninstall_commands()], timeout_s=10)
    state = agent.state(2)
    assert (state.is_installed, state.is_enabled, state.is_running) == (True, True, True)
    assert state.detail == "running, process 1, last exit code (never exited)"
    assert state.since
    assert state.log == ("two", "three")
    assert machine.calls() == [
        "launchctl print gui/501/rich-agent",
        "launchctl enable gui/501/rich-agent",
        f"launchctl bootstrap gui/501 {agent.file}",
        "launchctl bootout gui/501/rich-agent",
        "launchctl print gui/501/rich-agent",
    ]
