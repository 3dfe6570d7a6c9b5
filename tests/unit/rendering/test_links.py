import pytest

from rich_agent.domain.answer.links import canonical, links_in
from tests.unit.rendering.seen import citation, marked, rendered, ways_out

DISGUISES = [
    # Markdown
    "[click](https://evil.com)",
    "[click](<https://evil.com/a b>)",
    '[click](https://evil.com "title")',
    "[click][ref]\n\n[ref]: https://evil.com",
    "[ref]\n\n[ref]: https://evil.com 'title'",
    "[ref][]\n\n[REF]: <https://evil.com>",
    "- [ref]: https://evil.com\n- [ref]",
    "![image](https://evil.com/p.png)",
    "[![image](https://evil.com/p.png)](https://evil.com)",
    "![](https://evil.com/p.png)",
    "[](https://evil.com)",
    "<https://evil.com/x>",
    "<me@evil.com>",
    "[**bold**](https://evil.com)",
    "[1](https://evil.com)",
    "[a[b](https://evil.com)](https://evil.com)",
    "# [head](https://evil.com) evil.com",
    "> https://evil.com",
    "- https://evil.com\n  - evil.com",
    "**https://evil.com**",
    "https://evil.**com**",
    "https://*evil*.com/a",
    "~~https://evil.com~~",
    "||https://evil.com||",
    "[https://evil.com](https://source.example)",
    "[^1]\n\n[^1]: https://evil.com",
    '<a href="https://evil.com">click</a>',
    "<details><summary>https://evil.com</summary></details>",
    "| a | b |\n|---|---|\n| https://evil.com | evil.com |",
    "| a very long heading of it | other |\n|--|--|\n| https://evil.com | [x](https://evil.com) |",
    "$https://evil.com/a_b$ and \\(evil.com\\)",
    "&#104;ttps://evil.com and https&#58;//evil.com",
    "https\\://evil.com evil\\.com",
    # bare
    "https://evil.com/?q=secret",
    "http://evil.com",
    "HTTPS://EVIL.COM/SECRET",
    "ftp://evil.com/x",
    "www.evil.com",
    "evil.com",
    "EVIL.COM",
    "evil.com/path",
    "evil.com:8080",
    "evil.com?q=1",
    "evil.com#part",
    "a.b.c.evil.com",
    "(evil.com), \"evil.com\"; 'evil.com'!",
    "see:evil.com",
    "https://user:password@evil.com/",
    "https://source.example@evil.com/",
    "https://source.example.evil.com/",
    "https://evil.com\\@source.example/",
    "https://evil.com/https://source.example/",
    "//evil.com/x",
    "README.md and main.py",
    "@https://evil.com 0https://evil.com _https://evil.com éhttp://evil.com",
    "@HTTP://0.0A a@b.https://evil.0A",
    "https://\nevil.com/next",
    "https://evil.co\nm/next",
    # hosts
    "192.0.2.7",
    "http://192.0.2.7/x",
    "http://[2001:db8::1]/",
    "http://3221225991/",
    "пример.рф",
    "https://пример.рф/путь",
    "例え.jp",
    "xn--e1afmkfd.xn--p1ai",
    "https://xn--e1afmkfd.xn--p1ai/",
    "еvil.com with a Cyrillic е",
    "💩.la",
    # characters that are not seen
    "ev\u200bil.com",
    "evil\u200d.com",
    "evil\ufeff.com",
    "evil\u2060.com",
    "evil\u00ad.com",
    "evil．com",
    "evil。com",
    "evil｡com/x",
    "ｅｖｉｌ.com",
    "\u202emoc.live//:sptth\u202c",
    "\u202ehttps://evil.com\u202c",
    "https://evil.com\u202e/x",
    "https:\u200b//evil.com",
    "これはevil.comです。",
    "見て：https://evil.com/を",
    # other schemes, other places
    "tg://resolve?domain=evil",
    "[x](tg://user?id=5)",
    "TG://join?invite=x",
    "ton://transfer/x",
    "tonsite://evil.ton",
    "[x](javascript:alert(1))",
    "[x](data:text/html,<b>x</b>)",
    "[x](mailto:me@evil.com)",
    "mailto:me@evil.com",
    "me@evil.com",
    "me+tag@mail.evil.com",
    "[x](tel:+12125550123)",
    "+1 212 555 0123",
    "+12125550123",
    "@evil_channel",
    "(@evil_channel)",
    "t.me/evil",
    "https://t.me/+invite",
    "[x](//evil.com)",
    "[x](evil.com)",
    "[x](/relative)",
    "[x](HTTPS://EVIL.COM)",
    "[x](https:evil.com)",
]


@pytest.mark.parametrize("text", DISGUISES)
def test_render_leads_to_no_unknown_place(text: str) -> None:
    """Whatever an answer says, a touch opens its sources only."""
    message = rendered(f"See {text} or\n\n{text}\n\nthere.")
    assert ways_out(message) == []


