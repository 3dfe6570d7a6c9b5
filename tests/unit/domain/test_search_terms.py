"""Search terms of every language in one index."""

import unicodedata

import pytest

from rich_agent.domain.retrieval.search_terms import (
    TERM_SPACE,
    IndexLanguages,
    languages_in,
    question_terms,
    question_words,
    term_counts,
    terms_in,
)


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
    assert term_counts("... !? 🙂 () \u0301 ـــ") == {}


def test_term_counts_count_and_stay_in_their_space() -> None:
    """The number of a term is the same each time, and a dimension of a sparse vector."""
    counts = term_counts("Stake, staking, staked; 資金資金")
    assert sorted(counts.values()) == [1, 2, 2, 2, 3]
    assert all(0 <= term < TERM_SPACE for term in counts)
    assert counts == term_counts("Stake, staking, staked; 資金資金")


def test_term_counts_take_a_word_without_end() -> None:
    """A text that is no word of any language costs no more than its beginning."""
    assert len(term_counts("a1" * 100_000)) <= 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ما هي عاصمة العراق؟", {"العراق", "عاصمة"}),
        ("الفيل، الأسد؛ النمر۔ الذئب", {"الفيل", "الأسد", "النمر", "الذئب"}),
        ("भारत। नेपाल॥ भूटान", {"भारत", "नेपाल", "भूटान"}),
        ("בית־ספר׳ גדול״", {"בית", "ספר", "גדול"}),
        ("Ἀθῆναι; Σπάρτη· Θῆβαι", {"Ἀθῆναι", "Σπάρτη", "Θῆβαι"}),
        ("Երևան՞ Գյումրի։ Վանաձոր՝", {"Երևան", "Գյումրի", "Վանաձոր"}),
        ("¿Madrid? ¡Sevilla! «Cádiz»…", {"Madrid", "Sevilla", "Cádiz"}),
        ("ጎንደር። ባሕር፣ አክሱም፤", {"ጎንደር", "ባሕር", "አክሱም"}),
        ("ジョン・スミス", {"ジョン", "スミス"}),
    ],
)
def test_punctuation_of_every_script_separates_words(text: str, words: set[str]) -> None:
    """A word before a sign is the word; the sign is part of none."""
    found = terms_in(text)
    alone = [terms_in(word, languages_in(text)) for word in words]
    assert all(alone)
    assert found == frozenset().union(*alone)
    assert not any(unicodedata.category(sign)[0] == "P" for term in found for sign in term)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("العربية", "العَرَبِيَّة"),
        ("العربية", "العـــربية"),
        ("إسلام", "اسلام"),
        ("آثار", "اثار"),
        ("کتاب", "كتاب"),
        ("کتاب‌ها", "کتابها"),
        ("שלום", "שָׁלוֹם"),
        ("क़लम", "क\u093cलम"),
        ("क़लम", "कलम"),
        ("١٩٩٠", "1990"),
        ("१९४७", "1947"),
        ("ΟΔΟΣ", "οδός"),
        ("Straße", "STRASSE"),
        ("café", "cafe\u0301"),
        ("Donau\u00addampfer", "Donaudampfer"),
    ],
)
def test_spellings_of_a_word_are_one_term(one: str, other: str) -> None:
    """Vowel signs, lengthened lines, forms of a letter, digits, capitals, soft hyphens."""
    assert terms_in(one) == terms_in(other) != frozenset()


@pytest.mark.parametrize(
    ("word", "form", "text"),
    [
        ("валидаторы", "валидаторов", "Это было для {} и не для других, но как"),
        ("kitapları", "kitap", "Bu şehirde bir {} için çok para var"),
        ("ΔΡΟΜΟΣ", "δρόμους", "Το τέλος για τους {} είναι στην πόλη και δεν αλλάζει"),
        ("المسلمين", "المسلمون", "كان {} في هذا البلد من كل مكان"),
        ("کتاب‌های", "کتاب", "این {} است و برای شما به خانه می‌آید"),
        ("orașe", "orașului", "Centrul {} este cel mai mare și nu are un port"),
        ("Anträge", "Antrag", "Der {} ist bei der Behörde und nicht mit der Post zu stellen"),
        ("décisions", "décision", "La {} est dans les mains de la cour et de ses juges"),
        ("लड़कियों", "लड़की", "यह {} है और वह एक घर है"),
        ("pracownikom", "pracownika", "Nie jest to dla {} w pracy, ale się zdarza"),
        ("міста", "міста", "Це {} та не що інше, але також у них є"),
    ],
)
def test_inflected_words_meet_in_their_language(word: str, form: str, text: str) -> None:
    """A word alone is looked for in the form that it has in the text's language."""
    written = text.format(form)
    (terms,) = question_words(word, index_of(*languages_in(written)))
    assert terms & (term_counts(written).keys() - term_counts(text.format("")).keys())


