# The turn
greeting = Здравствуйте! Спросите о чём угодно из моих документов или пришлите фото. Что я умею: /help.
greeting-named = Здравствуйте, { $name }! Спросите о чём угодно из моих документов или пришлите фото. Что я умею: /help.
thanks-reply = Пожалуйста!
farewell-reply = До свидания! Пишите в любое время.
help-reply = Задайте вопрос целиком, например «Какие у тебя источники?», или пришлите фото и напишите, что хотите узнать. Всё, что я умею, перечислено в /help.
laughter-reply = 😄
nothing-said = Здесь нет слов, которые я мог бы прочитать. Задайте вопрос или пришлите фото.
nothing-found = В подключённых источниках ничего не найдено.
nothing-found-files = В ваших файлах ничего не найдено.
nothing-found-answer = В подключённых источниках об этом ничего не найдено. Попробуйте другие слова или спросите «Какие у тебя источники?», чтобы увидеть, о чём они.
no-sources-yet = Ничего не найдено: источники ещё не подключены. Мой оператор может добавить их командой `ingest add-source`.
question-shortened = Сообщение слишком длинное, поэтому я прочитал только его начало и конец.
nothing-cited-web = Ни один результат из интернета этого не подтверждает.
unchecked = Сверить это с источниками не удалось. Прочитано: { $sources }
refused-rag = В подключённых источниках нет ответа на этот вопрос. Я посмотрел здесь:
refused-files = В ваших файлах нет ответа на этот вопрос. Я посмотрел здесь:
refused-web = Результаты из интернета не отвечают на этот вопрос. Я посмотрел здесь:
refused-rag-web = Ответа нет ни в подключённых источниках, ни в интернете. Я посмотрел здесь:
unsupported = Этого нет в источниках, проверьте: { $claims }
contradicted = В источниках сказано другое: { $claims }
unjudged = Сверить этот ответ с источниками не удалось.
unjudged-claims = Не сверено с источниками: { $claims }
uncomputed = Не вычислено по всем строкам таблицы, проверьте: { $claims }
catalogue-title = Подключённые документы
catalogue-counts =
    { $sources ->
        [one] { $sources } источник
        [few] { $sources } источника
        [many] { $sources } источников
       *[other] { $sources } источника
    }, { $documents ->
        [one] { $documents } документ
        [few] { $documents } документа
        [many] { $documents } документов
       *[other] { $documents } документа
    }. Названий в списке: { $shown }.
catalogue-sources = Источники
catalogue-source =
    { $name }: { $documents ->
        [one] { $documents } документ
        [few] { $documents } документа
        [many] { $documents } документов
       *[other] { $documents } документа
    }
catalogue-source-internal =
    { $name } (об этом ассистенте): { $documents ->
        [one] { $documents } документ
        [few] { $documents } документа
        [many] { $documents } документов
       *[other] { $documents } документа
    }
catalogue-matching = Документы по вашему вопросу
catalogue-others = Другие документы
your-photo = Ваше фото
web-unavailable = Не удалось выполнить поиск в интернете.
look-failed = Рассмотреть снимок подробнее не удалось, поэтому ответ опирается на первый взгляд.
stopped = (остановлено)
early-end-length = Ответ получился слишком длинным и обрывается здесь.
early-end-filtered = Фильтр содержимого на сервере модели остановил этот ответ. Попробуйте спросить иначе.
early-end-refused = Языковая модель отказалась отвечать на этот вопрос.
early-end-repeated = Языковая модель бесконечно повторялась, поэтому она остановлена.
early-end-deadline = Это заняло больше времени, чем отведено на одно сообщение, поэтому ответ здесь прерван.
answer-in-file = Этот ответ длинный. Выше — его начало, а в файле ниже — весь ответ целиком.
continue-button = Продолжить
continue-wish = Продолжи ответ с того места, где он оборвался.
stopped-at-once = Остановлено: я ещё ничего не успел написать.
web-nothing-found = Поиск в интернете ничего об этом не дал.
ask-about-image =
    Вот что я вижу: { $seen }

    Что вы хотите об этом узнать?
image-topic-describe = Опиши снимок
image-topic-text = Прочитай текст на снимке
image-topic-table = Объясни таблицу
image-topic-search = Найди, что на снимке

# Telegram
status-reading = Читаю ваш файл…
status-looking = Смотрю фото…
status-thinking = Думаю…
status-searching = Ищу…
status-searching-web = Ищу в интернете…
status-drafting = Пишу ответ…
status-busy = Языковая модель занята. Жду её, не дольше минуты…
status-held = Сервер модели пока не принимает запросы. Я попробую снова { $at } ({ $wait }) и отвечу здесь, повторять вопрос не нужно. На следующие сообщения отвечу после этого.
status-queued = Принято. Отвечу, как только закончу с предыдущим сообщением.
status-queued-elsewhere = Принято. Я ещё отвечаю вам в браузере или в другой программе и отвечу на это сразу после.
status-crowd = Принято. Сейчас мне пишет много людей. Отвечу, как только подойдёт ваша очередь.
button-stop = Остановить
stopping = Останавливаю…
stopped-by-command = Остановлено.
question-dropped = Хорошо, отвечать на мой вопрос не нужно.
nothing-to-stop = Сейчас я ничего не пишу.
stop-too-late = Этот ответ уже готов.
too-many = Вы отправили много сообщений сразу. Сначала я отвечу на более ранние. Это и следующие пришлите ещё раз, когда я всё наверстаю.
sources-heading = Источники
source-web = { $label } (интернет)
sent-again = (Отправлено повторно: Telegram не подтвердил первую попытку.)
start = Здравствуйте! Я отвечаю на вопросы по своим документам и показываю, откуда взят каждый ответ. Ещё можно прислать фото и спросить о нём или рассказать, что вам нужно сделать. Подробнее: /help.
start-named = Здравствуйте, { $name }! Я отвечаю на вопросы по своим документам и показываю, откуда взят каждый ответ. Ещё можно прислать фото и спросить о нём или рассказать, что вам нужно сделать. Подробнее: /help.
start-examples = Нажмите на тему, чтобы попробовать:
help-heading = Что я умею
help =
    • Отвечаю на вопросы по своим документам и даю пронумерованные источники, которые можно открыть.
    • Ищу в интернете, когда документов мало или речь о текущих событиях.
    • Читаю файлы, которые вы присылаете (PDF, Word, Excel, PowerPoint, CSV и другие), и страницы по вашим ссылкам. Их список: /files.
    • Смотрю фото, альбомы и файлы с изображениями. Можно ответить на фото вопросом.
    • Помню, что вы рассказали о себе. Другие пользователи этого никогда не увидят.
    • Веду ваши задачи, заметки и расписание: напишите, что нужно сделать. Дела на сегодня покажет /today.
    • Напоминаю, о чём попросите, и вместе с вами планирую день: /plan.

    Просто пишите своими словами.
