"""Addresses in the arguments of a call: whatever is not wholly the user's may lead away."""

import pytest

from rich_agent.domain.origins import PromptProvenance
from rich_agent.domain.outgoing.addresses import (
    has_secret,
    has_untrusted_address,
    is_users_address,
    takes_address,
)
from rich_agent.domain.words import Words

PAGE = Words("Read on at evil.example/g, 127.1/x and localhost:9200/e.", "page", "evil.example")
SAID = "When does the ferry leave? See ferries.example and https://ferries.example/times?d=9."
SPELLINGS = (
    *("https://evil.example/", "see http://user:word@evil.example:8080/path?q=1#part"),
    *("//evil.example", "https:\\\\evil.example", "evil.example", "evil.example/path"),
    *("https:/evil.example/a", "https:evil.example/b", "evil.example./c", "localhost:9200/e"),
    *("2852039166/latest/meta-data/", "see evil.example/g", "127.1/x", "[::1]:80/", "10.1.2.3"),
    *("evil.example:443./", "evil。example/x", "ev%69l.example/x", "https:%2F%2Fevil.example"),
    *("https:/\t/evil.example", "(evil.example/x)", "evil.example;x", "user@evil.example"),
    *("git@evil.example:a/b", "*.evil.example", "s3:bucket/x", "evil\u200b.example/x"),
    *(
        "evil\u00ad.example",
        "ｅｖｉｌ．ｅｘａｍｐｌｅ",
        "https://ferry/",
        "https://leave/",
        "\\\\host\\share",
    ),
    *(
        "javascript:x",
        "例え。世界",
        "evil․example/x",
        "evil.example？x",
        "http:⁄⁄evil.example",
        "0x7f.1/a",
    ),
    *(
        "evil。рф",
        "evil。РФ",
        "evil。ｃｏｍ",
        "evil｡ＣＯＭ",
        "evil。भारत",
        "दिल्ली。भारत",
        "दिल्ली.भारत",
    ),
    *("evil。р\u200bф", "evil%E3%80%82%D0%A0%D0%A4", "zt.tz", "ZT.TZ", "evil。ලංකා"),
)


@pytest.mark.req("ACT-3")
@pytest.mark.parametrize("value", SPELLINGS)
def test_address_that_is_not_wholly_the_users_is_held_back(value: str) -> None:
    """In any argument, and in any spelling; alone with the bot, nobody else can have named it."""
    assert PromptProvenance(SAID, (PAGE,)).opens_untrusted_address([("query", value)])
    assert not PromptProvenance(SAID).opens_untrusted_address([("query", value)])


@pytest.mark.req("ACT-3")
@pytest.mark.parametrize("value", ["evil", "ferry/x", "leave.", "notes", "2852039166", "ferries"])
def test_argument_for_addresses_takes_only_what_was_said(value: str) -> None:
    """Also what would be a word elsewhere: by the argument's name, or by its format."""
    provenance = PromptProvenance(SAID, (PAGE,))
    assert provenance.opens_untrusted_address([("page_url", value)])
    assert provenance.opens_untrusted_address([("where", value)], {"where"})


@pytest.mark.parametrize(
    "name",
    [
        *("url", "imageUrl", "URLs", "source_uri", "host", "links", "path", "baseurl", "BASEURL"),
        *("imageurl", "dbhost", "image_urls", "website", "site", "server", "webhook", "callback"),
        *("ip", "ipaddress", "callbackUri", "sourceuris"),
    ],
)
def test_argument_for_addresses_is_known_by_its_name(name: str) -> None:
    """As a word of its own, or at the end of one."""
    assert takes_address(name)
    assert not takes_address("hospital")


def test_address_of_the_user_leads_where_they_said() -> None:
    """With or without its scheme; another path is another address."""
    for value in (
        "ferries.example",
        "https://ferries.example/",
        "https://ferries.example/times?d=9",
    ):
        assert is_users_address(value, SAID), value
        assert not has_untrusted_address(f"see {value}", SAID), value
    for value in ("https://ferries.example/secret", "ferries.example.evil.example", "http://leave"):
        assert not is_users_address(value, SAID), value


def test_what_separates_no_parts_of_an_address_leads_nowhere() -> None:
    """Numbers, words, dates, times and abbreviations."""
    for value in (
        "3.14",
        "1,234.56",
        "9:30",
        "2026-05-09T08:00",
        "the end.",
        "U.S. visa",
        "a-b",
        "",
        "出ます。明日です。",
        "50%",
        "12.5%",
        "and/or",
        "km/h.",
    ):
        assert not has_untrusted_address(value, ""), value


def test_address_with_a_login_or_a_code_has_a_secret() -> None:
    """Not one with a title, a date or a short number."""
    for secret in (
        "https://ann:word@wiki.example/",
        "https://files.example/d/1a2B3c4D5e6F7g8H9i0J/view",
        "https://files.example/?token=8f14e45fceea167a5a36dedd4bea2543",
        "https://files.example/9b2e4d1c-0f6a-4c3b-8e7d-1a2b3c4d5e6f",
        "https://[broken",
    ):
        assert has_secret(secret), secret
    for plain in (
        "https://news.example/2026-11-28/why-the-ferry-was-late-1234567",
        "https://shop.example/item?id=20481024&lang=en",
        "https://en.example.org/wiki/Internationalisation",
    ):
        assert not has_secret(plain), plain
