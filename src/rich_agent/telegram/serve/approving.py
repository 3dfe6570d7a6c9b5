"""Approval of answers in Telegram: admins decide on a draft, and its user is told the result.

Each notice is an update of the inbox for one person, so that it survives a crash. Only admins see
the text of a draft.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial

from rich_agent.chat_commands.replies import Handlers, PressReply, PressRequest
from rich_agent.domain.access import Access
from rich_agent.domain.answer.citation import Answer, Citation
from rich_agent.domain.message import label_user, update_of
from rich_agent.domain.people import has_telegram
from rich_agent.domain.text import shorten, whole_number
from rich_agent.errors import UpstreamError
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.approvals import (
    NOTICE_KIND,
    Approval,
    Approvals,
    Notice,
    NoticeKind,
    Verdict,
)
from rich_agent.ports.bot_api import Button, Keyboard, RenderedMessage
from rich_agent.ports.due_work import DueRow, DueWork, NextRun
from rich_agent.ports.inbox import Inbox, internal_update
from rich_agent.ports.turns import Transcript, TurnRecord
from rich_agent.rendering.answers import render
from rich_agent.rendering.notices import unlinked
from rich_agent.runtime.concurrency import survived
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.long_answers import answer_messages
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget
from rich_agent.telegram.deliver.update_context import UpdateContext
from rich_agent.telegram.receive.inbound import Turn

APPROVE_VERB, CORRECT_VERB, REJECT_VERB = "approve1", "correct1", "reject1"
_QUESTION_LENGTH = 500
_VERDICTS: dict[NoticeKind, Verdict] = {
    "review": "corrected",
    "correction": "corrected",
    "reason": "rejected",
}
"""The verdict of an admin who replies to a notice, by the kind of the notice."""


@dataclass(frozen=True, slots=True)
class Approving:
    """Asks admins for their verdicts, and tells the user and the other admins about them."""

    approvals: Approvals
    transcript: Transcript
    accounts: Accounts
    access: Access
    messenger: Messenger
    final_buttons: Callable[[ReplyTarget, Answer], Keyboard]

    def handlers(self) -> Handlers:
        """The handlers of the buttons below a draft; see `ChatCommand`."""
        return Handlers(
            presses={
                APPROVE_VERB: self.approve,
                CORRECT_VERB: partial(self.ask_for_words, kind="correction"),
                REJECT_VERB: partial(self.ask_for_words, kind="reason"),
            }
        )

    async def approve(self, press: PressRequest) -> PressReply:
        """Approve the draft as the answer; only the first verdict counts."""
        admin_id, locale = press.user_id, press.locale
        if not self.access.is_admin(admin_id):
            return PressReply(say(locale, "admins-only"))
        await press.hold()
        approval = await self.approvals.decide(_approval_id_in(press), "approved", admin_id)
        if approval is None:
            return PressReply(say(locale, "button-outdated"))
        await self._close(approval, admin_id, locale)
        return PressReply(_verdict_line(approval, admin_id, {}, locale))

    async def ask_for_words(self, press: PressRequest, kind: NoticeKind) -> PressReply:
        """Ask the admin for the corrected text or the reason; nothing is decided yet."""
        admin_id, locale = press.user_id, press.locale
        if not self.access.is_admin(admin_id):
            return PressReply(say(locale, "admins-only"))
        approval = await self.approvals.find(_approval_id_in(press))
        if approval is None:
            return PressReply(say(locale, "button-outdated"))
        if approval.state != "pending":
            await self._close(approval, admin_id, locale)
            name_by_user_id = await self._names(approval)
            return PressReply(_verdict_line(approval, admin_id, name_by_user_id, locale))
        await press.hold()
        await self.approvals.ask_for_words(approval.id, admin_id, kind)
        return PressReply(say(locale, f"approval-{kind}", number=str(approval.id)))

    async def take_reply(self, turn: Turn, context: UpdateContext) -> bool:
        """Take an admin's reply to a review, or to a request for a correction or a reason.

        Returns False if the message is no such reply.
        """
        admin_id, reply = turn.message.user.telegram_user_id, turn.message.reply
        if reply is None or reply.author != "assistant" or not self.access.is_admin(admin_id):
            return False
        notice_id = await self.messenger.outbox.update_of_message(turn.chat_id, reply.message_id)
        notice = await self.approvals.notice(notice_id) if notice_id and notice_id < 0 else None
        verdict = _VERDICTS.get(notice.kind) if notice else None
        if notice is None or verdict is None:
            return False
        locale, reply_words = context.target.locale, turn.message.text.strip()
        reply_text = say(locale, "approval-words-missing")
        if reply_words:
            approval = await self.approvals.decide(
                notice.approval_id, verdict, admin_id, reply_words
            )
            if approval:
                reply_text = _verdict_line(approval, admin_id, {}, locale)
                await self._close(approval, admin_id, locale)
        await self._deliver(context.target, context.hold, [RenderedMessage(reply_text)])
        return True

    async def tell(self, update_id: int, hold: Hold) -> None:
        """Deliver the notice that is stored under an update's id, unless it was deleted."""
        notice = await self.approvals.notice(update_id)
        approval = await self.approvals.find(notice.approval_id) if notice else None
        if notice is None or approval is None:
            return
        if notice.kind == "verdict":
            await self._tell_user(notice, approval, hold)
            return
        locale = (await self.accounts.find(notice.user_id)).locale or "en"
        target = ReplyTarget(update_id, notice.user_id, locale)
        match notice.kind:
            case "review" if approval.state == "pending":
                review = _review(approval, await self._names(approval), locale)
                await self._deliver(target, hold, review)
            case "correction" | "reason" if approval.state == "pending":
                request = say(locale, f"approval-{notice.kind}", number=str(approval.id))
                await self._deliver(target, hold, [RenderedMessage(request)])
            case "closed":
                await self._close(approval, notice.user_id, locale)

    async def _close(self, approval: Approval, admin_id: int, locale: str) -> None:
        """Show the decision in an admin's messages, and remove their buttons."""
        notice = await self.approvals.review_of(approval.id, admin_id)
        if notice is None:
            return
        first_part = await self.messenger.outbox.find(notice.update_id, 0)
        later_parts = await self.messenger.outbox.after(notice.update_id, 0)
        name_by_user_id = await self._names(approval)
        verdict = _verdict_line(approval, admin_id, name_by_user_id, locale)
        review = f"{_heading(approval, name_by_user_id, locale)}\n\n{verdict}"
        with survived("telegram.verdict_not_shown", UpstreamError):
            if first_part and first_part.message_id is not None:
                message = unlinked(review)
                await self.messenger.api.edit_message(admin_id, first_part.message_id, message)
            if later_parts and later_parts[-1].message_id is not None:
                await self.messenger.api.edit_buttons(admin_id, later_parts[-1].message_id, ())

    async def _names(self, approval: Approval) -> Mapping[int, str]:
        """The names of the user who asked and the admin who decided."""
        user_ids = (approval.draft.user_id, approval.decided_by)
        return await self.accounts.names([user_id for user_id in user_ids if user_id])

    async def _tell_user(self, notice: Notice, approval: Approval, hold: Hold) -> None:
        draft = approval.draft
        answer = _answer_of(approval)
        question_update_id = update_of(draft.request_id)
        target = ReplyTarget(
            notice.update_id,
            draft.user_id,
            draft.locale,
            reply_to=draft.message_id or None,
            after_id=draft.message_id,
            topic_id=await self._topic_of(question_update_id),
        )
        if answer.text:
            await self.transcript.record(_record(approval, answer))
            if not has_telegram(draft.user_id):
                return  # their page shows the conversation, with this answer
        reply = Answer(_result_text(approval, answer), answer.citations)
        messages = answer_messages(reply, draft.locale)
        *parts, last_part = messages.parts
        if answer.text and question_update_id is not None:
            buttons = self.final_buttons(replace(target, update_id=question_update_id), answer)
            last_part = replace(last_part, buttons=buttons)
        delivery = Delivery(self.messenger, target, hold)
        await delivery.complete([*parts, last_part], messages.files)

    async def _topic_of(self, update_id: int | None) -> int | None:
        """The topic in which an update was answered."""
        part = await self.messenger.outbox.find(update_id, 0) if update_id is not None else None
        return part.topic_id if part else None

    async def _deliver(
        self, target: ReplyTarget, hold: Hold, messages: Sequence[RenderedMessage]
    ) -> None:
        await Delivery(self.messenger, target, hold).complete(messages)