help-commands = Команды
unknown-command = Команды { $command } нет. Что я умею: /help.
unknown-command-near = Команды { $command } нет. Может быть, /{ $near }? Все команды: /help.
button-outdated = Эта кнопка больше не действует.
cannot-read = Такие сообщения я пока не читаю. Пришлите текст, фото или файл с изображением.
cannot-read-sticker =
    { $detail ->
        [blank] Я не вижу, что на стикере.
       *[other] { $detail } – здорово! Но что на самом стикере, я не вижу.
    } Напишите словами или пришлите фото.
cannot-read-dice = { $detail } В игры я не играю, зато отвечаю на вопросы: просто напишите.
cannot-read-animation = Я не могу смотреть GIF. Пришлите неподвижную картинку или спросите словами.
cannot-read-video = Я не могу смотреть видео. Пришлите скриншот нужного момента или спросите словами.
cannot-read-location = Я не могу смотреть карту. Напишите название места и что хотите о нём узнать.
cannot-read-venue = Я не могу найти место на карте. Напишите его название и что хотите о нём узнать.
cannot-read-contact = С контактами я не работаю, и этот не сохранил. Напишите, что вам нужно.
cannot-read-poll = Я не могу голосовать в опросах. Напишите вопрос текстом, и я отвечу.
cannot-read-story = Я не вижу истории. Пришлите скриншот или спросите словами.
unread-note = Это я посмотреть не смог: { $things }.
unread-animation = GIF
unread-audio = аудио
unread-checklist = чек-лист
unread-contact = контакт
unread-dice = кубик
unread-game = игра
unread-giveaway = розыгрыш
unread-giveaway-winners = розыгрыш
unread-invoice = счёт
unread-live-photo = живое фото
unread-long-text = текст после первых 16 000 символов
unread-location = геопозиция
unread-paid-media = платный контент
unread-photo = фото
unread-poll = опрос
unread-rich-message = сообщение с разметкой
unread-sticker = стикер
unread-story = история
unread-venue = место
unread-video = видео
unread-video-note = видеосообщение
unread-voice = голосовое сообщение
edit-too-late = Я учитываю правки только в последнем вопросе. Пришлите изменённый вопрос новым сообщением.
replaced = (заменено)
not-allowed = Это закрытый бот. Чтобы получить доступ, отправьте этот номер его оператору: { $user_id }
apology-unavailable = Извините, после нескольких попыток связаться с языковой моделью не удалось. Спросите ещё раз через несколько минут.
apology-download = Извините, после нескольких попыток скачать ваш файл из Telegram не удалось. Пришлите его ещё раз через несколько минут.
apology-credit = На счёте оператора на сервере модели закончились средства, поэтому ответить я не могу. Исправить это может только мой оператор. Отправьте позже /retry, и я отвечу на этот вопрос.
apology-key = Сервер модели не принимает ключ моего оператора, поэтому ответить я не могу. Исправить это может только мой оператор. Отправьте позже /retry, и я отвечу на этот вопрос.
model-away = Сервер модели не принимает запросы до { $at }. Ждать так долго нет смысла. Отправьте потом /retry, и я отвечу на этот вопрос.
apology-refused = Извините, языковая модель не приняла запрос. Причину мой оператор найдёт в журнале.
apology-malformed = Извините, ответ языковой модели оказался непригодным. Спросите ещё раз, лучше другими словами.
apology-spent = Извините, я пробовал ответить несколько раз, и каждый раз что-то шло не так. Вопрос отложен для моего оператора. Дело во мне, а не в ваших словах.
aside-reminder = Извините, подошло время того, что вы запланировали, но я несколько раз на этом завис. Это отложено для моего оператора.
aside-lesson = Извините, я несколько раз пробовал запомнить кое-что из вашего прежнего сообщения и завис. Оно отложено для моего оператора.
aside-stream = Этот ответ нельзя показать как обычно. Вот его простой текст:
apology-internal = Извините, у меня что-то пошло не так, запись об этом есть в журнале. Попробуйте ещё раз.
limit-tokens = Лимит на сегодня исчерпан (токены: { $limit }). Я снова смогу отвечать { $at } ({ $wait }). До тех пор работают команды, например /status, /sources и /memory.
limit-images =
    Лимит на сегодня исчерпан ({ $limit ->
        [one] { $limit } изображение
        [few] { $limit } изображения
        [many] { $limit } изображений
       *[other] { $limit } изображения
    }), поэтому я посмотрел не всё, что вы прислали. Снова смотреть изображения я смогу { $at } ({ $wait }).
limit-searches =
    Лимит на сегодня исчерпан ({ $limit ->
        [one] { $limit } поиск в интернете
        [few] { $limit } поиска в интернете
        [many] { $limit } поисков в интернете
       *[other] { $limit } поиска в интернете
    }), поэтому в интернете я не искал. Снова искать я смогу { $at } ({ $wait }).
limit-audio_seconds =
    Лимит на сегодня исчерпан ({ $limit ->
        [one] { $limit } секунда звука
        [few] { $limit } секунды звука
        [many] { $limit } секунд звука
       *[other] { $limit } секунды звука
    }), поэтому я не слушал. Снова слушать я смогу { $at } ({ $wait }). А пока пишите мне.
limit-wait = через { $duration }
day-yesterday = вчера
day-today = сегодня
day-tomorrow = завтра
media-too-large = Запись слишком большая: я принимаю файлы до 20 МБ.
media-unreadable = Не удалось прочитать эту запись, возможно, она повреждена. Пришлите её ещё раз.
image-empty = Изображение пустое. Пришлите его ещё раз.
image-too-large = Изображение слишком большое: я принимаю файлы до 20 МБ.
image-too-many-pixels = В изображении слишком много пикселей. Пришлите версию поменьше.
image-unreadable = Не удалось прочитать изображение, возможно, оно повреждено. Пришлите его ещё раз.
image-format = Этот формат изображения я не читаю. Пришлите JPEG, PNG или WebP.
image-heif = Файлы HEIC и AVIF я не читаю. Отправьте снимок как фото, а не как файл: тогда Telegram его преобразует.
image-animated = Я не могу смотреть анимацию. Пришлите неподвижную картинку.
image-refused = Это изображение использовать не удалось. Пришлите другое.

# Commands
command-start = Начать
command-help = Что я умею
command-new = Начать новый разговор
command-stop = Остановить ответ, который я пишу
command-retry = Ещё раз ответить на последний вопрос
command-tasks = Ваши задачи
command-today = Дела на сегодня
command-notes = Ваши заметки
command-sources = Что я знаю
command-spaces = Разделы, в которых я ищу
command-why = Откуда взялся последний ответ
command-status = Что я для вас делаю
command-language = Выбрать язык меню
command-privacy = Что я о вас храню
command-memory = Что я о вас помню
command-export = Ваши данные файлом
command-forget = Удалить всё о вас
command-stats = Статистика использования
command-approvals = Ответы, ожидающие одобрения
admins-only = Эта команда только для администраторов.
database-away = База данных сейчас недоступна. Попробуйте ещё раз через минуту.
button-not-yours = Это чужая кнопка.
never = ещё не было
and-more = … и ещё { $count }
privacy-heading = Что я о вас храню
privacy =
    В базе данных моего оператора (человека или компании) хранится:
    • ваш идентификатор и имя в Telegram, ваши сообщения и мои ответы
    • то, что я о вас помню, а также ваши задачи, заметки и планы
    • данные для входа в ваш список задач в зашифрованном виде, если вы его подключите
    • отпечаток и описание каждого фото, но не само фото
    • текст файлов, страниц и записей, которые вы присылаете, но не сам звук
    • как принималось решение о каждом ответе и ваши 👍 или 👎
    • сколько вы расходуете за день: токены, изображения и поиски

    Чтобы ответить, я отправляю ваше сообщение, разговор и найденные фрагменты языковой модели, которую выбрал мой оператор. Другие пользователи ничего этого никогда не увидят.
