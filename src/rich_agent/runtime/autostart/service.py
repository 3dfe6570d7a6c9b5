"""A service of the user that runs this program, whatever manages it."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rich_agent.errors import RichAgentError

NAME = "rich-agent"
_QUICK_S = 60


@dataclass(frozen=True, slots=True)
class Launch:
    """A command, the folder that it is started in, and the PATH of the programs that it starts."""

    command: tuple[str, ...]
    folder: Path
    search_path: str


@dataclass(frozen=True, slots=True)
class ServiceState:
    """The state of the service; `since` and `detail` are in the words of its manager.

    `log` are the last lines of the service's log, the newest last.
    """

    is_installed: bool
    is_enabled: bool
    is_running: bool
    since: str
    detail: str
    log: tuple[str, ...]


class Autostart(Protocol):
    """A manager of services, and the place of the service's file."""

    @property
    def file(self) -> Path:
        """The file that describes the service."""

    def describe(self, launch: Launch) -> bytes:
        """The content of the file."""

    def folder(self) -> Path | None:
        """The folder in which the present file starts the bot; None without a file."""

    def install_commands(self) -> list[list[str]]:
        """The commands to run once the file is written."""

    def uninstall_commands(self) -> list[list[str]]:
        """The commands to run before the file is removed."""

    def after_removal(self) -> list[list[str]]:
        """The commands to run once the file is removed."""

    def state(self, log_lines: int) -> ServiceState:
        """The state of the service."""

    def log_command(self) -> list[str]:
        """The command that shows the log, and goes on to show it."""


def run_manager(
    command: Sequence[str], *, timeout_s: float = _QUICK_S
) -> subprocess.CompletedProcess[str]:
    """Run a command of the manager to its end; 127 is the exit code of one that is missing."""
    try:
        return subprocess.run(  # noqa: S603 - our own words
            command,
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_s,
            env=manager_environment(),
        )
    except FileNotFoundError:
        return subprocess.CompletedProcess(list(command), 127, "", "it is not installed")
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(list(command), 124, "", f"no end after {timeout_s:g} s")


def manager_environment() -> dict[str, str]:
    """The environment, with the place of the user's manager also where `su` has lost it.

    Source: pam_systemd(8), XDG_RUNTIME_DIR.
    """
    place = Path(f"/run/user/{os.geteuid()}")
    return {**({"XDG_RUNTIME_DIR": str(place)} if place.is_dir() else {}), **os.environ}


def run_all(commands: Sequence[Sequence[str]], *, timeout_s: float) -> None:
    """Run commands one after the other. Raises: RichAgentError with the words of one that fails."""
    for command in commands:
        outcome = run_manager(command, timeout_s=timeout_s)
        if outcome.returncode != 0:
            words = (outcome.stderr.strip() or outcome.stdout.strip())[-2000:]
            raise RichAgentError(
                f"`{' '.join(command)}` failed ({outcome.returncode}): {words}",
                hint="`rich-agent service status` shows the log; `rich-agent doctor` checks the "
                "setup.",
            )
