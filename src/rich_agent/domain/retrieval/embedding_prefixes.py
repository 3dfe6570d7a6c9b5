"""The prefixes that some embedding models need before a question or a passage.

Each is data of a model card (Hugging Face, `<owner>/<model>`), and says nothing of a language.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rich_agent.domain.retrieval.passage import VectorSpace

_MARK = " + "
"""Between model and prefix in the name of a space; no name of a model holds it."""
_PARTS = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Prefixes:
    """The texts put before each question and each passage, "" for nothing."""

    query: str = ""
    passage: str = ""

    def space(self, model: str, dimensions: int) -> VectorSpace:
        """The space of the passages. With another prefix they are embedded again."""
        name = f"{model}{_MARK}{self.passage}" if self.passage else model
        return VectorSpace(name, dimensions)


_INSTRUCTED = Prefixes(
    "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "
)
_REPRESENTED = Prefixes("Represent this sentence for searching relevant passages: ")
_KNOWN: Final[Mapping[str, Prefixes]] = {
    "e5-mistral": _INSTRUCTED,
    "e5-large-instruct": _INSTRUCTED,
    "qwen3-embedding": _INSTRUCTED,
    "e5": Prefixes("query: ", "passage: "),
    "nomic-embed-text": Prefixes("search_query: ", "search_document: "),
    "embeddinggemma": Prefixes("task: search result | query: ", "title: none | text: "),
    "bge-small-en": _REPRESENTED,
    "bge-base-en": _REPRESENTED,
    "bge-large-en": _REPRESENTED,
    "mxbai-embed-large": _REPRESENTED,
}
"""By a part of the model's name; the first that is found counts."""


def known_prefixes(model: str) -> Prefixes:
    """Return the prefixes of a model's card, none for a model that is not known.

    Servers name one model in many ways: `nomic-ai/nomic-embed-text-v1.5`,
    `text-embedding-nomic-embed-text-v1.5`, `nomic-embed-text:latest`.
    """
    parts = f"-{'-'.join(_PARTS.findall(model.lower()))}-"
    return next((prefixes for name, prefixes in _KNOWN.items() if f"-{name}-" in parts), Prefixes())


def prefixes_of(space: VectorSpace, own: Prefixes) -> tuple[str, Prefixes]:
    """The model of a space and its prefixes: those `own` for its passages, else known ones.

    Passages that were embedded without a prefix are asked without one.
    """
    model, _, passage = space.model.partition(_MARK)
    fitting = (one for one in (own, known_prefixes(model)) if one.passage == passage)
    return model, next(fitting, Prefixes("", passage))
