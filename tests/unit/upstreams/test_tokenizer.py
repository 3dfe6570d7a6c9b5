"""Counting as the model does: never in the way of a turn."""

import gc
import threading
import weakref
from dataclasses import dataclass
from typing import cast

import pytest
import tiktoken

from rich_agent.domain.text import most_tokens
from rich_agent.errors import SettingsError
from rich_agent.upstreams.servers.tokenizer import LONGEST_COUNTED, ModelTokenizer, encoding_for

TEXT = "Staking pays rewards."
DEADLINE_S = 30


@dataclass(frozen=True, slots=True)
class Words:
    """A tokenizer for which each word is a token."""

    def encode_ordinary(self, text: str) -> list[int]:
        """A number for each word."""
        return [len(word) for word in text.split()]


@pytest.mark.parametrize(
    ("setting", "model", "encoding"),
    [
        ("auto", "gpt-4.1-mini", "o200k_base"),
        ("auto", "gpt-3.5-turbo", "cl100k_base"),
        ("auto", "llama-3.3-70b", None),
        ("estimate", "gpt-4.1-mini", None),
        ("cl100k_base", "llama-3.3-70b", "cl100k_base"),
    ],
)
def test_encoding_for_follows_the_setting(setting: str, model: str, encoding: str | None) -> None:
    """The model's own where tiktoken knows it, the one that is named, or none."""
    assert encoding_for(setting, model) == encoding


def test_encoding_for_refuses_an_unknown_name() -> None:
    """The message says what can be written."""
    with pytest.raises(SettingsError, match="TOKENIZER") as caught:
        encoding_for("o300k", "gpt-4.1-mini")
    assert "o200k_base" in caught.value.hint


@pytest.mark.req("MEM-6")
def test_tokenizer_estimates_until_the_encoding_is_there() -> None:
    """While it is loaded nobody waits; then it is counted, save what takes too long."""
    may_load, loaded = threading.Event(), threading.Event()

    def load(_: str) -> tiktoken.Encoding:
        assert may_load.wait(DEADLINE_S)
        loaded.set()
        return cast("tiktoken.Encoding", Words())

    count = ModelTokenizer("o200k_base", load)
    assert count(TEXT) == most_tokens(TEXT) > 3
    may_load.set()
    assert loaded.wait(DEADLINE_S)
    while count(TEXT) != 3:
        assert any(thread.daemon for thread in threading.enumerate())
    long = "a " * LONGEST_COUNTED
    assert count(long) == most_tokens(long)


def test_tokenizer_goes_on_estimating_when_nothing_can_be_loaded() -> None:
    """No network, no cache: no turn fails."""
    failed = threading.Event()

    def load(_: str) -> tiktoken.Encoding:
        failed.set()
        raise OSError("no route to host")

    count = ModelTokenizer("o200k_base", load)
    assert failed.wait(DEADLINE_S)
    assert count(TEXT) == most_tokens(TEXT)


def test_tokenizer_counts_a_text_once() -> None:
    """The calls of a turn have the same texts; those of other turns are dropped in time."""
    texts = list[str]()

    class Recorder:
        """An encoding that notes what it reads."""

        def encode_ordinary(self, text: str) -> list[int]:
            """One token."""
            texts.append(text)
            return [1]

    loaded = threading.Event()

    def load(_: str) -> tiktoken.Encoding:
        loaded.set()
        return cast("tiktoken.Encoding", Recorder())

    count = ModelTokenizer("o200k_base", load)
    assert loaded.wait(DEADLINE_S)
    while count(TEXT) != 1:
        assert any(thread.daemon for thread in threading.enumerate())
    assert [count(f"{TEXT}{number}") for number in (1, 1, 2)] == [1, 1, 1]
    assert texts == [TEXT, f"{TEXT}1", f"{TEXT}2"]
    for number in range(200):
        assert count(str(number)) == count(TEXT) == 1
    count(f"{TEXT}1")
    assert [texts.count(TEXT), texts.count(f"{TEXT}1")] == [1, 2]


def test_tokenizer_keeps_no_text() -> None:
    """Words of users leave memory with their turn; only the numbers stay."""

    class Text(str):
        """A text that can be watched."""

        __slots__ = ("__weakref__",)

    text = Text(TEXT + "\ud800")
    watch = weakref.ref(text)
    count = ModelTokenizer(None)
    assert count(text) == count(text) > 3
    del text
    gc.collect()
    assert watch() is None


def test_tokenizer_loads_nothing_to_estimate() -> None:
    """An unknown model costs no request."""
    count = ModelTokenizer(None, load=pytest.fail)
    assert count(TEXT) == most_tokens(TEXT)
