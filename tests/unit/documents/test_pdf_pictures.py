"""PDF: the pictures that a person sees are counted, as they cannot be read."""

import pytest

from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.fetch.outcomes import RawDocument
from tests.unit.documents.documents import Pdf

TEXT = "BT /F 11 Tf 72 700 Td (Some text.) Tj ET\n"
PHOTO = "/W 8/H 8/CS/G/BPC 8 ID " + "AbCdEfGh" * 8
PLAIN = "/W 64/H 64/CS/G/BPC 8/F[/AHx/RL] ID " + "8141" * 32 + "80>"


def unread(*pages: str) -> dict[str, int]:
    """The parts of a PDF that were not read."""
    data = Pdf(pages).data()
    found = extract(RawDocument("https://example.com/a.pdf", data, "application/pdf"))
    return found.inventory.unread


def picture(left: float, bottom: float, width: float, height: float, image: str = PHOTO) -> str:
    """A picture on a page."""
    return f"q {width} 0 0 {height} {left} {bottom} cm BI {image} EI Q\n"


@pytest.mark.parametrize(
    ("drawn", "count"),
    [
        (picture(100, 400, 200, 150), 1),
        (picture(100, 400, 200, 150) + picture(100, 200, 200, 100), 2),
        (picture(100, 400, 200, 50) + picture(100, 450, 200, 50), 1),
        (f"q .5 0 0 .5 0 0 cm {picture(200, 800, 400, 300)} Q", 1),
        (f"/Artifact BMC {picture(100, 400, 200, 150)} EMC", 0),
        (picture(100, 400, 12, 12), 0),
        (picture(100, 790, 200, 40), 0),
        (picture(0, 0, 595, 842), 0),
        (picture(100, -400, 200, 150), 0),
        (picture(100, 400, 200, 150, PLAIN), 0),
    ],
    ids=[
        "one",
        "two",
        "strips",
        "scaled",
        "artifact",
        "icon",
        "head",
        "background",
        "off-page",
        "plain",
    ],
)
def test_pdf_pictures_count_unless_they_are_decoration(drawn: str, count: int) -> None:
    """Not icons, letterheads, backgrounds and shadows, nor what nobody sees."""
    assert unread(TEXT + drawn).get("picture", 0) == count


def test_pdf_picture_on_most_pages_is_a_logo() -> None:
    """One that stands on one of them counts."""
    logo = picture(300, 400, 90, 60)
    other = picture(100, 200, 200, 150, PHOTO.replace("8/H", "16/H") + "AbCdEfGh" * 8)
    texts = [TEXT.replace("Some", word) for word in ("First", "Second", "Third")]
    assert unread(texts[0] + logo, texts[1] + logo + other, texts[2] + logo) == {"picture": 1}


def test_pdf_page_without_text_is_no_picture_besides() -> None:
    """A scanned page is read as a page."""
    assert unread(TEXT, picture(0, 0, 595, 842)) == {"page": 1}
