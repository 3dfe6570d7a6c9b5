"""`rich-agent backup` and `restore`: the databases to one file, and back."""

from pathlib import Path

from rich_agent.composition.backups import Manifest, make_backup, open_backup, restore_backup
from rich_agent.runtime.logs import configure_logging
from rich_agent.settings.dotenv import ENV_FILE
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import err, out, out_json, show_facts, working


def back_up(target: Path, *, as_json: bool) -> Path:
    """Write a backup and tell what is in it; the file's path. Raises: RichAgentError."""
    settings = _load_settings()
    with working("Writing the backup…"):
        path, manifest = make_backup(settings, target)
    if as_json:
        out_json({"file": str(path.resolve()), **manifest.model_dump(mode="json")})
    else:
        out(f"written to {path}")
        _show(manifest)
        err(
            f"Not in it: {ENV_FILE} with the token and the keys. Keep a copy of it in another "
            "place: without its CREDENTIALS_KEY, the stored passwords of other services cannot be "
            "read."
        )
    return path


def restore(path: Path, *, replaces: bool, is_trial: bool, as_json: bool) -> None:
    """Check a backup, and restore it unless it is a trial. Raises: RichAgentError."""
    settings = _load_settings()
    revisions: list[str] = []
    if is_trial:
        with working("Checking the backup…"), open_backup(path) as (manifest, _):
            pass
    else:
        with working("Restoring the backup…"):
            manifest, revisions = restore_backup(settings, path, replaces=replaces)
    if as_json:
        facts = {"restored": not is_trial, "migrations": revisions}
        out_json({**facts, **manifest.model_dump(mode="json")})
        return
    out(f"{path} is whole" if is_trial else f"restored from {path}")
    _show(manifest)
    for revision in revisions:
        out(f"applied {revision}")


def _load_settings() -> Settings:
    settings = Settings.load()
    configure_logging(settings.logs.format, "error", settings.secrets)
    return settings


def _show(manifest: Manifest) -> None:
    size_mb = sum(one.size_bytes for one in manifest.dumps) / 1e6
    show_facts(
        [
            ("of", f"{manifest.created_at:%Y-%m-%d %H:%M:%S} UTC"),
            ("by", f"rich-agent {manifest.version}, PostgreSQL {manifest.postgresql}"),
            ("tables", ", ".join(manifest.core_revisions)),
            ("size", f"{size_mb:.1f} MB"),
        ],
        indent=2,
    )
