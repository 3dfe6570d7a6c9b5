"""Prefixes that some embedding models need before a question or a passage.

Each comes from a model card (Hugging Face, `<owner>/<model>`); none depends on a language.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rich_agent.domain.retrieval.passage import VectorSpace

_MARK = " + "
"""The separator of model and prefix in the name of a space; no model's name has it."""
_PARTS = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Prefixes:
    """The texts before each question and each passage, "" for none."""

    query: str = ""
    passage: str = ""

    def space(self, model: str, dimensions: int) -> VectorSpace:
        """The space of the passages. Another prefix makes another space."""
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
"""The prefixes by a part of the model's name; the first match counts."""


def known_prefixes(model: str) -> Prefixes:
    """The prefixes from a model's card, none for an unknown model.

    Servers name a model in many ways: `nomic-ai/nomic-embed-text-v1.5`,
    `text-embedding-nomic-embed-text-v1.5`, `nomic-embed-text:latest`.
    """
    parts = f"-{'-'.join(_PARTS.findall(model.lower()))}-"
    return next((prefixes for name, prefixes in _KNOWN.items() if f"-{name}-" in parts), Prefixes())


def prefixes_of(space: VectorSpace, own: Prefixes) -> tuple[str, Prefixes]:
    """The model of a space, and its prefixes: `own` if they fit its passages, else known ones.

    If the passages were embedded without a prefix, questions have none either.
    """
    model, _, passage = space.model.partition(_MARK)
    fitting_prefixes = (
        prefixes for prefixes in (own, known_prefixes(model)) if prefixes.passage == passage
    )
    return model, next(fitting_prefixes, Prefixes("", passage))