def test_question_of_unclear_language_is_looked_for_in_all() -> None:
    """A word without a sentence is tried in every language that the documents are in."""
    (asked,) = question_words("kitapları", index_of("german", "turkish"))
    (strange,) = question_words("kitapları", index_of("german"))
    assert asked > strange
    assert asked <= {*question_terms("kitapları")}


def index_of(*languages: str) -> IndexLanguages:
    """An index with as many texts in each of these languages."""
    return IndexLanguages.of(dict.fromkeys(languages, 10))


@pytest.mark.parametrize(
    ("question", "texts", "small"),
    [
        ("Orthophonistes : que faire ?", {"french": 603, "english": 2}, "que"),
        ("Programări: unde?", {"romanian": 90, "italian": 1}, "unde"),
        ("¿Y el horario?", {"spanish": 50, "catalan": 50}, "el"),
        ("J'ai mal, c'est normal ?", {"french": 90}, "j"),
        ("O să plouă?", {"romanian": 90}, "să"),
        ("¿Me toca?", {"spanish": 90}, "me"),
        ("Mi presti?", {"italian": 90}, "mi"),
        ("Rezepte, wo?", {"german": 70, "english": 30}, "wo"),
        ("Хлеб где?", {"russian": 80, "bulgarian": 1}, "где"),
    ],
)
def test_short_question_leaves_out_the_small_words_of_the_index(
    question: str, texts: dict[str, int], small: str
) -> None:
    """Chunks lack them, so that the few which kept them would win by a word that names nothing."""
    words = question_words(question, IndexLanguages.of(texts))
    assert words
    assert not {*question_terms(small)} & frozenset().union(*words)


@pytest.mark.parametrize(
    ("question", "kept"), [("die", "die"), ("cells die", "die"), ("que", "que")]
)
def test_small_words_of_a_language_that_few_texts_have_are_words(question: str, kept: str) -> None:
    """In an English index with a little German and French they may be what is asked about."""
    index = IndexLanguages.of({"english": 97, "german": 2, "french": 1})
    assert {*question_terms(kept)} & frozenset().union(*question_words(question, index))


def test_question_of_small_words_alone_keeps_them() -> None:
    """Else there would be nothing to look for."""
    assert question_words("que?", index_of("french"))


def test_language_is_spoken_from_a_share_of_its_script_on() -> None:
    """One wrong guess among a thousand adds no language; a rare script is not a wrong guess."""
    index = IndexLanguages.of({"french": 999, "catalan": 1, "german": 40, "russian": 2})
    assert index.spoken == {"french", "german", "russian"}
    assert index.common == {"french", "russian"}


@pytest.mark.parametrize("question", ["Giá bán của nó là bao nhiêu", "Gia ban cua no la bao nhieu"])
def test_vietnamese_words_meet_with_their_marks_and_without_any(question: str) -> None:
    """Typed without marks, as many do, they meet every word that is written so."""
    held = {*term_counts("Giá bán của nó là không được trong các cửa hàng")}
    assert any(held & word for word in question_words(question, index_of("vietnamese")))


def test_vietnamese_words_are_told_apart_by_their_marks() -> None:
    """The word "bán" (to sell) is not "bạn" (friend), in a question that tells its language."""
    held = {*term_counts("bạn của tôi là một người không có ở trong nhà")}
    words = question_words("Giá bán của nó là được không", index_of("vietnamese"))
    (sold,) = (word for word in words if word & {*question_terms("bán")})
    assert not held & sold


def test_small_words_of_the_questions_language_are_left_out() -> None:
    """In an English text "die" and "was" would be words like others."""
    question = "Was ist die Auszahlung und wie hoch ist die Gebühr?"
    asked = question_words(question, index_of("english"))
    assert not {*term_counts("they may die")} & frozenset().union(*asked)
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wie hoch sind die Gebühren?", "german"),
        ("Quels sont les frais ?", "french"),
        ("¿Cuáles son las comisiones?", "spanish"),
        ("Ücretler ne kadar ve nasıl ödenir?", "turkish"),
        ("Сколько стоит перевод и как его сделать?", "russian"),
        ("Скільки коштує переказ і як його зробити та чи є інші?", "ukrainian"),
        ("हस्तांतरण की लागत क्या है?", "hindi"),
        ("هزینه انتقال چه قدر است و چگونه", "persian"),
        ("كم تبلغ رسوم التحويل في هذا البنك؟", "arabic"),
        ("Phí chuyển tiền là bao nhiêu và như thế nào?", "vietnamese"),
        ("How much is the fee?", "english"),
    ],
)
def test_language_is_told_by_script_and_small_words(text: str, language: str) -> None:
    """Also one without a stemmer, whose words are then left as they are."""
    assert language in languages_in(text)


def test_text_in_two_scripts_is_in_two_languages() -> None:
    """Each word is read by its own."""
    text = "Валидаторы получают награды не только за это: The rewards of the validators are paid."
    assert {"валидатор", "наград", "reward", "valid"} <= terms_in(text)
    assert languages_in(text) == {"russian", "english"}
