"""The Bot API client: what each failure is called, and that the token stays inside."""

import logging
import socket
from collections.abc import AsyncIterator

import pytest

from rich_agent.errors import (
    BadGatewayError,
    ChatBlockedError,
    EntitiesRefusedError,
    ImageRefusedError,
    MessageGoneError,
    OutcomeUnknownError,
    RichAgentError,
    TokenRefusedError,
    UpdatesConflictError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.bot_api import (
    RenderedMessage,
    TextEntity,
    Widget,
    WidgetRefusedError,
    WidgetTooLargeError,
)
from rich_agent.upstreams.telegram.bot_api import TelegramClient, TelegramOptions
from tests.integration.telegram_support import Sim, base64_of, open_client, open_sim, png, until
from tests.sandbox_server import RunningSandbox

ADA = 42
HELLO = RenderedMessage("hello", (TextEntity("bold", 0, 5),))


@pytest.fixture
async def sim(sandbox: RunningSandbox) -> AsyncIterator[Sim]:
    """A chat that has begun."""
    async with open_sim(sandbox) as opened:
        await opened.send(ADA, "/start")
        yield opened


@pytest.fixture
async def client(sandbox: RunningSandbox) -> AsyncIterator[TelegramClient]:
    """A client with short deadlines."""
    async with open_client(sandbox, read_s=1.0) as opened:
        yield opened


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("429", UpstreamRateLimitedError),
        ("500", BadGatewayError),
        ("502", BadGatewayError),
        ("403_blocked", ChatBlockedError),
        ("400_entities", EntitiesRefusedError),
        ("timeout", UpstreamTimeoutError),
        ("reset", OutcomeUnknownError),
    ],
)
async def test_client_names_each_failure(
    client: TelegramClient, sim: Sim, kind: str, expected: type[RichAgentError]
) -> None:
    """The class says what the sender may do next."""
    await sim.fail(kind, delay_s=1.5, retry_after=7)
    with pytest.raises(expected) as caught:
        await client.send_message(ADA, HELLO)
    assert type(caught.value) is expected
    if isinstance(caught.value, UpstreamRateLimitedError):
        assert caught.value.retry_after_s == 7


async def test_client_tells_why_a_widget_is_refused(
    sandbox: RunningSandbox, client: TelegramClient, sim: Sim
) -> None:
    """A server without widgets, a widget that is too large, or a token that is unknown."""
    refusals = []
    for kind in ("404_widgets", "400_widgets"):
        await sim.fail(kind)
        with pytest.raises(WidgetRefusedError) as caught:
            await client.send_widget(ADA, Widget("<p>"))
        refusals.append(type(caught.value))
    with pytest.raises(WidgetTooLargeError):
        await client.send_widget(ADA, Widget("".join(map(str, range(5_000)))))
    token = "123456789:AAwrongwrongwrongwrongwrongwrongwro"
    async with TelegramClient(token, sandbox.url) as unknown:
        with pytest.raises(TokenRefusedError):
            await unknown.send_widget(ADA, Widget("<p>"))
    message_id = await client.send_message(ADA, HELLO)
    with pytest.raises(WidgetRefusedError):
        await client.edit_widget(ADA, message_id, "[]")
    assert refusals == [WidgetRefusedError] * 2


async def test_client_takes_an_unchanged_edit_for_done(client: TelegramClient, sim: Sim) -> None:
    """An edit can be repeated."""
    message_id = await client.send_message(ADA, HELLO)
    await client.edit_message(ADA, message_id, RenderedMessage("bye"))
    await client.edit_message(ADA, message_id, RenderedMessage("bye"))
    assert await sim.texts(ADA) == ["bye"]


async def test_client_tells_a_message_that_is_gone(client: TelegramClient, sim: Sim) -> None:
    """It has to be sent anew."""
    with pytest.raises(MessageGoneError):
        await client.edit_message(ADA, 999_999, HELLO)
    assert await sim.texts(ADA) == []


async def test_client_tells_a_chat_that_is_gone(client: TelegramClient) -> None:
    """As if the user had blocked the bot."""
    with pytest.raises(ChatBlockedError):
        await client.send_message(987_654, HELLO)


@pytest.mark.usefixtures("sim")
async def test_client_names_the_setting_of_a_wrong_token(sandbox: RunningSandbox) -> None:
    """And does not print it."""
    token = "123456789:AAwrongwrongwrongwrongwrongwrongwro"
    async with TelegramClient(token, sandbox.url) as client:
        with pytest.raises(UpstreamRefusedError) as caught:
            await client.get_me()
    assert "TELEGRAM_BOT_TOKEN" in caught.value.hint
    assert token not in caught.value.explain()


