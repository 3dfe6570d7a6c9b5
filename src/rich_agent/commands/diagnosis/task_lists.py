"""Whether users can connect their task lists, and whether stored passwords can be read."""

from rich_agent.commands.diagnosis.check_results import CheckResult, failed
from rich_agent.composition.repositories import Repositories
from rich_agent.composition.task_lists import make_seal, missing_for_lists
from rich_agent.domain.text import counted
from rich_agent.errors import RichAgentError
from rich_agent.runtime.seals import SealError
from rich_agent.settings.settings import Settings

_NAME = "task lists"
_MENDS = {
    "extra": "Install the extra: pip install 'rich-agent[calendar]'.",
    "key": "Set CREDENTIALS_KEY to the key that they were encrypted with.",
}


async def check_task_lists(settings: Settings, repositories: Repositories) -> CheckResult:
    """Check what keeps users from connecting; it is a fault only if some are connected."""
    try:
        stored = await repositories.task_lists.passwords()
    except RichAgentError as error:
        return failed(_NAME, error)
    seal = make_seal(settings)
    if seal is None:
        missing = missing_for_lists(settings)
        lacks = "no CREDENTIALS_KEY" if missing == "key" else "the extra `calendar` is missing"
        if not stored and not settings.storage.credentials_keys:
            return CheckResult(_NAME, "ok", f"{lacks}: users cannot connect task lists")
        return CheckResult(_NAME, "FAIL", f"{lacks}, but it is needed", _MENDS[missing])
    closed = 0
    for user_id, password in stored:
        try:
            seal.open(user_id, password)
        except SealError:
            closed += 1
    detail = f"{counted(len(stored), 'user')} connected"
    if closed:
        hint = "Add the earlier key to CREDENTIALS_KEY, or let these users send /connect again."
        return CheckResult(_NAME, "warn", f"{detail}; {closed} passwords cannot be read", hint)
    return CheckResult(_NAME, "ok", detail)