new-conversation = Начинаем новый разговор. Прежний я больше не учитываю, но по-прежнему помню, что вы рассказали о себе.
language = На каком языке показывать меню и справку? Отвечаю я всегда на языке вопроса.
language-auto = Автоматически
language-chosen =
    { $chosen ->
        [auto] Меню и уведомления будут на языке вашего Telegram и ваших сообщений.
       *[other] Меню и уведомления теперь на русском. Отвечаю я по-прежнему на языке вопроса.
    }
language-not-spoken = На этом языке я пока не говорю. Выберите один из этих или отправьте /language с названием языка.
status-sound = Секунд звука прослушано и озвучено сегодня: { $seconds }.
sources-none = Документов у меня пока нет. Мой оператор может добавить их командой `ingest add-source`.
spaces = Эти разделы моих документов открыты для вас. Я ищу в тех, что отмечены ✓; в остальных — только если вы их назовёте. Нажмите на раздел, чтобы изменить это.
spaces-none = Всё, в чём я ищу для вас, открыто всем, кто может мной пользоваться.
sources-known =
    Я знаю { $sources ->
        [one] { $sources } источник
        [few] { $sources } источника
        [many] { $sources } источников
       *[other] { $sources } источника
    }, в них { $documents ->
        [one] { $documents } документ
        [few] { $documents } документа
        [many] { $documents } документов
       *[other] { $documents } документа
    } ({ $passages ->
        [one] { $passages } фрагмент
        [few] { $passages } фрагмента
        [many] { $passages } фрагментов
       *[other] { $passages } фрагмента
    }):
sources-line =
    • { $name }: { $documents ->
        [one] { $documents } документ
        [few] { $documents } документа
        [many] { $documents } документов
       *[other] { $documents } документа
    }, { $passages ->
        [one] { $passages } фрагмент
        [few] { $passages } фрагмента
        [many] { $passages } фрагментов
       *[other] { $passages } фрагмента
    }, синхронизация: { $synced }
sources-line-internal =
    • { $name } (обо мне): { $documents ->
        [one] { $documents } документ
        [few] { $documents } документа
        [many] { $documents } документов
       *[other] { $documents } документа
    }, { $passages ->
        [one] { $passages } фрагмент
        [few] { $passages } фрагмента
        [many] { $passages } фрагментов
       *[other] { $passages } фрагмента
    }, синхронизация: { $synced }
passage-gone = Этого фрагмента больше нет в моих документах.
why-button = Почему?
why-nothing = Я ещё ни на что не отвечал. Сначала спросите о чём-нибудь.
why-no-answer = У меня нет записи о том, как появилось это сообщение. Ответьте командой /why на один из моих ответов.
why-heading = Как появился этот ответ
why-done-direct = Я ответил сразу, ничего не ища.
why-done-rag =
    { $read ->
        [0] Я искал в своих документах и ничего об этом не нашёл.
        [one] Я искал в своих документах: прочитал { $read } фрагмент, процитировал { $cited }.
        [few] Я искал в своих документах: прочитал { $read } фрагмента, процитировал { $cited }.
        [many] Я искал в своих документах: прочитал { $read } фрагментов, процитировал { $cited }.
       *[other] Я искал в своих документах: прочитал { $read } фрагмента, процитировал { $cited }.
    }
why-done-web =
    { $read ->
        [0] Я искал в интернете и ничего об этом не нашёл.
        [one] Я искал в интернете: прочитал { $read } результат, процитировал { $cited }.
        [few] Я искал в интернете: прочитал { $read } результата, процитировал { $cited }.
        [many] Я искал в интернете: прочитал { $read } результатов, процитировал { $cited }.
       *[other] Я искал в интернете: прочитал { $read } результата, процитировал { $cited }.
    }
why-done-rag-web =
    { $read ->
        [0] Я искал в своих документах, потом в интернете и ничего об этом не нашёл.
        [one] Я искал в своих документах, потом в интернете: прочитал { $read } фрагмент, процитировал { $cited }.
        [few] Я искал в своих документах, потом в интернете: прочитал { $read } фрагмента, процитировал { $cited }.
        [many] Я искал в своих документах, потом в интернете: прочитал { $read } фрагментов, процитировал { $cited }.
       *[other] Я искал в своих документах, потом в интернете: прочитал { $read } фрагмента, процитировал { $cited }.
    }
why-web-failed =
    { $read ->
        [0] Поискать в интернете не удалось.
        [one] Поискать в интернете не удалось; в документах я прочитал { $read } фрагмент, процитировал { $cited }.
        [few] Поискать в интернете не удалось; в документах я прочитал { $read } фрагмента, процитировал { $cited }.
        [many] Поискать в интернете не удалось; в документах я прочитал { $read } фрагментов, процитировал { $cited }.
       *[other] Поискать в интернете не удалось; в документах я прочитал { $read } фрагмента, процитировал { $cited }.
    }
why-reason = Причина: { $reason }
looked-for = Искал: «{ $query }»
why-further-queries = Затем искал: «{ $query }»
why-photo = Фото: я его посмотрел
why-photo-asked = Фото: я посмотрел его ещё раз с учётом вашего вопроса
why-memory =
    Вспомнил: { $count ->
        [one] { $count } факт о вас
        [few] { $count } факта о вас
        [many] { $count } фактов о вас
       *[other] { $count } факта о вас
    } (см. /memory)
why-recalled = • { $text }
why-summary = Вспомнил: краткое содержание прежнего разговора
why-past = Из нашего прежнего разговора:
why-past-turn = • { $date }: «{ $text }»
why-read-document =
    Документы: { $read ->
        [0] ничего не найдено
        [one] прочитан { $read } фрагмент
        [few] прочитано { $read } фрагмента
        [many] прочитано { $read } фрагментов
       *[other] прочитано { $read } фрагмента
    }
why-read-web =
    Интернет: { $read ->
        [0] ничего не найдено
        [one] прочитан { $read } результат
        [few] прочитано { $read } результата
        [many] прочитано { $read } результатов
       *[other] прочитано { $read } результата
    }
why-doubted =
    Проверка: { $count ->
        [one] { $count } предложение вызвало сомнение
        [few] { $count } предложения вызвали сомнение
        [many] { $count } предложений вызвали сомнение
       *[other] { $count } предложения вызвали сомнение
    }
why-planned = Действия, о которых просит само ваше сообщение: { $count }
why-repaired = Проверка: в первом варианте не было цитат или было предложение без источника, и я попросил модель написать заново
why-permitted = Вызовы без вопроса, потому что вы их всегда разрешаете (/tools): { $count }
why-unsupported =
    Проверка: { $count ->
        [one] { $count } предложение без источника
        [few] { $count } предложения без источника
        [many] { $count } предложений без источника
       *[other] { $count } предложения без источника
    }, в ответе это отмечено
