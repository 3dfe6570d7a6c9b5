"""Counts tokens with a real tokenizer if `bench.peers tokens` has installed it, else estimates."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from bench.peers import ROOT, has_peer, peer_python
from rich_agent.domain.text import estimate_tokens


class TokenCounter(Protocol):
    """Counts tokens; `name` says how."""

    @property
    def name(self) -> str:
        """The name of the tokenizer, or that of the estimate."""
        ...

    def count(self, texts: Sequence[str]) -> list[int]:
        """The tokens of each text."""
        ...


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimate of the product, which is the same on every machine."""

    name: str = "estimated tokens"

    def count(self, texts: Sequence[str]) -> list[int]:
        """The estimated tokens of each text."""
        return [estimate_tokens(text) for text in texts]


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A tokenizer in the environment of the peers."""

    process: "subprocess.Popen[str]"
    name: str = "tokens of o200k_base"

    def count(self, texts: Sequence[str]) -> list[int]:
        """The tokens of each text."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(texts) + "\n")
        self.process.stdin.flush()
        return [int(count) for count in json.loads(self.process.stdout.readline())]


@contextmanager
def token_counter() -> Iterator[TokenCounter]:
    """The real tokenizer if it is installed, else the estimate."""
    if not has_peer("bpe_openai"):
        yield Estimate()
        return
    command = [str(peer_python()), "-m", "bench.tokens.worker"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield Tokenizer(process)
        finally:
            process.terminate()
