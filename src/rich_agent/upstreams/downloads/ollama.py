"""Ollama's `/api/pull`: a line of JSON for each step; closing the connection cancels it.

What was downloaded stays, another pull goes on there, and pulls at the same time share a download.
An error may come after a status of 200. Source: Ollama, "API", "Pull a Model" and "Errors".
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import httpx

from rich_agent.domain.json_values import read_json
from rich_agent.upstreams.downloads.progress import (
    DownloadError,
    Json,
    Progress,
    count,
    lost_connection,
    message_of,
    read_lines,
    translate_losses,
)

_SERVER = "Ollama"
_NETWORK_HINT = (
    "Check the network of this machine, or HTTPS_PROXY of Ollama; then try again: the download "
    "goes on where it ended."
)
_HINTS = (
    (("file does not exist", "invalid model name"), "Choose another model, or correct its name."),
    (
        ("no space left", "disk quota"),
        "Free some space, or choose a smaller model; then try again.",
    ),
    (("permission denied", "read-only file system"), "Let Ollama write into its models folder."),
    (
        ("newer version of ollama", "412:"),
        "Install the newest Ollama: https://ollama.com/download.",
    ),
    (("digest mismatch",), "Try again: the damaged file is downloaded once more."),
    (
        ("dial tcp", "max retries", "no such host", "timeout", "tls", "proxyconnect", "eof"),
        _NETWORK_HINT,
    ),
)
"""What to do about messages of Ollama, of the registry and of the system, by words in them."""
_OTHERWISE = "Try again, or run `ollama pull` in a terminal to see more."


@dataclass(frozen=True, slots=True)
class Ollama:
    """The server at an origin, such as http://127.0.0.1:11434."""

    origin: str

    async def download(self, http: httpx.AsyncClient, model: str) -> AsyncGenerator[Progress, None]:
        """See `Downloader`."""
        files: dict[str, tuple[int, int]] = {}
        url = f"{self.origin}/api/pull"
        with translate_losses(_SERVER):
            async with http.stream("POST", url, json={"model": model, "stream": True}) as answer:
                if answer.status_code != httpx.codes.OK:
                    raise _refusal(model, message_of(_object(await answer.aread())))
                async for line in read_lines(answer):
                    if message := message_of(line):
                        raise _refusal(model, message)
                    step = str(line.get("status", ""))
                    if step == "success":
                        yield _sum(step, files)
                        return
                    if isinstance(digest := line.get("digest"), str):
                        files[digest] = count(line.get("completed")), count(line.get("total"))
                    yield _sum(step, files)
        raise lost_connection(_SERVER)


def _sum(step: str, files: dict[str, tuple[int, int]]) -> Progress:
    done, total = (sum(column) for column in zip(*files.values(), strict=True)) if files else (0, 0)
    return Progress(step, done, total)


def _object(content: bytes) -> Json:
    value = read_json(content)
    return value if isinstance(value, dict) else {}


def _refusal(model: str, message: str) -> DownloadError:
    lowered = message.lower()
    hint = next((text for words, text in _HINTS if any(word in lowered for word in words)), "")
    if "file does not exist" in lowered:
        message = f"there is no model {model!r}"
    return DownloadError(_SERVER, message or "refuses the download", hint=hint or _OTHERWISE)
