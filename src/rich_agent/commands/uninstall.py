"""`rich-agent uninstall`: names all that it removes and what stays, asks once, and removes it."""

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

import rich_agent
from rich_agent.commands.autostart import installed_service, remove_service, stopped_service
from rich_agent.composition.backups import back_up_folders
from rich_agent.composition.removal import (
    DataFolder,
    data_folders,
    remove_data,
    shared_by_root,
    stored_elsewhere,
    unknown_database,
    unused_data,
)
from rich_agent.errors import RichAgentError
from rich_agent.runtime.autostart.service import Autostart
from rich_agent.settings.dotenv import ENV_FILE
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import err, out, out_json

_QUESTION = "\nRemove this? y: yes, {}Enter: no"
_BACKUP_FIRST = "b: back up first what is in {}, then remove; "


@dataclass(frozen=True, slots=True)
class _Installation:
    """All that belongs to the bot of a folder on this machine."""

    settings: Settings
    service: Autostart | None
    folders: Sequence[DataFolder]

    @classmethod
    def here(cls) -> "_Installation":
        """That of the present folder."""
        settings = Settings.load()
        service = installed_service()
        is_of_here = service is not None and service.folder() == Path.cwd()
        return cls(settings, service if is_of_here else None, data_folders(settings))

    @property
    def databases(self) -> list[Path]:
        """The folders of the databases that are removed, that of the bot first."""
        return [folder.path for folder in reversed(self.folders) if folder.has_database]

    def show(self) -> None:
        """Print the lists of what would be removed, and what stays."""
        out("This is removed:" if self.service or self.folders else "There is nothing to remove.")
        if self.service:
            out(f"  the service {self.service.file}; the bot is stopped")
        for folder in self.folders:
            out(f"  the data in {folder.path}, {folder.size_bytes / 1e6:.1f} MB:")
            for entry in folder.entries:
                is_inside = entry.is_relative_to(folder.path)
                out(f"    {entry.relative_to(folder.path) if is_inside else entry}")
        out("\nThis stays:")
        for line in self._remains():
            out(f"  {line}")

    def facts(self) -> dict[str, object]:
        """The same for programs."""
        folders = [
            {
                "path": str(one.path),
                "size_bytes": one.size_bytes,
                "entries": [str(entry) for entry in one.entries],
            }
            for one in self.folders
        ]
        service = str(self.service.file) if self.service else None
        return {"service": service, "folders": folders, "remains": self._remains()}

    def _remains(self) -> list[str]:
        env_file = Path(ENV_FILE).absolute()
        lines = [f"{env_file}, with the token and the keys"] if env_file.exists() else []
        lines += ["your documents, and the files of backups"]
        lines += [
            f"the database at {one}: drop it there" for one in stored_elsewhere(self.settings)
        ]
        if unknown := unknown_database(self.settings):
            lines.append(f"{unknown}, a database that this program has not used")
        lines += ["containers and their volumes: `docker compose down --volumes` deletes them"]
        if shared := shared_by_root():
            lines.append(
                "what all bots of root share; once no other one is left: "
                f"`userdel rich-agent-postgres; rm -r {shared}`"
            )
        service = installed_service()
        if service is not None and self.service is None:
            lines.append(f"{service.file}, the service of the bot in {service.folder()}")
        return [*lines, f"the program: {_program_removal()}"]

    def check_unused(self) -> None:
        """Check that only the service uses the data. Raises: RichAgentError."""
        if not self.service or not self.service.state(0).is_running:
            with unused_data(self.folders):
                pass

    def remove(self) -> None:
        """Stop the service, and delete the data.

        Raises: RichAgentError if something else uses them; then the service runs again.
        """
        with stopped_service(self.service), unused_data(self.folders):
            if self.service:
                remove_service(self.service)
            remove_data(self.folders)


def uninstall(*, is_sure: bool, is_trial: bool, backup: Path | None, as_json: bool) -> None:
    """Show what is removed, ask once, and remove it. Raises: RichAgentError."""
    installation = _Installation.here()
    is_shown_only = is_trial or not (installation.service or installation.folders)
    facts = installation.facts()
    if not as_json:
        installation.show()
    elif is_shown_only:
        out_json({**facts, "removed": False})
    elif not is_sure:
        raise RichAgentError("--json asks nothing", hint="If it is right, add --yes.")
    if is_shown_only:
        return
    installation.check_unused()
    if backup:
        _check_databases(installation)
    answer = "y" if is_sure else _ask(installation.databases)
    if answer not in {"y", "b"}:
        err("Nothing was removed.")
        raise typer.Exit(1)
    if backup or answer == "b":
        target = backup or Path()
        for path in back_up_folders(installation.settings, installation.databases, target):
            err(f"written to {path}")
    installation.remove()
    if as_json:
        out_json({**facts, "removed": True})
    else:
        out("removed")


def _check_databases(installation: _Installation) -> None:
    if not installation.databases:
        raise RichAgentError(
            "there is no database in what would be removed",
            hint="Leave out --backup. `rich-agent backup` writes one of the database that stays.",
        )


def _ask(databases: Sequence[Path]) -> str:
    """The first letter of the answer; `b` only if there is something to back up."""
    if not sys.stdin.isatty():
        raise RichAgentError(
            "nobody can be asked here whether to remove this", hint="If it is right, add --yes."
        )
    first = _BACKUP_FIRST.format(" and ".join(map(str, databases))) if databases else ""
    words = str(typer.prompt(_QUESTION.format(first), default="", show_default=False))
    answer = words.strip().lower()[:1]
    return answer if answer != "b" or databases else ""


def _program_removal() -> str:
    """The command that removes the program, by the way in which it was installed."""
    parts, clone = Path(sys.prefix).parts, Path(rich_agent.__file__).parents[2]
    if (clone / "pyproject.toml").exists():
        return f"delete the folder {clone}"
    if "uv" in parts and "tools" in parts:
        return "`uv tool uninstall rich-agent`"
    if "pipx" in parts:
        return "`pipx uninstall rich-agent`"
    program = shlex.quote(sys.executable)
    return f"`{program} -m pip uninstall rich-agent rich-agent-sandbox`"
