"""Parts that each command of this project would prepare again, made before they are forked."""

import gc
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from jinja2 import UndefinedError

import rich_agent.features
import rich_agent.prompts
from rich_agent.chat_commands.menu import Menu
from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.feature import loaded_features
from rich_agent.phrases import say
from rich_agent.prompts import render_prompt
from tests.one_root import trust_one_root

_LEFT_OUT = frozenset({"migrations", "tables"})
"""What only a migration loads, and DuckDB, which the feature `tables` loads in another process."""


def _load_features() -> None:
    for folder in map(Path, rich_agent.features.__path__):
        for file in sorted(folder.rglob("*.py")):
            parts = file.relative_to(folder).with_suffix("").parts
            if not _LEFT_OUT.intersection(parts):
                import_module(".".join(["rich_agent.features", *parts]).removesuffix(".__init__"))


def _compile_prompts() -> None:
    """Compile the templates of the core; that their slots are empty is no matter."""
    for folder in map(Path, rich_agent.prompts.__path__):
        for file in folder.glob("*.md"):
            with suppress(UndefinedError, KeyError):
                render_prompt(file.stem)


def _read_menus() -> None:
    """Read the phrases of all menus, which a start publishes in every language."""
    names = [entry.name for feature in loaded_features() for entry in feature.menu]
    for locale in SUPPORTED_LOCALES:
        Menu().describe(locale, is_admin=True)
        for name in names:
            say(locale, f"command-{name}")


trust_one_root()
_load_features()
_compile_prompts()
_read_menus()
# The last of what is imported: no process searches it for garbage.
gc.freeze()
