"""`rich-agent service`: has the system start the bot, for a user without root."""

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unicodedata import category

import typer

from rich_agent.composition.storage import stop_lingering
from rich_agent.errors import RichAgentError, SettingsError
from rich_agent.runtime.autostart.launchd import LaunchAgent
from rich_agent.runtime.autostart.service import (
    Autostart,
    Launch,
    ServiceState,
    run_all,
    run_manager,
)
from rich_agent.runtime.autostart.systemd import SystemdUser
from rich_agent.settings.dotenv import ENV_FILE, OF_LIBRARIES, read_env_file
from rich_agent.settings.settings import Settings, all_settings
from rich_agent.terminal.console import err, out, out_json, show_facts, working

_START_S = 320.0
_LOG_LINES = 10


def find_autostart() -> Autostart:
    """The manager of services of this machine. Raises: RichAgentError with what to do without."""
    if sys.platform == "darwin":
        return LaunchAgent.of_user()
    systemd = SystemdUser.of_user()
    if reason := systemd.why_not():
        command = " ".join(map(shlex.quote, (*_own_command(), "run")))
        raise RichAgentError(
            f"no service can be made: {reason}",
            hint="Log in as the user of the bot itself, not by `su` or `sudo`. Where no systemd "
            "runs, as in containers, have what starts your programs start "
            f"`cd {shlex.quote(str(Path.cwd()))} && {command}`, such as cron with @reboot.",
        )
    return systemd


def install_service(*, is_sure: bool, is_trial: bool, as_json: bool) -> None:
    """Write the service of the bot in this folder, and start it. Raises: RichAgentError."""
    launch = _make_launch()
    if is_trial and sys.platform != "darwin":
        autostart: Autostart = SystemdUser.of_user()
    else:
        autostart = find_autostart()
    present = autostart.folder()
    if present is not None and present != launch.folder:
        raise RichAgentError(
            f"the service of this user runs the bot in {present}",
            hint="Run `rich-agent service uninstall` first, or use another user.",
        )
    if is_trial:
        _show_plan(autostart, launch, as_json=as_json)
        return
    _write(autostart.file, autostart.describe(launch))
    if isinstance(autostart, LaunchAgent):
        run_all(autostart.uninstall_commands(), timeout_s=_START_S)
    # What a command has started belongs to its terminal, and may end with it.
    stop_lingering(Settings.load())
    with working("Starting the service…", in_pipes=True):
        run_all(autostart.install_commands(), timeout_s=_START_S)
    if as_json:
        out_json({"file": str(autostart.file), "folder": str(launch.folder)})
    else:
        out(f"the bot in {launch.folder} runs as a service")
        out(f"  its log: {' '.join(autostart.log_command())}")
    if isinstance(autostart, SystemdUser):
        _start_at_boot(autostart, is_sure=is_sure)


def _show_plan(autostart: Autostart, launch: Launch, *, as_json: bool) -> None:
    """Print the file and the commands of an installation."""
    content, commands = autostart.describe(launch).decode(), autostart.install_commands()
    if as_json:
        out_json({"file": str(autostart.file), "content": content, "commands": commands})
        return
    out(f"would write {autostart.file}:\n\n{content}")
    _show_commands(commands)


def show_service(*, as_json: bool) -> None:
    """Tell whether the service is installed, starts by itself and runs, with its last lines."""
    autostart = find_autostart()
    state = autostart.state(_LOG_LINES)
    if as_json:
        facts = {name: getattr(state, name) for name in ServiceState.__slots__}
        out_json({"file": str(autostart.file), "folder": autostart.folder(), **facts})
    elif not state.is_installed:
        out("not installed: `rich-agent service install` in the folder of .env installs it")
    else:
        show_facts(
            [
                ("installed", f"{autostart.file}, for {autostart.folder()}"),
                ("starts by itself", "yes" if state.is_enabled else "no"),
                ("running", f"{'yes' if state.is_running else 'no'}: {state.detail}"),
                ("since", state.since),
                ("log", " ".join(autostart.log_command())),
            ]
        )
        out("\n".join(["", *state.log]) if state.log else "\n(nothing in the log)")
    if not state.is_running:
        raise typer.Exit(1)


def uninstall_service(*, is_trial: bool, as_json: bool) -> None:
    """Stop the service and remove its file. Raises: RichAgentError."""
    autostart = find_autostart()
    is_installed = autostart.file.exists()
    if is_installed and not is_trial:
        remove_service(autostart)
    if as_json:
        out_json({"file": str(autostart.file), "removed": is_installed and not is_trial})
    elif not is_installed:
        out("nothing to do: no service is installed")
    elif is_trial:
        _show_commands(autostart.uninstall_commands())
        out(f"would remove {autostart.file}")
        _show_commands(autostart.after_removal())
    else:
        out(f"the bot was stopped, and {autostart.file} removed; its data stay")