@pytest.mark.parametrize("text", DISGUISES)
def test_render_leads_to_its_sources_beside_unknown_places(text: str) -> None:
    """The source stays clickable, and a look-alike of it does not become so."""
    source = "https://source.example/doc#:~:text=one%20two"
    message = rendered(f"Yes [1]. {text}", citation(1, source))
    assert set(ways_out(message)) == {source}


@pytest.mark.parametrize(
    "link",
    [
        "https://source.example/doc#part",
        "https://source.example/doc#:~:text=first%20words,last%20words",
        "https://source.example/a b/c",
        "https://source.example/Köln/straße",
        "https://source.example/wiki/Foo_(bar)",
        "https://source.example/?q=a&b=%E2%82%AC#ä(b)",
        "https://source.example/[x]?y=|z|",
        "https://пример.рф/путь",
        "http://127.0.0.1:8080/doc.html#x",
    ],
)
def test_render_hands_on_the_links_of_sources_untouched(link: str) -> None:
    """A link that opens at a section is not re-encoded, neither at the marker nor in the list."""
    message = rendered("Yes [1].", citation(1, link))
    assert [entity.url for entity in message.entities if entity.type == "text_link"] == [link, link]
    assert ways_out(message) == [link, link]


@pytest.mark.parametrize(
    ("written", "answered"),
    [
        ("https://user.example/page", "https://user.example/page"),
        ("https://user.example/page", "https://USER.example/page/"),
        ("https://user.example/page", "http://user.example:80/page"),
        ("HTTP://User.Example/page", "https://user.example/page"),
        ("https://user.example/a%20b", "https://user.example/a%20b"),
        ("https://user.example/%7ex/ä", "https://user.example/~x/%C3%A4"),
        ("https://user.example/page#part", "https://user.example/page"),
        ("https://bücher.example/x", "https://xn--bcher-kva.example/x"),
        ("user.com/page", "https://user.com/page"),
        ("https://user.example/wiki/Foo_(bar)", "https://user.example/wiki/Foo_(bar)"),
    ],
)
def test_render_links_what_the_user_wrote_however_it_is_spelt(written: str, answered: str) -> None:
    """Links that the user brought may be clicked."""
    allowed = tuple(links_in(f"Look at ({written})!"))
    message = rendered(f"I read [it]({answered}).", allowed=allowed)
    assert marked(message, "text_link") == ["it"]
    assert ways_out(message) == [answered]


@pytest.mark.parametrize(
    ("written", "answered"),
    [
        ("https://user.example/page", "https://user.example/other"),
        ("https://user.example/page", "https://user.example/page?q=secret"),
        ("https://user.example/page", "https://user.example/page#secret"),
        ("https://user.example/page", "https://sub.user.example/page"),
        ("https://user.example/page", "https://user.example:8443/page"),
        ("https://user.example/page", "https://x@user.example/page"),
        ("https://user.example/page", "https://user.example/page%2F"),
        ("https://user.example/Page", "https://user.example/page"),
        ("https://user.example/page", "ftp://user.example/page"),
    ],
)
def test_render_does_not_link_what_only_resembles_the_users(written: str, answered: str) -> None:
    """Another page, port, user or query is another place: it could carry something away."""
    message = rendered(f"[it]({answered}) {answered}", allowed=tuple(links_in(written)))
    assert [way for way in ways_out(message) if canonical(way) != canonical(written)] == []


def test_render_links_an_address_in_japanese_without_the_words_after_it() -> None:
    """Telegram takes the kana after an address for a part of it; the user's page still opens."""
    allowed = tuple(links_in("https://user.example/pageを読んで"))
    message = rendered("https://user.example/pageは長いです。", allowed=allowed)
    assert ways_out(message) == ["https://user.example/page"]


@pytest.mark.parametrize("text", ["@friend_of_mine", "me@user.example", "+81 3 1234 5678"])
def test_render_keeps_the_persons_and_numbers_that_the_user_wrote(text: str) -> None:
    """Names and numbers that the user wrote are no way to a stranger."""
    assert ways_out(rendered(f"So {text}.", allowed=tuple(links_in(f"Write to {text}!")))) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "node.js, e.g. this, i.e. that, 3.14, 1.2.3, v2.0.1, 10:30, a/b, and/or",
        "The end.In short.Then more… or 5.The rest",
        "今日は晴れです。明日は雨でしょう。https とは何か。",
        "#tag $AAPL /help /start@bot 100% C++ a@b",
        "x = y.z; f(a.b)",
    ],
)
def test_render_leaves_prose_as_it_is(text: str) -> None:
    """Text that Telegram does not link, and that stays in the chat, is not shown as code."""
    assert rendered(text).entities == ()


def test_links_in_takes_addresses_without_their_punctuation() -> None:
    """The sentence around an address is no part of it."""
    text = "Read https://a.example/x, (https://b.example/y_(z)) and c.com."
    assert links_in(text) == {"https://a.example/x", "https://b.example/y_(z)", "c.com"}
