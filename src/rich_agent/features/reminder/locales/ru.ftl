command-reminders = Напоминания, тихие часы и сводка дня
reminder-help = • Напоминаю, о чём попросите: /reminders.
tool-remind = Новое напоминание
tool-list_reminders = Ваши напоминания
tool-cancel_reminder = Отмена напоминания
tool-snooze_reminder = Перенос напоминания
doing-remind = Создаю напоминание…
doing-list_reminders = Просматриваю ваши напоминания…
doing-cancel_reminder = Отменяю напоминание…
doing-snooze_reminder = Переношу напоминание…
argument-text = Текст
argument-when = Когда
argument-time_zone = Часовой пояс
argument-kind = Вид
argument-schedule_id = Напоминание
argument-until = До
value-reminder = напоминание
value-prompt = вопрос, на который я тогда отвечу
reminder-came = ⏰ { $text }
reminder-delayed = (с опозданием, срок был: { $at })
reminder-snoozed = Напомню ещё раз: { $at }
reminder-done = ✓ { $text }
reminder-next = Следующий раз: { $at }
reminder-set = Напоминание: { $text } – { $at }
reminder-cancelled = Напоминание отменено: { $text }
reminder-put-off = Напоминание перенесено: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· перенесено
        [paused] {" "}· приостановлено
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] Напоминаний нет. Напишите, о чём и когда вам напомнить.
        [one] У вас { $count } напоминание:
        [few] У вас { $count } напоминания:
        [many] У вас { $count } напоминаний:
       *[other] У вас { $count } напоминания:
    }
reminders-usage =
    /reminders – что впереди
    /reminders quiet 22:00-07:00 – в эти часы без напоминаний; /reminders quiet off отключает
    /reminders digest 08:00 – каждый день сводка планов на день; /reminders digest off отключает
reminder-button-done = ✓ Готово
reminder-button-snooze-10m = 10 мин
reminder-button-snooze-1h = 1 ч
reminder-button-snooze-1d = Завтра
reminder-button-quiet =
    { $hours ->
        [none] 🌙 Тихие часы: нет
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ Сводка дня: нет
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] Тихих часов больше нет.
       *[other] Напоминания на время { $hours } подождут, пока оно не пройдёт.
    }
reminder-digest-time =
    { $clock ->
        [none] Сводка дня больше приходить не будет.
       *[other] Сводка будет приходить каждый день в { $clock }.
    }
reminder-digest-request =
    Напиши мою сводку на сегодня, { $day }: что запланировано, какие сроки и о чём не забыть. { $count ->
        [0] Напоминаний на сегодня нет.
       *[other] Мои напоминания на сегодня:
    }
reminder-set-aside = Извините, подошло время того, что вы запланировали, но я несколько раз на этом завис. Это отложено для моего оператора.
reminder-ask-time-zone = Чтобы напоминать вовремя, мне нужно знать ваш часовой пояс. В каком вы городе?
reminder-time-zone-needed = Я ещё не знаю ваш часовой пояс. Сначала выберите его в /timezone.

# The pages of users.
reminder-page = Напоминания
reminder-quiet-and-digest = Тихие часы и ежедневная сводка
reminder-quiet-from = Тихо с
reminder-quiet-until = Тихо до
reminder-digest-at = Ежедневная сводка в (пусто: нет)
reminder-repeats = Повтор
reminder-once = один раз
reminder-workdays = по будням (пн–пт)
