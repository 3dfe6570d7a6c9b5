"""The files that a turn is about: their passages, and the notes below the answer."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from langgraph.runtime import Runtime

from rich_agent.domain.answer.markdown import plain_markdown
from rich_agent.domain.retrieval.passage import Passage, interleave
from rich_agent.domain.rights import Reader
from rich_agent.domain.routing.plan import Plan, Routing
from rich_agent.domain.tables import COMPUTED_ID
from rich_agent.domain.text import shorten
from rich_agent.domain.user_files import FileUnit, UserFile
from rich_agent.errors import UpstreamError
from rich_agent.graph.files.links import link_notice
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import (
    FilesState,
    ReadFileState,
    RefusedFileState,
    TurnState,
    UsedFileState,
    input_of,
    request_of,
)
from rich_agent.graph.views import images_of, is_in_group, locale_of, words_of
from rich_agent.phrases import say, say_parts
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.prompts import render_prompt
from rich_agent.runtime.concurrency import run_all

MOST_NAMED = 20
_WITH_FILES: dict[Plan, Plan] = {"direct": "rag", "web": "rag+web"}


def read_of(state: TurnState) -> list[ReadFileState]:
    """The files that came with the turn and could be read."""
    return list(state.get("files", {}).get("read", ()))


async def readable_files(state: TurnState, services: Services) -> list[UserFile]:
    """The files that the conversation may read: the message's files first, then the newest.

    None in a group, because others read the answer.
    """
    if is_in_group(state):
        return []
    user_id, thread_id = state["user"]["telegram_user_id"], request_of(state).thread_id
    message_file_ids = [file["id"] for file in read_of(state)]
    files = await services.user_files.readable(user_id, thread_id)
    ordered_files = sorted(
        files,
        key=lambda file: (
            message_file_ids.index(file.id)
            if file.id in message_file_ids
            else len(message_file_ids)
        ),
    )
    return ordered_files[: max(MOST_NAMED, len(message_file_ids))]


def with_files(routing: Routing, state: TurnState, files: Sequence[UserFile]) -> Routing:
    """The routing with the ids of files in place of their numbers.

    Files that came with the message are always read, so that the plan includes a search. Registered
    documents are searched only if the planner wanted that, too.
    """
    file_ids = [
        files[file_number - 1].id for file_number in routing.files if 1 <= file_number <= len(files)
    ]
    chosen_ids = tuple(dict.fromkeys(file_ids or [file["id"] for file in read_of(state)]))
    if not chosen_ids:
        return replace(routing, files=(), reads_whole=False)
    plan = _WITH_FILES.get(routing.plan, routing.plan)
    is_changed = plan != routing.plan
    return replace(
        routing,
        files=chosen_ids,
        plan=plan,
        rule="file_read" if is_changed else routing.rule,
        files_only=is_changed,
    )


FILE_SHARE = 0.45
"""The part of a prompt's tokens that files may take, a little less than `PASSAGE_SHARE`."""
_PART_SHARE = 0.6
_PARTS_AT_ONCE = 4
_SEARCHED_SHARE = 2


