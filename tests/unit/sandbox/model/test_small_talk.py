"""Small talk, sums, the date and the languages that the stand-in can tell."""

import pytest

from rich_agent_sandbox.model.answering.answer import answer
from rich_agent_sandbox.model.answering.small_talk import kind_of, say, without_greeting, wordings
from rich_agent_sandbox.model.language.tongues import corrected, in_english, language_of
from rich_agent_sandbox.model.planning.clarifying import clarify
from rich_agent_sandbox.model.planning.plan import plan_answer
from rich_agent_sandbox.model.prompt import Domain, Passage, Prompt, Turn

LANGUAGES = {
    "en", "de", "es", "fr", "it", "pt", "nl", "pl", "ru", "ja", "zh", "ko", "ar", "hi", "tr",
}  # fmt: skip
TODAY = "Today is Sunday, 2026-11-22."
FEES = Passage(1, "document", "Fees", "Fees > What is the base fee", "", "The base fee is fixed.")
SOLANA = Domain("domain_solana", "Solana and staking.")


@pytest.mark.parametrize(
    ("text", "kind", "language"),
    [
        ("hello there, who are you?", "identity", "en"),
        ("Hallo!", "greeting", "de"),
        ("¡Hola!", "greeting", "es"),
        ("Merci beaucoup", "thanks", "fr"),
        ("Come stai?", "wellbeing", "it"),
        ("Quem é você?", "identity", "pt"),
        ("Hoe gaat het?", "wellbeing", "nl"),
        ("Dziękuję bardzo", "thanks", "pl"),
        ("Привет", "greeting", "ru"),
        ("お元気ですか？", "wellbeing", "ja"),
        ("你是谁？", "identity", "zh"),
        ("안녕하세요", "greeting", "ko"),
        ("مرحبا!", "greeting", "ar"),
        ("네, 감사합니다!", "thanks", "ko"),
        ("哈哈，谢谢", "thanks", "zh"),
        ("I love you", "affection", "en"),
        ("Du bist dumm!", "abuse", "de"),
        ("du bist doof", "abuse", "de"),
        ("thanks, that was great", "thanks", "en"),
        ("forget it", "agreement", "en"),
        ("Tschüss", "farewell", "de"),
        ("Sprichst du Deutsch?", "language", "de"),
        ("what time is it?", "clock", "en"),
        ("¿Qué hora es?", "clock", "es"),
        ("tell me a joke", "joke", "en"),
        ("讲个笑话", "joke", "zh"),
        ("今天是几号？", "today", "zh"),
    ],
)
def test_chat_answers_in_the_askers_language(text: str, kind: str, language: str) -> None:
    """Answered with one friendly sentence, and no note below it; documents may tell of the bot."""
    prompt = Prompt(text, TODAY, sources=("Solana",))
    assert (kind_of(text), language_of(text)) == (kind, language)
    assert plan_answer(prompt).plan == ("rag" if kind in {"identity", "language"} else "direct")
    spoken = answer(prompt)
    start = say("no_clock" if kind == "clock" else kind, language, name="", day="\0")
    assert spoken.startswith(start.partition("\0")[0])
    assert say("note", language) not in spoken


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("what time is it?", "It is 22:34 UTC."),
        ("Wie spät ist es?", "Es ist 22:34 Uhr UTC."),
        ("¿Qué hora es?", "Son las 22:34 UTC."),
    ],
)
def test_time_is_told_in_utc_where_no_zone_is_known(text: str, said: str) -> None:
    """As the prompt wants it; in the user's own zone the time stands alone."""
    present = "It is now Sunday, 2026-11-22 22:34"
    unknown = Prompt(text, f"{present} UTC (the user's time zone is not known: write UTC).")
    assert answer(unknown).startswith(said)
    known = Prompt(text, f"{present} in Europe/Berlin.")
    assert answer(known).startswith(said.replace(" UTC", ""))


