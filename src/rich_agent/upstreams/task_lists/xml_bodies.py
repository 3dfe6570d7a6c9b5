"""Bodies of WebDAV and CalDAV requests, and what servers answer. Sources: RFC 4918, RFC 4791."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lxml import etree
from lxml.builder import ElementMaker

from rich_agent.ports.task_lists import TaskListError

_DAV: Final = "DAV:"
_CALDAV: Final = "urn:ietf:params:xml:ns:caldav"
_CALENDARSERVER: Final = "http://calendarserver.org/ns/"
_NAMES: Final = {"d": _DAV, "c": _CALDAV, "cs": _CALENDARSERVER}
_D = ElementMaker(namespace=_DAV, nsmap=_NAMES)
_C = ElementMaker(namespace=_CALDAV, nsmap=_NAMES)
_MOST_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class Described:
    """The properties of one path on a server; one that it does not have is empty."""

    href: str
    name: str = ""
    etag: str = ""
    tag: str = ""
    principal: str = ""
    home: str = ""
    is_calendar: bool = False
    takes_tasks: bool = False
    text: str | None = None


def about_collection() -> bytes:
    """Asks for everything that leads to task lists, and for what changes with their content."""
    wanted = [
        _D.resourcetype(),
        _D.displayname(),
        etree.Element(f"{{{_DAV}}}current-user-principal"),
        etree.Element(f"{{{_DAV}}}sync-token"),
        etree.Element(f"{{{_CALDAV}}}calendar-home-set"),
        etree.Element(f"{{{_CALDAV}}}supported-calendar-component-set"),
        etree.Element(f"{{{_CALENDARSERVER}}}getctag"),
    ]
    return _written(_D.propfind(_D.prop(*wanted)))


def tasks_of_collection() -> bytes:
    """Asks for the ETag of each entry with a task."""
    tasks = _C("comp-filter", _C("comp-filter", name="VTODO"), name="VCALENDAR")
    return _written(_C("calendar-query", _D.prop(_D.getetag()), _C.filter(tasks)))


def these_entries(hrefs: Sequence[str]) -> bytes:
    """Asks for entries by their paths."""
    wanted = _D.prop(_D.getetag(), _C("calendar-data"))
    return _written(_C("calendar-multiget", wanted, *(_D.href(one) for one in hrefs)))


def read_multistatus(body: bytes) -> Sequence[Described]:
    """Read what the server says of each path, without paths and properties that it does not have.

    Raises: TaskListError if it is no such answer.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise TaskListError("address", "the answer is not XML") from error
    if root is None or root.tag != f"{{{_DAV}}}multistatus":
        raise TaskListError("address", "the answer is not one of WebDAV")
    return [_described(one) for one in root.findall("d:response", _NAMES) if _exists(one)]


def _exists(response: Any) -> bool:  # noqa: ANN401 - lxml has no types
    status = response.findtext("d:status", "", _NAMES)
    return " 404" not in status and response.find("d:href", _NAMES) is not None


def _described(response: Any) -> Described:  # noqa: ANN401 - lxml has no types
    found = list(_properties(response))

    def text(*path: str) -> str:
        texts = (prop.findtext("/".join(path), "", _NAMES) for prop in found)
        return next((one.strip() for one in texts if one and one.strip()), "")[:_MOST_CHARS]

    data = [one for prop in found if (one := prop.findtext("c:calendar-data", None, _NAMES))]
    kinds = [one for prop in found for one in prop.findall("d:resourcetype/c:calendar", _NAMES)]
    supported = "c:supported-calendar-component-set"
    parts = [
        one.get("name") for prop in found for one in prop.findall(f"{supported}/c:comp", _NAMES)
    ]
    return Described(
        href=response.findtext("d:href", "", _NAMES).strip()[:_MOST_CHARS],
        name=text("d:displayname"),
        etag=text("d:getetag"),
        tag=text("cs:getctag") or text("d:sync-token"),
        principal=text("d:current-user-principal", "d:href"),
        home=text("c:calendar-home-set", "d:href"),
        is_calendar=bool(kinds),
        takes_tasks=bool(kinds) and (not parts or "VTODO" in parts),
        text=data[0] if data else None,
    )


def _properties(response: Any) -> Iterator[Any]:  # noqa: ANN401 - lxml has no types
    for found in response.findall("d:propstat", _NAMES):
        if " 200" in found.findtext("d:status", " 200", _NAMES):
            yield from found.findall("d:prop", _NAMES)


def _written(root: Any) -> bytes:  # noqa: ANN401 - lxml has no types
    return bytes(etree.tostring(root, xml_declaration=True, encoding="utf-8"))