@dataclass(frozen=True, slots=True)
class SearchedFor:
    """The parts of a question, and the vector of each in the same order."""

    queries: Sequence[str]
    vectors: Sequence[Sequence[float] | None]


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file, and its units as passages; `fits` if the prompt has room for all of them."""

    file: UserFile
    units: Sequence[FileUnit]
    passages: list[Passage]
    fits: bool


@dataclass(frozen=True, slots=True)
class FromFiles:
    """Passages from files, and the part that was read of each file."""

    passages: list[Passage]
    used: list[UsedFileState]


def is_from_file(passage: Passage, file_id: int) -> bool:
    """Whether the passage is a unit of this file, or a part of one."""
    return passage.id.startswith(f"file:{file_id}:")


async def open_files(state: TurnState, services: Services) -> list[OpenFile]:
    """The files that the plan names, in its order.

    The shortest files are the first to be read whole. A file that has to be searched is indexed the
    first time.
    """
    user_id = state["user"]["telegram_user_id"]
    files = await services.user_files.find(user_id, state["routing"].get("file_ids", ()))
    room_tokens = round(services.limits.max_context_tokens * FILE_SHARE)
    open_by_id: dict[int, OpenFile] = {}
    for file in sorted(files, key=lambda user_file: user_file.tokens):
        file_units = await services.user_files.units(user_id, file.id)
        passages = [_passage(file, unit, locale_of(state)) for unit in file_units]
        passage_tokens = sum(_tokens_of(passage, services) for passage in passages)
        fits = passage_tokens <= room_tokens
        room_tokens -= passage_tokens if fits else 0
        open_by_id[file.id] = OpenFile(file, file_units, passages, fits)
        if not (fits or file.is_indexed or state["routing"].get("reads_whole")):
            sections_and_contents = [(passage.section, passage.content) for passage in passages]
            await services.file_index.index(file, sections_and_contents)
    return [open_by_id[file.id] for file in files]


async def gather_from_files(
    files: Sequence[OpenFile], search: SearchedFor, state: TurnState, runtime: Runtime[NodeContext]
) -> FromFiles:
    """The passages of these files, and the part that was read of each.

    Raises: UpstreamError if a file is read in parts and the model is unavailable.
    """
    file_passages: list[FromFiles] = []
    for file in files:
        if file.fits:
            file_passages.append(
                FromFiles(file.passages, [_file_use(file.file, "whole", len(file.units))])
            )
        elif state["routing"].get("reads_whole"):
            file_passages.append(await _in_parts(file.file, file.units, state, runtime))
        else:
            file_passages.append(await _search(file.file, search, runtime.context.services))
    return FromFiles(
        [passage for file in file_passages for passage in file.passages],
        [file_use for file in file_passages for file_use in file.used],
    )


def place_of(unit: FileUnit, locale: str) -> str:
    """The place of a unit as the user reads it: "page 3", "sheet Sales", or its heading."""
    if unit.kind == "section":
        return unit.heading
    variant = f"-{'named' if unit.heading else 'numbered'}" if unit.kind != "page" else ""
    return say(
        locale, f"file-{unit.kind}{variant}", number=str(unit.number), heading=unit.heading or "-"
    )


def _passage(file: UserFile, unit: FileUnit, locale: str) -> Passage:
    """A unit of a file as a passage."""
    passage_id = f"file:{file.id}:{unit.kind}:{unit.number}"
    place = place_of(unit, locale)
    link = f"{file.address}#{unit.anchor}" if file.address and unit.anchor else file.address
    return Passage(
        *(passage_id, "file", unit.text, file.address, file.name, place, link),
        score=1.0,
        is_private=file.is_private,
        unread=file.inventory.unread,
    )


def _tokens_of(passage: Passage, services: Services) -> int:
    """The tokens of a passage in a prompt."""
    return services.count_tokens(f"{passage.title} {passage.section} {passage.content}")


def _file_use(file: UserFile, how: str, read_count: int) -> UsedFileState:
    """The record that `read_count` units of a file were read in this way."""
    return {
        "id": file.id,
        "name": file.name,
        "how": how,  # type: ignore[typeddict-item] # one of its words
        "units": file.units,
        "read": read_count,
        "unread": file.inventory.unread,
    }


async def _search(file: UserFile, search: SearchedFor, services: Services) -> FromFiles:
    """The passages of a long file that are nearest to the question."""
    limit = _SEARCHED_SHARE * services.limits.retrieval.passages
    passage_lists = await run_all(
        services.passages.search(
            PassageQuery(
                query,
                vector,
                limit,
                source_ids=(file.source_id,),
                reader=Reader(file.user_id),
                files=True,
            )
        )
        for query, vector in zip(search.queries, search.vectors, strict=True)
    )
    passages = interleave(passage_lists, limit)
    # The file's id in each passage's id shows to which file the passage belongs.
    file_passages = [
        replace(
            passage,
            id=f"file:{file.id}:{passage.id}",
            title=file.name,
            source_url=file.address,
            link=file.address,
            unread=file.inventory.unread,
        )
        for passage in passages
    ]
    return FromFiles(file_passages, [_file_use(file, "searched", len(file_passages))])


async def _in_parts(
    file: UserFile, units: Sequence[FileUnit], state: TurnState, runtime: Runtime[NodeContext]
) -> FromFiles:
    """A model's notes on each part of a file, on as many parts as the limits allow."""
    services, locale = runtime.context.services, locale_of(state)
    runtime.stream_writer({"stage": "reading"})
    window_tokens = services.limits.prompt_tokens(has_form=True)
    unit_groups = list(_unit_groups(units, round(window_tokens * _PART_SHARE)))[
        : services.limits.file_parts
    ]
    slots = asyncio.Semaphore(_PARTS_AT_ONCE)

    async def note(group: Sequence[FileUnit]) -> Passage | None:
        text = "\n\n".join(f"[{place_of(unit, locale)}]\n{unit.text}" for unit in group)
        prompt = render_prompt(
            "N5_read_part", question=words_of(state), title=file.name, content=text
        )
        async with slots:
            try:
                summary = await services.summarizer.summarize(prompt)
            except UpstreamError as error:
                runtime.context.run.notes.survive("part_not_read", error)
                return None
        first_place, last_place = place_of(group[0], locale), place_of(group[-1], locale)
        place_range = first_place if first_place == last_place else f"{first_place} – {last_place}"
        passage_id = f"file:{file.id}:{group[0].number}-{group[-1].number}"
        return Passage(
            *(passage_id, "file", summary, file.address, file.name, place_range, file.address),
            score=1.0,
            is_private=file.is_private,
            unread=file.inventory.unread,
        )

    notes = await run_all(note(group) for group in unit_groups)
    passages = [passage for passage in notes if passage]
    read_count = sum(
        len(group) for group, passage in zip(unit_groups, notes, strict=True) if passage
    )
    unit_count = len({unit.number for group in unit_groups for unit in group})
    return FromFiles(passages, [_file_use(file, "in_parts", min(read_count, unit_count))])


