"""Charts and diagrams of Office files: the titles, figures and texts that a person sees."""

import pytest

from rich_agent.documents.extract.drawings import chart_html, diagram_html
from rich_agent.documents.extract.extracted import ExtractionError

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
CX = "http://schemas.microsoft.com/office/drawing/2014/chartex"
DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"


def rich(text: str) -> str:
    """A title as Office writes it."""
    return (
        f"<c:title><c:tx><c:rich><a:p><a:r><a:t>{text}</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    )


def points(*values: str, code: str = "General") -> str:
    """Saved points of a series."""
    inner = "".join(f'<c:pt idx="{n}"><c:v>{value}</c:v></c:pt>' for n, value in enumerate(values))
    return (
        f"<c:numRef><c:numCache><c:formatCode>{code}</c:formatCode>{inner}</c:numCache></c:numRef>"
    )


def series(name: str, categories: str, values: str) -> str:
    """A series of a chart."""
    return (
        f"<c:ser><c:tx>{points(name)}</c:tx><c:cat>{categories}</c:cat>"
        f"<c:val>{values}</c:val></c:ser>"
    )


def chart(*all_series: str, titles: str = "", axes: str = "") -> bytes:
    """A chart's part."""
    return (
        f'<c:chartSpace xmlns:c="{C}" xmlns:a="{A}"><c:chart>{titles}<c:plotArea><c:barChart>'
        f"{''.join(all_series)}</c:barChart>{axes}</c:plotArea></c:chart></c:chartSpace>"
    ).encode()


def rows(html: str) -> list[list[str]]:
    """The cells of the tables, row by row."""
    return [
        [cell.rpartition(">")[2] for cell in row.replace("</td>", "</th>").split("</th>")[:-1]]
        for row in html.split("</tr>")[:-1]
    ]


def test_chart_shows_its_titles_and_a_table() -> None:
    """Series with the same categories share a table; a deleted axis has no title."""
    quarters = points("Q1", "Q2")
    axes = (
        f'<c:catAx><c:delete val="0"/>{rich("Quarter")}</c:catAx>'
        f'<c:valAx><c:delete val="1"/>{rich("Hidden")}</c:valAx>'
    )
    html = chart_html(
        chart(
            series("Visitors", quarters, points("5120", "6340.0")),
            series("Share", quarters, points("0.125", "0.3", code="0.0%")),
            titles=rich("Visitors &amp; shares"),
            axes=axes,
        )
    )
    assert html.startswith("<p>Visitors &amp; shares</p><p>Quarter</p><table>")
    assert rows(html) == [
        ["", "Visitors", "Share"],
        ["Q1", "5120", "12.5%"],
        ["Q2", "6340", "30.0%"],
    ]


def test_chart_with_other_categories_has_a_second_table() -> None:
    """Days are shown as dates, and a missing figure stays empty."""
    html = chart_html(
        chart(
            series("Load", points("46000", "46001", code="yyyy\\-mm\\-dd"), points("7")),
            series("Plan", points("A"), points("8")),
        )
    )
    assert rows(html) == [
        ["", "Load"],
        ["2025-12-09", "7"],
        ["2025-12-10", ""],
        ["", "Plan"],
        ["A", "8"],
    ]


def test_chart_repeats_the_outer_level_of_categories() -> None:
    """Each figure tells its group."""
    levels = (
        "<c:multiLvlStrRef><c:multiLvlStrCache>"
        '<c:lvl><c:pt idx="0"><c:v>May</c:v></c:pt><c:pt idx="1"><c:v>June</c:v></c:pt></c:lvl>'
        '<c:lvl><c:pt idx="0"><c:v>North</c:v></c:pt></c:lvl>'
        "</c:multiLvlStrCache></c:multiLvlStrRef>"
    )
    assert rows(chart_html(chart(series("Sales", levels, points("1", "2"))))) == [
        ["", "", "Sales"],
        ["North", "May", "1"],
        ["North", "June", "2"],
    ]


def test_scatter_chart_has_both_coordinates() -> None:
    """The first is the category."""
    scatter = (
        f"<c:ser><c:tx><c:v>Run</c:v></c:tx><c:xVal>{points('1.5', '2')}</c:xVal>"
        f"<c:yVal>{points('10', '20')}</c:yVal></c:ser>"
    )
    assert rows(chart_html(chart(scatter))) == [["", "Run"], ["1.5", "10"], ["2", "20"]]


def test_chart_of_a_newer_kind_is_read() -> None:
    """A waterfall keeps its data in another form."""
    part = (
        f'<cx:chartSpace xmlns:cx="{CX}" xmlns:a="{A}"><cx:chartData><cx:data id="0">'
        '<cx:strDim type="cat"><cx:lvl ptCount="2"><cx:pt idx="0">Start</cx:pt>'
        '<cx:pt idx="1">Costs</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val">'
        '<cx:lvl ptCount="2" formatCode="General"><cx:pt idx="0">100</cx:pt>'
        '<cx:pt idx="1">-40</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart>'
        "<cx:title><cx:tx><cx:rich><a:p><a:r><a:t>Cash</a:t></a:r></a:p></cx:rich></cx:tx>"
        '</cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall">'
        "<cx:tx><cx:txData><cx:v>Euros</cx:v></cx:txData></cx:tx>"
        '<cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart>'
        "</cx:chartSpace>"
    )
    html = chart_html(part.encode())
    assert html.startswith("<p>Cash</p>")
    assert rows(html) == [["", "Euros"], ["Start", "100"], ["Costs", "-40"]]


def test_chart_without_saved_figures_shows_nothing() -> None:
    """Its reader counts it as unread then."""
    assert chart_html(chart()) == ""


def diagram(texts: dict[str, str], links: list[tuple[str, str, int]] = []) -> bytes:  # noqa: B006
    """The data of a diagram."""
    inner = "".join(
        f'<dgm:pt modelId="{key}"><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for key, text in texts.items()
    )
    cxn = "".join(
        f'<dgm:cxn srcId="{source}" destId="{target}" srcOrd="{order}"/>'
        for source, target, order in links
    )
    return (
        f'<dgm:dataModel xmlns:dgm="{DGM}" xmlns:a="{A}"><dgm:ptLst>{inner}</dgm:ptLst>'
        f"<dgm:cxnLst>{cxn}</dgm:cxnLst></dgm:dataModel>"
    ).encode()


def test_diagram_without_links_keeps_the_order_of_its_points() -> None:
    """Each text is an item."""
    assert diagram_html(diagram({"0": "Check", "1": "Reserve"})) == (
        "<ul><li>Check</li><li>Reserve</li></ul>"
    )


def test_diagram_follows_its_links() -> None:
    """Children stand below their parents, in their own order; the root has no text."""
    texts = {"b": "Second", "b1": "Detail", "a": "First", "root": ""}
    links = [("root", "b", 1), ("root", "a", 0), ("b", "b1", 0)]
    assert diagram_html(diagram(texts, links)) == (
        "<ul><li>First</li><li>Second<ul><li>Detail</li></ul></li></ul>"
    )


def test_diagram_whose_links_form_a_loop_ends() -> None:
    """Each point is shown once."""
    loop = diagram({"a": "One", "b": "Two"}, [("a", "b", 0), ("b", "a", 0)])
    assert diagram_html(loop) == "<ul><li>One<ul><li>Two</li></ul></li></ul>"


def test_diagram_without_texts_shows_nothing() -> None:
    """Its reader counts it as unread then."""
    assert diagram_html(diagram({"root": ""})) == ""


@pytest.mark.parametrize("read", [chart_html, diagram_html])
def test_damaged_drawing_is_refused(read: object) -> None:
    """As any damaged part."""
    with pytest.raises(ExtractionError):
        read(b"<c:chart")  # type: ignore[operator] # both are functions
