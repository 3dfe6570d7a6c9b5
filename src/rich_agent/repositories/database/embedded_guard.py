"""The guard: a process that starts the embedded PostgreSQL, and stops it after its last user.

`embedded.py` runs it as a script, `python -I -S embedded_guard.py DATA_DIR BIN_DIR`. The guard runs
as long as the server, so it imports little; it never opens a database connection.

Each process that uses the server holds a shared lock on the lease file, which ends with the
process. Once the guard gets the lock exclusively, no process uses the server, and the guard stops
it: at once, or after the time that the last process has asked for in the linger file.
"""

import contextlib
import fcntl
import hashlib
import itertools
import os
import pwd
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

LEASE = "postgres.lease"
LINGER = "postgres.linger"
GUARD = "postgres.guard"
LINGER_S = 30.0
"""Seconds for which the server waits for the next command, at most."""
MAJOR_VERSION = "18"
_SYSTEM_USER = "rich-agent-postgres"
_POLL_S = 0.25
_POLLS_PER_CHECK = 8  # a check makes the server fork, so it is rarer than a look at the lease
_START_TIMEOUT_S = 300  # recovery after a power cut replays up to max_wal_size
_STOP_TIMEOUT_S = 30
_MAX_SOCKET_PATH = 103  # the shortest limit of any system; Linux allows 107
_OPTIONS = {
    "listen_addresses": "",
    "port": "5432",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "jit": "off",  # no query here runs long enough for compilation to pay off
}
_LEAST_BUFFERS_MB = 128
_CONTAINER_MEMORY = Path("/sys/fs/cgroup/memory.max")


def memory_bytes() -> int:
    """The memory of the machine, or of the container if that is less."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(machine, int(_CONTAINER_MEMORY.read_text()))
    except (OSError, ValueError):  # there is no such limit
        return machine


class StartError(Exception):
    """The server did not start; the message is the output of PostgreSQL's tools, or a hint."""


