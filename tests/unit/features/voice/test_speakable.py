"""Words of an answer that are read aloud."""

import pytest

from rich_agent.features.voice.speaking import speakable


@pytest.mark.parametrize(
    ("markdown", "said"),
    [
        ("It is **fast** [1], and _small_ [12].", "It is fast, and small."),
        ("See [the guide](https://a.example/x) or https://b.example/y.", "See the guide or ."),
        ("Run it:\n\n```sh\nrm -rf /\n```\n\nDone.", "Run it:\n\n\n\nDone."),
        ("", ""),
    ],
)
def test_speakable_leaves_out_what_is_for_the_eyes(markdown: str, said: str) -> None:
    """Markers, addresses and code are not read; words of links are."""
    assert speakable(markdown, 500) == (said, True)


def test_speakable_ends_a_long_text_with_a_sentence() -> None:
    """Paragraphs do not count: the first may be short."""
    said, is_whole = speakable("A heading\n\n" + "This is said. " * 60, 200)
    assert not is_whole
    assert said.endswith("This is said.")
    assert 150 < len(said) <= 200
