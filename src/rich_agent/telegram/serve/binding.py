"""Binds a bot without an operator to the user who sends its code."""

from dataclasses import dataclass

import structlog

from rich_agent.ports.accounts import Operator
from rich_agent.telegram.receive.inbound import Command, Inbound, Turn

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Binding:
    """Waits for the code, and adds its sender to `admins`, which the whole process shares."""

    operator: Operator
    admins: set[int]

    async def take(self, inbound: Inbound) -> Inbound:
        """The update, or /start if it contains the code; its sender then becomes the operator."""
        if self.admins:
            return inbound
        if operator_id := await self.operator.find():
            self.admins.add(operator_id)
            return inbound
        match inbound:
            case Turn():
                user, code = inbound.message.user, inbound.message.text
            case Command("start"):
                user, code = inbound.user, inbound.args
            case _:
                return inbound
        if not await self.operator.bind(user.telegram_user_id, code.strip()):
            return inbound
        self.admins.add(user.telegram_user_id)
        _log.warning("telegram.bound_to_operator")
        return Command("start", "", user, inbound.chat_id, inbound.message_id)
