"""Files of a turn: which it is about, what is read of each, and what stands below the answer."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

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
from rich_agent.graph.views import images_of, is_for_group, locale_of, words_of
from rich_agent.phrases import say
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.prompts import render_prompt
from rich_agent.runtime.concurrency import run_all

MOST_NAMED = 20
_WITH_FILES: dict[Plan, Plan] = {"direct": "rag", "web": "rag+web"}


def read_of(state: TurnState) -> list[ReadFileState]:
    """The files that came with the turn and were read."""
    return list(state.get("files", {}).get("read", ()))


async def readable_files(state: TurnState, services: Services) -> list[UserFile]:
    """Return the files that the conversation may read, those of the message first, then the newest.

    None in a group: others read the answer.
    """
    if is_for_group(state):
        return []
    user_id, thread_id = state["user"]["telegram_user_id"], request_of(state).thread_id
    came = [file["id"] for file in read_of(state)]
    files = await services.user_files.readable(user_id, thread_id)
    by_place = sorted(files, key=lambda file: came.index(file.id) if file.id in came else len(came))
    return by_place[: max(MOST_NAMED, len(came))]


def with_files(routing: Routing, state: TurnState, files: Sequence[UserFile]) -> Routing:
    """The routing by the ids of files instead of their numbers.

    Files that came with the message are read in any case. Then something has to be looked up, and
    registered documents only if the planner wanted them too.
    """
    file_ids = [files[n - 1].id for n in routing.files if 1 <= n <= len(files)]
    ids = tuple(dict.fromkeys(file_ids or [file["id"] for file in read_of(state)]))
    if not ids:
        return replace(routing, files=(), reads_whole=False)
    plan = _WITH_FILES.get(routing.plan, routing.plan)
    is_changed = plan != routing.plan
    return replace(
        routing,
        files=ids,
        plan=plan,
        rule="file_read" if is_changed else routing.rule,
        files_only=is_changed,
    )


FILE_SHARE = 0.45
"""Part of a prompt's tokens that files may take; `PASSAGE_SHARE` is a little more."""
_PART_SHARE = 0.6
_PARTS_AT_ONCE = 4
_SEARCHED_SHARE = 2


