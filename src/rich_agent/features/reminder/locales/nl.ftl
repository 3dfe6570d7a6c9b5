command-reminders = Je herinneringen, stille uren en dagoverzicht
reminder-help = • Je ergens aan herinneren als je het vraagt: /reminders.
tool-remind = Een herinnering zetten
tool-list_reminders = Je herinneringen
tool-cancel_reminder = Een herinnering annuleren
tool-snooze_reminder = Een herinnering uitstellen
doing-remind = Ik zet een herinnering…
doing-list_reminders = Ik bekijk je herinneringen…
doing-cancel_reminder = Ik annuleer een herinnering…
doing-snooze_reminder = Ik stel een herinnering uit…
argument-text = Tekst
argument-when = Wanneer
argument-time_zone = Tijdzone
argument-kind = Soort
argument-schedule_id = Herinnering
argument-until = Tot
value-reminder = herinnering
value-prompt = vraag die ik dan beantwoord
reminder-came = ⏰ { $text }
reminder-delayed = (vertraagd, stond gepland: { $at })
reminder-snoozed = Ik herinner je er weer aan: { $at }
reminder-done = ✓ { $text }
reminder-next = Volgende keer: { $at }
reminder-set = Herinnering: { $text } – { $at }
reminder-cancelled = Herinnering geannuleerd: { $text }
reminder-put-off = Herinnering uitgesteld: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· uitgesteld
        [paused] {" "}· gepauzeerd
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] Je hebt geen herinneringen. Schrijf me waaraan ik je moet herinneren, en wanneer.
        [one] Je hebt 1 herinnering:
       *[other] Je hebt { $count } herinneringen:
    }
reminders-usage =
    /reminders – wat er nog komt
    /reminders quiet 22:00-07:00 – geen herinneringen in deze uren; /reminders quiet off
    /reminders digest 08:00 – wat er die dag gepland is, elke dag; /reminders digest off
reminder-button-done = ✓ Gedaan
reminder-button-snooze-10m = 10 min
reminder-button-snooze-1h = 1 uur
reminder-button-snooze-1d = Morgen
reminder-button-quiet =
    { $hours ->
        [none] 🌙 Stille uren: uit
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ Dagoverzicht: uit
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] Er zijn geen stille uren meer.
       *[other] Herinneringen in de uren { $hours } wachten tot deze uren voorbij zijn.
    }
reminder-digest-time =
    { $clock ->
        [none] Je krijgt geen dagoverzicht meer.
       *[other] Je krijgt elke dag om { $clock } een overzicht.
    }
reminder-digest-request =
    Schrijf mijn overzicht voor vandaag, { $day }: wat er gepland is, wat af moet en wat ik niet mag vergeten. { $count ->
        [0] Er zijn vandaag geen herinneringen.
       *[other] Mijn herinneringen vandaag:
    }
reminder-set-aside = Sorry, het was tijd voor iets wat je had gepland, maar ik liep meerdere keren vast. Ik heb het apart gezet voor mijn beheerder.
reminder-ask-time-zone = Om je op tijd te herinneren moet ik je tijdzone weten. In welke stad ben je?
reminder-time-zone-needed = Ik ken je tijdzone nog niet. Kies die eerst met /timezone.

# The pages of users.
reminder-page = Herinneringen
reminder-quiet-and-digest = Stille uren en dagoverzicht
reminder-quiet-from = Stil vanaf
reminder-quiet-until = Stil tot
reminder-digest-at = Dagoverzicht om (leeg: geen)
reminder-repeats = Herhaling
reminder-once = eenmalig
reminder-workdays = op werkdagen (ma–vr)
