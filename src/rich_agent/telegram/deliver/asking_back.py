"""Buttons for questions: the choices when the bot asks back, and suggested questions.

A press works like a written message: it runs a turn, so it waits in the lane of messages.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard

from rich_agent.chat_commands.files import keeping_row
from rich_agent.chat_commands.replies import PressReply, PressRequest
from rich_agent.chat_commands.suggestions import ASK_VERB, command_buttons
from rich_agent.domain.answer.citation import Answer
from rich_agent.domain.answer.links import AllowedLinks
from rich_agent.domain.approving.cards import ApprovalCard, card_text, join_cards, shorten_cards
from rich_agent.domain.message import (
    DECISIONS,
    Decided,
    IncomingMessage,
    TurnRequest,
    update_of,
)
from rich_agent.domain.text import first_units, utf16_length, whole_number
from rich_agent.errors import UpstreamError
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, Keyboard, RenderedMessage
from rich_agent.rendering.answers import render
from rich_agent.rendering.spans import MessageBuilder, join, restrict_links
from rich_agent.rendering.splitting import MAX_ENTITIES, MAX_UNITS
from rich_agent.runtime.concurrency import survived
from rich_agent.telegram.deliver.long_answers import TextFile
from rich_agent.telegram.deliver.media import media_glance
from rich_agent.telegram.deliver.messenger import Messenger, ReplyTarget
from rich_agent.telegram.deliver.update_context import UpdateContext
from rich_agent.telegram.receive.envelope import CHOICE_VERB, MESSAGE_VERBS
from rich_agent.telegram.receive.inbound import Inbound, Press
from rich_agent.turns.runner import QuestionAsked, QuestionClosed, TurnRunner

_ENTITIES = {
    "title": "bold",
    "call": "bold",
    "name": "code",
    "value": "pre",
    "source": "italic",
}
_UNITS, _FIELDS = 3_000, 40
"""What is tried first of cards that are too long for one message."""
_QUESTION_UNITS = 400
"""Of the question, where not all fits."""
_ROOM_UNITS = 200
"""For the decision, which is added below."""
_NO_LINKS = AllowedLinks(frozenset())
_NOTHING = RenderedMessage("")


def render_cards(
    question: str, cards: Sequence[ApprovalCard], locale: str, above: RenderedMessage = _NOTHING
) -> tuple[RenderedMessage, bool]:
    """The question with its cards as one message below another, and whether all is in it.

    If not, the message names the file with all, and how much it leaves out: of each value, of the
    arguments, of the cards.
    """
    message = join(above, _lay_out(question, cards, locale))
    if _fits(message):
        return message, True
    beginning = first_units(question, _QUESTION_UNITS)
    beginning = beginning if beginning == question else f"{beginning}…"
    units, fields, count = _UNITS, _FIELDS, len(cards)
    while True:
        short_cards = shorten_cards(cards[:count], units, fields)
        message = join(above, _lay_out(beginning, short_cards, locale, len(cards)))
        if not count or _fits(message):
            return message, False
        units, fields, count = units * 2 // 3, fields * 2 // 3, count if fields else count - 1


def _fits(message: RenderedMessage) -> bool:
    is_short = utf16_length(message.text) <= MAX_UNITS - _ROOM_UNITS
    return is_short and len(message.entities) <= MAX_ENTITIES


def _lay_out(
    question: str, cards: Sequence[ApprovalCard], locale: str, in_file: int | None = None
) -> RenderedMessage:
    """The question and its cards, or those of the cards `in_file` that fit into a message."""
    page = MessageBuilder()
    page.write(question)
    for card in join_cards(cards):
        page.write("\n")
        for row in card.rows():
            page.write("\n")
            page.write_entity("\n".join(row.lines), _ENTITIES[row.kind])
            if row.left_out:
                page.write("\n… " + say(locale, "card-characters-left-out", count=row.left_out))
        if card.left_out:
            page.write("\n… " + say(locale, "card-arguments-left-out", count=card.left_out))
    if in_file is not None:
        page.write(f"\n\n… (+{rest})" if (rest := in_file - len(cards)) else "")
        page.write("\n\n" + say(locale, "card-in-file"))
    return restrict_links(page.finish(), _NO_LINKS)


CARD = 1_100
"""The part in the outbox of the file with all that waits for approval."""
ADJUST_VERB = "adjust1"
"""Begins the data of the button that explains how to change what waits for approval."""


def is_choice(inbound: Inbound) -> TypeGuard[Press]:
    """Whether a press counts as a message: it answers a question, asks one, or gives a command."""
    return isinstance(inbound, Press) and inbound.verb in MESSAGE_VERBS


def question_message(question: QuestionAsked, target: ReplyTarget) -> RenderedMessage:
    """The question, with a button for each choice.

    One that asks for approval has them in a row, and a third that says how to change something;
    a permission for good stands below.
    """
    target = _in_language_of(target, question)
    data = f"{CHOICE_VERB}:{question.request_id.removeprefix('tg:')}"
    leaving = command_buttons(question.commands)
    if not question.approves:
        buttons = tuple((Button(text, f"{data}:{n}"),) for n, text in enumerate(question.choices))
        keep_row = keeping_row(target.locale, question.files)
        return _render_question(question.question, target, (*buttons, *keep_row, *leaving))
    yes, no, *always = (
        Button(text, f"{data}:{n}:{question.approves}") for n, text in enumerate(question.choices)
    )
    adjust = Button(say(target.locale, "approve-adjust"), f"{ADJUST_VERB}:{question.approves}")
    message, _ = _approval(question, target)
    for_good = ((always[0],),) if always else ()
    return replace(message, buttons=((yes, adjust, no), *for_good, *leaving))


def card_file(question: QuestionAsked, target: ReplyTarget) -> TextFile | None:
    """The file with what does not fit into the question's message, None if all of it does."""
    if not question.approves or _approval(question, _in_language_of(target, question))[1]:
        return None
    return TextFile("approval.txt", f"{question.question}\n\n{card_text(question.cards)}\n")


