command-broadcast = Написать всем: /broadcast ТЕКСТ
broadcast-usage = Напишите текст после команды, например: /broadcast В полдень я буду недоступен. Перед отправкой я попрошу подтверждения.
broadcast-confirm =
    { $count ->
        [one] Отправить этот текст { $count } пользователю?
        [few] Отправить этот текст { $count } пользователям?
        [many] Отправить этот текст { $count } пользователям?
       *[other] Отправить этот текст { $count } пользователя?
    }
broadcast-send = Отправить
broadcast-drop = Не отправлять
broadcast-dropped = Ничего не отправлено.
broadcast-sending = Отправляю. О результате сообщу здесь.
broadcast-cancel = Отменить
broadcast-cancelling = Больше копий я не отправлю.
broadcast-done = Рассылка завершена. Отправлено: { $sent }, заблокировано: { $blocked }, не удалось: { $failed }, неизвестно: { $unknown }, в очереди: { $pending }.
broadcast-cancelled = Рассылка отменена. Отправлено: { $sent }, заблокировано: { $blocked }, не удалось: { $failed }, неизвестно: { $unknown }, не отправлено: { $pending }.
