"""Counts the tokens of texts in the encoding of a model, or estimates them."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b

import structlog
import tiktoken

from rich_agent.domain.text import most_tokens
from rich_agent.errors import SettingsError

log = structlog.get_logger()
AUTO = "auto"
ESTIMATE = "estimate"
LONGEST_COUNTED = 50_000
"""Most characters of a counted text. Longer ones are estimated: a long word can take seconds."""
_COUNTS_KEPT = 128
_LONGEST_KEPT = 20_000
"""Most characters of a text whose count is kept."""
_Key = tuple[bytes, int, tiktoken.Encoding | None]
"""A text by its hash and its length, so that no text is kept, and the encoding of its count."""


class ModelTokenizer:
    """Implements `domain.text.TokenCounter`; estimates tokens until the encoding is loaded.

    The encoding is loaded once, in the background, from tiktoken's cache or from OpenAI's server.
    If both fail, tokens are always estimated.
    """

    def __init__(
        self, encoding: str | None, load: Callable[[str], tiktoken.Encoding] = tiktoken.get_encoding
    ) -> None:
        self._encoding: tiktoken.Encoding | None = None
        self._load = load
        self._counts: OrderedDict[_Key, int] = OrderedDict()
        self._lock = threading.Lock()
        if encoding:
            # A daemon thread, so that a hanging download does not keep the process running.
            threading.Thread(target=self._fetch, args=(encoding,), daemon=True).start()

    def __call__(self, text: str) -> int:
        """The number of tokens in a text."""
        encoding = self._encoding
        if len(text) > _LONGEST_KEPT:
            return self._count(text, encoding)
        # A turn counts the same instructions and messages for each of its calls.
        key = (_digest(text), len(text), encoding)
        with self._lock:
            count = self._counts.pop(key, None)
        if count is None:
            count = self._count(text, encoding)
        with self._lock:
            self._counts[key] = count
            while len(self._counts) > _COUNTS_KEPT:
                self._counts.popitem(last=False)
        return count

    def _count(self, text: str, encoding: tiktoken.Encoding | None) -> int:
        if encoding is None or len(text) > LONGEST_COUNTED:
            return most_tokens(text)
        return len(encoding.encode_ordinary(text))

    def _fetch(self, name: str) -> None:
        try:
            self._encoding = self._load(name)
            log.debug("tokens_counted", encoding=name)
        except Exception as error:  # noqa: BLE001 - HTTP, the disk or a broken cache
            log.info("tokens_estimated", encoding=name, reason=str(error))


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def encoding_for(setting: str, model: str) -> str | None:
    """The encoding that the setting TOKENIZER asks for, None for estimates.

    Raises: SettingsError if there is no encoding of that name.
    """
    if setting == ESTIMATE:
        return None
    if setting != AUTO:
        encodings = tiktoken.list_encoding_names()
        if setting not in encodings:
            raise SettingsError(
                "TOKENIZER",
                f"{setting!r} is not a tiktoken encoding",
                hint=f"Write auto, estimate, or one of {', '.join(sorted(encodings))}.",
            )
        return setting
    try:
        return tiktoken.encoding_name_for_model(model)
    except KeyError:
        return None
