"""Writes the reference pages and the picture of the graph: `python -m tests.docs.reference`."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import typer
from typer.testing import CliRunner

import ingest.cli
import rich_agent.cli
from rich_agent.chat_commands.menu import FOR_ADMINS, FOR_ALL
from rich_agent.domain.answer.trace import NODE_ORDER
from rich_agent.domain.languages import ENGLISH
from rich_agent.feature import loaded_features
from rich_agent.graph.build import build_graph
from rich_agent.phrases import say
from rich_agent.settings.fields import Setting
from rich_agent.settings.overview import GROUP_TITLES
from rich_agent.settings.settings import all_settings, names_in_files

ROOT = Path(__file__).parents[2]
FIRST = (
    "TELEGRAM_BOT_TOKEN",
    "ALLOWED_USERS",
    "ADMIN_USERS",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "CHAT_MODEL",
    "EMBEDDING_MODEL",
    "EMBEDDING_DIMENSIONS",
    "TAVILY_API_KEY",
    "DOMAIN_DESCRIPTION",
    "DAILY_TOKENS",
    "DATABASE_URL",
)
COMPOSE = """
## docker compose
# Passwords of PostgreSQL: for its superuser, for the role that owns the tables, and for the bot's
# role. docs/how-to/run-on-a-server.md has a command that generates them. They take effect when the
# database is created.
#POSTGRES_PASSWORD=
#POSTGRES_OWNER_PASSWORD=
#POSTGRES_BOT_PASSWORD=
"""
ARCHITECTURE = ROOT / "docs/architecture.md"
_PICTURE = re.compile(r"(<!-- graph -->\n).*(<!-- /graph -->)", re.DOTALL)
PLAIN = {"COLUMNS": "96", "TERM": "dumb", "NO_COLOR": "1"}
REQUIRED = {"TELEGRAM_BOT_TOKEN", "OPENAI_API_KEY"}


def _default(setting: Setting) -> str:
    default = setting.field.default
    if default is None:
        return ""
    if isinstance(default, tuple | frozenset | set):
        return ",".join(map(str, default))
    return str(default)


def _sections_of_settings() -> Iterator[tuple[str, list[Setting]]]:
    """The settings that people set first, then the rest by subject, each under its heading."""
    yield "Set these first", [all_settings()[name] for name in FIRST if name in all_settings()]
    for group, title in GROUP_TITLES.items():
        rest = (one for one in all_settings().values() if one.name not in FIRST)
        yield title, [one for one in rest if one.path[0] == group]
    for feature in loaded_features():
        if feature.settings:
            rest = (one for one in all_settings().values() if one.name not in FIRST)
            of_section = (one for one in rest if one.path[0] == "sections")
            title = feature.name.replace("_", " ").capitalize()
            yield title, [one for one in of_section if one.path[1] == feature.name]


def env_example() -> str:
    """The text of `.env.example`: the two that are required are left open, all others commented."""
    lines = [
        "# Copy this file to .env and fill it in. Commented settings show their defaults.",
        "# See also docs/reference/settings.md",
        "# A secret may stand in a file: OPENAI_API_KEY_FILE=/run/secrets/openai_api_key",
    ]
    for title, settings in _sections_of_settings():
        lines += ["", f"## {title}"]
        for one in settings:
            prefix = "" if one.name in REQUIRED else "#"
            lines += [f"# {one.description}", f"{prefix}{one.name}={_default(one)}"]
    return "\n".join(lines) + "\n" + COMPOSE


def settings_page() -> str:
    """The text of `docs/reference/settings.md`."""
    lines = [
        "# Settings",
        "",
        "Settings are environment variables. A file `.env` in the working directory is read too;",
        "the environment overrides it. The bot does not start with missing, malformed or misspelt",
        "settings: one error lists all of them and says what to write. `rich-agent doctor` checks",
        "them too. A name that was a setting once is only a warning, with the value in force now,",
        "and so is a misspelt name while a feature is absent: it may be one of its settings. Names",
        "in `_KEY`, `_TOKEN`, `_SECRET` and `_PASSWORD` that are no setting count as its secrets.",
        "",
        "## Secrets in files",
        "",
        "A secret can be read from a file: add `_FILE` to the setting's name and give the path, as",
        "in `OPENAI_API_KEY_FILE=/run/secrets/openai_api_key`. The file has the value on one line;",
        "the line break at its end does not count. This is how Docker and Kubernetes (secrets) and",
        "systemd (credentials) hand secrets over. It works for these settings, and for variables",
        "of [MCP servers](../how-to/mcp.md); only one of the two names may be set:",
        ", ".join(f"`{name}`" for name in all_settings() if name in names_in_files()) + ".",
    ]
    lines += [
        "",
        "## Settings that change while the bot runs",
        "",
        "The settings marked with ↻ below can be changed without a new start, on the operator's",
        "page *Settings* or by `rich-agent settings set NAME VALUE`: see",
        "[Operate](../how-to/operate.md#change-settings-while-the-bot-runs). Such a value goes",
        "before the one of the environment, in all processes and after each start, until it is",
        "unset. An option of a command goes before both.",
    ]
    for title, settings in _sections_of_settings():
        table = ["| setting | default | meaning |", "| --- | --- | --- |"]
        lines += ["", f"## {title}", "", *table, *map(_row, settings)]
    return "\n".join(lines) + "\n"


def _row(setting: Setting) -> str:
    default, name = _default(setting), setting.name
    shown = f"`{default}`" if default else "**required**" if name in REQUIRED else "unset"
    mark = " ↻" if setting.changes_at_run_time else ""
    return f"| `{name}`{mark} | {shown} | {setting.description} |"


def _help(program: typer.Typer, *arguments: str) -> str:
    # The width that a program has at a terminal of 80 columns or more.
    result = CliRunner().invoke(program, [*arguments, "--help"], env=PLAIN, terminal_width=78)
    assert result.exit_code == 0, result.output
    return re.sub(r"[ \t]+$", "", result.output, flags=re.MULTILINE).strip("\n")


def _sections(program: typer.Typer, group: typer.Typer, *path: str) -> Iterator[str]:
    """The help of a group and of all its commands, as the program prints it; `path` leads there."""
    name = " ".join([str(program.info.name), *path])
    yield f"## {name}\n\n```text\n{_help(program, *path)}\n```\n"
    for command in group.registered_commands:
        called = command.name or str(getattr(command.callback, "__name__", "")).replace("_", "-")
        yield f"### {name} {called}\n\n```text\n{_help(program, *path, called)}\n```\n"
    for inner in group.registered_groups:
        assert inner.typer_instance is not None
        yield from _sections(program, inner.typer_instance, *path, str(inner.name))


def commands_page() -> str:
    """The text of `docs/reference/commands.md`: every command's own help."""
    intro = (
        "# Commands\n\nExit codes: 0 done, 1 failed (stderr says why and what to do), "
        "2 wrong usage.\n"
    )
    pages = [_sections(app, app) for app in (rich_agent.cli.app, ingest.cli.app)]
    return "\n".join([intro, *chain.from_iterable(pages)])


