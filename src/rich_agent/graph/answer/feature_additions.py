"""Additions of features to an answer: passages for it, and lines and buttons below it.

If a feature fails or is late, only its addition is missing, which the turn's record notes.
"""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from rich_agent.domain.answer.citation import CommandOffer
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.text import clean_text, shorten
from rich_agent.errors import LaneLostError
from rich_agent.graph.embedding import kept_vector
from rich_agent.graph.services import (
    AnsweredTurn,
    BelowAnswer,
    FeaturePassage,
    NodeContext,
    NoteTurn,
    PassageRequest,
    RecordedTurn,
    SeekPassages,
)
from rich_agent.graph.state import AnswerState, TurnState, request_of
from rich_agent.graph.views import files_of, is_unanswered, locale_of, question_of, words_of

BUDGET_S: Final = 1.0
"""The longest time that one feature may take, while the user waits for the answer."""
_MOST_PASSAGES: Final = 3
"""The most passages of one feature for an answer."""
_MOST_PASSAGE_CHARS: Final = 4_000
_MOST_TITLE_CHARS: Final = 200
_MOST_URL_CHARS: Final = 2_000
_MOST_LINES: Final = 5
"""The most lines and buttons of one feature below an answer."""
_MOST_CHARS: Final = 1_000
"""The most characters of one line."""
_MOST_LABEL_CHARS: Final = 60
_MOST_COMMAND_BYTES: Final = 50
"""The most bytes of a button's command. Telegram keeps 64 bytes, with the button's verb."""
T = TypeVar("T")


async def passages_of_features(
    queries: Sequence[str], state: TurnState, context: NodeContext
) -> list[Passage]:
    """The passages of features for a question; a model reads them as somebody else's words.

    Without `queries`, there are none: nothing is to be looked up.
    """
    seekers = context.services.passage_seekers if queries else ()
    request = PassageRequest(
        user_id=state["user"]["telegram_user_id"],
        locale=locale_of(state),
        question=question_of(state),
        queries=tuple(queries),
    )
    listings = await asyncio.gather(*(_passages(seek, request, context) for seek in seekers))
    passages = [passage for listing in listings for passage in listing]
    return [
        replace(passage, id=f"tool:feature-{position}") for position, passage in enumerate(passages)
    ]


async def _passages(
    seek: SeekPassages, request: PassageRequest, context: NodeContext
) -> Sequence[Passage]:
    """The first passages of one feature."""

    async def first_passages() -> Sequence[Passage]:
        return [_passage(passage) for passage in (await seek(request))[:_MOST_PASSAGES]]

    return await _harmless(first_passages(), "feature_passages_failed", context)


def _passage(passage: FeaturePassage) -> Passage:
    """The passage of a feature, shortened to its limits. Raises: Exception if it is none."""
    return Passage(
        id="",
        kind="tool",
        content=shorten(clean_text(passage.content), _MOST_PASSAGE_CHARS),
        source_url=clean_text(passage.url)[:_MOST_URL_CHARS],
        title=shorten(clean_text(passage.title), _MOST_TITLE_CHARS),
    )


async def with_additions(
    answer: AnswerState, state: TurnState, context: NodeContext
) -> AnswerState:
    """The answer with the lines and buttons of features below it."""
    if not context.services.below_answer:
        return answer
    request = request_of(state)
    answered_turn = AnsweredTurn(
        user_id=state["user"]["telegram_user_id"],
        thread_id=request.thread_id,
        request_id=request.request_id,
        locale=locale_of(state),
        question=question_of(state),
        text=answer["text"],
    )
    listings = await asyncio.gather(
        *(_additions(below, answered_turn, context) for below in context.services.below_answer)
    )
    additions = [addition for listing in listings for addition in listing]
    lines = [f"\n\n_{addition}_" for addition in additions if isinstance(addition, str)]
    offers = [addition.to_state() for addition in additions if isinstance(addition, CommandOffer)]
    commands = [*answer.get("commands", ()), *offers]
    return {**answer, "text": "".join([answer["text"], *lines]), "commands": commands}


async def note_turn(state: TurnState, context: NodeContext) -> None:
    """Tell features of a turn that was stored; each has a second."""
    notes = context.services.recorded_turns
    if not notes:
        return
    request, routing = request_of(state), state["routing"]
    query = state["rag"].get("query", "")
    recorded_turn = RecordedTurn(
        user_id=state["user"]["telegram_user_id"],
        thread_id=request.thread_id,
        request_id=request.request_id,
        revision=request.revision,
        locale=locale_of(state),
        plan=routing["plan"],
        query=query,
        is_unanswered=is_unanswered(state),
        citation_count=len(state["answer"].get("citations", ())),
        has_own_files=bool(files_of(state) or routing.get("file_ids")),
        vector=kept_vector(query, words_of(state), context.services.embeddings),
    )

    async def nothing(note: NoteTurn) -> Sequence[str]:
        await note(recorded_turn)
        return ()

    for note in notes:
        await _harmless(nothing(note), "feature_notes_failed", context)


async def _additions(
    below: BelowAnswer, turn: AnsweredTurn, context: NodeContext
) -> Sequence[str | CommandOffer]:
    """The lines and buttons of one feature."""

    async def first_additions() -> Sequence[str | CommandOffer]:
        return [_bounded(addition) for addition in (await below(turn))[:_MOST_LINES]]

    return await _harmless(first_additions(), "feature_lines_failed", context)


def _bounded(addition: str | CommandOffer) -> str | CommandOffer:
    """The addition, shortened to its limit. Raises: ValueError if a command cannot be cut."""
    if isinstance(addition, str):
        return shorten(addition, _MOST_CHARS)
    if len(addition.command.encode()) > _MOST_COMMAND_BYTES:
        raise ValueError(f"a command of a button has at most {_MOST_COMMAND_BYTES} bytes")
    return CommandOffer(shorten(addition.text, _MOST_LABEL_CHARS), addition.command)


async def _harmless(
    work: Awaitable[Sequence[T]], failure: str, context: NodeContext
) -> Sequence[T]:
    """The result of a feature's work; () if it fails or is late."""
    try:
        async with asyncio.timeout(BUDGET_S):
            return await work
    except LaneLostError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a feature ends its own part only
        context.run.notes.survive(failure, error)
        return ()
