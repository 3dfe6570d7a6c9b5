"""Findings of features about themselves, as `rich-agent doctor` lists it."""

from collections.abc import Sequence
from dataclasses import replace
from unittest.mock import MagicMock

import pytest
from starlette.responses import JSONResponse

from rich_agent.commands import doctor
from rich_agent.commands.diagnosis.features import check_features
from rich_agent.composition.features import NO_FEATURES, OpenFeatures
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.feature.parts import Check, Finding, Parts
from rich_agent.settings.settings import Settings
from rich_agent.web.access import SignIn
from rich_agent.web.routes import GuardedRoute
from tests.twins.bearer_secrets import BearerSecrets

_WARNING = "no program can sign in, so none can use /api, /v1"


async def _check_lamps() -> Sequence[Finding]:
    """One finding for each."""
    return [
        Finding("it shines", name="lamp hall"),
        Finding("it is dark", "Change it.", is_failure=True, name="lamp cellar"),
    ]


async def _check_switch() -> Finding:
    return Finding("it is stiff", is_well=False)


async def _break() -> Finding:
    raise KeyError("fuse")


async def test_check_of_a_feature_may_find_several_things() -> None:
    """Each under a name of its own, or the feature's; a check that breaks is a warning."""
    checks: dict[str, list[Check]] = {"lamps": [_check_lamps, _check_switch, _break]}
    results = [one async for one in check_features(replace(NO_FEATURES, checks=checks))]
    levels = {one.name: one.level for one in results if "lamp" in one.name}
    assert levels == {"lamp hall": "ok", "lamp cellar": "FAIL", "lamps": "warn"}
    assert "its check broke: KeyError" in results[-1].detail


@pytest.mark.parametrize(
    ("sign_ins", "warnings"),
    [
        ((), [_WARNING]),
        (
            (BearerSecrets(comes_from_browsers=True),),
            [_WARNING],
        ),
        ((BearerSecrets(comes_from_browsers=True), BearerSecrets()), []),
    ],
    ids=["nobody", "browsers", "programs"],
)
async def test_addresses_that_no_program_can_use_are_a_warning(
    sign_ins: Sequence[SignIn], warnings: list[str]
) -> None:
    """The cookie of a browser lets no program in."""
    paths = ("/v1/models", "/api/runs", "/v1/chat/completions")
    routes = [GuardedRoute(path, None, JSONResponse(None)) for path in paths]
    features = OpenFeatures(Parts(routes=routes, sign_ins=sign_ins))
    results = [one async for one in check_features(features)]
    programs = [one for one in results if one.name == "programs"]
    assert [one.detail for one in programs] == warnings
    assert all(one.level == "warn" for one in programs)


async def test_doctor_says_that_features_are_not_checked_without_a_database(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise a server of tools that is away would look as if it were well."""
    refusal = MagicMock(side_effect=DatabaseUnavailableError("it is away"))
    monkeypatch.setattr(doctor, "open_repositories", refusal)
    settings = Settings().with_changes("storage", database_url="postgresql://nowhere")
    results = [one async for one in doctor._check_with_database(settings, frozenset())]
    assert [(one.name, one.level) for one in results] == [
        ("database", "FAIL"),
        ("features", "warn"),
    ]
    assert "not checked" in results[1].detail
