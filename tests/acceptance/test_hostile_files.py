"""Files that are made to do harm, or are not what they are called: each ends in an answer."""

import io
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from rich_agent.phrases import say
from tests.acceptance.pictures import writing
from tests.acceptance.test_files import sent
from tests.acceptance.world import World
from tests.documents import document, pages

_ENTITIES = (
    '<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a "lol">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)).replace("&a0;", "&a;")
    + "]><w>&a9;</w>"
)
_DEEP = "<w>" * 200_000 + "</w>" * 200_000


def changed(name: str, part: str, content: str | bytes) -> bytes:
    """A document of an office program with one part replaced or added."""
    target = io.BytesIO()
    with ZipFile(io.BytesIO(document(name))) as source, ZipFile(target, "w", ZIP_DEFLATED) as made:
        for entry in source.infolist():
            if entry.filename != part:
                made.writestr(entry, source.read(entry))
        made.writestr(part, content)
    return target.getvalue()


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("bomb.docx", ("minutes.docx", "word/document.xml", b"<w>" + b" " * 40_000_000)),
        ("bomb.xlsx", ("sales.xlsx", "xl/worksheets/sheet1.xml", b"<w>" + b" " * 40_000_000)),
        ("entities.docx", ("minutes.docx", "word/document.xml", _ENTITIES)),
        ("deep.docx", ("minutes.docx", "word/document.xml", _DEEP)),
    ],
    ids=["bomb.docx", "bomb.xlsx", "entities", "deep"],
)
def test_hostile_document_is_refused_and_the_next_is_read(
    world: World, user: int, name: str, made: tuple[str, str, str | bytes]
) -> None:
    """Bombs, entities and nesting are told of; the bot goes on to read what follows."""
    answer = sent(world, user, name, "What is in it?", data=changed(*made))
    assert name in answer["text"]
    assert "Remember" not in str(answer["buttons"])
    after = sent(world, user, "minutes.docx", "When is the garden party at the old mill?")
    assert "20 June" in after["text"]


def test_document_with_macros_is_read_without_them(world: World, user: int) -> None:
    """The text is read; the macro's bytes are not."""
    data = changed("minutes.docx", "word/vbaProject.bin", b"Sub AutoOpen() Shell evil End Sub")
    answer = sent(world, user, "minutes.docm", "When is the garden party?", data=data)
    assert "20 June" in answer["text"]
    assert "AutoOpen" not in answer["text"]
    assert "The macros in minutes.docm were not run." in answer["text"]


_PARTY = "The garden party is on 20 June."
_TELLING = "../..\\../\u202e<img src=x onerror=alert(1)>\n" + "a" * 300 + ".txt"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("notes.pdf", document("minutes.docx")),
        ("minutes.xlsx", document("minutes.docx")),
        ("minutes.txt", pages([_PARTY])),
        (_TELLING, _PARTY.encode()),
    ],
    ids=["pdf", "xlsx", "txt", "telling"],
)
def test_file_under_a_wrong_name_is_read_by_its_content(
    world: World, user: int, name: str, data: bytes
) -> None:
    """A Word document is one, whatever it is called; no name turns the text around it."""
    answer = sent(world, user, name, "When is the garden party?", data=data)
    assert "20 June" in answer["text"]
    assert "\u202e" not in answer["text"]


def encrypted_spreadsheet() -> bytes:
    """An OpenDocument spreadsheet as it is with a password: its manifest says so."""
    with ZipFile(io.BytesIO(document("sales.ods"))) as source:
        manifest = source.read("META-INF/manifest.xml")
    told = b"<manifest:encryption-data/></manifest:manifest>"
    manifest = manifest.replace(b"</manifest:manifest>", told)
    return changed("sales.ods", "META-INF/manifest.xml", manifest)


@pytest.mark.parametrize(
    ("name", "data", "key"),
    [
        ("letter.docx", b"\x7fELF\x02\x01\x01" + bytes(range(256)), "damaged"),
        ("setup", b"MZ\x90\0" + bytes(range(256)), "unsupported"),
        ("sales.ods", encrypted_spreadsheet(), "encrypted"),
        ("notes.txt", b"", "empty"),
    ],
    ids=["elf", "exe", "encrypted", "empty"],
)
def test_file_that_is_no_document_is_explained_in_the_language_of_its_user(
    world: World, user: int, name: str, data: bytes, key: str
) -> None:
    """In one sentence, which says what to do."""
    answer = sent(world, user, name, "何が書いてありますか", data=data, language_code="ja")
    assert answer["text"] == say("ja", f"file-refused-{key}", name=name)


@pytest.mark.parametrize("name", ["menu.pdf", "menu"])
def test_image_under_a_wrong_name_is_looked_at(world: World, user: int, name: str) -> None:
    """As a photo is, also in the next question."""
    menu = writing("| Drink | Price |", "| Tea   | 3.50  |", seed=user)
    answer = sent(world, user, name, "How much is the tea?", data=menu)
    assert "3.50" in answer["text"]
    assert "3.50" in world.ask(user, "How much is the tea in the picture?")["text"]