def open_lock(path: Path) -> int:
    """Open a file for `fcntl.flock`; return a descriptor that child processes do not inherit."""
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def socket_dir(pgdata: Path) -> Path | None:
    """The directory of the server's socket; None if it is not running, or still starting."""
    try:
        lines = (pgdata / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return None
    return Path(lines[4]) if len(lines) > 4 and lines[4] else None


def has_server(pgdata: Path) -> bool:
    """Whether a server works on these data, also one that starts or stops, or is none of ours.

    A server that was killed leaves its file.
    """
    try:
        lines = (pgdata / "postmaster.pid").read_text().splitlines()
        pid = int(lines[0])
    except (FileNotFoundError, IndexError, ValueError):
        return False
    directory, port = (lines[4], lines[3]) if len(lines) > 4 else ("", "")
    if directory and _answers(Path(directory) / f".s.PGSQL.{port}"):
        return True  # its process may be hidden, in another container
    try:
        if Path("/proc/self").exists():
            return (Path(f"/proc/{pid}/cwd")).samefile(pgdata)  # a server works in its folder
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True


def _answers(address: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(address)) == 0


class Server(NamedTuple):
    """A data directory (PGDATA), and the PostgreSQL programs that serve it."""

    data_dir: Path
    pgdata: Path  # below data_dir, or where a link there leads
    bin_dir: Path
    user: int | None  # to run as, None for the current one; PostgreSQL refuses to run as root

    @property
    def log(self) -> Path:
        """The log file of initdb, pg_ctl and the server."""
        return self.data_dir / "postgres.log"

    def is_listening(self) -> bool:
        """Whether the server accepts connections, or will after recovery."""
        directory = socket_dir(self.pgdata)
        return directory is not None and _answers(directory / ".s.PGSQL.5432")

    def start(self) -> None:
        """Create PGDATA if it is missing, and start the server if it is not running.

        Raises: StartError.
        """
        lock = open_lock(self.data_dir / "postgres.start")
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            if not self.pgdata.exists():
                self._init()
            if not self.is_listening():
                self._forget_foreign_pid()
                self._pg_ctl("start", "-o", self._options(), timeout_s=_START_TIMEOUT_S)
        finally:
            os.close(lock)

    def stop(self) -> None:
        """Stop the server; open sessions are terminated."""
        directory = socket_dir(self.pgdata)
        try:
            self._pg_ctl("stop", "-m", "fast", timeout_s=_STOP_TIMEOUT_S)
        except StartError:
            self._pg_ctl("stop", "-m", "immediate", timeout_s=_STOP_TIMEOUT_S)
        finally:
            if directory is not None and directory != self.pgdata:
                with contextlib.suppress(OSError):
                    directory.rmdir()

    def pid(self) -> int | None:
        """The process id of the running server, as it has written it."""
        try:
            return int((self.pgdata / "postmaster.pid").read_text().split("\n", 1)[0])
        except (OSError, ValueError):
            return None

    def end_abandoned(self, pid: int | None) -> None:
        """Stop the server whose DATA_DIR was deleted; `pid` is what it was while there was one."""
        pid = self.pid() or pid
        with contextlib.suppress(OSError):
            if pid and os.fsencode(self.pgdata) in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGINT)

    def _init(self) -> None:
        # Created next to its place, then moved, so that a directory "postgres" is always complete.
        for leftover in self.pgdata.parent.glob("postgres.new.*"):
            shutil.rmtree(leftover, ignore_errors=True)
        new_pgdata = self.pgdata.parent / f"postgres.new.{os.getpid()}"
        new_pgdata.mkdir(mode=0o700)
        if self.user is not None:
            os.chown(new_pgdata, self.user, -1)
        locale = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
        options = ("-U", "postgres", "--auth=trust", "--encoding=UTF8", *locale)
        self._run("initdb", *options, "-D", str(new_pgdata), timeout_s=_START_TIMEOUT_S)
        new_pgdata.rename(self.pgdata)

    def _options(self) -> str:
        options = _OPTIONS | {
            "unix_socket_directories": f'"{self._make_socket_dir()}"',
            "shared_buffers": f"{self._buffers_mb()}MB",
        }
        return " ".join(f"-c {shlex.quote(f'{name}={value}')}" for name, value in options.items())

    def _buffers_mb(self) -> int:
        """Megabytes of shared buffers: the size of the data, at most an eighth of the memory."""
        tables_folder = self.pgdata / "base"
        size_bytes = sum(path.stat().st_size for path in tables_folder.rglob("*") if path.is_file())
        return max(_LEAST_BUFFERS_MB, min(size_bytes, memory_bytes() // 8) // 2**20)

    def _make_socket_dir(self) -> Path:
        if len(os.fsencode(self.pgdata / ".s.PGSQL.5432.lock")) <= _MAX_SOCKET_PATH:
            return self.pgdata
        name = hashlib.sha256(os.fsencode(self.pgdata)).hexdigest()[:16]
        directory = Path(os.environ.get("TMPDIR", "/tmp")) / f"rich-agent-{name}"  # noqa: S108 - private: 0700, and its owner is checked
        directory.mkdir(mode=0o700, exist_ok=True)
        owners = {os.geteuid(), self.user}
        if directory.is_symlink() or directory.stat().st_uid not in owners:
            raise StartError(f"{directory} belongs to another user")
        if self.user is not None:
            os.chown(directory, self.user, -1)
        return directory

    def _forget_foreign_pid(self) -> None:
        # The old server's pid may be a zombie or, after a container's restart, another program;
        # PostgreSQL would take either for a running server and refuse to start.
        pid_file = self.pgdata / "postmaster.pid"
        try:
            pid = pid_file.read_text().split("\n", 1)[0]
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return
        if os.fsencode(self.pgdata) not in command:
            pid_file.unlink()

    def _pg_ctl(self, action: str, *options: str, timeout_s: int) -> None:
        wait = ("-w", "-t", str(timeout_s))
        self._run(
            "pg_ctl", action, *options, *wait, "-D", str(self.pgdata), timeout_s=timeout_s + 10
        )

    def _run(self, program: str, *arguments: str, timeout_s: int) -> None:
        as_user: dict[str, Any] = {}
        if self.user is not None:
            as_user = {"user": self.user, "group": group_of(self.user)}
            as_user["extra_groups"] = ()
        with self.log.open("ab") as log:
            # The statements of errors may hold words of users.
            self.log.chmod(0o600)
            begin = log.tell()
            try:
                subprocess.run(  # noqa: S603 - programs of the wheel, our own arguments
                    [str(self.bin_dir / program), *arguments],
                    check=True,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    timeout=timeout_s,
                    cwd="/",
                    env={k: v for k, v in os.environ.items() if not k.startswith("PG")},
                    **as_user,
                )
            except (OSError, subprocess.SubprocessError) as error:
                output = self.log.read_bytes()[begin:].decode(errors="replace").strip()
                raise StartError(output[-2000:] or str(error)) from error


def system_user() -> int | None:
    """The user that runs PostgreSQL for root, created if missing; None if we are not root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam(_SYSTEM_USER).pw_uid
    except KeyError:
        pass
    command = ["useradd", "--system", "--no-create-home", "--shell", "/bin/false", _SYSTEM_USER]
    creation = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - fixed words
    try:
        return pwd.getpwnam(_SYSTEM_USER).pw_uid
    except KeyError:
        raise StartError(
            f"a user for PostgreSQL is needed, and {creation.stderr.strip()}"
        ) from None


def group_of(user: int) -> int:
    """The user's primary group, the only group of the server."""
    return pwd.getpwuid(user).pw_gid


class Idleness:
    """The time for which no process has used the server, compared with what the last one wanted."""

    def __init__(self, linger_file: Path) -> None:
        self._file = linger_file
        self._since: float | None = None
        self._written_at: int | None = None

    def reset(self) -> None:
        """Begin again with the next look, since a process uses the server."""
        self._since = None

    def is_over(self) -> bool:
        """Whether the server need not wait any longer for another process."""
        try:
            written_at, linger_s = self._file.stat().st_mtime_ns, float(self._file.read_text())
        except (OSError, ValueError):
            return True
        now = time.monotonic()
        if self._since is None or written_at != self._written_at:
            self._since, self._written_at = now, written_at
        return now - self._since >= min(linger_s, LINGER_S)


def guard(server: Server, lease: int) -> None:
    """Keep the server running while any process holds the lease or it lingers, then stop it."""
    lease_path = server.data_dir / LEASE
    idleness = Idleness(server.data_dir / LINGER)
    pid = server.pid()
    for poll in itertools.count(1):
        try:
            fcntl.flock(lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            idleness.reset()
        else:
            if idleness.is_over():
                break
            fcntl.flock(lease, fcntl.LOCK_UN)
        time.sleep(_POLL_S)
        if _is_removed(lease_path, lease):
            break
        if poll % _POLLS_PER_CHECK == 0 and not server.is_listening():
            # The reason of a failure is in the log; the next check tries again.
            with contextlib.suppress(StartError):
                server.start()
                pid = server.pid()
    if _is_removed(lease_path, lease):
        server.end_abandoned(pid)
        return
    with contextlib.suppress(OSError):
        (server.data_dir / LINGER).unlink()
    server.stop()


def _is_removed(path: Path, lease: int) -> bool:
    """Whether DATA_DIR was removed; if it exists again, it is not that of this lease."""
    try:
        return not os.path.samestat(path.stat(), os.fstat(lease))
    except OSError:
        return True


def main() -> int:
    """Start the server and guard it in a separate process; print to stdout why it failed."""
    data_dir, bin_dir = map(Path, sys.argv[1:])
    lease = open_lock(data_dir / LEASE)
    fcntl.flock(lease, fcntl.LOCK_SH)
    try:
        user = system_user()
        server = Server(data_dir, (data_dir / "postgres").resolve(), bin_dir, user)
        server.start()
    except (OSError, StartError) as error:
        sys.stdout.write(str(error))
        return 1
    guard_lock = open_lock(data_dir / GUARD)
    try:
        fcntl.flock(guard_lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return 0
    if os.fork() == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        os.ftruncate(guard_lock, 0)
        os.write(guard_lock, f"{os.getpid()}\n".encode())
        try:
            guard(server, lease)
        finally:
            # Before the lease: the next process to get the lease must see that there is no guard.
            os.close(guard_lock)
    return 0


if __name__ == "__main__":
    sys.exit(main())
