"""Texts of scanned pages between the text of a PDF."""

from rich_agent.documents.extract.extracted import Extracted
from rich_agent.documents.extract.markdown import Block, Section
from rich_agent.documents.extract.pdf.scans import PageContent, with_page_texts
from rich_agent.domain.inventory import Inventory, PartCount


def block(text: str, page: int) -> Block:
    """A paragraph of a page."""
    return Block(text, anchor=f"page={page}")


def test_page_texts_stand_in_the_order_of_pages_under_the_headings_there() -> None:
    """A section that goes on behind a scan is parted there; what was not read stays unread."""
    sections = (
        Section(("Pumps",), "page=1", (block("One.", 1), block("Four.", 4))),
        Section(("Fees",), "page=5", (block("Five.", 5),)),
        Section(("list.csv",), "", (Block("An attached file."),)),
    )
    inventory = Inventory((PartCount("page", 4),))
    document = Extracted("T", "", sections, inventory=inventory, bare_pages=(2, 3, 6, 7))
    table = PageContent("# Two\n\n| a |\n|---|\n| b |")
    texts = {2: table, 3: PageContent(""), 6: PageContent("Six.")}
    found = with_page_texts(document, texts)
    assert [
        (section.path, section.anchor, [part.text for part in section.blocks])
        for section in found.sections
    ] == [
        (("Pumps",), "page=1", ["One."]),
        (("Pumps", "Two"), "page=2", ["| a |\n|---|\n| b |"]),
        (("Pumps",), "page=4", ["Four."]),
        (("Fees",), "page=5", ["Five."]),
        (("Fees",), "page=6", ["Six."]),
        (("list.csv",), "", ["An attached file."]),
    ]
    assert (found.inventory.unread, found.bare_pages) == ({"page": 1}, (7,))
    assert found.text.split("\n\n")[:4] == ["# Pumps", "One.", "## Two", "| a |\n|---|\n| b |"]


def test_text_of_a_page_has_no_invisible_letters() -> None:
    """A page may be hostile, and its text is one from outside."""
    document = Extracted("T", "", (), bare_pages=(1,))
    (section,) = with_page_texts(document, {1: PageContent("Pay\u200b now\U000e0041.")}).sections
    assert section.blocks[0].text == "Pay now."


def test_text_of_ocr_is_plain() -> None:
    """No mark that the paper has by chance becomes a heading."""
    document = Extracted("T", "", (), bare_pages=(1,))
    read = {1: PageContent("# 12 Main St\nOslo\n\nDear", is_plain=True)}
    (section,) = with_page_texts(document, read).sections
    assert section.path == ()
    assert [part.text for part in section.blocks] == ["# 12 Main St\nOslo", "Dear"]
