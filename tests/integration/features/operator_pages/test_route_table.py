"""Every route of the operator's pages with every role, and with requests that nobody meant."""

import re
from collections.abc import Mapping

import pytest

from bench.program_tokens import make_token
from rich_agent.features.operator_pages.roles import ROLES
from rich_agent.installed import installed_features
from rich_agent.web.pages.routes import PageRoute
from tests.integration.features.operator_pages.served_pages import (
    OWNER,
    STRANGER,
    USERS,
    Pages,
)
from tests.needed_features import need_feature

MAY: Mapping[str, str] = {
    "GET /operator": "owner operator viewer",
    "GET /operator/people": "owner operator viewer",
    "GET /operator/people/{user_id:int}": "owner operator viewer",
    "POST /operator/people/admit": "owner operator",
    "POST /operator/people/invite": "owner operator",
    "POST /operator/people/invites/{invite_id:int}/withdraw": "owner operator",
    "POST /operator/people/{user_id:int}/admit": "owner operator",
    "POST /operator/people/{user_id:int}/block": "owner operator",
    "POST /operator/people/{user_id:int}/role": "owner",
    "GET /operator/knowledge": "owner operator viewer author",
    "POST /operator/knowledge/look": "owner operator author",
    "POST /operator/knowledge/add": "owner operator author",
    "POST /operator/knowledge/upload": "owner operator author",
    "GET /operator/knowledge/connect": "owner operator",
    "GET /operator/knowledge/connect/{kind}": "owner operator",
    "POST /operator/knowledge/connect/{kind}": "owner operator",
    "GET /operator/knowledge/sources/{source}": "owner operator viewer author",
    "POST /operator/knowledge/sources/{source}/remove": "owner operator author",
    "POST /operator/knowledge/sources/{source}/read": "owner operator author",
    "POST /operator/knowledge/sources/{source}/schedule": "owner operator author",
    "POST /operator/knowledge/sources/{source}/status": "owner operator author",
    "POST /operator/knowledge/sources/{source}/space": "owner operator",
    "POST /operator/knowledge/sources/{source}/file": "owner operator author",
    "GET /operator/knowledge/documents/{document}": "owner operator viewer author",
    "GET /operator/knowledge/search": "owner operator",
    "POST /operator/knowledge/search": "owner operator",
    "GET /operator/knowledge/spaces": "owner operator viewer author",
    "POST /operator/knowledge/spaces/grant": "owner operator",
    "POST /operator/knowledge/spaces/revoke": "owner operator",
    "POST /operator/knowledge/spaces/remove": "owner operator",
    "POST /operator/knowledge/spaces/member": "owner operator",
    "GET /operator/models": "owner operator viewer",
    "GET /operator/settings": "owner operator viewer",
    "GET /operator/settings/{name}": "owner operator viewer",
    "POST /operator/settings/{name}": "owner operator",
    "POST /operator/settings/{name}/unset": "owner operator",
    "GET /operator/quality": "owner operator viewer author",
    "GET /operator/quality/{subject:int}": "owner operator viewer author",
    "GET /operator/quality/{subject:int}/questions.toml": "owner operator viewer author",
    "GET /operator/quality/{subject:int}/{question:int}": "owner operator viewer author",
    "POST /operator/quality/{subject:int}/{question:int}/test": "owner operator author",
    "POST /operator/quality/{subject:int}/work": "owner operator author",
    "POST /operator/quality/{subject:int}/state": "owner operator author",
    "POST /operator/quality/{subject:int}/again": "owner operator author",
    "GET /operator/work": "owner operator viewer",
    "POST /operator/work/approvals/{approval:int}": "owner operator",
    "POST /operator/work/letters/{letter}/replay": "owner operator",
    "POST /operator/work/letters/{letter}/drop": "owner operator",
    "POST /operator/work/due/{row:int}/retry": "owner operator",
    "GET /operator/audit": "owner operator viewer",
    "GET /operator/audit/audit.csv": "owner operator viewer",
    "GET /operator/evaluation": "owner operator viewer author",
    "GET /operator/evaluation/questions.toml": "owner operator viewer author",
    "GET /operator/evaluation/{question:int}": "owner operator viewer author",
    "POST /operator/evaluation": "owner operator author",
    "POST /operator/evaluation/{question:int}": "owner operator author",
    "POST /operator/evaluation/{question:int}/remove": "owner operator author",
    "GET /operator/persona": "owner operator viewer",
    "GET /operator/persona/picture/{version:int}": "owner operator viewer",
    "POST /operator/persona": "owner operator",
    "POST /operator/persona/preview": "owner operator",
    "POST /operator/persona/apply": "owner operator",
    "POST /operator/persona/back": "owner operator",
    "POST /operator/persona/clear": "owner operator",
}
"""Who may use which route; nobody else does."""
OF_FEATURES = {"evaluation": "/operator/evaluation", "persona": "/operator/persona"}
"""The rows of features that may be taken out."""
OTHER_SITES: tuple[dict[str, str], ...] = (
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "https://sub.bot.example", "Sec-Fetch-Site": "same-site"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "none"},
    {},
)


