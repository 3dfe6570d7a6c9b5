"""Commands that are sent over HTTP: the reply is that of every surface, and no turn runs."""

import re

from rich_agent.chat_commands.replies import CommandRequest, Reply
from rich_agent.chat_commands.suggestions import ASK_VERB
from rich_agent.domain.message import User
from rich_agent.domain.runs import Run, RunAsked
from rich_agent.phrases import say
from rich_agent.ports.accounts import Account
from rich_agent.rendering.as_markdown import as_markdown

_COMMAND = re.compile(r"/([a-z0-9_]{1,32}+)(?=\s|\Z)", re.IGNORECASE | re.ASCII)
"""Source: Bot API, BotCommand. A path with more slashes is none."""


def is_command(asked: RunAsked) -> bool:
    """Whether a run consists of a command alone."""
    has_more = asked.images or asked.files or asked.is_spoken or asked.shape or asked.decision
    return bool(_COMMAND.match(asked.text)) and not (has_more or asked.is_errand)


def command_of(run: Run, account: Account, user: User, *, ended_question: bool) -> CommandRequest:
    """The command that a run consists of."""
    found = _COMMAND.match(run.asked.text)
    assert found is not None  # noqa: S101 - see `is_command`
    return CommandRequest(
        found[1].lower(),
        run.asked.text[found.end() :].strip(),
        user,
        account.locale_for(client=run.asked.language or None),
        run.update_id,
        account,
        run.conversation,
        ended_question,
    )


def reply_text(reply: Reply, command: CommandRequest) -> str:
    """A reply as Markdown; a sentence says that its buttons or its file are in Telegram.

    Buttons that ask a question become lines.
    """
    elsewhere = say(command.locale, "only-in-telegram", command=f"/{command.name}")
    if reply.file is not None:
        return elsewhere
    buttons = [button for row in reply.message.buttons for button in row]
    questions = [one.text for one in buttons if one.data.startswith(f"{ASK_VERB}:")]
    parts = [as_markdown(reply.message), "\n".join(f"- {question}" for question in questions)]
    if len(questions) < len(buttons):
        parts.append(elsewhere)
    return "\n\n".join(filter(None, parts))