why-contradicted =
    Проверка: { $count ->
        [one] { $count } предложение расходится
        [few] { $count } предложения расходятся
        [many] { $count } предложений расходятся
       *[other] { $count } предложения расходится
    } с источниками, в ответе это отмечено
why-judged = Проверка: предложений сверено с источниками: { $count }
why-unjudged = Проверка: предложений не удалось сверить, в ответе это отмечено: { $count }
why-unsampled = Проверка: предложений не сверено, потому что проверяется только часть ответов: { $count }
why-second_look_failed = Сбой: планирующая модель не смогла проверить ответ
why-refused = Проверка: ничто из прочитанного не подтверждает текст модели, поэтому я его не показал
why-planner_failed = Сбой: планирующая модель не дала плана, поэтому поиск шёл только по подключённым документам
why-further_search_failed = Сбой: планирующая модель не смогла сказать, чего ещё не хватает
why-embedding_failed = Сбой: искать получилось только по словам, а не по смыслу
why-rerank_failed = Сбой: упорядочить найденные фрагменты не удалось или это заняло слишком много времени, поэтому они остались в порядке поиска
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, процитировано)
why-models = Модель: { $models }
why-times =
    { $steps ->
        [blank] Время: { $total } с
       *[other] Время: { $total } с ({ $steps })
    }
why-reference = Номер для оператора: { $request_id }
step-N1_ingest_input = чтение { $seconds }
step-N2_load_long_term_memory = память { $seconds }
step-N13_read_files = чтение файлов { $seconds }
step-N3_vision_summarize = просмотр { $seconds }
step-N4_build_effective_query = планирование { $seconds }
step-N5_retrieve = поиск по документам { $seconds }
step-N14_search_further = дальнейший поиск { $seconds }
step-N8_web_search = поиск в интернете { $seconds }
step-N6_synthesize = написание { $seconds }
step-N7_persist = сохранение { $seconds }
step-N9_ask_back = встречный вопрос { $seconds }
step-N10_take_answer = чтение вашего ответа { $seconds }
step-N11_request_approval = запрос одобрения { $seconds }
rated = Спасибо за отзыв.
rating-withdrawn = Отзыв удалён.
status-answering =
    Я пишу вам ответ. { $waiting ->
        [0] Других сообщений в очереди нет.
        [one] В очереди ещё { $waiting } сообщение.
        [few] В очереди ещё { $waiting } сообщения.
        [many] В очереди ещё { $waiting } сообщений.
       *[other] В очереди ещё { $waiting } сообщения.
    }
status-waiting =
    { $waiting ->
        [0] На все ваши сообщения я ответил.
        [one] { $waiting } ваше сообщение ждёт ответа.
        [few] { $waiting } ваших сообщения ждут ответа.
        [many] { $waiting } ваших сообщений ждут ответа.
       *[other] { $waiting } ваших сообщения ждут ответа.
    }
status-use = Сегодня израсходовано: токены { $tokens }, изображения { $images }, поиски в интернете { $searches }, вызовы подключённых инструментов { $tool_calls }. Новый день начнётся { $at } ({ $wait }).
use-free = { $used }
use-limited = { $used } из { $limit }
status-documents =
    Документы: { $documents }, всего { $passages ->
        [one] { $passages } фрагмент
        [few] { $passages } фрагмента
        [many] { $passages } фрагментов
       *[other] { $passages } фрагмента
    }; синхронизация: { $synced }
status-documents-away = Документы: их база данных сейчас недоступна.
status-models = Модели: { $chat } пишет, { $vision } смотрит изображения
status-version = rich-agent { $version }
memory-empty = Я о вас пока ничего не помню. Расскажите что-нибудь о себе, и я запомню.
memory-known =
    Я помню о вас { $count ->
        [one] { $count } факт
        [few] { $count } факта
        [many] { $count } фактов
       *[other] { $count } факта
    }. Нажмите на номер, чтобы я забыл этот факт.
memory-facts = Факты
memory-preferences = Предпочтения
memory-tasks = Дела
memory-past = в прошлом
memory-planned = в планах
memory-item = { $text } ({ $told })
memory-item-due = { $text } – срок { $due } ({ $told })
memory-deleted = Забыто. Сообщения, в которых вы об этом рассказали, остаются в нашем разговоре. Чтобы удалить и их, напишите «забудь …».
forgetting-told = Забыть это?
forgetting-everything =
    Забыть всё, что вы мне рассказали и о чём мы говорили? Это { $memory ->
        [one] { $memory } факт, который я помню,
        [few] { $memory } факта, которые я помню,
        [many] { $memory } фактов, которые я помню,
       *[other] { $memory } факта, которые я помню,
    } и { $messages ->
        [one] { $messages } сообщение с ответом.
        [few] { $messages } сообщения с ответами.
        [many] { $messages } сообщений с ответами.
       *[other] { $messages } сообщения с ответами.
    }
forgetting-named = Здесь это только упоминается. Эти записи останутся, если вы не решите забыть и их:
forgetting-only-named = Ничего, что точно об этом, я не нашёл. Забыть то, где это только упоминается?
forgetting-of-memory = Что я помню:
forgetting-of-thing = Ваши задачи, заметки и планы:
forgetting-of-file = Ваши файлы:
forgetting-of-message = Ваши сообщения с моими ответами:
forgetting-of-summary = В кратком содержании прежнего разговора:
forgetting-more = … и ещё { $count }.
forgetting-final = Отменить это нельзя. Нажмите одну из кнопок.
forgetting-yes = Забыть
forgetting-yes-all = Забыть всё это
forgetting-no = Оставить всё
forgetting-done =
    Забыто: { $memory ->
        [one] { $memory } факт из памяти
        [few] { $memory } факта из памяти
        [many] { $memory } фактов из памяти
       *[other] { $memory } факта из памяти
    } и { $messages ->
        [one] { $messages } сообщение с ответом
        [few] { $messages } сообщения с ответами
        [many] { $messages } сообщений с ответами
       *[other] { $messages } сообщения с ответами
    }. Их больше нет в моей памяти, в нашем разговоре, в его кратком содержании, в архиве и в данных, которые выдаёт /export. То, что вы видите в этом чате, останется, пока вы не удалите это в Telegram.
forgetting-left =
    { $count ->
        [one] { $count } запись, где это только упоминается, остаётся, как вы решили.
        [few] { $count } записи, где это только упоминается, остаются, как вы решили.
        [many] { $count } записей, где это только упоминается, остаются, как вы решили.
       *[other] { $count } записи, где это только упоминается, остаются, как вы решили.
    }
