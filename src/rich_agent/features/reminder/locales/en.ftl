command-reminders = Your reminders, quiet hours and daily digest
reminder-help = • Remind you when you say so: /reminders.
tool-remind = Set a reminder
tool-list_reminders = Your reminders
tool-cancel_reminder = Cancel a reminder
tool-snooze_reminder = Put a reminder off
doing-remind = Setting a reminder…
doing-list_reminders = Looking through your reminders…
doing-cancel_reminder = Cancelling a reminder…
doing-snooze_reminder = Putting a reminder off…
argument-text = Text
argument-when = When
argument-time_zone = Time zone
argument-kind = Kind
argument-schedule_id = Reminder
argument-until = Until
value-reminder = reminder
value-prompt = question that I answer then
reminder-came = ⏰ { $text }
reminder-delayed = (delayed: it was due { $at })
reminder-snoozed = I will remind you again: { $at }
reminder-done = ✓ { $text }
reminder-next = Next time: { $at }
reminder-set = Reminder: { $text } – { $at }
reminder-cancelled = Reminder cancelled: { $text }
reminder-put-off = Reminder put off: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· put off
        [paused] {" "}· paused
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] You have no reminders. Write to me what I should remind you of, and when.
        [one] You have 1 reminder:
       *[other] You have { $count } reminders:
    }
reminders-usage =
    /reminders – what is to come
    /reminders quiet 22:00-07:00 – no reminders in these hours; /reminders quiet off
    /reminders digest 08:00 – what is planned for the day, every day; /reminders digest off
reminder-button-done = ✓ Done
reminder-button-snooze-10m = 10 min
reminder-button-snooze-1h = 1 h
reminder-button-snooze-1d = Tomorrow
reminder-button-quiet =
    { $hours ->
        [none] 🌙 Quiet hours: off
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ Daily digest: off
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] There are no quiet hours any more.
       *[other] Reminders that are due between { $hours } will wait until these hours are over.
    }
reminder-digest-time =
    { $clock ->
        [none] You will get no daily digest any more.
       *[other] You will get a digest every day at { $clock }.
    }
reminder-digest-request =
    Write my digest for today, { $day }: what is planned, what is due, and what I should not forget. { $count ->
        [0] There are no reminders today.
       *[other] My reminders today:
    }
reminder-set-aside = Sorry, something that you had scheduled was due, but I got stuck several times while bringing it. I have set it aside for my operator.
reminder-ask-time-zone = To remind you on time, I have to know your time zone. In which city are you?
reminder-time-zone-needed = I do not know your time zone yet. Choose it with /timezone first.

# The pages of users.
reminder-page = Reminders
reminder-quiet-and-digest = Quiet hours and daily digest
reminder-quiet-from = Quiet from
reminder-quiet-until = Quiet until
reminder-digest-at = Daily digest at (empty: none)
reminder-repeats = Repeats
reminder-once = once
reminder-workdays = on workdays (Mon–Fri)
