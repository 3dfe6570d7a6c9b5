"""The service as an agent of launchd, on macOS.

Source: launchd.plist(5), launchctl(1).
"""

import os
import plistlib
import re
from dataclasses import dataclass
from pathlib import Path

from rich_agent.runtime.autostart.service import NAME, Launch, ServiceState, run_manager

_STOP_S = 40  # running turns are handed over in half a minute at most
_PRIVATE = 0o077
_STATE = re.compile(r"^\t(state|pid|last exit code) = (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LaunchAgent:
    """launchd for the user whose home folder is `home`."""

    home: Path
    user_id: int

    @classmethod
    def of_user(cls) -> "LaunchAgent":
        """That of the user who runs this program."""
        return cls(Path.home(), os.geteuid())

    @property
    def file(self) -> Path:
        """The property list of the agent."""
        return self.home / "Library/LaunchAgents" / f"{NAME}.plist"

    @property
    def log(self) -> Path:
        """The file that takes the agent's output."""
        return self.home / "Library/Logs" / f"{NAME}.log"

    @property
    def _domain(self) -> str:
        return f"gui/{self.user_id}"

    def describe(self, launch: Launch) -> bytes:
        """The property list."""
        return plistlib.dumps(
            {
                "Label": NAME,
                "ProgramArguments": [*launch.command, "run"],
                "WorkingDirectory": str(launch.folder),
                "EnvironmentVariables": {"PATH": launch.search_path},
                "RunAtLoad": True,
                "KeepAlive": {"SuccessfulExit": False},
                "ExitTimeOut": _STOP_S,
                # The embedded PostgreSQL ends by itself, with the last process that uses it.
                "AbandonProcessGroup": True,
                "Umask": _PRIVATE,
                "StandardOutPath": str(self.log),
                "StandardErrorPath": str(self.log),
            }
        )

    def folder(self) -> Path | None:
        """The working directory of the present property list."""
        if not self.file.exists():
            return None
        return Path(plistlib.loads(self.file.read_bytes())["WorkingDirectory"])

    def install_commands(self) -> list[list[str]]:
        """Launchd loads the agent, and starts it now and at each login."""
        return [
            ["launchctl", "enable", f"{self._domain}/{NAME}"],
            ["launchctl", "bootstrap", self._domain, str(self.file)],
        ]

    def uninstall_commands(self) -> list[list[str]]:
        """Launchd stops the agent and forgets it, if it knows it."""
        is_there = run_manager(["launchctl", "print", f"{self._domain}/{NAME}"]).returncode == 0
        return [["launchctl", "bootout", f"{self._domain}/{NAME}"]] if is_there else []

    def after_removal(self) -> list[list[str]]:
        """Nothing more."""
        return []

    def state(self, log_lines: int) -> ServiceState:
        """The agent as `launchctl print` has it."""
        description = run_manager(["launchctl", "print", f"{self._domain}/{NAME}"])
        values = dict(_STATE.findall(description.stdout)) if description.returncode == 0 else {}
        try:
            lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            lines = []
        facts = [values.get("state", "not loaded")]
        facts += [f"process {values['pid']}"] if "pid" in values else []
        facts += (
            [f"last exit code {values['last exit code']}"] if "last exit code" in values else []
        )
        return ServiceState(
            is_installed=self.file.exists(),
            is_enabled=bool(values),
            is_running=values.get("state") == "running",
            since=self._since(values.get("pid", "")),
            detail=", ".join(facts),
            log=tuple(lines[-log_lines:]),
        )

    @staticmethod
    def _since(pid: str) -> str:
        """The time at which a process was started, as ps(1) writes it."""
        return run_manager(["ps", "-o", "lstart=", "-p", pid]).stdout.strip() if pid else ""

    def log_command(self) -> list[str]:
        """The end of the log."""
        return ["tail", "-f", str(self.log)]
