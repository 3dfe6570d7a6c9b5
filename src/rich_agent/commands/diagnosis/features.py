"""Whether features and connectors could be loaded, and what features find of themselves."""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence

from rich_agent.commands.diagnosis.check_results import CheckResult, Level, check_failure
from rich_agent.composition.features import OpenFeatures
from rich_agent.documents.connectors.kinds import ConnectorKind, installed_kinds
from rich_agent.errors import RichAgentError
from rich_agent.feature.parts import Check, Finding, Parts
from rich_agent.installed import OWN_PACKAGE, BrokenFeature, Loaded, installed_features


async def check_features(features: OpenFeatures) -> AsyncIterator[CheckResult]:
    """Yield what is loaded and from where, what is left out and why, and the features' own checks.

    A feature that is left out is a warning: the bot answers without it.
    """
    declarations, kinds = installed_features(), installed_kinds()
    feature_names = [one.name for one in declarations.features]
    for result in (
        *_loading(
            "feature",
            feature_names,
            declarations.packages,
            (*declarations.broken, *features.broken),
        ),
        *_loading("connector", *_usable(kinds)),
    ):
        yield result
    for result in _check_sign_ins(features.parts):
        yield result
    for name, checks in features.checks.items():
        for check in checks:
            for result in await _results_of(name, check):
                yield result


def _loading(
    what: str, names: Iterable[str], packages: Mapping[str, str], omissions: Iterable[BrokenFeature]
) -> Iterator[CheckResult]:
    labels = [_label_of(name, packages[name]) for name in names]
    if labels:
        yield CheckResult(f"{what}s", "ok", ", ".join(labels))
    for one in omissions:
        yield CheckResult(
            f"{what} {one.name}",
            "warn",
            f"is left out: {one.reason}",
            one.hint
            or f"Update or remove the package that has it, or write FEATURES_OFF={one.name}.",
        )


def _check_sign_ins(parts: Parts) -> Iterator[CheckResult]:
    """Yield a warning if features have addresses for programs, and no program can sign in."""
    if parts.routes and all(one.comes_from_browsers for one in parts.sign_ins):
        fronts = sorted({"/" + route.path.split("/")[1] for route in parts.routes})
        yield CheckResult(
            "programs",
            "warn",
            f"no program can sign in, so none can use {', '.join(fronts)}",
            "Switch on a feature that lets programs sign in, if programs are to use them.",
        )


def _usable(
    kinds: Loaded[ConnectorKind],
) -> tuple[list[str], Mapping[str, str], list[BrokenFeature]]:
    """The connectors that can be loaded, their packages, and the connectors that cannot."""
    usable, omissions = [], [*kinds.broken]
    for name, kind in kinds.declarations.items():
        try:
            kind.load()
        except Exception as error:  # noqa: BLE001 - whatever a stranger's module does
            omissions.append(BrokenFeature(name, f"{type(error).__name__}: {error}"))
        else:
            usable.append(name)
    return usable, kinds.packages, omissions


def _label_of(name: str, package: str) -> str:
    return name if package.split(" ", maxsplit=1)[0] == OWN_PACKAGE else f"{name} ({package})"


async def _results_of(name: str, check: Check) -> Sequence[CheckResult]:
    try:
        findings = await check()
        one_or_more = [findings] if isinstance(findings, Finding) else findings
        return [_result_of(name, one) for one in one_or_more]
    except RichAgentError as error:
        return [check_failure(name, error, "warn")]
    except Exception as error:  # noqa: BLE001 - the checks of a stranger end none of ours
        return [CheckResult(name, "warn", f"its check broke: {type(error).__name__}: {error}")]


def _result_of(name: str, finding: Finding) -> CheckResult:
    level: Level = "FAIL" if finding.is_failure else "ok" if finding.is_well else "warn"
    return CheckResult(finding.name or name, level, finding.detail, finding.hint)
