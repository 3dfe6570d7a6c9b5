"""The operator's page of personas: saved, previewed, put into effect, taken back, by role."""

from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image

from tests.acceptance.visitors import Visitor, visiting, words
from tests.acceptance.world import ADMIN, World, wait_until

pytestmark = pytest.mark.feature("operator_pages")
PATH = "/operator/persona"


@pytest.fixture
def owner(world: World) -> Iterator[Visitor]:
    """The owner at the page; no persona stays in effect."""
    with visiting(world, ADMIN) as visitor:
        yield visitor
        visitor.post(f"{PATH}/clear", space="")


def value_of(page: Visitor, form: str, name: str) -> str:
    """The value of a hidden field of the form with this action."""
    (field,) = page.page(PATH).xpath(f"//form[@action='{form}']//input[@name='{name}']")[:1]
    return str(field.get("value"))


@pytest.mark.costs("a preview opens a whole bot within the bot")
def test_persona_is_saved_previewed_and_put_into_effect(
    world: World, user: int, owner: Visitor
) -> None:
    """Each answer stands beside that of now; the greeting and the name are there at once."""
    picture = BytesIO()
    Image.new("RGB", (600, 400), "green").save(picture, "PNG")
    files = {"picture": ("zoe.png", picture.getvalue(), "image/png")}
    fields = {
        "name": "Zoe",
        "tone": "Calm.",
        "rules": "Gives no advice.\n\nEnds politely.",
        "greeting": "Zoe is here.",
        "starters": "Who are you?",
        "greeting-de": "Zoe ist da.",
        "question1": "Wer bist du?",
    }
    saved = owner.post(PATH, files=files, space="", base="", **fields)
    assert saved.status_code == 200
    assert "Saved as a draft." in saved.text
    version = value_of(owner, f"{PATH}/preview", "version")

    def previewed() -> bool:
        return len(owner.page(PATH).xpath("//table/tbody/tr")) == 3

    wait_until(previewed, "three questions are answered")
    rows = owner.page(PATH).xpath("//table/tbody/tr")
    assert rows[0].xpath("th")[0].text == "Wer bist du?"
    draft, present = (cell.text for cell in rows[0].xpath("td"))
    assert draft.startswith("Zoe.")
    assert not present.startswith("Zoe.")

    applied = owner.post(f"{PATH}/apply", version=version)
    assert "In effect within a second." in applied.text
    wait_until(lambda: "Zoe is here." in world.ask(user, "/start")["text"] or None, "greeting")
    german = world.ask(user + 500_000, "/start", language_code="de")
    assert german["text"].startswith("Zoe ist da.")
    assert owner.get("/chat/words").json()["bot"] == "Zoe"
    assert owner.get(f"/chat/{owner.get('/chat/words').json()['picture']}").status_code == 200
    assert owner.get(f"{PATH}/picture/{version}").headers["content-type"] == "image/jpeg"

    assert owner.post(f"{PATH}/back", space="").status_code == 200
    wait_until(lambda: "Zoe" not in world.ask(user, "/start")["text"] or None, "no greeting")
    assert "No persona" in words(owner.page(PATH))


def test_persona_that_was_not_previewed_is_not_put_into_effect(
    world: World, owner: Visitor
) -> None:
    """Nor one that does not exist; each sentence says what to do."""
    (row,) = world.rows(
        "INSERT INTO persona_versions (space, content) VALUES ('', '{\"name\": \"Eve\"}') "
        "RETURNING id"
    )
    refused = owner.post(f"{PATH}/apply", version=str(row["id"]))
    assert refused.status_code == 400
    assert "Preview it first" in refused.text
    assert "Open it again" in owner.post(f"{PATH}/apply", version="999999999").text


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", "a" * 61, "Name: this is too long"),
        ("tone", "word " * 4_000, "Tone: this is too long"),
        ("rules", "\n".join(["rule"] * 13), "Rules: this is too long, or has too many lines"),
        ("greeting-ja", "あ" * 1_001, "In other languages: this is too long"),
    ],
)
def test_persona_that_is_too_long_is_refused(
    field: str, value: str, sentence: str, owner: Visitor
) -> None:
    """With the field that it is about; nothing is stored."""
    refused = owner.post(PATH, space="", base="", **{field: value})
    assert refused.status_code == 400
    assert sentence in refused.text
    broken = {"picture": ("a.png", b"not a picture", "image/png")}
    assert "Choose a JPEG" in owner.post(PATH, files=broken, space="", base="").text


def test_viewer_sees_the_persona_and_changes_nothing(world: World, user: int) -> None:
    """An author sees none of it."""
    give = "INSERT INTO operator_roles (user_id, role, given_by) VALUES (%s, %s, %s) RETURNING 1"
    world.rows(give, user, "viewer", ADMIN)
    world.rows(give, user + 500_001, "author", ADMIN)
    with visiting(world, user) as viewer:
        assert viewer.page(PATH).xpath("//main//form") == []
        assert viewer.post(PATH, space="", base="", name="Mallory").status_code == 403
        assert viewer.post(f"{PATH}/clear", space="").status_code == 403
    with visiting(world, user + 500_001) as author:
        assert author.get(PATH).status_code == 403
