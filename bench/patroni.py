"""A cluster of Patroni on this machine: two PostgreSQL of the wheel, etcd, and HAProxy before them.

Debian's packages are used: `apt install --no-install-recommends patroni etcd-server haproxy`.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg

from bench.faults.postgres import wheel_programs
from rich_agent.repositories.database.embedded_guard import group_of, system_user
from rich_agent.repositories.database.embedded_root import within_reach
from rich_agent.repositories.database.migration import migrate
from tests.acceptance.world import free_port, wait_until
from tests.database import temporary_data_dir

_DEADLINE_S = 120.0
_CHECKED_S = 4.0
# As docs/how-to/survive-a-failover.md has them.
_DCS = {
    "ttl": 20,
    "loop_wait": 5,
    "retry_timeout": 5,
    "maximum_lag_on_failover": 1_048_576,
    "synchronous_mode": True,
    "postgresql": {
        "use_pg_rewind": True,
        "parameters": {"max_connections": 200, "shared_buffers": "128MB", "jit": "off"},
    },
}
_HAPROXY = """
global
    maxconn 1000
defaults
    mode tcp
    timeout connect 4s
    timeout client 24h
    timeout server 24h
    timeout check 2s
listen primary
    bind 127.0.0.1:{listen}
    option httpchk GET /primary
    http-check expect status 200
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
"""


@dataclass(frozen=True, slots=True)
class Member:
    """A PostgreSQL that Patroni starts and promotes."""

    name: str
    folder: Path
    postgres_port: int
    api_port: int
    patroni: "subprocess.Popen[bytes]"

    @property
    def is_primary(self) -> bool:
        """Whether Patroni says so, as HAProxy asks it."""
        try:
            address = f"http://127.0.0.1:{self.api_port}/primary"
            return httpx.get(address, timeout=5, trust_env=False).status_code == 200
        except httpx.HTTPError:
            return False

    def die(self) -> None:
        """End Patroni and PostgreSQL at once, as the power of their machine would."""
        self.patroni.kill()
        self.patroni.wait()
        self.stop_postgres()

    def stop_postgres(self) -> None:
        """End PostgreSQL as in a crash, if it runs."""
        pid_file = self.folder / "data/postmaster.pid"
        if pid_file.exists():
            os.kill(int(pid_file.read_text().split("\n", 1)[0]), signal.SIGQUIT)
            wait_until(lambda: not pid_file.exists(), "PostgreSQL has ended", _DEADLINE_S)


@dataclass(frozen=True, slots=True)
class Cluster:
    """Two members; `url` leads to the primary."""

    members: Sequence[Member]
    url: str

    def fail(self) -> None:
        """Let the machine of the primary die."""
        next(one for one in self.members if one.is_primary).die()

    def take_over(self) -> None:
        """Return when the other one is the primary."""
        wait_until(self._has_primary, "another member is the primary", _DEADLINE_S)

    def _has_primary(self) -> bool:
        return any(one.patroni.poll() is None and one.is_primary for one in self.members)


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A cluster with all tables, whose commits wait for the standby."""
    user = system_user()
    with temporary_data_dir("ra-patroni-") as folder, ExitStack() as running:
        programs = within_reach(folder, wheel_programs())
        etcd = _start_etcd(folder / "etcd", running)
        members = []
        for name in ("one", "two"):
            members.append(_start_member(folder / name, programs, etcd, user, running))
            wait_until(
                lambda: any(one.is_primary for one in members), "there is a primary", _DEADLINE_S
            )
        url = f"postgresql://postgres@127.0.0.1:{_start_haproxy(folder, members, running)}"
        time.sleep(_CHECKED_S)  # before that, HAProxy takes every member for a primary
        with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE rich_agent")
            wait_until(lambda: _is_synchronous(connection), "commits wait", _DEADLINE_S)
        migrate(f"{url}/rich_agent", f"{url}/rich_agent")
        yield Cluster(members, f"{url}/rich_agent")


def _is_synchronous(connection: psycopg.Connection) -> bool:
    query = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
    row = connection.execute(query).fetchone()
    return bool(row and row[0])


def _start_etcd(folder: Path, running: ExitStack) -> int:
    """Start etcd; its port."""
    port, peer = free_port(), f"http://127.0.0.1:{free_port()}"
    client = f"http://127.0.0.1:{port}"
    given = {
        "data-dir": str(folder),
        "listen-client-urls": client,
        "advertise-client-urls": client,
        "listen-peer-urls": peer,
        "initial-advertise-peer-urls": peer,
        "initial-cluster": f"default={peer}",
    }
    options = [part for name, value in given.items() for part in (f"--{name}", value)]
    running.enter_context(_running([_program("etcd"), *options]))
    return port


def _start_haproxy(folder: Path, members: Sequence[Member], running: ExitStack) -> int:
    """Start HAProxy before the members; its port."""
    listen = free_port()
    servers = [
        f"    server {one.name} 127.0.0.1:{one.postgres_port} check port {one.api_port}\n"
        for one in members
    ]
    settings = folder / "haproxy.cfg"
    settings.write_text(_HAPROXY.format(listen=listen) + "".join(servers), "utf-8")
    running.enter_context(_running([_program("haproxy"), "-db", "-f", str(settings)]))
    return listen


def _start_member(
    folder: Path, programs: Path, etcd: int, user: int | None, running: ExitStack
) -> Member:
    folder.mkdir(mode=0o700)
    as_user: dict[str, Any] = {}
    if user is not None:
        os.chown(folder, user, -1)
        as_user = {"user": user, "group": group_of(user), "extra_groups": ()}
    postgres, api = free_port(), free_port()
    settings = folder / "patroni.json"  # YAML holds JSON
    described = _describe(folder, programs, etcd, (postgres, api))
    settings.write_text(json.dumps(described), "utf-8")
    settings.chmod(0o644)
    patroni = running.enter_context(_running([_program("patroni"), str(settings)], **as_user))
    member = Member(folder.name, folder, postgres, api, patroni)
    running.callback(member.stop_postgres)
    return member


def _describe(
    folder: Path, programs: Path, etcd: int, ports: tuple[int, int]
) -> Mapping[str, object]:
    """The settings of a member; `ports` are those of PostgreSQL and of Patroni."""
    postgres, api = (f"127.0.0.1:{port}" for port in ports)
    everybody = ("local all", "host all", "local replication", "host replication")
    rules = [f"{one} all {'127.0.0.1/32 ' * one.startswith('host')}trust" for one in everybody]
    superuser = {"username": "postgres"}
    return {
        "scope": "rich-agent",
        "name": folder.name,
        "restapi": {"listen": api, "connect_address": api},
        "etcd3": {"hosts": [f"127.0.0.1:{etcd}"]},
        "bootstrap": {
            "dcs": _DCS,
            "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, {"auth": "trust"}],
        },
        "postgresql": {
            "listen": postgres,
            "connect_address": postgres,
            "data_dir": str(folder / "data"),
            "bin_dir": str(programs),
            "pgpass": str(folder / "pgpass"),
            "pg_hba": rules,
            "authentication": {"superuser": superuser, "replication": superuser},
            "parameters": {"unix_socket_directories": str(folder)},
        },
    }


@contextmanager
def _running(command: Sequence[str], **as_user: Any) -> Iterator["subprocess.Popen[bytes]"]:  # noqa: ANN401 - as the library
    """A program, killed afterwards; what it says is not shown."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        **as_user,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        raise SystemExit(
            f"{name} is missing: apt install --no-install-recommends patroni etcd-server haproxy"
        )
    return found
