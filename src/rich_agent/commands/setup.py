"""`rich-agent setup`: from nothing to a first answer; every answer is checked when it is given."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import typer

from rich_agent.commands.demo import ABOUT_THE_BOT, DOCS, OWN_NAME
from rich_agent.commands.diagnosis.model_offers import (
    SERVERS,
    Offer,
    Offers,
    find_offers,
    vector_length,
)
from rich_agent.composition.telegram_server import open_telegram
from rich_agent.domain.routing.plan import Domain
from rich_agent.domain.text import printable
from rich_agent.errors import RichAgentError, UpstreamError
from rich_agent.ports.bot_api import BotIdentity
from rich_agent.settings.dotenv import ENV_FILE, write_values
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import err, out

Checked = TypeVar("Checked")


@contextmanager
def ended_by_ctrl_c() -> Iterator[None]:
    """Have Ctrl-C end a prompt at once: asyncio takes it for its loop, which the prompt blocks."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


async def as_it_stands(text: str) -> str:
    """The check of what needs none."""
    return text


@dataclass(frozen=True, slots=True)
class SetupQuestion:
    """A question to ask, unless the option `flag` answers it. Enter takes `default`."""

    text: str
    flag: str
    default: str | None = None
    is_secret: bool = False


@dataclass(frozen=True, slots=True)
class Interview:
    """Questions and their answers; nothing is asked without a terminal.

    `options` are the values of the command's options by name, None for those that are absent.
    """

    options: Mapping[str, str | Sequence[str] | None]
    is_at_terminal: bool = field(default_factory=sys.stdin.isatty)

    def given(self, flag: str) -> str | None:
        """The value of the option, None if it is absent; several values are joined by commas."""
        value = self.options[flag.removeprefix("--").replace("-", "_")]
        return value if value is None or isinstance(value, str) else ",".join(value)

    async def ask(
        self, asked: SetupQuestion, check: Callable[[str], Awaitable[Checked]]
    ) -> Checked:
        """Ask, and return what the check makes of the answer.

        A person is asked again when the check refuses. Without a terminal the default is taken.
        Raises: RichAgentError of the check, or naming the option that is missing.
        """
        given = self.given(asked.flag)
        if given is not None or not self.is_at_terminal:
            answer = asked.default if given is None else given
            if answer is None:
                raise RichAgentError(
                    f"cannot ask without a terminal: {asked.text}",
                    hint=f"Give {asked.flag}, or run this at a terminal.",
                )
            return await check(answer.strip())
        while True:
            with ended_by_ctrl_c():
                answer = typer.prompt(
                    asked.text,
                    default=asked.default,
                    hide_input=asked.is_secret,
                    show_default=bool(asked.default) and not asked.is_secret,
                )
            try:
                return await check(str(answer).strip())
            except RichAgentError as error:
                err(f"  {error.explain()}")


_MOST_LISTED = 40
_WAIT_FOR_MESSAGE_S = 120.0
_NO_KEY = "none"
_AS_IT_IS = " (Enter: as it is)"


