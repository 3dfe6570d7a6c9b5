"""Reads pages without text, each page of a file once: by the vision model within a budget, or OCR.

OCR reads what the vision model does not. Once there is a budget for them, the model reads these
pages, too.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import structlog

from rich_agent.documents.extract.extracted import Extracted
from rich_agent.documents.extract.pdf.ocr import OCR_S, Ocr, PageForOcr, read_by_ocr
from rich_agent.documents.extract.pdf.rendering import RENDERING_S, PdfPage, render_page
from rich_agent.documents.extract.pdf.scans import PageContent, with_page_texts
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.index.scanned_pages import (
    PageOfFile,
    PostgresScannedPages,
    ScannedPage,
)
from rich_agent.documents.source import Source
from rich_agent.domain.text import counted
from rich_agent.domain.vision import Image
from rich_agent.errors import UpstreamError
from rich_agent.ports.models import VisionModel
from rich_agent.repositories.database.pools import Pool
from rich_agent.runtime.concurrency import run_all
from rich_agent.runtime.metering import Meter, bill_to
from rich_agent.runtime.readers import Effort, ReaderFailedError, ReaderRefusedError, read_apart

_PAGES_AT_ONCE = 4
_MOST_FAILURES = 3
_PROMPT = "N13_read_page"
_OCR = "ocr:"
_Look = Callable[[PdfPage, str], Awaitable[str | None]]
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PageReading:
    """The means to read pages without text.

    `vision`: the vision model, None without one.
    `most_pages`: the number of pages that it may be shown in a sync.
    `ocr`: Tesseract on this machine; None without it, for the reason in `no_ocr`.
    """

    vision: VisionModel | None = None
    most_pages: int = 0
    ocr: Ocr | None = None
    no_ocr: str = ""


@dataclass(slots=True)
class PageCounts:
    """Numbers of pages without text: read in this sync, and left unread in documents it read.

    `waiting`: the unread ones for which the budget was too small.
    """

    read: int = 0
    unread: int = 0
    waiting: int = 0


@dataclass(slots=True)
class ScanReader:
    """Reads the pages without text of documents of all sources of one sync.

    Each text is stored at once, so that no page is paid for twice. After three failures in a row,
    the model is not asked again.
    """

    pool: Pool
    reading: PageReading
    counts: PageCounts = field(default_factory=PageCounts)
    meter: Meter = field(default_factory=Meter)
    _left: int = field(init=False)
    _failures: int = field(init=False, default=0)
    _problem: str = field(init=False, default="")
    _slots: asyncio.Semaphore = field(
        init=False, default_factory=lambda: asyncio.Semaphore(_PAGES_AT_ONCE)
    )

    def __post_init__(self) -> None:
        self._left = self.reading.most_pages if self.reading.vision else 0

    @property
    def _reader(self) -> str:
        """The name under which the vision model's texts are stored, "" without one."""
        return f"vision:{self.reading.vision.name}" if self.reading.vision else ""

    @property
    def _ocr_reader(self) -> str:
        """The name under which texts of OCR are stored, "" without it."""
        return f"{_OCR}{self.reading.ocr.languages}" if self.reading.ocr else ""

    async def due(self, source_id: str, urls: Sequence[str] | None = None) -> frozenset[str]:
        """The documents to read again although they are unchanged, as many as the budget allows."""
        pages = PostgresScannedPages(self.pool, source_id)
        due_urls: set[str] = set()
        if self.reading.ocr is not None:
            due_urls.update(await pages.due(urls, self._ocr_reader, replaces_all=False))
        if self._left <= 0:
            return frozenset(due_urls)
        due_pages = 0
        for url, page_count in (await pages.due(urls, self._reader, replaces_all=True)).items():
            if due_pages >= self._left:
                break
            due_pages += page_count
            due_urls.add(url)
        return frozenset(due_urls)

    async def fill_in(self, source: Source, raw: RawDocument, document: Extracted) -> Extracted:
        """The document with the text of its pages, as far as they were read before or can be now.

        Raises: DatabaseUnavailableError.
        """
        if not document.bare_pages:
            return document
        stored_pages = PostgresScannedPages(self.pool, source.id)
        file_hash = await asyncio.to_thread(lambda: hashlib.sha256(raw.data).hexdigest())
        preferred_reader = self._reader or self._ocr_reader
        pages = await stored_pages.note(raw.url, file_hash, document.bare_pages, preferred_reader)
        readers = {page.number: page.reader for page in pages if page.reader}
        texts = {page.number: page.content for page in pages if page.reader}

        def content_of(number: int) -> PageContent:
            return PageContent(texts[number], is_plain=readers[number].startswith(_OCR))

        async def read(number: int, look: _Look, reader: str) -> None:
            text = await look(PdfPage(raw.data, number), source.root_url)
            page = PageOfFile(raw.url, file_hash, number)
            if text is None:
                await stored_pages.put_off(page)
            else:
                await stored_pages.store(page, reader, text)
                texts[number], readers[number] = text, reader
                self.counts.read += content_of(number).is_read

        taken_numbers, left_numbers = self._take(pages)
        await run_all(read(number, self._look, self._reader) for number in taken_numbers)
        ocr_numbers = self._for_ocr(document.bare_pages, readers)
        await run_all(read(number, self._look_by_ocr, self._ocr_reader) for number in ocr_numbers)
        self.counts.waiting += sum(number not in texts for number in left_numbers)
        filled_in = with_page_texts(document, {number: content_of(number) for number in texts})
        self.counts.unread += len(filled_in.bare_pages)
        return filled_in

    def notes(self) -> Iterator[str]:
        """The messages to the person who runs the sync: failures, the budget, how to read more."""
        if self._problem:
            yield f"pages without text: {self._problem}"
        if self.counts.waiting:
            pages = counted(self.counts.waiting, "page")
            yield (
                f"{pages} without text wait for the next sync: "
                f"INGEST_SCANNED_PAGES is {self.reading.most_pages}"
            )
        if self.counts.unread and self.reading.vision is None and self.reading.ocr is None:
            yield (
                "set INGEST_SCANNED_PAGES to have the vision model read pages without text; "
                f"to have OCR read them on this machine, {self.reading.no_ocr}"
            )

    def _take(self, pages: Sequence[ScannedPage]) -> tuple[list[int], list[int]]:
        """The pages to show to the model, which are taken from the budget, and those left over."""
        if self.reading.vision is None:
            return [], []
        numbers = [page.number for page in pages if page.reader != self._reader]
        taken_count = min(self._left, len(numbers))
        self._left -= taken_count
        return numbers[:taken_count], numbers[taken_count:]

    def _for_ocr(self, numbers: Sequence[int], readers: Mapping[int, str]) -> list[int]:
        """The pages that nothing has read, or OCR in other languages."""
        if self.reading.ocr is None:
            return []
        return [
            number
            for number in numbers
            if (reader := readers.get(number, _OCR)).startswith(_OCR) and reader != self._ocr_reader
        ]

    async def _look_by_ocr(self, page: PdfPage, owner: str) -> str | None:
        """The text that OCR reads on a page, None if it cannot be read."""
        if self.reading.ocr is None:
            return None
        work = PageForOcr(page, self.reading.ocr)
        try:
            async with self._slots:
                return await read_apart(read_by_ocr, work, str, owner, Effort(OCR_S, shares=False))
        except ReaderRefusedError as error:
            # It would be refused each time.
            _log.warning("page_not_read", page=page.number, error=str(error))
            return ""
        except ReaderFailedError as error:
            _log.warning("page_not_read", page=page.number, error=str(error))
            self._problem = self._problem or str(error)
            return None

    async def _look(self, page: PdfPage, owner: str) -> str | None:
        """The text of a page, None if it cannot be read now."""
        # Prompts take a while to load, and few syncs need them.
        from rich_agent.prompts import render_prompt  # noqa: PLC0415 - see above

        async with self._slots:
            if self.reading.vision is None or self._failures >= _MOST_FAILURES:
                return None
            try:
                effort = Effort(RENDERING_S, shares=False)
                picture = await read_apart(render_page, page, bytes, owner, effort)
                with bill_to(self.meter, _PROMPT):
                    text = await self.reading.vision.transcribe(
                        Image(picture, "image/jpeg"), render_prompt(_PROMPT)
                    )
            except (ReaderFailedError, ReaderRefusedError) as error:
                _log.warning("page_not_rendered", page=page.number, error=str(error))
                self._left += 1  # the model was not asked
                return None
            except UpstreamError as error:
                self._failures += 1
                self._problem = self._problem or error.explain()
                return None
        self._failures = 0
        return text
