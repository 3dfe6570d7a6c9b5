"""Says what a collection of titles is about, or what a person says that it is about."""

import re
from typing import Any

from rich_agent_sandbox.model.language.text import content_terms, content_words
from rich_agent_sandbox.model.prompt import Prompt

_LATIN_WORD = re.compile(r"[a-z]{3,20}")
_MOST_WORDS = 2


def describe_subject(prompt: Prompt) -> dict[str, Any]:
    """Whether the domain shares a word with the titles; if not, titles and words as a subject."""
    titles = list(prompt.sources)
    told = "; ".join(titles) if titles else prompt.question
    ours = content_terms(" ".join(domain.text for domain in prompt.domains))
    theirs = content_terms(told)
    latin = [word for word in content_words(told) if _LATIN_WORD.fullmatch(word)]
    subjects = (titles or [prompt.question])[:3]
    return {
        "fits": bool(set(ours) & set(theirs)),
        "name": "_".join(dict.fromkeys(latin[:_MOST_WORDS])) or "documents",
        "description": told,
        "examples": [f"What do the documents say about {one}?" for one in subjects],
    }
