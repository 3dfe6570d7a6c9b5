"""Pages that are not content are told from short pages by their structure."""

from pathlib import Path

import pytest

from rich_agent.documents.extract.extracted import ExtractionError, PageKind
from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.extract.html import parse_page
from rich_agent.documents.extract.page_kinds import page_kind
from rich_agent.documents.fetch.outcomes import RawDocument

CASES = Path(__file__).parents[2] / "cases" / "readers"
FORM = "<form><input name=user><input type=password><button>Go</button></form>"
REASON = "Wir verwenden Daten, damit der Dienst besser wird und sich merkt, wer ihn benutzt."
CHOICE = "<button>Ja</button><button>Nein</button>"


def kind_of(body: str, head: str = "<title>Pool</title>") -> PageKind | None:
    """The kind of a page with this body."""
    page = parse_page(f"<!doctype html><html><head>{head}</head><body>{body}</body></html>")
    assert page is not None
    return page_kind(page)


@pytest.mark.parametrize(
    ("name", "kind", "hint"),
    [
        ("consent_wall.html", "consent", "behind it"),
        ("jsonly.html", "made_by_scripts", "in a browser"),
        ("loading.html", "made_by_scripts", "in a browser"),
    ],
)
def test_page_without_content_is_refused_with_a_hint(name: str, kind: str, hint: str) -> None:
    """The error tells the kind, and what to do."""
    raw = RawDocument(f"https://example.com/{name}", (CASES / name).read_bytes(), "text/html")
    with pytest.raises(ExtractionError, match=hint) as caught:
        extract(raw)
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    "body",
    [
        f"<h1>登录</h1>{FORM}",
        f"<header><a href=/>Start</a></header><h1>Sign in</h1>{FORM}<p>New? <a href=/n>Join</a>",
        f"{FORM}<footer>{REASON * 9}</footer>",
        "<div><div><input type=email autocomplete='username webauthn'></div><button>Next</button>",
        "<main><h1>Konto</h1><input type=PASSWORD><input type=submit value=OK></main>",
    ],
)
def test_page_to_sign_in_is_recognised(body: str) -> None:
    """A form for a name or a password, with little else."""
    assert kind_of(body) == "sign_in"


@pytest.mark.parametrize(
    "body",
    [
        "<div id=root></div><script src=app.js></script>",
        "<div id=root></div><noscript>Bitte JavaScript einschalten.</noscript>",
        "<h1>Pool</h1><noscript><p>Dafür muss JavaScript an sein.</p></noscript><script></script>",
        "<img src=logo.png><p>Pool</p><noscript>Dafür muss JavaScript an sein.</noscript>",
        "<div>Lädt …</div>",
        "<p>Ein Moment, die Seite wird geprüft...</p><script>check()</script>",
        "<div role=progressbar></div><p>加载中</p>",
        "<div>Pool</div><script src=app.js></script>",
        "<div style='display:none'><p>Later</p></div><script></script>",
    ],
)
def test_page_that_scripts_fill_is_recognised(body: str) -> None:
    """Next to no text besides scripts, a note for browsers without them, or a sign of waiting."""
    assert kind_of(body) == "made_by_scripts"


@pytest.mark.parametrize(
    "body",
    [
        f"<h1>Zustimmung</h1><p>{REASON}</p>{CHOICE}",
        f"<p>{REASON} <a href=/p>Mehr</a></p><form>{CHOICE}</form><a href=/i>Impressum</a>",
        f"<div>{REASON}</div><input type=submit value=Yes><input type=submit value=No>",
    ],
)
def test_page_that_asks_for_consent_is_recognised(body: str) -> None:
    """A short explanation, then a choice of buttons, then nothing but links."""
    assert kind_of(body) == "consent"


@pytest.mark.parametrize(
    "body",
    [
        "<p>The pool opens at nine.</p>",
        "<div>The pool opens at nine.</div>",
        "Closed",
        "<p>The pool opens at nine.</p><script src=count.js></script>",
        "<h1>1.4.2</h1><script></script>",
        "<table><tr><td>1</td><td>2</td></tr></table><script></script>",
        "<p>To be continued…</p><a href=/2>Next</a><script></script>",
        f"<noscript><p>{REASON * 5}</p></noscript><div id=app></div><script></script>",
        f"<p>{REASON * 4}</p>{FORM}",
        f"<header>{FORM}</header><p>The pool opens at nine.</p>",
        f"<aside>{FORM}</aside><p>The pool opens at nine.</p>",
        f"<div hidden>{FORM}</div><p>The pool opens at nine.</p>",
        "<p>News by mail:</p><form><input type=email><button>Join</button></form>",
        f"<p>{REASON}</p><button>Only one</button>",
        f"<p>{REASON}</p>{CHOICE}<p>{REASON}</p>",
        f"<p>{REASON}</p><input><button>+</button><button>-</button>",
        f"<main><p>{REASON}</p>{CHOICE}</main>",
        f"<p>{REASON * 6}</p>{CHOICE}",
        f"<p>{REASON}</p><button aria-expanded=false>A</button><button>B</button>",
        "<p>Short.</p><button>A</button><button>B</button>",
    ],
)
def test_short_page_is_content(body: str) -> None:
    """A page that says something is read, however short it is."""
    assert kind_of(body) is None


def test_page_kind_of_a_large_page_is_found_in_linear_time() -> None:
    """Neither many hidden parts nor many buttons take long."""
    many = "<div><div hidden><p>x</p></div><button></button></div>" * 10_000
    assert kind_of(f"<p>{REASON}</p>{many}{FORM}<script></script>") == "sign_in"


@pytest.mark.parametrize(
    ("body", "head", "kind"),
    [
        ("<p>To <a href=/n>the new page</a>...</p><script>go()</script>", "0; URL=/n", "moved"),
        ("<p>The new page opens in a moment.</p>", "5; url=n.html", "moved"),
        (f"<p>{REASON * 4}</p>", "0; url=/n", None),
        ("<p>The pool opens at nine.</p>", "60", None),
        ("<p>The pool opens at nine.</p>", "60; url=/n", None),
    ],
)
def test_page_that_leads_on_is_recognised(body: str, head: str, kind: PageKind | None) -> None:
    """A file that a browser leaves at once for another; one that is only loaded again is read."""
    meta = f'<meta http-equiv="refresh" content="{head}">'
    assert kind_of(body, meta) == kind
