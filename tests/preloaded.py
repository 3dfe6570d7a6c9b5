"""Parts that each command of this project would prepare again, made before they are forked."""

import gc

from rich_agent.chat_commands.menu import Menu
from rich_agent.domain.languages import SUPPORTED_LOCALES
from tests.one_root import trust_one_root

trust_one_root()
# A start publishes the menus of all languages; the rules of a language take 20 ms to load.
for locale in SUPPORTED_LOCALES:
    Menu().describe(locale, is_admin=True)
# The last of what is imported: no process searches it for garbage.
gc.freeze()
