"""Telegram groups whose members may read a space: whether the bot can see who they are."""

from rich_agent.commands.diagnosis.check_results import CheckResult
from rich_agent.composition.telegram_server import open_telegram
from rich_agent.errors import RichAgentError
from rich_agent.ports.spaces import Spaces
from rich_agent.settings.settings import Settings

_HINT = "Add the bot to the group, or take the right back: `ingest space add … --revoke`."


async def check_groups(spaces: Spaces, settings: Settings) -> list[CheckResult]:
    """Report for each group whether the bot is a member; other checks report a lost server."""
    try:
        groups = await spaces.groups()
        if not groups:
            return []
        async with open_telegram(settings) as api:
            bot = (await api.get_me()).id
            is_member_by_group = {group: await api.is_member(group, bot) for group in groups}
    except RichAgentError:
        return []
    return [
        CheckResult("spaces", "ok", f"members of the Telegram group {group} can be told")
        if is_in
        else CheckResult(
            "spaces", "warn", f"the bot is not in the Telegram group {group}: nobody reads", _HINT
        )
        for group, is_in in is_member_by_group.items()
    ]
