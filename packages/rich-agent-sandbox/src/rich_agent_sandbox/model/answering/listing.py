"""Lists the content of a "catalogue" passage, for questions about which documents there are."""

import re

from rich_agent_sandbox.model.language.text import content_terms, normalise
from rich_agent_sandbox.model.prompt import Passage, Prompt

CATALOGUE = "catalogue"
_THINGS = r"(?:sources?|documents?|docs|files?|titles?|guides?)"
_THINGS_JAPANESE = "(?:情報源|資料|文書|ドキュメント)"
_PLEASE = "(?:を|が|は)?(?:見せて|教えて|出して|挙げて|あります|ある|です)?(?:ください|か)?"
_ASKED = re.compile(
    rf"\b(?:list|show|name|enumerate)\b.{{0,30}}\b{_THINGS}\b"
    rf"|\b(?:which|what|how many|any)(?: \w{{1,20}}){{0,2}} {_THINGS}\b"
    rf"(?! (?:say|tell|state|explain|mention)\b)"
    rf"|^(?:all |your |the )*{_THINGS}(?: \w{{1,20}})? (?:about|on|for)\b"
    rf"|{_THINGS_JAPANESE}.{{0,8}}(?:一覧|リスト|何|どんな|どれ|いくつ|すべて|全部|挙げて){_PLEASE}"
    rf"|(?:どんな|どの|すべての|全部の).{{0,4}}{_THINGS_JAPANESE}{_PLEASE}"
)
_MOST_READ = 300


def asks_for_list(question: str) -> bool:
    """Whether the question asks which sources or documents there are."""
    return bool(_ASKED.search(normalise(question).strip()[:_MOST_READ]))


def subject_of(question: str) -> str:
    """The subject of the wanted documents, "" for all: the question without the request."""
    subject = _ASKED.sub(" ", normalise(question).strip()[:_MOST_READ]).strip()
    return subject if content_terms(subject) else ""


def from_catalogue(prompt: Prompt) -> str:
    """The lists whose headings the question names, else all; "" if it asks for none.

    For a subject, the items that name it, else the first list, which has the nearest ones.
    """
    found = next((one for one in prompt.passages if one.kind == CATALOGUE), None)
    if found is None or not asks_for_list(prompt.question):
        return ""
    asked = set(content_terms(prompt.question))
    lists = _lists(found)
    named = [heading for heading in lists if asked & set(content_terms(heading))]
    shown = {heading: lists[heading] for heading in named or lists}
    if subject := set(content_terms(subject_of(prompt.question))):
        near = {heading: _with_words(subject, items) for heading, items in shown.items()}
        shown = near if any(near.values()) else dict(list(shown.items())[:1])
    return "\n\n".join(
        "\n".join([f"{heading} [{found.number}]", *(f"- {item}" for item in items)])
        for heading, items in shown.items()
        if items
    )


def _with_words(asked: set[str], items: list[str]) -> list[str]:
    return [item for item in items if asked & set(content_terms(item))]


def _lists(passage: Passage) -> dict[str, list[str]]:
    """The items below each heading."""
    lists: dict[str, list[str]] = {}
    heading = passage.title
    for line in passage.text.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("- "):
            lists.setdefault(heading, []).append(line.removeprefix("- "))
    return lists
