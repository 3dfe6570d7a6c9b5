"""Words of the page itself: phrases of the product, with places that the page fills in."""

import json
from functools import cache

from rich_agent.domain.languages import RIGHT_TO_LEFT
from rich_agent.phrases import phrase_keys, say

_PLACES = ("count", "day", "name", "number", "text", "title", "who")
_FAMILIES = ("argument-", "chat-", "tool-")
_OTHERS = (
    "approve-no",
    "approve-yes",
    "button-correct",
    "card-characters-left-out",
    "button-stop",
    "sources-heading",
    "status-busy",
    "status-drafting",
    "status-looking",
    "status-queued",
    "status-reading",
    "status-searching",
    "status-searching-web",
    "status-thinking",
    "stopped-by-command",
    "undo-button",
    "undo-done",
    "undo-too-late",
)


@cache
def page_words(locale: str) -> bytes:
    """JSON with `language` (BCP 47), `direction` ("ltr" or "rtl") and `words`, by their keys.

    A place is written "{name}".
    """
    places = {place: f"{{{place}}}" for place in _PLACES}
    keys = [key for key in phrase_keys() if key.startswith(_FAMILIES)]
    told = {
        "language": locale,
        "direction": "rtl" if locale in RIGHT_TO_LEFT else "ltr",
        "words": {key: say(locale, key, **places) for key in (*keys, *_OTHERS)},
    }
    return json.dumps(told, ensure_ascii=False).encode()
