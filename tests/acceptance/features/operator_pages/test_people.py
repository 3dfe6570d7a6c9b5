"""The page People: letting in, blocking, roles, invitations, and what the audit says of them."""

import csv
import io
import re
from urllib.parse import parse_qsl

import pytest

from rich_agent.phrases import say
from tests.acceptance.test_commands import command
from tests.acceptance.visitors import Visitor, visiting, words
from tests.acceptance.world import ADMIN, World


def audited(owner: Visitor, action: str, subject: int | str) -> list[dict[str, str]]:
    """The records of an action in the export of the audit, oldest first."""
    rows = csv.DictReader(io.StringIO(owner.get("/operator/audit/audit.csv").text))
    return [row for row in rows if (row["action"], row["subject"]) == (action, str(subject))]


def state_of(owner: Visitor, user: int) -> str:
    """The words on the page of a person for their access."""
    (state,) = owner.page(f"/operator/people/{user}").xpath("//dd/span[contains(@class, 'tag')]")
    return str(state.text)


def test_person_is_found_blocked_and_let_in(world: World, user: int) -> None:
    """The chat says so at once, and the audit says who did it, from where."""
    name = f"Zoë & <b>{user}"
    world.answer(user, world.sandbox.say(user, "hi there", first_name=name))
    with visiting(world, ADMIN) as owner:
        listed = owner.page("/operator/people", q=str(user))
        assert name in words(listed)
        assert f"/operator/people/{user}" in listed.xpath("//tbody//a/@href")
        answer = owner.post(f"/operator/people/{user}/block")
        assert "Blocked." in answer.text
        refused = command(world, user, "/help")["text"]
        assert refused == say("en", "not-allowed", user_id=str(user))
        assert name in words(owner.page("/operator/people", shown="blocked", q=str(user)))
        owner.post(f"/operator/people/{user}/admit")
        assert say("en", "help-heading") in command(world, user, "/help")["text"]
        (block,) = audited(owner, "access.block", user)
        assert (block["user"], block["role"], block["from"], block["outcome"]) == (
            *(str(ADMIN), "owner", "127.0.0.1"),
            "done",
        )
        wrong = owner.post("/operator/people/admit", number="@zoe")
        assert wrong.status_code == 400
        assert "A user ID has digits only" in wrong.text
        owner.post("/operator/people/admit", number=str(user))
        assert [row["outcome"] for row in audited(owner, "access.allow", user)] == ["done", "done"]
        assert audited(owner, "access.allow", "'@zoe")[-1]["outcome"] == "refused"
        assert "People · Let in" in words(owner.page("/operator/audit", q="access.allow"))
        person = owner.page(f"/operator/people/{user}")
        (changes,) = person.xpath("//main//a[text()='Changes']/@href")
        path, _, query = changes.partition("?")
        actions = owner.page(path, **dict(parse_qsl(query))).xpath("//main//li//strong/text()")
        assert actions == ["People · Let in", "People · Let in", "People · Block"]


@pytest.mark.feature("people")
def test_privacy_says_what_the_operator_sees(world: World, user: int) -> None:
    """All that stands on the page of a person, and whose words are shown."""
    text = command(world, user, "/privacy")["text"]
    for part in ("your name, your user ID and @username in Telegram", "if you rate it 👎"):
        assert part in text


def test_change_in_the_chat_stands_in_the_audit(world: World, user: int) -> None:
    """With the surface that it came from."""
    command(world, ADMIN, f"/deny {user}")
    with visiting(world, ADMIN) as owner:
        (record,) = audited(owner, "access.block", user)
        assert (record["user"], record["from"]) == (str(ADMIN), "telegram")
        assert state_of(owner, user) == "blocked"
        command(world, ADMIN, f"/allow {user}")
        assert state_of(owner, user) == "may use the bot"