async def explain_adjusting(press: PressRequest) -> PressReply:
    """Tell how to change what waits for approval: nothing is decided by the button."""
    return PressReply(say(press.locale, "approve-how-to-adjust"))


async def take_choice(
    turns: TurnRunner, messenger: Messenger, press: Press, context: UpdateContext
) -> TurnRequest | None:
    """The turn request for the pressed choice or question.

    Also shows the choice below the question. None if the button belongs to another question or the
    question is no longer open.
    """
    if press.verb == ASK_VERB:
        suggestion = IncomingMessage(press.user, press.argument)
        return context.request(suggestion)
    question = await turns.last_asked(context.thread_id)
    choice = _choice_in(question, press) if question else None
    if question is None or choice is None:
        return None
    message = IncomingMessage(press.user, choice)
    request = context.request(message)
    decision = _decision_of(question, choice)
    request = replace(
        request, answers=question.request_id, decision=decision, approves=question.approves
    )
    if not await turns.accepts(request):
        return None
    question_text = _with_line(question, f"✓ {choice}", context.target)
    with survived("telegram.choice_not_shown", UpstreamError):
        await messenger.api.edit_message(press.chat_id, press.message_id, question_text)
    return request


def _with_line(question: QuestionAsked, line: str, target: ReplyTarget) -> RenderedMessage:
    """The question without its buttons; the line below it says what became of it."""
    if not question.approves:
        return _render_question(f"{question.question}\n\n{line}", target)
    message, _ = _approval(question, _in_language_of(target, question))
    return join(message, RenderedMessage(line))


def _in_language_of(target: ReplyTarget, question: QuestionAsked) -> ReplyTarget:
    """The target, in the language of the turn: the newest message may be in another one."""
    return replace(target, locale=question.locale or target.locale)


def _approval(question: QuestionAsked, target: ReplyTarget) -> tuple[RenderedMessage, bool]:
    """The message about what waits for approval, and whether all of it is in the message."""
    above = media_glance(target.media_text)
    return render_cards(question.question, question.cards, target.locale, above)


def _choice_in(question: QuestionAsked, press: Press) -> str | None:
    update_number, place, approves = (*press.argument.split(":", 2), "", "")[:3]
    number = whole_number(place)
    is_same = (question.request_id, question.approves) == (f"tg:{update_number}", approves)
    if not is_same or number is None:
        return None
    return question.choices[number] if number < len(question.choices) else None


def _decision_of(question: QuestionAsked, choice: str) -> Decided:
    """The decision that a choice makes on calls of tools; "" where something else is asked for."""
    if not question.approves:
        return ""
    return DECISIONS[question.choices.index(choice)]


async def close_question(
    messenger: Messenger, target: ReplyTarget, closing: QuestionClosed
) -> None:
    """Remove the buttons of a question asked in Telegram; a card says what became of it."""
    update_id = update_of(closing.request_id)
    part = await messenger.outbox.find(update_id, 0) if update_id is not None else None
    if part is None or part.message_id is None:
        return
    with survived("telegram.buttons_stay", UpstreamError):
        if closing.card is None:
            await messenger.api.edit_buttons(target.chat_id, part.message_id, ())
        else:
            line = _outcome_line(closing.card, closing.decision or "")
            message = _with_line(closing.card, line, target)
            await messenger.api.edit_message(target.chat_id, part.message_id, message)


def _outcome_line(question: QuestionAsked, decision: Decided) -> str:
    """The last line of a question that was answered in words, or given up."""
    return (
        f"✓ {question.choices[DECISIONS.index(decision)]}" if decision else f"✗ {question.refusal}"
    )


def _render_question(text: str, target: ReplyTarget, buttons: Keyboard = ()) -> RenderedMessage:
    # As in an answer: text from an image or a model must not become a link.
    above = media_glance(target.media_text)
    first, *_ = render(
        Answer(text), locale=target.locale, allowed_links=target.allowed_links, above=above
    )
    return replace(first, buttons=buttons)
