"""Documents of Word, written by python-docx."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from docx import Document
from docx.enum.section import WD_SECTION
from docx.enum.text import WD_BREAK, WD_COLOR_INDEX
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor

from bench.formats.making.facts import Draft, Make
from bench.formats.making.pictures import picture

_NS: Final = " ".join(
    f'xmlns:{prefix}="{address}"'
    for prefix, address in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "v": "urn:schemas-microsoft-com:vml",
    }.items()
)


def _xml(text: str) -> Any:
    return parse_xml(re.sub(r"^<([\w:]+)", rf"<\1 {_NS}", text))


def _numbering(document: Any, levels: Sequence[tuple[str, str]]) -> int:
    """Add a numbering with these formats and patterns of levels; its number is returned."""
    part = document.part.numbering_part.element
    number = 900 + len(part)
    inner = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>'
        f'<w:lvlText w:val="{pattern}"/><w:lvlJc w:val="left"/></w:lvl>'
        for at, (kind, pattern) in enumerate(levels)
    )
    abstract = _xml(
        f'<w:abstractNum w:abstractNumId="{number}">'
        f'<w:multiLevelType w:val="multilevel"/>{inner}</w:abstractNum>'
    )
    first = part.find(qn("w:num"))
    part.insert(part.index(first), abstract) if first is not None else part.append(abstract)
    part.append(_xml(f'<w:num w:numId="{number}"><w:abstractNumId w:val="{number}"/></w:num>'))
    return number


def _number(paragraph: Any, number: int, level: int) -> None:
    properties = paragraph._p.get_or_add_pPr()
    properties.append(
        _xml(f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')
    )


def contract(draft: Draft, target: Path) -> None:
    """A contract whose headings and clauses Word numbers: 1, 1.1, (a)."""
    document = Document()
    document.add_heading(draft.shown(draft["title"]), 0)
    number = _numbering(
        document, [("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)")]
    )
    for heading, *sentences in draft["clauses"]:
        _number(document.add_heading(draft.shown(heading), 1), number, 0)
        for sentence in sentences:
            _number(document.add_paragraph(draft.shown(sentence)), number, 1)
        for step in draft["steps"][:2]:
            _number(document.add_paragraph(draft.shown(step)), number, 2)
    document.save(str(target))


def articles(draft: Draft, target: Path) -> None:
    """Rules with articles in Roman numbers, a list after text, and a list that starts again."""
    document = Document()
    document.add_heading(draft.shown(draft["subject"]), 0)
    articles_number = _numbering(document, [("upperRoman", "Art. %1"), ("decimal", "§ %2")])
    for heading, *sentences in draft["clauses"]:
        _number(document.add_heading(draft.shown(heading), 2), articles_number, 0)
        for sentence in sentences:
            _number(document.add_paragraph(draft.shown(sentence)), articles_number, 1)
    for _ in range(2):
        steps = _numbering(document, [("decimal", "%1)")])
        document.add_paragraph(draft.shown(draft["note"]))
        for step in draft["steps"]:
            _number(document.add_paragraph(draft.shown(step)), steps, 0)
    for step in draft["steps"]:
        document.add_paragraph(draft.shown(step), style="List Bullet")
    document.save(str(target))


def form(draft: Draft, target: Path) -> None:
    """A form with controls for text, dates and choices, and ticked and empty boxes."""
    document = Document()
    document.add_heading(draft.shown(draft["title"]), 0)
    body = document.element.body
    for label, value in draft["fields"]:
        body.insert(
            -1,
            _xml(
                f'<w:p><w:r><w:t xml:space="preserve">{label}: </w:t></w:r><w:sdt><w:sdtPr>'
                f"<w:text/></w:sdtPr><w:sdtContent><w:r><w:t>{draft.shown(value)}</w:t></w:r></w:sdtContent>"
                "</w:sdt></w:p>"
            ),
        )
    for at, step in enumerate(draft["steps"]):
        mark = "☒" if at == 1 else "☐"
        body.insert(
            -1,
            _xml(
                f'<w:p><w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="{int(at == 1)}"/>'
                f"</w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>{mark}</w:t></w:r></w:sdtContent>"
                f'</w:sdt><w:r><w:t xml:space="preserve"> {draft.shown(step)}</w:t></w:r></w:p>'
            ),
        )
    document.save(str(target))


def invoice(draft: Draft, target: Path) -> None:
    """An invoice: address, table, total in merged cells."""
    document = Document()
    for label, value in draft["fields"]:
        document.add_paragraph(f"{label}: {draft.shown(value)}")
    head, rows = draft.table()
    table = document.add_table(rows=0, cols=len(head), style="Table Grid")
    for row in [head, *rows]:
        for cell, value in zip(table.add_row().cells, row, strict=True):
            cell.text = value
    last = table.add_row().cells
    last[0].merge(last[1]).text = draft.shown(draft["note"])
    last[2].text = draft.shown()
    document.add_paragraph(draft.shown(draft["footer"]))
    document.save(str(target))


def groups(draft: Draft, target: Path) -> None:
    """A table whose first column has cells that reach over several rows."""
    document = Document()
    document.add_heading(draft.shown(draft["subject"]), 1)
    head, rows = draft.table()
    table = document.add_table(rows=0, cols=1 + len(head), style="Table Grid")
    for cell, value in zip(table.add_row().cells, ["", *head], strict=True):
        cell.text = value
    for at, group in enumerate(draft["groups"]):
        pair = rows[2 * at : 2 * at + 2]
        cells = [table.add_row().cells for _ in pair]
        for row, values in zip(cells, pair, strict=True):
            for cell, value in zip(row[1:], values, strict=True):
                cell.text = value
        cells[0][0].merge(cells[1][0]).text = group
    document.save(str(target))


def minutes(draft: Draft, target: Path) -> None:
    """Minutes with tracked changes: what was added is seen, what was deleted is not."""
    document = Document()
    document.add_heading(draft.shown(draft["subject"]), 1)
    stamp = 'w:id="{}" w:author="E. Example" w:date="2026-01-02T10:00:00Z"'
    for at, (heading, first, second) in enumerate(draft["clauses"]):
        paragraph = document.add_paragraph(draft.shown(heading) + " ")
        paragraph._p.append(
            _xml(
                f"<w:ins {stamp.format(2 * at)}><w:r><w:t xml:space='preserve'>"
                f"{draft.shown(first)} </w:t></w:r></w:ins>"
            )
        )
        paragraph._p.append(
            _xml(
                f"<w:del {stamp.format(2 * at + 1)}><w:r><w:delText>{draft.hidden(second)}"
                "</w:delText></w:r></w:del>"
            )
        )
    document.save(str(target))


def letter(draft: Draft, target: Path) -> None:
    """A letter with header, footer, a first page of its own, and a box of text."""
    document = Document()
    section = document.sections[0]
    section.different_first_page_header_footer = True
    section.first_page_header.paragraphs[0].text = draft.shown(draft["header"])
    document.add_paragraph(draft.shown(draft["subject"]))
    box = draft.shown(draft["fields"][0][1])
    document.add_paragraph()._p.append(_xml(_box(box)))
    for _, first, second in draft["clauses"]:
        document.add_paragraph(f"{draft.shown(first)}. {draft.shown(second)}.")
    document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
    section.header.paragraphs[0].text = draft.shown(draft["title"])
    document.add_paragraph(draft.shown(draft["note"]))
    section.footer.paragraphs[0].text = draft.shown(draft["footer"])
    document.save(str(target))


def _box(words: str) -> str:
    """A box of text as Word 2010 and later write it, without its twin for older programs."""
    return (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor distT="0" '
        'distB="0" distL="0" distR="0" simplePos="0" relativeHeight="2" behindDoc="0" locked="0" '
        'layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/><wp:positionH '
        'relativeFrom="column"><wp:posOffset>0</wp:posOffset></wp:positionH><wp:positionV '
        'relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV><wp:extent '
        'cx="3600000" cy="900000"/><wp:wrapTopAndBottom/><wp:docPr id="7" name="Box"/><a:graphic>'
        '<a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape">'
        '<wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext '
        'cx="3600000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        f"</wps:spPr><wps:txbx><w:txbxContent><w:p><w:r><w:t>{words}</w:t></w:r></w:p>"
        "</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:anchor>"
        "</w:drawing></mc:Choice></mc:AlternateContent></w:r>"
    )


def hidden(draft: Draft, target: Path) -> None:
    """Words that nobody sees: hidden, white, tiny, by style; and white ones on black, seen."""
    document = Document()
    document.add_heading(draft.shown(draft["title"]), 1)
    styles = document.styles
    concealed = styles.add_style("Concealed", 2)
    concealed.font.hidden = True
    pale = styles.add_style("Pale", 2)
    pale.font.color.rgb = RGBColor(255, 255, 255)
    for _, first, second in draft["clauses"]:
        paragraph = document.add_paragraph(draft.shown(first) + " ")
        paragraph.add_run(draft.hidden()).font.hidden = True
        paragraph.add_run(" " + draft.hidden()).font.color.rgb = RGBColor(255, 255, 255)
        paragraph.add_run(" " + draft.hidden()).font.size = Pt(1)
        paragraph.add_run(" " + draft.hidden(), style=concealed)
        paragraph.add_run(" " + draft.hidden(), style=pale)
        paragraph.add_run(" " + draft.shown(second))
    marked = document.add_paragraph().add_run(draft.shown(draft["note"]))
    marked.font.color.rgb = RGBColor(255, 255, 255)
    marked.font.highlight_color = WD_COLOR_INDEX.BLACK
    cell = document.add_table(rows=1, cols=1).cell(0, 0)
    cell._tc.get_or_add_tcPr().append(_xml('<w:shd w:val="clear" w:fill="1F3864"/>'))
    cell.paragraphs[0].add_run(draft.shown(draft["footer"])).font.color.rgb = RGBColor(
        255, 255, 255
    )
    document.save(str(target))


def equations(draft: Draft, target: Path) -> None:
    """Equations of Word in a line and on their own: a fraction, a root, an exponent."""
    document = Document()
    document.add_paragraph(draft.shown(draft["subject"]))

    def run(text: str) -> str:
        return f"<m:r><m:t>{text}</m:t></m:r>"

    mass, speed, time, area = (draft.shown() for _ in range(4))
    fraction = f"<m:f><m:num>{run(speed)}</m:num><m:den>{run(time)}</m:den></m:f>"
    power = f"<m:sSup><m:e>{run(area)}</m:e><m:sup>{run('2')}</m:sup></m:sSup>"
    root = f"<m:rad><m:radPr><m:degHide m:val='1'/></m:radPr><m:deg/><m:e>{power}</m:e></m:rad>"
    paragraph = document.add_paragraph(draft["note"] + ": ")
    paragraph._p.append(_xml(f"<m:oMath>{run(mass)}{run('=')}{fraction}</m:oMath>"))
    document.add_paragraph()._p.append(
        _xml(f"<m:oMathPara><m:oMath>{root}</m:oMath></m:oMathPara>")
    )
    document.save(str(target))


def paper(draft: Draft, target: Path) -> None:
    """A paper in two columns with headings, a table of contents made by hand, and a picture."""
    document = Document()
    document.add_heading(draft.shown(draft["subject"]), 0)
    columns = document.add_section(WD_SECTION.CONTINUOUS)
    columns._sectPr.append(_xml('<w:cols w:num="2" w:space="400"/>'))
    for heading, *sentences in draft["clauses"] * 2:
        document.add_heading(draft.shown(heading), 2)
        document.add_paragraph(". ".join(draft.shown(sentence) for sentence in sentences * 4) + ".")
    document.save(str(target))


def pictures(draft: Draft, target: Path) -> None:
    """A report with a picture that has no alternative text."""
    document = Document()
    document.add_heading(draft.shown(draft["subject"]), 1)
    document.add_picture(picture(), width=Cm(8))
    document.add_paragraph(draft.shown(draft["picture"]))
    draft.truth.has_unreadable = True
    document.save(str(target))


def decorated(draft: Draft, target: Path) -> None:
    """A report with a picture that has an alternative text, and one that is decoration."""
    document = Document()
    document.add_heading(draft.shown(draft["subject"]), 1)
    document.add_picture(picture(), width=Cm(8))
    document.add_picture(picture(), width=Cm(8))
    for properties, words in zip(
        document.element.body.iter(qn("wp:docPr")), [draft.shown(draft["picture"]), ""], strict=True
    ):
        properties.set("descr", words)
        if not words:
            properties.append(
                parse_xml(
                    '<a:extLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
                    '<a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative '
                    'xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" '
                    'val="1"/></a:ext></a:extLst>'
                )
            )
    document.add_paragraph(draft.shown(draft["note"]))
    document.save(str(target))


def odd_marks(draft: Draft, target: Path) -> None:
    """A data sheet with exponents, marks that do not part words, fields, and deep headings."""
    document = Document()
    document.add_heading(draft.shown(draft["subject"]), 1)
    document.add_heading(draft.shown(draft["note"]), 7)
    paragraph = document.add_paragraph(draft.shown() + " 2500 m")
    paragraph.add_run("3").font.superscript = True
    paragraph._p.append(
        _xml(
            "<w:r><w:t>AB</w:t><w:noBreakHyphen/><w:t>200</w:t><w:tab/><w:t>pump</w:t><w:softHyphen/>"
            f"<w:t>house</w:t><w:br/><w:t>{draft.shown()}</w:t></w:r>"
        )
    )
    clause = draft.shown()
    paragraph._p.append(
        _xml(
            '<w:fldSimple w:instr=" REF clause \\h "><w:r><w:t xml:space="preserve"> '
            f"{clause}</w:t></w:r></w:fldSimple>"
        )
    )
    marked = document.add_paragraph()
    for element in (
        '<w:bookmarkStart w:id="5" w:name="clause"/>',
        f"<w:r><w:t>{clause}</w:t></w:r>",
        '<w:bookmarkEnd w:id="5"/>',
    ):
        marked._p.append(_xml(element))
    inner = document.add_table(rows=1, cols=2).cell(0, 1)
    inner.text = draft.shown(draft["picture"])
    nested = inner.add_table(rows=1, cols=2)
    nested.cell(0, 0).text, nested.cell(0, 1).text = draft.shown(), draft.shown(draft["footer"])
    document.add_paragraph(draft.shown(draft["header"]))
    document.save(str(target))


MAKES: Final[Mapping[str, tuple[Make, Sequence[str]]]] = {
    "contract": (contract, ("en", "de", "fr", "es", "ja", "ar", "ru", "hi")),
    "articles": (articles, ("en", "de")),
    "form": (form, ("en", "de", "ja")),
    "invoice": (invoice, ("en", "de", "fr", "ja")),
    "groups": (groups, ("en", "ru")),
    "minutes": (minutes, ("en", "es")),
    "letter": (letter, ("en", "fr", "ar")),
    "hidden": (hidden, ("en", "de")),
    "equations": (equations, ("en",)),
    "paper": (paper, ("en", "de")),
    "pictures": (pictures, ("en",)),
    "decorated": (decorated, ("en",)),
    "odd_marks": (odd_marks, ("en",)),
}
