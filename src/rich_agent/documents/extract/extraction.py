"""Converts documents to titles and sections; the same text always gives the same sections.

Formats other than plain text and PDF become HTML, then Markdown, which is their normal form.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import chain
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from html_to_markdown import ConversionError
from lxml.html import HtmlElement
from lxml.html.defs import tags
from markdown_it.token import Token

from rich_agent.documents.extract.archive import zip_files
from rich_agent.documents.extract.containers import Container, Unpacking, joined, read_container
from rich_agent.documents.extract.dialects.blocks import common_markdown
from rich_agent.documents.extract.epub import epub_html
from rich_agent.documents.extract.extracted import (
    PIPELINE_VERSION,
    Extracted,
    ExtractionError,
    PageKind,
)
from rich_agent.documents.extract.html import (
    canonical_url,
    page_markdown,
    page_title,
    parse_page,
    whole_markdown,
)
from rich_agent.documents.extract.mail import (
    Mail,
    MailText,
    read_mail,
    read_message,
    read_saved_page,
    split_mailbox,
)
from rich_agent.documents.extract.markdown import (
    Block,
    Section,
    is_attribute_list,
    leading_heading,
    markdown_sections,
    parser,
    sections_markdown,
    split_front_matter,
    text_sections,
    top_headings,
)
from rich_agent.documents.extract.opendocument import opendocument_html
from rich_agent.documents.extract.page_kinds import page_kind
from rich_agent.documents.extract.plain import decode, has_byte_order_mark, visible
from rich_agent.documents.extract.rtf import rtf_html
from rich_agent.documents.extract.sheets.delimited import delimited_sheet
from rich_agent.documents.extract.sheets.sheet import Sheet
from rich_agent.documents.extract.sheets.sheets_html import sheets_html
from rich_agent.documents.extract.slides import pptx_html
from rich_agent.documents.extract.word import docx_html
from rich_agent.documents.fetch.directions import page_forbids_indexing
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.media import (
    CONTAINER_TYPES,
    MediaType,
    is_encrypted_office,
    is_old_office,
    sniff_type,
    type_of_zip,
)
from rich_agent.domain.inventory import Tally

__all__ = ["PIPELINE_VERSION", "Extracted", "ExtractionError", "extract"]

_BINARY_WITHIN = 4_096
_NUMBERED = re.compile(r"\d+(?:\.\d+)*\.?\s")
_LETTERS = re.compile(r"[^\W_]+")
_TAG_NAME = re.compile(r"</?([A-Za-z][\w:-]*)")
_TAGS = tags | {"bdi", "data", "dialog", "main", "picture", "search", "slot", "svg", "template"}
_MOST_ROWS = 200_000


def extract(raw: RawDocument, *, most_rows: int | None = None) -> Extracted:
    """The title, text and sections of a document.

    `most_rows` limits the rows that are read of each sheet of a spreadsheet. A document of which a
    person sees something, but no text, has no sections. Hostile documents may take long: see
    `isolation`.

    Raises: ExtractionError.
    """
    return _extract(raw, most_rows, Unpacking())


def _extract(raw: RawDocument, most_rows: int | None, unpacking: Unpacking) -> Extracted:
    media_type = _actual_type(raw)
    if media_type == "application/zip":
        media_type = type_of_zip(raw.data) or media_type
    try:
        if media_type in CONTAINER_TYPES:
            document = _from_container(raw, media_type, most_rows, unpacking)
        elif media_type == "application/pdf":
            document = _from_pdf(raw.data, most_rows, unpacking)
        else:
            document = _extract_as(raw, media_type, most_rows)
    except ConversionError as error:
        raise ExtractionError(f"the page cannot be converted: {error}") from error
    title_block = Block(document.title, kind="heading")
    if document.sections and document.sections[0].blocks == (title_block,):
        document = replace(document, sections=document.sections[1:])
    if not document.sections and not document.inventory.missing:
        raise ExtractionError("no text found", "empty")
    if not document.title:
        return replace(document, title=_name(quote(raw.name, safe="") or raw.url))
    return _without_title(document, is_page=media_type == "text/html")


def _actual_type(raw: RawDocument) -> MediaType:
    """The type by which a document is read, which its bytes may tell better than its name."""
    if is_encrypted_office(raw.data):
        raise ExtractionError("the file is encrypted", "encrypted")
    if is_old_office(raw.data):
        raise ExtractionError("it has an old Office format: save it as DOCX, XLSX, PPTX or PDF")
    actual_type = sniff_type(raw.data)
    if raw.media_type in _ARCHIVES and not raw.data.startswith(b"PK"):
        return actual_type or raw.media_type
    if raw.media_type != "application/rtf" and raw.media_type not in _OF_TEXT:
        return raw.media_type
    if not _is_binary(raw.data):
        is_misnamed = raw.media_type == "application/rtf" and actual_type != "application/rtf"
        return "text/plain" if is_misnamed else raw.media_type
    if actual_type is None or actual_type in _OF_TEXT:
        raise ExtractionError("this is not text")
    return actual_type


def _without_title(document: Extracted, *, is_page: bool) -> Extracted:
    """The document without the heading that is its title.

    Pages repeat the title as a paragraph, which is removed, too.
    """
    text, sections = document.text, document.sections
    if text.startswith("# ") and leading_heading(text) == (1, document.title):
        text = text.partition("\n")[2].lstrip("\n")
    if not is_page or not sections:
        return replace(document, text=text)
    first_block, *other_blocks = sections[0].blocks
    has_more = bool(other_blocks or sections[1:])
    if has_more and _LETTERS.findall(first_block.text) == _LETTERS.findall(document.title):
        text = text.removeprefix(first_block.text).lstrip("\n")
        first_sections = (replace(sections[0], blocks=tuple(other_blocks)),) if other_blocks else ()
        sections = (*first_sections, *sections[1:])
    return replace(document, text=text, sections=sections)


def _is_binary(data: bytes) -> bool:
    head = data[:_BINARY_WITHIN]
    has_signature = head.startswith((b"%PDF-", b"PK\x03\x04"))
    return has_signature or (b"\0" in head and not has_byte_order_mark(data))


def _extract_as(raw: RawDocument, media_type: MediaType, most_rows: int | None) -> Extracted:
    if media_type in _OF_TEXT:
        is_html = media_type == "text/html"
        text = visible(decode(raw.data, raw.charset, is_html=is_html))
        return _from_page(text, raw.url) if is_html else _OF_TEXT[media_type](text)
    if media_type == "application/x-ipynb+json":
        # Notebooks load pydantic, which no other document needs.
        from rich_agent.documents.extract.plain import notebook_markdown  # noqa: PLC0415 - see above

        return _from_markdown(visible(notebook_markdown(raw.data)))
    if media_type in _SPREADSHEETS:
        # A reader loads only what the format of its document needs.
        from rich_agent.documents.extract.sheets.sheets import sheets_of  # noqa: PLC0415 - see above

        tally = Tally()
        return _from_sheets(sheets_of(raw.data, media_type, None, tally), most_rows, tally)
    html, tally = _TO_HTML[media_type](raw.data)
    return replace(_from_html(visible(html)), inventory=tally.inventory())


def _from_container(
    raw: RawDocument, media_type: MediaType, most_rows: int | None, unpacking: Unpacking
) -> Extracted:
    """A file that holds other files, or the page of which it is the saved form."""
    if media_type in _PAGES and (page := read_saved_page(raw.data)):
        html, address = page
        document = _from_page(html, address)
        return replace(document, canonical_url="")
    if media_type == "application/zip":
        container = Container(Extracted("", "", ()), zip_files(raw.data), "file")
    elif media_type == "application/mbox":
        container = Container(Extracted("", "", ()), split_mailbox(raw.data), "file")
    elif media_type == "application/vnd.ms-outlook":
        from rich_agent.documents.extract.outlook import outlook_message  # noqa: PLC0415 - as above

        container = _mail_container(read_message(outlook_message(raw.data)))
    else:
        container = _mail_container(read_mail(raw.data))
    return read_container(container, unpacking, lambda inner: _extract(inner, most_rows, unpacking))


def _mail_container(mail: Mail) -> Container:
    """A mail with its attachments: who, to whom and when, then the text."""
    texts = [_from_plain_text(mail.head_text), *map(_mail_text, mail.texts)]
    sections = joined([text.sections for text in texts])
    text = "\n\n".join(text.text for text in texts if text.text)
    return Container(
        Extracted(mail.subject, text, sections), mail.attachments, "attachment", mail.tally
    )


def _mail_text(text: MailText) -> Extracted:
    return _from_html(text.text) if text.is_html else _from_plain_text(text.text)


def _from_page(text: str, url: str) -> Extracted:
    """The main content of a web page. Raises: ExtractionError for a page that is not content."""
    page = parse_page(text)
    if page is None:
        return Extracted("", "", ())
    if kind := page_kind(page):
        raise ExtractionError(_NO_CONTENT[kind], kind)
    title, own_url = page_title(page), canonical_url(page, url)
    is_noindex = page_forbids_indexing(page)
    markdown = visible(page_markdown(page)).strip()
    sections = markdown_sections(markdown, slugs=False)
    return Extracted(
        _page_title(title, markdown), markdown, tuple(sections), own_url, is_noindex=is_noindex
    )


def _page_title(title: str, markdown: str) -> str:
    """The title of a page.

    It is the only level-1 heading, if the <title> contains this heading, or if the page begins with
    it and it has no number: a numbered heading that the <title> lacks is only the first part of the
    page. Otherwise it is the heading that the page begins with, if there is no <title> or if the
    <title> begins with the same words, and else the <title>.
    """
    _, first_heading = leading_heading(markdown)
    titles = top_headings(markdown)
    if len(titles) == 1 and (
        titles[0] in title or (titles[0] == first_heading and not _NUMBERED.match(first_heading))
    ):
        return titles[0]
    return (
        first_heading if not title or (first_heading and title.startswith(first_heading)) else title
    )


def _heading_title(markdown: str) -> str:
    """The level-1 heading if no text precedes it, else ""."""
    level, words = leading_heading(markdown)
    return words if level == 1 else ""


def _from_html(text: str) -> Extracted:
    """The whole of a document that was converted to HTML from another format."""
    page = parse_page(text)
    return _whole(page, page_title(page) if page is not None else "", slugs=False)


def _from_markdown(text: str) -> Extracted:
    title, body = split_front_matter(text)
    return _whole(parse_page(_render_html(common_markdown(body))), title, slugs=True)


def _whole(page: HtmlElement | None, title: str, *, slugs: bool) -> Extracted:
    """All visible content of a page.

    Without `title`, the level-1 heading that it begins with is the title.
    """
    if page is None:
        return Extracted(title, "", ())
    markdown = visible(whole_markdown(page)).strip()
    sections = markdown_sections(markdown, slugs=slugs, bare_headings=True)
    return Extracted(title or _heading_title(markdown), markdown, tuple(sections))


def _from_plain_text(text: str) -> Extracted:
    return Extracted("", text.strip(), tuple(text_sections(text)))


def _from_rst(text: str) -> Extracted:
    # A reader loads only what the format of its document needs.
    from rich_agent.documents.extract.restructured import restructured_html  # noqa: PLC0415

    return _from_html(restructured_html(text))


def _from_csv(text: str) -> Extracted:
    return _from_sheets([delimited_sheet(text)], _MOST_ROWS, Tally())


def _from_sheets(sheets: Iterable[Sheet], most_rows: int | None, tally: Tally) -> Extracted:
    html, is_partial = sheets_html(sheets, most_rows)
    document = _from_html(visible(html))
    return replace(document, is_partial=is_partial, inventory=tally.inventory())


def _from_pdf(data: bytes, most_rows: int | None, unpacking: Unpacking) -> Extracted:
    """The text of a PDF, then that of the files that are attached to it."""
    from rich_agent.documents.extract.pdf.sections import read_pdf  # noqa: PLC0415 - as above

    content = read_pdf(data)
    visible_sections = tuple(_visible_section(section) for section in content.sections)
    own = Extracted(
        visible(content.title),
        sections_markdown(visible_sections),
        visible_sections,
        inventory=content.inventory,
        bare_pages=content.bare_pages,
    )
    if not content.attachments:
        return own
    container = Container(own, content.attachments, "attachment")
    container.tally.include(own.inventory)
    return read_container(container, unpacking, lambda inner: _extract(inner, most_rows, unpacking))


def _visible_section(section: Section) -> Section:
    blocks = tuple(replace(block, text=visible(block.text)) for block in section.blocks)
    return replace(section, path=tuple(map(visible, section.path)), blocks=blocks)


_NO_CONTENT: Final[Mapping[PageKind, str]] = {
    "sign_in": (
        "the page asks to sign in, and the bot has no account: save the page in a browser where "
        "you are signed in, and add the file"
    ),
    "made_by_scripts": (
        "the page has no text until a browser runs its scripts, and the bot runs none: save the "
        "page in a browser, and add the file"
    ),
    "moved": "the page only leads to another address: add that one",
    "consent": (
        "the page has only a question with buttons, such as for consent, before its content: save "
        "the page behind it in a browser, and add the file"
    ),
}
_OF_TEXT: Final[Mapping[MediaType, Callable[[str], Extracted]]] = {
    "text/html": _from_html,
    "text/markdown": _from_markdown,
    "text/plain": _from_plain_text,
    "text/csv": _from_csv,
    "text/x-rst": _from_rst,
}
_PAGES: Final = frozenset({"message/rfc822", "multipart/related"})
_SPREADSHEETS: Final = frozenset(
    {
        "application/vnd.oasis.opendocument.spreadsheet",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    }
)
_TO_HTML: Final[Mapping[MediaType, Callable[[bytes], tuple[str, Tally]]]] = {
    "application/epub+zip": epub_html,
    "application/rtf": rtf_html,
    "application/vnd.oasis.opendocument.presentation": opendocument_html,
    "application/vnd.oasis.opendocument.text": opendocument_html,
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": pptx_html,
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": docx_html,
}

_ARCHIVES: Final = (_TO_HTML.keys() | _SPREADSHEETS) - {"application/rtf"}


def _render_html(markdown: str) -> str:
    """Markdown as HTML. `<host>` and the like are text that the author forgot to quote."""
    tokens = parser().parse(markdown)
    for child in chain.from_iterable(token.children or () for token in tokens):
        if child.type == "text" and is_attribute_list(child.content):
            child.content = ""
    for token in _raw_html(tokens):
        name = _TAG_NAME.match(token.content.lstrip())
        if name and name[1].lower() not in _TAGS:
            token.content = escape(token.content, quote=False)
    html: str = parser().renderer.render(tokens, parser().options, {})
    return html


def _raw_html(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.type in {"html_block", "html_inline"}:
            yield token
        yield from _raw_html(token.children or ())


def _name(url: str) -> str:
    """A name for a document without a title: its file name or host."""
    parts = urlsplit(url)
    return unquote(PurePosixPath(parts.path).stem) or parts.netloc
