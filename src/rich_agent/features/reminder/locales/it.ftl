command-reminders = I tuoi promemoria, le ore di silenzio e il riepilogo quotidiano
reminder-help = • Ricordarti le cose quando lo chiedi: /reminders.
tool-remind = Creare un promemoria
tool-list_reminders = I tuoi promemoria
tool-cancel_reminder = Annullare un promemoria
tool-snooze_reminder = Rimandare un promemoria
doing-remind = Creo un promemoria…
doing-list_reminders = Guardo i tuoi promemoria…
doing-cancel_reminder = Annullo un promemoria…
doing-snooze_reminder = Rimando un promemoria…
argument-text = Testo
argument-when = Quando
argument-time_zone = Fuso orario
argument-kind = Tipo
argument-schedule_id = Promemoria
argument-until = Fino a
value-reminder = promemoria
value-prompt = domanda a cui risponderò allora
reminder-came = ⏰ { $text }
reminder-delayed = (in ritardo, era previsto: { $at })
reminder-snoozed = Te lo ricorderò di nuovo: { $at }
reminder-done = ✓ { $text }
reminder-next = La prossima volta: { $at }
reminder-set = Promemoria: { $text } – { $at }
reminder-cancelled = Promemoria annullato: { $text }
reminder-put-off = Promemoria rimandato: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· rimandato
        [paused] {" "}· in pausa
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] Non hai promemoria. Scrivimi cosa devo ricordarti e quando.
        [one] Hai 1 promemoria:
       *[other] Hai { $count } promemoria:
    }
reminders-usage =
    /reminders – quello che verrà
    /reminders quiet 22:00-07:00 – nessun promemoria in queste ore; /reminders quiet off
    /reminders digest 08:00 – il programma della giornata, ogni giorno; /reminders digest off
reminder-button-done = ✓ Fatto
reminder-button-snooze-10m = 10 min
reminder-button-snooze-1h = 1 h
reminder-button-snooze-1d = Domani
reminder-button-quiet =
    { $hours ->
        [none] 🌙 Ore di silenzio: no
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ Riepilogo: no
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] Non ci sono più ore di silenzio.
       *[other] I promemoria previsti nella fascia { $hours } aspetteranno la fine di queste ore.
    }
reminder-digest-time =
    { $clock ->
        [none] Non riceverai più il riepilogo quotidiano.
       *[other] Riceverai un riepilogo ogni giorno alle { $clock }.
    }
reminder-digest-request =
    Scrivi il mio riepilogo di oggi, { $day }: cosa è previsto, cosa scade e cosa non devo dimenticare. { $count ->
        [0] Oggi non ci sono promemoria.
       *[other] I miei promemoria di oggi:
    }
reminder-set-aside = Mi dispiace, era il momento di qualcosa che avevi programmato, ma mi sono bloccato più volte. L’ho messo da parte per il mio gestore.
reminder-ask-time-zone = Per ricordartelo in tempo devo conoscere il tuo fuso orario. In che città sei?
reminder-time-zone-needed = Non conosco ancora il tuo fuso orario. Sceglilo prima con /timezone.

# The pages of users.
reminder-page = Promemoria
reminder-quiet-and-digest = Ore di silenzio e riepilogo giornaliero
reminder-quiet-from = Silenzio dalle
reminder-quiet-until = Silenzio fino alle
reminder-digest-at = Riepilogo giornaliero alle (vuoto: nessuno)
reminder-repeats = Ripetizione
reminder-once = una volta
reminder-workdays = nei giorni feriali (lun–ven)
