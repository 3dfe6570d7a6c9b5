"""Makes small files of each format, byte by byte, so that tests can make broken ones as well."""

import io
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from zipfile import ZIP_DEFLATED, ZipFile

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def archive(parts: Mapping[str, str | bytes]) -> bytes:
    """A ZIP archive of these parts, compressed."""
    target = io.BytesIO()
    with ZipFile(target, "w", ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return target.getvalue()


def relations(targets: Mapping[str, tuple[str, str]]) -> str:
    """A part with relations: kind and target by id."""
    inner = "".join(
        f'<Relationship Id="{key}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for key, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{RELATIONS}">{inner}</Relationships>'


def docx(body: str, *, prolog: str = "") -> bytes:
    """A Word document; `body` is WordprocessingML."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/></w:style>'
        for key, name in {"T": "Title", "H1": "heading 1", "H2": "heading 2"}.items()
    )
    return archive(
        {
            "_rels/.rels": relations({"r1": ("officeDocument", "word/document.xml")}),
            "word/_rels/document.xml.rels": relations({"r1": ("styles", "styles.xml")}),
            "word/styles.xml": f'<w:styles xmlns:w="{W}">{styles}</w:styles>',
            "word/document.xml": (
                f'{prolog}<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
            ),
        }
    )


def word_paragraph(text: str, style: str = "", *, hidden: bool = False) -> str:
    """A paragraph of a Word document."""
    shape = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    vanish = "<w:rPr><w:vanish/></w:rPr>" if hidden else ""
    return f"<w:p>{shape}<w:r>{vanish}<w:t>{text}</w:t></w:r></w:p>"


def xlsx(sheets: Mapping[str, Mapping[str, str]], *, hidden: Sequence[str] = ()) -> bytes:
    """A workbook: for each sheet its cells by their place."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts: dict[str, str | bytes] = {
        "_rels/.rels": relations({"r1": ("officeDocument", "xl/workbook.xml")}),
        "xl/_rels/workbook.xml.rels": relations(
            {f"r{n}": ("worksheet", f"worksheets/sheet{n}.xml") for n in range(len(sheets))}
        ),
    }
    names = ""
    for number, (name, cells) in enumerate(sheets.items()):
        state = ' state="hidden"' if name in hidden else ""
        names += f'<sheet name="{name}" sheetId="{number + 1}" r:id="r{number}"{state}/>'
        rows: dict[str, str] = {}
        for place, value in cells.items():
            row = place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
            cell = f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'
            rows[row] = rows.get(row, "") + cell
        data = "".join(f'<row r="{row}">{inner}</row>' for row, inner in rows.items())
        parts[f"xl/worksheets/sheet{number}.xml"] = (
            f'<worksheet xmlns="{main}"><sheetData>{data}</sheetData></worksheet>'
        )
    parts["xl/workbook.xml"] = (
        f'<workbook xmlns="{main}" xmlns:r="{OFFICE}"><sheets>{names}</sheets></workbook>'
    )
    return archive(parts)


@dataclass(frozen=True, slots=True)
class Words:
    """A line of a PDF page: points from the left and the bottom, and the size of its letters."""

    text: str
    y: float
    x: float = 72
    size: float = 11


@dataclass(slots=True)
class Pdf:
    """A PDF in the making: pages of lines or operators, an outline of (title, page from 1)."""

    pages: Sequence[Sequence[Words] | str]
    outline: Sequence[tuple[str, int]] = ()
    title: str = ""
    box: tuple[float, float] = (595, 842)
    has_shared_box: bool = False
    """Whether the size of the paper stands once, for all pages."""
    rotate: int = 0
    annotations: Sequence[str] = ()
    """Entries of the first page's annotations."""
    appearances: Sequence[str] = ()
    """What annotations draw: object 6 is the first one of a PDF with one page."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Attached files: object 7 is the first one of a PDF with one page and no appearances."""
    resources: str = ""
    """Of each page, besides its font, which is object 3."""
    catalog_entries: str = ""
    more_objects: Sequence[bytes] = ()
    """With numbers from 6 on in a PDF of one page, after its annotations."""
    _objects: list[bytes] = field(default_factory=list)

    def data(self) -> bytes:
        """The file."""
        count = len(self.pages)
        first_entry = 4 + 2 * count
        kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(count))
        outlines = f"/Outlines {first_entry} 0 R" if self.outline else ""
        if self.annotations:
            outlines += "/AcroForm<</Fields[]/DR<</Font<</F 3 0 R>>>>/DA(/F 0 Tf)>>"
        self._objects = [
            f"<</Type/Catalog/Pages 2 0 R{outlines}{self.catalog_entries}>>".encode(),
            f"<</Type/Pages/Kids[{kids}]/Count {count}{self._box(shared=True)}>>".encode(),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        ]
        for number, lines in enumerate(self.pages):
            self._add_page(5 + 2 * number, lines)
        if self.outline:
            self._add_outline(first_entry)
        for content in self.appearances:
            head = "<</Subtype/Form/BBox[0 0 200 40]/Resources<</Font<</F 3 0 R>>>>"
            stream = f"{head}/Length {len(content)}>>\nstream\n{content}\nendstream"
            self._objects.append(stream.encode())
        if self.files:
            self._add_files()
        if self.annotations:
            self._add_annotations()
        self._objects += [*self.more_objects, f"<</Title({self.title})>>".encode()]
        return self._file()

    def _add_page(self, content_at: int, lines: Sequence[Words] | str) -> None:
        self._objects.append(
            f"<</Type/Page/Parent 2 0 R{self._box(shared=False)}/Rotate {self.rotate}"
            f"/Resources<</Font<</F 3 0 R>>{self.resources}>>/Contents {content_at} 0 R>>".encode()
        )
        text = lines if isinstance(lines, str) else "".join(map(_drawn, lines))
        stream = zlib.compress(text.encode("cp1252"))
        head = f"<</Length {len(stream)}/Filter/FlateDecode>>".encode()
        self._objects.append(head + b"\nstream\n" + stream + b"\nendstream")

    def _box(self, *, shared: bool) -> str:
        width, height = self.box
        return f"/MediaBox[0 0 {width} {height}]" if shared is self.has_shared_box else ""

    def _add_files(self) -> None:
        """Append the attached files, which the catalog lists."""
        names = ""
        for name, content in self.files.items():
            head = f"<</Type/EmbeddedFile/Length {len(content)}>>\nstream\n".encode()
            self._objects.append(head + content + b"\nendstream")
            stream = len(self._objects)
            file = f"<</Type/Filespec/F({name})/UF({name})/EF<</F {stream} 0 R>>>>"
            self._objects.append(file.encode())
            names += f"({name}) {stream + 1} 0 R "
        catalog = self._objects[0].removesuffix(b">>")
        self._objects[0] = catalog + f"/Names<</EmbeddedFiles<</Names[{names}]>>>>>>".encode()

    def _add_annotations(self) -> None:
        """Append the annotations, which the first page names."""
        first = len(self._objects) + 1
        self._objects += (f"<</Type/Annot/F 4 {entries}>>".encode() for entries in self.annotations)
        kids = " ".join(f"{first + n} 0 R" for n in range(len(self.annotations)))
        page = self._objects[3].removesuffix(b">>")
        self._objects[3] = page + f"/Annots[{kids}]>>".encode()

    def _add_outline(self, at: int) -> None:
        last = at + len(self.outline)
        self._objects.append(
            f"<</First {at + 1} 0 R/Last {last} 0 R/Count {len(self.outline)}>>".encode()
        )
        for number, (title, page) in enumerate(self.outline, start=at + 1):
            following = f"/Next {number + 1} 0 R" if number < last else ""
            place = f"[{4 + 2 * (page - 1)} 0 R/Fit]"
            self._objects.append(
                f"<</Title({title})/Parent {at} 0 R/Dest{place}{following}>>".encode()
            )

    def _file(self) -> bytes:
        out = bytearray(b"%PDF-1.7\n")
        places = []
        for number, content in enumerate(self._objects, start=1):
            places.append(len(out))
            out += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
        table = len(out)
        rows = "".join(f"{place:010} 00000 n \n" for place in places)
        size = len(self._objects) + 1
        out += f"xref\n0 {size}\n0000000000 65535 f \n{rows}".encode()
        info = f"/Info {len(self._objects)} 0 R"
        out += f"trailer<</Size {size}/Root 1 0 R{info}>>\nstartxref\n{table}\n%%EOF".encode()
        return bytes(out)


def _drawn(line: Words) -> str:
    return f"BT /F {line.size} Tf {line.x} {line.y} Td ({_escaped(line.text)}) Tj ET\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def paragraph(lines: Sequence[str], top: float) -> list[Words]:
    """Lines of text below each other, as a paragraph has them."""
    return [Words(line, top - 13 * number) for number, line in enumerate(lines)]
