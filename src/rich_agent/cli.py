"""The command line; it parses, calls one function, and turns our errors into words."""

from typing import Annotated

import typer

from rich_agent.commands import groups, options
from rich_agent.commands.shell import ProgramShell
from rich_agent.feature import loaded_features
from rich_agent.installed import installed_features, leave_out
from rich_agent.settings.chosen_features import choose_features_of_environment
from rich_agent.terminal.console import (
    JsonOption,
    VersionOption,
    err,
    out,
    out_json,
    run_program,
    with_plain_usage,
    working,
)

app = typer.Typer(
    name="rich-agent",
    help="A self-hosted Telegram assistant that answers from your documents and photos.\n\n"
    "New here? `rich-agent demo` opens a chat in the browser: no token and no key needed. "
    "`rich-agent setup` leads from a token to a first answer.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

app.add_typer(groups.inbox, name="inbox")
app.add_typer(groups.work, name="work")
app.add_typer(groups.service, name="service")
app.add_typer(groups.settings, name="settings")
choose_features_of_environment()


@app.callback()
def common_options(version: VersionOption = False) -> None:
    """Options before the command; the help of the program is given above."""


@app.command()
def demo(
    port: Annotated[
        int | None,
        typer.Option(
            help="Port of the chat page; without it the first free one from 8080.",
            min=1,
            max=65535,
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open the browser.")
    ] = False,
    download_model: Annotated[
        bool,
        typer.Option(
            "--download-model", help="Have Ollama or another server here download a model at once."
        ),
    ] = False,
) -> None:
    """Chat with the bot in the browser, without a token or a key.

    It includes sample documents and an embedded PostgreSQL. A model server that runs on this
    machine, or the one of OPENAI_BASE_URL and OPENAI_API_KEY, answers; without any, a stand-in
    quotes. The page can connect one later, or download a model where Ollama is installed.
    """
    from rich_agent.commands.demo import run_demo

    run_demo(port, open_browser=not no_browser, download_model=download_model)


@app.command()
def setup(
    *,
    token: options.TokenOption = None,
    server: options.ServerOption = None,
    api_key: options.ApiKeyOption = None,
    chat_model: options.ChatModelOption = None,
    planner_model: options.PlannerModelOption = None,
    vision_model: options.VisionModelOption = None,
    embedding_model: options.EmbeddingModelOption = None,
    about: options.AboutOption = None,
    documents: options.DocumentsOption = None,
    users: options.UsersOption = None,
    question: options.QuestionOption = None,
) -> None:
    """Ask for what the bot needs, check it, and write .env.

    It ends with `doctor` and the answer to a first question. It does not ask for what you give as
    an option. Without a terminal it asks nothing, and keeps the other values.
    """
    answers = locals()
    from rich_agent.commands.setup import set_up

    set_up(answers)


@app.command()
def run(*, take_over: options.TakeOverOption = False) -> None:
    """Run the whole bot: receive updates and answer them.

    Without a model server in the settings, one that runs on this machine is used.
    """
    from rich_agent.commands.model_choice import ModelSearch
    from rich_agent.commands.run import run_bot
    from rich_agent.composition.bot import Roles

    run_bot(Roles(receive=True, work=True, http=True, takes_over=take_over), ModelSearch())


@app.command()
def serve(*, take_over: options.TakeOverOption = False) -> None:
    """Only receive and store updates; `rich-agent worker` answers them."""
    from rich_agent.commands.run import run_bot
    from rich_agent.composition.bot import Roles

    run_bot(Roles(receive=True, work=False, http=True, takes_over=take_over))


@app.command()
def worker(
    concurrency: options.ConcurrencyOption = None, port: options.HealthPortOption = None
) -> None:
    """Only answer stored updates; start as many as you like."""
    from rich_agent.commands.run import run_bot
    from rich_agent.composition.bot import Roles

    roles = Roles(receive=False, work=True, http=port is not None)
    run_bot(roles, worker_concurrency=concurrency, port=port)


def _need_a_model() -> None:
    """Tell what is missing before seconds are spent on loading. Raises: InvalidSettingsError."""
    from rich_agent.settings.settings import Settings

    Settings.load("OPENAI_API_KEY")


@app.command()
def ask(
    question: options.AskedQuestion = None,
    user: options.UserOption = options.TERMINAL_USER,
    image: options.ImageOption = None,
    approve: options.ApproveOption = None,
    cancel: options.CancelOption = None,
    *,
    always: options.AlwaysOption = None,
    files: options.FileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask one question at the terminal, or approve what it asked for.

    It goes through the same graph as a message in Telegram. The words of a recording, given as a
    file, are the question or follow it. If something waits for your approval, the answer ends with
    the commands that approve it or cancel it.
    """
    if question is None and (image or files):
        question = ""
    if [question, approve, cancel, always].count(None) != 3:
        raise typer.BadParameter("give one of QUESTION, --approve, --cancel, --always")
    _need_a_model()
    with working("Loading…", in_pipes=not as_json):
        from rich_agent.commands.ask import Attached, Verdict, ask_at_terminal

    question_or_verdict = question if question is not None else Verdict.of(approve, cancel, always)
    attachments = Attached(image, tuple(files or ()))
    ask_at_terminal(question_or_verdict, user_id=user, attachments=attachments, as_json=as_json)


@app.command()
def chat(user: options.UserOption = options.TERMINAL_USER) -> None:
    """Chat at the terminal.

    Answers appear while they are written. Ctrl-C stops an answer; an empty line, Ctrl-D or Ctrl-C
    at the prompt ends the conversation. /help lists the commands; /file PATH WORDS
    sends a file with words. At a card that asks for approval,
    type y, n, or what to change.
    """
    _need_a_model()
    with working("Loading…"):
        from rich_agent.commands.chat import chat_at_terminal

    chat_at_terminal(user_id=user)


@app.command()
def migrate(as_json: JsonOption = False) -> None:
    """Bring the tables of both databases up to date. It is safe to repeat.

    It exits with 1 if the tables of one of the project's own features could not be changed.
    """
    from rich_agent.composition.storage import locate_databases
    from rich_agent.settings.settings import Settings

    settings = Settings.load()
    earlier_failures = {failure.name for failure in installed_features().broken}
    with locate_databases(settings) as urls:
        revisions = urls.migrate()
    installed = installed_features()
    reason_by_feature = {failure.name: failure.reason for failure in installed.broken}
    is_failed = bool((reason_by_feature.keys() - earlier_failures) & installed.own)
    is_current = not revisions and not is_failed
    if as_json:
        out_json({"applied": revisions, "left_out": reason_by_feature})
    else:
        applied = "\n".join(f"applied {revision}" for revision in revisions)
        out("nothing to do: up to date" if is_current else applied)
    for name, reason in reason_by_feature.items():
        err(f"feature {name} is left out: {reason}")
    if is_failed:
        err("Run `rich-agent migrate` again; if tables were in use, stop the bot first.")
        raise typer.Exit(1)


@app.command()
def backup(
    target: options.BackupTarget = options.HERE,
    as_json: JsonOption = False,
) -> None:
    """Write the whole database into one file; the bot may be running.

    In a folder, the file gets a name with the time. It holds what users wrote, so only you may
    read it. Settings and their secrets are not in it.
    """
    from rich_agent.commands.backup import back_up

    back_up(target, as_json=as_json)


@app.command()
def restore(
    file: options.BackupFile,
    replace: Annotated[
        bool, typer.Option("--replace", help="Delete the present data once it is restored.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only check the file, and say what is in it.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Restore the database from a file that `backup` wrote.

    The file is checked first, and the data are exchanged in one step: what ends it leaves the old
    ones. Stop the bot before.
    """
    from rich_agent.commands.backup import restore as restore_from

    restore_from(file, replaces=replace, is_trial=dry_run, as_json=as_json)


@app.command()
def uninstall(
    backup: options.BackupFirstOption = None,
    yes: options.YesOption = False,
    dry_run: options.DryRunOption = False,
    as_json: JsonOption = False,
) -> None:
    """Remove the service and the data of the bot in this folder.

    It lists what is removed and what stays, and asks once. It refuses while a bot uses the data;
    one that runs as the service is stopped.
    """
    from rich_agent.commands.uninstall import uninstall as remove

    remove(is_sure=yes, is_trial=dry_run, backup=backup, as_json=as_json)


@app.command()
def doctor(as_json: JsonOption = False) -> None:
    """Check the setup, and show how to fix what is wrong.

    It checks database, tables, token, webhook, models, search and features.
    """
    from rich_agent.commands.doctor import examine

    raise typer.Exit(0 if examine(as_json=as_json) else 1)


@app.command()
def tools(
    accept: options.AcceptOption = None,
    why: options.WhyOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the tools that the bot may use, and the rule of each.

    It connects the servers that have some, and says why a tool of theirs is hidden. Below the list
    stands what servers changed of their tools.
    """
    from rich_agent.commands.tools import accept_changes, explain_call, show_tools

    if accept:
        accept_changes(accept)
    elif why:
        explain_call(why)
    else:
        show_tools(as_json=as_json)


for feature in loaded_features():
    if feature.cli:
        try:
            feature.cli(app, ProgramShell())
        except Exception as error:  # noqa: BLE001 - a stranger's commands end none of ours
            leave_out(feature.name, f"its commands: {type(error).__name__}: {error}")

with_plain_usage(app)


def main() -> None:
    """Run the command line: exit 0 done, 1 failed, 2 wrong usage."""
    run_program(app)


if __name__ == "__main__":
    main()
