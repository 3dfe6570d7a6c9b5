"""Backups: a file with a dump of each database, and databases that are made from it.

The file is a ZIP archive of `app.dump`, and `rag.dump` where documents have a database of their
own, both in PostgreSQL's custom format, and `manifest.json`, which says what they are. Secrets of
the settings are never in it.
"""

import fcntl
import hashlib
import os
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO, Final, Literal

import psycopg
from pydantic import BaseModel, ValidationError

from rich_agent.composition.storage import DatabaseUrls, has_database, locate_databases
from rich_agent.errors import RichAgentError, UnfitServerError
from rich_agent.repositories.database.dumps import dump, fill, is_direct, look_at, major_version
from rich_agent.repositories.database.embedded import NEW, EmbeddedPostgres
from rich_agent.repositories.database.pools import describe_address
from rich_agent.repositories.database.schema import APP, RAG
from rich_agent.settings.settings import Settings

_MANIFEST = "manifest.json"
_SUFFIX = ".backup"
_BLOCK_BYTES: Final = 1 << 20
_MOST_MANIFEST_BYTES = 1 << 20
_STOP = "Stop the bot and other commands, and try again."


class Dump(BaseModel, frozen=True):
    """A dump in a backup; `revisions` are those of its tables."""

    name: Literal["app.dump", "rag.dump"]
    size_bytes: int
    sha256: str
    revisions: dict[str, str]


class Manifest(BaseModel, frozen=True):
    """The contents of a backup; `version` is that of the program, `postgresql` of the server."""

    format: Literal[1] = 1
    program: Literal["rich-agent"] = "rich-agent"
    version: str
    created_at: datetime
    postgresql: str
    dumps: tuple[Dump, ...]

    @property
    def core_revisions(self) -> list[str]:
        """The revisions of the core's tables."""
        tables = (APP.version_table, RAG.version_table)
        revisions = (one.revisions.get(table) for table in tables for one in self.dumps)
        return [revision for revision in revisions if revision]


@dataclass(slots=True)
class _Digest:
    """A file that is only written to, and the digest of what was written."""

    file: IO[bytes]
    size_bytes: int = 0
    sha256: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def write(self, data: bytes) -> int:
        """Write all of the data."""
        self.sha256.update(data)
        self.size_bytes += len(data)
        return self.file.write(data)


def back_up_folders(settings: Settings, folders: Sequence[Path], target: Path) -> list[Path]:
    """Write a backup of the embedded database in each folder, whatever database the bot uses.

    If `target` is a file, the first one has this name, and the others one with their folder's name.

    Raises: RichAgentError like `make_backup`.
    """
    files: list[Path] = []
    names = {"database_url": None, "rag_database_url": None, "database_direct_url": None}
    for number, folder in enumerate(folders):
        file = target
        if target.is_dir():
            file = target / _file_name(f"-{folder.name}{number}" if number else "")
        elif number:
            file = target.with_name(f"{target.stem}-{folder.name}{number}{target.suffix}")
        here = settings.with_changes("storage", data_dir=folder, **names)
        files.append(make_backup(here, file)[0])
    return files


def _file_name(label: str = "") -> str:
    return f"rich-agent{label}-{datetime.now(UTC):%Y-%m-%dT%H-%M-%SZ}{_SUFFIX}"


def make_backup(settings: Settings, target: Path) -> tuple[Path, Manifest]:
    """Write a new backup to a file, or into a folder under a name with the time.

    Each database is one snapshot, while the bot may be running. Only the owner may read the file.

    Raises: RichAgentError if the file exists or cannot be written, or there is no database.
    """
    if not has_database(settings):
        raise RichAgentError(
            f"there is no database in {settings.storage.data_dir} yet",
            hint="Run it in the folder of .env, or set DATA_DIR or DATABASE_URL.",
        )
    now = datetime.now(UTC)
    path = target / _file_name() if target.is_dir() else target
    try:
        with _new_file(path) as file, locate_databases(settings, lingers=False) as urls:
            manifest = _write(file, urls, now)
    except OSError as error:
        raise RichAgentError(
            f"{path} cannot be written: {error.strerror or error}",
            hint="Name a new file in a folder that exists and has enough space.",
        ) from error
    return path, manifest