forgetting-done-everything = Ваши настройки, отзывы и учёт расхода остаются; /forget удалит и их.
forgetting-nothing = Я ничего об этом не нашёл ни в памяти, ни в нашем разговоре, поэтому ничего не удалено. Что я о вас помню: /memory.
forgetting-failed = Понять, что нужно забыть, не удалось: моя модель дала сбой. Ничего не удалено. Попробуйте позже или воспользуйтесь /memory и /forget.
forgetting-kept = Ничего не удалено.
forgetting-wish = (Просьба что-то забыть. Её текст не сохраняется.)
planner-failed-note = Моя планирующая модель дала сбой. Если вы просили что-то сделать или забыть, ничего не сделано и не удалено: попросите ещё раз или воспользуйтесь /memory и /forget.
planner-failed-still = Ничего не сделано и не удалено.
exported =
    Вот всё, что я о вас храню: { $messages ->
        [one] { $messages } сообщение
        [few] { $messages } сообщения
        [many] { $messages } сообщений
       *[other] { $messages } сообщения
    }, { $decisions ->
        [one] { $decisions } решение
        [few] { $decisions } решения
        [many] { $decisions } решений
       *[other] { $decisions } решения
    }{ $images ->
        [0] {""}
        [one] , { $images } описание изображения
        [few] , { $images } описания изображений
        [many] , { $images } описаний изображений
       *[other] , { $images } описания изображения
    }, то, что я помню, а также ваши задачи, заметки и планы. Файл в формате JSON.
forget-confirm =
    Удалить всё, что я о вас храню? Это наш разговор, то, что я о вас помню, ваши задачи, заметки и планы, записи о том, как принималось решение о каждом ответе, ваши отзывы, описания фото, текст файлов и записей и настройки.

    Отменить это нельзя. Сообщения в этом чате останутся, пока вы не удалите их в Telegram. Чтобы получить копию данных, сначала отправьте /export.
forget-yes = Да, удалить всё
forget-no = Нет, оставить
forget-wish = Забудь, что я говорил о: { $what }
command-alone = Ничего не сделано: { $command } пишется без слов после неё. Отправьте её отдельно, если имеете в виду именно это.
secret-delete-yourself = Удалить ваше сообщение не удалось. В нём пароль, поэтому удалите его сами.
forget-kept = Ничего не удалено.
forgotten = Всё, что я о вас хранил, удалено. Если напишете снова, начнём с чистого листа.
confirmation-over = Этот вопрос устарел. Отправьте команду ещё раз.
nothing-to-retry = Нет вопроса, на который можно ответить ещё раз. Сначала спросите о чём-нибудь.
stats-heading = Статистика
stats-users = Пользователи: { $known }; за сутки { $day }, за 7 дней { $week }; заблокировали меня: { $blocking }
stats-turns = Ответы: за сутки { $day }, за 7 дней { $week }
stats-plans = Планы, 7 дней: { $plans }
stats-plan-direct = сразу { $count }
stats-plan-rag = документы { $count }
stats-plan-web = интернет { $count }
stats-plan-rag-web = документы и интернет { $count }
stats-times = Время ответа, 7 дней: p50 { $p50 } с, p95 { $p95 } с
stats-failures = Сбои за 7 дней: прерванные ответы { $broken }, недоставленные сообщения { $undelivered }; брошенные обновления { $dead }
stats-feedback = Отзывы: 👍 { $up }, 👎 { $down }
stats-use-day = Расход сегодня (UTC): токены { $tokens }, изображения { $images }, поиски в интернете { $searches }; { $cost }
stats-use-week = Расход за 7 дней: токены { $tokens }, изображения { $images }, поиски в интернете { $searches }; { $cost }
stats-cost = стоимость { $cost }
stats-cost-partly = стоимость { $cost } без { $models } (цена не задана)
stats-cost-unknown = цены не заданы (MODEL_PRICES)
stats-top-users = Больше всего токенов, 7 дней: { $users }
stats-inbox = Обновления в очереди: { $pending }
stats-approvals = Ожидают одобрения: { $count } (/approvals)

# Approval
approval-waiting = Ответы такого рода перед отправкой читает человек. Ваш сейчас проверяют, и я пришлю его, как только его одобрят. А пока можете писать дальше.
approval-review =
    Ответ { $number } ждёт вашего одобрения.
    От: { $user }
    Тип: { $intent }
    Вопрос: { $question }

    Черновик ниже. Ответьте на него исправленным текстом или нажмите кнопку.
button-approve = Одобрить
button-correct = Изменить
button-reject = Отклонить
approval-correction = Ответ { $number }: ответьте на это сообщение исправленным текстом. Пользователь прочитает его без изменений.
approval-reason = Ответ { $number }: ответьте на это сообщение и укажите причину отказа. Пользователь её прочитает.
approval-words-missing = Мне нужен текст. Ответьте на то же сообщение ещё раз.
approval-is-approved =
    { $by ->
        [you] ✓ Вы одобрили этот ответ.
       *[other] ✓ Одобрено: { $admin }.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ Отправлено с вашим текстом.
       *[other] ✎ Отправлено с текстом от { $admin }.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ Вы отклонили этот ответ.
       *[other] ✗ Отклонено: { $admin }.
    }
approval-is-expired = Решения вовремя не было. Пользователю я об этом сообщил.
approval-is-withdrawn = Пользователь изменил вопрос, и этот черновик больше не нужен.
approval-approved = Этот ответ проверен и одобрен.
approval-corrected = Этот ответ проверен и исправлен.
approval-rejected = К сожалению, ответить на это я не могу. Причина: { $reason }
approval-expired = К сожалению, мой ответ не успели проверить вовремя. Спросите ещё раз позже.
approvals-known =
    { $count ->
        [0] Нет ответов, ожидающих одобрения.
        [one] { $count } ответ ждёт одобрения:
        [few] { $count } ответа ждут одобрения:
        [many] { $count } ответов ждут одобрения:
       *[other] { $count } ответа ждут одобрения:
    }
