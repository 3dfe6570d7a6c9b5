"""The seconds in which a bot may answer a press or an ephemeral message of a member alone."""

from typing import Any

import pytest

from rich_agent_sandbox.telegram.chats import Chat, Message, User
from rich_agent_sandbox.telegram.ephemeral import EphemeralPress, Ephemerals, Whispering
from rich_agent_sandbox.telegram.groups import Groups, MemberStatus
from rich_agent_sandbox.telegram.params import Params
from rich_agent_sandbox.telegram.refusals import BotApiError
from rich_agent_sandbox.telegram.text.entities import FormattedText

ADA, BOT = User(42, "Ada"), User(7, "Bot", is_bot=True)
GROUP = Chat(-42, "group", ADA)


@pytest.mark.parametrize("status", ["member", "administrator"])
@pytest.mark.parametrize("way", ["press", "command"])
@pytest.mark.parametrize(("age_s", "is_permitted"), [(14.0, True), (16.0, False)])
def test_answer_to_a_member_alone_has_to_come_within_15_s(
    way: str, age_s: float, status: MemberStatus, *, is_permitted: bool
) -> None:
    """Of a press and of an ephemeral command alike; what names a later one is refused."""
    ephemerals, groups = Ephemerals(clock=lambda: 100.0), Groups()
    groups.set_status(GROUP.id, BOT.id, status)
    parameters: dict[str, Any] = {"receiver_user_id": ADA.id}
    reply: dict[str, int] = {}
    if way == "press":
        ephemerals.presses["q"] = EphemeralPress(GROUP.id, ADA.id, 100.0 - age_s)
        parameters["callback_query_id"] = "q"
    else:
        command = Message(0, ADA, 100.0 - age_s, FormattedText("/tasks"))
        reply = {"ephemeral_message_id": ephemerals.add(GROUP.id, ADA, command, BOT).id}
    params = Params({"ephemeral_message_parameters": parameters, "reply_parameters": reply})
    whispering = Whispering(ephemerals, groups, BOT)
    if is_permitted:
        assert whispering.receiver(GROUP, params) == ADA
    else:
        with pytest.raises(BotApiError):
            whispering.receiver(GROUP, params)