@dataclass(slots=True)
class Setup:
    """A setup on its way; `chosen` are the settings so far, by the names of the environment."""

    interview: Interview
    chosen: dict[str, str] = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        """The environment's and `.env`'s settings, with what was chosen. Raises: RichAgentError."""
        return Settings.load(**self.chosen)

    async def run(self) -> None:
        """Ask everything and write it. Raises: RichAgentError."""
        bot = await self._telegram()
        await self._users(bot)
        await self._models()
        self._write()
        await self._domain()
        self._write()
        await self._documents()

    def _write(self) -> None:
        """Write what was chosen; a secret that stands in a file of its own stays there alone."""
        kept = Settings.from_files().items()
        write_values(Path(ENV_FILE), dict(self.chosen.items() - kept))

    async def _telegram(self) -> BotIdentity:
        present = self.settings.telegram.bot_token

        async def check(token: str) -> BotIdentity:
            known = present.get_secret_value() if present else ""
            self.chosen["TELEGRAM_BOT_TOKEN"] = token or known
            async with open_telegram(self.settings) as api:
                return await api.get_me()

        asked = SetupQuestion(
            "Token of your bot, from @BotFather" + (_AS_IT_IS if present else ""),
            "--token",
            "" if present else None,
            is_secret=True,
        )
        bot = await self.interview.ask(asked, check)
        out(f"  the bot is @{bot.username}")
        return bot

    async def _users(self, bot: BotIdentity) -> None:
        async def check(answer: str) -> str:
            if not answer and not self.interview.is_at_terminal:
                return ""
            ids = answer or await self._id_of_writer(bot)
            before = dict(self.chosen)
            self.chosen["ALLOWED_USERS"] = ids
            try:
                _ = self.settings
            except RichAgentError:
                self.chosen = before
                raise
            return ids

        asked = SetupQuestion(
            "Who may use it: Telegram ids separated by commas, * for everybody, or Enter and write "
            "to the bot",
            "--users",
            "",
        )
        ids = await self.interview.ask(asked, check)
        if ids not in {"", "*"} and not self.settings.access.admin_users:
            self.chosen["ADMIN_USERS"] = ids.split(",")[0]
            out(f"  {self.chosen['ADMIN_USERS']} is the admin (ADMIN_USERS)")

    async def _id_of_writer(self, bot: BotIdentity) -> str:
        """The id of whoever writes to the bot, and is the person at the terminal.

        Anybody may have written to it. What they write is left for the bot itself.
        """
        out(f"  write any message to @{bot.username} in Telegram now (Ctrl-C gives up)")
        ends_at = time.monotonic() + _WAIT_FOR_MESSAGE_S
        others: set[int] = set()
        async with open_telegram(self.settings) as api:
            while time.monotonic() < ends_at:
                for update in map(json.loads, await api.get_updates(None, 5, ["message"])):
                    sender = update.get("message", {}).get("from")
                    if not sender or sender["id"] in others:
                        continue
                    name = printable(str(sender.get("first_name", "")))
                    with ended_by_ctrl_c():
                        is_you = typer.confirm(f"  {name} has the id {sender['id']}. Is this you?")
                    if is_you:
                        return str(sender["id"])
                    others.add(sender["id"])
                await asyncio.sleep(0.2)
        raise RichAgentError("no message arrived", hint="Write ids, or * for everybody.")

    async def _models(self) -> None:
        offers = await self._server()
        listed = [one.name for one in offers.models][:_MOST_LISTED]
        if self.interview.is_at_terminal and listed:
            out("  it has: " + ", ".join(listed))
        written = Offers(offers.base_url, tuple(one for one in offers.models if not one.embeds))
        chat = await self._choose("Model that writes the answers", "chat", written)
        self.chosen["CHAT_MODEL"] = chat
        for role, what in (
            ("planner", "Model that plans, learns and sums up"),
            ("vision", "Model that describes photos"),
        ):
            model = await self._choose(what, role, written, like=chat)
            self.chosen[f"{role.upper()}_MODEL"] = "" if model == chat else model
        await self._embeddings(offers)

    async def _server(self) -> Offers:
        settings = self.settings

        async def check(answer: str) -> Offers:
            address = SERVERS.get(answer.lower(), answer).rstrip("/")
            if not address.startswith(("http://", "https://")):
                raise RichAgentError(
                    f"{answer!r} is not the name of a known server",
                    hint="Write its address, such as http://localhost:11434/v1.",
                )
            # A key goes to no server but its own.
            is_same = address == settings.models.chat.base_url
            present = settings.models.chat.api_key if is_same else None
            asked = SetupQuestion(
                "Its key" + (_AS_IT_IS if present else " (Enter: none)"),
                "--api-key",
                present.get_secret_value() if present else _NO_KEY,
                is_secret=True,
            )
            key = await self.interview.ask(asked, as_it_stands)
            offers = await find_offers(address, key)
            self.chosen |= {"OPENAI_BASE_URL": offers.base_url, "OPENAI_API_KEY": key}
            return offers

        text = f"Model server: {', '.join(SERVERS)}, or an address"
        asked = SetupQuestion(text, "--server", settings.models.chat.base_url)
        return await self.interview.ask(asked, check)

    async def _choose(self, question: str, role: str, offers: Offers, like: str = "") -> str:
        """A model for a role: as the settings have it, like the one before, else the first."""
        flag = f"--{role}-model"
        is_asked = self.interview.given(flag) is None
        names = [one.name for one in offers.models]
        present = getattr(self.settings.models, role).model or ""
        sees = next((one.name for one in offers.models if one.sees), "") if role == "vision" else ""
        known = [one for one in (present, sees, like) if one in names or not names]
        default = next(iter(known), like or (names[0] if names else present))
        doubted: set[str] = set()

        async def check(model: str) -> str:
            # Azure lists no deployments, so that a name may be right that is not listed.
            if is_asked and names and model not in {*names, default, *doubted}:
                doubted.add(model)
                hint = "Write one of its models, or repeat the name to use it anyway."
                raise RichAgentError(f"the server does not list {model}", hint=hint)
            return model

        asked = SetupQuestion(question, flag, default or None)
        return await self.interview.ask(asked, check)

    async def _embeddings(self, offers: Offers) -> None:
        base_url, key = offers.base_url, self.chosen["OPENAI_API_KEY"]

        async def check(model: str) -> None:
            length = 0 if model == "none" else await vector_length(base_url, key, model)
            self.chosen["EMBEDDING_MODEL"] = model
            if length:
                self.chosen["EMBEDDING_DIMENSIONS"] = str(length)

        asked = SetupQuestion(
            "Model that makes vectors (none: documents are found by their words only)",
            "--embedding-model",
            _embedding_of(offers.models, self.settings.models.embedding.model),
        )
        await self.interview.ask(asked, check)

    async def _domain(self) -> None:
        present = self.settings.turn.domain.description
        text = "What are your documents about, in a sentence"
        asked = SetupQuestion(text, "--about", present)
        about = await self.interview.ask(asked, as_it_stands)
        if about == present:
            return
        # It loads the chat model, for which the first question should not wait.
        from rich_agent.commands.diagnosis.domain_fit import (  # noqa: PLC0415
            describe_domain,
            settings_of,
        )

        try:
            domain = await describe_domain(self.settings, (), about)
        except UpstreamError as error:
            err(f"  the model could not describe it ({error}); your own words are used")
            domain = Domain("documents", about)
        self.chosen |= settings_of(domain)
        out(f"  {domain.name}: {domain.description}")
        for example in domain.examples:
            out(f"  - {example}")

    async def _documents(self) -> None:
        async def check(answer: str) -> None:
            for target in filter(None, (one.strip() for one in answer.split(","))):
                await asyncio.to_thread(_ingest, "add-source", target)

        asked = SetupQuestion(
            "Where are they: folders, files or web addresses, separated by commas (Enter: later)",
            "--documents",
            "",
        )
        await self.interview.ask(asked, check)
        about_the_bot = "--internal", "--include", ABOUT_THE_BOT, "--name", OWN_NAME
        await asyncio.to_thread(_ingest, "add-source", str(DOCS), *about_the_bot)
        await asyncio.to_thread(_ingest, "sync")


