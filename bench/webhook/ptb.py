"""python-telegram-bot's own webhook: `python -m bench.webhook.ptb CONCURRENT_UPDATES`."""

import os
import sys
from typing import Any

from telegram import Update
from telegram.ext import Application, MessageHandler, filters

from bench.webhook.handling import handle
from bench.webhook.load import SECRET


async def _handle(update: Update, _: Any) -> None:  # noqa: ANN401 - the library's context
    message, user = update.effective_message, update.effective_user
    assert message is not None
    assert user is not None
    await handle(update.update_id, user.id, message.text or "")


def main() -> None:
    """Serve until killed."""
    upstream = os.environ["TELEGRAM_API_BASE_URL"]
    builder = Application.builder().token(os.environ["TELEGRAM_BOT_TOKEN"])
    builder = builder.base_url(f"{upstream}/bot").concurrent_updates(int(sys.argv[1]))
    application = builder.build()
    application.add_handler(MessageHandler(filters.ALL, _handle))
    port = int(os.environ["PORT"])
    application.run_webhook(
        listen="127.0.0.1",
        port=port,
        url_path="telegram/webhook",
        webhook_url=f"http://127.0.0.1:{port}/telegram/webhook",
        secret_token=SECRET,
    )


if __name__ == "__main__":
    main()
