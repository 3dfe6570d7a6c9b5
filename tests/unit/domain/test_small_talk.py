"""Small talk: the whole message or nothing."""

import tomllib
from collections import defaultdict
from importlib.resources import files

import pytest

from rich_agent.domain.routing.small_talk import SmallTalk, lone_word, phrase_of, small_talk

TOLD = tomllib.loads(
    files("rich_agent.domain.routing").joinpath("small_talk.toml").read_text(encoding="utf-8")
)
LANGUAGES = "en zh hi es fr ar bn pt ru ur id de ja tr ko vi it th pl fa uk"


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        (
            "greeting",
            "hi|Hiii!!|yo|HEY there|good morning 🌞|やあ|やっほー|こんにちは！|Hi. Hello!",
        ),
        (
            "greeting",
            "hola|Bonjour!|Guten Tag|Olá|привет|你好|안녕하세요|नमस्ते|สวัสดีครับ|مرحبا",
        ),
        (
            "greeting",
            "İyi günler|xin chào|xin chao|নমস্কার|السلام علیکم|Dzień dobry|Привіт",
        ),
        (
            "farewell",
            "bye|Good night!|see you later|さようなら|またね|До свидания|再见|adios|Tschüss",
        ),
        ("thanks", "thanks|ok thanks|ありがとうございます|谢谢|merci|vielen Dank!|gracias|شكرًا"),
        ("thanks", "hola, gracias|Thanks!!! 🙏|धन्यवाद|ধন্যবাদ|terima kasih|cảm ơn|ขอบคุณค่ะ"),
        ("help", "help|Help me!|ヘルプ"),
        ("laughter", "haha|hahaha 😂|lol|LOOOL|笑|ㅋㅋㅋ|jajaja|哈哈|ههههه"),
        ("reaction", "👍|❤️|👍🏽|🇯🇵|🙂🙂"),
        ("silence", "...|?|！！| |"),
        ("number", "42|3.14|2+2|12 * 7 = ?|１００|10%"),
    ],
)
def test_small_talk_knows_its_kinds(kind: SmallTalk, texts: str) -> None:
    """In the languages most used: whatever the case and marks are; accents count."""
    found = {text: small_talk(text) for text in texts.split("|")}
    assert found == dict.fromkeys(found, kind)


def test_phrase_says_in_which_languages_it_is_one() -> None:
    """So that nobody is answered in another; a word of several languages is of all of them."""
    wanted = {"hi": "de en nl", "Moin": "de", "hallo": "de id nl", "haha": "any", "やあ": "ja"}
    for text, languages in wanted.items():
        phrase = phrase_of(text)
        assert phrase is not None
        assert phrase.languages == frozenset(languages.split())


def test_phrases_are_of_one_kind_each() -> None:
    """A phrase that means one thing here and another there is not certain, and is left out."""
    kinds = defaultdict[str, set[str]](set)
    for told in TOLD.values():
        for kind, listed in told.items():
            for phrase in listed.split(";"):
                kinds[" ".join(phrase.split())] |= {kind, str(small_talk(phrase))}
    assert {phrase: found for phrase, found in kinds.items() if len(found) > 1} == {}


@pytest.mark.parametrize("language", LANGUAGES.split())
def test_phrases_cover_the_languages_most_used(language: str) -> None:
    """Each greets, thanks and says good-bye."""
    assert {"greeting", "thanks", "farewell"} <= TOLD[language].keys()


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize(
    "text",
    [
        "hi, what is a validator?",
        "Hello world program in C",
        "thanks, and the fee?",
        "Solana?",
        "why",
        "なぜ",
        "手数料は",
        "ステークとは",
        "good morning in Japanese",
        "What's up with Drift?",
        "bye bye birdie plot",
        "how are you built",
        "ありがとうは英語で何",
        "5 SOL in USD",
        "今日は？",
        "手数料はいくら",
        "ok",
        "ja",
        "no",
        "да",
        "はい",
        "menu",
        "cháo",
        "Cháo!",
        "chảo",
        "chão",
        "chao",
        "ola",
        "oie",
        "coucou",
        "sàlut",
        "bis morgen",
        "How are you?",
        "hi " * 50,
    ],
)
def test_small_talk_is_no_part_of_a_question(text: str) -> None:
    """Words that may ask for something are left to the planner."""
    assert small_talk(text) is None


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("liquidation", "liquidation"),
        ("Fees!", "Fees"),
        (" staking? ", "staking"),
        ("「有給休暇」", "有給休暇"),
        ("SHA-256", "SHA-256"),
        ("Ｓｏｌａｎａ", "Solana"),
        ("two words", ""),
        ("hi", ""),
        ("danke", ""),
        ("ja", "ja"),
        ("रिफंड?", "रिफंड"),
        ("42", ""),
        ("👍", ""),
        ("", ""),
        ("スマートフォンの充電はどうすればよいですか", ""),
        ("x" * 41, ""),
    ],
)
def test_lone_word_is_what_may_name_a_subject(text: str, word: str) -> None:
    """Without the marks around it; a greeting or a number names none."""
    assert lone_word(text) == word