@contextmanager
def _new_file(path: Path) -> Iterator[IO[bytes]]:
    """A file that gets its name once the block has written all of it. Raises: OSError."""
    if path.exists():
        raise FileExistsError(None, "it exists already")
    part = path.with_name(f".{path.name}.part")
    for old_part in {part, *path.parent.glob(f".rich-agent-*{_SUFFIX}.part")}:
        _remove_unused(old_part)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            with suppress(OSError):  # a file system without locks; others cannot lock it either
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)


def _remove_unused(part: Path) -> None:
    """Remove what a killed backup has left; one that runs holds a lock on its file."""
    with suppress(OSError), part.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        part.unlink()


def _write(file: IO[bytes], urls: DatabaseUrls, now: datetime) -> Manifest:
    states, dumps = {}, []
    _check_sessions(urls)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, url in _databases(urls).items():
            state = states[name] = look_at(url)
            member = zipfile.ZipInfo(name, now.timetuple()[:6])
            with archive.open(member, "w", force_zip64=True) as member_file:
                digest = _Digest(member_file)
                dump(url, digest, major_version(state.server_version))
            dumps.append(
                Dump(
                    name=name,
                    size_bytes=digest.size_bytes,
                    sha256=digest.sha256.hexdigest(),
                    revisions=state.revisions,
                )
            )
        manifest = Manifest(
            version=version("rich-agent"),
            created_at=now,
            postgresql=states["app.dump"].server_version,
            dumps=tuple(dumps),
        )
        archive.writestr(_MANIFEST, manifest.model_dump_json(indent=2))
    return manifest


def _databases(urls: DatabaseUrls) -> dict[Literal["app.dump", "rag.dump"], str]:
    """The addresses of the databases past any pooler, by the names of their dumps."""
    if urls.rag == urls.app:
        return {"app.dump": urls.direct}
    return {"app.dump": urls.direct, "rag.dump": urls.rag}


def _check_sessions(urls: DatabaseUrls) -> None:
    """Check that the programs of PostgreSQL reach it past any pooler. Raises: RichAgentError."""
    for url in () if urls.is_embedded else _databases(urls).values():
        if not is_direct(url):
            name = "DATABASE_DIRECT_URL" if url == urls.direct else "RAG_DATABASE_URL"
            raise UnfitServerError(
                f"a pooler in transaction mode stands before {describe_address(url)}",
                hint=f"For this command, let {name} lead to PostgreSQL itself.",
            )


@contextmanager
def open_backup(path: Path) -> Iterator[tuple[Manifest, zipfile.ZipFile]]:
    """The contents of a backup, once each byte of it was compared with its digest.

    Raises: RichAgentError if it is none, is damaged, or is of a newer version.
    """
    hint = "Choose another backup, or copy this one again from where it came from."
    with ExitStack() as stack:
        try:
            archive = stack.enter_context(zipfile.ZipFile(path))
            manifest = _check(archive)
        except OSError as error:
            raise RichAgentError(f"{path} cannot be read: {error.strerror}", hint=hint) from error
        except (KeyError, ValidationError, zipfile.BadZipFile) as error:
            reason = str(error).split("\n", maxsplit=1)[0]
            raise RichAgentError(f"{path} is no whole backup: {reason}", hint=hint) from error
        _check_version(path, manifest)
        yield manifest, archive


def _check(archive: zipfile.ZipFile) -> Manifest:
    """Read the manifest, and compare the dumps with it. Raises: BadZipFile and others."""
    if archive.getinfo(_MANIFEST).file_size > _MOST_MANIFEST_BYTES:
        raise zipfile.BadZipFile("its manifest is too large")
    manifest = Manifest.model_validate_json(archive.read(_MANIFEST))
    for one in manifest.dumps:
        if _digest_of(archive, one.name) != one.sha256:
            raise zipfile.BadZipFile(f"{one.name} does not fit its digest")
    return manifest


