"""The panels of reminders: those that are to come, quiet hours, and the digest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from rich_agent.feature import Arguments, Asker, Clocks, Outcome, Tool, ToolRefusedError, say
from rich_agent.feature.panels import (
    Panel,
    PanelButton,
    PanelContent,
    PanelField,
    PanelForm,
    PanelGroup,
    PanelRequest,
    PanelRow,
)
from rich_agent.feature.times import local_of, read_clock, read_quiet_hours, say_repeats
from rich_agent.features.reminder.commands import OFF, ReminderCommands
from rich_agent.features.reminder.records import MOST_REMINDERS
from rich_agent.features.reminder.reminder import Reminder
from rich_agent.features.reminder.tools import Remind, ReminderTools

_RULES = (
    *("FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "FREQ=WEEKLY", "FREQ=MONTHLY"),
    "FREQ=YEARLY",
)
_WORKDAYS = _RULES[1]
_SPANS = {"10m": "10 min", "1h": "1 h", "1d": "tomorrow"}
_LONGEST_TEXT = 1_000


class NewReminderForm(Arguments):
    """A reminder as a form has it."""

    text: str = Field(min_length=1, max_length=_LONGEST_TEXT)
    when: str = Field(min_length=1, max_length=40)
    repeats: str = Field("", max_length=100)


class QuietHoursForm(Arguments):
    """The hours in which nothing is sent that can wait; without both, there are none."""

    quiet_from: str = Field("", max_length=20)
    quiet_until: str = Field("", max_length=20)


class DigestForm(Arguments):
    """The time of the daily digest, "" for no digest."""

    digest_at: str = Field("", max_length=20)


@dataclass(frozen=True, slots=True)
class ReminderPanels:
    """Shows reminders and their settings, and changes them with the tools of the chat."""

    commands: ReminderCommands
    tools: ReminderTools

    def panels(self) -> Sequence[Panel]:
        """The panel of reminders, and that of their settings."""
        of_chat = {tool.name: tool for tool in self.tools.tools()}
        undo = self.tools.undo
        remind = Tool("set_reminder", "", NewReminderForm, self._remind, "change", undo)
        return (
            Panel(
                name="reminders",
                heading="reminder-page",
                compose=self.compose,
                tools=(remind, of_chat["cancel_reminder"], of_chat["snooze_reminder"]),
                order=40,
            ),
            Panel(
                name="reminder_settings",
                heading="reminder-quiet-and-digest",
                compose=self.compose_settings,
                tools=(
                    Tool(
                        "keep_quiet_hours",
                        "",
                        QuietHoursForm,
                        self._quiet,
                        "change",
                        self._quiet_back,
                    ),
                    Tool("keep_digest", "", DigestForm, self._digest, "change", self._digest_back),
                ),
                page="settings",
                order=60,
            ),
        )

    async def compose(self, request: PanelRequest) -> PanelContent:
        """All reminders that are to come, and the form that adds one."""
        locale = request.locale
        reminders, _ = await self.tools.reminders.upcoming(request.user_id, 0, MOST_REMINDERS)
        rows = [_row(reminder, request) for reminder in reminders]
        return PanelContent(
            groups=[PanelGroup(rows)] if rows else (),
            sentences=() if rows else [say(locale, "reminders-known", count=0)],
            forms=[
                PanelForm(
                    say(locale, "tool-remind"),
                    "set_reminder",
                    [
                        PanelField("text", is_required=True, most=_LONGEST_TEXT),
                        PanelField("when", kind="moment", is_required=True),
                        _repeats_field(locale),
                    ],
                )
            ],
        )

    async def compose_settings(self, request: PanelRequest) -> PanelContent:
        """The forms for quiet hours and the digest."""
        locale, quiet = request.locale, request.account.quiet_hours
        digest = await self.tools.reminders.digest(request.user_id)
        hours = (f"{quiet.begin:%H:%M}", f"{quiet.end:%H:%M}") if quiet else ("", "")
        digest_at = f"{digest.local_start:%H:%M}" if digest else ""
        save = say(locale, "panel-save")
        return PanelContent(
            forms=[
                PanelForm(
                    save,
                    "keep_quiet_hours",
                    [
                        PanelField(name, value, "time", label=say(locale, f"reminder-{key}"))
                        for name, key, value in (
                            ("quiet_from", "quiet-from", hours[0]),
                            ("quiet_until", "quiet-until", hours[1]),
                        )
                    ],
                ),
                PanelForm(
                    save,
                    "keep_digest",
                    [
                        PanelField(
                            "digest_at", digest_at, "time", label=say(locale, "reminder-digest-at")
                        )
                    ],
                ),
            ]
        )

    async def _remind(self, new: NewReminderForm, asker: Asker) -> Outcome:
        """Add a reminder as the tool of the chat does. Raises: ToolRefusedError."""
        rule = f" RRULE:{new.repeats}" if new.repeats in _RULES else ""
        arguments = Remind(text=new.text, when=f"{new.when}{rule}", time_zone=None, kind="reminder")
        return await self.tools.remind(arguments, asker)

    async def _quiet(self, new: QuietHoursForm, asker: Asker) -> Outcome:
        """Keep the quiet hours, or end them. Raises: ToolRefusedError."""
        before = (await self.commands.accounts.find(asker.user_id)).quiet_hours
        hours = f"{new.quiet_from}-{new.quiet_until}"
        if hours == "-":
            hours = OFF
        elif read_quiet_hours(hours) is None:
            raise ToolRefusedError("quiet_from, quiet_until: write two times as HH:MM.")
        done = await self._keep_quiet(hours, asker)
        return Outcome({}, done=done, undo={"hours": before.text if before else OFF})

    async def _quiet_back(self, undo: Mapping[str, Any], asker: Asker) -> str:
        """Restore the quiet hours of before."""
        return await self._keep_quiet(undo["hours"], asker)

    async def _keep_quiet(self, hours: str, asker: Asker) -> str:
        clocks = await self._clocks(asker)
        return await self.commands.keep_quiet_hours(asker.user_id, hours, clocks)

    async def _digest(self, new: DigestForm, asker: Asker) -> Outcome:
        """Keep the time of the digest, or end it. Raises: ToolRefusedError."""
        before = await self.commands.reminders.digest(asker.user_id)
        clocks = await self._clocks(asker)
        if new.digest_at and read_clock(new.digest_at) is None:
            raise ToolRefusedError("digest_at: write a time as HH:MM.")
        if new.digest_at and not clocks.zone:
            sentence = say(asker.locale, "reminder-time-zone-needed")
            raise ToolRefusedError("The time zone is not known.", question=sentence)
        done = await self.commands.keep_digest(asker.user_id, new.digest_at or OFF, clocks)
        return Outcome({}, done=done, undo={"at": f"{before.local_start:%H:%M}" if before else OFF})

    async def _digest_back(self, undo: Mapping[str, Any], asker: Asker) -> str:
        """Restore the time of the digest of before."""
        return await self.commands.keep_digest(asker.user_id, undo["at"], await self._clocks(asker))

    async def _clocks(self, asker: Asker) -> Clocks:
        zone = (await self.commands.accounts.find(asker.user_id)).time_zone
        return Clocks(asker.locale, zone)


def _row(reminder: Reminder, request: PanelRequest) -> PanelRow:
    locale, clocks = request.locale, request.clocks
    of_reminder = {"schedule_id": reminder.id}
    at = reminder.arrives_at(request.account.quiet_hours)
    repeats = say_repeats(reminder.rrule, locale)
    put_off = [
        PanelButton(
            say(locale, f"reminder-button-snooze-{span}"),
            "snooze_reminder",
            {**of_reminder, "until": until},
        )
        for span, until in _SPANS.items()
    ]
    local = f"{local_of(at, reminder.tz):%Y-%m-%dT%H:%M}" if at else ""
    until = PanelField("until", local, "moment", is_required=True)
    return PanelRow(
        key=f"reminder-{reminder.id}",
        text=reminder.text,
        details=[*([clocks.moment(at)] if at else ()), *([repeats] if repeats else ())],
        buttons=[
            *put_off,
            PanelButton(say(locale, "tool-cancel_reminder"), "cancel_reminder", of_reminder),
        ],
        forms=[
            PanelForm(say(locale, "tool-snooze_reminder"), "snooze_reminder", [until], of_reminder)
        ],
    )


def _repeats_field(locale: str) -> PanelField:
    choices = [("", say(locale, "reminder-once"))]
    for rule in _RULES:
        label = say(locale, "reminder-workdays") if rule == _WORKDAYS else say_repeats(rule, locale)
        choices.append((rule, label))
    label = say(locale, "reminder-repeats")
    return PanelField("repeats", "", "choice", choices, label=label)
