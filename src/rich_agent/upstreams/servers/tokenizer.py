"""Counts the tokens of texts in the encoding of a model, or estimates them."""

import threading
from collections.abc import Callable
from functools import lru_cache

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
        # A turn counts the same instructions and messages for each of its calls.
        self._kept_count = lru_cache(_COUNTS_KEPT)(self._count)
        if encoding:
            # A daemon thread, so that a hanging download does not keep the process running.
            threading.Thread(target=self._fetch, args=(encoding,), daemon=True).start()

    def __call__(self, text: str) -> int:
        """The number of tokens in a text."""
        count = self._kept_count if len(text) <= _LONGEST_KEPT else self._count
        return count(text, self._encoding)

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