def _unit_groups(units: Sequence[FileUnit], most_tokens: int) -> Iterator[list[FileUnit]]:
    """Groups of consecutive units with up to `most_tokens` each; a longer unit is cut."""
    group: list[FileUnit] = []
    group_tokens = 0
    for unit in chain.from_iterable(_pieces(long_unit, most_tokens) for long_unit in units):
        if group and group_tokens + unit.tokens > most_tokens:
            yield group
            group, group_tokens = [], 0
        group.append(unit)
        group_tokens += unit.tokens
    if group:
        yield group


def _pieces(unit: FileUnit, most_tokens: int) -> Iterator[FileUnit]:
    """A unit in pieces of up to about `most_tokens`."""
    piece_count = -(-unit.tokens // most_tokens)
    if piece_count <= 1:
        yield unit
        return
    piece_chars = -(-len(unit.text) // piece_count)
    for start in range(0, len(unit.text), piece_chars):
        text = unit.text[start : start + piece_chars]
        yield replace(unit, text=text, tokens=unit.tokens // piece_count)


_NAME_CHARS = 60
_ONLY_OF_PAGES: Final = frozenset({"closed", "made_by_scripts", "consent"})


def is_refused(state: TurnState) -> bool:
    """Whether the message consists of files and pages that cannot be read.

    Words next to a link are answered all the same: they may ask for more than the page.
    """
    refusals = _files(state).get("refused", ())
    is_nothing_else = input_of(state).is_only_links or not all(
        file.get("is_page") for file in refusals
    )
    return bool(refusals and is_nothing_else) and not read_of(state) and not images_of(state)


def file_notice(state: TurnState) -> str:
    """The product's sentences on files and pages, "" if a model has to answer."""
    return refusal_of(state) if is_refused(state) else link_notice(state)


def refusal_of(state: TurnState) -> str:
    """A paragraph for each file that cannot be read, with a remedy for the user."""
    locale = locale_of(state)
    return "\n\n".join(
        " ".join(
            [
                say(locale, _refusal_key(file), name=_short(file["name"])),
                *_note_on_unread(file, locale),
            ]
        )
        for file in _files(state).get("refused", ())
    )


def _refusal_key(file: RefusedFileState) -> str:
    """The key of the phrase for a file that cannot be read.

    Pages have phrases of their own: they fail for other reasons, and cannot be sent again.
    """
    if file.get("is_page"):
        return f"page-refused-{file['reason'].replace('_', '-')}"
    reason = "empty" if file["reason"] in _ONLY_OF_PAGES else file["reason"]
    return f"file-refused-{reason.replace('_', '-')}"


def notes_on_files(state: TurnState, passages: Sequence[Passage]) -> Iterator[str]:
    """Notes on each file of the answer: the part that was read, and what nobody can read in it.

    `passages` are those that the model read. For a table that was queried, the answer's line about
    the query tells that all its rows were read.
    """
    locale, passage_ids = locale_of(state), {passage.id for passage in passages}
    uses = _files(state).get("used", ())
    for file_use in uses:
        passage_count = sum(is_from_file(passage, file_use["id"]) for passage in passages)
        is_computed = COMPUTED_ID.format(file_use["id"]) in passage_ids
        if not is_computed and (note := _reading_note(file_use, passage_count, locale)):
            yield note
        yield from _note_on_unread(file_use, locale)
    used_ids = {file_use["id"] for file_use in uses}
    for file in read_of(state):
        if file["id"] not in used_ids:
            yield from _note_on_unread(file, locale)
        if file.get("has_macros"):
            yield say(locale, "file-macros", name=_short(file["name"]))


def notes_on_refusals(state: TurnState) -> Iterator[str]:
    """A paragraph for each file that could not be read, if others could."""
    if not is_refused(state) and (refusal := refusal_of(state)):
        yield from refusal.split("\n\n")


def to_keep(state: TurnState) -> list[int]:
    """The ids of the turn's new files that the user may choose to keep."""
    return [file["id"] for file in read_of(state) if not file["is_kept"]]


def _reading_note(file_use: UsedFileState, passage_count: int, locale: str) -> str:
    """The note how much of a file's text was read, "" if all was and a note on the rest follows."""
    name = _short(file_use["name"])
    if file_use["how"] == "searched":
        return say(locale, "file-searched", name=name)
    read_count = (
        file_use["read"] if file_use["how"] == "in_parts" else min(passage_count, file_use["units"])
    )
    if read_count < file_use["units"]:
        return say(locale, "file-read-partly", name=name, read=read_count, units=file_use["units"])
    if file_use.get("unread"):
        return ""
    phrase = "file-read-in-parts" if file_use["how"] == "in_parts" else "file-read-whole"
    return say(locale, phrase, name=name, parts=passage_count)


def _note_on_unread(
    file: ReadFileState | UsedFileState | RefusedFileState, locale: str
) -> Iterator[str]:
    """The note with the parts of a file that cannot be read; none if nothing is missing."""
    if counts := file.get("unread"):
        parts = say_parts(locale, counts)
        yield say(locale, "file-parts-unread", name=_short(file["name"]), parts=parts)


def _short(name: str) -> str:
    """The name of a file for a note, in Markdown."""
    return plain_markdown(shorten(name, _NAME_CHARS))


def _files(state: TurnState) -> FilesState:
    return state.get("files") or {}
