"""Reads pages without text of a PDF by Tesseract on this machine; `read_by_ocr` runs in a reader.

Its binding, tesserocr, holds the program. The data of languages come from the system.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.pdf.rendering import PdfPage, page_image
from rich_agent.errors import RichAgentError
from rich_agent.runtime.confinement import OCR_DATA
from rich_agent.runtime.own_package import extra_hint

OCR_S: Final = 120.0
"""Seconds that reading a page may take."""
_SIDE_PX: Final = 2_500
_MOST_LANGUAGES: Final = 4
_NO_LANGUAGES: Final = frozenset({"equ", "osd"})
_ENDING: Final = ".traineddata"


class OcrUnavailableError(RichAgentError):
    """OCR cannot be used on this machine; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Ocr:
    """Tesseract on this machine: the folder of its data, and the languages, joined by "+"."""

    folder: str
    languages: str


@dataclass(frozen=True, slots=True)
class PageForOcr:
    """A page, and the means to read it."""

    page: PdfPage
    ocr: Ocr


def find_ocr(languages: str | None) -> Ocr:
    """Tesseract for these languages, or for all that are installed, if they are four at most.

    It is switched off by the language `none`.

    Raises: OcrUnavailableError.
    """
    if languages == "none":
        raise OcrUnavailableError("take `none` out of OCR_LANGUAGES")
    if find_spec("tesserocr") is None:
        hint = extra_hint("ocr")
        raise OcrUnavailableError(hint[0].lower() + hint[1:])
    folder, installed_languages = next(_installed(), ("", frozenset[str]()))
    if not installed_languages:
        raise OcrUnavailableError(
            "install the data of a language for Tesseract, such as Debian's tesseract-ocr-deu"
        )
    chosen_languages = languages.split("+") if languages else sorted(installed_languages)
    if missing_languages := sorted(set(chosen_languages) - installed_languages):
        raise OcrUnavailableError(
            f"install Tesseract's data for {', '.join(missing_languages)}, or change OCR_LANGUAGES"
        )
    if len(chosen_languages) > _MOST_LANGUAGES:
        raise OcrUnavailableError(
            f"set OCR_LANGUAGES to up to {_MOST_LANGUAGES} of the {len(chosen_languages)} languages"
        )
    return Ocr(folder, "+".join(chosen_languages))


def _installed() -> Iterator[tuple[str, frozenset[str]]]:
    """The folders with data of languages, and the names of these languages."""
    folders = [folder for place in OCR_DATA for folder in sorted(Path(place).rglob("tessdata"))]
    for folder in [*folders, *map(Path, OCR_DATA)]:
        names = {file.name.removesuffix(_ENDING) for file in folder.glob(f"*{_ENDING}")}
        if names - _NO_LANGUAGES:
            yield str(folder), frozenset(names - _NO_LANGUAGES)


def read_by_ocr(page: PageForOcr) -> str:
    """The text on a page, "" if there is none. Raises: ExtractionError."""
    # Readers share the processors, and more threads make one page hardly faster.
    os.environ["OMP_THREAD_LIMIT"] = "1"
    import tesserocr  # noqa: PLC0415 - an extra, which few readers need

    image = page_image(page.page, _SIDE_PX).convert("L")
    try:
        with tesserocr.PyTessBaseAPI(path=page.ocr.folder, lang=page.ocr.languages) as tesseract:
            tesseract.SetImage(image)
            text: str = tesseract.GetUTF8Text()
    except RuntimeError as error:
        raise ExtractionError(f"page {page.page.number} cannot be read by OCR: {error}") from error
    return text.strip()
