"""Small talk: the whole message or nothing."""

import pytest

from rich_agent.domain.small_talk import SmallTalk, lone_word, small_talk


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        (
            "greeting",
            "hi|Hiii!!|yo|HEY there|good morning 🌞|やあ|やっほー|こんにちはー|おはよう！|もしもし",
        ),
        ("greeting", "hola|Bonjour!|Guten Tag|Olá|привет|你好|안녕하세요|नमस्ते|สวัสดีครับ|مرحبا|שלום"),
        (
            "farewell",
            "bye|Good night!|see you later|さようなら|またね|おやすみなさい|До свидания|再见",
        ),
        (
            "thanks",
            "thanks|thank you so much!|ok thanks|ありがとうございます|どうもありがとう|谢谢|merci",
        ),
        (
            "courtesy",
            "How are you today?|what's up|got it|お元気ですか？|よろしくお願いします|なるほど",
        ),
        ("help", "help|Help me!|help me please|menu|ヘルプ|使い方"),
        ("laughter", "haha|hahaha 😂|lol|LOOOL|www|草|笑|ㅋㅋㅋ|jajaja"),
        ("reaction", "👍|❤️|👍🏽|🇯🇵|🙂🙂"),
        ("silence", "...|?|！！| |"),
        ("number", "42|3.14|2+2|12 * 7 = ?|１００|10%"),
        ("agreement", "ok|Yes!|nope|はい|了解|ja|Nein|sí|oui|да|好"),
        ("word", "Solana|schön|test|ソラナ|पानी"),
    ],
)
def test_small_talk_knows_its_kinds(kind: SmallTalk, texts: str) -> None:
    """In English, in Japanese, and the commonest words of other languages."""
    found = {text: small_talk(text) for text in texts.split("|")}
    assert found == dict.fromkeys(found, kind)


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
    ],
)
def test_small_talk_is_no_part_of_a_question(text: str) -> None:
    """What may ask for something is left to the planner."""
    assert small_talk(text) is None


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("liquidation", "liquidation"),
        ("Fees!", "Fees"),
        (" staking? ", "staking"),
        ("「有給休暇」", "有給休暇"),
        ("ステーキングは？", ""),
        ("SHA-256", "SHA-256"),
        ("Ｓｏｌａｎａ", "Solana"),
        ("two words", ""),
        ("hi", ""),
        ("danke", ""),
        ("ja", ""),
        ("ok?", ""),
        ("why?", ""),
        ("なぜ", ""),
        ("42", ""),
        ("👍", ""),
        ("", ""),
        ("スマートフォンの充電はどうすればよいですか", ""),
        ("x" * 41, ""),
    ],
)
def test_lone_word_is_what_may_name_a_subject(text: str, word: str) -> None:
    """Without the marks around it; greetings, agreement and question words name none."""
    assert lone_word(text) == word