def path_of(route: PageRoute) -> str:
    """The address of a route, with 1 for what varies."""
    return re.sub(r"\{[^}]*\}", "1", route.path)


async def test_each_route_has_its_row(pages: Pages) -> None:
    """A new route needs a line that says who may use it; a viewer changes nothing."""
    installed = {feature.name for feature in installed_features().features}
    gone = tuple(path for name, path in OF_FEATURES.items() if name not in installed)
    rows = {row for row in MAY if not row.partition(" ")[2].startswith(gone)}
    assert {f"{method} {route.path}" for route in pages.routes for method in route.methods} == rows
    assert [row for row, may in MAY.items() if row.startswith("POST") and "viewer" in may] == []


@pytest.mark.costs("every route is asked in every role")
async def test_each_role_reaches_what_its_routes_permit(pages: Pages) -> None:
    """And nothing else; what is refused is not in the audit, what is done or tried is, once."""
    for role in (None, *ROLES):
        async with await pages.browser(USERS.get(role or "", STRANGER)) as browser:
            for route in pages.routes:
                for method in route.methods:
                    before = await pages.audited()
                    answer = await browser.request(method, path_of(route))
                    is_refused = answer.status_code == 403
                    place = (role, method, route.path, answer.status_code)
                    is_led_on = (role, method, route.path) == ("author", "GET", "/operator")
                    is_permitted = role in MAY[f"{method} {route.path}"].split()
                    assert is_refused != (is_permitted or is_led_on), place
                    assert answer.status_code < 500, (place, answer.text)
                    is_change = method == "POST" and not is_refused
                    assert await pages.audited() - before == is_change, place


async def test_changes_have_their_word_in_the_audit(pages: Pages) -> None:
    """Each of its own kind."""
    changes = [route for route in pages.routes if "POST" in route.methods]
    assert changes
    for route in changes:
        assert re.fullmatch(r"[a-z_]+\.[a-z_]+", route.action), route.path


async def test_no_other_site_and_no_stranger_reaches_a_route(pages: Pages) -> None:
    """With the owner's cookie from elsewhere, or without any; nothing is done or recorded."""
    before = await pages.audited()
    for headers in OTHER_SITES:
        async with await pages.browser(OWNER, **(headers or {"X-None": "1"})) as browser:
            for route in pages.routes:
                if "POST" in route.methods:
                    answer = await browser.post(path_of(route), data={"role": "owner"})
                    assert answer.status_code == 401, (headers, route.path)
    async with await pages.browser(OWNER) as browser:
        browser.cookies.clear()
        for route in pages.routes:
            for method in route.methods:
                answer = await browser.request(method, path_of(route))
                assert answer.status_code == 401, route.path
    assert await pages.audited() == before


async def test_token_of_a_program_opens_no_page(pages: Pages) -> None:
    """Whatever its scope: the owner's own token neither reads nor changes anything."""
    before = await pages.audited()
    need_feature("tokens")
    secret = await make_token(pages.repositories.databases.app, OWNER)
    async with await pages.browser(OWNER, Authorization=f"Bearer {secret}") as program:
        program.cookies.clear()
        for route in pages.routes:
            for method in route.methods:
                answer = await program.request(method, path_of(route), data={"role": "owner"})
                assert answer.status_code == 403, (method, route.path)
        assert (await program.get("/operator/live")).status_code == 403
    assert await pages.audited() == before


async def test_strange_addresses_are_not_found(pages: Pages) -> None:
    """Characters and numbers that the database refuses, and more digits than Python reads."""
    async with await pages.browser(OWNER) as browser:
        for path in ("/operator/people?q=%00&after=%00", "/operator/audit?q=a%00b"):
            assert (await browser.get(path)).status_code == 200, path
        for part in ("sources/%00", "documents/a%00b"):
            assert (await browser.get(f"/operator/knowledge/{part}")).status_code == 404, part
        for digits in ("9" * 20, "9" * 5_000):
            assert (await browser.get(f"/operator/people/{digits}")).status_code == 404