def _telegram_rows(names: Sequence[str]) -> Iterator[str]:
    yield "| command | what the menu says |"
    yield "| --- | --- |"
    for name in names:
        yield f"| `/{name}` | {say(ENGLISH, f'command-{name}')} |"


def _commands_of_features(*, for_admins: bool) -> Iterator[str]:
    for feature in loaded_features():
        yield from (one.name for one in feature.menu if one.for_admins == for_admins)


def telegram_commands_page() -> str:
    """The text of `docs/reference/telegram-commands.md`."""
    lines = [
        "# Commands in Telegram",
        "",
        "When the bot starts, it publishes its commands in Telegram's menu, in each of its",
        "languages. Only `/retry` calls a model. Commands work even while an answer is being",
        "written. [About the bot](../about-the-bot.md#which-commands-are-there) describes",
        "each of them.",
        "",
        "## For everybody",
        "",
        *_telegram_rows((*FOR_ALL, *_commands_of_features(for_admins=False))),
        "",
        "## For admins",
        "",
        "Admins are the ids in `ADMIN_USERS`. Other users do not see these commands in the menu,",
        "and are refused.",
        "",
        *_telegram_rows((*FOR_ADMINS, *_commands_of_features(for_admins=True))),
    ]
    return "\n".join(lines) + "\n"


def graph_picture() -> str:
    """The nodes and edges of the compiled graph, as Mermaid; dotted where the state decides."""
    edges = build_graph().get_graph().edges
    order = ["__start__", *NODE_ORDER, "__end__"]
    ends = {"__start__": "START([START])", "__end__": "END([END])"}
    drawn = [
        f"    {ends.get(edge.source, edge.source)} {'-.->' if edge.conditional else '-->'} "
        f"{ends.get(edge.target, edge.target)}"
        for edge in sorted(edges, key=lambda e: (order.index(e.source), order.index(e.target)))
    ]
    return "\n".join(["```mermaid", "flowchart TD", *drawn, "```"])


def architecture_page() -> str:
    """`docs/architecture.md` with the picture of the graph between its markers."""
    text = ARCHITECTURE.read_text(encoding="utf-8")
    return _PICTURE.sub(lambda markers: f"{markers[1]}{graph_picture()}\n{markers[2]}", text)


PAGES = {
    ARCHITECTURE: architecture_page,
    ROOT / ".env.example": env_example,
    ROOT / "docs/reference/settings.md": settings_page,
    ROOT / "docs/reference/commands.md": commands_page,
    ROOT / "docs/reference/telegram-commands.md": telegram_commands_page,
}


def main() -> None:
    """Write all of them."""
    for path, text in PAGES.items():
        path.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