@dataclass(frozen=True, slots=True)
class ApprovalNotices:
    """Puts the notices of approvals into the inbox, as due work.

    An approval expires after `expires_s` seconds. While it waits, this work runs every `look_s`
    seconds, so that an admin who is new in the settings is asked, too.
    """

    approvals: Approvals
    inbox: Inbox
    admins: AbstractSet[int]
    expires_s: float = 86_400.0
    look_s: float = 30.0

    @property
    def kind(self) -> DueWork:
        """The kind of due work.

        An approval is set aside only after attempts that ended the process.
        """
        return DueWork(
            self.hand_out,
            most_at_once=4,
            first_retry_s=1.0,
            longest_retry_s=self.look_s,
            most_tries=None,
        )

    async def hand_out(self, row: DueRow) -> NextRun | None:
        """Put the notices of an approval into the inbox. Raises: DatabaseUnavailableError."""
        approval_id = int(row.key)
        await self.approvals.expire(approval_id, self.expires_s)
        notices = await self.approvals.due_notices(approval_id, sorted(self.admins))
        if notices:
            # An id is stored only once, so a crash between these two calls does no harm.
            await self.inbox.store(
                [
                    internal_update(notice.update_id, notice.user_id, NOTICE_KIND, urgent=True)
                    for notice in notices
                ]
            )
            await self.approvals.note_handing_out(notices)
        approval = await self.approvals.find(approval_id)
        return NextRun(self.look_s) if approval and approval.state == "pending" else None


