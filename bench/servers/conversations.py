"""The ten conversations, and what makes an answer good.

Each is a generator: it yields what the user does, is given the bot's answer, and raises
`BadAnswer`.
"""

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass

from bench.servers.answers import Answer, Sent, expect
from tests.acceptance.pictures import picture

Conversation = Callable[[int], Generator[Sent, Answer, None]]
"""Takes the number of the user, which makes what they send unique."""
HISTORY, STAKING, FUTURES = "proof-of-history", "validators-and-staking", "perpetual-futures"


@dataclass(frozen=True, slots=True)
class _Facts:
    """The facts that a user tells about themselves; never to be read by a web search."""

    home: str = "Zwolle"
    job: str = "falconer"


PRIVATE = _Facts()


def documents(_: int) -> Generator[Sent, Answer, None]:
    """A question that a registered document answers."""
    answer = yield Sent("What is proof of history?")
    expect(answer.cites(HISTORY), f"does not cite {HISTORY}")
    expect("hash" in answer.text.lower(), "does not say what it is")


def follow_up(_: int) -> Generator[Sent, Answer, None]:
    """A question that makes sense only after the one before."""
    yield Sent("What is a perpetual future?")
    answer = yield Sent("And what is its funding rate?")
    expect(answer.cites(FUTURES), "has lost its subject")


def compound(_: int) -> Generator[Sent, Answer, None]:
    """Two questions in one message."""
    answer = yield Sent("What is proof of history, and how does staking work?")
    expect(answer.cites(HISTORY), "leaves out the first part")
    expect(answer.cites(STAKING), "leaves out the second part")


def photo(user: int) -> Generator[Sent, Answer, None]:
    """A picture of two colours."""
    answer = yield Sent("What is in this picture?", picture("red", "blue", seed=user))
    told = answer.text.lower()
    expect("red" in told and "blue" in told, "does not describe the picture")


def greeting(_: int) -> Generator[Sent, Answer, None]:
    """Small talk, which nothing is looked up for."""
    answer = yield Sent("Good morning! How are you?")
    expect(not answer.links, "cites something")
    expect(0 < len(answer.text) < 400, "is not small talk")


def memory(_: int) -> Generator[Sent, Answer, None]:
    """A fact that is told, and asked for in a new conversation."""
    yield Sent(f"I live in {PRIVATE.home}.")
    yield Sent("/new")
    answer = yield Sent("Where do I live, please tell me?")
    expect(PRIVATE.home in answer.text, "does not remember the home")


def forgetting(_: int) -> Generator[Sent, Answer, None]:
    """A fact that is told, shown, forgotten on a button, and asked for."""
    yield Sent(f"I work as a {PRIVATE.job}.")
    yield Sent("What is proof of history?")
    asked = yield Sent("Forget what I said about my job.")
    expect(PRIVATE.job in asked.text, "does not show what is to be forgotten")
    expect(len(asked.buttons) > 1, "asks for no confirmation")
    yield Sent(press=asked.buttons[-2])
    answer = yield Sent("What is my job, please tell me?")
    expect(PRIVATE.job not in answer.text, "has not forgotten the job")


def japanese(_: int) -> Generator[Sent, Answer, None]:
    """A question in Japanese."""
    answer = yield Sent("プルーフ・オブ・ヒストリーとは何ですか？")
    expect(answer.cites(HISTORY), f"does not cite {HISTORY}")
    expect(re.search("[\u3041-\u30ff]", answer.text), "is not in Japanese")


def german(_: int) -> Generator[Sent, Answer, None]:
    """A question in German."""
    answer = yield Sent("Was ist das Proof of History?")
    expect(answer.cites(HISTORY), f"does not cite {HISTORY}")
    words = set(re.findall(r"[a-zäöüß]+", answer.text.lower()))
    german = words & {"der", "die", "das", "und", "ist", "nicht", "den", "dem", "ein", "eine"}
    expect(len(german) > 1, "is not in German")


def chinese(_: int) -> Generator[Sent, Answer, None]:
    """A question in Chinese."""
    answer = yield Sent("什么是 Proof of History？它有什么用？")
    expect(answer.cites(HISTORY), f"does not cite {HISTORY}")
    expect(len(re.findall("[\u4e00-\u9fff]", answer.text)) > 5, "is not in Chinese")
    expect(not re.search("[\u3041-\u30ff]", answer.text), "is in Japanese")


CONVERSATIONS: dict[str, Conversation] = {
    "documents": documents,
    "follow-up": follow_up,
    "compound": compound,
    "photo": photo,
    "greeting": greeting,
    "memory": memory,
    "forgetting": forgetting,
    "Japanese": japanese,
    "German": german,
    "Chinese": chinese,
}
