import pytest

from rich_agent.rendering.dialect import formula_text
from tests.unit.rendering.seen import marked, received, rendered

READABLE = [
    (r"E = mc^2", "E = mc²"),
    (r"x^2 + y_1", "x² + y₁"),
    (r"\frac{1}{2} + \dfrac{a+b}{2c}", "½ + (a+b)∕2c"),
    (r"\sum_{i=1}^{n} i = \frac{n(n+1)}{2}", "∑ᵢ₌₁ⁿ i = (n(n+1))∕2"),
    (r"\int_0^\infty e^{-x^2} dx", "∫₀^∞ e^(-x²) dx"),
    (r"\alpha \leq \beta \neq \gamma", "α ≤ β ≠ γ"),
    (r"\sqrt{x+1}", "√(x+1)"),
    (r"\sqrt[3]{x}", "∛x̅"),
    (r"f: \mathbb{R}^n \to \mathbb{R}", "f: ℝⁿ → ℝ"),
    (r"\left( \frac{a}{b} \right)", "( a∕b )"),
    (r"P(A|B) = \frac{P(B|A)P(A)}{P(B)}", "P(A|B) = (P(B|A)P(A))∕(P(B))"),
    (r"\nabla\cdot\mathbf{E}=\frac{\rho}{\varepsilon_0}", "∇⋅𝐄=ρ∕ε₀"),
    (r"a \tag{1}", "a (1)"),
    (r"\boxed{\frac{1}{2}}", "½"),
]


@pytest.mark.parametrize(("latex", "text"), READABLE)
def test_formula_text_reads_as_mathematics(latex: str, text: str) -> None:
    """Exponents, Greek, fractions, sums and roots have characters of their own."""
    assert formula_text(latex) == text


@pytest.mark.parametrize(
    "latex", [r"\unknown{x}", r"\frac{", r"{", "", r"\begin{tikzcd}a\end{tikzcd}", "x" * 2001]
)
def test_formula_text_is_none_when_something_would_be_lost(latex: str) -> None:
    """A command without a character, half a formula, a monster: better shown as written."""
    assert formula_text(latex) is None


@pytest.mark.parametrize(
    "written",
    ["$E = mc^2$", r"\(E = mc^2\)", "$$E = mc^2$$", r"\[E = mc^2\]", "\\[\nE = mc^2\n\\]"],
)
def test_render_shows_formulas_as_text(written: str) -> None:
    """All four ways to write one."""
    message = rendered(f"Einstein: {written} is known.")
    assert message.text.split() == ["Einstein:", "E", "=", "mc²", "is", "known."]
    assert message.entities == ()


@pytest.mark.parametrize("written", [r"\boxed{42}", r"$\boxed{42}$", r"\(\boxed{42}\)"])
def test_render_shows_a_boxed_result_without_its_box(written: str) -> None:
    """Within a formula and without one; as code it stays."""
    assert rendered(f"The answer is {written}.").text == "The answer is 42."
    assert rendered(f"`{written}`").text == written


def test_render_gives_a_displayed_formula_lines_of_its_own() -> None:
    """As on paper; one of several lines in fixed width, one without a text as code."""
    message = rendered(
        "It is\n$$x^2$$\nand $$\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}$$ and $\\foo{x}$"
    )
    assert message.text == "It is\nx²\nand \n(1 2\n3 4)\nand \\foo{x}"
    assert marked(message, "pre") == ["(1 2\n3 4)"]
    assert marked(message, "code") == ["\\foo{x}"]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $6.",
        "From $5-$6 to $7/$8.",
        "$5, $6 or US$ 7, A$8",
        "between $10 million and 20$ a month",
        "set $HOME and $PATH, or $HOME/$USER",
        r"\[1\] and \(see below\)",
        "100$",
        "$",
        "$$",
    ],
)
def test_render_takes_no_price_for_a_formula(text: str) -> None:
    """Dollars of prices and names stay what they are."""
    assert rendered(text).text == text.replace("\\", "")


def test_render_leaves_formulas_in_code_alone() -> None:
    r"""Code stays code, `\(` too."""
    message = rendered("`$x^2$` and `\\(y\\)`\n\n```\n$$z^2$$ \\[a_b\\]\n```")
    assert marked(message, "code") == ["$x^2$", "\\(y\\)"]
    assert marked(message, "pre") == ["$$z^2$$ \\[a_b\\]"]


def test_render_makes_no_command_of_a_fraction() -> None:
    """A denominator after a bracket is not offered as a command."""
    message = rendered(r"$\frac{a+b}{n}$")
    assert message.text == "(a+b)∕n"
    assert received(message).entities == ()
