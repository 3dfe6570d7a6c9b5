"""A talk of ten messages with a real small model, which understands little and is often wrong.

Whatever it says, each turn ends in time, and what the user reads is true of what was done.
"""

import base64
import time
from collections.abc import Iterator
from typing import LiteralString

from bench.real_servers.replies import Reply, Tally
from tests.acceptance.world import Sent, World

BOUNDS = {
    "VISION_MODEL": "",
    "EMBEDDING_MODEL": "none",
    "CHAT_PARAMETERS": '{"max_tokens": 300}',
    "PLANNER_PARAMETERS": '{"max_tokens": 600}',
    "MAX_CONTEXT_TOKENS": "4000",
    "RETRIEVAL_PASSAGES": "2",
    "MODEL_BUDGET_S": "300",
    "MODEL_TIMEOUT_S": "300",
}
"""One core that others use too reads 40 tokens a second."""
_USER = 902
_TURN_S = 900.0
_LEASE = """# Lease of the workshop

The rent is 480 euros a month. It is paid on the third working day.

The tenant gives notice three months before the end of a quarter.
"""
_DOCUMENT = {
    "document_base64": base64.b64encode(_LEASE.encode()).decode(),
    "file_name": "lease.md",
    "mime_type": "text/markdown",
}
_TALK = (
    "Hello!",
    "What can you do for me?",
    "What is staking?",
    "Remind me tomorrow at 8 to call the bank.",
    "Every Monday at 9, remind me to water the plants.",
    "What is the rent, and when is it paid?",
    "And how long is the notice?",
    "Add a task: buy milk",
    "Which reminders do I have?",
    "Thanks, that was all!",
)
_WITH_DOCUMENT = 5
_KEPT: LiteralString = """
SELECT (SELECT count(*) FROM tasks WHERE deleted_at IS NULL) AS tasks,
    (SELECT count(*) FROM schedules) AS schedules, (SELECT count(*) FROM notes) AS notes
"""


def hold_talk(world: World) -> Iterator[str]:
    """Hold and print the talk with the bot that runs; yields the faults of each turn.

    An apology is none, and is counted by itself; a talk of nothing but apologies is one.
    """
    tally = Tally()
    for place, text in enumerate(_TALK):
        before, newest = world.rows(_KEPT), world.sandbox.mark()
        began = time.monotonic()
        sent = world.sandbox.say(_USER, text, **(_DOCUMENT if place == _WITH_DOCUMENT else {}))
        while not world.is_done(sent):
            if time.monotonic() - began > _TURN_S:
                yield f"{text!r}: no end within {_TURN_S:g} s"
                return
            time.sleep(0.2)
        reply, took_s = _reply(world, sent, newest), time.monotonic() - began
        tally.add(reply, took_s)
        print(f"{took_s:5.1f} s  {text}\n{reply.text}\n", flush=True)
        has_acted = world.rows(_KEPT) != before
        yield from (f"{text!r}: {fault}" for fault in reply.faults(has_acted=has_acted))
    print(tally.report(len(_TALK)), flush=True)
    if not tally.answers:
        yield "no message was answered"


def _reply(world: World, sent: Sent, newest: int) -> Reply:
    """The reply to a message as its user saw it, also while it grew."""
    calls = (call["body"] for call in world.sandbox.calls("telegram", newest))
    versions = [
        str(body["text"]) for body in calls if body.get("chat_id") == _USER and "text" in body
    ]
    return Reply.of(world.sandbox.replies(_USER, sent.message_id), versions)
