"""Results of the checks of the setup; a cause that several checks met is reported once."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from rich_agent.errors import RichAgentError, UpstreamError
from rich_agent.settings.settings import Settings

Level = Literal["ok", "warn", "FAIL"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The outcome of one check: `detail` describes the finding, `hint` the remedy."""

    name: str
    level: Level
    detail: str
    hint: str = ""

    @property
    def ok(self) -> bool:
        """Whether the bot can do without a change here."""
        return self.level != "FAIL"

    def to_json(self) -> dict[str, Any]:
        """As `rich-agent doctor --json` prints it."""
        return {"ok": self.ok, **asdict(self)}


def check_failure(name: str, error: RichAgentError, level: Level = "FAIL") -> CheckResult:
    """A check that ended with an error; the name of the service is left to `name`."""
    detail = str(error)
    if isinstance(error, UpstreamError):
        detail = detail.removeprefix(f"{error.service}: ")
    return CheckResult(name, level, detail, error.hint)


async def run_check(
    name: str, check: Callable[[], Awaitable[str]], level: Level = "FAIL"
) -> CheckResult:
    """Run a check, which returns a description or raises; an error gets this level."""
    try:
        return CheckResult(name, "ok", await check())
    except RichAgentError as error:
        return check_failure(name, error, level)


def by_cause(findings: Iterable[CheckResult]) -> list[CheckResult]:
    """The findings in order; findings with one cause become one finding with all their names."""
    causes: dict[tuple[str, str, str], list[CheckResult]] = {}
    for one in findings:
        # What is well is told each by itself, though two may be well in the same words.
        name = one.name if one.level == "ok" else ""
        causes.setdefault((name, one.detail, one.hint), []).append(one)
    return [
        CheckResult(", ".join(one.name for one in same), _worst(same), same[0].detail, same[0].hint)
        for same in causes.values()
    ]


def _worst(findings: Sequence[CheckResult]) -> Level:
    return max((one.level for one in findings), key=get_args(Level).index)


def open_doors(settings: Settings) -> list[CheckResult]:
    """Warn of what everybody may do for want of a setting, unless a setting opened that door."""
    doors = []
    if settings.cost.is_unlimited_by_default:
        doors.append(
            CheckResult(
                "daily limit",
                "warn",
                "there is no daily limit, so a single user can cause unlimited cost",
                "Write a limit, as in DAILY_TOKENS=200000, or DAILY_TOKENS=0 if this is intended.",
            )
        )
    return doors
