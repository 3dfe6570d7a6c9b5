"""Which of its languages the product speaks to a user."""

import pytest

from rich_agent.domain.languages import (
    LOCALE_BY_CODE,
    SUPPORTED_LOCALES,
    choose_locale,
    locale_of_message,
    locale_of_tag,
    usual_locale,
)


@pytest.mark.parametrize(
    ("text", "code", "locale"),
    [
        ("こんにちは", "en", "ja"),
        ("手数料の Solana は？", "de", "ja"),
        ("안녕하세요", "en", "ko"),
        ("नमस्ते", "en", "hi"),
        ("Привет", "en", "ru"),
        ("Привет", "uk", "uk"),
        ("سلام", "fa", "fa"),
        ("مرحبا", "en", "ar"),
        ("你好", "zh-TW", "zh-Hant"),
        ("你好", "en", "zh-Hans"),
        ("手数料", "ja", "ja"),
        ("hello", "ja", "en"),
        ("hola", "es-MX", "es"),
        ("ciao", "bg", "en"),
        ("Здравей", "bg", "en"),
        ("मला मदत हवी", "mr", "en"),
        ("안녕하세요", "sv", "ko"),
        ("", "ja", "ja"),
        ("👍", "pt-PT", "pt-BR"),
        ("", None, "en"),
    ],
)
def test_choose_locale_follows_the_script_before_the_client(
    text: str, code: str | None, locale: str
) -> None:
    """A script rules languages out; among those that it leaves, the client's comes first."""
    assert choose_locale(text, code) == locale