approvals-line = • { $number }, { $since }, от { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = по плану
reason-greeting = приветствие
reason-farewell = прощание
reason-thanks = благодарность
reason-help = просьба о помощи
reason-laughter = смех
reason-reaction = эмодзи
reason-silence = в сообщении нет слов для поиска
reason-number = число или вычисление
reason-known_word = слово, которое есть в подключённых документах
reason-forget_wish = просьба что-то забыть
reason-stopped = вы остановили ответ до того, как появился план
reason-no_web = поиск в интернете не настроен
reason-no_plan = планирующая модель не дала плана, поэтому поиск шёл по подключённым документам, но не в интернете
reason-file_read = сообщение о файле, который вы прислали
reason-file_refused = ни один из присланных файлов прочитать нельзя
reason-about_bot = на вопросы обо мне я отвечаю по своим документам
reason-about_now = ответ зависит от текущего положения дел, поэтому поиск шёл в интернете
reason-documents_first = подключённые документы важнее интернета
reason-documents_may_say = ответ может быть в подключённых документах
reason-documents_wanted = вы спросили, что говорят документы
reason-web_ruled_out = сообщение может быть личным, поэтому поиска в интернете не было
reason-say_little = в подключённых документах об этом мало, поэтому поиск шёл и в интернете
reason-say_little_on = в подключённых документах мало о теме «{ $subject }», поэтому поиск шёл и в интернете

# Alerts for admins
alert-credit = ⚠️ На счёте на сервере модели закончились средства ({ $service }), и я никому не могу ответить. { $hint } Затем выполните `rich-agent inbox replay --all`, чтобы я ответил на пропущенные вопросы. Такое сообщение приходит не чаще раза в час.
alert-key = ⚠️ Сервер модели не принимает ключ ({ $service }), и я никому не могу ответить. { $hint } Затем выполните `rich-agent inbox replay --all`, чтобы я ответил на пропущенные вопросы. Такое сообщение приходит не чаще раза в час.
alert-away = ⚠️ Сервер модели ({ $service }) не принимает запросы до { $at }. Пользователей я прошу спросить позже. Чтобы этого избежать, поднимите лимит или смените сервер. Такое сообщение приходит не чаще раза в час.
alert-lesson = ⚠️ Несколько дней я пытался обновить память пользователя по его сообщению и прекратил попытки. Причина в журнале. Такое сообщение приходит не чаще раза в час.
alert-refused = ⚠️ Сервер моделей отклоняет один из моих запросов: { $problem } { $hint } Продолжаю без него, насколько возможно. Сообщаю об этом не чаще раза в час.

# Tools: what each is for, and what is happening while it runs.
status-acting = Использую: { $tool }…
tool-get_tasks = Ваши задачи
tool-get_task_details = Задача подробно
tool-create_task = Добавление задачи
tool-update_task = Изменение задачи
tool-delete_task = Удаление задачи
tool-get_projects = Ваши проекты
tool-create_project = Добавление проекта
tool-update_project = Изменение проекта
tool-get_goals = Ваши цели
tool-create_goal = Добавление цели
tool-update_goal = Изменение цели
tool-get_daily_schedule = Ваше расписание
tool-create_schedule_block = Запись в расписание
tool-get_recent_notes = Ваши заметки
tool-list_files = Ваши файлы
tool-create_note = Новая заметка
tool-remind = Новое напоминание
tool-list_reminders = Ваши напоминания
tool-cancel_reminder = Отмена напоминания
tool-snooze_reminder = Перенос напоминания
tool-undo_last_change = Отмена последнего изменения
tool-search_documents = Документы
tool-search_web = Поиск в интернете
tool-request_more_information = Вопрос к вам
doing-get_tasks = Просматриваю ваши задачи…
doing-get_task_details = Смотрю задачу…
doing-create_task = Добавляю задачу…
doing-update_task = Изменяю задачу…
doing-delete_task = Удаляю задачу…
doing-get_projects = Просматриваю ваши проекты…
doing-create_project = Добавляю проект…
doing-update_project = Изменяю проект…
doing-get_goals = Просматриваю ваши цели…
doing-create_goal = Добавляю цель…
doing-update_goal = Изменяю цель…
doing-get_daily_schedule = Смотрю ваше расписание…
doing-create_schedule_block = Добавляю в расписание…
doing-get_recent_notes = Просматриваю ваши заметки…
doing-list_files = Просматриваю ваши файлы…
doing-create_note = Пишу заметку…
doing-remind = Создаю напоминание…
doing-list_reminders = Просматриваю ваши напоминания…
doing-cancel_reminder = Отменяю напоминание…
doing-snooze_reminder = Переношу напоминание…
doing-undo_last_change = Отменяю последнее изменение…
doing-search_documents = Ищу в документах…
doing-search_web = Ищу в интернете…
approve-calls = Я хочу сделать вот что. Можно?
approve-not-planned = Само ваше сообщение об этом не просит. Проверьте внимательно.
approve-yes = Одобрить
approve-no = Отменить
approve-words-yes = да|ок|хорошо|давай
approve-words-no = нет|отмена
card-labelled = { $label }: { $text }
card-not-done = Не сделано.
approve-adjust = Поправить
approve-how-to-adjust = Напишите, что изменить, и я предложу ещё раз.
approve-always = Всегда для этого
approve-always-same = «{ $always }» одобряет это, и дальше такой же вызов идёт без вопроса. Отменить это можно в /tools.
approve-always-alike = «{ $always }» одобряет это, и дальше вызовы с тем же значением { $fixed } идут без вопроса, что бы ещё в них ни было. Отменить это можно в /tools.
web-approve-in-words = Ответьте «{ $yes }» или «{ $no }» либо напишите, что изменить.
card-characters-left-out = Ещё символов: { $count }
card-arguments-left-out = Ещё данных: { $count }
card-in-file = Здесь помещается не всё. Весь текст — в файле «approval.txt». Прочитайте его, прежде чем решать.
card-copied-from = Источник: { $sources }
copied-user = ваше сообщение
copied-memory = то, что я храню для вас
copied-assistant = один из прежних ответов
copied-document = документ
copied-page = веб-страница
copied-file = файл
copied-server = другая программа
copied-other = другой человек
card-takes-back = Отменяет
argument-title = Название
argument-description = Описание
argument-project_id = Проект
argument-priority = Приоритет
argument-due_date = Срок
argument-estimated_minutes = Длительность в минутах
argument-task_type = Вид задачи
argument-parent_id = Часть задачи
argument-recurrence = Повторение
argument-task_id = Задача
argument-status = Состояние
argument-is_archived = В архиве
argument-reason = Причина
argument-name = Название
argument-importance = Важность
argument-action_plan = План
argument-goal_id = Цель
argument-timeframe = Период
argument-target_date = Дата цели
argument-progress = Выполнено, %
argument-date = День
argument-start_time = Начало
argument-duration_minutes = Минуты
argument-duration = Длительность
argument-block_type = Вид блока
argument-content = Текст
argument-folder_id = Папка
argument-text = Текст
argument-when = Когда
argument-time_zone = Часовой пояс
argument-kind = Вид
argument-schedule_id = Напоминание
argument-until = До
argument-yes = да
argument-no = нет
argument-none = не указано
value-low = низкий
value-medium = средний
value-high = высокий
value-urgent = срочно
value-today = сегодня
value-next-actions = следующие действия
value-someday-maybe = когда-нибудь
value-wait-for = жду других
value-routine = регулярное
value-daily = ежедневно
value-weekly = еженедельно
value-monthly = ежемесячно
value-quarterly = ежеквартально
value-yearly = ежегодно
value-work = работа
value-break = перерыв
value-meeting = встреча
value-personal = личное
value-reminder = напоминание
value-prompt = вопрос, на который я тогда отвечу
value-todo = открыто
value-in-progress = в работе
value-blocked = заблокировано
value-done = готово
approve-cancelled = Отменено. Ничего не изменилось.
acting-limit-calls = Я выполнил 10 действий, больше на одно сообщение нельзя. Если что-то осталось, напишите «дальше».
acting-limit-errors = Три раза подряд что-то не получилось, и я остановился. Больше ничего не изменилось.
undo-button = Отменить
undo-done = Отменено:
undo-too-late = Отменить это уже нельзя.
step-N12_act = действия { $seconds }

# What was done to tasks, projects, goals, notes and the schedule, and what was undone.
task-created = Добавлена задача «{ $title }».
task-create-undone = Убрана задача «{ $title }».
task-updated = Изменена задача «{ $title }».
task-done = Готово: «{ $title }».
task-done-again = Готово: «{ $title }». Следующий срок: { $date }.
task-update-undone = Задача «{ $title }» снова такая, как была.
task-changed-since = Задачу «{ $title }» за это время изменили ещё раз, поэтому она остаётся как есть.
task-deleted = Удалена задача «{ $title }».
task-delete-undone = Задача «{ $title }» восстановлена.
project-created = Создан проект «{ $name }».
project-updated = Изменён проект «{ $name }».
project-update-undone = Проект «{ $name }» снова такой, как был.
project-changed-since = Проект «{ $name }» за это время изменили ещё раз, поэтому он остаётся как есть.
project-create-undone = Убран проект «{ $name }».
goal-created = Поставлена цель «{ $title }».
goal-create-undone = Убрана цель «{ $title }».
goal-updated = Изменена цель «{ $title }»: { $progress } %.
goal-update-undone = Цель «{ $title }» снова такая, как была.
goal-changed-since = Цель «{ $title }» за это время изменили ещё раз, поэтому она остаётся как есть.
note-created = Записана заметка «{ $title }».
note-create-undone = Убрана заметка «{ $title }».
block-created = Добавлено в расписание: { $span } { $title }.
block-create-undone = Убрано из расписания: { $span } { $title }.
reason-in_group = в группах я отвечаю только по подключённым документам
reason-link_ignored = вы просили не открывать ссылку
reason-link_kept = вы просили запомнить страницу
reason-link_read = прочитана страница по вашей ссылке
reason-in_session = это сообщение относится к пошаговой сессии
reason-session_left = вы решили закончить пошаговую сессию

# The lists of /tasks, /today and /notes.
tasks-all =
    { $count ->
        [one] { $count } открытая задача
        [few] { $count } открытые задачи
        [many] { $count } открытых задач
       *[other] { $count } открытой задачи
    }
tasks-today =
    { $count ->
        [one] { $count } задача на сегодня
        [few] { $count } задачи на сегодня
        [many] { $count } задач на сегодня
       *[other] { $count } задачи на сегодня
    }
tasks-schedule = Расписание
timeline-button = Картинкой
timeline-empty = На этот день больше ничего не запланировано.
timeline-left-out = и ещё { $count }
tasks-all-empty = Открытых задач нет. Напишите «мне нужно …», и я добавлю задачу.
tasks-today-empty = На сегодня ничего нет. Все ваши задачи: /tasks.
task-due = срок { $date }
task-overdue = просрочено ({ $date })
task-high = важно
task-urgent = срочно
task-in-progress = в работе
task-blocked = заблокировано
task-tomorrow = Завтра { $number }
task-unchanged = Этой задачи в вашем списке больше нет.
notes-heading =
    { $count ->
        [one] { $count } заметка
        [few] { $count } заметки
        [many] { $count } заметок
       *[other] { $count } заметки
    }
notes-empty = Заметок нет. Напишите «запиши, что …», и я создам заметку.
notes-folder-empty = Папка «{ $folder }» пуста. Попросите меня записать в неё заметку.
notes-all = Все заметки
notes-back = Назад
note-delete = Удалить
note-deleted = Удалена заметка «{ $title }».
note-gone = Этой заметки больше нет.
command-reminders = Напоминания, тихие часы и сводка дня
command-timezone = Выбрать часовой пояс
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
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [1] каждый час
            [one] каждый { $count } час
            [few] каждые { $count } часа
            [many] каждые { $count } часов
           *[other] каждые { $count } часа
        }
        [daily] { $count ->
            [1] каждый день
            [one] каждый { $count } день
            [few] каждые { $count } дня
            [many] каждые { $count } дней
           *[other] каждые { $count } дня
        }
        [weekly] { $count ->
            [1] каждую неделю
            [one] каждую { $count } неделю
            [few] каждые { $count } недели
            [many] каждые { $count } недель
           *[other] каждые { $count } недели
        }
        [monthly] { $count ->
            [1] каждый месяц
            [one] каждый { $count } месяц
            [few] каждые { $count } месяца
            [many] каждые { $count } месяцев
           *[other] каждые { $count } месяца
        }
       *[yearly] { $count ->
            [1] каждый год
            [one] каждый { $count } год
            [few] каждые { $count } года
            [many] каждые { $count } лет
           *[other] каждые { $count } года
        }
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
button-done = ✓ Готово
button-snooze-10m = 10 мин
button-snooze-1h = 1 ч
button-snooze-1d = Завтра
button-quiet =
    { $hours ->
        [none] 🌙 Тихие часы: нет
       *[other] 🌙 { $hours }
    }
