"""`rich-agent ask`: opens the agent and prints one answer."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from rich_agent.commands.chat_answer import (
    choice_lines,
    doing,
    printed_cards,
    sources_of,
    tables_of,
)
from rich_agent.commands.options import TERMINAL_USER
from rich_agent.composition.app import Observers, open_turns
from rich_agent.composition.features import OpenFeatures, open_features
from rich_agent.composition.live_settings import open_live_settings
from rich_agent.composition.repositories import Repositories, open_repositories
from rich_agent.composition.telegram_server import IMAGE_LIMITS
from rich_agent.domain.approving.cards import ApprovalCard
from rich_agent.domain.languages import ENGLISH
from rich_agent.domain.message import DECISIONS, Decided, TurnRequest, User, thread_of
from rich_agent.errors import (
    QuestionClosedError,
    RichAgentError,
    UpstreamRefusedError,
)
from rich_agent.feature.core import AdminMessages, Outlets
from rich_agent.phrases import say
from rich_agent.ports.operations import AdminAlert
from rich_agent.ports.turns import TurnOutcome
from rich_agent.runtime.logs import configure_logging
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import StatusLine, err, out, out_json
from rich_agent.terminal.conversation import (
    ask_turn,
    deciding,
    outcome_to_json,
    terminal_request,
)
from rich_agent.turns.media import MediaTexts
from rich_agent.turns.runner import Finished, GraphTurns, StageChanged
from rich_agent.upstreams.local_files import LocalImageFiles


@dataclass(frozen=True, slots=True)
class OpenAgent:
    """An open agent at the terminal.

    `troubles` holds the errors that an operator may have to fix.
    """

    live: LiveSettings
    repositories: Repositories
    turns: GraphTurns
    features: OpenFeatures
    media: MediaTexts
    troubles: list[RichAgentError] = field(default_factory=list)

    def check_models(self) -> None:
        """Raise the refusal that the settings of a model led to, if there was one.

        Raises: UpstreamRefusedError.
        """
        for error in self.troubles:
            if isinstance(error, UpstreamRefusedError) and error.service == "model" and error.hint:
                raise error

    async def read_media(self, request: TurnRequest) -> TurnRequest:
        """The request with the text of its media, which is shown.

        Raises: RichAgentError if they cannot be read, DailyLimitError, UpstreamError.
        """
        message = self.media.take_files(request.message)
        if not message.media:
            return request
        if refusal := self.media.refusal_of(message):
            raise RichAgentError(say(ENGLISH, refusal))
        message = await self.media.read(message, request.request_id)
        err(f"Text: {message.media_text}")
        return replace(request, message=message)


@asynccontextmanager
async def open_session() -> AsyncIterator[OpenAgent]:
    """The agent as the settings say.

    Raises: SettingsError, DatabaseUnavailableError, SchemaError.
    """
    settings = Settings.load("OPENAI_API_KEY")
    settings.forget_secrets()
    configure_logging(settings.logs.format, "error", settings.secrets)
    files = LocalImageFiles(IMAGE_LIMITS.max_bytes)
    troubles: list[RichAgentError] = []

    async def note(trouble: RichAgentError) -> bool:
        troubles.append(trouble)
        return False

    async def note_alert(alert: AdminAlert) -> bool:
        return await note(alert.error)

    outlets = Outlets(AdminMessages(alert=note_alert))
    async with open_repositories(settings) as repositories:
        live = await open_live_settings(settings, repositories)
        async with (
            open_features(live, repositories, outlets) as features,
            open_turns(live, repositories, files, Observers(trouble=note), features) as turns,
            repositories.inbox,
        ):
            media = MediaTexts(files, features.parts.media)
            yield OpenAgent(live, repositories, turns, features, media, troubles)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision on the calls of this fingerprint, which wait for approval."""

    decision: Decided
    fingerprint: str

    @classmethod
    def of(cls, *fingerprints: str | None) -> Self:
        """The verdict with the first fingerprint that is given.

        The fingerprints stand in the order of `DECISIONS`. Raises: StopIteration if all are None.
        """
        pairs = zip(DECISIONS, fingerprints, strict=False)
        return next(cls(decision, one) for decision, one in pairs if one is not None)


@dataclass(frozen=True, slots=True)
class Attached:
    """The attachments of a question: an image, other files."""

    image: Path | None = None
    files: Sequence[Path] = ()


def ask_at_terminal(
    question_or_verdict: str | Verdict, *, user_id: int, attachments: Attached, as_json: bool
) -> None:
    """Ask once, or decide on what waits; print the answer with its sources, or JSON.

    Raises: RichAgentError; QuestionClosedError if nothing of that fingerprint waits.
    """
    with StatusLine(in_pipes=not as_json) as status:
        outcome = asyncio.run(_ask(question_or_verdict, User(user_id), attachments, status))
    if as_json:
        out_json(outcome_to_json(outcome))
        return
    open_question = outcome.interrupt or {}
    cards = [ApprovalCard.from_state(card) for card in open_question.get("cards", ())]
    text = (
        f"{open_question['question']}\n\n{printed_cards(cards)}" if cards else outcome.answer.text
    )
    out(
        text
        + tables_of(outcome.answer)
        + sources_of(outcome.answer.citations)
        + _choices(outcome, user_id)
    )


def _choices(outcome: TurnOutcome, user_id: int) -> str:
    """The answers that the user can give: choices, or the commands that decide on a card."""
    open_question = outcome.interrupt or {}
    if "fingerprint" not in open_question:
        return choice_lines(tuple(open_question.get("choices", ())))
    user_option = "" if user_id == TERMINAL_USER else f" --user {user_id}"
    command = f"rich-agent ask{user_option}"
    options = ("--approve", "--cancel", "--always")
    choice_lines_text = "".join(
        f"\n{choice}: {command} {option} {open_question['fingerprint']}"
        for choice, option in zip(open_question["choices"], options, strict=False)
    )
    return f'\n{choice_lines_text}\nOr say what to change: {command} "…"'


async def _ask(
    question_or_verdict: str | Verdict, user: User, attachments: Attached, status: StatusLine
) -> TurnOutcome:
    outcome: TurnOutcome | None = None
    status.show("Starting…")
    async with open_session() as session:
        status.show("Reading the question…")
        request = await session.read_media(
            await _request(question_or_verdict, user, attachments, session.turns)
        )
        async for event in ask_turn(request, session.turns, session.repositories.inbox):
            match event:
                case StageChanged():
                    status.show(doing(event))
                case Finished(outcome):
                    status.clear()
        session.check_models()
    assert outcome is not None  # noqa: S101 - the last event of every turn is Finished
    return outcome


async def _request(
    question_or_verdict: str | Verdict, user: User, attachments: Attached, turns: GraphTurns
) -> TurnRequest:
    if isinstance(question_or_verdict, str):
        image = str(attachments.image.resolve()) if attachments.image else None
        files = [str(file.resolve()) for file in attachments.files]
        return terminal_request(user, question_or_verdict, image, files)
    question = await turns.last_asked(thread_of(user.telegram_user_id))
    if question is None or question.approves != question_or_verdict.fingerprint:
        raise QuestionClosedError
    if DECISIONS.index(question_or_verdict.decision) >= len(question.choices):
        hint = f"Run it with --approve {question_or_verdict.fingerprint}."
        raise RichAgentError("this call cannot be permitted for good", hint=hint)
    return deciding(user, question, question_or_verdict.decision)
