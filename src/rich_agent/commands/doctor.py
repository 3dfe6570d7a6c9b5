"""`rich-agent doctor`: checks before the first message, with hints for repairs."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from rich_agent.commands.diagnosis.check_results import (
    CheckResult,
    check_failure,
    open_doors,
    run_check,
)
from rich_agent.commands.diagnosis.connected_sources import check_connected_sources
from rich_agent.commands.diagnosis.features import check_features
from rich_agent.commands.diagnosis.file_readers import check_file_readers
from rich_agent.commands.diagnosis.known_languages import check_languages
from rich_agent.commands.diagnosis.model_trials import (
    tell_capabilities,
    try_models,
    try_reranker,
)
from rich_agent.commands.diagnosis.port import check_port
from rich_agent.commands.diagnosis.reading_groups import check_groups
from rich_agent.commands.diagnosis.vectors import check_vectors
from rich_agent.commands.diagnosis.web_search import check_web_search
from rich_agent.composition.app import open_services
from rich_agent.composition.domain_description import (
    MOST_TITLES,
    Subject,
    describe_domain,
    settings_of,
    update_description,
)
from rich_agent.composition.features import open_features
from rich_agent.composition.live_settings import load_live_settings
from rich_agent.composition.model_check import look_up_models
from rich_agent.composition.repositories import Repositories, open_repositories
from rich_agent.composition.storage import check_place, check_storing, has_database
from rich_agent.composition.telegram_server import IMAGE_LIMITS, open_telegram
from rich_agent.domain.rights import OPERATOR
from rich_agent.domain.text import counted
from rich_agent.errors import (
    DatabaseUnavailableError,
    InvalidSettingsError,
    RichAgentError,
    SettingsError,
)
from rich_agent.graph.services import Services
from rich_agent.ports.accounts import Operator
from rich_agent.ports.knowledge import DomainStore
from rich_agent.runtime.concurrency import happens_within
from rich_agent.runtime.logs import configure_logging
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.telegram.receive.webhook_health import (
    check_address,
    check_deliveries,
    check_is_free,
)
from rich_agent.terminal.console import out, out_json
from rich_agent.upstreams.local_files import LocalImageFiles

_REPLICA_WITHIN_S = 10.0
_UNCHECKED_FEATURES = CheckResult(
    "features",
    "warn",
    "not checked, nor the servers of tools: they need the database",
    "Run this again once the database answers.",
)


def examine(*, as_json: bool) -> bool:
    """Run all checks and print what each found; whether none failed."""
    results = asyncio.run(_examine(quiet=as_json))
    if as_json:
        out_json([result.to_json() for result in results])
    return all(result.ok for result in results)


async def _examine(*, quiet: bool) -> list[CheckResult]:
    results: list[CheckResult] = []
    async for result in _check_all():
        results.append(result)
        if not quiet:
            out(f"{result.level:4}  {result.name}: {result.detail}")
            if result.hint:
                out(f"      → {result.hint}")
    return results


async def _check_all() -> AsyncIterator[CheckResult]:
    """Yield the checks of the settings and, if these are sound, of all that they name."""
    try:
        settings = Settings.load()
    except InvalidSettingsError as error:
        for problem in error.problems:
            yield check_failure("settings", problem)
        return
    configure_logging(settings.logs.format, "error", settings.secrets)
    if in_files := sorted(Settings.from_files()):
        yield CheckResult("secrets", "ok", f"read from files: {', '.join(in_files)}")
    for door in open_doors(settings):
        yield door
    yield await run_check("port", partial(check_port, settings))
    yield await run_check("telegram", lambda: _check_telegram(settings))
    yield await check_file_readers()
    results, unknown = await _look_up(settings)
    for result in results:
        yield result
    if unfit_place := _problem_of_place(settings):
        yield unfit_place
        return
    async for result in _check_with_database(settings, unknown):
        yield result


async def _check_with_database(
    settings: Settings, unknown: frozenset[str] | None
) -> AsyncIterator[CheckResult]:
    """Yield the checks of the database and of what works with it; `unknown` models stay untried."""
    is_new = not has_database(settings)
    if is_new and not (settings.telegram.bot_token and settings.models.chat.api_key):
        yield CheckResult("database", "ok", _where(settings, is_new=True))
        return
    async with AsyncExitStack() as stack:
        place = stack.enter_context(_database_for_now()) if is_new else settings.storage.data_dir
        here = settings.with_changes("storage", data_dir=place)
        try:
            opening = open_repositories(here, lingers=not is_new)
            repositories = await stack.enter_async_context(opening)
        except RichAgentError as error:
            yield check_failure("database", error)
            yield _UNCHECKED_FEATURES
            return
        live = await load_live_settings(here, repositories.setting_changes)
        for result in await _check_stored(settings, live, repositories, is_new=is_new):
            yield result
        settings = live.now
        features = await stack.enter_async_context(open_features(live, repositories))
        async for result in check_features(features):
            yield result
        try:
            files = LocalImageFiles(IMAGE_LIMITS.max_bytes)
            await _forget_capabilities(repositories)
            opening_services = open_services(live, repositories, files, features=features)
            services = await stack.enter_async_context(opening_services)
        except SettingsError:
            return  # the missing key is reported above
        for result in await _check_models(settings, repositories, services, unknown):
            yield result
        web_results = await check_web_search(features.parts.search, settings.tools)
        for result in (*web_results, *await _check_documents(settings, services)):
            yield result
        async for result in _check_work(settings, repositories):
            yield result


async def _check_stored(
    settings: Settings, live: LiveSettings, repositories: Repositories, *, is_new: bool
) -> list[CheckResult]:
    """Check where the data are, and what is stored of replicas, access and settings."""
    operator = None if is_new else repositories.operations.operator
    return [
        await _check_storing(settings, repositories, is_new=is_new),
        *await _check_replica(repositories),
        await run_check("access", partial(_check_access, live.now, operator), "warn"),
        *_tell_changed_settings(live),
    ]


def _tell_changed_settings(live: LiveSettings) -> list[CheckResult]:
    """Tell the settings that were changed while the bot ran, and those of them that do not fit."""
    if not (live.values or live.refused):
        return []
    in_effect = f"changed while the bot ran: {', '.join(sorted(live.values)) or 'none'}"
    if not live.refused:
        note = f"{in_effect}; these values go before those of the environment"
        return [CheckResult("changed settings", "ok", note)]
    problems = "; ".join(map(str, live.refused.values()))
    hint = " ".join(f"`rich-agent settings unset {name}`" for name in sorted(live.refused))
    advice = f"Set them again, or go back to the environment's: {hint}."
    warning = f"{in_effect}; left out: {problems}"
    return [CheckResult("changed settings", "warn", warning, advice)]


async def _check_models(
    settings: Settings,
    repositories: Repositories,
    services: Services,
    unknown: frozenset[str] | None,
) -> list[CheckResult]:
    """Try the models that are not `unknown`; None stands for trying none."""
    if unknown is None:
        return []
    results = await try_models(settings, services, unknown)
    results += await try_reranker(settings, services)
    results += tell_capabilities(settings, await repositories.capabilities.load_all())
    return results + await _check_domain(settings, repositories.knowledge.domain, results)


async def _check_work(settings: Settings, repositories: Repositories) -> AsyncIterator[CheckResult]:
    """Check the work in the background: waiting work, and connected sources."""
    yield await _count_waiting(repositories)
    for result in await check_connected_sources(settings, repositories):
        yield result


def _problem_of_place(settings: Settings) -> CheckResult | None:
    """The failure of a folder that cannot keep a new database."""
    try:
        if not has_database(settings):
            check_place(settings)
    except RichAgentError as error:
        return check_failure("database", error)
    return None


async def _check_storing(
    settings: Settings, repositories: Repositories, *, is_new: bool
) -> CheckResult:
    """Tell where the data are, and whether something can be stored there."""
    try:
        await check_storing(repositories.databases)
    except RichAgentError as error:
        return check_failure("database", error)
    return CheckResult("database", "ok", _where(settings, is_new=is_new))


async def _forget_capabilities(repositories: Repositories) -> None:
    """Have the trials find out anew what the models can do; a failing database is told before."""
    with suppress(DatabaseUnavailableError):
        await repositories.capabilities.forget_all()


def _where(settings: Settings, *, is_new: bool) -> str:
    if settings.storage.database_url:
        return "DATABASE_URL; its tables fit this version"
    state = "will be created at the first start" if is_new else "its tables fit this version"
    return f"embedded, in {settings.storage.data_dir}; {state}"


@contextmanager
def _database_for_now() -> Iterator[Path]:
    """A temporary folder for checks that run before the database exists."""
    # The server may still be ending when the folder goes.
    with TemporaryDirectory(prefix="rich-agent-", ignore_cleanup_errors=True) as folder:
        yield Path(folder) / "data"


async def _check_replica(repositories: Repositories) -> list[CheckResult]:
    """Whether documents are searched on the replica, if the settings name one."""
    replica = repositories.replica
    if replica is None:
        return []
    await happens_within(replica.looked_at, _REPLICA_WITHIN_S)
    if not replica.refusal:
        note = f"documents are searched on {replica.address}, {replica.lag_s:.1f} s behind"
        return [CheckResult("replica", "ok", note)]
    warning = f"documents are searched on the primary, not on {replica.address}: {replica.refusal}"
    hint = "Let RAG_READ_URL lead to a streaming standby of the documents' database."
    return [CheckResult("replica", "warn", warning, hint)]


async def _check_documents(settings: Settings, services: Services) -> list[CheckResult]:
    """Tell what there is to answer from, how well it is found, and whether groups can read it."""
    return [
        await run_check("documents", lambda: _list_documents(services)),
        *await check_languages(services.catalogue),
        *await check_vectors(settings, services.catalogue),
        *await check_groups(services.spaces, settings),
    ]


async def _check_access(settings: Settings, operator: Operator | None) -> str:
    """Tell who may use the bot; without `operator`, its database and its code are yet to come."""
    if settings.access.allowed_ids is None:
        return "everybody on Telegram may use this bot"
    if not settings.access.names_nobody:
        return "those named by ALLOWED_USERS or ADMIN_USERS, or let in since, may use this bot"
    if operator and (account := await operator.find()):
        return f"the operator, {account}, and those whom they let in may use this bot"
    code = await operator.code() if operator else "the code that it prints"
    raise RichAgentError(
        "nobody may use this bot yet",
        hint=f"Start it and send it {code} in Telegram, which makes you its "
        "operator; or write ids, or * for everybody, into ALLOWED_USERS.",
    )


async def _look_up(settings: Settings) -> tuple[list[CheckResult], frozenset[str] | None]:
    """The findings, and the settings of unknown models; None when no server can be asked."""
    try:
        report = await look_up_models(settings)
    except RichAgentError as error:
        return [check_failure("model server", error)], None
    wrong = [check_failure("models", problem) for problem in report.unknown]
    unknown = frozenset(problem.name for problem in report.unknown)
    return wrong or [CheckResult("models", "ok", report.detail)], unknown


async def _check_telegram(settings: Settings) -> str:
    async with open_telegram(settings) as api:
        me = await api.get_me()
        webhook = await api.get_webhook()
    about = f"@{me.username}, {'with' if me.has_topics else 'without'} topics in private chats"
    if settings.access.guest_mode != "off":
        about += f", {'also' if me.is_guest else 'not'} as a guest in groups"
    if settings.web.webhook_url is None:
        check_is_free(webhook)
        return f"{about}, by polling"
    check_address(webhook, settings.web.webhook_url)
    check_deliveries(webhook, datetime.now(UTC))
    return f"{about}, by webhook{'' if webhook.url else ' (set when the bot starts)'}"


async def _count_waiting(repositories: Repositories) -> CheckResult:
    """Count what users wait for because of a model server that was busy, or failed."""
    try:
        depth = await repositories.inbox.depth()
        lessons = await repositories.lessons.count()
    except RichAgentError as error:
        return check_failure("waiting", error)
    if not (depth.held or lessons):
        return CheckResult("waiting", "ok", "nothing waits for a model server")
    return CheckResult(
        "waiting",
        "warn",
        f"answers that wait for a busy model server: {depth.held}; messages that are yet to be "
        f"learned from: {lessons}",
        "They are retried automatically while `rich-agent run` or `worker` runs. If that goes "
        "on, raise the limits of the model server's account.",
    )


async def _list_documents(services: Services) -> str:
    titles = (await services.passages.names(OPERATOR)).sources
    return counted(len(titles), "active source") if titles else "none yet: see `ingest add-source`"


async def _check_domain(
    settings: Settings, store: DomainStore, results: Iterable[CheckResult]
) -> list[CheckResult]:
    """The subject of the documents; a failing planner is reported above."""
    if not any(one.name == "planner" and one.ok for one in results):
        return []
    try:
        if settings.turn.domain.description:
            return await _compare_domain(settings, store)
        described = await update_description(settings, store, at_once=True)
    except RichAgentError:
        return []
    if described is None:
        return []
    day = described.described_at.astimezone().date()
    detail = f"{described.description} (written from the documents on {day})"
    return [CheckResult("domain", "ok", detail)]


async def _compare_domain(settings: Settings, store: DomainStore) -> list[CheckResult]:
    """Whether the documents fit the domain that the operator has set."""
    present_domain = settings.turn.domain
    sample = await store.sample(MOST_TITLES)
    if not sample:
        return []
    domain = await describe_domain(settings, Subject(sample, present=present_domain))
    if domain == present_domain:
        return [CheckResult("domain", "ok", f"{domain.name} fits the documents")]
    setting_lines = "\n".join(
        f"        {name}={value}" for name, value in settings_of(domain).items()
    )
    detail = f"the documents are not about {present_domain.name} ({present_domain.description})"
    hint = (
        "Remove DOMAIN_DESCRIPTION from .env, so that it is written from the documents; or "
        f"describe them there:\n{setting_lines}"
    )
    return [CheckResult("domain", "warn", detail, hint)]
