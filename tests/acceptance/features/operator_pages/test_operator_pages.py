"""The operator's pages over HTTP: who is admitted, what stands on them, what the audit records."""

import httpx
import lxml.html
import pytest

from rich_agent.features.operator_pages.repositories.usage_days import DAYS
from rich_agent.features.operator_pages.roles import ROLES
from tests.acceptance.operators import give_role
from tests.acceptance.visitors import visiting, words
from tests.acceptance.world import ADMIN, World

KNOWLEDGE = 'href="/operator/knowledge"'
GONE = (
    "/operator/people/9007199254740991",
    "/operator/settings/NO_SUCH_SETTING",
    "/operator/quality/999999999",
    "/operator/knowledge/sources/none",
    "/operator/knowledge/documents/999999999",
    "/me/nowhere",
)


def test_today_shows_the_figures_of_the_bot(world: World, user: int) -> None:
    """Users, answers, cost, failures and versions."""
    world.ask(user, "hi there")
    with visiting(world, ADMIN) as owner:
        today = owner.page("/operator")
        said = words(today)
        for part in ("Users in 24 hours", "Answers today", "Cost today", "PostgreSQL"):
            assert part in said
        assert len(today.xpath("//figure//tbody/tr")) == 3 * DAYS
        for label, page in (
            ("Set aside after failures", "work"),
            ("Answers that wait for approval", "work"),
            ("Open questions", "quality"),
        ):
            (link,) = today.xpath(f"//dt[text()='{label}']/following-sibling::dd/a/@href")
            assert link.endswith(f"/operator/{page}")
            assert owner.get(link).status_code == 200
        answer = owner.get("/operator/audit")
        tag = {"If-None-Match": answer.headers["ETag"]}
        assert owner.client.get("/operator/audit", headers=tag).status_code == 304


@pytest.mark.parametrize("role", [None, *ROLES])
def test_role_decides_what_is_seen(world: World, user: int, role: str | None) -> None:
    """Without one, nothing; an author sees neither figures nor the audit."""
    if role:
        give_role(world, user, role)
    with visiting(world, user) as visitor:
        sees_all = role not in {None, "author"}
        for path in ("/operator", "/operator/audit", "/operator/audit/audit.csv"):
            answer = visitor.get(path)
            if (role, path) == ("author", "/operator"):
                assert answer.status_code == 303
                assert answer.headers["Location"].endswith("/operator/knowledge")
                continue
            assert answer.status_code == (200 if sees_all else 403), path
            assert ("You may not see this page" in answer.text) == (not sees_all)
            if not sees_all:
                assert (KNOWLEDGE in answer.text) == (role == "author"), path


def test_what_is_gone_is_told_with_the_navigation(world: World, user: int) -> None:
    """In the user's language."""
    give_role(world, user, "viewer")
    with visiting(world, user, "de", language_code="de") as viewer:
        for path in GONE:
            answer = viewer.get(path)
            assert answer.status_code == 404, path
            page = lxml.html.fromstring(answer.text)
            assert page.xpath("//h1/text()") == ["Nicht gefunden"], path
            assert "Hier ist nichts, oder nicht mehr." in words(page)
            assert page.xpath("//nav//a/@href"), path


def test_who_is_not_signed_in_reads_how_to(world: World) -> None:
    """In their language, with a status that programs understand; another site leads nowhere."""
    home = world.environment["PUBLIC_URL"]
    with httpx.Client(base_url=home, trust_env=False) as stranger:
        answer = stranger.get("/operator", headers={"Accept-Language": "de"})
        assert answer.status_code == 401
        assert "/web" in answer.text
        assert 'lang="de"' in answer.text
        away = stranger.get("/operator", headers={"Sec-Fetch-Site": "cross-site"})
        assert away.status_code == 401
        assert "A link on another site led you here" in away.text
        assert stranger.get("/operator/live").status_code == 401


def test_role_that_is_taken_back_closes_the_pages_at_once(world: World, user: int) -> None:
    """Also the stream of an open page."""
    role = f"/operator/people/{user}/role"
    with visiting(world, ADMIN) as owner, visiting(world, user) as visitor:
        assert owner.post(role, role="viewer").status_code == 200
        assert visitor.get("/operator").status_code == 200
        with visitor.client.stream("GET", "/operator/live") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: begun"
            owner.post(role, role="")
            assert "event: begun" not in list(lines)
        assert visitor.get("/operator").status_code == 403
