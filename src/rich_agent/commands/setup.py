"""`rich-agent setup`: from nothing to a first answer; every answer is checked when it is given."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import typer

from rich_agent.commands.demo import ABOUT_THE_BOT, DOCS, OWN_NAME
from rich_agent.commands.diagnosis.model_offers import find_offers, server_at, vector_length
from rich_agent.commands.interview import (
    Interview,
    SetupQuestion,
    as_it_stands,
    ctrl_c_ends_prompt,
)
from rich_agent.commands.model_choice import (
    KEYS,
    NO_KEY,
    Choice,
    ModelSearch,
    choose,
    has_server,
    how_to_use,
    keys_of_others,
    physical_memory,
    wanted_model,
)
from rich_agent.composition.telegram_server import open_telegram
from rich_agent.domain.routing.plan import Domain
from rich_agent.domain.text import printable
from rich_agent.errors import RichAgentError, UpstreamError
from rich_agent.ports.bot_api import BotIdentity
from rich_agent.settings.dotenv import ENV_FILE, write_values
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import err, out
from rich_agent.upstreams.servers.local import find_local_servers
from rich_agent.upstreams.servers.offers import SERVERS, Offers

_MOST_LISTED = 40
_WAIT_FOR_MESSAGE_S = 120.0
_AS_IT_IS = " (Enter: as it is)"


@dataclass(slots=True)
class Setup:
    """A setup on its way; `values` are the settings so far, by the names of the environment.

    `servers` are the model servers of this machine, if no other was set.
    """

    interview: Interview
    search: ModelSearch = field(default_factory=ModelSearch)
    values: dict[str, str] = field(default_factory=dict)
    servers: list[Offers] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        """The settings of the environment and `.env`, with the new values.

        Raises: RichAgentError.
        """
        return Settings.load(**self.values)

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
        """Write the new values in the order of the questions.

        Secrets that are read from their own files are left out.
        """
        file_values = Settings.from_files()
        new_values = {
            name: value for name, value in self.values.items() if file_values.get(name) != value
        }
        write_values(Path(ENV_FILE), new_values)

    async def _telegram(self) -> BotIdentity:
        present = self.settings.telegram.bot_token

        async def check(token: str) -> BotIdentity:
            present_token = present.get_secret_value() if present else ""
            self.values["TELEGRAM_BOT_TOKEN"] = token or present_token
            async with open_telegram(self.settings) as api:
                return await api.get_me()

        question = SetupQuestion(
            "Token of your bot, from @BotFather" + (_AS_IT_IS if present else ""),
            "--token",
            "" if present else None,
            is_secret=True,
        )
        bot = await self.interview.ask(question, check)
        out(f"  the bot is @{bot.username}")
        return bot

    async def _users(self, bot: BotIdentity) -> None:
        async def check(answer: str) -> str:
            if not answer and not self.interview.is_at_terminal:
                return ""
            ids = answer or await self._id_of_writer(bot)
            previous_values = dict(self.values)
            self.values["ALLOWED_USERS"] = ids
            try:
                _ = self.settings
            except RichAgentError:
                self.values = previous_values
                raise
            return ids

        question = SetupQuestion(
            "Who may use it: Telegram ids separated by commas, * for everybody, or Enter and write "
            "to the bot",
            "--users",
            "",
        )
        ids = await self.interview.ask(question, check)
        if ids not in {"", "*"} and not self.settings.access.admin_users:
            self.values["ADMIN_USERS"] = ids.split(",")[0]
            out(f"  {self.values['ADMIN_USERS']} is the admin (ADMIN_USERS)")

    async def _id_of_writer(self, bot: BotIdentity) -> str:
        """The id of whoever writes to the bot, and is the person at the terminal.

        Anybody may have written to it. What they write is left for the bot itself.
        """
        out(f"  write any message to @{bot.username} in Telegram now (Ctrl-C gives up)")
        ends_at = time.monotonic() + _WAIT_FOR_MESSAGE_S
        rejected_ids: set[int] = set()
        async with open_telegram(self.settings) as api:
            while time.monotonic() < ends_at:
                for update in map(json.loads, await api.get_updates(None, 5, ["message"])):
                    sender = update.get("message", {}).get("from")
                    if not sender or sender["id"] in rejected_ids:
                        continue
                    name = printable(str(sender.get("first_name", "")))
                    with ctrl_c_ends_prompt():
                        is_you = typer.confirm(f"  {name} has the id {sender['id']}. Is this you?")
                    if is_you:
                        return str(sender["id"])
                    rejected_ids.add(sender["id"])
                await asyncio.sleep(0.2)
        raise RichAgentError("no message arrived", hint="Write ids, or * for everybody.")

    async def _models(self) -> None:
        offers = await self._server()
        model_names = [one.name for one in offers.models][:_MOST_LISTED]
        if self.interview.is_at_terminal and model_names:
            out("  it has: " + ", ".join(model_names))
        best = choose([replace(offers, passes_on=False)], model_name=wanted_model(self.settings))
        writers = [one.name for one in offers.models if one.chats]
        likely = best.chat.model.name if best.chat else ""
        chat = await self._choose("Model that writes the answers", "chat", writers, likely)
        self.values["CHAT_MODEL"] = chat
        sees = best.vision.model.name if best.vision else chat
        for role, what, likely in (
            ("planner", "Model that plans, learns and sums up", chat),
            ("vision", "Model that describes photos", sees),
        ):
            model = await self._choose(what, role, writers, likely)
            self.values[f"{role.upper()}_MODEL"] = "" if model == chat else model
        await self._embeddings(offers, best)

    async def _server(self) -> Offers:
        settings = self.settings
        default = settings.models.chat.base_url
        if not has_server(settings) and self.interview.value_of("--server") is None:
            default = await self._look_around() or default

        async def check(answer: str) -> Offers:
            address = SERVERS.get(answer.lower(), answer).rstrip("/")
            if not address.startswith(("http://", "https://")):
                raise RichAgentError(
                    f"{answer!r} is not the name of a known server",
                    hint="Write its address, such as http://localhost:11434/v1.",
                )
            key = await self._key_of(address)
            offers = await find_offers(server_at(address, key))
            self.values |= {"OPENAI_BASE_URL": offers.base_url, "OPENAI_API_KEY": key}
            return self._in_detail(offers)

        text = f"Model server: {', '.join(SERVERS)}, or an address"
        question = SetupQuestion(text, "--server", default)
        return await self.interview.ask(question, check)

    async def _look_around(self) -> str:
        """The best server of this machine, or one that a key in the environment is for; "" else."""
        self.servers = await find_local_servers(self.search.places, self.search.patience)
        choice: Choice = choose(self.servers, memory_bytes=physical_memory())
        if summary := choice.summary():
            out(f"  {summary}")
        keys = keys_of_others(os.environ)
        for key in keys:
            out(f"  {how_to_use(key, 'rich-agent setup')}")
        if choice.chat:
            return choice.chat.server.base_url
        return KEYS[keys[0]] if keys else ""

    async def _key_of(self, address: str) -> str:
        """The key of a server; a present one is offered for its own server only."""
        chat = self.settings.models.chat
        present = chat.api_key if address == chat.base_url else None
        variable_by_server = {
            SERVERS[server]: name for name, server in KEYS.items() if os.environ.get(name)
        }
        default, hint = NO_KEY, " (Enter: none)"
        if present:
            default, hint = present.get_secret_value(), _AS_IT_IS
        elif name := variable_by_server.get(address):
            default, hint = os.environ[name], f" (Enter: that of {name})"
        question = SetupQuestion(f"Its key{hint}", "--api-key", default, is_secret=True)
        return await self.interview.ask(question, as_it_stands)

    def _in_detail(self, offers: Offers) -> Offers:
        """The models as the server itself describes them, if it was found on this machine."""
        base_url = offers.base_url.replace("//localhost:", "//127.0.0.1:")
        same = next((one for one in self.servers if one.base_url == base_url), None)
        return replace(offers, models=same.models) if same else offers

    async def _choose(self, question: str, role: str, names: Sequence[str], likely: str) -> str:
        """A model for a role: as the settings have it, else the likely one, else the first."""
        flag = f"--{role}-model"
        is_asked = self.interview.value_of(flag) is None
        present = getattr(self.settings.models, role).model or ""
        candidates = [one for one in (present, likely) if one in names or not names]
        default = next(iter(candidates), likely or (names[0] if names else present))
        unlisted_names: set[str] = set()

        async def check(model: str) -> str:
            # Azure lists no deployments, so that a name may be right that is not listed.
            if is_asked and names and model not in {*names, default, *unlisted_names}:
                unlisted_names.add(model)
                hint = "Write one of its models, or repeat the name to use it anyway."
                raise RichAgentError(f"the server does not list {model}", hint=hint)
            return model

        prompt = SetupQuestion(question, flag, default or None)
        return await self.interview.ask(prompt, check)

    async def _embeddings(self, offers: Offers, best: Choice) -> None:
        base_url, key = offers.base_url, self.values["OPENAI_API_KEY"]

        async def check(model: str) -> None:
            length = 0 if model == "none" else await vector_length(base_url, key, model)
            self.values["EMBEDDING_MODEL"] = model
            if length:
                self.values["EMBEDDING_DIMENSIONS"] = str(length)

        present = self.settings.models.embedding.model
        likely = best.embedding.model.name if best.embedding else "none"
        is_there = not offers.models or present in {one.name for one in offers.models}
        question = SetupQuestion(
            "Model that makes vectors (none: documents are found by their words only)",
            "--embedding-model",
            present if is_there else likely,
        )
        await self.interview.ask(question, check)

    async def _domain(self) -> None:
        present = self.settings.turn.domain.description
        text = "What are your documents about, in a sentence"
        question = SetupQuestion(text, "--about", present)
        about = await self.interview.ask(question, as_it_stands)
        if about == present:
            return
        # It loads the chat model, for which the first question should not wait.
        from rich_agent.composition.domain_description import (  # noqa: PLC0415
            Subject,
            describe_domain,
            settings_of,
        )

        try:
            domain = await describe_domain(self.settings, Subject(about=about))
        except UpstreamError as error:
            err(f"  the model could not describe it ({error}); your own words are used")
            domain = Domain("documents", about)
        self.values |= settings_of(domain)
        out(f"  {domain.name}: {domain.description}")
        for example in domain.examples:
            out(f"  - {example}")

    async def _documents(self) -> None:
        async def check(answer: str) -> None:
            if targets := list(filter(None, (one.strip() for one in answer.split(",")))):
                await asyncio.to_thread(_ingest, "add-source", "--no-sync", *targets)

        question = SetupQuestion(
            "Where are they: folders, files or web addresses, separated by commas (Enter: later)",
            "--documents",
            "",
        )
        await self.interview.ask(question, check)
        about_the_bot = "--internal", "--include", ABOUT_THE_BOT, "--name", OWN_NAME
        await asyncio.to_thread(_ingest, "add-source", "--no-sync", str(DOCS), *about_the_bot)
        await asyncio.to_thread(_ingest, "sync")


def set_up(options: Mapping[str, Any], search: ModelSearch | None = None) -> None:
    """Ask, check and write everything, then run doctor and ask a first question.

    `options` are those of the command, by name; `search` finds the servers of this machine.

    Raises: RichAgentError.
    """
    interview = Interview(options)
    setup = Setup(interview, search or ModelSearch())
    asyncio.run(setup.run())
    out(f"\nwritten to {ENV_FILE}; checking everything\n")
    if _run("rich_agent.cli", "doctor") != 0:
        raise RichAgentError(
            "some checks failed; see FAIL above",
            hint=f"Run `rich-agent setup` again, or edit {ENV_FILE} and run `doctor`.",
        )
    examples = setup.settings.turn.domain.examples if interview.is_at_terminal else ()
    first_question = SetupQuestion("\nA first question", "--question", "".join(examples[:1]))
    first = interview.ask(first_question, as_it_stands)
    if question := asyncio.run(first):
        _run("rich_agent.cli", "ask", question)
    out("\nstart the bot: rich-agent run")


def _ingest(*arguments: str) -> None:
    if _run("ingest.cli", *arguments) != 0:
        raise RichAgentError(f"`ingest {arguments[0]}` failed; see above")


def _run(module: str, *arguments: str) -> int:
    """Run a command of the program, as a person would; it reads the new `.env`."""
    command: Sequence[str] = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, check=False).returncode  # noqa: S603 - our own command
