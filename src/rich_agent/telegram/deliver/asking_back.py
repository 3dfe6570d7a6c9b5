"""Buttons for questions: choices when the bot asks back, and suggested questions.

A press of such a button counts as a written message: the press runs a turn and waits in the user's
lane.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeGuard

from rich_agent.chat_commands.files import keeping_row
from rich_agent.chat_commands.replies import PressReply, PressRequest
from rich_agent.chat_commands.suggestions import ASK_VERB, command_buttons
from rich_agent.domain.answer.citation import Answer
from rich_agent.domain.answer.links import AllowedLinks
from rich_agent.domain.approving.cards import (
    ApprovalCard,
    JoinedCard,
    card_text,
    join_cards,
    shorten_cards,
)
from rich_agent.domain.living_blocks import BlockAction, BlockRow, LivingBlock
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
"""The first limits for cards that are too long for one message: UTF-16 units of a value, and
arguments of a card. Lower limits are tried until the cards fit.
"""
_QUESTION_UNITS = 400
"""UTF-16 units of the question that stay if the cards are too long."""
_ROOM_UNITS = 200
"""UTF-16 units that are kept free for the decision, which is added at the end."""
_NO_LINKS = AllowedLinks(frozenset())
_NOTHING = RenderedMessage("")


def render_cards(
    question: str, cards: Sequence[ApprovalCard], locale: str, above: RenderedMessage = _NOTHING
) -> tuple[RenderedMessage, bool]:
    """One message of `above`, the question and its cards, and whether the message is complete.

    An incomplete message names the file with all of the text. The message tells how many characters
    of each value, how many arguments and how many cards are left out.
    """
    message = join(above, _lay_out(question, cards, locale))
    if _fits(message):
        return message, True
    short_question = first_units(question, _QUESTION_UNITS)
    short_question = short_question if short_question == question else f"{short_question}…"
    value_units, most_arguments, card_count = _UNITS, _FIELDS, len(cards)
    while True:
        short_cards = shorten_cards(cards[:card_count], value_units, most_arguments)
        message = join(above, _lay_out(short_question, short_cards, locale, len(cards)))
        if not card_count or _fits(message):
            return message, False
        value_units, most_arguments, card_count = (
            value_units * 2 // 3,
            most_arguments * 2 // 3,
            card_count if most_arguments else card_count - 1,
        )


def _fits(message: RenderedMessage) -> bool:
    is_short = utf16_length(message.text) <= MAX_UNITS - _ROOM_UNITS
    return is_short and len(message.entities) <= MAX_ENTITIES


def _lay_out(
    question: str, cards: Sequence[ApprovalCard], locale: str, in_file: int | None = None
) -> RenderedMessage:
    """The question and its cards as a message of any length.

    If only some of the cards are given, `in_file` is the number of all cards, which the file has.
    """
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
        page.write(f"\n\n… (+{missing_count})" if (missing_count := in_file - len(cards)) else "")
        page.write("\n\n" + say(locale, "card-in-file"))
    return restrict_links(page.finish(), _NO_LINKS)


CARD = 1_100
"""Part number in the outbox of the file with all calls that wait for approval."""
ADJUST_VERB = "adjust1"
"""Prefix of the data of the button that explains how to change calls that wait for approval."""
QUESTION_VERBS = frozenset({CHOICE_VERB, ADJUST_VERB})
"""Prefixes of the data of buttons that mean nothing once their question is closed."""


def is_choice(inbound: Inbound) -> TypeGuard[Press]:
    """Whether a press counts as a message: it answers a question, asks one, or gives a command."""
    return isinstance(inbound, Press) and inbound.verb in MESSAGE_VERBS


def question_message(question: QuestionAsked, target: ReplyTarget) -> RenderedMessage:
    """The message of a question, with a button for each choice.

    A question for approval has one row of buttons: approve, explain how to change the calls,
    refuse. If the calls can be permitted for good, the button for that is in the next row.
    """
    target = _in_language_of(target, question)
    data_prefix = f"{CHOICE_VERB}:{question.request_id.removeprefix('tg:')}"
    command_rows = command_buttons(question.commands)
    if not question.approves:
        buttons = tuple(
            (Button(label, f"{data_prefix}:{position}"),)
            for position, label in enumerate(question.choices)
        )
        keep_row = keeping_row(target.locale, question.files)
        return _render_question(question.question, target, (*buttons, *keep_row, *command_rows))
    approve_button, refuse_button, *permit_buttons = (
        Button(label, f"{data_prefix}:{position}:{question.approves}")
        for position, label in enumerate(question.choices)
    )
    adjust_button = Button(
        say(target.locale, "approve-adjust"), f"{ADJUST_VERB}:{question.approves}"
    )
    message, is_complete = _approval(question, target)
    permit_row = ((permit_buttons[0],),) if permit_buttons else ()
    rows = ((approve_button, adjust_button, refuse_button), *permit_row, *command_rows)
    # What a message would leave out is in its file, and a widget has none.
    is_whole = is_complete and not target.media_text
    living = approval_block(question, target.locale, rows) if is_whole else None
    return replace(message, buttons=rows, living=living)


def card_file(question: QuestionAsked, target: ReplyTarget) -> TextFile | None:
    """The file with the whole question and its cards, None if the message has all of these."""
    if not question.approves or _approval(question, _in_language_of(target, question))[1]:
        return None
    return TextFile("approval.txt", f"{question.question}\n\n{card_text(question.cards)}\n")


async def explain_adjusting(press: PressRequest) -> PressReply:
    """Explain how to change calls that wait for approval. The press decides nothing."""
    return PressReply(say(press.locale, "approve-how-to-adjust"))


async def take_choice(
    turns: TurnRunner, messenger: Messenger, press: Press, context: UpdateContext
) -> TurnRequest | None:
    """The request for a turn on the pressed choice or suggested question.

    The choice is also shown below its question. None is returned if the button belongs to another
    question, or if its question is no longer open.
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
        await messenger.edit_or_send(press.chat_id, press.message_id, question_text, press.topic_id)
    return request


