"""The words on the page: what its script says is there, in each language, with what it fills in."""

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from rich_agent.chat_commands.menu import FOR_ALL, IN_TELEGRAM_ONLY, Menu
from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.features.web_chat.page_files import page_words
from rich_agent.web.sign_in_links import SignInLink

PAGE = files("rich_agent.features.web_chat") / "page"


def script() -> str:
    """The source of the page, without the libraries of others."""
    sources = [one for one in PAGE.iterdir() if one.name.endswith(".js")]
    return "\n".join(one.read_text(encoding="utf-8") for one in sources)


def content(locale: str, menu: Menu = Menu()) -> Mapping[str, Any]:  # noqa: B008 - frozen
    """The words as the page gets them."""
    words: Mapping[str, Any] = json.loads(page_words(locale, "", menu))
    return words


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_page_says_phrases_that_it_is_given(locale: str) -> None:
    """Each literal key that the web chat says, with the values that it fills in."""
    words = content(locale)["words"]
    said = re.findall(r'\bsay\("([\w-]+)"(?:, \{([^}]*)\})?', script())
    assert len(said) > 30
    for key, values in said:
        filled = {one.partition(":")[0].strip() for one in values.split(", ")} - {""}
        assert set(re.findall(r"\{(\w+)\}", words[key])) == filled, key
    assert not [key for key, text in words.items() if "{" in re.sub(r"\{\w+\}", "", text)]


def test_page_links_to_other_ways_to_sign_in() -> None:
    """Each link has its words in the language of the page, and leads back to the page."""
    link = SignInLink("/portal/enter", lambda locale: f"Portal ({locale})")
    words: Mapping[str, Any] = json.loads(page_words("de", "", Menu(), (link,)))
    assert words["signIns"] == [["Portal (de)", "/portal/enter?to=%2Fchat"]]
    assert content("de")["signIns"] == []


def test_refusals_of_the_api_have_words_on_the_page() -> None:
    """The page looks for them by their codes."""
    words = content("de")["words"]
    for code in ("not_latest", "login_refused", "user_not_permitted", "signed_in"):
        assert words[f"web_chat-{code.replace('_', '-')}"]


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_commands_of_the_page_are_those_of_the_menu(locale: str) -> None:
    """The same names and lines in the same order, without what is unavailable there."""
    menu = Menu().describe(locale, is_admin=False)
    listed = [tuple(one) for one in content(locale)["commands"]]
    assert listed == [one for one in menu if one[0] not in IN_TELEGRAM_ONLY]
    fewer = content(locale, Menu(unavailable=frozenset({"disconnect"})))["commands"]
    assert [name for name, _ in listed if name != "disconnect"] == [name for name, _ in fewer]
    assert len(listed) < len(FOR_ALL)


_SPEAKING = """
const statuses = [503, 200, 500];
globalThis.setTimeout = (done) => queueMicrotask(done);
globalThis.document = { documentElement: {} };
globalThis.fetch = async () => {
  const status = statuses.shift();
  const json = async () => (status === 200 ? { words: { hi: "Hello" } } : { error: {} });
  return { status, ok: status === 200, json };
};
const { speak, say } = await import(process.argv[1]);
await speak();
await speak("de");
console.log(say("hi"), statuses.length);
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_page_keeps_its_words_while_the_bot_refuses_or_starts(tmp_path: Path) -> None:
    """It asks again while the bot starts."""
    module = tmp_path / "words.mjs"
    module.write_bytes((PAGE / "words.js").read_bytes())
    command = ["node", "--input-type=module", "--eval", _SPEAKING, str(module)]
    done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=20)
    assert done.stdout == "Hello 0\n"
