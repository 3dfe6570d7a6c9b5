"""Files of users, read in units that can be cited, or refused for a reason."""

import io
import zipfile
from email.message import EmailMessage

import pytest
from PIL import Image

from rich_agent.documents.user_files.reading import IsolatedFileReader
from rich_agent.domain.inventory import Inventory
from rich_agent.domain.user_files import FileRefusal, ReadFile
from rich_agent.ports.user_files import FileRefusedError
from tests.documents import document
from tests.unit.documents.documents import archive

READER = IsolatedFileReader()
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


async def read(name: str, data: bytes | None = None, mime: str = "") -> ReadFile:
    """The file as the reader has it."""
    return await READER.read(1, name, mime, document(name) if data is None else data)


async def test_pdf_is_read_by_its_pages() -> None:
    """Each page is a unit with the number that readers show, and its own heading."""
    found = await read("report.pdf")
    assert [unit.number for unit in found.units] == list(range(1, 11))
    assert {unit.kind for unit in found.units} == {"page"}
    assert (found.bare_pages, found.inventory) == ((), Inventory())
    assert "14 euros" in found.units[2].text
    assert "Petra Ahlberg" in found.units[3].text
    assert all(unit.tokens > 0 for unit in found.units)


async def test_scan_is_pages_without_text_that_can_be_rendered() -> None:
    """A scan is not refused: its pages are named, and become pictures."""
    found = await read("scan.pdf")
    assert (found.units, found.bare_pages) == ((), (1, 2))
    assert found.inventory.unread == {"page": 2}
    shown = Image.open(io.BytesIO(await READER.render_page(1, document("scan.pdf"), 2)))
    assert (shown.format, max(shown.size)) == ("JPEG", 1568)


@pytest.mark.parametrize("name", ["minutes.docx", "minutes.odt", "minutes.epub"])
async def test_texts_are_read_by_their_sections(name: str) -> None:
    """Each heading is a unit; tables keep their cells."""
    units = {unit.heading: unit.text for unit in (await read(name)).units}
    assert "20 June" in units["Decisions"]
    assert "450" in units["Budget"]


@pytest.mark.parametrize("name", ["sales.xlsx", "sales.ods", "sales.csv"])
async def test_tables_are_read_by_their_sheets(name: str) -> None:
    """A unit for each sheet, with its rows; nothing is left out of a short one."""
    found = await read(name)
    (sheet,) = found.units
    assert sheet.kind == "sheet"
    assert "2025-12" in sheet.text or "45992" in sheet.text
    assert not found.is_partial


@pytest.mark.parametrize("name", ["slides.pptx", "slides.odp"])
async def test_presentations_are_read_by_their_slides(name: str) -> None:
    """Each slide is a unit with its title."""
    units = (await read(name)).units
    assert {unit.kind for unit in units} == {"slide"}
    assert any("9 September" in unit.text for unit in units)


async def test_long_table_is_read_from_its_beginning() -> None:
    """A table of many rows is told to be read in part, and takes no time."""
    rows = "".join(f"{number},{number * 2}\n" for number in range(300_000))
    found = await read("long.csv", f"a,b\n{rows}".encode())
    assert found.is_partial
    assert len(found.units[0].text) < 2_000_000


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("locked.pdf", None, "encrypted"),
        ("minutes.doc", None, "old_office"),
        ("renamed.docx", OLE, "old_office"),
        ("secret.docx", OLE + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        ("empty.txt", b" \n", "empty"),
        ("broken.pdf", b"%PDF-1.7\n" + bytes(400), "damaged"),
        ("film.bin", bytes(range(256)) * 9, "unsupported"),
        ("all.rar", b"Rar!\x1a\x07\x00" + bytes(99), "archive"),
        ("all.7z", b"7z\xbc\xaf\x27\x1c" + bytes(99), "archive"),
        ("all.tar.gz", b"\x1f\x8b\x08" + bytes(99), "archive"),
        ("all.tar", b"a.txt" + bytes(252) + b"ustar" + bytes(300), "archive"),
        ("app.apk", archive({"classes.dex": "x"}), "unsupported"),
    ],
)
async def test_what_cannot_be_read_is_refused_for_its_reason(
    name: str, data: bytes | None, reason: FileRefusal
) -> None:
    """Encrypted, of former times, empty, damaged, or of an unknown kind."""
    with pytest.raises(FileRefusedError) as refused:
        await read(name, data)
    assert refused.value.reason == reason


@pytest.mark.costs("it packs a bomb")
async def test_bomb_is_refused_as_too_long() -> None:
    """An archive that unpacks to far more than it is takes no memory."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 300_000_000)
    with pytest.raises(FileRefusedError) as refused:
        await read("bomb.docx", target.getvalue())
    assert refused.value.reason == "too_long"


@pytest.mark.parametrize("name", ["minutes.pdf", "minutes.txt", "minutes"])
async def test_wrong_name_does_not_keep_a_file_from_being_read(name: str) -> None:
    """The bytes tell what it is."""
    found = await read(name, document("minutes.docx"), "application/pdf")
    assert "wordprocessingml" in found.media_type


async def test_text_of_an_unknown_type_is_read_as_it_is() -> None:
    """Logs, code and settings are plain text."""
    found = await read("app.log", b"12:00 started\n12:01 stopped\n")
    assert found.media_type == "text/plain"
    assert "stopped" in found.units[0].text


async def test_mail_is_read_by_its_text_and_its_attachments() -> None:
    """The parts are named after the files; what was not read is counted."""
    message = EmailMessage()
    message["From"], message["Subject"] = "ann@x.example", "Offer"
    message.set_content("See the file.")
    message.add_attachment(document("report.pdf"), "application", "pdf", filename="report.pdf")
    message.add_attachment(b"\0" * 99, "image", "png", filename="photo.png")
    found = await read("Offer.eml", message.as_bytes())
    units = {unit.heading: unit for unit in found.units}
    assert found.media_type == "message/rfc822"
    assert found.title == "Offer"
    assert "From: ann@x.example" in units[""].text
    page = next(unit for name, unit in units.items() if name.startswith("report.pdf > p. 3"))
    assert "14 euros" in page.text
    assert {unit.kind for unit in found.units} == {"section"}


async def test_zip_is_read_by_its_files() -> None:
    """Also if its type is told by the sender alone, and long tables from their beginning."""
    rows = "".join(f"{number},{number * 2}\n" for number in range(3_000))
    data = archive({"a/terms.md": "# Terms\n\nNet 30.", "a/long.xlsx": document("sales.xlsx")})
    found = await read("all", data, "application/zip")
    assert found.media_type == "application/zip"
    assert found.units[0].heading == "a/terms.md > Terms"
    deck = await read("deck.zip", archive({"deck.pptx": document("slides.pptx")}))
    assert not any("p. " in unit.heading for unit in deck.units), "only a PDF file has pages"
    assert (await read("long.zip", archive({"long.csv": f"a,b\n{rows}"}))).units
