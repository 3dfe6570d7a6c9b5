"""Tools that a turn may call, what its prompt says of them, and what their results come to."""

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
    is_for_group,
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
    """For whom tools run in this turn."""
    request, guide = request_of(state), guide_of(state, services)
    of_tools = services.tools.words()
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
            lambda: (one for one in (*words_of_prompt(state), *of_tools) if one.origin != "user")
        ),
        allowed=guide.tools if guide else frozenset(),
        files=tuple(state["routing"].get("file_ids", ())),
        open_files=partial(_open_files, state, services),
        acts=bool(state["routing"].get("acts")),
        is_unattended=is_unattended(state),
    )


def _own_text(state: TurnState) -> str:
    """Return what the user wrote in this message; of a question by others' words nothing is.

    What they pass on in it, such as a quotation, is somebody else's.
    """
    is_theirs = input_of(state).text_words.is_foreign
    own, _ = split_passed_on(question_of(state))
    return "" if is_theirs or _has_refused(state) else own


def _has_refused(state: TurnState) -> bool:
    """Whether a call of the turn was refused: what the user says then may name what they refuse."""
    rounds = acting_of(state).get("rounds", ())
    return any(result["status"] == "denied" for one in rounds for result in one["results"])


def is_unattended(state: TurnState) -> bool:
    """Whether nobody is there: the turn began by itself, and its user answered nothing in it."""
    is_answered = (state.get("clarification") or {}).get("status") == "answered"
    return request_of(state).is_unattended and not is_answered


@dataclass(frozen=True, slots=True)
class ActionSlots:
    """The slots for tools in an answer's prompt; `limit` is why no more of them can be called.

    `session` names the guided session that is led by `instructions`. `is_unattended` when nobody is
    there, so that nothing may change.
    """

    can_act: bool = False
    can_ask: bool = False
    limit: str = ""
    abilities: tuple[str, ...] = ()
    session: str = ""
    instructions: str = ""
    is_unattended: bool = False


async def action_slots(
    tools: Sequence[ToolSpec], state: TurnState, services: Services
) -> ActionSlots:
    """The slots of a prompt in which these tools can be called."""
    guide = guide_of(state, services)
    requestable = () if tools else await requestable_tools(state, services)
    return ActionSlots(
        bool(tools),
        any(tool.name == ASK_TOOL for tool in tools),
        acting_of(state).get("limit", ""),
        tuple(say_tool("en", name) for name in requestable),
        session_title(state, services),
        guide.instructions if guide else "",
        is_unattended(state),
    )


async def requestable_tools(state: TurnState, services: Services) -> list[str]:
    """The names of the tools that a message like this may ask for; none in a group.

    In a guided session they are those outside of it: what belongs to it is done without a plan.
    """
    if is_for_group(state):
        return []
    alone = replace(asker_of(state, services), in_session=False, allowed=frozenset())
    return list(await services.tools.names(alone))


async def callable_tools(state: TurnState, services: Services) -> tuple[ToolSpec, ...]:
    """The tools that the model may call now; in a turn that only answers, what reads its tables."""
    if acting_of(state).get("limit"):
        return ()
    files = tuple(file.id for file in await files_with_tables(state, services))
    if not (files or state["routing"].get("acts")):
        return ()
    asker = replace(asker_of(state, services), files=files)
    return tuple(await services.tools.specs(asker))


async def files_with_tables(state: TurnState, services: Services) -> list[UserFile]:
    """The files that the message is about and that have tables, in the order of the plan."""
    file_ids = state["routing"].get("file_ids", ())
    files = await services.user_files.find(state["user"]["telegram_user_id"], file_ids)
    return [file for file in files if file.tables]


@asynccontextmanager
async def _open_files(state: TurnState, services: Services) -> AsyncIterator[Sequence[TurnFile]]:
    """See `OpenFiles`."""
    files = await files_with_tables(state, services)
    if not files:
        yield ()
        return
    async with services.file_slots:
        yield [TurnFile(file, await _fetch(file, services)) for file in files]


async def _fetch(file: UserFile, services: Services) -> bytes:
    try:
        return await services.files.fetch(file.ref)
    except (ImageRefusedError, UpstreamRefusedError) as error:
        raise FileRefusedError("gone", str(error)) from error


_LEAST_RESULT_CHARS = 400
_CHARS_PER_TOKEN = 3


def tool_passages(state: TurnState) -> list[Passage]:
    """Return what tools found as passages to cite: those of searches, else whole results."""
    return [
        passage
        for one in acting_of(state).get("rounds", [])
        for call, result in zip(one["calls"], one["results"], strict=True)
        for passage in _passages(call, result, locale_of(state))
    ]


def _passages(call: CallState, result: ResultState, locale: str) -> list[Passage]:
    """Return the passages of a result that can be cited: none of a change, or of a failure."""
    if result["passages"]:
        return [Passage.from_state(passage) for passage in result["passages"]]
    if result["done"] or result["status"] != "success":
        return []
    title = say_tool(locale, call["name"])
    return [Passage(f"tool:{call['id']}", "tool", result["content"], "", title)]


def rounds_for_prompt(
    state: TurnState, first_number: int, room_tokens: int
) -> tuple[ToolRound, ...]:
    """The calls of this turn as a model reads them, results numbered on from `first_number`."""
    rounds, locale, numbers = (
        acting_of(state).get("rounds", []),
        locale_of(state),
        count(first_number),
    )
    results = sum(len(one["results"]) for one in rounds)
    most = max(_LEAST_RESULT_CHARS, room_tokens * _CHARS_PER_TOKEN // max(1, results))

    def material(call: CallState, result: ResultState) -> str:
        numbered_passages = [
            (passage, str(next(numbers))) for passage in _passages(call, result, locale)
        ]
        if result["passages"]:
            share = max(_LEAST_RESULT_CHARS, most // len(numbered_passages))
            return "\n".join(
                tagged("passage", shorten(passage.content, share), n=number, title=passage.title)
                for passage, number in numbered_passages
            )
        number_attribute = {"n": numbered_passages[0][1]} if numbered_passages else {}
        about = {**number_attribute, "tool": call["name"], "status": result["status"]}
        return tagged("tool_result", shorten(result["content"], most), **about)

    return tuple(
        ToolRound(
            one["text"],
            tuple(ToolCall(**call) for call in one["calls"]),
            tuple(map(material, one["calls"], one["results"])),
        )
        for one in rounds
    )


def done_lines(state: TurnState) -> Iterator[str]:
    """A line for each change that was made in this turn, but for those with a card."""
    for result in _results(state):
        if result["done"] and not result.get("card"):
            yield f"✓ {plain_markdown(result['done'])}"


def cards(state: TurnState) -> list[str]:
    """The cards of what was done, each once.

    Of several with an attachment of the same caption the last, which has all of it.
    """
    by_subject: dict[object, str] = {}
    for result in _results(state):
        if card := result.get("card"):
            captions = tuple((one.kind, one.caption) for one in attachments_in(result))
            by_subject[captions or card] = card
    return list(by_subject.values())


def attachments_of(state: TurnState) -> tuple[Attachment, ...]:
    """The pictures below the answer: of each kind the last that a tool made."""
    return last_of_each_kind(
        attachment for result in _results(state) for attachment in attachments_in(result)
    )


def is_undoable(state: TurnState) -> bool:
    """Whether something of what was done can be taken back."""
    return any(result["undoable"] for result in _results(state))


def _results(state: TurnState) -> Iterator[ResultState]:
    return (result for one in acting_of(state).get("rounds", []) for result in one["results"])