def _digest_of(archive: zipfile.ZipFile, name: str) -> str:
    digest = hashlib.sha256()
    with archive.open(name) as member:
        while block := member.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()


def _check_version(path: Path, manifest: Manifest) -> None:
    """Check that this program knows the tables. Raises: RichAgentError."""
    revisions = {*APP.revisions(), *RAG.revisions()}
    if unknown := [one for one in manifest.core_revisions if one not in revisions]:
        raise RichAgentError(
            f"{path} is of rich-agent {manifest.version}, whose tables this version does not know "
            f"({', '.join(unknown)})",
            hint="Install that version of rich-agent, or a newer one.",
        )


def restore_backup(settings: Settings, path: Path, *, replaces: bool) -> tuple[Manifest, list[str]]:
    """Restore a backup into the database of the settings; its manifest, and the migrations since.

    The embedded database is exchanged in one step once the new one is whole; with `replaces` also
    if it has tables. A server's database has to be without tables.

    Raises: RichAgentError; the old data are as they were.
    """
    with open_backup(path) as (manifest, archive):
        if settings.storage.database_url:
            return manifest, _fill_server(settings, manifest, archive)
        with EmbeddedPostgres(settings.storage.data_dir) as server:
            return manifest, _exchange(server, manifest, archive, replaces=replaces)


def _exchange(
    server: EmbeddedPostgres, manifest: Manifest, archive: zipfile.ZipFile, *, replaces: bool
) -> list[str]:
    state, new_url = look_at(server.url()), server.url(NEW)
    if state.users:
        raise RichAgentError("the database is in use", hint=_STOP)
    if state.has_tables and not replaces:
        raise RichAgentError(
            "there are data already",
            hint="`--replace` deletes them once the backup is restored; `rich-agent backup` "
            "keeps a copy.",
        )
    _check_count(manifest, 1)
    with server.exchange():
        server.drop_database(NEW)
        server.ensure_database(NEW)
        try:
            _fill(new_url, manifest, archive, "app.dump")
            revisions = DatabaseUrls(new_url, new_url, new_url, is_embedded=True).migrate()
            server.replace_database(NEW)
        except BaseException:
            with suppress(psycopg.Error):
                server.drop_database(NEW)
            raise
    return revisions


def _fill_server(settings: Settings, manifest: Manifest, archive: zipfile.ZipFile) -> list[str]:
    with locate_databases(settings) as urls:
        url_by_name = _databases(urls)
        _check_count(manifest, len(url_by_name))
        _check_sessions(urls)
        for url in url_by_name.values():
            if look_at(url).has_tables:
                raise RichAgentError(
                    "the database of DATABASE_URL has tables already",
                    hint="Create an empty database with pgvector for the backup, and set "
                    "DATABASE_URL to it, as the role that owns the tables.",
                )
        filled: list[str] = []
        try:
            for name, url in url_by_name.items():
                _fill(url, manifest, archive, name)
                filled.append(describe_address(url))
            return urls.migrate()
        except RichAgentError as error:
            if not filled:
                raise
            raise RichAgentError(
                f"{error}\nThe restore has filled {' and '.join(filled)} before.",
                hint="Remove what it names, drop each filled database there, create it again with "
                "pgvector, and restore again.",
            ) from error


def _check_count(manifest: Manifest, count: int) -> None:
    if len(manifest.dumps) != count:
        raise RichAgentError(
            f"the backup is of {len(manifest.dumps)} databases, and the settings name {count}",
            hint="Set DATABASE_URL and RAG_DATABASE_URL to as many empty databases.",
        )


def _fill(url: str, manifest: Manifest, archive: zipfile.ZipFile, name: str) -> None:
    versions = (manifest.postgresql, look_at(url).server_version)
    with archive.open(name) as member:
        fill(url, member, max(map(major_version, versions)))
