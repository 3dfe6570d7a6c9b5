"""PostgreSQL restarts, stays away, and runs out of disk."""

import random
import time
from collections.abc import Sequence

import httpx

from bench.faults.audit import audit
from bench.faults.finding import Finding, Size, promised
from bench.faults.ground import QUESTION, Ground, crew
from tests.acceptance.world import SECRET, Sent, wait_until

_ROLES = ("serve", "worker", "worker")
_SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - the header's name
_TELEGRAM_WAITS_S = 10.0
_SEED = 7


def restarts(ground: Ground, size: Size) -> Finding:
    """Each restart cuts four turns; all must be done 30 s later."""
    finding, chance = Finding(), random.Random(_SEED)  # noqa: S311 - repeatable, not secret
    sent: dict[int, list[Sent]] = {}
    slowest_s = 0.0
    ground.sandbox.fail("openai", "slow", method="chat.completions", delay_s=0.8, times=10**6)
    with crew(ground, *_ROLES) as bots:
        for _ in range(size.count):
            users = ground.new_users(4)
            for user, text in zip(users, (QUESTION, QUESTION, "hi", "hi"), strict=True):
                sent[user] = [ground.sandbox.say(user, text)]
            time.sleep(chance.uniform(0.0, 1.0))
            ground.postgres.restart()
            began = time.monotonic()
            with promised(finding):
                ground.wait_done([sent[user][0] for user in users])
            slowest_s = max(slowest_s, time.monotonic() - began)
        finding.expect(bots.all_live(), "a process ended")
    found = audit(ground, sent)
    finding.measured.append(f"{size.count} restarts, {found}")
    finding.broken += found.broken()
    finding.aim("drained in at most", slowest_s, 30.0)
    return finding


def outage(ground: Ground, size: Size) -> Finding:
    """Users write before, during and after; Telegram is told to come again."""
    finding, sent = Finding(), dict[int, list[Sent]]()
    with crew(ground, *_ROLES) as bots:
        for user in ground.new_users(size.count):
            sent[user] = [ground.sandbox.say(user, QUESTION)]
        ground.postgres.crash()
        for user in list(sent):
            sent[user].append(ground.sandbox.say(user, "hi"))
        refusals = _refusals(ground, size.wait_s)
        finding.expect(bots.all_live(), "a process ended")
        ground.postgres.start()
        began = time.monotonic()
        with promised(finding):
            ground.wait_done([one for messages in sent.values() for one in messages])
        drained_s = time.monotonic() - began
    found = audit(ground, sent)
    slowest_s = max(answer.elapsed.total_seconds() for answer in refusals)
    finding.measured.append(f"away {size.wait_s:g} s, {len(refusals)} refusals, {found}")
    finding.broken += found.broken()
    _expect_refusals(finding, refusals)
    finding.expect(slowest_s < _TELEGRAM_WAITS_S, f"refused only after {slowest_s:.1f} s")
    finding.aim("drained in", drained_s, 30.0)
    return finding


def _refusals(ground: Ground, seconds: float) -> list[httpx.Response]:
    """Return the webhook's answers, posting again and again, at least once."""
    answers: list[httpx.Response] = []
    end = time.monotonic() + seconds
    while not answers or time.monotonic() < end:
        answers.append(_post(ground))
        time.sleep(0.5)
    return answers


def _post(ground: Ground) -> httpx.Response:
    """An update of nobody, as Telegram would bring it."""
    update = {"update_id": time.time_ns() % 10**15}
    return ground.sandbox.http.post(
        ground.webhook, json=update, headers={_SECRET_HEADER: SECRET}, timeout=30
    )


def _expect_refusals(finding: Finding, answers: Sequence[httpx.Response]) -> None:
    for answer in answers:
        is_right = answer.status_code == 503 and "retry-after" in answer.headers
        finding.expect(is_right, f"the webhook said {answer.status_code} {dict(answer.headers)}")


def full_disk(ground: Ground, size: Size) -> Finding:
    """The file system has no byte left; when it has, everything goes on."""
    finding, sent = Finding(), dict[int, list[Sent]]()
    with crew(ground, *_ROLES) as bots:
        for user in ground.new_users(size.count):
            sent[user] = [ground.sandbox.say(user, QUESTION)]
        ground.wait_done([one for messages in sent.values() for one in messages])
        kept = _fingerprint(ground)
        ground.postgres.fill_disk()
        with promised(finding):
            refused = wait_until(lambda: _refused(ground), "the webhook refuses", 60)
            _expect_refusals(finding, [refused])
        for user in list(sent):
            sent[user].append(ground.sandbox.say(user, "hi"))
        time.sleep(size.wait_s)
        finding.expect(bots.all_live(), "a process ended")
        ground.postgres.free_disk()
        ground.postgres.start()
        with promised(finding):
            ground.wait_done([one for messages in sent.values() for one in messages])
    found = audit(ground, sent)
    intact = kept <= _fingerprint(ground)
    finding.measured.append(f"{found}, {len(kept)} rows committed before are intact: {intact}")
    finding.broken += found.broken()
    finding.expect(intact, "committed rows are gone")
    return finding


def _refused(ground: Ground) -> httpx.Response | None:
    answer = _post(ground)
    return None if answer.is_success else answer


def _fingerprint(ground: Ground) -> set[int]:
    """The updates that are stored."""
    rows = ground.world.rows("SELECT update_id FROM telegram_inbox WHERE update_id > 0")
    return {row["update_id"] for row in rows}
