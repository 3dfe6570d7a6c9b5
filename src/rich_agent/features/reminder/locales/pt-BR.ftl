command-reminders = Seus lembretes, horas de silêncio e resumo diário
reminder-help = • Avisar você na hora que pedir: /reminders.
tool-remind = Criar um lembrete
tool-list_reminders = Seus lembretes
tool-cancel_reminder = Cancelar um lembrete
tool-snooze_reminder = Adiar um lembrete
doing-remind = Criando um lembrete…
doing-list_reminders = Olhando seus lembretes…
doing-cancel_reminder = Cancelando um lembrete…
doing-snooze_reminder = Adiando um lembrete…
argument-text = Texto
argument-when = Quando
argument-time_zone = Fuso horário
argument-kind = Tipo
argument-schedule_id = Lembrete
argument-until = Até
value-reminder = lembrete
value-prompt = pergunta que responderei na hora
reminder-came = ⏰ { $text }
reminder-delayed = (com atraso, era para: { $at })
reminder-snoozed = Vou lembrar você de novo: { $at }
reminder-done = ✓ { $text }
reminder-next = Próxima vez: { $at }
reminder-set = Lembrete: { $text } – { $at }
reminder-cancelled = Lembrete cancelado: { $text }
reminder-put-off = Lembrete adiado: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· adiado
        [paused] {" "}· em pausa
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] Você não tem lembretes. Escreva o que devo lembrar e quando.
        [one] Você tem 1 lembrete:
       *[other] Você tem { $count } lembretes:
    }
reminders-usage =
    /reminders – o que vem por aí
    /reminders quiet 22:00-07:00 – sem lembretes nessas horas; /reminders quiet off
    /reminders digest 08:00 – o que está marcado para o dia, todo dia; /reminders digest off
reminder-button-done = ✓ Feito
reminder-button-snooze-10m = 10 min
reminder-button-snooze-1h = 1 h
reminder-button-snooze-1d = Amanhã
reminder-button-quiet =
    { $hours ->
        [none] 🌙 Horas de silêncio: não
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ Resumo diário: não
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] Não há mais horas de silêncio.
       *[other] Lembretes marcados para { $hours } vão esperar essas horas passarem.
    }
reminder-digest-time =
    { $clock ->
        [none] Você não vai mais receber o resumo diário.
       *[other] Você vai receber um resumo todo dia às { $clock }.
    }
reminder-digest-request =
    Escreva meu resumo de hoje, { $day }: o que está marcado, o que vence e o que não devo esquecer. { $count ->
        [0] Não há lembretes hoje.
       *[other] Meus lembretes de hoje:
    }
reminder-set-aside = Desculpe, chegou a hora de algo que você tinha agendado, mas travei várias vezes. Deixei isso separado para meu operador.
reminder-ask-time-zone = Para lembrar você na hora certa, preciso saber seu fuso horário. Em que cidade você está?
reminder-time-zone-needed = Ainda não sei qual é o seu fuso horário. Escolha primeiro com /timezone.

# The pages of users.
reminder-page = Lembretes
reminder-quiet-and-digest = Horas de silêncio e resumo diário
reminder-quiet-from = Silêncio a partir de
reminder-quiet-until = Silêncio até
reminder-digest-at = Resumo diário às (vazio: nenhum)
reminder-repeats = Repetição
reminder-once = uma vez
reminder-workdays = em dias úteis (seg–sex)
