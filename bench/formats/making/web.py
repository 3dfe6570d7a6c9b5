"""Web pages by hand, as frameworks and people write them; some are printed or kept as mail."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final

from bench.formats.making.facts import Draft, Make

_NAVIGATION: Final = "".join(
    f'<li><a href="/{name}">{name.title()}</a></li>' for name in ("home", "products", "about")
)


def _page(draft: Draft, body: str, *, head: str = "") -> str:
    direction = ' dir="rtl"' if draft.language == "ar" else ""
    return (
        f'<!DOCTYPE html><html lang="{draft.language}"{direction}><head><meta charset="utf-8">'
        f"<title>{escape(draft['subject'])}</title><style>.off{{display:none}}</style>{head}</head>"
        f"<body><header><nav><ul>{_NAVIGATION}</ul></nav></header><main>{body}</main>"
        "<footer><p>© Example</p></footer></body></html>"
    )


def _title(draft: Draft) -> str:
    return f"<h1>{draft.shown(draft['title'])}</h1><p>{draft.shown(draft['note'])}.</p>"


def _questions(draft: Draft) -> list[tuple[str, str]]:
    return [(draft.shown(question), draft.shown(answer)) for question, answer in draft["questions"]]


def _table(draft: Draft) -> str:
    head, rows = draft.table()
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    heads = "".join(f"<th>{name}</th>" for name in head)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"


def article(draft: Draft, target: Path) -> None:
    """An article with headings, a table, a list, a quotation and a figure."""
    body = _title(draft)
    for heading, *sentences in draft["clauses"]:
        body += f"<h2>{draft.shown(heading)}</h2>"
        body += f"<p>{'. '.join(draft.shown(sentence) for sentence in sentences * 2)}.</p>"
    body += _table(draft)
    steps = "".join(f"<li>{draft.shown(step)}</li>" for step in draft["steps"])
    body += f"<ol>{steps}</ol><blockquote>{draft.shown(draft['header'])}</blockquote>"
    target.write_text(_page(draft, body), "utf-8")


def details(draft: Draft, target: Path) -> None:
    """Questions that `<details>` opens."""
    title = _title(draft)
    body = "".join(
        f"<details><summary>{question}</summary><p>{answer}</p></details>"
        for question, answer in _questions(draft)
    )
    target.write_text(_page(draft, title + body), "utf-8")


def bootstrap(draft: Draft, target: Path) -> None:
    """Questions as buttons within headings, whose panels are collapsed by a class."""
    title = _title(draft)
    items = "".join(
        f'<div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button '
        f'collapsed" type="button" data-bs-toggle="collapse" data-bs-target="#c{at}" '
        f'aria-expanded="false" aria-controls="c{at}">{question}</button></h2><div id="c{at}" '
        f'class="accordion-collapse collapse"><div class="accordion-body">{answer}</div></div>'
        "</div>"
        for at, (question, answer) in enumerate(_questions(draft))
    )
    head = "<style>.collapse:not(.show){display:none}</style>"
    script = (
        "<script>document.querySelectorAll('[data-bs-target]').forEach(b => b.onclick = () => "
        "document.querySelector(b.dataset.bsTarget).classList.toggle('show'))</script>"
    )
    body = f'{title}<div class="accordion" id="faq">{items}</div>{script}'
    target.write_text(_page(draft, body, head=head), "utf-8")


def controlled(draft: Draft, target: Path) -> None:
    """Questions whose panels are `hidden` until a button with `aria-controls` opens them."""
    title = _title(draft)
    items = "".join(
        f'<div><button aria-expanded="false" aria-controls="p{at}" '
        f"onclick=\"document.getElementById('p{at}').hidden = false\">{question}</button>"
        f'<div id="p{at}" hidden><p>{answer}</p></div>'
        "</div>"
        for at, (question, answer) in enumerate(_questions(draft))
    )
    target.write_text(_page(draft, title + items), "utf-8")


def tabs(draft: Draft, target: Path) -> None:
    """Tabs, of which one panel is shown at a time."""
    title, pairs = _title(draft), _questions(draft)
    knobs = "".join(
        f'<button role="tab" id="t{at}" aria-controls="p{at}" '
        f'aria-selected="{str(at == 0).lower()}"'
        f" onclick=\"document.querySelectorAll('[role=tabpanel]').forEach(p => p.hidden = p.id != "
        f"'p{at}')\">{question}</button>\n"
        for at, (question, _) in enumerate(pairs)
    )
    panels = "".join(
        f'<div role="tabpanel" id="p{at}" aria-labelledby="t{at}"{" hidden" if at else ""}>'
        f"<p>{words}</p></div>"
        for at, (_, words) in enumerate(pairs)
    )
    body = f'{title}<div role="tablist">{knobs}</div>{panels}'
    target.write_text(_page(draft, body), "utf-8")


def until_found(draft: Draft, target: Path) -> None:
    """Panels that a search in the page opens."""
    title = _title(draft)
    body = "".join(
        f'<h3>{question}</h3><div hidden="until-found"><p>{answer}</p></div>'
        for question, answer in _questions(draft)
    )
    target.write_text(_page(draft, title + body), "utf-8")


def concealed(draft: Draft, target: Path) -> None:
    """Words that nobody sees: by style, attribute, size, colour, and place."""
    ways = [
        '<p style="display:none">{}</p>',
        "<p hidden>{}</p>",
        '<p class="off">{}</p>',
        '<p style="visibility:hidden">{}</p>',
        '<p style="font-size:0">{}</p>',
        '<p style="color:#fff;background-color:#ffffff">{}</p>',
        '<p style="position:absolute;left:-9999px">{}</p>',
        '<p style="opacity:0">{}</p>',
        "<template><p>{}</p></template>",
        "<!-- {} -->",
    ]
    body = _title(draft)
    for at, way in enumerate(ways):
        body += way.format(draft.hidden()) + f"<p>{draft.shown(draft['steps'][at % 3])}.</p>"
    body += f'<p style="color:#fff;background:#123">{draft.shown(draft["footer"])}</p>'
    target.write_text(_page(draft, body), "utf-8")


def newsletter(draft: Draft, target: Path) -> None:
    """A newsletter laid out by tables, with a hidden line for previews."""
    cells = "".join(
        f'<tr><td style="padding:8px"><table width="600"><tr><td><h2>{draft.shown(heading)}</h2>'
        f"<p>{draft.shown(first)}. {draft.shown(second)}.</p></td></tr></table></td></tr>"
        for heading, first, second in draft["clauses"]
    )
    preview = f'<div style="display:none;max-height:0;overflow:hidden">{draft.hidden()}</div>'
    words = f'{preview}<table width="100%" role="presentation">{cells}</table>'
    target.write_text(_page(draft, words), "utf-8")


def exponents(draft: Draft, target: Path) -> None:
    """A data sheet with exponents, indices, a definition list, and a form that is filled."""
    title, data = _title(draft), draft.shown()
    terms = "".join(
        f"<dt>{label}</dt><dd>{draft.shown(value)}</dd>" for label, value in draft["fields"]
    )
    body = (
        f"{title}<p>{data} 2,500 m<sup>3</sup>, 10<sup>-3</sup> g, H<sub>2</sub>O"
        f"</p><dl>{terms}</dl><p>{draft.shown(draft['footer'])}.</p>"
    )
    target.write_text(_page(draft, body), "utf-8")


def spans(draft: Draft, target: Path) -> None:
    """A table with groups that reach over several rows, and a caption."""
    title = _title(draft)
    caption = f"<caption>{draft.shown(draft['picture'])}</caption>"
    head, rows = draft.table()
    lines = ""
    for at, group in enumerate(draft["groups"]):
        for place, row in enumerate(rows[2 * at : 2 * at + 2]):
            first = f'<th rowspan="2">{group}</th>' if place == 0 else ""
            lines += f"<tr>{first}{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
            draft.note_row(["Region", row[0]], [group, row[0]], key=1)
    heads = "".join(f"<th>{name}</th>" for name in ["Region", *head])
    table = f"<table>{caption}<tr>{heads}</tr>{lines}</table>"
    target.write_text(_page(draft, title + table), "utf-8")


MAKES: Final[Mapping[str, tuple[Make, Sequence[str]]]] = {
    "article": (article, ("en", "de", "ja", "ar", "hi")),
    "details": (details, ("en", "es")),
    "bootstrap": (bootstrap, ("en", "fr")),
    "controlled": (controlled, ("en", "de")),
    "tabs": (tabs, ("en",)),
    "until_found": (until_found, ("en",)),
    "concealed": (concealed, ("en", "ru")),
    "newsletter": (newsletter, ("en", "de")),
    "exponents": (exponents, ("en",)),
    "spans": (spans, ("en", "de")),
}
