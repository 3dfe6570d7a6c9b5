"""The documents of widgets, for the frames of the chat page.

The interface that a document has is `TelegramWidget`. Of its names only `request` could be looked
up; `chatData` (the state of the message, "" without one) and `onChatData` (a function of the
widget, called when the state changes) are unverified guesses, since
https://core.telegram.org/bots/widgets.md could not be read to its end.

A document has no network: its own policy allows only what is in it, the page's policy keeps its
frame from leaving, and to the sandbox it is a page of another origin.
"""

import json
from functools import cache
from pathlib import Path

from starlette.datastructures import URL
from starlette.responses import HTMLResponse

from rich_agent_sandbox.telegram.widgets import Widget

PATH = "/sim/widgets/"
_INTERFACE = Path(__file__).parent / "static" / "widget_interface.js"
_HEADERS = {
    "Content-Security-Policy": (
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; img-src data:; webrtc 'block'; base-uri 'none'; "
        "form-action 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-DNS-Prefetch-Control": "off",
}
_STYLE = """
:root { color-scheme: light dark; color: light-dark(#0b0d0f, #f2f5f8); background: none;
  font: 16px/1.38 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans",
    "Liberation Sans", sans-serif; }
body { margin: 0; overflow-wrap: anywhere; }
"""


def widget_response(widget: Widget) -> HTMLResponse:
    """The document of a widget with the interface and the current state."""
    # As JSON in a script, the state must not end the script.
    state = json.dumps({"chatData": widget.chat_data}).replace("<", "\\u003c")
    page = (
        '<!doctype html><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style><script>({_interface()})({state})</script>{widget.html}"
    )
    return HTMLResponse(page, headers=_HEADERS)


@cache
def _interface() -> str:
    """The function of the script, without the comment before it and the line end after it."""
    source = _INTERFACE.read_text("utf-8")
    return source[source.index("(state)") :].strip()


def frame_source(page: URL) -> str:
    """The source of frames that the policy of the chat page allows.

    It is the path of the documents alone; a policy cannot name the address of a host in IPv6.
    """
    if page.hostname is None or ":" in page.hostname:
        return "'self'"
    port = f":{page.port}" if page.port else ""
    return f"{page.scheme}://{page.hostname}{port}{PATH}"