button-digest =
    { $clock ->
        [none] ☀️ Сводка дня: нет
       *[other] ☀️ { $clock }
    }
quiet-hours =
    { $hours ->
        [none] Тихих часов больше нет.
       *[other] Напоминания на время { $hours } подождут, пока оно не пройдёт.
    }
digest-time =
    { $clock ->
        [none] Сводка дня больше приходить не будет.
       *[other] Сводка будет приходить каждый день в { $clock }.
    }
digest-request =
    Напиши мою сводку на сегодня, { $day }: что запланировано, какие сроки и о чём не забыть. { $count ->
        [0] Напоминаний на сегодня нет.
       *[other] Мои напоминания на сегодня:
    }
time-zone-needed = Я ещё не знаю ваш часовой пояс. Сначала выберите его в /timezone.
time-zone-none = Я ещё не знаю ваш часовой пояс. Выберите его здесь или отправьте /timezone с названием, например Europe/Moscow.
time-zone = Ваш часовой пояс: { $zone }. Сейчас там { $now }. Чтобы его изменить, отправьте /timezone с другим названием.
time-zone-chosen = Ваш часовой пояс: { $zone }. Сейчас там { $now }. Повторяющиеся напоминания приходят по нему.
time-zone-near = Часового пояса { $name } я не знаю. Может быть, один из этих?
time-zone-which = Для { $name } подходит несколько часовых поясов. Какой ваш?
time-zone-unknown = Часового пояса { $name } я не знаю. В названии есть регион и город, например Europe/Moscow.
ask-time-zone = Чтобы напоминать вовремя, мне нужно знать ваш часовой пояс. В каком вы городе?

# The page of a passage.
passage-place = { $source } · фрагмент { $position } из { $count }
passage-before = ← Назад
passage-after = Далее →

# The page of a browser while the bot starts.
bot-starting = Бот запускается…

