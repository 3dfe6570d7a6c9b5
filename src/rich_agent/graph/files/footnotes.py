"""Notes for a user about their files: what was read of them, and what could not be read."""

from collections.abc import Iterator, Sequence

from rich_agent.domain.answer.markdown import plain_markdown
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.tables import COMPUTED_ID
from rich_agent.domain.text import shorten
from rich_agent.graph.files.gathering import is_from_file, read_of
from rich_agent.graph.files.links import told_of_links
from rich_agent.graph.requests import input_of
from rich_agent.graph.state import FilesState, RefusedFileState, TurnState, UsedFileState
from rich_agent.graph.views import images_of, locale_of
from rich_agent.phrases import say

_NAME_CHARS = 60


def is_refused(state: TurnState) -> bool:
    """Whether nothing came but files and pages that cannot be read.

    Words beside a link are answered all the same: they may ask for more than its page says.
    """
    refused = _files(state).get("refused", ())
    is_rest = input_of(state).is_only_links or not all(file.get("is_page") for file in refused)
    return bool(refused and is_rest) and not read_of(state) and not images_of(state)


def told_of_files(state: TurnState) -> str:
    """Return the product's words on files and pages, "" where a model has to answer."""
    return refusal_of(state) if is_refused(state) else told_of_links(state)


def refusal_of(state: TurnState) -> str:
    """Return what to do with the files that cannot be read, a paragraph for each."""
    locale = locale_of(state)
    return "\n\n".join(
        say(
            locale,
            _refusal(file),
            name=_short(file["name"]),
        )
        for file in _files(state).get("refused", ())
    )


def _refusal(file: RefusedFileState) -> str:
    """The phrase: a page is not sent again, and most of it has other reasons."""
    kind = "page" if file.get("is_page") else "file"
    return f"{kind}-refused-{file['reason'].replace('_', '-')}"


def notes_on_files(state: TurnState, passages: Sequence[Passage]) -> Iterator[str]:
    """Yield how much of each file the answer rests on, given the passages that the model read.

    Nothing of a table that was computed over: the line of what was computed has all its rows.
    """
    locale, read = locale_of(state), {passage.id for passage in passages}
    for used in _files(state).get("used", ()):
        if COMPUTED_ID.format(used["id"]) in read:
            continue
        given = sum(is_from_file(passage, used["id"]) for passage in passages)
        yield _how(used, given, locale)
    for file in read_of(state):
        if pages := file["unread_pages"]:
            yield say(locale, "file-unread-pages", name=_short(file["name"]), count=pages)
        if file.get("has_macros"):
            yield say(locale, "file-macros", name=_short(file["name"]))


def notes_on_refused(state: TurnState) -> Iterator[str]:
    """The files that could not be read, next to others that were."""
    if not is_refused(state) and (told := refusal_of(state)):
        yield from told.split("\n\n")


def to_keep(state: TurnState) -> list[int]:
    """The ids of files that came with the turn, to be remembered if the user wants it."""
    return [file["id"] for file in read_of(state) if not file["is_kept"]]


def _how(used: UsedFileState, given: int, locale: str) -> str:
    name = _short(used["name"])
    if used["how"] == "searched":
        return say(locale, "file-searched", name=name)
    read = used["read"] if used["how"] == "in_parts" else min(given, used["units"])
    if read < used["units"]:
        return say(locale, "file-read-partly", name=name, read=read, units=used["units"])
    key = "file-read-in-parts" if used["how"] == "in_parts" else "file-read-whole"
    return say(locale, key, name=name, parts=given)


def _short(name: str) -> str:
    return plain_markdown(shorten(name, _NAME_CHARS))


def _files(state: TurnState) -> FilesState:
    return state.get("files") or {}
