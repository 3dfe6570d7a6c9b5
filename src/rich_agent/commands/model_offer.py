"""The model that a server of this machine could download, chosen by memory, cores and disk.

Nothing is downloaded or started here.
"""

import os
import platform
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from rich_agent.commands.model_choice import ModelSearch, physical_memory
from rich_agent.upstreams.servers.local import find_local_servers
from rich_agent.upstreams.servers.offers import Offers

_GB = 1_000_000_000
_SPARE_BYTES = _GB
"""What a download leaves free on the disk."""
_LINUX_MODELS = Path("/usr/share/ollama/.ollama/models")
_MAC_PROGRAM = Path("/Applications/Ollama.app/Contents/Resources/ollama")
_INSTALL_LINES = {"Windows": "irm https://ollama.com/install.ps1 | iex"}
_INSTALL_LINE = "curl -fsSL https://ollama.com/install.sh | sh"


@dataclass(frozen=True, slots=True)
class Machine:
    """The parts of this machine that decide which model it can run; None if unknown."""

    memory_bytes: int | None
    cores: int

    @classmethod
    def here(cls) -> "Machine":
        """This machine."""
        return cls(physical_memory(), os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class Recommended:
    """A model by its name at the server, and the size that a library listed."""

    name: str
    size_bytes: int

    @property
    def size(self) -> str:
        """The size in words."""
        return in_words(self.size_bytes)


@dataclass(frozen=True, slots=True)
class DownloadOffer:
    """A server that can download one of `models`, the proposed one first.

    `program` is Ollama's, which has to be started first. `free_bytes` is the space on its disk,
    None if that is not known.
    """

    server: Offers
    models: tuple[Recommended, ...]
    program: str = ""
    free_bytes: int | None = None

    @property
    def origin(self) -> str:
        """The address of the server without the path of its API."""
        return self.server.base_url.removesuffix("/v1")

    @property
    def best(self) -> Recommended:
        """The proposed model."""
        return self.models[0]

    def model(self, name: str) -> Recommended:
        """The model of this name, the proposed one without a name; of others the size is 0."""
        namesakes = (one for one in self.models if one.name == name)
        return next(namesakes, Recommended(name, 0)) if name else self.best

    def has_room(self, size_bytes: int) -> bool:
        """Whether so many bytes fit on the disk, as far as that is known."""
        return self.free_bytes is None or size_bytes + _SPARE_BYTES <= self.free_bytes


async def find_offer(search: ModelSearch, machine: Machine | None = None) -> DownloadOffer | None:
    """The first server of this machine that can download, None if none can or one model chats.

    Ollama that is installed and does not run is offered too.
    """
    servers = await find_local_servers(search.places, search.patience)
    return offer_from(servers, search, machine or Machine.here())


def offer_from(
    servers: Sequence[Offers], search: ModelSearch, machine: Machine
) -> DownloadOffer | None:
    """The offer of servers that were found. See `find_offer`."""
    if any(model.chats for server in servers if not server.passes_on for model in server.models):
        return None
    program = ""
    server = next((one for one in servers if one.downloads), None)
    if server is None and (program := ollama_program()):
        place = next((one for one in search.places if one.title == "Ollama"), None)
        server = Offers(f"http://127.0.0.1:{place.port}/v1", (), "Ollama") if place else None
    models = recommended(server.title, machine) if server else ()
    if server is None or not models:
        return None
    free_bytes = free_space(models_folder(server.title, program))
    return DownloadOffer(server, models, program, free_bytes)


def recommended(server: str, machine: Machine) -> tuple[Recommended, ...]:
    """The models of a server that fit into the memory, first the best for the cores."""
    gigabytes = (machine.memory_bytes or 0) / _GB
    rows = [row for row in _table() if server in row and gigabytes >= row["memory_gb"]]
    quick = [row for row in rows if machine.cores >= row["cores"]]
    best = quick[-1] if quick else None
    ordered = [best, *(row for row in rows if row is not best)] if best else rows
    return tuple(Recommended(row[server]["name"], int(row[server]["gb"] * _GB)) for row in ordered)


def listed_in() -> str:
    """The month of the sizes, such as 2026-08."""
    return str(_content()["listed"])


def _table() -> Sequence[Mapping[str, Any]]:
    rows: Sequence[Mapping[str, Any]] = _content()["models"]
    return rows


@cache
def _content() -> dict[str, Any]:
    text = files("rich_agent.commands").joinpath("recommended_models.toml").read_text("utf-8")
    return tomllib.loads(text)


def ollama_program() -> str:
    """The path of Ollama's program, "" if it is not installed."""
    program = shutil.which("ollama")
    if program is None and platform.system() == "Darwin" and _MAC_PROGRAM.exists():
        return str(_MAC_PROGRAM)
    return program or ""


def install_line() -> str:
    """The line that installs Ollama on this system. Source: Ollama, README, "Download"."""
    return _INSTALL_LINES.get(platform.system(), _INSTALL_LINE)


def models_folder(server: str, program: str) -> Path | None:
    """The folder into which a server downloads. Source: Ollama, "FAQ"; llama.cpp, LLAMA_CACHE.

    A program that this one starts uses the folder of this user.
    """
    home = Path.home()
    match server:
        case "Ollama":
            if own := os.environ.get("OLLAMA_MODELS"):
                return Path(own)
            is_service = not program and _LINUX_MODELS.parent.is_dir()
            return _LINUX_MODELS if is_service else home / ".ollama" / "models"
        case "llama.cpp":
            return Path(os.environ.get("LLAMA_CACHE") or home / ".cache" / "llama.cpp")
        case "LM Studio":
            return home / ".lmstudio" / "models"
    return None


def free_space(folder: Path | None) -> int | None:
    """The free bytes where the folder is or would be, None if the system does not say."""
    if folder is None:
        return None
    for place in (folder, *folder.parents):
        try:
            return shutil.disk_usage(place).free
        except OSError:
            continue
    return None


def in_words(size_bytes: int) -> str:
    """A size such as "2.5 GB" or "398 MB"."""
    if size_bytes < _GB:
        return f"{size_bytes / 1e6:.0f} MB"
    return f"{size_bytes / 1e9:.3g} GB"
