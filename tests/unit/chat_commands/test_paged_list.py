"""Lists that a message shows page by page."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from rich_agent.chat_commands.paged_list import ListPage, ListPlace, PagedList
from rich_agent.chat_commands.replies import CommandRequest, PressRequest
from rich_agent.domain.message import User
from rich_agent.ports.bot_api import RenderedMessage

ADA = User(42, "Ada", None, "en")
VERB = "words1"


def paged(words: Sequence[str], size: int) -> PagedList[str]:
    """A list of words, whose pages say part and numbered words."""

    async def load(place: ListPlace) -> tuple[Sequence[str], int]:
        return words[place.offset : place.offset + size], len(words)

    async def render(page: ListPage[str]) -> RenderedMessage:
        lines = [f"{number}:{word}" for number, word in page.numbers_and_items]
        return RenderedMessage("\n".join([page.place.part, *lines]), buttons=page.turning)

    return PagedList(VERB, size, load, render)


def press(data: str) -> PressRequest:
    """A press of a button."""
    return PressRequest(data, ADA, locale="en")


def next_button(message: RenderedMessage) -> str:
    """The data of the button to the next page, "" on the last one."""
    buttons = [button for row in message.buttons for button in row]
    return next((one.data for one in buttons if one.text == "›"), "")


@given(st.integers(0, 40), st.integers(1, 9), st.sampled_from(["", "0", "today"]))
async def test_paged_list_shows_each_item_once(count: int, size: int, part: str) -> None:
    """The buttons lead through all pages, and keep to the part of the list."""
    pages = paged([f"w{n}" for n in range(1, count + 1)], size)
    first = await pages.show(ListPlace(42, press("x").clocks, part=part))
    lines, shown = first.text.splitlines()[1:], first
    while data := next_button(shown):
        shown = (await pages.turn(press(data))).message or RenderedMessage("")
        assert shown.text.split("\n")[0] == part
        lines += shown.text.split("\n")[1:]
    assert lines == [f"{n}:w{n}" for n in range(1, count + 1)]


@given(st.integers(0, 12), st.sampled_from(["9", "10", "999", "x", "-4", "", "9" * 30]))
async def test_paged_list_shows_the_last_page_where_it_became_shorter(
    count: int, offset: str
) -> None:
    """A button of a page that is gone shows what is left; one without a number, the beginning."""
    words = [f"w{n}" for n in range(count)]
    message = (await paged(words, 3).turn(press(f"{VERB}:{offset}"))).message
    assert message is not None
    assert bool(message.text.strip()) is bool(words)


async def test_paged_list_answers_a_command_with_its_first_page() -> None:
    """With a button to the next one."""
    reply = await paged(["a", "b", "c"], 2).answer(CommandRequest("words", "", ADA, "en"))
    assert reply.message.text == "\n1:a\n2:b"
    assert next_button(reply.message) == f"{VERB}:2"
