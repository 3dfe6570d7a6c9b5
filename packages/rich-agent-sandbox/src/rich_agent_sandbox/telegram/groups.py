"""The groups that the bot is in, and the members of each.

Source: https://core.telegram.org/bots/api#chatmember
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rich_agent_sandbox.telegram.chats import User

MemberStatus = Literal["creator", "administrator", "member", "restricted", "left", "kicked"]


@dataclass(slots=True)
class Groups:
    """The status of each user in each group; the default status is "left"."""

    _members: dict[int, dict[int, MemberStatus]] = field(default_factory=dict)

    def has(self, chat_id: int) -> bool:
        """Whether the group exists."""
        return chat_id in self._members

    def status(self, chat_id: int, user_id: int, default: MemberStatus = "left") -> MemberStatus:
        """The status of a user in a group; `default` if nobody set one."""
        return self._members.get(chat_id, {}).get(user_id, default)

    def set_status(self, chat_id: int, user_id: int, status: MemberStatus) -> None:
        """Set the status of a user; the first one creates the group."""
        self._members.setdefault(chat_id, {})[user_id] = status

    def forget(self) -> None:
        """Drop all groups."""
        self._members.clear()


_ADMINISTRATOR = (
    *("can_be_edited", "is_anonymous", "can_manage_chat", "can_delete_messages"),
    *("can_manage_video_chats", "can_restrict_members", "can_promote_members", "can_change_info"),
    *("can_invite_users", "can_post_stories", "can_edit_stories", "can_delete_stories"),
)
_RESTRICTED = (
    *("can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos"),
    *("can_send_videos", "can_send_video_notes", "can_send_voice_notes", "can_send_polls"),
    *("can_send_other_messages", "can_add_web_page_previews", "can_change_info"),
    *("can_invite_users", "can_pin_messages", "can_manage_topics"),
)


def member_json(user: User, status: MemberStatus) -> dict[str, Any]:
    """The ChatMember in the Bot API's form; a restricted user is still in the group."""
    extras: Mapping[str, Mapping[str, Any]] = {
        "creator": {"is_anonymous": False},
        "administrator": dict.fromkeys(_ADMINISTRATOR, False),
        "restricted": {**dict.fromkeys(_RESTRICTED, False), "is_member": True, "until_date": 0},
        "kicked": {"until_date": 0},
    }
    return {"user": user.to_json(), "status": status, **extras.get(status, {})}