def _approval_id_in(press: PressRequest) -> int:
    """The id of the approval that a button names; 0, which no approval has, for other data."""
    return whole_number(press.argument) or 0


def _heading(approval: Approval, names: Mapping[int, str], locale: str) -> str:
    draft = approval.draft
    return say(
        locale,
        "approval-review",
        number=str(approval.id),
        user=label_user(draft.user_id, names),
        intent=draft.intent,
        question=shorten(draft.question, _QUESTION_LENGTH),
    )


def _review(approval: Approval, names: Mapping[int, str], locale: str) -> list[RenderedMessage]:
    """The review for an admin: user and question, then the draft with its sources and buttons."""
    draft = approval.draft
    citations = tuple(Citation.from_state(citation) for citation in draft.citations)
    *parts, last_part = render(
        Answer(draft.answer, citations), locale=locale, allowed_links=frozenset()
    )
    button_row = tuple(
        Button(say(locale, f"button-{name}"), f"{verb}:{approval.id}")
        for name, verb in (
            ("approve", APPROVE_VERB),
            ("correct", CORRECT_VERB),
            ("reject", REJECT_VERB),
        )
    )
    heading = unlinked(_heading(approval, names, locale))
    return [heading, *parts, replace(last_part, buttons=(button_row,))]


def _verdict_line(approval: Approval, admin_id: int, names: Mapping[int, str], locale: str) -> str:
    decider = "you" if approval.decided_by == admin_id else "other"
    admin_label = label_user(approval.decided_by, names) if approval.decided_by else "–"
    return say(locale, f"approval-is-{approval.state}", by=decider, admin=admin_label)


def _answer_of(approval: Approval) -> Answer:
    """The approved or corrected answer with its citations; empty if there is none."""
    draft = approval.draft
    text = {"approved": draft.answer, "corrected": approval.words}.get(approval.state, "")
    citations = tuple(Citation.from_state(citation) for citation in draft.citations)
    return Answer(text, tuple(citation for citation in citations if f"[{citation.number}]" in text))


def _result_text(approval: Approval, answer: Answer) -> str:
    """The message to the user: the verdict, then the answer or the reason for having none."""
    locale = approval.draft.locale
    if answer.text:
        return f"_{say(locale, f'approval-{approval.state}')}_\n\n{answer.text}"
    return say(locale, f"approval-{approval.state}", reason=approval.words)


def _record(approval: Approval, answer: Answer) -> TurnRecord:
    """The record of the turn with the next revision, so that the answer replaces the notice."""
    draft = approval.draft
    return TurnRecord(
        user_id=draft.user_id,
        thread_id=draft.thread_id,
        request_id=draft.request_id,
        question=draft.question,
        answer=answer.text,
        meta={
            "approval": approval.state,
            "citations": [citation.id for citation in answer.citations],
        },
        revision=draft.revision + 1,
    )
