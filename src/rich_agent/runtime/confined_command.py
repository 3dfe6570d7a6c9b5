"""Runs a command of the operator within bounds that the kernel enforces, or not at all."""

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
"""Most bytes of data of each process. Addresses do not count: Node and Go reserve very many."""
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
    """The rights of a confined command, which may also read the system's programs and its own.

    `read` and `write` list files, and folders with everything below them.
    """

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    network: bool = False

    def text(self) -> str:
        """A description of the rights, for the operator."""
        network = "reaches the network" if self.network else "no network"
        writes = f"writes to {', '.join(self.write)}" if self.write else "writes nothing"
        reads = [f"reads {', '.join(self.read)}"] if self.read else []
        return "; ".join([network, writes, *reads])


def confined_command(
    command: Sequence[str], bounds: CommandBounds, directory: str | None
) -> list[str]:
    """The command that runs `command` within the bounds; it may also read `directory`."""
    if directory is not None:
        bounds = replace(bounds, read=(*bounds.read, directory))
    return [*own_program(__name__), json.dumps(asdict(bounds)), *command]


def main() -> None:
    """Confine this process, then replace it by the command.

    If this system cannot enforce the bounds, end with an error on stderr.
    """
    rights, command = json.loads(sys.argv[1]), sys.argv[2:]
    bounds = CommandBounds(tuple(rights["read"]), tuple(rights["write"]), rights["network"])
    if missing_paths := [path for path in (*bounds.read, *bounds.write) if not Path(path).exists()]:
        sys.exit(f"Error: confine names what does not exist: {', '.join(missing_paths)}")
    program = shutil.which(command[0])
    if program is None:
        sys.exit(f"Error: {command[0]} is not found")
    system = (*map(Path, _SYSTEM), *Path("/etc").glob("ld-musl-*.path"))
    readable = (*system, *_program_folders(program), *map(Path, bounds.read))
    places = AllowedPaths(readable, (Path(_DEVICE), *map(Path, bounds.write)))
    measures = confine(Bounds(places, _LIMITS, runs_programs=True, network=bounds.network))
    if missing_measures := "; ".join(why_not(files=bool(measures.files), calls=measures.calls)):
        sys.exit(f"Error: it cannot be confined on this system: {missing_measures}")
    try:
        os.execv(program, command)  # noqa: S606 - the operator's command
    except OSError as error:
        sys.exit(f"Error: {program} cannot be started within its bounds: {error.strerror}")


def _program_folders(program: str) -> Iterator[Path]:
    """Yield the program and, if it belongs to a virtual environment, that and its Python."""
    for path in {Path(program).absolute(), Path(program).resolve()}:
        yield path
        settings = path.parent.parent / "pyvenv.cfg"
        if settings.is_file():
            yield settings.parent
            yield Path(os.path.realpath(path.parent / "python")).parent.parent
