"""One user's session with the bot, written down as it goes: what was sent, what came back."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.acceptance.world import Sent, World, wait_until

Message = dict[str, Any]
_MARKER = re.compile(r"\[\d+\]")


@dataclass(slots=True)
class Session:
    """A user who waits for each answer; the transcript is for people.

    `in_line` is what was `sent` without the commands, which pass what waits.
    """

    world: World
    user: int
    sent: list[Sent] = field(default_factory=list)
    in_line: list[Sent] = field(default_factory=list)
    transcript: list[str] = field(default_factory=list)

    def say(self, text: str | None = None, **message: Any) -> Message:
        """Send, wait until the update is done, and give the answer, which is a single message."""
        answers = self.say_for_parts(text, **message)
        assert len(answers) == 1, f"{text!r}: {[answer['text'] for answer in answers]}"
        return answers[0]

    def say_for_parts(self, text: str | None = None, **message: Any) -> list[Message]:
        """Send, and give all messages of the answer."""
        sent = self.send(text, **message)
        wait_until(lambda: self.world.is_done(sent) or None, f"an answer to {text!r}", 60)
        return self.read(sent)

    def send(self, text: str | None = None, **message: Any) -> Sent:
        """Send, and do not wait; what has no words of its own comes after a pause."""
        if "forward_from" in message or text is None:
            self.world.sandbox.pause(self.user)
        kinds = [name for name in message if name not in {"language_code", "first_name"}]
        self.transcript.append(f"\n> {_short(text or '')} {' '.join(kinds)}".rstrip())
        sent = self.world.sandbox.say(self.user, text, **message)
        if "edit_message_id" not in message:
            self.sent.append(sent)
            if not (text or "").startswith("/"):
                self.in_line.append(sent)
        return sent

    def read(self, sent: Sent) -> list[Message]:
        """The bot's messages below what was sent."""
        replies = self.world.sandbox.replies(self.user, sent.message_id)
        self.transcript += [_shown(reply) for reply in replies]
        return replies

    def press(self, message: Message, choose: Callable[[str], bool]) -> None:
        """Press the button of a message whose data is the one chosen."""
        data = next(data for data in data_of(message) if choose(data))
        self.transcript.append(f"\n> [press {data}]")
        body = {"message_id": message["message_id"], "callback_data": data}
        http, url = self.world.sandbox.http, self.world.sandbox.url
        answer = http.post(f"{url}/sim/chats/{self.user}/press", json=body)
        assert answer.status_code == 200, answer.text
        update = Sent(0, answer.json()["update_id"])
        wait_until(lambda: self.world.is_done(update) or None, f"{data} is handled")

    def decision(self) -> Message:
        """The decision for the newest turn."""
        return self.world.decisions(self.user)[-1]


def data_of(message: Message) -> list[str]:
    """The callback data of a message's buttons."""
    rows = message.get("buttons") or []
    return [button["callback_data"] for row in rows for button in row if "callback_data" in button]


def links_of(message: Message) -> list[str]:
    """The addresses that a message's numbered sources lead to."""
    return [entity["url"] for entity in message["entities"] if entity["type"] == "text_link"]


def expect_sources(session: Session, message: Message, part_of_url: str = "") -> None:
    """Markers in the text, a list of sources, and links that open at a section that exists."""
    assert _MARKER.search(message["text"]), message["text"]
    links = links_of(message)
    assert any(part_of_url in link for link in links), links
    for link in links:
        page = session.world.sandbox.http.get(link)
        assert page.status_code == 200, link
        anchor = link.partition("#")[2].partition(":~:")[0]
        assert not anchor or f'id="{anchor}"' in page.text, link


def _short(text: str) -> str:
    printable = text.encode("utf-8", "backslashreplace").decode()
    return printable if len(printable) <= 300 else f"{printable[:300]}… ({len(text)} characters)"


def _shown(message: Message) -> str:
    buttons = " ".join(f"[{data}]" for data in data_of(message))
    return f"< {message['text']}" + (f"\n  {buttons}" if buttons else "")