def test_owner_gives_a_role_and_takes_it_back(world: World, user: int) -> None:
    """An operator gives none; nobody changes an admin of the settings or themselves."""
    command(world, user, "/help")
    with visiting(world, ADMIN) as owner, visiting(world, user) as other:
        role = f"/operator/people/{user}/role"
        owner.post(role, role="operator")
        assert other.get("/operator").status_code == 200
        assert other.post(role, role="owner").status_code == 403
        assert other.post(f"/operator/people/{ADMIN}/block").status_code == 400
        own = other.post(f"/operator/people/{user}/block")
        assert (own.status_code, "You cannot block yourself" in own.text) == (400, True)
        made = other.post("/operator/people/invite", days="7", role="viewer")
        assert (made.status_code, "Only an owner can do that" in made.text) == (400, True)
        assert owner.post(role, role="emperor").status_code == 400
        owner.post(role, role="")
        assert other.get("/operator").status_code == 403
        outcomes = [row["outcome"] for row in audited(owner, "role.give", user)]
        assert outcomes == ["done", "refused", "done"]


LISTED = "SELECT is_allowed, changed_by FROM access_list WHERE telegram_user_id = %s"
ROLE = "SELECT role FROM operator_roles WHERE user_id = %s"


def invited(owner: Visitor, **fields: str) -> str:
    """The code of a new invitation."""
    page = owner.post("/operator/people/invite", **fields).text
    (code,) = re.findall(r"\?start=(rai_[A-Za-z0-9_-]+)", page)
    return str(code)


def test_invitation_lets_one_person_in_once(world: World, user: int) -> None:
    """With its role; used again, withdrawn, or by somebody blocked, it opens nothing."""
    guest, second, blocked = user, user + 1_000_000, user + 2_000_000
    with visiting(world, ADMIN) as owner:
        code = invited(owner, days="7", role="viewer")
        assert code not in owner.get("/operator/people").text
        command(world, ADMIN, f"/deny {blocked}")
        command(world, blocked, f"/start {code}")
        assert world.rows(LISTED, blocked) == [{"is_allowed": False, "changed_by": ADMIN}]
        command(world, guest, f"/start {code}")
        assert world.rows(LISTED, guest) == [{"is_allowed": True, "changed_by": ADMIN}]
        assert world.rows(ROLE, guest) == [{"role": "viewer"}]
        command(world, second, f"/start {code}")
        assert world.rows(LISTED, second) == []
        withdrawn = invited(owner, days="1", role="")
        page = owner.page("/operator/people")
        (path,) = page.xpath("//form[contains(@action, '/withdraw')]/@action")[:1]
        owner.post(path)
        command(world, second, f"/start {withdrawn}")
        assert world.rows(LISTED, second) == []
        assert owner.post("/operator/people/invite", days="9999").status_code == 400
        export = owner.get("/operator/audit/audit.csv").text
        assert code not in export
        actions = [row["action"] for row in csv.DictReader(io.StringIO(export))]
        assert {"invite.make", "invite.use", "invite.withdraw"} <= {*actions}


HOSTILE = (
    "<script>document.title='run'</script>",
    "\" onmouseover=\"document.title='run'",
    "{{ 7777 * 7777 }}{% raise %}",
    '=HYPERLINK("http://evil.example")',
    "\u202etxt.exe\u202c",
    "javascript:alert(1)",
)


def test_names_of_strangers_stay_words(world: World, user: int) -> None:
    """On each page that shows them, and in the export."""
    with visiting(world, ADMIN) as owner:
        for number, name in enumerate(HOSTILE):
            guest = user + 1_000_000 * (number + 1)
            world.answer(guest, world.sandbox.say(guest, "hi there", first_name=name))
            for path in (f"/operator/people?q={guest}", f"/operator/people/{guest}"):
                page = owner.page(path)
                assert page.xpath("//script[not(@src)] | //*[@onmouseover]") == []
                shown = words(page) + str(page.text_content())
                assert name[:20] in shown, path
                assert "60481729" not in words(page)
            owner.post("/operator/people/admit", number=name)
        lines = owner.get("/operator/audit/audit.csv").text.splitlines()
        assert not [cell for cell in csv.reader(lines) for text in cell if text.startswith("=")]


def test_invitation_ends_with_the_role_of_its_maker(world: World, user: int) -> None:
    """Nobody regains a role by a link that they made while they had it."""
    maker, guest = user, user + 3_000_000
    command(world, maker, "/help")
    with visiting(world, ADMIN) as owner, visiting(world, maker) as other:
        owner.post(f"/operator/people/{maker}/role", role="owner")
        code = invited(other, days="7", role="owner")
        owner.post(f"/operator/people/{maker}/role", role="")
        for user_id in (maker, guest):
            command(world, user_id, f"/start {code}")
            assert world.rows(ROLE, user_id) == []
