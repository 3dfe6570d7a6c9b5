"""The model server and Telegram refuse, break off, and are slow."""

import time
from collections.abc import Iterator

from bench.faults.audit import audit
from bench.faults.finding import Finding, Size, promised
from bench.faults.ground import QUESTION, Ground, crew
from tests.acceptance.faults import end_leases
from tests.acceptance.world import Sent, wait_until

_ROLES = ("run",)
_CHAT = "chat.completions"
_APOLOGY = "Sorry"
_FOR_EVER = 1_000
_ASKED_S = 600
_MODEL_BUDGET_S = 180.0


def model_fails(ground: Ground, size: Size) -> Finding:
    """Twice, and the answer comes; for ever, and one apology comes after at least three tries.

    A server that says when to come back is obeyed instead, and its user reads when that is.
    """
    finding, sent = Finding(), dict[int, list[Sent]]()
    with crew(ground, *_ROLES):
        for kind in ("429", "500"):
            _ask_with_fault(ground, sent, kind, times=2)
            with promised(finding):
                _expect_answer(ground, finding, sent, kind)
        found = audit(ground, sent)
        with promised(finding):
            _expect_promise(ground, finding)
        for kind in ("500", *(["timeout"] if size.wait_s else [])):
            with promised(finding):
                _expect_apology(ground, finding, kind, delay_s=size.wait_s)
    finding.measured.append(str(found))
    finding.broken += found.broken()
    return finding


def _ask_with_fault(ground: Ground, sent: dict[int, list[Sent]], kind: str, *, times: int) -> None:
    (user,) = ground.new_users(1)
    ground.sandbox.fail("openai", kind, method=_CHAT, times=times)
    sent[user] = [ground.sandbox.say(user, QUESTION)]


def _expect_answer(
    ground: Ground, finding: Finding, sent: dict[int, list[Sent]], kind: str
) -> None:
    """The newest question of `sent` is answered with sources."""
    user = list(sent)[-1]
    ground.wait_done(sent[user])
    text = ground.sandbox.replies(user)[-1]["text"]
    finding.expect("Sources" in text, f"after {kind}: {text[:60]!r}")


def _expect_promise(ground: Ground, finding: Finding) -> None:
    (user,) = ground.new_users(1)
    # The planner, without whom the documents are searched, and the answer.
    ground.sandbox.fail("openai", "429", method=_CHAT, times=2, retry_after=_ASKED_S)
    sent = ground.sandbox.say(user, QUESTION)

    def is_held() -> bool:
        held = "SELECT 1 FROM telegram_inbox WHERE update_id = %s AND held_until IS NOT NULL"
        return bool(ground.world.rows(held, sent.update_id))

    wait_until(is_held, "the turn waits in the inbox")
    (promise,) = ground.sandbox.replies(user)
    finding.expect("UTC" in promise["text"], f"429 with a time: {promise['text'][:60]!r}")
    end_leases(ground.world)
    ground.wait_done([sent])
    (reply,) = ground.sandbox.replies(user)
    finding.expect("Sources" in reply["text"], f"after 429 with a time: {reply['text'][:60]!r}")


def _expect_apology(ground: Ground, finding: Finding, kind: str, delay_s: float) -> None:
    (user,) = ground.new_users(1)
    before = ground.sandbox.mark()
    ground.sandbox.fail("openai", kind, method=_CHAT, times=_FOR_EVER, delay_s=delay_s)
    began = time.monotonic()
    sent = ground.sandbox.say(user, QUESTION)
    ground.wait_done([sent], 400)
    spent_s = time.monotonic() - began
    replies = [reply["text"] for reply in ground.sandbox.replies(user)]
    calls = [c for c in ground.sandbox.calls("openai", before) if c["method"] == _CHAT]
    apologies = sum(_APOLOGY in text for text in replies)
    finding.expect(len(replies) == apologies == 1, f"{kind} for ever: {replies}")
    finding.expect(len(calls) >= 3, f"{kind}: tried {len(calls)} times only")
    finding.measured.append(f"{kind} for ever: {len(calls)} tries, {apologies} apology")
    finding.aim(f"{kind} given up after", spent_s, _MODEL_BUDGET_S + 5)
    ground.forget()


