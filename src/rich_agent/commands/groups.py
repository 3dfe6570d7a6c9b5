"""The commands of `rich-agent` that come in groups; each is loaded when it is given."""

from typing import Annotated

import typer

from rich_agent.commands import options
from rich_agent.terminal.console import JsonOption

inbox = typer.Typer(
    help="List, replay or drop messages that could not be answered.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

work = typer.Typer(
    help="List the work that is due at its times, or have it done now.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

service = typer.Typer(
    help="Have systemd or launchd start the bot, without root.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

settings = typer.Typer(
    help="List all settings, or change some while the bot runs.\n\n"
    "Without a command, it lists them: where each value comes from, and whether it can be changed "
    "here. Of secrets it only tells whether they are set.",
    invoke_without_command=True,
    rich_markup_mode=None,
)

# The id of an update that could not be read is negative, and looks like an option.
_NEGATIVE_IDS = {"ignore_unknown_options": True}


@inbox.command("list")
def list_inbox(as_json: JsonOption = False) -> None:
    """List the dead letters, with their last errors."""
    from rich_agent.commands.inbox import list_dead_letters

    list_dead_letters(as_json=as_json)


@inbox.command("show", context_settings=_NEGATIVE_IDS)
def show_inbox(
    update_id: Annotated[int, typer.Argument(metavar="UPDATE_ID", help="An id from the list.")],
    as_json: JsonOption = False,
) -> None:
    """Show one dead letter, as Telegram sent it."""
    from rich_agent.commands.inbox import show_dead_letter

    show_dead_letter(update_id, as_json=as_json)


@inbox.command("replay", context_settings=_NEGATIVE_IDS)
def replay_inbox(
    update_ids: options.UpdateIds = None,
    every: options.AllOption = False,
    as_json: JsonOption = False,
) -> None:
    """Put dead letters back, to be answered.

    The messages of each user keep their order; the bot may be running.
    """
    from rich_agent.commands.inbox import replay_dead_letters

    replay_dead_letters(_ids_or_all(update_ids, every=every), as_json=as_json)


@inbox.command("drop", context_settings=_NEGATIVE_IDS)
def drop_inbox(
    update_ids: options.UpdateIds = None,
    every: options.AllOption = False,
    as_json: JsonOption = False,
) -> None:
    """Delete dead letters for good."""
    from rich_agent.commands.inbox import drop_dead_letters

    drop_dead_letters(_ids_or_all(update_ids, every=every), as_json=as_json)


@work.command("list")
def list_work(as_json: JsonOption = False) -> None:
    """List what is waiting, due, running or set aside.

    What failed comes first, with its last error.
    """
    from rich_agent.commands.work import list_due_work

    list_due_work(as_json=as_json)


@work.command("retry")
def retry_work(
    ids: Annotated[list[int], typer.Argument(metavar="ID", help="Ids from the list.")],
    as_json: JsonOption = False,
) -> None:
    """Have work done now, also if it was set aside."""
    from rich_agent.commands.work import retry_due_work

    retry_due_work(ids, as_json=as_json)


def _ids_or_all(update_ids: list[int] | None, *, every: bool) -> list[int]:
    """The ids of the arguments; [] for `--all`."""
    if bool(update_ids) == every:
        raise typer.BadParameter("name ids, or give --all")
    return update_ids or []


@settings.callback()
def show_settings(context: typer.Context, as_json: JsonOption = False) -> None:
    """List all settings, or change some while the bot runs.

    Without a command, it lists them: where each value comes from, and whether it can be changed
    here. Of secrets it only tells whether they are set.
    """
    if context.invoked_subcommand is None:
        from rich_agent.commands.settings import show_settings as show

        show(as_json=as_json)


_SETTING = typer.Argument(metavar="NAME", help="A setting, such as DAILY_TOKENS.")


# A value may be a negative number, which is refused with its reason.
@settings.command("set", context_settings=_NEGATIVE_IDS)
def set_setting(
    name: Annotated[str, _SETTING],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="Its value, as in .env.")],
    as_json: JsonOption = False,
) -> None:
    """Change a setting in all running processes, within seconds.

    The value is checked as at the start. It goes before the one of the environment, also after the
    next start, until it is unset.
    """
    from rich_agent.commands.settings import set_setting as change

    change(name, value, as_json=as_json)


@settings.command("unset")
def unset_setting(name: Annotated[str, _SETTING], as_json: JsonOption = False) -> None:
    """Go back to the value of the environment, of .env, or the default."""
    from rich_agent.commands.settings import set_setting as change

    change(name, None, as_json=as_json)


@service.command("install")
def install_service(
    yes: options.YesOption = False,
    dry_run: options.DryRunOption = False,
    as_json: JsonOption = False,
) -> None:
    """Start the bot of this folder, now and by itself later.

    Its settings are those in .env. It is started again after a failure. With systemd you are asked
    whether it starts at boot, or when you log in.
    """
    from rich_agent.commands.autostart import install_service as install

    install(is_sure=yes, is_trial=dry_run, as_json=as_json)


@service.command("status")
def show_service(as_json: JsonOption = False) -> None:
    """Tell whether it runs, since when, and the end of its log.

    It also tells whether it is installed, and starts by itself. It exits with 1 if it does not run.
    """
    from rich_agent.commands.autostart import show_service as show

    show(as_json=as_json)


@service.command("uninstall")
def uninstall_service(dry_run: options.DryRunOption = False, as_json: JsonOption = False) -> None:
    """Stop the bot, and start it no more; its data stay."""
    from rich_agent.commands.autostart import uninstall_service as uninstall

    uninstall(is_trial=dry_run, as_json=as_json)