def test_question_what_this_is_is_told_from_others() -> None:
    """Also without its apostrophe, behind a greeting."""
    assert kind_of("hello there, whats this thing?") == "place"


def test_emoji_are_small_talk() -> None:
    """A face or a heart asks for a kind word."""
    assert [kind_of(text) for text in ("😭😭", "❤️", "!?")] == ["emoji", "emoji", ""]


@pytest.mark.parametrize(
    "text",
    [
        "How are fees computed?",
        "What is the time between two slots?",
        "¿Con qué se paga?",
        "what's up with staking?",
        "Who made Solana?",
        "hi, what is slippage?",
    ],
)
def test_chat_leaves_questions_alone(text: str) -> None:
    """Words of small talk within a question are no small talk."""
    assert kind_of(text) == ""


def test_chat_says_everything_in_every_language() -> None:
    """A kind has words in each of them; what introduces English quotes needs two less."""
    for kind in ("greeting", "thanks", "farewell", "abuse", "identity", "fallback", "note"):
        assert len(set(wordings(kind))) == len(LANGUAGES)
    assert len(wordings("quoted")) == len(LANGUAGES) - len({"en", "ja"})


def test_what_is_this_asks_of_the_bot_where_nothing_was_said_before() -> None:
    """A newcomer is told who speaks, and is not asked back; later it means what was said."""
    first, later = Prompt("Hi! What is this?"), Prompt("What is this?", turns=(Turn("user", "A"),))
    assert answer(first) == say("identity", "en")
    assert clarify(first) is None
    assert say("identity", "en") not in answer(later)
    assert answer(Prompt("are you human?")) == say("identity", "en")


def test_today_is_told_by_the_prompt() -> None:
    """The day comes from the instructions; without one nothing is claimed."""
    assert answer(Prompt("what's today's date?", TODAY)) == "Today is Sunday, 22 November 2026."
    assert answer(Prompt("今日は何日ですか？", TODAY)) == "今日は2026年11月22日日曜日です。"
    assert "2026" not in answer(Prompt("what's today's date?"))


@pytest.mark.parametrize(
    ("question", "starts", "is_told"),
    [
        ("Wie hoch ist die Gebühr?", "In den Beispieltexten", True),
        ("¿Cuál es la comisión?", "Los documentos de ejemplo dicen", True),
        ("手续费是多少？", "示例文档", True),
        ("수수료는 어떻게 계산하나요?", "예시 문서", True),
        ("كم الرسوم؟", "تقول الوثائق", True),
        ("Was ist die Hauptstadt von Frankreich?", "Ich bin in dieser Demo", False),
        ("¿Cuál es la capital de Francia?", "Soy el sustituto", False),
    ],
)
def test_question_in_another_language_is_answered_in_it(
    question: str, starts: str, *, is_told: bool
) -> None:
    """With words before the quotes where the documents tell of it; else friendly."""
    asked = Prompt(question, domains=(SOLANA,), sources=("Solana and DeFi",))
    assert plan_answer(asked).plan == "rag"
    spoken = answer(Prompt(question, passages=(FEES,)))
    assert spoken.startswith(starts)
    assert ("The base fee is fixed. [1]" in spoken) == is_told


def test_words_are_brought_together() -> None:
    """Twins of other languages, words of the trade, and misspelt ones; greetings are put aside."""
    assert in_english("¿Qué es la liquidación?") == ["liquidation"]
    assert in_english("Was kostet eine Gebühr?") == ["fee"]
    assert corrected("wat is prof of histroy", ["proof", "history"]) == "what is proof of history"
    assert corrected("What is the capital of France?", ["chance"]).endswith("France?")
    assert without_greeting("Hi there! What is slippage?") == "What is slippage?"
    assert without_greeting("Hi") == "Hi"


def test_manner_of_telling_is_no_subject() -> None:
    """The thing to be explained as to a child is looked for by itself."""
    child = Prompt("What is the base fee? Explain like I'm five", passages=(FEES,))
    assert answer(child).startswith("The base fee is fixed. [1]")
