"""`rich-agent setup`: from nothing to a first answer with two questions.

It asks for the token, and whether the person who writes to the bot is the one at the terminal.
Everything else is found, announced, and changed by its number.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import typer
from babel import Locale

from rich_agent.commands.demo import ABOUT_THE_BOT, DOCS, OWN_NAME
from rich_agent.commands.diagnosis.model_offers import find_offers, server_at, vector_length
from rich_agent.commands.hosted_choice import choose_by_price
from rich_agent.commands.interview import (
    Interview,
    SetupQuestion,
    as_it_stands,
    ctrl_c_ends_prompt,
)
from rich_agent.commands.machine_zone import machine_zone
from rich_agent.commands.model_choice import (
    KEYS,
    NO_KEY,
    Choice,
    ModelSearch,
    choose,
    has_server,
    keys_of_others,
    physical_memory,
    traits,
    wanted_model,
    without_embedder,
)
from rich_agent.commands.model_download import offer_in_terminal
from rich_agent.composition.telegram_server import open_telegram
from rich_agent.domain.languages import ENGLISH, SUPPORTED_LOCALES, locale_of_tag
from rich_agent.domain.retrieval.local_models import local_model
from rich_agent.domain.routing.plan import Domain
from rich_agent.domain.text import printable
from rich_agent.domain.time.zones import zone_named
from rich_agent.domain.usage_limits import show_usd
from rich_agent.errors import RichAgentError, UpstreamError
from rich_agent.ports.bot_api import BotIdentity
from rich_agent.runtime.own_package import extra_hint
from rich_agent.settings.dotenv import ENV_FILE, write_values
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import err, out
from rich_agent.upstreams.servers.local import find_local_servers
from rich_agent.upstreams.servers.offers import SERVERS, Offers

Checked = TypeVar("Checked")
_MOST_LISTED = 40
_WAIT_FOR_MESSAGE_S = 120.0
_AS_IT_IS = " (Enter: as it is)"
_NO_SERVER = (
    "start Ollama, LM Studio or another on this machine, or give the address and key of one: "
    f"{', '.join(SERVERS)}"
)
_NO_VECTORS = "none"
_OWN_QUESTION = "Which files can you read?"
_FOLDER = Path("documents")
"""The folder from which compose reads documents, too."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """A line of what is announced; `change` asks for another value."""

    title: str
    value: str
    origin: str
    change: Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Writer:
    """The person who wrote to the bot: a Telegram id, a name, and the language of the app."""

    id: int
    name: str
    language: str


@dataclass(slots=True)
class Setup:
    """A setup on its way; `values` are the settings so far, by the names of the environment.

    `servers` are the model servers of this machine, if no other was set; `origins` says where the
    values come from.
    """

    interview: Interview
    search: ModelSearch = field(default_factory=ModelSearch)
    values: dict[str, str] = field(default_factory=dict)
    servers: list[Offers] = field(default_factory=list)
    origins: dict[str, str] = field(default_factory=dict)
    offers: Offers | None = None
    writer: Writer | None = None
    documents: str = ""
    zone: str = field(default_factory=machine_zone)
    language: str = ""
    _is_changing: bool = False

    @property
    def settings(self) -> Settings:
        """The settings of the environment and `.env`, with the new values.

        Raises: RichAgentError.
        """
        return Settings.load(**self.values)

    async def run(self) -> None:
        """Ask, find the rest, have it confirmed, and write it. Raises: RichAgentError."""
        bot = await self._telegram()
        await self._users(bot)
        await self._models()
        self._find_documents()
        await self._confirm(bot)
        self._write()
        if self.interview.value_of("--about") is not None:
            await self._domain()
            self._write()
        await self._read_documents()
        await self._tell_account()

    def _write(self) -> None:
        """Write the new values in the order of the questions.

        Secrets that are read from their own files are left out.
        """
        file_values = Settings.from_files()
        new_values = {
            name: value for name, value in self.values.items() if file_values.get(name) != value
        }
        write_values(Path(ENV_FILE), new_values)

    async def _ask(
        self, question: SetupQuestion, check: Callable[[str], Awaitable[Checked]]
    ) -> Checked:
        """Ask if the answer is to be changed; else take what was found."""
        ask = self.interview.ask_person if self._is_changing else self.interview.settle
        return await ask(question, check)

    async def _change(self, change: Callable[[], Awaitable[Checked]]) -> Checked:
        self._is_changing = True
        try:
            return await change()
        finally:
            self._is_changing = False

    async def _confirm(self, bot: BotIdentity) -> None:
        """Announce what was found, and have each line changed until Enter takes all.

        Without a terminal all is taken.
        """

        async def number(answer: str) -> int:
            if answer and not (answer.isdecimal() and 0 < int(answer) <= len(findings)):
                hint = f"Write a number from 1 to {len(findings)}, or press Enter."
                raise RichAgentError(f"{answer!r} is no line of these", hint=hint)
            return int(answer or 0)

        while True:
            findings = list(self._findings(bot))
            out("\nfound, and where it comes from:")
            for place, one in enumerate(findings, 1):
                out(f"{place:3} {one.title}: {one.value}{f' ({one.origin})' * bool(one.origin)}")
            if not self.interview.is_at_terminal:
                return
            question = SetupQuestion("Enter takes all of it, a number changes that line", "", "")
            line = await self.interview.ask_person(question, number)
            if line == 0:
                return
            await self._change(findings[line - 1].change)

    def _findings(self, bot: BotIdentity) -> Iterator[Discovery]:
        yield from self._model_findings()
        users = self.settings.access
        ids = ",".join(map(str, sorted(users.allowed_ids or ()))) or "nobody yet"
        who = "everybody on Telegram" if users.allowed_ids is None else ids
        admin = f"{self.writer.name}, who is the admin" if self.writer else ""
        yield Discovery("Who may use it", who, admin, lambda: self._choose_users(bot))
        if self.writer:
            locale = self.language or locale_of_tag(self.writer.language) or ENGLISH
            origin = "for you; others have their own, and /language changes it"
            yield Discovery("Language of menus", language_name(locale), origin, self._language)
            zone = self.zone or "not known: the bot asks when it needs it"
            yield Discovery("Your time zone", zone, self.zone and "of this machine", self._zone)
        origin = "the folder here" if self.documents else "`ingest add-source` adds some"
        present = self.documents or self.origins.get("documents", "none yet")
        yield Discovery("Documents", present, origin, self._choose_documents)
        about, origin = self.settings.turn.domain.description, ""
        if not about:
            about, origin = "written by the model", "from the documents, once they are read"
        yield Discovery("What they are about", about, origin, self._domain)

    def _model_findings(self) -> Iterator[Discovery]:
        if self.offers is None:
            yield Discovery("Model server", "none was found", _NO_SERVER, self._change_server)
            return
        models = self.settings.models
        chat = models.chat.model
        server = self.offers.base_url
        yield Discovery("Model server", server, self.origins.get("server", ""), self._change_server)
        yield Discovery("Answers", chat, self.origins.get("chat", ""), self._choose_chat)
        planner, vision = models.planner.model, models.vision.model
        same = "the same model"
        yield Discovery("Plans and learns", planner or chat, "" if planner else same, self._planner)
        yield Discovery("Describes photos", vision or chat, "" if vision else same, self._vision)
        vectors = models.embedding.model if models.embedding.is_used else _NO_VECTORS
        origin = "of the same server" if models.embedding.is_used else "found by their words"
        if models.embedding.local:
            origin = f"{models.embedding.local.name}, on this machine, without a server"
        yield Discovery("Vectors of documents", vectors, origin, self._change_embeddings)
        yield Discovery("Price", *self._price_of(chat), self._price)

    def _price_of(self, model: str) -> tuple[str, str]:
        """The price of a model, and where it comes from."""
        prices = self.settings.prices
        price, origin = prices.models.get(model), "MODEL_PRICES"
        if price is None:
            price, origin = prices.table.find(model), prices.table.edition
        if price is None and self._is_on_this_machine:
            return "none", "it runs on this machine"
        if price is None:
            return "not known", "MODEL_PRICES sets one"
        amounts = f"{show_usd(price.read)} in, {show_usd(price.written)} out"
        return f"{amounts} per million tokens", origin

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
        bot = await self.interview.settle(question, check)
        out(f"  the bot is @{bot.username}")
        return bot

    async def _users(self, bot: BotIdentity) -> None:
        """Let the person at the terminal in, unless an option or a setting names somebody."""
        is_named = self.interview.value_of("--users") is not None
        if is_named or not self.interview.is_at_terminal:
            await self.interview.ask(SetupQuestion("Who may use it", "--users", ""), self._let_in)
        elif self.settings.access.names_nobody:
            try:
                await self._let_in(await self._id_of_writer(bot))
            except RichAgentError as error:
                err(f"  {error}: `rich-agent run` prints a code that makes you its operator")

    async def _choose_users(self, bot: BotIdentity) -> None:
        async def check(answer: str) -> None:
            await self._let_in(answer or await self._id_of_writer(bot))

        text = (
            "Who may use it: Telegram ids separated by commas, * for everybody, or Enter and write "
            "to the bot"
        )
        await self._ask(SetupQuestion(text, "--users", ""), check)

    async def _let_in(self, ids: str) -> None:
        """Set who may use the bot, "" for no change; the first one is its admin."""
        if not ids:
            return
        previous_values = dict(self.values)
        self.values["ALLOWED_USERS"] = ids
        try:
            admins = self.settings.access.admin_users
        except RichAgentError:
            self.values = previous_values
            raise
        if ids != "*" and not admins:
            self.values["ADMIN_USERS"] = ids.split(",", maxsplit=1)[0]
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
                        language = str(sender.get("language_code", ""))
                        self.writer = Writer(int(sender["id"]), name, language)
                        return str(sender["id"])
                    rejected_ids.add(sender["id"])
                await asyncio.sleep(0.2)
        raise RichAgentError("no message arrived", hint="Write ids, or * for everybody.")

    async def _models(self) -> None:
        """Find a server and its models; without any server nothing is asked."""
        self.offers = await self._server()
        if self.offers is None:
            self.values["EMBEDDING_MODEL"] = without_embedder()
        else:
            await self._choose_models(self.offers)

    async def _change_server(self) -> None:
        offers = await self._server()
        self._is_changing = False  # its models are announced next
        if offers:
            self.offers = offers
            await self._choose_models(offers)

    async def _server(self) -> Offers | None:
        settings = self.settings
        default: str | None = None
        if has_server(settings):
            default = settings.models.chat.base_url
            key_is_set = settings.models.chat.api_key is not None
            self.origins["server"] = _place_of(
                "OPENAI_API_KEY" if key_is_set else "OPENAI_BASE_URL"
            )
        elif self.interview.value_of("--server") is None:
            default = await self._look_around()
            if default is None and self.interview.is_at_terminal and not self._is_changing:
                return None

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
            if answer != default:
                self.origins["server"] = "your choice"
            return self._in_detail(offers)

        text = f"Model server: {', '.join(SERVERS)}, or an address"
        return await self._ask(SetupQuestion(text, "--server", default), check)

    async def _look_around(self) -> str | None:
        """The best server of this machine, or one that a key in the environment is for."""
        self.servers = await find_local_servers(self.search.places, self.search.patience)
        choice: Choice = choose(self.servers, memory_bytes=physical_memory())
        if choice.chat:
            title = choice.chat.server.title
            self.origins["server"] = f"{title}, found on this machine".removeprefix(", ")
            return choice.chat.server.base_url
        keys = keys_of_others(os.environ)
        if not keys:
            return await self._download()
        self.origins["server"] = _place_of(keys[0])
        return SERVERS[KEYS[keys[0]]]

    async def _download(self) -> str | None:
        """A server of this machine that downloads a model now, if one can and a person says yes."""
        if not self.interview.is_at_terminal:
            return None
        try:
            with ctrl_c_ends_prompt():
                is_there = await offer_in_terminal(self.servers, self.search, typer.confirm)
        except RichAgentError as error:
            err(error.explain())
            return None
        return await self._look_around() if is_there else None

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
        return await self._ask(question, as_it_stands)

    def _in_detail(self, offers: Offers) -> Offers:
        """The models as the server itself describes them, if it was found on this machine."""
        base_url = offers.base_url.replace("//localhost:", "//127.0.0.1:")
        same = next((one for one in self.servers if one.base_url == base_url), None)
        return replace(offers, models=same.models) if same else offers

    @property
    def _is_on_this_machine(self) -> bool:
        offers = self.offers
        return offers is not None and offers.base_url in {one.base_url for one in self.servers}

    def _best(self, offers: Offers) -> Choice:
        """The best models of a server: by their traits on this machine, else by their price."""
        model = wanted_model(self.settings)
        if not model and offers.base_url not in {one.base_url for one in self.servers}:
            model = choose_by_price(offers)
        server = replace(offers, passes_on=False)
        return choose([server], model_name=model, memory_bytes=physical_memory())

    async def _choose_models(self, offers: Offers) -> None:
        best = self._best(offers)
        await self._choose_chat()
        sees = best.vision.model.name if best.vision else self.values["CHAT_MODEL"]
        await self._choose_other("planner", "Model that plans, learns and sums up")
        await self._choose_other("vision", "Model that describes photos", sees)
        await self._embeddings(offers, best)

    async def _choose_chat(self) -> None:
        assert self.offers is not None  # noqa: S101 - nothing is chosen without a server
        best = self._best(self.offers)
        likely = best.chat.model.name if best.chat else ""
        names = [one.name for one in self.offers.models if one.chats]
        if self._is_changing and names:
            out("  it has: " + ", ".join(names[:_MOST_LISTED]))
        self.values["CHAT_MODEL"] = await self._choose(
            "Model that writes the answers", "chat", names, likely
        )
        if self.values["CHAT_MODEL"] == likely and best.chat:
            self.origins["chat"] = traits(best.chat.model).strip(" []") or "the best of its models"

    async def _planner(self) -> None:
        await self._choose_other("planner", "Model that plans, learns and sums up")

    async def _vision(self) -> None:
        await self._choose_other("vision", "Model that describes photos")

    async def _choose_other(self, role: str, question: str, likely: str = "") -> None:
        """A model of another role; "" stands for that of the answers."""
        assert self.offers is not None  # noqa: S101 - nothing is chosen without a server
        chat = self.values["CHAT_MODEL"]
        names = [one.name for one in self.offers.models if one.chats]
        model = await self._choose(question, role, names, likely or chat)
        self.values[f"{role.upper()}_MODEL"] = "" if model == chat else model

    async def _choose(self, question: str, role: str, names: Sequence[str], likely: str) -> str:
        """A model for a role: as the settings have it, else the likely one, else the first."""
        flag = f"--{role}-model"
        is_asked = self._is_changing or self.interview.value_of(flag) is None
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
        return await self._ask(prompt, check)

    async def _change_embeddings(self) -> None:
        assert self.offers is not None  # noqa: S101 - nothing is chosen without a server
        await self._embeddings(self.offers, self._best(self.offers))

    async def _embeddings(self, offers: Offers, best: Choice) -> None:
        base_url, key = offers.base_url, self.values["OPENAI_API_KEY"]

        async def check(model: str) -> None:
            local = local_model(model)
            if local and not local.is_installed:
                hint = f"{extra_hint('local')}\nOr write none, or a model of the server."
                raise RichAgentError(f"{local.package} is not installed", hint=hint)
            is_served = local is None and model != _NO_VECTORS
            length = await vector_length(base_url, key, model) if is_served else 0
            self.values["EMBEDDING_MODEL"] = model
            if length:
                self.values["EMBEDDING_DIMENSIONS"] = str(length)

        async def check_found(model: str) -> None:
            try:
                await check(model)
            except UpstreamError:
                await check(without_embedder())

        present = self.settings.models.embedding.model
        likely = best.embedding.model.name if best.embedding else without_embedder()
        is_there = not offers.models or present in {one.name for one in offers.models}
        question = SetupQuestion(
            "Model that makes vectors (local: on this machine; none: documents are found by words)",
            "--embedding-model",
            present if is_there else likely,
        )
        is_found = not self._is_changing and self.interview.value_of(question.flag) is None
        await self._ask(question, check_found if is_found else check)

    async def _price(self) -> None:
        model = self.values["CHAT_MODEL"]

        async def check(price: str) -> None:
            others = [
                one
                for one in self.settings.cost.model_prices
                if one.rpartition("=")[0].strip() != model
            ]
            previous_values = dict(self.values)
            self.values["MODEL_PRICES"] = ",".join(
                [*others, *([f"{model}={price}"] if price else [])]
            )
            try:
                _ = self.settings
            except RichAgentError:
                self.values = previous_values
                raise

        text = f"Price of {model} in USD per million tokens, IN/OUT (Enter: that of the table)"
        await self._ask(SetupQuestion(text, "", ""), check)

    async def _language(self) -> None:
        async def check(answer: str) -> None:
            locale = locale_of_tag(answer)
            if locale is None:
                hint = f"Write one of {', '.join(SUPPORTED_LOCALES)}."
                raise RichAgentError(f"there are no menus in {answer!r}", hint=hint)
            self.language = locale

        await self._ask(SetupQuestion("Language of your menus, such as de"), check)

    async def _zone(self) -> None:
        async def check(answer: str) -> None:
            zone = zone_named(answer)
            if zone is None:
                hint = "Write a place, such as Europe/Berlin."
                raise RichAgentError(f"there is no time zone {answer!r}", hint=hint)
            self.zone = zone

        await self._ask(SetupQuestion("Your time zone, such as Europe/Berlin"), check)

    async def _domain(self) -> None:
        present = self.settings.turn.domain.description
        text = "What are your documents about, in a sentence (Enter: as the model writes it)"
        ask = self.interview.ask_person if self._is_changing else self.interview.ask
        about = await ask(SetupQuestion(text, "--about", present), as_it_stands)
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
        except RichAgentError as error:
            err(f"  the model could not describe it ({error}); your own words are used")
            domain = Domain("documents", about)
        self.values |= settings_of(domain)
        out(f"  {domain.name}: {domain.description}")
        for example in domain.examples:
            out(f"  - {example}")

    def _find_documents(self) -> None:
        """A folder that is plainly meant for documents, unless an option names some."""
        is_named = self.interview.value_of("--documents") is not None
        if not is_named and _FOLDER.is_dir() and any(_FOLDER.iterdir()):
            self.documents = str(_FOLDER)

    async def _choose_documents(self) -> None:
        async def check(answer: str) -> None:
            self._write()
            await self._add(answer)
            self.documents = ""
            self.origins["documents"] = answer or "none yet"

        text = "Where are they: folders, files or web addresses, separated by commas (Enter: later)"
        await self._ask(SetupQuestion(text, "--documents", ""), check)

    async def _add(self, answer: str) -> None:
        if targets := list(filter(None, (one.strip() for one in answer.split(",")))):
            await asyncio.to_thread(_ingest, "add-source", "--no-sync", *targets)

    async def _read_documents(self) -> None:
        await self._add(self.interview.value_of("--documents") or self.documents)
        about_the_bot = "--internal", "--include", ABOUT_THE_BOT, "--name", OWN_NAME
        await asyncio.to_thread(_ingest, "add-source", "--no-sync", str(DOCS), *about_the_bot)
        await asyncio.to_thread(_ingest, "sync")

    async def _tell_account(self) -> None:
        """Store the language and the time zone of the person who wrote to the bot."""
        if self.writer is None or not (self.zone or self.language):
            return
        from rich_agent.composition.repositories import open_repositories  # noqa: PLC0415 - loaded last

        async with open_repositories(self.settings) as repositories:
            if self.zone:
                await repositories.accounts.learn_time_zone(self.writer.id, self.zone)
            if self.language:
                await repositories.accounts.choose_locale(self.writer.id, self.language)


def language_name(locale: str) -> str:
    """The English name of a locale."""
    return Locale.parse(locale, sep="-").get_display_name("en") or locale


def _place_of(name: str) -> str:
    """The place that a setting is read from."""
    is_in_environment = any(one.upper() == name for one in os.environ)
    return f"{name} in the environment" if is_in_environment else f"{name} in {ENV_FILE}"


def set_up(options: Mapping[str, Any], search: ModelSearch | None = None) -> None:
    """Ask, find, check and write everything, then run doctor and ask a first question.

    `options` are those of the command, by name; `search` finds the servers of this machine.

    Raises: RichAgentError.
    """
    interview = Interview(options)
    setup = Setup(interview, search or ModelSearch())
    asyncio.run(setup.run())
    question = interview.value_of("--question")
    if question is None and interview.is_at_terminal:
        question = _first_question(setup)
    if setup.offers is None:
        _end_without_model(question)
    out(f"\nwritten to {ENV_FILE}; checking everything\n")
    if _run("rich_agent.cli", "doctor") != 0:
        raise RichAgentError(
            "some checks failed; see FAIL above",
            hint=f"Run `rich-agent setup` again, or edit {ENV_FILE} and run `doctor`.",
        )
    if question:
        out(f"\na first question: {question}\n")
        _run("rich_agent.cli", "ask", question)
    out("\nstart the bot: rich-agent run")


def _first_question(setup: Setup) -> str:
    """A question that the documents answer, or else the bot's own."""
    if examples := setup.settings.turn.domain.examples:
        return examples[0]
    line = [sys.executable, "-m", "ingest.cli", "status", "--json"]
    result = subprocess.run(line, check=False, stdout=subprocess.PIPE)  # noqa: S603 - our own command
    domain = json.loads(result.stdout)["domain"] if result.returncode == 0 else None
    return next(iter((domain or {}).get("examples", ())), _OWN_QUESTION)


def _end_without_model(question: str | None) -> NoReturn:
    """Show the passage that would be quoted. Raises: RichAgentError naming what is missing."""
    if question:
        out(f"\nwhat a model would answer from, if it were asked “{question}”\n")
        _run("ingest.cli", "search", question, "-k", "1")
    raise RichAgentError(
        f"written to {ENV_FILE}, but no model server was found, and nothing answers without one",
        hint="Start Ollama or another on this machine, which `rich-agent run` then uses; or run "
        "`rich-agent setup` again and give an address and a key by the number of its line.",
    )


def _ingest(*arguments: str) -> None:
    if _run("ingest.cli", *arguments) != 0:
        raise RichAgentError(f"`ingest {arguments[0]}` failed; see above")


def _run(module: str, *arguments: str) -> int:
    """Run a command of the program, as a person would; it reads the new `.env`."""
    command: Sequence[str] = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, check=False).returncode  # noqa: S603 - our own command
