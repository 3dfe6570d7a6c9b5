"""Elements in a text, as `rich_agent_sandbox.model.markup` reads them."""

from rich_agent_sandbox.model.markup import elements, without_elements


def test_elements_are_read_at_any_depth() -> None:
    """With attributes and text, both unescaped, in the order of their beginnings."""
    text = '<told n="2" by="A &amp; B"> 1 &lt; 2 <part/></told> after <told>so</told>'
    first, part, second = elements(text)
    assert (first.name, first.number, first.attributes["by"]) == ("told", 2, "A & B")
    assert first.text == "1 < 2 <part/>"
    assert (part.name, part.text, second.number, second.text) == ("part", "", 0, "so")


def test_tag_that_is_never_closed_is_text() -> None:
    """A mention before an element, within one, and an end without a beginning."""
    text = "Mind <told> tags.\n<told>See <b>this</told> and </b>"
    assert [one.text for one in elements(text)] == ["See <b>this"]
    assert without_elements(text) == "Mind <told> tags.\n and </b>"
