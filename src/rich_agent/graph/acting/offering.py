"""The tools that a turn may call, their slots in its prompt, and the results of their calls."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import count

from rich_agent.domain.answer.attachments import Attachment, attachments_in, last_of_each_kind
from rich_agent.domain.answer.markdown import plain_markdown
from rich_agent.domain.quotations import split_passed_on
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.text import shorten
from rich_agent.domain.tools import (
    ASK_TOOL,
    CallState,
    ResultState,
    ToolCall,
    ToolSpec,
)
from rich_agent.domain.user_files import UserFile
from rich_agent.domain.words import LazyWords
from rich_agent.errors import ImageRefusedError, UpstreamRefusedError
from rich_agent.graph.guiding import guide_of, session_title
from rich_agent.graph.origins import words_of_prompt
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState, input_of, request_of
from rich_agent.graph.views import (
    acting_of,
    is_in_group,
    is_in_session,
    locale_of,
    question_of,
    words_of,
)
from rich_agent.phrases import say_tool
from rich_agent.ports.models import ToolRound
from rich_agent.ports.tools import Asker
from rich_agent.ports.user_files import FileRefusedError, TurnFile
from rich_agent.prompts import tagged


def asker_of(state: TurnState, services: Services) -> Asker:
    """The person and turn that tools run for, with the texts that the prompt holds."""
    request, guide = request_of(state), guide_of(state, services)
    tool_texts = services.tools.words()
    return Asker(
        user_id=state["user"]["telegram_user_id"],
        thread_id=request.thread_id,
        request_id=request.request_id,
        locale=locale_of(state),
        time_zone=request.message.user.time_zone,
        words=words_of(state),
        in_session=is_in_session(state),
        said=_own_text(state),
        others=LazyWords(
            lambda: (
                text for text in (*words_of_prompt(state), *tool_texts) if text.origin != "user"
            )
        ),
        allowed=guide.tools if guide else frozenset(),
        files=tuple(state["routing"].get("file_ids", ())),
        open_files=partial(_open_files, state, services),
        acts=bool(state["routing"].get("acts")),
        is_unattended=is_unattended(state),
    )


def _own_text(state: TurnState) -> str:
    """The text that the user wrote in this message, without their quotes.

    "" if the text is somebody else's, or once the user refused a call in this turn.
    """
    is_foreign = input_of(state).text_words.is_foreign
    own_text, _ = split_passed_on(question_of(state))
    return "" if is_foreign or _has_refused(state) else own_text


def _has_refused(state: TurnState) -> bool:
    """Whether a call of this turn was denied.

    After a denial, the user's words may name what they do not want.
    """
    rounds = acting_of(state).get("rounds", ())
    return any(
        result["status"] == "denied" for tool_round in rounds for result in tool_round["results"]
    )


def is_unattended(state: TurnState) -> bool:
    """Whether nobody is present: the turn started by itself, and its user has answered nothing."""
    is_answered = (state.get("clarification") or {}).get("status") == "answered"
    return request_of(state).is_unattended and not is_answered


@dataclass(frozen=True, slots=True)
class ActionSlots:
    """The slots for tools in the prompt of an answer."""

    can_act: bool = False
    """Whether any tool can be called."""
    can_ask: bool = False
    """Whether the model can ask the user a question."""
    limit: str = ""
    """The reason why no more tools can be called, "" without one."""
    session: str = ""
    """The title of the guided session, "" outside one."""
    instructions: str = ""
    """The instructions of the guided session."""
    is_unattended: bool = False
    """Whether nobody is present, so that nothing may change."""


def action_slots(tools: Sequence[ToolSpec], state: TurnState, services: Services) -> ActionSlots:
    """The slots for tools in a prompt whose model can call `tools`."""
    guide = guide_of(state, services)
    return ActionSlots(
        bool(tools),
        any(tool_spec.name == ASK_TOOL for tool_spec in tools),
        acting_of(state).get("limit", ""),
        session_title(state, services),
        guide.instructions if guide else "",
        is_unattended(state),
    )


async def requestable_tools(state: TurnState, services: Services) -> list[str]:
    """The names of the tools that a message may ask for; none in a group.

    In a guided session the session's own tools are left out, because they need no plan.
    """
    if is_in_group(state):
        return []
    asker_outside_session = replace(
        asker_of(state, services), in_session=False, allowed=frozenset()
    )
    return list(await services.tools.names(asker_outside_session))


async def callable_tools(state: TurnState, services: Services) -> tuple[ToolSpec, ...]:
    """The tools that the model may call now.

    A turn that only answers has the tools that read tables in its files.
    """
    if acting_of(state).get("limit"):
        return ()
    file_ids = tuple(file.id for file in await files_with_tables(state, services))
    if not (file_ids or state["routing"].get("acts")):
        return ()
    asker = replace(asker_of(state, services), files=file_ids)
    return tuple(await services.tools.specs(asker))


async def files_with_tables(state: TurnState, services: Services) -> list[UserFile]:
    """The files of the message that have tables, in the order of the plan."""
    file_ids = state["routing"].get("file_ids", ())
    files = await services.user_files.find(state["user"]["telegram_user_id"], file_ids)
    return [file for file in files if file.tables]


@asynccontextmanager
async def _open_files(state: TurnState, services: Services) -> AsyncIterator[Sequence[TurnFile]]:
    """The content of the turn's files with tables; see `OpenFiles`."""
    files = await files_with_tables(state, services)
    if not files:
        yield ()
        return
    async with services.file_slots:
        yield [TurnFile(file, await _fetch(file, services)) for file in files]