@pytest.mark.parametrize(
    ("tag", "locale"),
    [
        ("zh", "zh-Hans"),
        ("zh-CN", "zh-Hans"),
        ("zh-TW", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("zh-Hant-MO", "zh-Hant"),
        ("pt", "pt-BR"),
        ("pt_PT", "pt-BR"),
        ("DE-at", "de"),
        ("sw", None),
        ("", None),
    ],
)
def test_locale_of_tag_falls_back_to_the_nearest(tag: str, locale: str | None) -> None:
    """A region that has no phrases of its own takes those of its language."""
    assert locale_of_tag(tag) == locale


def test_locale_of_tag_knows_each_locale() -> None:
    """A locale is its own tag."""
    assert [locale_of_tag(one) for one in SUPPORTED_LOCALES] == list(SUPPORTED_LOCALES)


def test_locale_by_code_has_what_telegram_takes() -> None:
    """Codes of two letters; both kinds of Chinese share theirs."""
    assert {len(code) for code in LOCALE_BY_CODE} == {2}
    assert set(SUPPORTED_LOCALES) - set(LOCALE_BY_CODE.values()) == {"zh-Hant"}


@pytest.mark.parametrize(
    ("text", "planned", "locale"),
    [
        ("Was kannst du?", "de", "de"),
        ("स्टेकिंग क्या है?", "en", "hi"),
        ("이건 뭐야?", "en", "ko"),
        ("Что это?", "en", "ru"),
        ("Что это?", "uk", "ru"),
        ("Привет", "en", None),
        ("Привет", "uk", "uk"),
        ("What is this?", "ja", None),
        ("What does 有給休暇 mean?", "en", "en"),
        ("手数料は？", "zh", "ja"),
        ("手数料", "zh", "zh-Hans"),
        ("Hoeveel?", "", None),
        ("👍", "de", None),
        ("", "", None),
    ],
)
def test_written_in_leaves_out_what_the_script_excludes(
    text: str, planned: str, locale: str | None
) -> None:
    """A planner that says English of Devanagari is wrong; of a Cyrillic word nobody knows more."""
    assert locale_of_message(text, planned) == locale


@pytest.mark.parametrize(
    ("observed", "locale"),
    [
        ([], None),
        (["de"], "de"),
        (["de", "en"], None),
        (["de", "en", "de"], "de"),
        (["en", "de", "de"], "de"),
        (["en", "de", "fr"], None),
        (["en", "en", "de", "de"], "de"),
    ],
)
def test_settled_locale_is_that_of_most_messages(observed: list[str], locale: str | None) -> None:
    """One guess among several changes nothing."""
    assert usual_locale(observed) == locale


MESSAGES = (
    # The language of the app, a message, and the language of the answer's notices.
    ("uk", "що таке стейкінг?", "uk"),
    ("uk", "Привіт! Як справи?", "uk"),
    ("uk", "Дякую", "uk"),
    ("uk", "нагадай завтра про молоко", "uk"),
    ("ru", "що таке стейкінг?", "uk"),
    ("en", "Що означає це слово?", "uk"),
    ("uk", "Что это такое и зачем это нужно?", "ru"),
    ("ru", "что такое стейкинг?", "ru"),
    ("en", "Напомни мне завтра", "ru"),
    ("en", "Объясни, что такое блокчейн", "ru"),
    ("fa", "چه کارهایی می‌توانی انجام دهی؟", "fa"),
    ("fa", "سلام", "fa"),
    ("fa", "فردا یادم بنداز", "fa"),
    ("fa", "سلام، حال شما خوب است؟", "fa"),
    ("ar", "چه کارهایی می‌توانی انجام دهی؟", "fa"),
    ("en", "کتاب من کجاست؟", "fa"),
    ("en", "ما هو التحصيص؟", "ar"),
    ("fa", "إلى أين تذهب؟", "ar"),
    ("ar", "ذكرني غدا", "ar"),
    ("en", "What does привет mean?", "en"),
    ("en", 'What does "как дела у тебя сегодня вечером" mean?', "en"),
    ("en", "How do I say 東京 in English?", "en"),
    ("en", "How do I say “ありがとうございます” politely?", "en"),
    ("en", "ツ", "en"),
    ("en", "¯\\_(ツ)_/¯", "en"),
    ("en", "is π irrational?", "en"),
    ("en", "What is the naïve way to a café in Köln?", "en"),
    ("de", "Was heißt здравствуйте auf Deutsch?", "de"),
    ("de", "Wie spricht man 你好 aus?", "de"),
    ("ja", "handって何ですか", "ja"),
    ("en", "DockerとKubernetesの違いは？", "ja"),
    ("en", "手数料の Solana は？", "ja"),
    ("ja", "東京都交通局", "ja"),
    ("ja", "「hello world」とはどういう意味ですか", "ja"),
    ("en", "安裝這個軟體需要多少錢？", "zh-Hant"),
    ("zh-TW", "这个软件怎么安装？", "zh-Hans"),
    ("zh-CN", "這個軟體怎麼安裝？", "zh-Hant"),
    ("zh-TW", "你好", "zh-Hant"),
    ("en", "什么是质押？", "zh-Hans"),
    ("en", "스테이킹이 뭐예요?", "ko"),
    ("ko", "API 키가 뭐야?", "ko"),
    ("en", "स्टेकिंग क्या है?", "hi"),
    ("hi", "मुझे कल याद दिलाना", "hi"),
    ("en", "посмотри https://example.org/a/b/c-d?e=f это", "ru"),
    ("ru", "ls -la /etc что делает эта команда?", "ru"),
    ("fr", "Qu'est-ce que le staking ?", "fr"),
    ("es", "¿Dónde está la niña?", "es"),
    ("it", "Che cos'è?", "it"),
    ("nl", "Wat is dit?", "nl"),
    ("pl", "Co to jest?", "pl"),
    ("en", "Zażółć gęślą jaźń", "pl"),
    ("pt-BR", "O que é isso?", "pt-BR"),
    ("tr", "Bu nedir?", "tr"),
    ("vi", "Cái này là gì?", "vi"),
    ("en", "Đây là cái gì vậy?", "vi"),
    ("id", "Apa itu staking?", "id"),
    ("de", "Weißt du, was das ist?", "de"),
)


@pytest.mark.parametrize(("app", "text", "locale"), MESSAGES)
def test_message_is_noticed_in_its_own_language(app: str, text: str, locale: str) -> None:
    """In twenty languages, before anything is planned: as while a model server is away."""
    assert choose_locale(text, app) == locale


@pytest.mark.parametrize(("app", "text", "locale"), MESSAGES)
def test_wrong_guess_of_the_planner_does_not_win(app: str, text: str, locale: str) -> None:
    """Neither against the letters of a message nor against the app and common words."""
    preferred = locale_of_tag(app)
    known = locale_of_message(text, "", preferred)
    guesses = [one for one in SUPPORTED_LOCALES if one not in {locale, preferred}]
    assert known in {locale, None}
    if known:
        assert {locale_of_message(text, guess, preferred) for guess in guesses} == {locale}
    assert locale_of_message(text, locale, preferred) in {locale, None}


def test_letters_and_app_tell_most_messages_without_a_planner() -> None:
    """Latin letters rarely do, common words sometimes."""
    known = [locale_of_message(text, "", locale_of_tag(app)) for app, text, _ in MESSAGES]
    assert sum(map(bool, known)) >= 40


@pytest.mark.parametrize(
    ("app", "text", "planned", "locale"),
    [
        ("en", "Was kannst du?", "de", "de"),
        ("de", "Was ist das und wie geht es?", "nl", "de"),
        ("es", "¿Dónde está la niña?", "pt", None),
        ("en", "Translate: Привет, как у тебя дела сегодня?", "en", "en"),
        ("en", "Docker Kubernetes что лучше", "ru", "ru"),
        ("en", "What does привет mean?", "ru", "en"),
        ("ur", "کیا حال ہے؟", "ur", None),
        ("bg", "Какво е това?", "bg", None),
    ],
)
def test_planner_decides_what_letters_and_app_leave_open(
    app: str, text: str, planned: str, locale: str | None
) -> None:
    """Among languages of one script; common words of the app's language count against it."""
    assert locale_of_message(text, planned, locale_of_tag(app)) == locale
