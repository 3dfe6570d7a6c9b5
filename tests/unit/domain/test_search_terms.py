"""Search terms of every language in one index."""

import pytest

from rich_agent.domain.retrieval.search_terms import TERM_SPACE, term_counts


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How are validators staked?", "The validator that stakes"),
        ("getUserName", "the user's name is got by get_user_name"),
        ("get_user_name", "getUserName(x)"),
        ("http client", "class HTTPClient:"),
        ("max_context_tokens", "Set MAX_CONTEXT_TOKENS to 500."),
        ("node.js", "Node.js 20 is needed"),
        ("version 3.11", "since 3.11.2"),
        ("cafe in Zürich", "Café Zurich"),
        ("資金調達率はいつ支払われますか", "資金調達率は一時間ごと"),
        ("ｽﾃｰｷﾝｸﾞ", "ステーキングの報酬"),
        ("Solanaの手数料", "手数料（Solana）"),
        ("안녕", "안녕하세요"),
        ("ภาษา", "ภาษาไทย"),
    ],
)
def test_term_counts_find_the_other_form(question: str, text: str) -> None:
    """Stems, parts of identifiers, accents, half width, text without spaces."""
    assert term_counts(question).keys() & term_counts(text).keys()


def test_term_counts_keep_an_identifier_whole() -> None:
    """So that the very name beats a text that holds its parts."""
    name = term_counts("max_context_tokens").keys()
    assert len(name & term_counts("MAX_CONTEXT_TOKENS").keys()) == 4
    assert len(name & term_counts("the maximum: max tokens of a context").keys()) == 3


def test_term_counts_leave_words_out_that_name_nothing() -> None:
    """They stand in every text."""
    assert term_counts("What is it, and why do they do that?") == {}
    assert term_counts("") == {}
    assert term_counts("... !? 🙂 ()") == {}


def test_term_counts_count_and_stay_in_their_space() -> None:
    """The number of a term is the same each time, and a dimension of a sparse vector."""
    counts = term_counts("Stake, staking, staked; 資金資金")
    assert sorted(counts.values()) == [1, 2, 2, 2, 3]
    assert all(0 <= term < TERM_SPACE for term in counts)
    assert counts == term_counts("Stake, staking, staked; 資金資金")


def test_term_counts_take_a_word_without_end() -> None:
    """What is no word of any language costs no more than its beginning."""
    assert len(term_counts("a1" * 100_000)) <= 2
