"""The user who opened the page as a Telegram Mini App, by what was signed with the bot's token.

Source: https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app
"""

import hmac
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, Field, ValidationError

LASTS_S = 3600
"""What was signed longer ago opens nothing: who has seen it could present it forever."""
_CLOCK_SKEW_S = 60
_LONGEST = 8_192
_MOST_FIELDS = 32


class _SignedUser(BaseModel):
    model_config = ConfigDict(strict=True)

    id: int = Field(gt=0)


def read_init_data(init_data: str, bot_token: str, now: datetime) -> int | None:
    """The id of the user whom Telegram vouches for, None for data that are forged or old."""
    if len(init_data) > _LONGEST:
        return None
    try:
        pairs = parse_qsl(
            init_data, keep_blank_values=True, strict_parsing=True, max_num_fields=_MOST_FIELDS
        )
        named = dict(pairs)
        is_signed = len(named) == len(pairs) and _is_signed(named, bot_token)
        age_s = now.timestamp() - int(named.get("auth_date", ""))
    except ValueError:
        return None
    if not is_signed or not -_CLOCK_SKEW_S <= age_s <= LASTS_S:
        return None
    try:
        return _SignedUser.model_validate_json(named.get("user", "")).id
    except ValidationError:
        return None


def _is_signed(named: Mapping[str, str], bot_token: str) -> bool:
    text = "\n".join(f"{name}={named[name]}" for name in sorted(named) if name != "hash")
    key = hmac.digest(b"WebAppData", bot_token.encode(), "sha256")
    signed = hmac.digest(key, text.encode(), "sha256").hex()
    return hmac.compare_digest(signed.encode(), named.get("hash", "").encode())
