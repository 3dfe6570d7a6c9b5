"""Which of its languages the product speaks to a user."""

import pytest

from rich_agent.domain.languages import (
    LOCALE_BY_CODE,
    SUPPORTED_LOCALES,
    choose_locale,
    locale_of_tag,
    settled_locale,
    written_in,
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
        ("Что это?", "en", None),
        ("Что это?", "uk", "uk"),
        ("What is this?", "ja", None),
        ("What does 有給休暇 mean?", "en", "en"),
        ("手数料は？", "zh", "zh-Hans"),
        ("Hoeveel?", "", None),
        ("👍", "de", None),
        ("", "", None),
    ],
)
def test_written_in_leaves_out_what_the_script_excludes(
    text: str, planned: str, locale: str | None
) -> None:
    """A planner that says English of Devanagari is wrong; of Cyrillic nobody knows more."""
    assert written_in(text, planned) == locale


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
    assert settled_locale(observed) == locale
