"""Checks of settings beyond their types; each yields problems with a hint on what to write."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

from pydantic import SecretStr
from rapidfuzz.distance import OSA, Indel

from rich_agent.domain.routing.plan import Domain, known_intents
from rich_agent.domain.usage_limits import Prices
from rich_agent.errors import SettingsError, UnknownSettingError, place_in

_SLIP_EDITS = 2
_SHORT = 6
"""Shorter names (HOST, PORT) differ from many other names by only two letters."""
_DISTINCTIVE = 10
"""Names of at least this length hardly occur by chance in the environment of a process."""
_ALIKE = 0.82
_AS_NEAR = 0.1


def misspelt_in_file(
    names: Iterable[str], settings: Collection[str]
) -> Iterator[UnknownSettingError]:
    """Problems with the `names` in `.env` that resemble a setting; all names are in capitals."""
    for name in names:
        if name not in settings and (likely_settings := likely_in_file(name, settings)):
            yield UnknownSettingError(
                name,
                likely_settings,
                hint="; what belongs to another program belongs in a file of its own",
            )


def misspelt_in_environment(
    names: Collection[str], settings: Collection[str], keys: Collection[str]
) -> Iterator[UnknownSettingError]:
    """Problems with the `names` of the process's environment that almost certainly mean a setting.

    `keys` are the settings that are secret. All names are in capitals.
    """
    for name in names:
        if name not in settings and (
            likely_settings := likely_in_environment(name, settings, names, keys)
        ):
            yield UnknownSettingError(
                name,
                likely_settings,
                hint=f", or take {name} out of the environment if another program needs it",
            )


def likely_in_file(name: str, settings: Collection[str]) -> tuple[str, ...]:
    """The settings that `name` in `.env` may mean, nearest first, at most two.

    A name resembles a setting by a typing mistake, by a word too many or too few, or by similar
    letters. A name that resembles no setting belongs to another program, and nothing is returned.
    """
    similarities = {
        setting: similarity
        for setting in settings
        if (similarity := Indel.normalized_similarity(name, setting)) >= _ALIKE
        or _is_slip(name, setting)
        or _has_same_words(name, setting)
    }
    best_similarity = max(similarities.values(), default=0.0)
    nearest_settings = [
        setting
        for setting, similarity in similarities.items()
        if similarity >= best_similarity - _AS_NEAR
    ]
    return tuple(sorted(nearest_settings, key=similarities.__getitem__, reverse=True)[:2])


def likely_in_environment(
    name: str, settings: Iterable[str], names: Collection[str], keys: Collection[str]
) -> tuple[str, ...]:
    """The setting that `name` in the environment of the process means; empty if there is none.

    Most names in an environment belong to other programs, so only two things count. One is a typing
    mistake in a long name, of two letters, or of one letter if the setting itself is among the
    `names`. The other is one of the `keys` without its middle word (OPENAI_KEY for OPENAI_API_KEY),
    unless the key itself is among the `names`.
    """
    for setting in settings:
        max_edits = 1 if setting in names else _SLIP_EDITS
        is_long_slip = len(setting) >= _DISTINCTIVE and OSA.distance(name, setting) <= max_edits
        if is_long_slip and _letters(name) != _letters(setting):
            return (setting,)
        if setting in keys and setting not in names and _is_shortened(name, setting):
            return (setting,)
    return ()


def _letters(name: str) -> str:
    """The name without digits, because OPENAI_API_KEY_2 is a second key and no mistake."""
    return "".join(letter for letter in name if not letter.isdigit()).strip("_")


def _is_slip(name: str, setting: str) -> bool:
    """Whether one or two letters of the name are missing, added, replaced or exchanged."""
    return OSA.distance(name, setting) <= (1 if len(setting) < _SHORT else _SLIP_EDITS)


def _has_same_words(name: str, setting: str) -> bool:
    """Whether at least two words are the same, and at most one word of each name differs."""
    words, setting_words = Counter(_words(name)), Counter(_words(setting))
    common_count = (words & setting_words).total()
    return common_count >= 2 and max(words.total(), setting_words.total()) - common_count <= 1


def _is_shortened(name: str, setting: str) -> bool:
    """Whether the name is that of the setting without its middle words."""
    words, setting_words = name.split("_"), setting.split("_")
    return len(setting_words) > 2 and words == [setting_words[0], setting_words[-1]]


def _words(name: str) -> list[str]:
    """The words of a name, without a final S."""
    return [word.removesuffix("S") for word in name.split("_") if word]


_TOKEN = re.compile(r"\d{3,}:[A-Za-z0-9_-]{20,}")
_WEBHOOK_SECRET = re.compile(r"[A-Za-z0-9_-]{16,256}")
_FERNET_KEY = re.compile(r"[A-Za-z0-9_-]{43}=")
_DATABASE = re.compile(r"postgres(ql)?://")


def check_token(token: SecretStr | None) -> Iterator[SettingsError]:
    """Refuse a value that cannot be a bot's token."""
    if token and not _TOKEN.fullmatch(token.get_secret_value()):
        yield SettingsError(
            "TELEGRAM_BOT_TOKEN",
            "is not a bot token",
            hint="Write the token as @BotFather gave it: 123456789:AA… "
            "(digits, a colon, 35 characters).",
        )


