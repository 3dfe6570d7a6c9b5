"""Presentations, written by python-pptx."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.util import Cm, Pt

from bench.formats.making.facts import Draft, Make
from bench.formats.making.pictures import picture
from bench.formats.truth import Cell

_DIAGRAM: Final = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
_DRAWING: Final = "application/vnd.openxmlformats-officedocument.drawingml"
_BLANK, _TITLE_ONLY, _BULLETS = 6, 5, 1


def _slide(presentation: Any, layout: int, title: str = "") -> Any:
    slide = presentation.slides.add_slide(presentation.slide_layouts[layout])
    if title:
        slide.shapes.title.text = title
    return slide


def talk(draft: Draft, target: Path) -> None:
    """A talk: titles, points, a table, boxes, and speaker notes."""
    presentation = Presentation()
    first = _slide(presentation, 0, draft.shown(draft["title"]))
    first.placeholders[1].text = draft.shown(draft["subject"])
    for heading, *sentences in draft["clauses"]:
        slide = _slide(presentation, _BULLETS, draft.shown(heading))
        slide.placeholders[1].text = "\n".join(draft.shown(sentence) for sentence in sentences)
    slide = _slide(presentation, _TITLE_ONLY, draft.shown(draft["note"]))
    head, rows = draft.table()
    shape = slide.shapes.add_table(1 + len(rows), len(head), Cm(1), Cm(4), Cm(22), Cm(8))
    for cells, row in zip(shape.table.rows, [head, *rows], strict=True):
        for cell, value in zip(cells.cells, row, strict=True):
            cell.text = value
    slide = _slide(presentation, _BLANK)
    for at, step in enumerate(draft["steps"]):
        box = slide.shapes.add_textbox(Cm(2), Cm(2 + 4 * at), Cm(20), Cm(2))
        box.text_frame.text = draft.shown(step)
    presentation.save(str(target))


def charts(draft: Draft, target: Path) -> None:
    """A chart under a title: its categories, series and values are what the slide says."""
    presentation = Presentation()
    for kind in (XL_CHART_TYPE.COLUMN_CLUSTERED, XL_CHART_TYPE.PIE, XL_CHART_TYPE.LINE):
        slide = _slide(presentation, _TITLE_ONLY, draft.shown(draft["subject"]))
        data = CategoryChartData()
        names = [draft.shown(row[0]) for row in draft["rows"]]
        series, values = draft.shown(draft["head"][1]), (12, 2, 7, 4)
        data.categories = names
        data.add_series(series, values)
        draft.truth.cells += [
            Cell(name, series, str(value)) for name, value in zip(names, values, strict=True)
        ]
        chart = slide.shapes.add_chart(kind, Cm(1), Cm(4), Cm(22), Cm(12), data).chart
        chart.plots[0].has_data_labels = True
        chart.has_legend = True
    draft.truth.has_charts = True
    presentation.save(str(target))


def grouped(draft: Draft, target: Path) -> None:
    """Boxes in groups within groups, and a line that joins them."""
    presentation = Presentation()
    slide = _slide(presentation, _TITLE_ONLY, draft.shown(draft["subject"]))
    group = slide.shapes.add_group_shape()
    for at, step in enumerate(draft["steps"]):
        inner = group.shapes.add_group_shape()
        box = inner.shapes.add_shape(1, Cm(2 + 7 * at), Cm(5), Cm(6), Cm(3))
        box.text_frame.text = draft.shown(step)
    slide.shapes.add_connector(1, Cm(1), Cm(1), Cm(9), Cm(9))
    presentation.save(str(target))


def hidden(draft: Draft, target: Path) -> None:
    """A hidden slide, white and tiny words, a box off the slide, a hidden shape."""
    presentation = Presentation()
    slide = _slide(presentation, _TITLE_ONLY, draft.shown(draft["title"]))
    for at in range(4):
        box = slide.shapes.add_textbox(Cm(2), Cm(4 + 2 * at), Cm(20), Cm(1))
        run = box.text_frame.paragraphs[0].add_run()
        run.text = draft.hidden()
        if at == 0:
            run.font.color.rgb = RGBColor(255, 255, 255)
        elif at == 1:
            run.font.size = Pt(1)
        elif at == 2:
            box.left = Cm(60)
        else:
            box._element.nvSpPr.cNvPr.set("hidden", "1")
    dark = slide.shapes.add_shape(1, Cm(2), Cm(14), Cm(20), Cm(2))
    dark.fill.solid()
    dark.fill.fore_color.rgb = RGBColor(20, 30, 80)
    run = dark.text_frame.paragraphs[0].add_run()
    run.text = draft.shown(draft["footer"])
    run.font.color.rgb = RGBColor(255, 255, 255)
    secret = _slide(presentation, _TITLE_ONLY, draft.hidden())
    secret._element.set("show", "0")
    presentation.save(str(target))


def diagram(draft: Draft, target: Path) -> None:
    """A SmartArt with three steps."""
    presentation = Presentation()
    slide = _slide(presentation, _TITLE_ONLY, draft.shown(draft["subject"]))
    points = "".join(
        f'<dgm:pt modelId="{at}"><dgm:prSet/><dgm:spPr/><dgm:t><a:bodyPr/><a:lstStyle/><a:p><a:r>'
        f'<a:rPr lang="en-US"/><a:t>{draft.shown(step)}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for at, step in enumerate(draft["steps"], start=2)
    )
    joined = "".join(
        f'<dgm:cxn modelId="{at + 9}" srcId="1" destId="{at}" srcOrd="{at - 2}" destOrd="0"/>'
        for at in range(2, 5)
    )
    names = f'xmlns:dgm="{_DIAGRAM}" xmlns:a="{_MAIN}" xmlns:r="{_OFFICE}"'
    parts = {
        "data": f'<dgm:dataModel {names}><dgm:ptLst><dgm:pt modelId="1" type="doc"><dgm:prSet/>'
        f"<dgm:spPr/></dgm:pt>{points}</dgm:ptLst><dgm:cxnLst>{joined}</dgm:cxnLst>"
        "<dgm:bg/><dgm:whole/></dgm:dataModel>",
        "layout": f'<dgm:layoutDef {names} uniqueId="urn:example"><dgm:layoutNode name="all">'
        '<dgm:alg type="lin"/></dgm:layoutNode></dgm:layoutDef>',
        "quickStyle": f'<dgm:styleDef {names} uniqueId="urn:example"/>',
        "colors": f'<dgm:colorsDef {names} uniqueId="urn:example"/>',
    }
    ids = ""
    for (name, xml), mark in zip(parts.items(), ("dm", "lo", "qs", "cs"), strict=True):
        kind = f"diagram{name[0].upper()}{name[1:]}"
        part = Part(
            PackURI(f"/ppt/diagrams/{name}1.xml"),
            f"{_DRAWING}.{kind.replace('Quick', '')}+xml",
            slide.part.package,
            xml.encode(),
        )
        ids += f' r:{mark}="{slide.part.relate_to(part, f"{_OFFICE}/{kind}")}"'
    slide.shapes._spTree.append(
        parse_xml(
            '<p:graphicFrame xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
            f'{names}><p:nvGraphicFramePr><p:cNvPr id="9" name="Steps"/><p:cNvGraphicFramePr/>'
            '<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="900000" y="1800000"/><a:ext '
            f'cx="7000000" cy="3600000"/></p:xfrm><a:graphic><a:graphicData uri="{_DIAGRAM}">'
            f"<dgm:relIds{ids}/></a:graphicData></a:graphic></p:graphicFrame>"
        )
    )
    presentation.save(str(target))
    draft.truth.seen = " ".join(draft.truth.facts) + " " + " ".join(draft["steps"])


def pictures(draft: Draft, target: Path) -> None:
    """A slide with a title and a picture without an alternative text."""
    presentation = Presentation()
    slide = _slide(presentation, _TITLE_ONLY, draft.shown(draft["subject"]))
    shape = slide.shapes.add_picture(picture(), Cm(2), Cm(5), Cm(12))
    shape._element.nvPicPr.cNvPr.set("descr", "")
    draft.truth.has_unreadable = True
    presentation.save(str(target))


MAKES: Final[Mapping[str, tuple[Make, Sequence[str]]]] = {
    "talk": (talk, ("en", "de", "ja", "ar", "ru")),
    "charts": (charts, ("en", "es")),
    "grouped": (grouped, ("en", "fr")),
    "hidden": (hidden, ("en", "de")),
    "diagram": (diagram, ("en", "de")),
    "pictures": (pictures, ("en",)),
}