async def test_client_knows_that_a_refused_connection_sent_nothing() -> None:
    """No doubt about the outcome, and no token in the error."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    token = "123456789:AAsecretsecretsecretsecretsecretsec"
    async with TelegramClient(token, url, TelegramOptions(connect_s=1)) as client:
        with pytest.raises(UpstreamUnavailableError) as caught:
            await client.send_message(ADA, HELLO)
    assert type(caught.value) is UpstreamUnavailableError
    assert caught.value.__cause__ is None
    assert token not in str(caught.value)


@pytest.mark.req("DEP-2")
async def test_client_keeps_the_token_out_of_every_log_line(
    client: TelegramClient, sandbox: RunningSandbox, sim: Sim, caplog: pytest.LogCaptureFixture
) -> None:
    """URLs are logged by httpx, and the base URL by python-telegram-bot."""
    assert await sim.texts(ADA) == []
    with caplog.at_level(logging.DEBUG), caplog.at_level(logging.DEBUG, "httpx"):
        async with open_client(sandbox) as fresh:
            await fresh.get_me()
        await client.send_message(ADA, HELLO)
    assert any(record.name == "httpx" for record in caplog.records)
    assert sandbox.bot_token not in caplog.text


async def test_client_hands_out_updates_as_they_came(client: TelegramClient, sim: Sim) -> None:
    """Raw, in order, from the offset on."""
    sent = await sim.send(ADA, "two\x00")
    (first, second) = await client.get_updates(None, 0, ("message",))
    assert b"/start" in first
    assert str(sent["update_id"]).encode() in second
    assert await client.get_updates(sent["update_id"] + 1, 0, ("message",)) == []


async def test_client_tells_that_another_takes_the_updates(
    client: TelegramClient, sim: Sim
) -> None:
    """A webhook that is set elsewhere."""
    await client.set_webhook("http://127.0.0.1:9/telegram/webhook", "secret", ("message",))
    with pytest.raises(UpdatesConflictError):
        await client.get_updates(None, 0, ("message",))
    await client.delete_webhook()
    assert len(await client.get_updates(None, 0, ("message",))) == 1
    assert all(
        call["body"].get("drop_pending_updates") in (None, False)
        for call in await sim.calls("setWebhook", "deleteWebhook")
    )


async def refuse_newest_file(sandbox: RunningSandbox, limit_bytes: int) -> None:
    """Expect a client of this limit to refuse the file that was sent last."""
    options = TelegramOptions(max_file_bytes=limit_bytes)
    async with TelegramClient(sandbox.bot_token, sandbox.url, options) as small:
        raw = await small.get_updates(None, 0, ("message",))
        file_id = raw[-1].split(b'"file_id": "')[1].split(b'"')[0].decode()
        with pytest.raises(ImageRefusedError) as caught:
            await small.fetch(file_id)
    assert caught.value.reason == "too_large"


async def test_client_refuses_a_file_before_it_downloads_it(
    sandbox: RunningSandbox, sim: Sim
) -> None:
    """Only getFile is asked."""
    await sim.send(ADA, document_base64=base64_of(png(64, 64)), file_name="a.png")
    await refuse_newest_file(sandbox, limit_bytes=50)


async def test_client_stops_a_download_that_grows_beyond_its_limit(
    sandbox: RunningSandbox, sim: Sim
) -> None:
    """The announced size does not count, only the bytes that come."""
    await sim.send(ADA, document_base64=base64_of(b"x" * 100_000), file_name="a.png", size_bytes=10)
    await refuse_newest_file(sandbox, limit_bytes=50_000)


async def test_client_gives_a_slow_download_up(
    sandbox: RunningSandbox, sim: Sim, client: TelegramClient
) -> None:
    """The deadline is for the whole file, and its error holds no token."""
    await sim.send(ADA, document_base64=base64_of(b"x" * 1000), file_name="a.png")
    raw = await client.get_updates(None, 0, ("message",))
    file_id = raw[-1].split(b'"file_id": "')[1].split(b'"')[0].decode()
    options = TelegramOptions(download_s=0.0)
    async with TelegramClient(sandbox.bot_token, sandbox.url, options) as hasty:
        with pytest.raises(UpstreamTimeoutError) as caught:
            await hasty.fetch(file_id)
    assert sandbox.bot_token not in repr(caught.value)


async def test_client_goes_on_after_reconnecting(client: TelegramClient, sim: Sim) -> None:
    """Polls use a separate connection, which can be reopened."""
    await client.reconnect()
    assert len(await client.get_updates(None, 0, ("message",))) == 1
    await client.send_typing(ADA)
    await until(lambda: _is_typing(sim))


async def _is_typing(sim: Sim) -> bool:
    return bool((await sim.chat(ADA))["typing"])