def check_database_urls(
    database_url: str | None,
    rag_database_url: str | None,
    direct_url: str | None,
    read_url: str | None,
) -> Iterator[SettingsError]:
    """Refuse addresses that are not PostgreSQL's, and other addresses without DATABASE_URL."""
    other_urls = {
        "RAG_DATABASE_URL": rag_database_url,
        "DATABASE_DIRECT_URL": direct_url,
        "RAG_READ_URL": read_url,
    }
    for name, url in {"DATABASE_URL": database_url, **other_urls}.items():
        if url and not _DATABASE.match(url):
            yield SettingsError(
                name,
                "is not a PostgreSQL address",
                hint="Write postgresql://USER:PASSWORD@HOST:5432/NAME, or leave it out for the "
                "embedded PostgreSQL.",
            )
        if url and not database_url:
            yield SettingsError(
                name,
                "is set without DATABASE_URL",
                hint="Set DATABASE_URL too, or leave both out for the embedded PostgreSQL.",
            )


def check_prices(models: Iterable[str], search: str | None) -> Iterator[SettingsError]:
    """Refuse a value that is not a price."""
    for name, entries, price in (("MODEL_PRICES", models, None), ("SEARCH_PRICE", (), search)):
        try:
            Prices.parse(entries, price)
        except ValueError as error:
            yield SettingsError(
                name,
                str(error),
                hint="Write USD, as in MODEL_PRICES=gpt-4.1-mini=0.40/1.60,"
                "text-embedding-3-small=0.02 (per million tokens) and SEARCH_PRICE=0.008.",
            )


def check_approvals(
    intents: Collection[str], domain_name: str, admins: Collection[int]
) -> Iterator[SettingsError]:
    """Refuse intents that do not exist, and a review without anybody to make it."""
    all_intents = known_intents(Domain(domain_name, ""))
    if unknown_intents := sorted(set(intents) - set(all_intents)):
        yield SettingsError(
            "APPROVAL_INTENTS",
            f"there is no intent {', '.join(unknown_intents)}",
            hint=f"Write some of these, separated by commas: {', '.join(all_intents)}.",
        )
    if intents and not admins:
        yield SettingsError(
            "APPROVAL_INTENTS",
            "is set, but there are no admins who could approve",
            hint="Write the Telegram ids of those who approve into ADMIN_USERS, separated by "
            "commas.",
        )


_TELEGRAM_PORTS: Final = frozenset({None, 443, 80, 88, 8443})


