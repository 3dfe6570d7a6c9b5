"""One request for a page, or for what a form on it does, by somebody who is signed in."""

import gzip
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from rich_agent.domain.text import clean_text
from rich_agent.phrases import is_phrase, say
from rich_agent.times import Clocks

if TYPE_CHECKING:
    from jinja2 import Template

SAID = "said"
"""Field of an address with the key of the phrase that a page says once."""
_IS_SAID = "-said-"
"""Part of the keys of such phrases, which have no places."""
_WORTH_PACKING = 1_000


@dataclass(frozen=True, slots=True)
class Frame:
    """The surroundings of the pages of a visit; `values` are by the names in `area.html`."""

    template: "Callable[[str], Template]"
    """Returns a template by its name."""
    url: Callable[[str], str]
    """Returns the address of a path, behind the path of the public address."""
    headers: Mapping[str, str]
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Visit:
    """A request of a page; `role` is that of the user in the area, "" where there are none."""

    request: Request
    user_id: int
    role: str
    clocks: Clocks
    """Formats times in the user's language and time zone."""
    frame: Frame
    form: FormData = field(default_factory=FormData)
    """The fields of a POST."""
    noted: dict[str, Any] = field(default_factory=dict)
    """What the audit is told of the action, beside its form."""

    @property
    def locale(self) -> str:
        """The language of the page."""
        return self.clocks.locale

    @property
    def query(self) -> QueryParams:
        """The fields of the address, without characters that a database refuses."""
        pairs = self.request.query_params.multi_items()
        return QueryParams([(name, clean_text(value)) for name, value in pairs])

    def say(self, key: str, /, **values: str | int) -> str:
        """The phrase in the language of the page."""
        return say(self.locale, key, **values)

    def say_if_known(self, key: str, /, **values: str | int) -> str:
        """The phrase; "" if neither the core nor a feature has it."""
        return self.say(key, **values) if is_phrase(key) else ""

    def text(self, name: str, most: int = 1_000) -> str:
        """A field of the form as a text, without spaces around it and not longer than `most`."""
        value = self.form.get(name, "")
        return clean_text(value).strip()[:most] if isinstance(value, str) else ""

    def note(self, **details: object) -> None:
        """Tell the audit more about the action, as JSON.

        A field of the form stays what was sent: a detail of its name gets another name.
        """
        for name, detail in details.items():
            self.noted[f"{name}_noted" if name in self.form else name] = detail

    def page(
        self,
        template: str,
        /,
        *,
        title: str,
        refresh_s: float | None = None,
        status: int = 200,
        **values: object,
    ) -> Response:
        """The page from a template that extends `area.html`.

        With `refresh_s`, it is fetched again after so many seconds while somebody looks at it.
        """
        html = self.frame.template(template).render(
            **self.frame.values,
            visit=self,
            say=self.say,
            clocks=self.clocks,
            url=self.frame.url,
            title=title,
            refresh_s=refresh_s,
            said=self._notice(),
            **values,
        )
        return self._answer(html.encode(), status)

    def done(self, path: str, said: str = "", **fields: str) -> Response:
        """Lead to a page; `fields` become part of its address.

        The page says the phrase `said` once, whose key has "-said-" in it, and which has no places.
        """
        pairs = {**fields, **({SAID: said} if said else {})}
        address = self.frame.url(path) + (f"?{urlencode(pairs)}" if pairs else "")
        return RedirectResponse(address, 303, {**self.frame.headers})

    def _notice(self) -> str:
        """The phrase that the address names, "" if it is none that pages may say."""
        key = self.query.get(SAID, "")
        return self.say(key) if _IS_SAID in key and is_phrase(key) else ""

    def _answer(self, body: bytes, status: int) -> Response:
        tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        headers = {**self.frame.headers, "ETag": tag, "Vary": "Accept-Encoding, Accept-Language"}
        if self.request.method == "GET" and self.request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        accepts_gzip = "gzip" in self.request.headers.get("accept-encoding", "")
        if accepts_gzip and len(body) > _WORTH_PACKING:
            headers["Content-Encoding"] = "gzip"
            body = gzip.compress(body, 5, mtime=0)
        return HTMLResponse(body, status, headers)
