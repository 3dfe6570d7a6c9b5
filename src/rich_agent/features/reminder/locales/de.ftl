command-reminders = Deine Erinnerungen, Ruhezeiten und Tagesübersicht
reminder-help = • Dich erinnern, wenn du es sagst: /reminders.
tool-remind = Eine Erinnerung setzen
tool-list_reminders = Deine Erinnerungen
tool-cancel_reminder = Eine Erinnerung löschen
tool-snooze_reminder = Eine Erinnerung verschieben
doing-remind = Ich setze eine Erinnerung…
doing-list_reminders = Ich sehe deine Erinnerungen durch…
doing-cancel_reminder = Ich lösche eine Erinnerung…
doing-snooze_reminder = Ich verschiebe eine Erinnerung…
argument-text = Text
argument-when = Wann
argument-time_zone = Zeitzone
argument-kind = Art
argument-schedule_id = Erinnerung
argument-until = Bis
value-reminder = Erinnerung
value-prompt = Frage, die ich dann beantworte
reminder-came = ⏰ { $text }
reminder-delayed = (verspätet, fällig: { $at })
reminder-snoozed = Ich erinnere dich noch einmal: { $at }
reminder-done = ✓ { $text }
reminder-next = Nächstes Mal: { $at }
reminder-set = Erinnerung: { $text } – { $at }
reminder-cancelled = Erinnerung gelöscht: { $text }
reminder-put-off = Erinnerung verschoben: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· verschoben
        [paused] {" "}· pausiert
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] Du hast keine Erinnerungen. Schreib mir, woran ich dich erinnern soll, und wann.
        [one] Du hast 1 Erinnerung:
       *[other] Du hast { $count } Erinnerungen:
    }
reminders-usage =
    /reminders – was noch kommt
    /reminders quiet 22:00-07:00 – keine Erinnerungen in diesen Stunden; /reminders quiet off
    /reminders digest 08:00 – was am Tag geplant ist, jeden Tag; /reminders digest off
reminder-button-done = ✓ Erledigt
reminder-button-snooze-10m = 10 min
reminder-button-snooze-1h = 1 Std.
reminder-button-snooze-1d = Morgen
reminder-button-quiet =
    { $hours ->
        [none] 🌙 Ruhezeit: aus
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ Tagesübersicht: aus
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] Es gibt keine Ruhezeit mehr.
       *[other] Erinnerungen, die zwischen { $hours } fällig sind, warten, bis diese Zeit vorbei ist.
    }
reminder-digest-time =
    { $clock ->
        [none] Du bekommst keine Tagesübersicht mehr.
       *[other] Du bekommst jeden Tag um { $clock } eine Übersicht.
    }
reminder-digest-request =
    Schreib meine Übersicht für heute, { $day }: was geplant ist, was fällig ist und was ich nicht vergessen soll. { $count ->
        [0] Heute gibt es keine Erinnerungen.
       *[other] Meine Erinnerungen heute:
    }
reminder-set-aside = Tut mir leid, etwas von dir Geplantes war fällig, aber ich bin mehrmals dabei hängen geblieben. Ich habe es für meinen Betreiber zurückgelegt.
reminder-ask-time-zone = Um dich pünktlich zu erinnern, muss ich deine Zeitzone kennen. In welcher Stadt bist du?
reminder-time-zone-needed = Ich kenne deine Zeitzone noch nicht. Wähl sie zuerst mit /timezone.

# The pages of users.
reminder-page = Erinnerungen
reminder-quiet-and-digest = Ruhezeiten und Tagesüberblick
reminder-quiet-from = Ruhe von
reminder-quiet-until = Ruhe bis
reminder-digest-at = Tagesüberblick um (leer: keiner)
reminder-repeats = Wiederholung
reminder-once = einmal
reminder-workdays = an Werktagen (Mo–Fr)
