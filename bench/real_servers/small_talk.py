"""A talk of ten messages with a real small model, which understands little and is often wrong.

Whatever it says, each turn ends in time, and what the user reads is true of what was done.
"""

import base64
import re
import time
from collections.abc import Iterator
from typing import LiteralString

from tests.acceptance.world import World

BOUNDS = {
    "VISION_MODEL": "",
    "EMBEDDING_MODEL": "none",
    "CHAT_PARAMETERS": '{"max_tokens": 300}',
    "PLANNER_PARAMETERS": '{"max_tokens": 600}',
    "MAX_CONTEXT_TOKENS": "3000",
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
_CALL_AS_TEXT = re.compile(r'\{\s*"(?:name|arguments|action|function)"\s*:')
_TEMPLATE = re.compile(r"<\|[^|\n]{1,30}\|>|</?tool_|\[/?INST\]|</?s>")
_NOTHING_DONE = "nothing was done or deleted"
# English is all that this model speaks.
_CLAIM = re.compile(
    r"\bI(?:['’]ve| have)? (?:just |also |already |now )?"
    r"(?:set|added|created|scheduled|saved|noted|put|deleted|cancelled)\b"
    r"|\b(?:has|have) been (?:set|added|created|scheduled|saved|deleted|cancelled)\b",
    re.IGNORECASE,
)


def hold_talk(world: World) -> Iterator[str]:
    """Hold and print the talk with the bot that runs; yields the problems of each turn."""
    for place, text in enumerate(_TALK):
        more = _DOCUMENT if place == _WITH_DOCUMENT else {}
        before = world.rows(_KEPT)
        began = time.monotonic()
        sent = world.sandbox.say(_USER, text, **more)
        while not world.is_done(sent) and time.monotonic() - began < _TURN_S:
            time.sleep(0.2)
        took_s = time.monotonic() - began
        shown = "\n".join(one["text"] for one in world.sandbox.replies(_USER, sent.message_id))
        print(f"{took_s:5.1f} s  {text}\n{shown}\n", flush=True)
        if not world.is_done(sent):
            yield f"{text!r}: no end within {_TURN_S:g} s"
            return
        was_done = world.rows(_KEPT) != before
        yield from (f"{text!r}: {problem}" for problem in problems(shown, was_done=was_done))


def problems(shown: str, *, was_done: bool) -> Iterator[str]:
    """Yield the signs of an answer that nobody may get, whatever a model says."""
    if not shown.strip():
        yield "nothing was said"
    if template := _TEMPLATE.search(shown):
        yield f"a template's token: {template[0]!r}"
    if call := _CALL_AS_TEXT.search(shown):
        yield f"a call as text: {call[0]!r}"
    if (claim := _CLAIM.search(shown)) and not was_done and _NOTHING_DONE not in shown:
        yield f"a claim of what was not done: {claim[0]!r}"
