"""Makes workbooks of Excel from rows of values, as people's programs write them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from tests.unit.documents.documents import OFFICE, archive, relations

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Default Extension="xml" ContentType="{_TYPE}.worksheet+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/></Types>'
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with a number format, a formula, an error, or letters that nobody sees."""

    value: float | str | bool | None
    code: str = "General"
    formula: str = ""
    is_error: bool = False
    is_white: bool = False


Value = Cell | str | float | bool | None


@dataclass(frozen=True, slots=True)
class Page:
    """A sheet: its rows, and what is done to them."""

    rows: Sequence[Sequence[Value]]
    merges: Sequence[str] = ()
    hidden_columns: Sequence[int] = ()
    """Columns from 1."""
    hidden_rows: Sequence[int] = ()
    """Rows from 1."""
    folded_rows: Sequence[int] = ()
    """Rows of an outline that is closed."""
    parts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Kind and content of the parts that the sheet refers to, by name within `xl/`."""


def percent(value: float) -> Cell:
    """A share, as programs store it."""
    return Cell(value, "0.0%")


def euros(value: float) -> Cell:
    """An amount with the sign of the euro."""
    return Cell(value, '#,##0.00\\ "€"')


def hours(value: float) -> Cell:
    """Hours as `[h]:mm`."""
    return Cell(value / 24, "[h]:mm")


def day(serial: float) -> Cell:
    """A date by the number of its day: 45658 is 2025-01-01."""
    return Cell(serial, "dd.mm.yyyy")


def total(formula: str, value: float | None, code: str = "General") -> Cell:
    """A formula and its saved value."""
    return Cell(value, code, formula)


def workbook(
    pages: Mapping[str, Page], *, is_1904: bool = False, calculates: bool = False
) -> bytes:
    """The file."""
    codes: list[tuple[str, bool]] = [("General", False)]
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": relations({"r1": ("officeDocument", "xl/workbook.xml")}),
    }
    targets = {"s": ("styles", "styles.xml")}
    names = ""
    for number, (name, page) in enumerate(pages.items(), start=1):
        targets[f"r{number}"] = ("worksheet", f"worksheets/sheet{number}.xml")
        names += f'<sheet name="{escape(name)}" sheetId="{number}" r:id="r{number}"/>'
        parts[f"xl/worksheets/sheet{number}.xml"] = _sheet(page, codes)
        if page.parts:
            parts[f"xl/worksheets/_rels/sheet{number}.xml.rels"] = relations(
                {
                    f"p{i}": (kind, f"../{key}")
                    for i, (key, (kind, _)) in enumerate(page.parts.items())
                }
            )
            parts |= {f"xl/{key}": content for key, (_, content) in page.parts.items()}
    parts["xl/_rels/workbook.xml.rels"] = relations(targets)
    dates = '<workbookPr date1904="1"/>' if is_1904 else ""
    calculation = '<calcPr fullCalcOnLoad="1"/>' if calculates else ""
    parts["xl/workbook.xml"] = (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{OFFICE}">{dates}<sheets>{names}</sheets>'
        f"{calculation}</workbook>"
    )
    parts["xl/styles.xml"] = _styles(codes)
    return archive(parts)


def _sheet(page: Page, codes: list[tuple[str, bool]]) -> str:
    columns = "".join(
        f'<col min="{column}" max="{column}" width="9" hidden="1"/>'
        for column in page.hidden_columns
    )
    rows = ""
    for number, row in enumerate(page.rows, start=1):
        hidden = ' hidden="1"' if number in {*page.hidden_rows, *page.folded_rows} else ""
        outline = ' outlineLevel="1"' if number in page.folded_rows else ""
        cells = "".join(
            _cell(f"{chr(ord('A') + column)}{number}", value, codes)
            for column, value in enumerate(row)
            if value is not None
        )
        rows += f'<row r="{number}"{outline}{hidden}>{cells}</row>'
    merges = "".join(f'<mergeCell ref="{area}"/>' for area in page.merges)
    return (
        f'<worksheet xmlns="{_MAIN}">{f"<cols>{columns}</cols>" if columns else ""}'
        f"<sheetData>{rows}</sheetData>"
        f"{f'<mergeCells>{merges}</mergeCells>' if merges else ''}</worksheet>"
    )


def _cell(place: str, value: Value, codes: list[tuple[str, bool]]) -> str:
    cell = value if isinstance(value, Cell) else Cell(value)
    style_key = (cell.code, cell.is_white)
    if style_key not in codes:
        codes.append(style_key)
    style = f' s="{codes.index(style_key)}"' if codes.index(style_key) else ""
    formula = f"<f>{escape(cell.formula)}</f>" if cell.formula else ""
    if cell.is_error:
        return f'<c r="{place}"{style} t="e">{formula}<v>{cell.value}</v></c>'
    if isinstance(cell.value, bool):
        return f'<c r="{place}"{style} t="b">{formula}<v>{int(cell.value)}</v></c>'
    if isinstance(cell.value, str):
        text = escape(cell.value)
        return f'<c r="{place}"{style} t="inlineStr"><is><t>{text}</t></is></c>'
    saved = f"<v>{cell.value!r}</v>" if cell.value is not None else ""
    return f'<c r="{place}"{style}>{formula}{saved}</c>'


def _styles(codes: Sequence[tuple[str, bool]]) -> str:
    formats = "".join(
        f'<numFmt numFmtId="{164 + number}" formatCode="{escape(code)}"/>'
        for number, (code, _) in enumerate(codes)
    )
    styles = "".join(
        f'<xf numFmtId="{164 + number if code != "General" else 0}" fontId="{int(is_white)}"/>'
        for number, (code, is_white) in enumerate(codes)
    )
    return (
        f'<styleSheet xmlns="{_MAIN}"><numFmts>{formats}</numFmts><fonts><font/>'
        '<font><color rgb="FFFFFFFF"/></font></fonts><fills><fill/></fills>'
        f"<borders><border/></borders><cellXfs>{styles}</cellXfs></styleSheet>"
    )
