"""`rich-agent settings`: every setting with its value, and changes while the bot runs."""

import asyncio
from typing import Any

from rich_agent.composition.live_settings import load_live_settings
from rich_agent.composition.repositories import open_repositories
from rich_agent.composition.storage import has_database
from rich_agent.domain.text import shorten
from rich_agent.errors import SettingsError
from rich_agent.ports.audit import AuditedChange
from rich_agent.runtime.logs import configure_logging
from rich_agent.settings.live import LiveSettings, changeable
from rich_agent.settings.overview import SettingState, list_settings
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import out, out_json, show_table

_COLUMNS = ("setting", "value", "from", "changes while the bot runs")
_VALUE_CHARS = 60


def show_settings(*, as_json: bool) -> None:
    """Print all settings; of secrets, only whether they are set.

    Raises: InvalidSettingsError, DatabaseUnavailableError, SchemaError.
    """
    live = asyncio.run(_load(_read_settings()))
    states = list(list_settings(live))
    if as_json:
        out_json([_to_json(state) for state in states])
        return
    show_table(_COLUMNS, [_row(state) for state in states])
    for problem in live.refused.values():
        out(f"left out: {problem.explain()}")


def set_setting(name: str, value: str | None, *, as_json: bool) -> None:
    """Store another value, or None for the one of the environment; print both.

    Raises: SettingsError if the value is wrong, or the setting does not change; ...
    """
    name = name.upper()
    earlier_value, live = asyncio.run(_change(_read_settings(), name, value))
    state = next((one for one in list_settings(live) if one.name == name), None)
    present_value = state.value if state else ""
    if as_json:
        out_json({"name": name, "value": present_value, "earlier_value": earlier_value})
        return
    origin = f" ({_origin(state)})" if state else ""
    out(f"{name} is now {present_value or 'unset'}{origin}.")
    out("Running processes have it within seconds.")


def _read_settings() -> Settings:
    settings = Settings.load()
    configure_logging(settings.logs.format, "error", settings.secrets)
    return settings


async def _load(settings: Settings) -> LiveSettings:
    if not has_database(settings):
        return LiveSettings(settings)
    async with open_repositories(settings) as repositories:
        return await load_live_settings(settings, repositories.setting_changes)


async def _change(
    settings: Settings, name: str, value: str | None
) -> tuple[str | None, LiveSettings]:
    if value is not None:
        changeable(name)  # before a database is opened
    async with open_repositories(settings) as repositories:
        changes = repositories.setting_changes
        live = await load_live_settings(settings, changes)
        if value is None and name not in await changes.present():
            raise SettingsError(
                name, "was not changed", hint="`rich-agent settings` lists all settings."
            )
        action = "settings.unset" if value is None else "settings.change"
        audited = AuditedChange(None, action, name, {"old": _value(live, name)}, origin="shell")
        async with repositories.audit.change(audited):
            earlier_value = await changes.change(name, value, None, live.check)
            changed = await load_live_settings(settings, changes)
            audited.details["new"] = _value(changed, name)
        return earlier_value, changed


def _value(live: LiveSettings, name: str) -> str:
    """The value of a setting in effect, "" for a name that is no setting any more."""
    return next((state.value for state in list_settings(live) if state.name == name), "")


def _row(state: SettingState) -> tuple[str, ...]:
    value_text = ("set" if state.is_set else "not set") if state.is_secret else state.value
    can_change = "yes" if state.setting.changes_at_run_time else ""
    return state.name, shorten(value_text, _VALUE_CHARS), _origin(state), can_change


def _origin(state: SettingState) -> str:
    if state.origin == "changed":
        source = f"; {state.start_origin}: {state.start_value or 'unset'}"
        return f"changed here{shorten(source, _VALUE_CHARS)}"
    return state.origin


def _to_json(state: SettingState) -> dict[str, Any]:
    return {
        "name": state.name,
        "group": state.group,
        "value": None if state.is_secret else state.value,
        "is_secret": state.is_secret,
        "is_set": state.is_set,
        "origin": state.origin,
        "start_value": None if state.is_secret else state.start_value,
        "start_origin": state.start_origin,
        "default": state.default,
        "changes_at_run_time": state.setting.changes_at_run_time,
        "description": state.setting.description,
        "problem": str(state.problem) if state.problem else None,
    }
