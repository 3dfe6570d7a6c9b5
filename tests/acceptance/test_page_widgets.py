"""Widgets on the chat page in a real browser."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from typing_extensions import override

from tests.acceptance.browsing import OVERFLOWS, SCREENSHOTS, axe_problems, needs_browser
from tests.acceptance.world import wait_until
from tests.sandbox_server import RunningSandbox, start_sandbox

pytestmark = list(needs_browser)

COUNTER = """
<style>button { font: inherit; padding: 8px 14px } #lines { white-space: pre-line }</style>
<p id="state"></p><p id="lines"></p><p id="answer">-</p><button id="ask">Ask</button>
<script>
  let changes = 0;
  const show = () => {
    state.textContent = `${TelegramWidget.chatData || "none"} ${changes}`;
    lines.textContent = TelegramWidget.chatData.startsWith("tall") ? "line\\n".repeat(90) : "";
  };
  TelegramWidget.onChatData = () => { changes += 1; show(); };
  ask.onclick = () => TelegramWidget.request("ask").then(
    ({ result }) => { answer.textContent = result; },
    (error) => { answer.textContent = error.message; });
  show();
</script>
"""
REACHES_OUT = """
<p id="done"></p>
<script>
  const server = "SERVER";
  const tried = [];
  const note = (name, outcome) => {
    tried.push(`${name}: ${outcome}`);
    done.textContent = tried.sort().join(", ");
  };
  const guarded = async (name, work) => {
    try { await work(); note(name, "reached"); } catch { note(name, "blocked"); }
  };
  const loads = (tag, src) => new Promise((resolve, reject) => {
    const node = document.createElement(tag);
    Object.assign(node, { onload: resolve, onerror: reject, onopen: resolve, src });
    document.body.append(node);
  });
  guarded("fetch", () => fetch(`${server}/getMe`, { mode: "no-cors" }));
  guarded("image", () => loads("img", `${server}/getChat`));
  guarded("inline image", () =>
    loads("img", "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"));
  guarded("script", () => loads("script", `${server}/getFile`));
  guarded("socket", () => new Promise((resolve, reject) => {
    const socket = new WebSocket(server.replace("http", "ws"));
    Object.assign(socket, { onopen: resolve, onerror: reject });
  }));
  guarded("page", () => parent.document.title);
  guarded("storage", () => localStorage.length);
  guarded("window", () => { if (!window.open(`${server}/getMe`)) throw new Error(); });
  guarded("top", () => { top.location = `${server}/getMe`; });
  navigator.sendBeacon?.(`${server}/getMe`);
  const form = document.createElement("form");
  form.action = `${server}/getMe`; document.body.append(form); form.submit();
  const inner = document.createElement("iframe");
  inner.src = `${server}/getMe`; document.body.append(inner);
</script>
"""
OUTCOMES = (
    "fetch: blocked, image: blocked, inline image: reached, page: blocked, script: blocked, "
    "socket: blocked, storage: blocked, top: blocked, window: blocked"
)
POSES_AS_THE_INTERFACE = """
<i id="heard">0</i>
<script>
  addEventListener("message", ({ ports }) => {
    heard.textContent = Number(heard.textContent) + ports.length;
  }, true);
  const { port1 } = new MessageChannel();
  const forged = { data: "line", source: parent, ports: [port1] };
  for (const message of [{ height: 500 }, { id: 1, data: "forged" }, "line"]) {
    parent.postMessage(message, "*");
  }
  dispatchEvent(new MessageEvent("message", forged));
  TelegramWidget.request("true");
