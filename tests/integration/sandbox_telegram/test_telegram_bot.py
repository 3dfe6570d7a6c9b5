"""The real python-telegram-bot against the stand-in."""

import io
from collections.abc import AsyncIterator

import pytest
from telegram import (
    Bot,
    BotCommand,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MessageEntity,
    ReplyParameters,
)
from telegram.error import BadRequest, Forbidden, InvalidToken, NetworkError, RetryAfter, TimedOut
from telegram.request import HTTPXRequest

from tests.contract.telegram_models import check_call
from tests.integration.sandbox_telegram.client import Client, encoded, picture


@pytest.fixture
async def bot(client: Client, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bot]:
    """python-telegram-bot's bot, pointed at the sandbox; its calls are checked at the end."""
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # the old type of retry_after warns
    request = HTTPXRequest(read_timeout=5, httpx_kwargs={"trust_env": False})
    sandbox = client.sandbox
    bot = Bot(
        sandbox.bot_token,
        base_url=f"{sandbox.url}/bot",
        base_file_url=f"{sandbox.url}/file/bot",
        request=request,
    )
    async with bot:
        yield bot
    for call in client.sim("GET", "/calls?upstream=telegram").json()["calls"]:
        check_call(call["method"], call["body"])


async def test_ptb_sends_edits_and_deletes(client: Client, bot: Bot) -> None:
    """The life of a message, as python-telegram-bot sees it."""
    asked = client.send(text="hi")
    message = await bot.send_message(
        42,
        "Hello you",
        entities=[MessageEntity("bold", 0, 5)],
        reply_parameters=ReplyParameters(asked),
        reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="y")]]),
    )
    assert message.reply_to_message is not None
    assert message.reply_to_message.text == "hi"
    assert client.last_message()["entities"] == [{"type": "bold", "offset": 0, "length": 5}]
    await bot.edit_message_text("Bye", 42, message.message_id)
    assert client.last_message()["text"] == "Bye"
    with pytest.raises(BadRequest, match="Message is not modified"):
        await bot.edit_message_text("Bye", 42, message.message_id)
    assert await bot.delete_message(42, message.message_id)
    assert await bot.send_chat_action(42, "typing")
    assert client.chat()["typing"] is True


async def test_ptb_downloads_what_a_user_sent(client: Client, bot: Bot) -> None:
    """Updates, photo sizes, getFile and the download fit together."""
    client.send(photo_base64=encoded(picture()), text="look")
    (update,) = await bot.get_updates(timeout=1)
    assert update.message is not None
    file = await bot.get_file(update.message.photo[-1])
    assert bytes(await file.download_as_bytearray()) == picture()


async def test_ptb_uploads_files(client: Client, bot: Bot) -> None:
    """Multipart uploads arrive with their names and captions."""
    client.send()
    photo = await bot.send_photo(42, picture(), caption="a photo")
    document = await bot.send_document(42, io.BytesIO(b"a,b"), filename="table.csv")
    assert photo.photo[-1].width == 640
    assert document.document is not None
    assert (document.document.file_name, document.document.mime_type) == ("table.csv", "text/csv")
    assert client.last_message()["document"]["size_bytes"] == 3


async def test_ptb_registers_commands_and_webhook(bot: Bot) -> None:
    """Settings that a bot gives at its start are kept and told again."""
    commands = (BotCommand("start", "Begin"),)
    await bot.set_my_commands(commands)
    assert await bot.get_my_commands() == commands
    await bot.set_my_description("I answer.")
    await bot.set_webhook("http://127.0.0.1:9/", secret_token="s", allowed_updates=["message"])
    info = await bot.get_webhook_info()
    assert (info.url, info.allowed_updates) == ("http://127.0.0.1:9/", ("message",))
    await bot.delete_webhook()
    assert (await bot.get_updates(allowed_updates=[])) == ()


async def test_ptb_drafts_and_reactions(client: Client, bot: Bot) -> None:
    """Newer parameters go through api_kwargs."""
    message_id = client.send()
    assert await bot.send_message_draft(42, 3, "Hm", api_kwargs={"can_stop": True})
    assert client.chat()["draft"]["can_stop"] is True
    assert await bot.set_message_reaction(42, message_id, "👍")


async def test_ptb_answers_a_press(client: Client, bot: Bot) -> None:
    """A press comes as a callback query that can be answered."""
    client.send()
    sent = await bot.send_message(42, "Sure?")
    press = {"message_id": sent.message_id, "callback_data": "y"}
    client.sim("POST", "/chats/42/press", press)
    query = (await bot.get_updates())[-1].callback_query
    assert query is not None
    assert await query.answer("Noted")


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("429", RetryAfter),
        ("403_blocked", Forbidden),
        ("400_entities", BadRequest),
        ("502", NetworkError),
        ("reset", NetworkError),
    ],
)
async def test_ptb_meets_faults_as_its_own_errors(
    client: Client, bot: Bot, kind: str, error: type[Exception]
) -> None:
    """Each fault is what the library raises for Telegram's own."""
    client.send()
    client.fault(kind, method="sendMessage", retry_after=3)
    with pytest.raises(error):
        await bot.send_message(42, "a")


async def test_ptb_times_out(client: Client, bot: Bot) -> None:
    """A late answer is a TimedOut, and the message is there."""
    client.send()
    client.fault("timeout", method="sendMessage", delay_s=1.0)
    with pytest.raises(TimedOut):
        await bot.send_message(42, "late", read_timeout=0.3)
    assert client.last_message()["text"] == "late"


async def test_ptb_refuses_a_wrong_token(client: Client) -> None:
    """Another token is no bot of this sandbox."""
    request = HTTPXRequest(httpx_kwargs={"trust_env": False})
    bot = Bot("1:other", base_url=f"{client.sandbox.url}/bot", request=request)
    with pytest.raises(InvalidToken):
        await bot.initialize()
    await request.shutdown()