def _embedding_of(models: Sequence[Offer], present: str) -> str:
    """The model of the settings, unless the server has it not and offers another, or none."""
    if not models or present in {one.name for one in models}:
        return present
    return next((one.name for one in models if one.embeds), "none")


def set_up(options: Mapping[str, Any]) -> None:
    """Ask, check and write everything, then run doctor and ask a first question.

    `options` are those of the command, by name.

    Raises: RichAgentError.
    """
    interview = Interview(options)
    setup = Setup(interview)
    asyncio.run(setup.run())
    out(f"\nwritten to {ENV_FILE}; checking everything\n")
    if _run("rich_agent.cli", "doctor") != 0:
        raise RichAgentError(
            "some checks failed; see FAIL above",
            hint=f"Run `rich-agent setup` again, or edit {ENV_FILE} and run `doctor`.",
        )
    examples = setup.settings.turn.domain.examples if interview.is_at_terminal else ()
    asked = SetupQuestion("\nA first question", "--question", "".join(examples[:1]))
    first = interview.ask(asked, as_it_stands)
    if question := asyncio.run(first):
        _run("rich_agent.cli", "ask", question)
    out("\nstart the bot: rich-agent run")


def _ingest(*arguments: str) -> None:
    if _run("ingest.cli", *arguments) != 0:
        raise RichAgentError(f"`ingest {arguments[0]}` failed; see above")


def _run(module: str, *arguments: str) -> int:
    """One of our commands, as a person runs it: it reads the `.env` that was written."""
    command: Sequence[str] = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, check=False).returncode  # noqa: S603 - our own command