@dataclass(frozen=True, slots=True)
class SearchedFor:
    """The parts of a question with their vectors, in order."""

    queries: Sequence[str]
    vectors: Sequence[Sequence[float] | None]


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file with its units as passages; `fits` if all of it goes into the prompt."""

    file: UserFile
    units: Sequence[FileUnit]
    passages: list[Passage]
    fits: bool


@dataclass(frozen=True, slots=True)
class FromFiles:
    """Passages of files, and how much of each was read."""

    passages: list[Passage]
    used: list[UsedFileState]


def is_from_file(passage: Passage, file_id: int) -> bool:
    """Whether the passage is a unit of this file, or a part of it."""
    return passage.id.startswith(f"file:{file_id}:")


async def open_files(state: TurnState, services: Services) -> list[OpenFile]:
    """The files that the plan names; the shortest have the first claim to be read whole.

    What is going to be searched is indexed the first time.
    """
    user_id = state["user"]["telegram_user_id"]
    files = await services.user_files.find(user_id, state["routing"].get("file_ids", ()))
    room_tokens = round(services.limits.max_context_tokens * FILE_SHARE)
    open_by_id: dict[int, OpenFile] = {}
    for file in sorted(files, key=lambda one: one.tokens):
        units = await services.user_files.units(user_id, file.id)
        passages = [_passage(file, unit, locale_of(state)) for unit in units]
        cost = sum(_cost(passage, services) for passage in passages)
        fits = cost <= room_tokens
        room_tokens -= cost if fits else 0
        open_by_id[file.id] = OpenFile(file, units, passages, fits)
        if not (fits or file.is_indexed or state["routing"].get("reads_whole")):
            parts = [(passage.section, passage.content) for passage in passages]
            await services.file_index.index(file, parts)
    return [open_by_id[file.id] for file in files]


async def gather_from_files(
    files: Sequence[OpenFile], search: SearchedFor, state: TurnState, runtime: Runtime[NodeContext]
) -> FromFiles:
    """The passages of these files, and how much of each was read.

    Raises: UpstreamError, if parts are to be read and the model is away.
    """
    parts: list[FromFiles] = []
    for one in files:
        if one.fits:
            parts.append(FromFiles(one.passages, [_used(one.file, "whole", len(one.units))]))
        elif state["routing"].get("reads_whole"):
            parts.append(await _in_parts(one.file, one.units, state, runtime))
        else:
            parts.append(await _search(one.file, search, runtime.context.services))
    return FromFiles(
        [passage for one in parts for passage in one.passages],
        [used for one in parts for used in one.used],
    )


def place_of(unit: FileUnit, locale: str) -> str:
    """Return the place of a unit, as a reader is told: "page 3", "sheet Sales", or its heading."""
    if unit.kind == "section":
        return unit.heading
    variant = f"-{'named' if unit.heading else 'numbered'}" if unit.kind != "page" else ""
    return say(
        locale, f"file-{unit.kind}{variant}", number=str(unit.number), heading=unit.heading or "-"
    )


def _passage(file: UserFile, unit: FileUnit, locale: str) -> Passage:
    passage_id = f"file:{file.id}:{unit.kind}:{unit.number}"
    place = place_of(unit, locale)
    link = f"{file.address}#{unit.anchor}" if file.address and unit.anchor else file.address
    return Passage(
        *(passage_id, "file", unit.text, file.address, file.name, place, link),
        score=1.0,
        is_private=file.is_private,
    )


def _cost(passage: Passage, services: Services) -> int:
    return services.count_tokens(f"{passage.title} {passage.section} {passage.content}")


def _used(file: UserFile, how: str, read: int) -> UsedFileState:
    return {"id": file.id, "name": file.name, "how": how, "units": file.units, "read": read}  # type: ignore[typeddict-item] # one of its words


async def _search(file: UserFile, search: SearchedFor, services: Services) -> FromFiles:
    """Search a long file for what is near to the question."""
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
    nearest = interleave(passage_lists, limit)
    # As numbered by the file: each is found again as one of its own.
    own = [
        replace(
            passage,
            id=f"file:{file.id}:{passage.id}",
            title=file.name,
            source_url=file.address,
            link=file.address,
        )
        for passage in nearest
    ]
    return FromFiles(own, [_used(file, "searched", len(own))])


async def _in_parts(
    file: UserFile, units: Sequence[FileUnit], state: TurnState, runtime: Runtime[NodeContext]
) -> FromFiles:
    """Notes of a model on each part of a file, as many parts as the limits allow."""
    services, locale = runtime.context.services, locale_of(state)
    runtime.stream_writer({"stage": "reading"})
    window = services.limits.form_tokens or services.limits.max_context_tokens
    groups = list(_unit_groups(units, round(window * _PART_SHARE)))[: services.limits.file_parts]
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
        first, last = place_of(group[0], locale), place_of(group[-1], locale)
        place = first if first == last else f"{first} – {last}"
        passage_id = f"file:{file.id}:{group[0].number}-{group[-1].number}"
        address = file.address
        return Passage(
            *(passage_id, "file", summary, address, file.name, place, address),
            score=1.0,
            is_private=file.is_private,
        )

    notes = await run_all(note(group) for group in groups)
    passages = [passage for passage in notes if passage]
    read = sum(len(group) for group, passage in zip(groups, notes, strict=True) if passage)
    whole = len({unit.number for group in groups for unit in group})
    return FromFiles(passages, [_used(file, "in_parts", min(read, whole))])


def _unit_groups(units: Sequence[FileUnit], most_tokens: int) -> Iterator[list[FileUnit]]:
    """Units that follow each other, together up to so many tokens; a longer one is cut."""
    group: list[FileUnit] = []
    tokens = 0
    for unit in chain.from_iterable(_pieces(one, most_tokens) for one in units):
        if group and tokens + unit.tokens > most_tokens:
            yield group
            group, tokens = [], 0
        group.append(unit)
        tokens += unit.tokens
    if group:
        yield group


def _pieces(unit: FileUnit, most_tokens: int) -> Iterator[FileUnit]:
    count = -(-unit.tokens // most_tokens)
    if count <= 1:
        yield unit
        return
    size = -(-len(unit.text) // count)
    for start in range(0, len(unit.text), size):
        text = unit.text[start : start + size]
        yield replace(unit, text=text, tokens=unit.tokens // count)


_NAME_CHARS = 60


def is_refused(state: TurnState) -> bool:
    """Whether nothing came but files and pages that cannot be read.

    Words beside a link are answered all the same: they may ask for more than its page says.
    """
    refusals = _files(state).get("refused", ())
    is_rest = input_of(state).is_only_links or not all(file.get("is_page") for file in refusals)
    return bool(refusals and is_rest) and not read_of(state) and not images_of(state)


def file_notice(state: TurnState) -> str:
    """Return the product's words on files and pages, "" where a model has to answer."""
    return refusal_of(state) if is_refused(state) else link_notice(state)


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
        passage_count = sum(is_from_file(passage, used["id"]) for passage in passages)
        yield _how(used, passage_count, locale)
    for file in read_of(state):
        if pages := file["unread_pages"]:
            yield say(locale, "file-unread-pages", name=_short(file["name"]), count=pages)
        if file.get("has_macros"):
            yield say(locale, "file-macros", name=_short(file["name"]))


def notes_on_refusals(state: TurnState) -> Iterator[str]:
    """The files that could not be read, next to others that were."""
    if not is_refused(state) and (refusal := refusal_of(state)):
        yield from refusal.split("\n\n")


def to_keep(state: TurnState) -> list[int]:
    """The ids of files that came with the turn, to be remembered if the user wants it."""
    return [file["id"] for file in read_of(state) if not file["is_kept"]]


def _how(used: UsedFileState, passage_count: int, locale: str) -> str:
    name = _short(used["name"])
    if used["how"] == "searched":
        return say(locale, "file-searched", name=name)
    read = used["read"] if used["how"] == "in_parts" else min(passage_count, used["units"])
    if read < used["units"]:
        return say(locale, "file-read-partly", name=name, read=read, units=used["units"])
    key = "file-read-in-parts" if used["how"] == "in_parts" else "file-read-whole"
    return say(locale, key, name=name, parts=passage_count)


def _short(name: str) -> str:
    return plain_markdown(shorten(name, _NAME_CHARS))


def _files(state: TurnState) -> FilesState:
    return state.get("files") or {}
