"""PDF files, written by ReportLab and fpdf2 and changed by pikepdf."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pikepdf
from fpdf import FPDF
from fpdf.fonts import FontFace
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    PageBreak,
    PageTemplate,
    Paragraph,
    SimpleDocTemplate,
    Table,
)

from bench.formats.making.facts import Draft, Make
from bench.formats.making.pictures import picture, scan

_DEJAVU: Final = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
_CJK: Final = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"


def _styles() -> Any:
    pdfmetrics.registerFont(TTFont("DejaVu", _DEJAVU))
    styles = getSampleStyleSheet()
    for style in styles.byName.values():
        style.fontName = "DejaVu"
    return styles


def _lines(draft: Draft) -> list[str]:
    return [draft.shown(text) for clause in draft["clauses"] for text in clause]


def report(draft: Draft, target: Path) -> None:
    """A report with headings, paragraphs, a table with lines, head and foot of each page."""
    styles = _styles()
    story: list[Flowable] = [Paragraph(draft.shown(draft["title"]), styles["Title"])]
    header, footer = draft["header"], draft["footer"]

    def edges(canvas: Any, _: Any) -> None:
        canvas.setFont("DejaVu", 8)
        canvas.drawString(60, A4[1] - 30, header)
        canvas.drawString(60, 30, f"{footer} · {canvas.getPageNumber()}")

    for heading, *sentences in draft["clauses"] * 2:
        story.append(Paragraph(draft.shown(heading), styles["Heading2"]))
        words = ". ".join(draft.shown(sentence) for sentence in sentences * 3)
        story.append(Paragraph(f"{words}.", styles["BodyText"]))
    story.append(PageBreak())
    head, rows = draft.table()
    grid = [("GRID", (0, 0), (-1, -1), 0.5, "black"), ("FONT", (0, 0), (-1, -1), "DejaVu")]
    story.append(Table([head, *rows], style=grid))
    SimpleDocTemplate(str(target)).build(story, onFirstPage=edges, onLaterPages=edges)


def columns(draft: Draft, target: Path) -> None:
    """A paper in two columns."""
    styles = _styles()
    width, height = A4
    frames = [Frame(40 + at * (width / 2 - 30), 40, width / 2 - 50, height - 80) for at in range(2)]
    story = []
    for heading, *sentences in draft["clauses"] * 5:
        story.append(Paragraph(draft.shown(heading), styles["Heading2"]))
        words = ". ".join(draft.shown(sentence) for sentence in sentences * 4)
        story.append(Paragraph(f"{words}.", styles["BodyText"]))
    document = BaseDocTemplate(str(target), pagesize=A4)
    document.addPageTemplates(PageTemplate(frames=frames))
    document.build(story)


def _drawn(target: Path, size: float, *, rotation: int = 0) -> Canvas:
    _styles()
    canvas = Canvas(str(target), pagesize=A4)
    canvas.setPageRotation(rotation)
    canvas.setFont("DejaVu", size)
    return canvas


def label_small(draft: Draft, target: Path) -> None:
    """A label in letters of six points."""
    canvas = _drawn(target, 6)
    for at, line in enumerate(_lines(draft)):
        canvas.drawString(50, 700 - 9 * at, line)
    canvas.save()


def _turned(rotation: int) -> Make:
    def write(draft: Draft, target: Path) -> None:
        canvas = _drawn(target, 7, rotation=rotation)
        canvas.saveState()
        width, height = A4
        # The words are upright for a reader: what the page is turned by, they are turned back by.
        # A page turned by a quarter is as wide as it was high.
        canvas.translate(*{90: (width, 0), 180: (width, height), 270: (0, width)}[rotation])
        canvas.rotate(rotation)
        canvas.setFont("DejaVu", 7)
        for at, line in enumerate(_lines(draft)):
            canvas.drawString(50, 500 - 12 * at, line)
        canvas.save()

    return write


def sideways(draft: Draft, target: Path) -> None:
    """A wide table that was drawn sideways on an upright page, under an upright title."""
    canvas = _drawn(target, 9)
    canvas.drawString(60, 780, draft.shown(draft["title"]))
    canvas.rotate(90)
    canvas.setFont("DejaVu", 8)
    for at, line in enumerate(_lines(draft)):
        canvas.drawString(80, -100 - 14 * at, line)
    canvas.save()


def concealed(draft: Draft, target: Path) -> None:
    """White, tiny, transparent, unpainted, cropped and covered words; white ones on black."""
    canvas = _drawn(target, 11)
    canvas.drawString(60, 780, draft.shown(draft["title"]))
    canvas.setFillColorRGB(1, 1, 1)
    canvas.drawString(60, 700, draft.hidden())
    canvas.setFillColorRGB(0, 0, 0)
    canvas.setFont("DejaVu", 0.8)
    canvas.drawString(60, 680, draft.hidden())
    canvas.setFont("DejaVu", 11)
    canvas.saveState()
    unpainted = canvas.beginText(60, 660)
    unpainted.setTextRenderMode(3)
    unpainted.textLine(draft.hidden())
    canvas.drawText(unpainted)
    canvas.restoreState()
    canvas.saveState()
    canvas.setFillAlpha(0)
    canvas.drawString(60, 640, draft.hidden())
    canvas.restoreState()
    canvas.drawString(60, -200, draft.hidden())
    canvas.rect(50, 590, 500, 30, fill=1)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.drawString(60, 600, draft.shown(draft["footer"]))
    canvas.setFillColorRGB(0, 0, 0)
    canvas.drawString(60, 560, draft.shown(draft["note"]))
    canvas.save()


def form(draft: Draft, target: Path) -> None:
    """A form: values of text fields, a ticked and an empty box, a choice."""
    canvas = _drawn(target, 11)
    fields = canvas.acroForm
    for at, (label, value) in enumerate(draft["fields"]):
        canvas.drawString(60, 740 - 40 * at, f"{label}:")
        fields.textfield(
            name=f"f{at}", value=draft.shown(value), x=160, y=732 - 40 * at, width=300, height=24
        )
    for at, step in enumerate(draft["steps"][:2]):
        canvas.drawString(90, 560 - 40 * at, draft.shown(step))
        fields.checkbox(name=f"b{at}", checked=at == 0, x=60, y=555 - 40 * at, size=16)
    choice = draft.shown()
    fields.choice(
        name="choice", options=[choice, "other"], value=choice, x=160, y=440, width=200, height=24
    )
    canvas.save()


def units(draft: Draft, target: Path) -> None:
    """A page that is measured in inches, by UserUnit."""
    first = io.BytesIO()
    canvas = Canvas(first, pagesize=(8.5, 11))
    canvas.setFont("Helvetica", 12 / 72)
    for at, line in enumerate(_lines(draft)):
        canvas.drawString(1, 10 - 0.4 * at, line)
    canvas.save()
    with pikepdf.open(first) as document:
        document.pages[0].UserUnit = 72
        document.save(target)


def remarks(draft: Draft, target: Path) -> None:
    """A letter with a remark, a note in a free box, and a link."""
    first = io.BytesIO()
    _styles()
    canvas = Canvas(first, pagesize=A4)
    canvas.setFont("DejaVu", 11)
    canvas.drawString(60, 780, draft.shown(draft["subject"]))
    canvas.save()
    with pikepdf.open(first) as document:
        remark = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot,
            Subtype=pikepdf.Name.Text,
            Rect=[300, 700, 320, 720],
            Contents=draft.shown(draft["note"]),
            T="E. Example",
        )
        document.pages[0].Annots = document.make_indirect(pikepdf.Array([remark]))
        document.save(target)


def scanned(draft: Draft, target: Path) -> None:
    """A page with text, and a scanned one without."""
    canvas = _drawn(target, 11)
    canvas.drawString(60, 780, draft.shown(draft["subject"]))
    canvas.showPage()
    lines = [draft["title"], *draft["steps"]]
    canvas.drawImage(ImageReader(scan(lines)), 0, 0, *A4)
    canvas.save()
    draft.truth.has_unreadable = True


def scanned_with_words(draft: Draft, target: Path) -> None:
    """A scanned page with the words of a recognition, unpainted below the picture."""
    canvas = _drawn(target, 14)
    lines = [draft.shown(line) for line in [draft["title"], *draft["steps"]]]
    canvas.drawImage(ImageReader(scan(lines)), 0, 0, *A4)
    words = canvas.beginText(60, 770)
    words.setTextRenderMode(3)
    for line in lines:
        words.textLine(line)
    canvas.drawText(words)
    canvas.save()


def pictures(draft: Draft, target: Path) -> None:
    """A page with words and a picture."""
    canvas = _drawn(target, 11)
    canvas.drawString(60, 780, draft.shown(draft["subject"]))
    canvas.drawImage(ImageReader(picture()), 60, 400, 320, 210)
    canvas.drawString(60, 380, draft.shown(draft["picture"]))
    canvas.save()
    draft.truth.has_unreadable = True


def hyphens(draft: Draft, target: Path) -> None:
    """Compounds, type numbers and ranges whose hyphen ends a line, and a word that is parted."""
    canvas = _drawn(target, 12)
    pieces = [
        "a state-of-the-",
        "art pump, self-",
        "priming, of type AB-",
        "200, is main-",
        "tained",
    ]
    shown = "a state-of-the-art pump, self-priming, of type AB-200, is maintained"
    for at, piece in enumerate([*pieces, code := draft.shown()]):
        canvas.drawString(60, 760 - 16 * at, piece)
    canvas.save()
    draft.truth.seen = f"{shown} {code}"


def by_another(draft: Draft, target: Path) -> None:
    """A price list of fpdf2, with a table."""
    document = FPDF()
    document.add_page()
    document.add_font("Writing", fname=_CJK if draft.language == "ja" else _DEJAVU)
    document.set_font("Writing", size=11)
    document.cell(text=draft.shown(draft["subject"]), new_x="LMARGIN", new_y="NEXT")
    head, rows = draft.table()
    with document.table(headings_style=FontFace()) as table:
        for row in [head, *rows]:
            table.row(row)
    document.set_font("Writing", size=9)
    for line in _lines(draft):
        document.multi_cell(0, text=line, new_x="LMARGIN", new_y="NEXT")
    document.output(str(target))


def locked(draft: Draft, target: Path) -> None:
    """A file that may be opened without a password, but not changed."""
    report(draft, target)
    with pikepdf.open(target, allow_overwriting_input=True) as document:
        document.save(target, encryption=pikepdf.Encryption(owner="secret", user=""))


MAKES: Final[Mapping[str, tuple[Make, Sequence[str]]]] = {
    "report": (report, ("en", "de", "fr", "ru")),
    "columns": (columns, ("en", "de")),
    "label_small": (label_small, ("en", "de")),
    "turned_90": (_turned(90), ("en", "de")),
    "turned_180": (_turned(180), ("en",)),
    "turned_270": (_turned(270), ("en", "ru")),
    "sideways": (sideways, ("en", "fr")),
    "concealed": (concealed, ("en", "de")),
    "form": (form, ("en", "de")),
    "units": (units, ("en",)),
    "remarks": (remarks, ("en",)),
    "scanned": (scanned, ("en",)),
    "scanned_with_words": (scanned_with_words, ("en",)),
    "pictures": (pictures, ("en",)),
    "hyphens": (hyphens, ("en",)),
    "by_another": (by_another, ("en", "ja", "es")),
    "locked": (locked, ("en",)),
}
