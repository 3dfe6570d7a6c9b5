command-reminders = Нагадування, тихі години й зведення дня
reminder-help = • Нагадую, про що попросите: /reminders.
tool-remind = Нове нагадування
tool-list_reminders = Ваші нагадування
tool-cancel_reminder = Скасування нагадування
tool-snooze_reminder = Перенесення нагадування
doing-remind = Створюю нагадування…
doing-list_reminders = Переглядаю ваші нагадування…
doing-cancel_reminder = Скасовую нагадування…
doing-snooze_reminder = Переношу нагадування…
argument-text = Текст
argument-when = Коли
argument-time_zone = Часовий пояс
argument-kind = Вид
argument-schedule_id = Нагадування
argument-until = До
value-reminder = нагадування
value-prompt = запитання, на яке я тоді відповім
reminder-came = ⏰ { $text }
reminder-delayed = (із запізненням, термін був: { $at })
reminder-snoozed = Нагадаю ще раз: { $at }
reminder-done = ✓ { $text }
reminder-next = Наступного разу: { $at }
reminder-set = Нагадування: { $text } – { $at }
reminder-cancelled = Нагадування скасовано: { $text }
reminder-put-off = Нагадування перенесено: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· перенесено
        [paused] {" "}· призупинено
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] Нагадувань немає. Напишіть, про що й коли вам нагадати.
        [one] У вас { $count } нагадування:
        [few] У вас { $count } нагадування:
        [many] У вас { $count } нагадувань:
       *[other] У вас { $count } нагадування:
    }
reminders-usage =
    /reminders – що попереду
    /reminders quiet 22:00-07:00 – у ці години без нагадувань; /reminders quiet off вимикає
    /reminders digest 08:00 – щодня зведення планів на день; /reminders digest off вимикає
reminder-button-done = ✓ Готово
reminder-button-snooze-10m = 10 хв
reminder-button-snooze-1h = 1 год
reminder-button-snooze-1d = Завтра
reminder-button-quiet =
    { $hours ->
        [none] 🌙 Тихі години: немає
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ Зведення дня: немає
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] Тихих годин більше немає.
       *[other] Нагадування на час { $hours } почекають, доки він не мине.
    }
reminder-digest-time =
    { $clock ->
        [none] Зведення дня більше не надходитиме.
       *[other] Зведення надходитиме щодня о { $clock }.
    }
reminder-digest-request =
    Напиши моє зведення на сьогодні, { $day }: що заплановано, які терміни й про що не забути. { $count ->
        [0] Нагадувань на сьогодні немає.
       *[other] Мої нагадування на сьогодні:
    }
reminder-set-aside = Вибачте, настав час того, що ви запланували, але я кілька разів на цьому завис. Це відкладено для мого оператора.
reminder-ask-time-zone = Щоб нагадувати вчасно, мені треба знати ваш часовий пояс. У якому ви місті?
reminder-time-zone-needed = Я ще не знаю вашого часового поясу. Спершу виберіть його в /timezone.

# The pages of users.
reminder-page = Нагадування
reminder-quiet-and-digest = Тихі години та щоденний огляд
reminder-quiet-from = Тихо з
reminder-quiet-until = Тихо до
reminder-digest-at = Щоденний огляд о (порожньо: немає)
reminder-repeats = Повторення
reminder-once = один раз
reminder-workdays = у будні (пн–пт)
