"""Runs a command of the operator within bounds that the kernel holds it to, or not at all."""

import json
import os
import resource
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from rich_agent.runtime.confinement import Bounds, confine, why_not
from rich_agent.runtime.file_bounds import AllowedPaths
from rich_agent.runtime.own_programs import own_program

_MEMORY_BYTES: Final = 2 * 1024**3
"""Of data, for each process: Node and Go reserve addresses without end, which count for nothing."""
_LIMITS: Final[Mapping[int, int]] = {
    resource.RLIMIT_DATA: _MEMORY_BYTES,
    resource.RLIMIT_NOFILE: 4096,
    resource.RLIMIT_FSIZE: 1024**3,
    resource.RLIMIT_CORE: 0,
}
_SYSTEM: Final = (
    "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/usr", "/nix/store", "/proc",
    "/sys/devices/system/cpu", "/sys/fs/cgroup", "/dev/urandom", "/dev/random", "/dev/zero",
    "/etc/alternatives", "/etc/ca-certificates", "/etc/ssl/certs", "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem", "/etc/pki/ca-trust", "/etc/crypto-policies",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/timezone",
    "/etc/mime.types", "/etc/passwd", "/etc/group", "/etc/hosts", "/etc/host.conf",
    "/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols",
)  # fmt: skip
_DEVICE: Final = "/dev/null"


@dataclass(frozen=True, slots=True)
class CommandBounds:
    """The rights of a confined command, beyond reading the system's programs and its own.

    `read` and `write` are files, and folders with all below them.
    """

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    network: bool = False

    def text(self) -> str:
        """Say what is allowed."""
        network = "reaches the network" if self.network else "no network"
        writes = f"writes to {', '.join(self.write)}" if self.write else "writes nothing"
        reads = [f"reads {', '.join(self.read)}"] if self.read else []
        return "; ".join([network, writes, *reads])


def confined_command(
    command: Sequence[str], bounds: CommandBounds, directory: str | None
) -> list[str]:
    """The command that runs another one within the bounds; it may read its `directory`."""
    if directory is not None:
        bounds = replace(bounds, read=(*bounds.read, directory))
    return [*own_program(__name__), json.dumps(asdict(bounds)), *command]


def main() -> None:
    """Confine this process and become the command.

    Where the system cannot hold it to its bounds, it ends, and says so on stderr.
    """
    rights, command = json.loads(sys.argv[1]), sys.argv[2:]
    bounds = CommandBounds(tuple(rights["read"]), tuple(rights["write"]), rights["network"])
    if missing := [path for path in (*bounds.read, *bounds.write) if not Path(path).exists()]:
        sys.exit(f"Error: confine names what does not exist: {', '.join(missing)}")
    program = shutil.which(command[0])
    if program is None:
        sys.exit(f"Error: {command[0]} is not found")
    system = (*map(Path, _SYSTEM), *Path("/etc").glob("ld-musl-*.path"))
    readable = (*system, *_own(program), *map(Path, bounds.read))
    places = AllowedPaths(readable, (Path(_DEVICE), *map(Path, bounds.write)))
    measures = confine(Bounds(places, _LIMITS, runs_programs=True, network=bounds.network))
    if lacking := "; ".join(why_not(files=bool(measures.files), calls=measures.calls)):
        sys.exit(f"Error: it cannot be confined on this system: {lacking}")
    try:
        os.execv(program, command)  # noqa: S606 - the operator's command
    except OSError as error:
        sys.exit(f"Error: {program} cannot be started within its bounds: {error.strerror}")


def _own(program: str) -> Iterator[Path]:
    """Yield the program, and the Python environment that it belongs to, with that one's Python."""
    for path in {Path(program).absolute(), Path(program).resolve()}:
        yield path
        settings = path.parent.parent / "pyvenv.cfg"
        if settings.is_file():
            yield settings.parent
            yield Path(os.path.realpath(path.parent / "python")).parent.parent
