"""Places the embedded PostgreSQL where a system user can reach it, if rich-agent runs as root.

PostgreSQL refuses to run as root, so it runs as a system user. If that user cannot reach the
database below DATA_DIR or the installation, they are placed under /var/lib instead. Permissions of
existing directories are never changed.
"""

import fcntl
import hashlib
import os
import shlex
import shutil
import tempfile
from pathlib import Path

from rich_agent.repositories.database import embedded_guard
from rich_agent.repositories.database.embedded_guard import StartError

HOME = Path("/var/lib/rich-agent-postgres")


def within_reach(data_dir: Path, programs: Path) -> Path:
    """Return the directory of PostgreSQL's programs that its user can reach.

    For root, this also creates a place for a new database. If PostgreSQL's user could not reach it
    below `data_dir`, the place is under `HOME`, and `data_dir`/postgres is a link to it.

    Raises: StartError with a hint if PostgreSQL's user cannot reach an existing database; OSError.
    """
    user = embedded_guard.system_user()
    if user is None:
        return programs
    lock = embedded_guard.open_lock(data_dir / "postgres.start")
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        _place_database(data_dir, user)
        return programs if may_enter(user, programs) else _copy_programs(programs)
    finally:
        os.close(lock)


def may_enter(user: int, directory: Path) -> bool:
    """Whether the kernel lets a user enter a directory."""
    child = os.fork()
    if child == 0:
        try:
            os.setgroups(())
            os.setgid(embedded_guard.group_of(user))
            os.setuid(user)
            (directory / ".").stat()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _place_database(data_dir: Path, user: int) -> None:
    pgdata = data_dir / "postgres"
    if pgdata.is_symlink():
        if not pgdata.resolve().parent.is_dir():
            raise StartError(
                f"{pgdata} leads to {pgdata.resolve()}, which is missing. Restore it from a backup "
                f"or remove the link to start with an empty database."
            )
    elif pgdata.exists():
        if not may_enter(user, pgdata):
            raise StartError(
                f"PostgreSQL's user cannot reach {pgdata}. Move the database to where it can: "
                f"{_move(pgdata, HOME / _name(data_dir), user)}"
            )
    elif not may_enter(user, data_dir):
        pgdata.symlink_to(_new_place(data_dir, user) / "postgres")


def _move(pgdata: Path, place: Path, user: int) -> str:
    """Shell commands that move the database to a place and leave a link."""
    source = shlex.quote(str(pgdata))
    return (
        f"install -d -m 755 {HOME} && install -d -m 700 -o {user} {place} && "
        f"mv {source} {place}/ && ln -s {place}/postgres {source}"
    )


def _name(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:16]


def _new_place(data_dir: Path, user: int) -> Path:
    _make_home()
    place = Path(tempfile.mkdtemp(prefix=f"{_name(data_dir)}-", dir=HOME))
    os.chown(place, user, -1)
    return place


def _copy_programs(programs: Path) -> Path:
    """Copy PostgreSQL's installation to where every user can read it; remove older copies."""
    source, wheel = programs.parent, programs.parents[1]
    libraries = wheel.with_name(f"{wheel.name}.libs")
    stamp = (programs / "postgres").stat()
    origin = _name(source)
    copy = HOME / f"programs-{origin}-{stamp.st_mtime_ns}-{stamp.st_size}"
    if not copy.exists():
        _make_home()
        new_copy = Path(tempfile.mkdtemp(prefix=".programs-", dir=HOME))
        shutil.copytree(source, new_copy / wheel.name / source.name, symlinks=True)
        if libraries.is_dir():
            shutil.copytree(libraries, new_copy / libraries.name, symlinks=True)
        _let_read(new_copy)
        for old_copy in HOME.glob(f"programs-{origin}-*"):
            shutil.rmtree(old_copy)
        new_copy.rename(copy)
    return copy / wheel.name / source.name / programs.name


def _let_read(directory: Path) -> None:
    for path in (directory, *directory.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)


def _make_home() -> None:
    HOME.mkdir(mode=0o755, parents=True, exist_ok=True)
    HOME.chmod(0o755)