def check_webhook_url(url: str | None, api_base_url: str) -> Iterator[SettingsError]:
    """Refuse an address that Telegram's own servers do not call; others may call any.

    Source: Bot API, setWebhook and "Using a local Bot API server".
    """
    if not url or urlsplit(api_base_url).hostname != "api.telegram.org":
        return
    parts = urlsplit(url)
    if parts.scheme != "https" or parts.port not in _TELEGRAM_PORTS:
        yield SettingsError(
            "WEBHOOK_URL",
            f"{url} is not called by Telegram",
            hint="Write a public https:// address on port 443, 80, 88 or 8443; without one, leave "
            "WEBHOOK_URL out and the bot polls.",
        )


def check_webhook_secret(url: str | None, secret: SecretStr | None) -> Iterator[SettingsError]:
    """Refuse a webhook secret that Telegram would not accept, or that could be guessed.

    Source: Bot API, setWebhook, `secret_token`.
    """
    text = secret.get_secret_value() if secret else ""
    if url and not _WEBHOOK_SECRET.fullmatch(text):
        yield SettingsError(
            "WEBHOOK_SECRET",
            "is too short or malformed" if text else "is missing, and WEBHOOK_URL is set",
            hint="Write 16-256 letters, digits, _ or -. `openssl rand -hex 32` makes one.",
        )


def check_credentials_key(key: SecretStr | None) -> Iterator[SettingsError]:
    """Refuse a value that is not a list of keys. Source: the Fernet specification, "Key Format"."""
    text = key.get_secret_value() if key else ""
    if text and not all(_FERNET_KEY.fullmatch(part.strip()) for part in text.split(",")):
        yield SettingsError(
            "CREDENTIALS_KEY",
            "is not a key",
            hint="`openssl rand -base64 32 | tr +/ -_` makes one: 44 characters. Write several "
            "with a comma between them, the newest first.",
        )


def check_origins(origins: Sequence[str]) -> Iterator[SettingsError]:
    """Refuse a value that no browser sends as an origin. Source: RFC 6454, 6.2."""
    for origin in origins:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or origin != f"{parts.scheme}://{parts.netloc}":
            yield SettingsError(
                "CORS_ORIGINS",
                f"{origin} is not an origin",
                hint="Write scheme, host and port without a path, separated by commas: "
                "https://chat.example.com,http://localhost:3000.",
            )


def check_proxies(address_by_kind: Mapping[str, str]) -> Iterator[SettingsError]:
    """Refuse proxies of the environment whose address cannot be read, without telling it."""
    for kind in ("http", "https", "all"):
        address = address_by_kind.get(kind)
        if address and place_in(address) is None:
            yield SettingsError(
                f"{kind.upper()}_PROXY",
                "is not the address of a proxy",
                hint="Write http://NAME:PASSWORD@HOST:PORT; in the password, write / as %2F, "
                ": as %3A and @ as %40.",
            )


FORMAT_CHECKS: Final[Mapping[tuple[str, ...], Callable[..., Iterator[SettingsError]]]] = {
    ("TELEGRAM_BOT_TOKEN",): check_token,
    ("WEBHOOK_URL", "WEBHOOK_SECRET"): check_webhook_secret,
    ("WEBHOOK_URL", "TELEGRAM_API_BASE_URL"): check_webhook_url,
    ("MODEL_PRICES", "SEARCH_PRICE"): check_prices,
    ("CORS_ORIGINS",): check_origins,
    ("CREDENTIALS_KEY",): check_credentials_key,
    ("DATABASE_URL", "RAG_DATABASE_URL", "DATABASE_DIRECT_URL", "RAG_READ_URL"): (
        check_database_urls
    ),
    ("APPROVAL_INTENTS", "DOMAIN_NAME", "ADMIN_USERS"): check_approvals,
}
"""Checks by the settings that are passed to each, in the order of its parameters."""