def _with_line(question: QuestionAsked, line: str, target: ReplyTarget) -> RenderedMessage:
    """The message of a question without buttons, followed by a line about the outcome."""
    if not question.approves:
        return _render_question(f"{question.question}\n\n{line}", target)
    target = _in_language_of(target, question)
    message, _ = _approval(question, target)
    living = replace(approval_block(question, target.locale), note=line)
    return replace(join(message, RenderedMessage(line)), living=living)


def approval_block(question: QuestionAsked, locale: str, buttons: Keyboard = ()) -> LivingBlock:
    """The block of a question for approval: every argument of every call, verbatim."""
    title, *remarks = question.question.split("\n")
    rows = [row for card in join_cards(question.cards) for row in _block_rows(card)]
    actions = [
        BlockAction(button.text, button.data, kind="plain" if place else "main")
        for place, button in enumerate(button for row in buttons for button in row)
    ]
    notes = [BlockRow("", details=remark) for remark in remarks if remark.strip()]
    return LivingBlock("approval", title, locale, (*rows, *notes), tuple(actions))


def _block_rows(card: JoinedCard) -> Iterator[BlockRow]:
    """Yield a row for each line that names a call, and for each argument."""
    label, value, source = "", None, ""
    for row in card.rows():
        if row.kind in {"title", "call", "name"} and value is not None:
            yield BlockRow(value, label=label, details=source)
            value, source = None, ""
        match row.kind:
            case "title" | "call":
                yield BlockRow(row.text, mark="current")
            case "name":
                label = row.text
            case "value":
                value = row.text
            case "source":
                source = row.text
    if value is not None:
        yield BlockRow(value, label=label, details=source)


def _in_language_of(target: ReplyTarget, question: QuestionAsked) -> ReplyTarget:
    """The target with the question's language, which may differ from that of the newest message."""
    return replace(target, locale=question.locale or target.locale)


def _approval(question: QuestionAsked, target: ReplyTarget) -> tuple[RenderedMessage, bool]:
    """The message that asks for approval, and whether it is complete."""
    above = media_glance(target.media_text)
    return render_cards(question.question, question.cards, target.locale, above)


def _choice_in(question: QuestionAsked, press: Press) -> str | None:
    update_number, position_text, approves = (*press.argument.split(":", 2), "", "")[:3]
    position = whole_number(position_text)
    is_same = (question.request_id, question.approves) == (f"tg:{update_number}", approves)
    if not is_same or position is None:
        return None
    return question.choices[position] if position < len(question.choices) else None


def _decision_of(question: QuestionAsked, choice: str) -> Decided:
    """The decision that a choice makes about calls of tools, "" if there are no calls."""
    if not question.approves:
        return ""
    return DECISIONS[question.choices.index(choice)]


async def close_question(
    messenger: Messenger, target: ReplyTarget, closing: QuestionClosed
) -> None:
    """Remove the buttons of a question; below a card, add a line about the outcome.

    Nothing is done for a question that was not asked in Telegram.
    """
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
            await messenger.edit_or_send(target.chat_id, part.message_id, message, part.topic_id)


def _outcome_line(question: QuestionAsked, decision: Decided) -> str:
    """The line about the decision on a question; with the decision "", about its refusal."""
    return (
        f"✓ {question.choices[DECISIONS.index(decision)]}" if decision else f"✗ {question.refusal}"
    )


def _render_question(text: str, target: ReplyTarget, buttons: Keyboard = ()) -> RenderedMessage:
    # Text from an image or a model must not become a link, as in an answer.
    above = media_glance(target.media_text)
    message, *_ = render(
        Answer(text), locale=target.locale, allowed_links=target.allowed_links, above=above
    )
    return replace(message, buttons=buttons)
