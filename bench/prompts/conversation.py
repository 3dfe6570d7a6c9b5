"""A conversation of one user through the whole bot, and the requests to its model.

The documents are the samples and the bot's own: more than a prompt names, so that the nearest
titles change from message to message. The sandbox plans; answers are scripted, and do not quote, so
that they are checked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.prompts.requests import Request, with_further_answers
from bench.samples import with_samples
from tests.acceptance.scripting import planning
from tests.acceptance.world import World, running_bot

_USER = 903
_UNHURRIED = {"OPTIONAL_CALLS": "always", "CHECK_ANSWERS_S": "60", "RETRIEVAL_ROUNDS_S": "60"}
"""On a busy machine, too, no call is left out."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the user, and the answer of the model; "" where the bot answers by itself.

    What it asks for may be `described` instead of named, so that it is searched for twice.
    """

    text: str
    answer: str = ""
    described: str = ""


CONVERSATION = (
    Message("Hello!"),
    Message(
        "What is proof of history?",
        "It is a clock made of hashes, by which everybody sees that time has passed. [1]",
    ),
    Message(
        "What are the risks of staking?",
        "A validator may work badly, and its commission may rise. [1]",
    ),
    Message(
        "Write a haiku about the sea.",
        "Grey waves fold and fall,\na gull writes its name on wind,\nthe tide reads it back.",
    ),
    Message(
        "What does a transaction cost?",
        "A small base fee for each signature, and a priority fee if you want to be quick. [1]",
    ),
    Message("I live in Berlin and I am a vegetarian.", "Good to know, thank you for telling me."),
    Message(
        "How do I keep my wallet safe?",
        "Write the recovery phrase on paper, and never type it into a web page. [1]",
    ),
    Message("Thanks!"),
    Message(
        "How long does the reward of those who vote on blocks stay locked?",
        "It stays locked until the next epoch begins. [1]",
        described="those who vote on blocks",
    ),
    Message(
        "Which types of orders do exchanges offer?",
        "Market orders are filled at once, limit orders at your price or not at all. [1]",
    ),
)


def hold_conversation() -> list[Request]:
    """The requests of the whole conversation, in order."""
    with with_samples() as world, running_bot(world.environment | _UNHURRIED):
        return with_further_answers(
            request
            for turn, message in enumerate(CONVERSATION, start=1)
            for request in _requests(world, turn, message)
        )


def _requests(world: World, turn: int, message: Message) -> Sequence[Request]:
    """The requests of one message, which is answered."""
    newest = world.sandbox.mark()
    if message.described:
        described = {"query": message.text, "described": message.described}
        plan = planning(
            message.text, intent="docs_required", plan="rag", language="en", **described
        )
        world.sandbox.fail("openai", "scripted", **plan)
    if message.answer:
        world.sandbox.script(message.text, message.answer)
    world.ask(_USER, message.text)
    world.await_idle()
    world.sandbox.recover()
    calls = world.sandbox.calls("openai", newest)
    return [Request.read(turn, call["body"]) for call in calls if "messages" in call["body"]]
