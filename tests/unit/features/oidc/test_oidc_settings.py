"""The settings of the provider: what is missing or unsafe is told at the start, with what to do."""

from typing import Any

import pytest

from rich_agent.features.oidc.people import groups_in
from rich_agent.features.oidc.settings import OidcSettings

GOOD: dict[str, Any] = {"issuer": "https://login.example.org/realms/staff", "client_id": "bot"}


def problems_of(**values: Any) -> list[str]:
    """The names and hints of what is wrong."""
    problems = list(OidcSettings(**values).find_problems())
    assert all(problem.hint.endswith(".") for problem in problems)
    return [problem.name for problem in problems]


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"issuer": None}, "OIDC_CLIENT_ID"),
        ({"client_id": ""}, "OIDC_CLIENT_ID"),
        ({"issuer": "http://login.example.org"}, "OIDC_ISSUER"),
        ({"issuer": "http://8.8.8.8"}, "OIDC_ISSUER"),
        ({"scopes": "profile email"}, "OIDC_SCOPES"),
        ({"required_group": "staff"}, "OIDC_REQUIRED_GROUP"),
    ],
)
def test_settings_name_what_is_wrong(values: dict[str, Any], name: str) -> None:
    """One problem each, under the name of the setting to change."""
    assert problems_of(**{**GOOD, **values}) == [name]


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"issuer": "http://localhost:8080"},
        {"issuer": "http://keycloak:8080/realms/x"},
        {"issuer": "http://10.0.0.3"},
        {"groups_claim": "groups", "required_group": "staff"},
    ],
)
def test_settings_take_what_is_safe(values: dict[str, Any]) -> None:
    """TLS, or a host on a private network."""
    assert problems_of(**{**GOOD, **values}) == []
    assert problems_of() == []


def test_button_names_the_provider_or_its_host() -> None:
    """Whatever the operator calls it comes first."""
    assert OidcSettings(**GOOD).shown_name == "login.example.org"
    assert OidcSettings(**GOOD, name="Example").shown_name == "Example"


@pytest.mark.parametrize(
    ("claims", "claim", "groups"),
    [
        ({"groups": ["b", "a", "a", 1, "", None]}, "groups", ["a", "b"]),
        ({"groups": "one"}, "groups", ["one"]),
        ({"realm_access": {"roles": ["x"]}}, "realm_access.roles", ["x"]),
        ({"realm_access.roles": ["y"], "realm_access": {}}, "realm_access.roles", ["y"]),
        ({"realm_access": ["roles"]}, "realm_access.roles", []),
        ({"groups": {"a": 1}}, "groups", []),
        ({"groups": ["a"]}, "", []),
    ],
)
def test_groups_are_read_from_the_claim(
    claims: dict[str, Any], claim: str, groups: list[str]
) -> None:
    """Also from an object within an object; what is no text is no group."""
    assert groups_in(claims, claim) == groups