# Tokens for other programs (/tokens).
command-tokens = Вопросы от вашего имени из других программ
tokens-none = С токеном другая программа может задавать мне вопросы от вашего имени по HTTP. Токенов пока нет.
tokens-about = С токеном другая программа может задавать мне вопросы от вашего имени по HTTP. ✕ сразу отзывает токен.
tokens-open = Ваши токены
tokens-unreachable = Другие программы не могут со мной связаться, поэтому токен я не создаю. Мой оператор должен сначала задать PUBLIC_URL.
tokens-make = Новый токен
tokens-make-named = Новый токен «{ $name }»
tokens-name = Telegram
tokens-made = Вот новый токен. Я показываю его только сейчас. Скопируйте его в свою программу, а затем скройте. Пока вы его не отзовёте, любой, у кого он есть, может задавать мне вопросы от вашего имени. Мой адрес для программ: { $address }
tokens-hide = Скрыть токен
tokens-revoked = Токен отозван. Он больше ничего не открывает.
tokens-too-many = Токенов у вас уже { $most }, это предел. Сначала отзовите один из них.
tokens-made-on = создан { $day }
tokens-used-on = использован { $day }
tokens-unused = ещё не использован
tokens-ends-on = срок: { $day }
# Calls that a user permitted for good (/tools).
command-tools = Что может выполняться без вопроса
tools-none = Постоянных разрешений ещё нет. Где это безопасно, в вопросе перед вызовом есть кнопка «Всегда для этого».
tools-about = Эти вызовы идут без вопроса. ✕ отзывает разрешение, как и /tools с его номером.
tools-given-on = разрешено { $day }
tools-used = вызовы: { $count }
tools-any = любое
tools-changed = С тех пор инструмент изменился, поэтому о таком вызове я снова спрошу.
tools-take-all-back = Отозвать все
tools-taken-back = Отозвано. О таком вызове я снова спрошу.

# Outside Telegram.
only-in-telegram = Полностью это работает только в Telegram: отправьте там { $command }.

run-not-latest = Заново ответить можно только на последний вопрос беседы.

# What is asked in groups.

guest-user-limit = Ваши вопросы в группах на сегодня закончились. Спросите меня в личном чате.
guest-group-limit = За последний час в этой группе было много вопросов. Попробуйте позже или спросите меня в личном чате.
guest-withheld = Ответить на это в группе я не могу. Спросите меня в личном чате.
guest-answer-cut = Это начало более длинного ответа. Чтобы получить его целиком, спросите меня в личном чате.
## Files

file-page = страница { $number }
file-sheet-named = лист { $heading }
file-sheet-numbered = лист { $number }
file-slide-named = слайд { $number }: { $heading }
file-slide-numbered = слайд { $number }
ask-about-files =
    { $count ->
        [1] Файл прочитан: { $names }. Что вы хотите о нём узнать?
       *[other] Файлы прочитаны: { $names }. Что вы хотите о них узнать?
    }
file-topic-summary = Перескажи кратко
file-topic-points = Выдели главное
file-read-whole = Прочитано целиком: { $name }.
file-macros = Макросы не запускались: { $name }.
file-read-in-parts =
    Прочитано целиком: { $name }, { $parts ->
        [one] { $parts } часть
        [few] { $parts } части
        [many] { $parts } частей
       *[other] { $parts } части
    }.
file-read-partly = { $name } – длинный файл: прочитано частей { $read } из { $units }. Спросите об остальном или об отдельной части.
file-searched = { $name } – длинный файл: я искал в нём по вашему вопросу и прочитал не всё.
file-unread-pages =
    { $count ->
        [one] На { $count } странице
        [few] На { $count } страницах
        [many] На { $count } страницах
       *[other] На { $count } страницы
    } текста не нашлось: { $name }.
file-refused-too-large = «{ $name }» больше 20 МБ, а скачать больше Telegram мне не даёт. Пришлите файл поменьше или разделите этот.
file-refused-too-long = «{ $name }» слишком длинный, чтобы его прочитать. Пришлите нужную часть отдельным файлом.
file-refused-unsupported = Я не могу прочитать «{ $name }». Я читаю PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV и простой текст. Сохраните файл в одном из этих форматов и пришлите ещё раз.
file-refused-old-office = «{ $name }» в старом формате Office. Сохраните его как DOCX, XLSX, PPTX или PDF и пришлите ещё раз.
file-refused-encrypted = «{ $name }» защищён паролем. Сохраните его без пароля и пришлите ещё раз.
file-refused-empty = В «{ $name }» нет текста. Если там что-то есть, пришлите это в виде PDF или фото.
file-refused-damaged = «{ $name }» повреждён или не соответствует своему названию. Откройте его, сохраните заново и пришлите новую копию.
file-refused-gone = Не удалось получить «{ $name }»: файла больше нет. Пришлите его ещё раз.
file-keep-button = Запомнить
file-only-here-button = Только здесь
file-kept =
    { $count ->
        [1] Я запомню этот файл. Он есть в /files.
       *[other] Я запомню эти файлы. Они есть в /files.
    }
file-not-kept =
    { $count ->
        [1] Я забуду этот файл вместе с этим разговором (/new).
       *[other] Я забуду эти файлы вместе с этим разговором (/new).
    }
file-forgotten = Забыто.
files-none = Файлов здесь нет. Пришлите мне файл: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV или текст.
files-title =
    { $count ->
        [one] Ваш { $count } файл:
        [few] Ваши { $count } файла:
        [many] Ваши { $count } файлов:
       *[other] Ваши { $count } файла:
    }
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, сохранён в памяти
files-hint = 📌 – помнить файл и после этого разговора или больше не помнить. 🗑 – забыть его.
command-files = Ваши файлы: список, запомнить, забыть

# Links.

ask-about-links =
    { $count ->
        [1] Что сделать с этой ссылкой? { $links }
       *[other] Что сделать с этими ссылками? { $links }
    }
link-wish-summary = Кратко пересказать
link-wish-keep = Запомнить
link-wish-ignore = Пропустить
link-ignored = Хорошо, читать не буду.
link-kept =
    { $count ->
        [1] Я прочитал и запомнил «{ $names }». Спрашивайте об этом в любое время; страница есть в /files.
       *[other] Я прочитал и запомнил: { $names }. Спрашивайте о них в любое время; они есть в /files.
    }
page-refused-private = Я не читаю { $name }: адрес ведёт в частную сеть.
page-refused-robots = Мне нельзя читать { $name }: сайт не пускает туда программы. Пришлите текст или страницу файлом.
page-refused-closed = { $name } открывается только после входа. Пришлите текст или страницу файлом.
page-refused-gone = По адресу { $name } страницы нет. Адрес указан полностью?
page-refused-too-large = Страница { $name } слишком большая. Пришлите нужную часть.
page-refused-too-long = Страница { $name } слишком длинная. Пришлите нужную часть.
page-refused-slow = { $name } слишком долго не отвечает. Попробуйте позже.
page-refused-away = Не удалось открыть { $name }: на сайте неполадки, или он недоступен. Попробуйте позже.
page-refused-empty = По адресу { $name } нет текста. Возможно, страница показывает его только людям или после входа. Пришлите текст.
page-refused-unsupported = { $name } – не страница и не документ, который я могу прочитать.
page-refused-old-office = Файл по адресу { $name } в старом формате Office, который я не читаю.
page-refused-encrypted = Файл по адресу { $name } защищён паролем.
page-refused-damaged = Файл по адресу { $name } повреждён или не соответствует своему названию.
page-refused-too-many-links = Я не читал { $name }: для одного сообщения ссылок слишком много.

# The demo.
demo-about-stand-in = Это демо на вашем компьютере. Бот настоящий; Telegram и языковая модель — имитация, и эта модель умеет только цитировать. Чтобы подключить настоящую: «Подключить модель» или OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = Это демо на вашем компьютере. Бот и его языковая модель ({ $model }) настоящие; Telegram — имитация.