async def _fetch(file: UserFile, services: Services) -> bytes:
    """The bytes of a file.

    Raises: FileRefusedError("gone").
    """
    try:
        return await services.files.fetch(file.ref)
    except (ImageRefusedError, UpstreamRefusedError) as error:
        raise FileRefusedError("gone", str(error)) from error


_LEAST_RESULT_CHARS = 400
_CHARS_PER_TOKEN = 3


def tool_passages(state: TurnState) -> list[Passage]:
    """The passages to cite from tools: the passages of a search, else the whole result."""
    return [
        passage
        for tool_round in acting_of(state).get("rounds", [])
        for call, result in zip(tool_round["calls"], tool_round["results"], strict=True)
        for passage in _passages(call, result, locale_of(state))
    ]


def _passages(call: CallState, result: ResultState, locale: str) -> list[Passage]:
    """The citable passages of a result; none for a change, or after a failure."""
    if result["passages"]:
        return [Passage.from_state(passage) for passage in result["passages"]]
    if result["done"] or result["status"] != "success":
        return []
    title = say_tool(locale, call["name"])
    return [Passage(f"tool:{call['id']}", "tool", result["content"], "", title)]


def rounds_for_prompt(
    state: TurnState, first_number: int, room_tokens: int
) -> tuple[ToolRound, ...]:
    """The turn's calls as a model reads them, with results numbered from `first_number`."""
    rounds, locale, numbers = (
        acting_of(state).get("rounds", []),
        locale_of(state),
        count(first_number),
    )
    result_count = sum(len(tool_round["results"]) for tool_round in rounds)
    result_chars = max(_LEAST_RESULT_CHARS, room_tokens * _CHARS_PER_TOKEN // max(1, result_count))

    def material(call: CallState, result: ResultState) -> str:
        """The tagged text of one result, with its numbered passages if it has any."""
        numbered_passages = [
            (passage, str(next(numbers))) for passage in _passages(call, result, locale)
        ]
        if result["passages"]:
            passage_chars = max(_LEAST_RESULT_CHARS, result_chars // len(numbered_passages))
            return "\n".join(
                tagged(
                    "passage",
                    shorten(passage.content, passage_chars),
                    n=passage_number,
                    title=passage.title,
                )
                for passage, passage_number in numbered_passages
            )
        number_attribute = {"n": numbered_passages[0][1]} if numbered_passages else {}
        attributes = {**number_attribute, "tool": call["name"], "status": result["status"]}
        return tagged("tool_result", shorten(result["content"], result_chars), **attributes)

    return tuple(
        ToolRound(
            tool_round["text"],
            tuple(ToolCall(**call) for call in tool_round["calls"]),
            tuple(map(material, tool_round["calls"], tool_round["results"])),
        )
        for tool_round in rounds
    )


def done_lines(state: TurnState) -> Iterator[str]:
    """A line for each change that this turn made, unless the change has a card."""
    for result in _results(state):
        if result["done"] and not result.get("card"):
            yield f"✓ {plain_markdown(result['done'])}"


def cards(state: TurnState) -> list[str]:
    """The cards of this turn's changes, without duplicates.

    Of several cards whose attachments have the same captions, the last is kept: it holds
    everything.
    """
    card_by_subject: dict[object, str] = {}
    for result in _results(state):
        if card := result.get("card"):
            captions = tuple(
                (attachment.kind, attachment.caption) for attachment in attachments_in(result)
            )
            card_by_subject[captions or card] = card
    return list(card_by_subject.values())


def attachments_of(state: TurnState) -> tuple[Attachment, ...]:
    """The pictures below the answer: the last one of each kind that a tool made."""
    return last_of_each_kind(
        attachment for result in _results(state) for attachment in attachments_in(result)
    )


def is_undoable(state: TurnState) -> bool:
    """Whether one of the turn's changes can be undone."""
    return any(result["undoable"] for result in _results(state))


def _results(state: TurnState) -> Iterator[ResultState]:
    """The results of all calls that this turn made."""
    return (
        result
        for tool_round in acting_of(state).get("rounds", [])
        for result in tool_round["results"]
    )
