"""A sandbox on a free port, for tests of the sandbox and of the bot."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich_agent_sandbox.app import create_server
from rich_agent_sandbox.page.model_control import ModelControl
from rich_agent_sandbox.server import address_of, listen
from rich_agent_sandbox.telegram.sandbox import SandboxConfig
from tests.journal import JOURNAL_VARIABLE
from tests.stand_ins.model_servers.api import server_services

START_DEADLINE_S = 10.0


@dataclass(frozen=True, slots=True)
class RunningSandbox:
    """The address and the token of a running sandbox."""

    url: str
    bot_token: str

    @property
    def api_url(self) -> str:
        """The base of every Bot API call."""
        return f"{self.url}/bot{self.bot_token}"

    @property
    def file_url(self) -> str:
        """The base of every download."""
        return f"{self.url}/file/bot{self.bot_token}"


@contextmanager
def start_sandbox(control: ModelControl | None = None, **config: Any) -> Iterator[RunningSandbox]:
    """Serve a sandbox in a thread until the block is left; `config` as SandboxConfig takes it.

    With `control` its page can connect a model.

    Its calls go to the journal that is checked, unless `journal` is None: for calls of no bot.
    """
    journal = os.environ.get(JOURNAL_VARIABLE)
    shared = {"journal": Path(journal) if journal else None, "services": server_services}
    settings = SandboxConfig(**{**shared, **config})
    listening = threading.Event()
    with listen("127.0.0.1", 0) as listener:
        server = create_server(settings, on_listening=listening.set, control=control)
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        try:
            assert listening.wait(START_DEADLINE_S), "the sandbox did not start"
            yield RunningSandbox(address_of(listener), settings.bot_token)
        finally:
            server.should_exit = True
            thread.join(START_DEADLINE_S)
