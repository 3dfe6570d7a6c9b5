command-broadcast = Написати всім: /broadcast ТЕКСТ
broadcast-usage = Напишіть текст після команди, наприклад: /broadcast Опівдні я буду недоступний. Перед надсиланням я попрошу підтвердження.
broadcast-confirm =
    { $count ->
        [one] Надіслати цей текст { $count } користувачу?
        [few] Надіслати цей текст { $count } користувачам?
        [many] Надіслати цей текст { $count } користувачам?
       *[other] Надіслати цей текст { $count } користувача?
    }
broadcast-send = Надіслати
broadcast-drop = Не надсилати
broadcast-dropped = Нічого не надіслано.
broadcast-sending = Надсилаю. Про результат повідомлю тут.
broadcast-cancel = Скасувати
broadcast-cancelling = Більше копій я не надішлю.
broadcast-done = Розсилку завершено. Надіслано: { $sent }, заблоковано: { $blocked }, не вдалося: { $failed }, невідомо: { $unknown }, у черзі: { $pending }.
broadcast-cancelled = Розсилку скасовано. Надіслано: { $sent }, заблоковано: { $blocked }, не вдалося: { $failed }, невідомо: { $unknown }, не надіслано: { $pending }.
