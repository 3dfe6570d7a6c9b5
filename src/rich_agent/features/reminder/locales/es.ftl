command-reminders = Tus recordatorios, horas de silencio y resumen diario
reminder-help = • Recordarte cosas cuando lo pidas: /reminders.
tool-remind = Poner un recordatorio
tool-list_reminders = Tus recordatorios
tool-cancel_reminder = Cancelar un recordatorio
tool-snooze_reminder = Aplazar un recordatorio
doing-remind = Poniendo un recordatorio…
doing-list_reminders = Mirando tus recordatorios…
doing-cancel_reminder = Cancelando un recordatorio…
doing-snooze_reminder = Aplazando un recordatorio…
argument-text = Texto
argument-when = Cuándo
argument-time_zone = Zona horaria
argument-kind = Tipo
argument-schedule_id = Recordatorio
argument-until = Hasta
value-reminder = recordatorio
value-prompt = pregunta que responderé entonces
reminder-came = ⏰ { $text }
reminder-delayed = (con retraso, era para: { $at })
reminder-snoozed = Te lo recordaré de nuevo: { $at }
reminder-done = ✓ { $text }
reminder-next = La próxima vez: { $at }
reminder-set = Recordatorio: { $text } – { $at }
reminder-cancelled = Recordatorio cancelado: { $text }
reminder-put-off = Recordatorio aplazado: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· aplazado
        [paused] {" "}· en pausa
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] No tienes recordatorios. Escríbeme qué debo recordarte y cuándo.
        [one] Tienes 1 recordatorio:
       *[other] Tienes { $count } recordatorios:
    }
reminders-usage =
    /reminders – lo que está por venir
    /reminders quiet 22:00-07:00 – sin recordatorios en esas horas; /reminders quiet off
    /reminders digest 08:00 – lo previsto para el día, cada día; /reminders digest off
reminder-button-done = ✓ Hecho
reminder-button-snooze-10m = 10 min
reminder-button-snooze-1h = 1 h
reminder-button-snooze-1d = Mañana
reminder-button-quiet =
    { $hours ->
        [none] 🌙 Horas de silencio: no
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ Resumen diario: no
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] Ya no hay horas de silencio.
       *[other] Los recordatorios que toquen entre { $hours } esperarán a que pasen esas horas.
    }
reminder-digest-time =
    { $clock ->
        [none] Ya no recibirás el resumen diario.
       *[other] Recibirás un resumen cada día a las { $clock }.
    }
reminder-digest-request =
    Escribe mi resumen de hoy, { $day }: qué está previsto, qué vence y qué no debo olvidar. { $count ->
        [0] Hoy no hay recordatorios.
       *[other] Mis recordatorios de hoy:
    }
reminder-set-aside = Lo siento, había llegado la hora de algo que programaste, pero me atasqué varias veces. Se lo he dejado a mi operador.
reminder-ask-time-zone = Para recordártelo a tiempo necesito saber tu zona horaria. ¿En qué ciudad estás?
reminder-time-zone-needed = Todavía no sé cuál es tu zona horaria. Elígela primero con /timezone.

# The pages of users.
reminder-page = Recordatorios
reminder-quiet-and-digest = Horas de silencio y resumen diario
reminder-quiet-from = Silencio desde
reminder-quiet-until = Silencio hasta
reminder-digest-at = Resumen diario a las (vacío: ninguno)
reminder-repeats = Repetición
reminder-once = una vez
reminder-workdays = en días laborables (lu–vi)
