"""Many users at once, and one user who writes far too much."""

import time
from concurrent.futures import ThreadPoolExecutor

from bench.faults.audit import audit
from bench.faults.finding import Finding, Size, promised
from bench.faults.ground import Ground, crew
from tests.acceptance.world import Sent, wait_until

_OTHERS = 20
_OTHERS_WAIT_S = 1.0
_SENDERS = 8
_TOO_MANY = "You sent many messages at once"  # locales/en.ftl


def crowd(ground: Ground, size: Size) -> Finding:
    """`count` users with three messages each wait before the first worker runs."""
    finding = Finding()
    users = ground.new_users(size.count)
    with crew(ground, "serve") as bots, ThreadPoolExecutor(_SENDERS) as senders:
        sent = dict(zip(users, senders.map(lambda user: _thrice(ground, user), users), strict=True))
        all_sent = [one for messages in sent.values() for one in messages]
        wait_until(lambda: _are_stored(ground, all_sent) or None, "all is stored", 600)
        began = time.monotonic()
        bots.start("worker", "worker")
        with promised(finding):
            ground.wait_done(all_sent, 3600)
        spent_s = time.monotonic() - began
    found = audit(ground, sent)
    finding.measured.append(f"{found}, drained in {spent_s:.0f} s")
    finding.broken += found.broken()
    overtaken = _overtaken(ground, users)
    finding.measured.append(f"{overtaken} users overtaken by another's third message")
    finding.expect(overtaken == 0, f"{overtaken} users waited for others' third messages")
    return finding


def _thrice(ground: Ground, user: int) -> list[Sent]:
    return [ground.sandbox.say(user, "hi") for _ in range(3)]


def _are_stored(ground: Ground, sent: list[Sent]) -> bool:
    rows = ground.world.rows(
        "SELECT count(*) AS n FROM telegram_inbox WHERE update_id = ANY(%s)",
        [one.update_id for one in sent],
    )
    return bool(rows[0]["n"] == len(sent))


def _overtaken(ground: Ground, users: list[int]) -> int:
    """Users whose first message was done only after half of the others' third ones."""
    rows = ground.world.rows(
        "WITH ranked AS (SELECT user_id, done_at, rank() OVER (PARTITION BY user_id "
        "ORDER BY update_id) AS place FROM telegram_inbox "
        "WHERE done_at IS NOT NULL AND user_id = ANY(%s)), "
        "third AS (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY done_at) AS at "
        "FROM ranked WHERE place = 3) "
        "SELECT count(*) AS overtaken FROM ranked, third WHERE place = 1 AND done_at > third.at",
        users,
    )
    return int(rows[0]["overtaken"])


def flood(ground: Ground, size: Size) -> Finding:
    """One user writes `count` messages; twenty others write meanwhile, one every half second."""
    finding, sent = Finding(), dict[int, list[Sent]]()
    flooder, *others = ground.new_users(1 + _OTHERS)
    with crew(ground, "serve", "worker", "worker"), ThreadPoolExecutor(1) as flooding:
        flow = flooding.submit(_pour, ground, flooder, size.count)
        wait_until(lambda: _of(ground, flooder) >= min(60, size.count) or None, "the flood runs")
        for user in others:
            sent[user] = [ground.sandbox.say(user, "hi")]
            time.sleep(size.wait_s)
        with promised(finding):
            ground.wait_done([one for messages in sent.values() for one in messages])
        delays = [_delay_s(ground, user) for user in others]
        poured = flow.result()
        with promised(finding):
            ground.wait_done(poured, 1800)
    found = audit(ground, sent)
    replies = [reply["text"] for reply in ground.sandbox.replies(flooder)]
    notices = sum(_TOO_MANY in text for text in replies)
    finding.measured.append(
        f"others: {found}; the flooder got {len(replies)} messages, {notices} of them a notice"
    )
    finding.expect(notices <= 1, f"{notices} notices that it is too many")
    finding.broken += found.broken()
    finding.aim("others waited at most", max(delays), _OTHERS_WAIT_S)
    return finding


def _pour(ground: Ground, user: int, count: int) -> list[Sent]:
    return [ground.sandbox.say(user, "hi") for _ in range(count)]


def _of(ground: Ground, user: int) -> int:
    query = "SELECT count(*) AS n FROM telegram_inbox WHERE user_id = %s"
    return int(ground.world.rows(query, user)[0]["n"])


def _delay_s(ground: Ground, user: int) -> float:
    messages = ground.sandbox.chat(user)["messages"]
    asked, answered = (
        min(m["sent_at"] for m in messages if m["from"] == who) for who in ("user", "bot")
    )
    return float(answered - asked)
