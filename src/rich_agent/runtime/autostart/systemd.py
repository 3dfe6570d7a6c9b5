"""The service as a unit of the user's systemd, which needs no root.

Source: systemd.service(5), systemd.exec(5), systemctl(1).
"""

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich_agent.runtime.autostart.service import NAME, Launch, ServiceState, run_manager

_UNIT = f"{NAME}.service"
_PROPERTIES = "LoadState,UnitFileState,ActiveState,SubState,ActiveEnterTimestamp,MainPID,Result"
_FOLDER = re.compile(r"^WorkingDirectory=(.*)$", re.MULTILINE)
# deploy/systemd has what else root can take from it. Namespaces stay: without Landlock, what reads
# files of strangers confines itself by them.
_TEXT = """\
# Written by `rich-agent service install`, and removed by `rich-agent service uninstall`.

[Unit]
Description=rich-agent: a Telegram assistant
# A database or a network that is away for long is waited for.
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart={command} run
WorkingDirectory={folder}
Environment={path}
Restart=on-failure
RestartSec=5
# Tables of a first start are made before the service counts as started.
TimeoutStartSec=300
# Running turns are handed over in half a minute at most.
TimeoutStopSec=40
# The embedded PostgreSQL ends by itself, with the last process that uses it.
KillMode=process
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self
SystemCallErrorNumber=EPERM
UMask=0077
MemoryMax=3G
TasksMax=512

[Install]
WantedBy=default.target
"""


@dataclass(frozen=True, slots=True)
class SystemdUser:
    """systemd of the user; `config` is the user's folder of configuration."""

    config: Path

    @classmethod
    def of_user(cls) -> "SystemdUser":
        """That of the user who runs this program. Source: XDG Base Directory."""
        return cls(Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"))

    def why_not(self) -> str:
        """The reason why no systemd runs for this user; "" if one does."""
        if not shutil.which("systemctl"):
            return "there is no systemd"
        version = run_manager(["systemctl", "--user", "show", "--property=Version", "--value"])
        if version.returncode == 0 and version.stdout.strip():
            return ""
        return f"no systemd runs for this user: {(version.stderr or version.stdout).strip()}"

    @property
    def file(self) -> Path:
        """The file of the unit."""
        return self.config / "systemd/user" / _UNIT

    def describe(self, launch: Launch) -> bytes:
        """The unit."""
        text = _TEXT.format(
            command=_quote_command(launch.command),
            folder=str(launch.folder).replace("%", "%%"),
            path=_quote(f"PATH={launch.search_path}"),
        )
        return text.encode()

    def folder(self) -> Path | None:
        """The working directory of the present unit."""
        match = _FOLDER.search(self.file.read_text("utf-8")) if self.file.exists() else None
        return Path(match[1].replace("%%", "%")) if match else None

    def install_commands(self) -> list[list[str]]:
        """The unit is started now, and with the user's systemd."""
        reload = ["systemctl", "--user", "daemon-reload"]
        # Restarted, if an older one runs.
        actions = (["enable", _UNIT], ["restart", _UNIT])
        return [reload, *(["systemctl", "--user", *action] for action in actions)]

    def uninstall_commands(self) -> list[list[str]]:
        """The unit is stopped, and no longer started."""
        return [["systemctl", "--user", "disable", "--now", _UNIT]]

    def after_removal(self) -> list[list[str]]:
        """Systemd forgets the unit."""
        return [["systemctl", "--user", "daemon-reload"]]

    def state(self, log_lines: int) -> ServiceState:
        """The unit as `systemctl show` has it."""
        properties = run_manager(
            ["systemctl", "--user", "show", f"--property={_PROPERTIES}", _UNIT]
        )
        values = dict(line.split("=", 1) for line in properties.stdout.splitlines() if "=" in line)
        log = run_manager(
            ["journalctl", "--user", f"--unit={_UNIT}", f"--lines={log_lines}", "--no-pager"]
        )
        active, pid = values.get("ActiveState", "unknown"), values.get("MainPID", "0")
        facts = [f"{active} ({values.get('SubState', 'unknown')})"]
        facts += [f"process {pid}"] if pid not in {"", "0"} else []
        facts += [f"it ended: {values['Result']}"] if active == "failed" else []
        return ServiceState(
            is_installed=self.file.exists(),
            is_enabled=values.get("UnitFileState") == "enabled",
            is_running=active in {"active", "activating", "reloading"},
            since=values.get("ActiveEnterTimestamp", "") if active == "active" else "",
            detail=", ".join(facts),
            log=tuple(log.stdout.splitlines()) if log.returncode == 0 else (),
        )

    def log_command(self) -> list[str]:
        """The journal of the unit."""
        return ["journalctl", "--user", f"--unit={NAME}", "--follow"]

    def lingers(self) -> bool:
        """Whether systemd starts the user's units at boot, without a login. Source: loginctl(1)."""
        words = ["loginctl", "show-user", str(os.geteuid()), "--property=Linger", "--value"]
        return run_manager(words).stdout.strip() == "yes"

    def linger_command(self) -> list[str]:
        """The command that has it start them at boot."""
        return ["loginctl", "enable-linger", str(os.geteuid())]


def _quote_command(words: Sequence[str]) -> str:
    """A command as systemd reads it, which takes no quotes in the name of a program."""
    program, *arguments = ("/usr/bin/env", *words) if set(words[0]) & set("'\"\\") else words
    return " ".join([_quote(program), *(_quote(word).replace("$", "$$") for word in arguments)])


def _quote(word: str) -> str:
    """A word as systemd reads it whole. Source: systemd.syntax(7), "Quoting"."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'
