"""Equations of Office files as TeX."""

import pytest
from lxml import etree

from rich_agent.documents.extract.equations import inline_tex

M = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def run(text: str) -> str:
    """Letters in an equation."""
    return f"<m:r><m:t>{text}</m:t></m:r>"


def box(name: str, *children: str) -> str:
    """An element with children."""
    return f"<m:{name}>{''.join(children)}</m:{name}>"


def value(name: str, text: str) -> str:
    """A property with a value."""
    return f'<m:{name} m:val="{text}"/>'


def tex(*children: str) -> str:
    """The TeX of an equation."""
    return inline_tex(etree.fromstring(f'<m:oMath xmlns:m="{M}">{"".join(children)}</m:oMath>'))


FRACTION = box("f", box("num", run("m·v")), box("den", run("t")))
MATRIX = box(
    "m",
    *(box("mr", *(box("e", run(cell)) for cell in row)) for row in (("1", "0"), ("0", "1"))),
)


@pytest.mark.parametrize(
    ("children", "expected"),
    [
        ([run("F="), FRACTION], r"$F=\frac{m·v}{t}$"),
        ([box("rad", box("deg"), box("e", run("x")))], r"$\sqrt{x}$"),
        ([box("rad", box("deg", run("3")), box("e", run("x")))], r"$\sqrt[3]{x}$"),
        ([box("sSup", box("e", run("m")), box("sup", run("3")))], "$m^{3}$"),
        ([box("sSub", box("e", run("\U0001d465")), box("sub", run("i")))], "$x_{i}$"),
        (
            [
                box(
                    "nary",
                    box("naryPr", value("chr", "∑")),
                    box("sub", run("i=1")),
                    box("sup", run("n")),
                    box("e", run("i")),
                )
            ],
            r"$\sum_{i=1}^{n} i$",
        ),
        (
            [box("d", box("dPr", value("begChr", "["), value("endChr", "]")), box("e", MATRIX))],
            r"$\left[\begin{matrix}1 & 0 \\ 0 & 1\end{matrix}\right]$",
        ),
        (
            [
                box(
                    "func",
                    box("fName", box("limLow", box("e", run("lim")), box("lim", run("x→0")))),
                    box("e", run("f")),
                )
            ],
            r"$\lim_{x→0} f$",
        ),
        ([box("acc", box("accPr", value("chr", "\u20d7")), box("e", run("v")))], r"$\vec{v}$"),
        ([box("bar", box("barPr", value("pos", "top")), box("e", run("x")))], r"$\overline{x}$"),
        ([box("bar", box("e", run("x")))], r"$\underline{x}$"),
        ([box("phant", box("phantPr", value("show", "0")), box("e", run("x"))), run("y")], "$y$"),
    ],
)
def test_equation_is_tex(children: list[str], expected: str) -> None:
    """Fractions, roots, scripts, sums, matrices, limits and accents."""
    assert tex(*children) == expected


def test_equation_without_structure_is_text() -> None:
    """No sign of it is escaped."""
    assert tex(run("x = 5 %")) == "x = 5 %"
