"""Profile of the bot: its commands and descriptions."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich_agent_sandbox.telegram.refusals import bad_request

COMMANDS_LIMIT = 100
_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_Key = tuple[str, str]


@dataclass(slots=True)
class Profile:
    """Kept until the sandbox ends, since a running bot says this once, at its start."""

    description: str = ""
    short_description: str = ""
    _commands: dict[_Key, list[dict[str, Any]]] = field(default_factory=dict)

    def set_commands(
        self, commands: Sequence[Any], scope: Mapping[str, Any] | None, language: str
    ) -> None:
        """Replace the commands of a scope. Raises: BotApiError for a malformed one."""
        if len(commands) > COMMANDS_LIMIT:
            raise bad_request("BOT_COMMANDS_TOO_MUCH")
        self._commands[_key(scope, language)] = [_checked(command) for command in commands]

    def commands(self, scope: Mapping[str, Any] | None, language: str) -> list[dict[str, Any]]:
        """The commands of exactly this scope and language."""
        return self._commands.get(_key(scope, language), [])

    def delete_commands(self, scope: Mapping[str, Any] | None, language: str) -> None:
        """Forget the commands of exactly this scope and language."""
        self._commands.pop(_key(scope, language), None)

    def menu(self, chat_id: int, language: str) -> list[dict[str, Any]]:
        """The commands that a user sees: the narrowest scope that has some.

        A group's id is negative. Source:
        https://core.telegram.org/bots/api#determining-list-of-commands
        """
        scopes: tuple[Mapping[str, Any], ...] = (
            {"type": "chat", "chat_id": chat_id},
            {"type": "all_private_chats" if chat_id > 0 else "all_group_chats"},
            {"type": "default"},
        )
        for scope in scopes:
            for wanted in (language, ""):
                if found := self.commands(scope, wanted):
                    return found
        return []

    def is_ephemeral(self, name: str, chat_id: int, language: str) -> bool:
        """Whether a client sends a command of the menu as an ephemeral message."""
        return any(
            one["command"] == name and one.get("is_ephemeral")
            for one in self.menu(chat_id, language)
        )


def _key(scope: Mapping[str, Any] | None, language: str) -> _Key:
    return (json.dumps(dict(scope or {"type": "default"}), sort_keys=True), language)


def _checked(command: object) -> dict[str, Any]:
    if not isinstance(command, dict):
        raise bad_request("can't parse BotCommand: expected an Object")
    name = str(command.get("command", "")).removeprefix("/")
    description = str(command.get("description", "")).strip()
    if not _COMMAND.fullmatch(name):
        raise bad_request("BOT_COMMAND_INVALID")
    if not 1 <= len(description) <= 256:
        raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    only_if_set = {"is_ephemeral": True} if command.get("is_ephemeral") is True else {}
    return {"command": name, "description": description, **only_if_set}