</script>
"""
AROUND = """
const message = document.querySelector("#messages .message:nth-last-child(2)");
return [...message.querySelectorAll(".text, .key")].map((one) => one.innerText.split("\\n")[0]);
"""
SIZES = """
const frames = [...document.querySelectorAll("iframe.widget")];
return frames.map((one) => Math.round(one.getBoundingClientRect()[arguments[0]]));
"""


class WidgetPage:
    """The page of user 42 with a bot that asks for queries."""

    def __init__(self, browser: webdriver.Chrome, sandbox: RunningSandbox) -> None:
        self.browser, self.sandbox = browser, sandbox
        said = httpx.post(f"{sandbox.url}/sim/chats/42/messages", json={"text": "hi"})
        said.raise_for_status()
        self.call("getUpdates", chat_id=None, allowed_updates=["message", "widget_query"])

    def call(self, method: str, **params: Any) -> Any:
        """Call the Bot API as the bot does by itself."""
        body = {
            name: value for name, value in {"chat_id": 42, **params}.items() if value is not None
        }
        answer = httpx.post(f"{self.sandbox.api_url}/{method}", json=body)
        assert answer.is_success, answer.text
        return answer.json()["result"]

    def send_widget(self, html: str = COUNTER, **params: Any) -> int:
        """Send a widget that may query; gives the message id."""
        sent = self.call("sendWidget", html=html, allow_queries=True, **params)
        return int(sent["message_id"])

    def open(self) -> None:
        """Load the page, and wait until the last widget is there."""
        self.browser.get(f"{self.sandbox.url}/#42")
        self.frame()

    def frame(self) -> WebElement:
        """The frame of the last widget."""
        frames = "iframe.widget"
        return wait_until(
            lambda: next(reversed(self.browser.find_elements(By.CSS_SELECTOR, frames)), None),
            "the widget",
        )

    @contextmanager
    def inside(self) -> Iterator[webdriver.Chrome]:
        """The document of the last widget."""
        self.browser.switch_to.frame(self.frame())
        try:
            yield self.browser
        finally:
            self.browser.switch_to.default_content()

    def text(self, element_id: str) -> str:
        """The text of an element of the last widget, "" while that still loads."""
        with self.inside() as document:
            read = "return document.getElementById(arguments[0])?.innerText ?? ''"
            return str(document.execute_script(read, element_id))

    def shows(self, element_id: str, text: str) -> None:
        """Wait until an element of the last widget has a text."""
        wait_until(lambda: self.text(element_id) == text or None, f"{element_id} is {text!r}")

    def ask(self) -> None:
        """Press the button of the last widget."""
        with self.inside() as document:
            document.find_element(By.ID, "ask").click()

    def query(self) -> dict[str, Any]:
        """The newest query, when there is one."""
        return wait_until(
            lambda: next(
                (
                    update["widget_query"]
                    for update in reversed(self.call("getUpdates", chat_id=None))
                    if "widget_query" in update
                ),
                None,
            ),
            "a query",
        )

    def screenshot(self, name: str) -> None:
        """Kept in RICH_AGENT_SCREENSHOTS, where it is set."""
        if SCREENSHOTS:
            self.browser.save_screenshot(str(Path(SCREENSHOTS) / f"{name}.png"))


@pytest.fixture
def page(browser: webdriver.Chrome) -> Iterator[WidgetPage]:
    """The page of an empty sandbox."""
    with start_sandbox(journal=None) as sandbox:
        yield WidgetPage(browser, sandbox)


def test_widget_shows_its_state_and_asks_the_bot(page: WidgetPage) -> None:
    """The state comes live, and after a reload at once; an answer is for the widget alone."""
    message_id = page.send_widget(caption="Today")
    page.open()
    page.shows("state", "none 0")
    page.call("editMessageWidgetData", message_id=message_id, chat_data="one </script>")
    page.shows("state", "one </script> 1")
    page.ask()
    query = page.query()
    assert (query["data"], query["message_id"]) == ("ask", message_id)
    page.call("answerWidgetQuery", chat_id=None, widget_query_id=query["id"], data="Noted")
    page.shows("answer", "Noted")
    assert page.frame().get_attribute("title") == "Widget 1: Today"
    assert not page.browser.find_elements(By.CSS_SELECTOR, ".bot [data-testid=forward]")
    page.browser.refresh()
    page.shows("state", "one </script> 0")


def test_widget_runs_on_while_the_chat_changes(page: WidgetPage) -> None:
    """Neither a new caption, keyboard or message nor a deleted one loads its document again."""
    deleted = page.call("sendMessage", text="before")["message_id"]
    message_id = page.send_widget(caption="Today")
    page.open()
    page.shows("state", "none 0")
    page.call("editMessageWidgetData", message_id=message_id, chat_data="one")
    page.shows("state", "one 1")
    keys = {"inline_keyboard": [[{"text": "Help", "callback_data": "h"}]]}
    page.call("editMessageCaption", message_id=message_id, caption="Later", reply_markup=keys)
    page.call("deleteMessage", message_id=deleted)
    page.call("sendMessage", text="after")
    wait_until(lambda: _around(page) == ["Later", "Help"] or None, "caption and key")
    page.shows("state", "one 1")


def _around(page: WidgetPage) -> list[str]:
    """The caption and the keys of the message before the last one, read at once."""
    return list(page.browser.execute_script(AROUND))


def test_widget_is_as_high_as_its_content(page: WidgetPage) -> None:
    """From 50 to 600 px, unless the bot fixed it; as wide as the bubble, or as the bot says."""
    message_id = page.send_widget(html="<i>a</i>")
    page.send_widget(width=100, height=2_000)
    page.send_widget(chat_data="tall")
    page.open()
    page.shows("state", "tall 0")
    wait_until(lambda: _sizes(page, "height") == [50, 600, 600] or None, "their heights")
    assert _sizes(page, "width")[1] == 200
    assert _sizes(page, "width")[0] == _sizes(page, "width")[2] > 400
    target = page.call("sendWidget", html=COUNTER)["message_id"]
    wait_until(lambda: 60 < _sizes(page, "height")[-1] < 300 or None, "its own height")
    page.call("editMessageWidgetData", message_id=target, chat_data="tall one")
    wait_until(lambda: _sizes(page, "height")[-1] == 600 or None, "more content")
    page.call("deleteMessage", message_id=message_id)
    wait_until(lambda: len(_sizes(page, "height")) == 3 or None, "one is gone")
    page.send_widget(html="<i>a</i>")
    wait_until(lambda: len(_sizes(page, "height")) == 4 or None, "one is new")
    frames = page.browser.find_elements(By.CSS_SELECTOR, "iframe.widget")
    assert len({frame.get_attribute("title") for frame in frames}) == 4


def _sizes(page: WidgetPage, side: str) -> list[int]:
    return list(page.browser.execute_script(SIZES, side))


def test_widget_is_told_that_nobody_answers(page: WidgetPage) -> None:
    """After 15 s with "502", and with "429" for the sixth query in 5 s."""
    faster = "const wait = setTimeout; window.setTimeout = (work, ms) => wait(work, ms / 15);"
    with _preloaded(page, faster):
        page.send_widget()
        page.open()
        page.ask()
        page.shows("answer", "502")
        wait_until(lambda: _is_one_too_many(page) or None, "too many queries")


def _is_one_too_many(page: WidgetPage) -> bool:
    page.ask()
    return page.text("answer") == "429"


@contextmanager
def _preloaded(page: WidgetPage, script: str) -> Iterator[None]:
    """The page runs a script before its own."""
    run = page.browser.execute_cdp_cmd
    added = run("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    try:
        yield
    finally:
        run("Page.removeScriptToEvaluateOnNewDocument", added)


def test_widget_cannot_reach_the_network(page: WidgetPage) -> None:
    """Nothing arrives at the sandbox itself, by no way; what is in the document is shown."""
    page.send_widget(html=REACHES_OUT.replace("SERVER", page.sandbox.api_url))
    calls = f"{page.sandbox.url}/sim/calls?upstream=telegram"
    before = len(httpx.get(calls).json()["calls"])
    page.open()
    page.shows("done", OUTCOMES)
    with _listener() as (address, requests):
        with page.inside() as document:
            document.execute_script(f"location = '{address}/?private'")
        wait_until(lambda: not _has(page, "done") or None, "the frame leaves for nowhere")
        page.browser.get(address)
        assert requests == ["/"]
    assert len(httpx.get(calls).json()["calls"]) == before


@contextmanager
def _listener() -> Iterator[tuple[str, list[str]]]:
    """A server elsewhere: its address, and the paths that are asked for."""
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != "/favicon.ico":
                requests.append(self.path)
            self.send_response(200)
            self.end_headers()

        @override
        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", requests
        server.shutdown()
        thread.join()


def _has(page: WidgetPage, element_id: str) -> bool:
    with page.inside() as document:
        return bool(document.find_elements(By.ID, element_id))


def test_code_of_a_widget_has_no_line_to_the_page(page: WidgetPage) -> None:
    """It hears only its own forgery; what it tells the page by itself changes nothing there."""
    page.send_widget(html=POSES_AS_THE_INTERFACE)
    page.open()
    assert page.query()["data"] == "true"
    assert page.text("heard") == "1"
    assert _sizes(page, "height") == [50]
    chat = httpx.get(f"{page.sandbox.url}/sim/chats/42").json()
    assert [query["data"] for query in chat["widget_queries"]] == ["true"]


def test_document_of_a_widget_runs_only_in_a_sandbox(page: WidgetPage) -> None:
    """Its own policy holds without the frame, too; what is no widget has no document."""
    message_id = page.send_widget(chat_data="<b>")
    address = f"{page.sandbox.url}/sim/widgets/42"
    answer = httpx.get(f"{address}/{message_id}")
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts; default-src 'none'; ")
    assert '{"chatData": "\\u003cb>"}' in answer.text
    assert httpx.get(f"{address}/1").status_code == 404
    embedder = httpx.get(page.sandbox.url).headers["content-security-policy"]
    assert embedder.endswith(f"frame-src {page.sandbox.url}/sim/widgets/")


def test_widget_is_open_to_everybody(page: WidgetPage) -> None:
    """The keyboard reaches into it, it has the colours of the page, and it fits a phone."""
    page.send_widget(caption="Today", chat_data="one")
    page.open()
    page.shows("state", "one 0")
    bubble = page.browser.find_element(By.CSS_SELECTOR, ".bot .bubble")
    bubble.send_keys(Keys.TAB)
    webdriver.ActionChains(page.browser).send_keys(Keys.ENTER).perform()
    assert page.query()["data"] == "ask"
    for scheme in ("light", "dark"):
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        _wait_for_colours(page, scheme)
        for name, width in (("wide", 1280), ("phone", 390)):
            size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": False}
            page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            assert axe_problems(page.browser) == []
            assert page.browser.execute_script(OVERFLOWS) is False
            page.screenshot(f"widget-{scheme}-{name}")


def _wait_for_colours(page: WidgetPage, scheme: str) -> None:
    red = {"light": "rgba(11,", "dark": "rgba(242,"}[scheme]
    matches = f"return matchMedia('(prefers-color-scheme: {scheme})').matches"
    with page.inside() as document:
        wait_until(lambda: document.execute_script(matches) or None, scheme)
        state = document.find_element(By.ID, "state")
        wait_until(lambda: state.value_of_css_property("color").startswith(red) or None, "text")
