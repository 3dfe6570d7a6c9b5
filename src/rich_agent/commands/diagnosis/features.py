"""Whether the features could be loaded and opened, and what each finds of itself."""

from collections.abc import AsyncIterator

from rich_agent.commands.diagnosis.check_results import CheckResult, failed
from rich_agent.composition.features import OpenFeatures
from rich_agent.errors import RichAgentError
from rich_agent.feature.parts import Check
from rich_agent.installed import OWN_PACKAGE, installed_features


async def check_features(features: OpenFeatures) -> AsyncIterator[CheckResult]:
    """Yield what is loaded and from where, what is left out and why, and the features' own checks.

    A feature that is left out is a warning: the bot answers without it.
    """
    installed = installed_features()
    names = [_label_of(one.name, installed.packages[one.name]) for one in installed.features]
    if names:
        yield CheckResult("features", "ok", ", ".join(names))
    for broken in (*installed.broken, *features.broken):
        yield CheckResult(
            f"feature {broken.name}",
            "warn",
            f"is left out: {broken.reason}",
            f"Update or remove the package that has it, or write FEATURES_OFF={broken.name}.",
        )
    for name, checks in features.checks.items():
        for check in checks:
            yield await _result_of(name, check)


def _label_of(name: str, package: str) -> str:
    return name if package.split(" ", maxsplit=1)[0] == OWN_PACKAGE else f"{name} ({package})"


async def _result_of(name: str, check: Check) -> CheckResult:
    try:
        finding = await check()
    except RichAgentError as error:
        return failed(name, error, "warn")
    except Exception as error:  # noqa: BLE001 - the checks of a stranger end none of ours
        return CheckResult(name, "warn", f"its check broke: {type(error).__name__}: {error}")
    return CheckResult(name, "ok" if finding.is_well else "warn", finding.detail, finding.hint)