def answer_breaks_off(ground: Ground, size: Size) -> Finding:
    """One broken answer is made good; if all are, an apology, and nothing half is stored."""
    finding, sent = Finding(), dict[int, list[Sent]]()
    with crew(ground, *_ROLES):
        for kind in _repeated(("truncated", "malformed", "empty"), size.count):
            _ask_with_fault(ground, sent, kind, times=1)
            with promised(finding):
                _expect_answer(ground, finding, sent, kind)
        (user,) = ground.new_users(1)
        ground.sandbox.fail("openai", "truncated", method=_CHAT, times=_FOR_EVER)
        with promised(finding):
            ground.wait_done([ground.sandbox.say(user, QUESTION)], 300)
        replies = [reply["text"] for reply in ground.sandbox.replies(user)]
        finding.expect(len(replies) == 1 and _APOLOGY in replies[0], f"always truncated: {replies}")
        stored = ground.world.rows(
            "SELECT content FROM messages JOIN conversations ON conversations.id = conversation_id "
            "WHERE role = 'assistant' AND thread_id = %s",
            f"tg:{user}",
        )
        finding.expect(not stored, f"half an answer is stored: {stored}")
    found = audit(ground, sent)
    finding.measured += [str(found), f"always truncated: {len(stored)} stored"]
    finding.broken += found.broken()
    return finding


def _repeated(kinds: tuple[str, ...], count: int) -> Iterator[str]:
    for _ in range(count):
        yield from kinds


def telegram_floods(ground: Ground, size: Size) -> Finding:
    """One chat is told to wait; the other is served, and the first gets its whole answer."""
    finding, sent = Finding(), dict[int, list[Sent]]()
    with crew(ground, *_ROLES):
        for wait_s in (wait_s for wait_s in (1, 30, 300) if wait_s <= size.wait_s):
            waiting, other = ground.new_users(2)
            before = ground.sandbox.mark()
            ground.sandbox.fail("telegram", "429", method="sendMessage", retry_after=wait_s)
            began = time.monotonic()
            sent[waiting] = [ground.sandbox.say(waiting, QUESTION)]
            wait_until(lambda before=before: _is_flooded(ground, before) or None, "a 429")  # type: ignore[misc]  # mypy and default arguments
            sent[other] = [ground.sandbox.say(other, "hi")]
            with promised(finding):
                ground.wait_done(sent[other])
                finding.aim(f"429 of {wait_s} s: the other chat", _delay_s(ground, other), 2.0)
                ground.wait_done(sent[waiting], wait_s + 60)
            waited_s = time.monotonic() - began
            finding.expect(waited_s >= wait_s, f"written to after {waited_s:.1f} s of {wait_s} s")
            text = ground.sandbox.replies(waiting)[-1]["text"]
            finding.expect("Sources" in text, f"the final text is {text[:60]!r}")
    found = audit(ground, sent)
    finding.measured.append(str(found))
    finding.broken += found.broken()
    return finding


def _is_flooded(ground: Ground, since: int) -> bool:
    return any(call["status"] == 429 for call in ground.sandbox.calls("telegram", since))


def _delay_s(ground: Ground, user: int) -> float:
    """From the user's last message to the first of the bot below it, by the sandbox' clock."""
    messages = ground.sandbox.chat(user)["messages"]
    asked = max(m["sent_at"] for m in messages if m["from"] == "user")
    return float(min(m["sent_at"] for m in messages if m["from"] == "bot") - asked)


def telegram_fails(ground: Ground, size: Size) -> Finding:
    """5xx and resets are tried again; who blocked the bot is marked, and not tried again."""
    finding, sent = Finding(), dict[int, list[Sent]]()
    with crew(ground, *_ROLES):
        for kind in _repeated(("500", "502", "reset"), size.count):
            for method in ("sendMessage", "editMessageText"):
                (user,) = ground.new_users(1)
                ground.sandbox.fail("telegram", kind, method=method)
                sent[user] = [ground.sandbox.say(user, QUESTION)]
                with promised(finding):
                    _expect_answer(ground, finding, sent, f"{kind} of {method}")
        (blocker,) = ground.new_users(1)
        before = ground.sandbox.mark()
        ground.sandbox.fail("telegram", "403_blocked", method="sendMessage")
        with promised(finding):
            ground.wait_done([ground.sandbox.say(blocker, "hi")])
        tries = sum(
            call["method"] == "sendMessage" and call["body"].get("chat_id") == blocker
            for call in ground.sandbox.calls("telegram", before)
        )
        marked = ground.world.rows(
            "SELECT 1 FROM users WHERE telegram_user_id = %s AND blocked_at IS NOT NULL", blocker
        )
        finding.expect(tries == 1, f"a blocked chat was written to {tries} times")
        finding.expect(bool(marked), "who blocked the bot is not marked")
    found = audit(ground, sent)
    finding.measured += [str(found), f"blocked: {tries} try, marked"]
    finding.broken += found.broken()
    return finding
