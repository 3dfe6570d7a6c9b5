import pytest

from rich_agent_sandbox.model.answering.prose import Sentence, quotable_sentences

PAGE = """## Making tea

Tea is steeped in hot water, e.g. in a pot. See [the guide](guide.md) and `brew(tea)`!

The times are:

| Tea | Minutes |
|---|---|
| Sencha | 2, or 3. Never 9 |

```python
steep(tea)
```

- Warm the pot (it cracks.) Then pour.
- [Guide](guide.md)
- Guide on pots: <https://example.com/pots>
"""


def test_quotable_sentences_are_whole_and_in_order() -> None:
    """Sentences, items and whole rows stay; heading, lead-in, code and lists of links go."""
    assert quotable_sentences(PAGE, "Tea > Making tea") == [
        Sentence("Tea is steeped in hot water, e.g. in a pot.", "prose"),
        Sentence("See the guide and `brew(tea)`!", "prose"),
        Sentence("Sencha | 2, or 3. Never 9", "row"),
        Sentence("Warm the pot (it cracks.)", "item"),
        Sentence("Then pour.", "item"),
    ]


@pytest.mark.parametrize("section", ["Tea > Sources", "References", "お茶 > 出典", "See also"])
def test_quotable_sentences_skip_sections_of_links(section: str) -> None:
    """A list of sources is never quoted."""
    assert quotable_sentences("Tea is a drink.", section) == []


def test_quotable_sentences_heed_headings_in_the_text() -> None:
    """Sources inside a passage are left out, and what is called sources otherwise is not."""
    text = "## What are your sources?\n\nBooks are.\n\n## Sources\n\nA book on tea."
    assert quotable_sentences(text, "Tea") == [Sentence("Books are.", "prose")]


def test_quotable_sentences_join_wrapped_lines_alone() -> None:
    """A long line goes on in the next one; a short line was ended on purpose."""
    wrapped = "Green tea is steeped for a shorter time than black tea,\nand cooler."
    listed = "Monday: closed\nTuesday: open"
    assert [sentence.text for sentence in quotable_sentences(wrapped, "")] == [
        "Green tea is steeped for a shorter time than black tea, and cooler."
    ]
    assert quotable_sentences(listed, "") == [
        Sentence("Monday: closed", "fragment"),
        Sentence("Tuesday: open", "fragment"),
    ]


def test_quotable_sentences_keep_a_long_sentence_before_a_list() -> None:
    """A sentence that says much before its colon ends in an ellipsis instead."""
    text = "Tea is steeped for two minutes at eighty degrees, and served in small cups:\n\n- clay"
    assert quotable_sentences(text, "")[0] == Sentence(
        "Tea is steeped for two minutes at eighty degrees, and served in small cups…", "prose"
    )


def test_quotable_sentences_cut_japanese_outside_of_brackets() -> None:
    """A full stop within quotation marks does not end the sentence around it."""
    found = quotable_sentences("「はい。」と答えます。次です。", "")
    assert [sentence.text for sentence in found] == ["「はい。」と答えます。", "次です。"]
