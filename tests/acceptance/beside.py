"""A command beside model servers at ports of a test: `beside COMMAND [Title=URL]… [-- OPTION…]`."""

import sys

from rich_agent.commands.demo import run_demo
from rich_agent.commands.run import run_bot
from rich_agent.commands.setup import set_up
from rich_agent.composition.bot import Roles
from rich_agent.errors import RichAgentError
from tests.integration.local_servers import search_at

_UNGIVEN = "token server api_key chat_model planner_model vision_model embedding_model about"
_UNGIVEN += " documents users question"


def main(command: str, *rest: str) -> None:
    """Run the command; an error is told as the command line tells it."""
    places = dict(one.split("=", 1) for one in rest if "=http" in one)
    options = dict(one.removeprefix("--").split("=", 1) for one in rest if one.startswith("--"))
    search = search_at(**places)
    try:
        match command:
            case "demo":
                run_demo(int(options["port"]), open_browser=False, search=search)
            case "run":
                run_bot(Roles(receive=True, work=True, http=True), search)
            case "setup":
                given = {name: options.get(name) for name in _UNGIVEN.split()}
                set_up(given, search)
    except RichAgentError as error:
        sys.stderr.write(f"{error.explain()}\n")
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
