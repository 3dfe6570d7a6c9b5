"""Trust in vectors: learned from sentences that should find their own chunk."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from rich_agent.domain.retrieval.language_sample import HeldOut, LanguageSample, weigh_language
from rich_agent.domain.retrieval.language_trust import (
    LanguageTrust,
    TextLanguage,
    inner_sentence,
    main_language,
    trust_in_vectors,
)

ENGLISH = LanguageTrust("english", "LATIN", 300, asked=60, found=55, winners=58, share=0.9)
GERMAN = LanguageTrust("german", "LATIN", 100, asked=60, found=30, winners=45, share=0.6)
ARABIC = LanguageTrust("arabic", "ARABIC", 100, asked=60, found=4, winners=12, share=0.14)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The fees of the network are paid by the sender", TextLanguage("english", "LATIN")),
        ("Die Gebühren werden von dem Absender bezahlt", TextLanguage("german", "LATIN")),
        ("ما هي رسوم الشبكة التي يدفعها المرسل في كل مرة", TextLanguage("arabic", "ARABIC")),
        ("手数料は送信者が払います", TextLanguage("japanese", "CJK")),
        ("手续费由发送者支付", TextLanguage("chinese", "CJK")),
        ("수수료는 보낸 사람이 냅니다", TextLanguage("korean", "HANGUL")),
        ("Solana fees", TextLanguage("", "LATIN")),
        ("Комиссия сети и как она платится: API v2 не нужен", TextLanguage("russian", "CYRILLIC")),
        ("42 — 17 %", TextLanguage("", "")),
    ],
)
def test_main_language_is_that_of_most_letters(text: str, language: TextLanguage) -> None:
    """A script is certain; within it the commonest words tell, where there are enough of them."""
    assert main_language(text) == language


def test_inner_sentence_is_from_the_middle() -> None:
    """The beginning of a chunk would be found more easily; headings are too short to be asked."""
    text = "Fees\nThe first sentence stands here. The second one is in the middle. A third ends it."
    assert inner_sentence(text) == "The second one is in the middle."
    assert inner_sentence("short") == "short"
    assert len(inner_sentence("word " * 1_000)) <= 300


def test_weigh_language_trusts_what_finds_its_own_chunk() -> None:
    """Sentences near to their chunks are surprising for a reason."""
    vectors = np.eye(40, dtype=np.float32)
    held_out = HeldOut(range(20), vectors[:20], vectors[:20])
    trust = weigh_language(TextLanguage("english", "LATIN"), 40, held_out, vectors)
    assert (trust.asked, trust.found, trust.winners) == (20, 20, 20)
    assert trust.weight == 1
    assert not trust.is_unknown


def test_weigh_language_does_not_trust_chunks_that_win_everything() -> None:
    """However far they stand out: what is nearest to every sentence says nothing."""
    vectors = np.eye(40, dtype=np.float32)
    hubs = np.repeat(vectors[30:31], 20, axis=0)
    held_out = HeldOut(range(20), hubs, vectors[:20])
    trust = weigh_language(TextLanguage("hindi", "DEVANAGARI"), 40, held_out, vectors)
    assert (trust.found, trust.winners) == (0, 1)
    assert trust.is_unknown
    assert trust.in_words() == (
        "this embedding model does not know Hindi: words decide "
        "(0 of 20 sentences led to the rest of their passage)"
    )


def test_model_that_only_matches_words_is_not_trusted() -> None:
    """It finds a sentence in its text, and not what else the text says."""
    facts = [
        f"The fee number{n} is due on the day{n} of the month. Payment comes in coins{n} only."
        for n in range(40)
    ]
    vocabulary = sorted({word for fact in facts for word in fact.split()})

    def bags(texts: Sequence[str]) -> NDArray[np.float32]:
        counts = np.array([[text.split().count(word) for word in vocabulary] for text in texts])
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        return np.asarray(counts / lengths, np.float32)

    sample = LanguageSample.of(facts, list(bags(facts)))
    (language,) = sample.places
    sentences, rests = bags(sample.sentences(language)), sample.rests(language)
    vectors = dict(zip(rests, bags(list(rests.values())), strict=True))
    assert sample.judge(language, sentences, vectors).is_unknown
    assert sample.judge(language, sentences, {}).weight == 1


def test_texts_of_one_sentence_are_compared_with_their_own_vectors() -> None:
    """A second embedding of the same text would win each tie, and many equal texts seem known."""
    texts = [
        f"The fee of the network is due on the first day of the month {n % 2}." for n in range(40)
    ]
    vectors = np.eye(2, dtype=np.float32)[[n % 2 for n in range(40)]]
    sample = LanguageSample.of(texts, list(vectors))
    (language,) = sample.places
    assert sample.rests(language) == {}
    assert sample.judge(language, vectors[:40], {}).winners == 2


def test_trust_in_vectors_is_that_of_the_questions_language() -> None:
    """Or of its script, or of all documents."""
    learned = (ENGLISH, GERMAN, ARABIC)
    assert trust_in_vectors("How are the fees of the network paid?", learned) == ENGLISH.weight
    assert trust_in_vectors("كيف تدفع رسوم الشبكة؟", learned) == ARABIC.weight
    latin = (300 * ENGLISH.weight + 100 * GERMAN.weight) / 400
    assert trust_in_vectors("Solana fees", learned) == pytest.approx(latin)
    assert ARABIC.weight < trust_in_vectors("0x80004", learned) < ENGLISH.weight


def test_trust_in_vectors_is_full_where_nothing_is_known() -> None:
    """Before the first sync; and where words find nothing, because no document is in the script."""
    assert trust_in_vectors("How are fees paid?", ()) == 1
    assert trust_in_vectors("Как платят комиссию?", (ENGLISH, ARABIC)) == 1


def test_language_trust_is_told_in_words() -> None:
    """A language that is known, one that is known a little, and a script without a language."""
    assert "knows English: words and meaning count" in ENGLISH.in_words()
    assert "knows German a little: words count more" in GERMAN.in_words()
    code = LanguageTrust("", "LATIN", 40, asked=20, found=0, winners=1, share=0.0)
    assert "does not know texts in Latin script" in code.in_words()