def installed_service() -> Autostart | None:
    """The service of this user, if there is one, whether or not its manager runs."""
    is_mac = sys.platform == "darwin"
    autostart: Autostart = LaunchAgent.of_user() if is_mac else SystemdUser.of_user()
    return autostart if autostart.file.exists() else None


def remove_service(autostart: Autostart) -> None:
    """Stop the service and remove its file. Raises: RichAgentError."""
    is_away = isinstance(autostart, SystemdUser) and autostart.why_not()
    if not is_away:
        run_all(autostart.uninstall_commands(), timeout_s=_START_S)
    autostart.file.unlink(missing_ok=True)
    if not is_away:
        run_all(autostart.after_removal(), timeout_s=_START_S)


@contextmanager
def stopped_service(autostart: Autostart | None) -> Iterator[None]:
    """Stop a service that runs; it runs again if the block fails. Raises: RichAgentError."""
    if autostart is None or not autostart.state(0).is_running:
        yield
        return
    run_all(autostart.uninstall_commands(), timeout_s=_START_S)
    try:
        yield
    except BaseException:
        if autostart.file.exists():
            run_all(autostart.install_commands(), timeout_s=_START_S)
        raise


def _make_launch() -> Launch:
    """The command of the service, once it is sure that it needs nothing of the shell."""
    folder = Path.cwd()
    values, _ = read_env_file(folder / ENV_FILE)
    Settings.load("TELEGRAM_BOT_TOKEN")
    if not values:
        raise RichAgentError(
            f"there is no {ENV_FILE} in {folder}, from which a service reads its settings",
            hint="Run `rich-agent setup` here, or change to the folder of the bot.",
        )
    absent = [
        name
        for name in sorted(all_settings())
        for variable in (name, f"{name}_FILE")
        if os.environ.get(variable) and not {name, f"{name}_FILE"} & values.keys()
    ]
    absent += [
        name
        for name in sorted(OF_LIBRARIES - values.keys())
        if os.environ.get(name) or os.environ.get(name.lower())
    ]
    if "TELEGRAM_BOT_TOKEN" in absent:
        raise SettingsError(
            "TELEGRAM_BOT_TOKEN",
            "is only in the environment of this shell",
            hint=f"Write it into {folder / ENV_FILE}, where the service reads it.",
        )
    if absent:
        err(
            f"The service does not see what only this shell has: {', '.join(absent)}. Write it "
            f"into {folder / ENV_FILE}."
        )
    launch = Launch(_own_command(), folder, os.environ.get("PATH", os.defpath))
    _check_words(launch)
    return launch


def _check_words(launch: Launch) -> None:
    """Check that the file of a service can hold what it is to start. Raises: RichAgentError."""
    folder = str(launch.folder)
    for word in (folder, *launch.command, launch.search_path):
        if any(category(sign) in {"Cc", "Cs"} for sign in word):  # Cs: a byte that is not UTF-8
            raise RichAgentError(
                f"the file of a service cannot hold {word!a}",
                hint="Give the folder a name without control characters and in UTF-8, or take "
                "such a folder out of PATH.",
            )
    if folder.endswith(("\\", " ")):
        raise RichAgentError(
            f"the file of a service cannot hold {folder!a}",
            hint="Give the folder a name that ends neither with a backslash nor with a blank.",
        )


def _own_command() -> tuple[str, ...]:
    """The command of this program. Raises: RichAgentError if its files may soon be deleted."""
    if "archive-v0" in Path(sys.prefix).parts:
        raise RichAgentError(
            f"this program is only in a cache of uv ({sys.prefix})",
            hint="Install it with `uv tool install`, and call `rich-agent` instead of `uvx`.",
        )
    program = Path(sys.argv[0]).absolute()
    if program.name == "rich-agent" and os.access(program, os.X_OK):
        return (str(program),)
    return (sys.executable, "-m", "rich_agent.cli")


def _write(file: Path, content: bytes) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    except OSError as error:
        raise RichAgentError(
            f"{file} cannot be written: {error.strerror}", hint="Make its folder writable."
        ) from error


def _start_at_boot(systemd: SystemdUser, *, is_sure: bool) -> None:
    """Have it start at boot, if this is wished: a person is asked at a terminal."""
    if systemd.lingers():
        err("  it starts at boot")
        return
    command = systemd.linger_command()
    question = "  It ends when you log out. Have it start at boot, without a login?"
    if is_sure or (sys.stdin.isatty() and typer.confirm(question, default=True)):
        outcome = run_manager(command)
        if outcome.returncode == 0:
            err("  it starts at boot")
            return
        err(f"  {' '.join(command)}: {outcome.stderr.strip()}")
    err(
        "  It starts when you log in, and ends when you log out. To have it start at boot: "
        f"sudo {' '.join(command)}"
    )


def _show_commands(commands: Sequence[Sequence[str]]) -> None:
    for command in commands:
        out(f"would run {' '.join(command)}")
