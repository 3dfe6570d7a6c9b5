# The turn
greeting = Вітаю! Запитайте про що завгодно з моїх документів або надішліть фото. Що я вмію: /help.
greeting-named = Вітаю, { $name }! Запитайте про що завгодно з моїх документів або надішліть фото. Що я вмію: /help.
thanks-reply = Будь ласка!
farewell-reply = До побачення! Пишіть будь-коли.
help-reply = Поставте повне запитання, наприклад «Які в тебе джерела?», або надішліть фото й напишіть, що хочете дізнатися. Усе, що я вмію, перелічено в /help.
laughter-reply = 😄
nothing-said = Я не бачу тут слів. Поставте запитання або надішліть фото.
nothing-found = У підключених джерелах нічого не знайдено.
nothing-found-files = У ваших файлах нічого не знайдено.
nothing-found-answer = У підключених джерелах про це нічого не знайдено. Спробуйте інші слова або запитайте «Які в тебе джерела?», щоб побачити, про що вони.
no-sources-yet = Нічого не знайдено: джерела ще не підключено. Мій оператор може додати їх командою `ingest add-source`.
question-shortened = Повідомлення задовге, тому я прочитав лише його початок і кінець.
nothing-cited-web = Жоден результат з інтернету цього не підтверджує.
unchecked = Звірити це з джерелами не вдалося. Прочитано: { $sources }
refused-rag = У підключених джерелах немає відповіді на це запитання. Я подивився тут:
refused-files = У ваших файлах немає відповіді на це запитання. Я подивився тут:
refused-web = Результати з інтернету не відповідають на це запитання. Я подивився тут:
refused-rag-web = Відповіді немає ні в підключених джерелах, ні в інтернеті. Я подивився тут:
unsupported = Цього немає в джерелах, перевірте: { $claims }
contradicted = У джерелах сказано інше: { $claims }
unjudged = Звірити цю відповідь з джерелами не вдалося.
unjudged-claims = Не звірено з джерелами: { $claims }
uncomputed = Не обчислено за всіма рядками таблиці, перевірте: { $claims }
catalogue-title = Підключені документи
catalogue-counts =
    { $sources ->
        [one] { $sources } джерело
        [few] { $sources } джерела
        [many] { $sources } джерел
       *[other] { $sources } джерела
    }, { $documents ->
        [one] { $documents } документ
        [few] { $documents } документи
        [many] { $documents } документів
       *[other] { $documents } документа
    }. Назв у списку: { $shown }.
catalogue-sources = Джерела
catalogue-source =
    { $name }: { $documents ->
        [one] { $documents } документ
        [few] { $documents } документи
        [many] { $documents } документів
       *[other] { $documents } документа
    }
catalogue-source-internal =
    { $name } (про цього асистента): { $documents ->
        [one] { $documents } документ
        [few] { $documents } документи
        [many] { $documents } документів
       *[other] { $documents } документа
    }
catalogue-matching = Документи за вашим запитанням
catalogue-others = Інші документи
your-photo = Ваше фото
web-unavailable = Не вдалося виконати пошук в інтернеті.
look-failed = Роздивитися знімок детальніше не вдалося, тому відповідь спирається на перший погляд.
stopped = (зупинено)
early-end-length = Відповідь вийшла задовгою й уривається тут.
early-end-filtered = Фільтр вмісту на сервері моделі зупинив цю відповідь. Спробуйте запитати інакше.
early-end-refused = Мовна модель відмовилася відповідати на це запитання.
early-end-repeated = Мовна модель повторювалася без кінця, тому її зупинено.
early-end-deadline = Це тривало довше, ніж відведено на одне повідомлення, тому відповідь тут перервано.
answer-in-file = Ця відповідь довга. Вище — її початок, а у файлі нижче — вся відповідь.
continue-button = Продовжити
continue-wish = Продовж відповідь з місця, де вона урвалася.
stopped-at-once = Зупинено: я ще нічого не встиг написати.
web-nothing-found = Пошук в інтернеті нічого про це не дав.
ask-about-image =
    Ось що я бачу: { $seen }

    Що ви хочете про це дізнатися?
image-topic-describe = Опиши знімок
image-topic-text = Прочитай текст
image-topic-table = Поясни таблицю
image-topic-search = Знайди, що на знімку

# Telegram
status-reading = Читаю ваш файл…
status-looking = Дивлюся фото…
status-thinking = Думаю…
status-searching = Шукаю…
status-searching-web = Шукаю в інтернеті…
status-drafting = Пишу відповідь…
status-busy = Мовна модель зайнята. Чекаю на неї, не довше хвилини…
status-held = Сервер моделі поки не приймає запитів. Я спробую ще раз { $at } ({ $wait }) і відповім тут, повторювати запитання не потрібно. На наступні повідомлення відповім після цього.
status-queued = Прийнято. Відповім, щойно закінчу з попереднім повідомленням.
status-queued-elsewhere = Прийнято. Я ще відповідаю вам у браузері або в іншій програмі й відповім на це одразу після.
status-crowd = Прийнято. Зараз мені пише багато людей. Відповім, щойно підійде ваша черга.
button-stop = Зупинити
stopping = Зупиняю…
stopped-by-command = Зупинено.
question-dropped = Гаразд, відповідати на моє запитання не потрібно.
nothing-to-stop = Зараз я нічого не пишу.
stop-too-late = Ця відповідь уже готова.
too-many = Ви надіслали багато повідомлень одразу. Спершу я відповім на раніші. Це та наступні надішліть ще раз, коли я все надолужу.
sources-heading = Джерела
source-web = { $label } (інтернет)
sent-again = (Надіслано повторно: Telegram не підтвердив першої спроби.)
start = Вітаю! Я відповідаю на запитання за своїми документами й показую, звідки взято кожну відповідь. Ще можна надіслати фото й запитати про нього або розповісти, що вам потрібно зробити. Докладніше: /help.
start-named = Вітаю, { $name }! Я відповідаю на запитання за своїми документами й показую, звідки взято кожну відповідь. Ще можна надіслати фото й запитати про нього або розповісти, що вам потрібно зробити. Докладніше: /help.
start-examples = Торкніться теми, щоб спробувати:
help-heading = Що я вмію
help =
    • Відповідаю на запитання за своїми документами й даю пронумеровані джерела, які можна відкрити.
    • Шукаю в інтернеті, коли документів замало або йдеться про поточні події.
    • Читаю файли, які ви надсилаєте (PDF, Word, Excel, PowerPoint, CSV та інші), і сторінки за вашими посиланнями. Їхній список: /files.
    • Дивлюся фото, альбоми й файли із зображеннями. Можна відповісти на фото запитанням.
    • Пам’ятаю, що ви розповіли про себе. Інші користувачі цього ніколи не побачать.
    • Веду ваші завдання, нотатки й розклад: напишіть, що потрібно зробити. Справи на сьогодні покаже /today.
    • Нагадую, про що попросите, і разом з вами планую день: /plan.

    Просто пишіть своїми словами.
help-commands = Команди
unknown-command = Команди { $command } немає. Що я вмію: /help.
unknown-command-near = Команди { $command } немає. Може, /{ $near }? Усі команди: /help.
button-outdated = Ця кнопка більше не діє.
cannot-read = Таких повідомлень я поки не читаю. Надішліть текст, фото або файл із зображенням.
cannot-read-sticker =
    { $detail ->
        [blank] Я не бачу, що на стікері.
       *[other] { $detail } – чудово! Але що на самому стікері, я не бачу.
    } Напишіть словами або надішліть фото.
cannot-read-dice = { $detail } В ігри я не граю, зате відповідаю на запитання: просто напишіть.
cannot-read-animation = Я не можу дивитися GIF. Надішліть нерухоме зображення або запитайте словами.
cannot-read-video = Я не можу дивитися відео. Надішліть знімок екрана з потрібного моменту або запитайте словами.
cannot-read-location = Я не можу дивитися карту. Напишіть назву місця й що хочете про нього дізнатися.
cannot-read-venue = Я не можу знайти місце на карті. Напишіть його назву й що хочете про нього дізнатися.
cannot-read-contact = З контактами я не працюю, і цього не зберіг. Напишіть, що вам потрібно.
cannot-read-poll = Я не можу голосувати в опитуваннях. Напишіть запитання текстом, і я відповім.
cannot-read-story = Я не бачу історій. Надішліть знімок екрана або запитайте словами.
unread-note = Цього я не зміг переглянути: { $things }.
unread-animation = GIF
unread-audio = аудіо
unread-checklist = контрольний список
unread-contact = контакт
unread-dice = кубик
unread-game = гра
unread-giveaway = розіграш
unread-giveaway-winners = розіграш
unread-invoice = рахунок
unread-live-photo = живе фото
unread-long-text = текст після перших 16 000 символів
unread-location = геопозиція
unread-paid-media = платний вміст
unread-photo = фото
unread-poll = опитування
unread-rich-message = повідомлення з розміткою
unread-sticker = стікер
unread-story = історія
unread-venue = місце
unread-video = відео
unread-video-note = відеоповідомлення
unread-voice = голосове повідомлення
edit-too-late = Я зважаю на правки лише в останньому запитанні. Надішліть змінене запитання новим повідомленням.
replaced = (замінено)
not-allowed = Це закритий бот. Щоб отримати доступ, надішліть цей номер його оператору: { $user_id }
apology-unavailable = Вибачте, після кількох спроб зв’язатися з мовною моделлю не вдалося. Запитайте ще раз за кілька хвилин.
apology-download = Вибачте, після кількох спроб завантажити ваш файл із Telegram не вдалося. Надішліть його ще раз за кілька хвилин.
apology-credit = На рахунку оператора на сервері моделі закінчилися кошти, тому відповісти я не можу. Виправити це може лише мій оператор. Надішліть пізніше /retry, і я відповім на це запитання.
apology-key = Сервер моделі не приймає ключа мого оператора, тому відповісти я не можу. Виправити це може лише мій оператор. Надішліть пізніше /retry, і я відповім на це запитання.
model-away = Сервер моделі не приймає запитів до { $at }. Чекати так довго немає сенсу. Надішліть потім /retry, і я відповім на це запитання.
apology-refused = Вибачте, мовна модель не прийняла запит. Причину мій оператор знайде в журналі.
apology-malformed = Вибачте, відповідь мовної моделі виявилася непридатною. Запитайте ще раз, краще іншими словами.
apology-spent = Вибачте, я пробував відповісти кілька разів, і щоразу щось ішло не так. Запитання відкладено для мого оператора. Річ у мені, а не у ваших словах.
aside-reminder = Вибачте, настав час того, що ви запланували, але я кілька разів на цьому завис. Це відкладено для мого оператора.
aside-lesson = Вибачте, я кілька разів пробував запам’ятати дещо з вашого попереднього повідомлення і завис. Його відкладено для мого оператора.
aside-stream = Цю відповідь не можна показати як зазвичай. Ось її простий текст:
apology-internal = Вибачте, у мене щось пішло не так, запис про це є в журналі. Спробуйте ще раз.
limit-tokens = Ліміт на сьогодні вичерпано (токени: { $limit }). Знову відповідати я зможу { $at } ({ $wait }). До того часу працюють команди, як-от /status, /sources і /memory.
limit-images =
    Ліміт на сьогодні вичерпано ({ $limit ->
        [one] { $limit } зображення
        [few] { $limit } зображення
        [many] { $limit } зображень
       *[other] { $limit } зображення
    }), тому я переглянув не все, що ви надіслали. Знову дивитися зображення я зможу { $at } ({ $wait }).
limit-searches =
    Ліміт на сьогодні вичерпано ({ $limit ->
        [one] { $limit } пошук в інтернеті
        [few] { $limit } пошуки в інтернеті
        [many] { $limit } пошуків в інтернеті
       *[other] { $limit } пошуку в інтернеті
    }), тому в інтернеті я не шукав. Знову шукати я зможу { $at } ({ $wait }).
limit-audio_seconds =
    Ліміт на сьогодні вичерпано ({ $limit ->
        [one] { $limit } секунда звуку
        [few] { $limit } секунди звуку
        [many] { $limit } секунд звуку
       *[other] { $limit } секунди звуку
    }), тому я не слухав. Знову слухати я зможу { $at } ({ $wait }). А поки пишіть мені.
limit-wait = за { $duration }
day-yesterday = учора
day-today = сьогодні
day-tomorrow = завтра
media-too-large = Запис завеликий: я приймаю файли до 20 МБ.
media-unreadable = Не вдалося прочитати цей запис, можливо, його пошкоджено. Надішліть його ще раз.
image-empty = Зображення порожнє. Надішліть його ще раз.
image-too-large = Зображення завелике: я приймаю файли до 20 МБ.
image-too-many-pixels = У зображенні забагато пікселів. Надішліть меншу версію.
image-unreadable = Не вдалося прочитати зображення, можливо, воно пошкоджене. Надішліть його ще раз.
image-format = Цього формату зображень я не читаю. Надішліть JPEG, PNG або WebP.
image-heif = Файлів HEIC і AVIF я не читаю. Надішліть знімок як фото, а не як файл: тоді Telegram його перетворить.
image-animated = Я не можу дивитися анімацію. Надішліть нерухоме зображення.
image-refused = Це зображення використати не вдалося. Надішліть інше.

# Commands
command-start = Почати
command-help = Що я вмію
command-new = Почати нову розмову
command-stop = Зупинити відповідь, яку я пишу
command-retry = Ще раз відповісти на останнє запитання
command-tasks = Ваші завдання
command-today = Справи на сьогодні
command-notes = Ваші нотатки
command-sources = Що я знаю
command-spaces = Розділи, у яких я шукаю
command-why = Звідки взялася остання відповідь
command-status = Що я для вас роблю
command-language = Вибрати мову меню
command-privacy = Що я про вас зберігаю
command-memory = Що я про вас пам’ятаю
command-export = Ваші дані файлом
command-forget = Видалити все про вас
command-stats = Статистика використання
command-approvals = Відповіді, що чекають на схвалення
admins-only = Ця команда лише для адміністраторів.
database-away = База даних зараз недоступна. Спробуйте ще раз за хвилину.
button-not-yours = Це не ваша кнопка.
never = ще не було
and-more = … і ще { $count }
privacy-heading = Що я про вас зберігаю
privacy =
    У базі даних мого оператора (людини чи компанії) зберігається:
    • ваш ідентифікатор та ім’я в Telegram, ваші повідомлення й мої відповіді
    • те, що я про вас пам’ятаю, а також ваші завдання, нотатки й плани
    • дані для входу до вашого списку завдань у зашифрованому вигляді, якщо ви його підключите
    • відбиток і опис кожного фото, але не саме фото
    • текст файлів, сторінок і записів, які ви надсилаєте, але не сам звук
    • як ухвалювалося рішення про кожну відповідь і ваші 👍 або 👎
    • скільки ви витрачаєте за день: токени, зображення й пошуки

    Щоб відповісти, я надсилаю ваше повідомлення, розмову та знайдені уривки мовній моделі, яку вибрав мій оператор. Інші користувачі нічого з цього ніколи не побачать.
new-conversation = Починаємо нову розмову. На попередню я більше не зважаю, але й далі пам’ятаю, що ви розповіли про себе.
language = Якою мовою показувати меню й довідку? Відповідаю я завжди мовою запитання.
language-auto = Автоматично
language-chosen =
    { $chosen ->
        [auto] Меню та сповіщення будуть мовою вашого Telegram і ваших повідомлень.
       *[other] Меню та сповіщення тепер українською. Відповідаю я й далі мовою запитання.
    }
language-not-spoken = Цією мовою я поки не розмовляю. Виберіть одну з цих або надішліть /language з назвою мови.
status-sound = Секунд звуку прослухано й озвучено сьогодні: { $seconds }.
sources-none = Документів у мене поки немає. Мій оператор може додати їх командою `ingest add-source`.
spaces = Ці розділи моїх документів відкриті для вас. Я шукаю в тих, що мають ✓; в інших — лише якщо ви їх назвете. Торкніться розділу, щоб змінити це.
spaces-none = Усе, у чому я шукаю для вас, відкрите всім, хто може мною користуватися.
sources-known =
    Я знаю { $sources ->
        [one] { $sources } джерело
        [few] { $sources } джерела
        [many] { $sources } джерел
       *[other] { $sources } джерела
    }, у них { $documents ->
        [one] { $documents } документ
        [few] { $documents } документи
        [many] { $documents } документів
       *[other] { $documents } документа
    } ({ $passages ->
        [one] { $passages } уривок
        [few] { $passages } уривки
        [many] { $passages } уривків
       *[other] { $passages } уривка
    }):
sources-line =
    • { $name }: { $documents ->
        [one] { $documents } документ
        [few] { $documents } документи
        [many] { $documents } документів
       *[other] { $documents } документа
    }, { $passages ->
        [one] { $passages } уривок
        [few] { $passages } уривки
        [many] { $passages } уривків
       *[other] { $passages } уривка
    }, синхронізація: { $synced }
sources-line-internal =
    • { $name } (про мене): { $documents ->
        [one] { $documents } документ
        [few] { $documents } документи
        [many] { $documents } документів
       *[other] { $documents } документа
    }, { $passages ->
        [one] { $passages } уривок
        [few] { $passages } уривки
        [many] { $passages } уривків
       *[other] { $passages } уривка
    }, синхронізація: { $synced }
passage-gone = Цього уривка більше немає в моїх документах.
why-button = Чому?
why-nothing = Я ще ні на що не відповідав. Спершу запитайте про щось.
why-no-answer = У мене немає запису про те, як з’явилося це повідомлення. Дайте відповідь командою /why на одну з моїх відповідей.
why-heading = Як з’явилася ця відповідь
why-done-direct = Я відповів одразу, нічого не шукаючи.
why-done-rag =
    { $read ->
        [0] Я шукав у своїх документах і нічого про це не знайшов.
        [one] Я шукав у своїх документах: прочитав { $read } уривок, процитував { $cited }.
        [few] Я шукав у своїх документах: прочитав { $read } уривки, процитував { $cited }.
        [many] Я шукав у своїх документах: прочитав { $read } уривків, процитував { $cited }.
       *[other] Я шукав у своїх документах: прочитав { $read } уривка, процитував { $cited }.
    }
why-done-web =
    { $read ->
        [0] Я шукав в інтернеті й нічого про це не знайшов.
        [one] Я шукав в інтернеті: прочитав { $read } результат, процитував { $cited }.
        [few] Я шукав в інтернеті: прочитав { $read } результати, процитував { $cited }.
        [many] Я шукав в інтернеті: прочитав { $read } результатів, процитував { $cited }.
       *[other] Я шукав в інтернеті: прочитав { $read } результату, процитував { $cited }.
    }
why-done-rag-web =
    { $read ->
        [0] Я шукав у своїх документах, потім в інтернеті й нічого про це не знайшов.
        [one] Я шукав у своїх документах, потім в інтернеті: прочитав { $read } уривок, процитував { $cited }.
        [few] Я шукав у своїх документах, потім в інтернеті: прочитав { $read } уривки, процитував { $cited }.
        [many] Я шукав у своїх документах, потім в інтернеті: прочитав { $read } уривків, процитував { $cited }.
       *[other] Я шукав у своїх документах, потім в інтернеті: прочитав { $read } уривка, процитував { $cited }.
    }
why-web-failed =
    { $read ->
        [0] Пошукати в інтернеті не вдалося.
        [one] Пошукати в інтернеті не вдалося; у документах я прочитав { $read } уривок, процитував { $cited }.
        [few] Пошукати в інтернеті не вдалося; у документах я прочитав { $read } уривки, процитував { $cited }.
        [many] Пошукати в інтернеті не вдалося; у документах я прочитав { $read } уривків, процитував { $cited }.
       *[other] Пошукати в інтернеті не вдалося; у документах я прочитав { $read } уривка, процитував { $cited }.
    }
why-reason = Причина: { $reason }
looked-for = Шукав: «{ $query }»
why-further-queries = Потім шукав: «{ $query }»
why-photo = Фото: я його переглянув
why-photo-asked = Фото: я переглянув його ще раз з огляду на ваше запитання
why-memory =
    Згадав: { $count ->
        [one] { $count } факт про вас
        [few] { $count } факти про вас
        [many] { $count } фактів про вас
       *[other] { $count } факту про вас
    } (див. /memory)
why-recalled = • { $text }
why-summary = Згадав: стислий зміст попередньої розмови
why-past = З нашої попередньої розмови:
why-past-turn = • { $date }: «{ $text }»
why-read-document =
    Документи: { $read ->
        [0] нічого не знайдено
        [one] прочитано { $read } уривок
        [few] прочитано { $read } уривки
        [many] прочитано { $read } уривків
       *[other] прочитано { $read } уривка
    }
why-read-web =
    Інтернет: { $read ->
        [0] нічого не знайдено
        [one] прочитано { $read } результат
        [few] прочитано { $read } результати
        [many] прочитано { $read } результатів
       *[other] прочитано { $read } результату
    }
why-doubted =
    Перевірка: { $count ->
        [one] { $count } речення викликало сумнів
        [few] { $count } речення викликали сумнів
        [many] { $count } речень викликали сумнів
       *[other] { $count } речення викликали сумнів
    }
why-planned = Дії, про які просить саме ваше повідомлення: { $count }
why-repaired = Перевірка: у першому варіанті не було цитат або було речення без джерела, і я попросив модель написати заново
why-permitted = Виклики без запитання, бо ви їх завжди дозволяєте (/tools): { $count }
why-unsupported =
    Перевірка: { $count ->
        [one] { $count } речення без джерела
        [few] { $count } речення без джерела
        [many] { $count } речень без джерела
       *[other] { $count } речення без джерела
    }, у відповіді це позначено
why-contradicted =
    Перевірка: { $count ->
        [one] { $count } речення розходиться
        [few] { $count } речення розходяться
        [many] { $count } речень розходяться
       *[other] { $count } речення розходиться
    } з джерелами, у відповіді це позначено
why-judged = Перевірка: речень звірено з джерелами: { $count }
why-unjudged = Перевірка: речень не вдалося звірити, у відповіді це зазначено: { $count }
why-unsampled = Перевірка: речень не звірено, бо перевіряється лише частина відповідей: { $count }
why-second_look_failed = Збій: планувальна модель не змогла перевірити відповідь
why-refused = Перевірка: ніщо з прочитаного не підтверджує тексту моделі, тому я його не показав
why-planner_failed = Збій: планувальна модель не дала плану, тому пошук ішов лише в підключених документах
why-further_search_failed = Збій: планувальна модель не змогла сказати, чого ще бракує
why-embedding_failed = Збій: шукати вдалося лише за словами, а не за змістом
why-rerank_failed = Збій: упорядкувати знайдені фрагменти не вдалося або це тривало надто довго, тому вони залишилися в порядку пошуку
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, процитовано)
why-models = Модель: { $models }
why-times =
    { $steps ->
        [blank] Час: { $total } с
       *[other] Час: { $total } с ({ $steps })
    }
why-reference = Номер для оператора: { $request_id }
step-N1_ingest_input = читання { $seconds }
step-N2_load_long_term_memory = пам’ять { $seconds }
step-N13_read_files = читання файлів { $seconds }
step-N3_vision_summarize = перегляд { $seconds }
step-N4_build_effective_query = планування { $seconds }
step-N5_retrieve = пошук у документах { $seconds }
step-N14_search_further = подальший пошук { $seconds }
step-N8_web_search = пошук в інтернеті { $seconds }
step-N6_synthesize = написання { $seconds }
step-N7_persist = збереження { $seconds }
step-N9_ask_back = зустрічне запитання { $seconds }
step-N10_take_answer = читання вашої відповіді { $seconds }
step-N11_request_approval = запит на схвалення { $seconds }
rated = Дякую за відгук.
rating-withdrawn = Відгук видалено.
status-answering =
    Я пишу вам відповідь. { $waiting ->
        [0] Інших повідомлень у черзі немає.
        [one] У черзі ще { $waiting } повідомлення.
        [few] У черзі ще { $waiting } повідомлення.
        [many] У черзі ще { $waiting } повідомлень.
       *[other] У черзі ще { $waiting } повідомлення.
    }
status-waiting =
    { $waiting ->
        [0] На всі ваші повідомлення я відповів.
        [one] { $waiting } ваше повідомлення чекає на відповідь.
        [few] { $waiting } ваші повідомлення чекають на відповідь.
        [many] { $waiting } ваших повідомлень чекають на відповідь.
       *[other] { $waiting } ваші повідомлення чекають на відповідь.
    }
status-use = Сьогодні витрачено: токени { $tokens }, зображення { $images }, пошуки в інтернеті { $searches }, виклики підключених інструментів { $tool_calls }. Новий день почнеться { $at } ({ $wait }).
use-free = { $used }
use-limited = { $used } з { $limit }
status-documents =
    Документи: { $documents }, усього { $passages ->
        [one] { $passages } уривок
        [few] { $passages } уривки
        [many] { $passages } уривків
       *[other] { $passages } уривка
    }; синхронізація: { $synced }
status-documents-away = Документи: їхня база даних зараз недоступна.
status-models = Моделі: { $chat } пише, { $vision } дивиться зображення
status-version = rich-agent { $version }
memory-empty = Я про вас поки нічого не пам’ятаю. Розкажіть щось про себе, і я запам’ятаю.
memory-known =
    Я пам’ятаю про вас { $count ->
        [one] { $count } факт
        [few] { $count } факти
        [many] { $count } фактів
       *[other] { $count } факту
    }. Торкніться номера, щоб я забув цей факт.
memory-facts = Факти
memory-preferences = Уподобання
memory-tasks = Справи
memory-past = у минулому
memory-planned = у планах
memory-item = { $text } ({ $told })
memory-item-due = { $text } – термін { $due } ({ $told })
memory-deleted = Забуто. Повідомлення, у яких ви про це розповіли, залишаються в нашій розмові. Щоб видалити й їх, напишіть «забудь …».
forgetting-told = Забути це?
forgetting-everything =
    Забути все, що ви мені розповіли й про що ми говорили? Це { $memory ->
        [one] { $memory } факт, який я пам’ятаю,
        [few] { $memory } факти, які я пам’ятаю,
        [many] { $memory } фактів, які я пам’ятаю,
       *[other] { $memory } факту, які я пам’ятаю,
    } і { $messages ->
        [one] { $messages } повідомлення з відповіддю.
        [few] { $messages } повідомлення з відповідями.
        [many] { $messages } повідомлень з відповідями.
       *[other] { $messages } повідомлення з відповідями.
    }
forgetting-named = Тут це лише згадується. Ці записи залишаться, якщо ви не вирішите забути й їх:
forgetting-only-named = Нічого, що точно про це, я не знайшов. Забути те, де це лише згадується?
forgetting-of-memory = Що я пам’ятаю:
forgetting-of-thing = Ваші завдання, нотатки й плани:
forgetting-of-file = Ваші файли:
forgetting-of-message = Ваші повідомлення з моїми відповідями:
forgetting-of-summary = У стислому змісті попередньої розмови:
forgetting-more = … і ще { $count }.
forgetting-final = Скасувати це неможливо. Натисніть одну з кнопок.
forgetting-yes = Забути
forgetting-yes-all = Забути все це
forgetting-no = Залишити все
forgetting-done =
    Забуто: { $memory ->
        [one] { $memory } факт із пам’яті
        [few] { $memory } факти з пам’яті
        [many] { $memory } фактів із пам’яті
       *[other] { $memory } факту з пам’яті
    } і { $messages ->
        [one] { $messages } повідомлення з відповіддю
        [few] { $messages } повідомлення з відповідями
        [many] { $messages } повідомлень з відповідями
       *[other] { $messages } повідомлення з відповідями
    }. Їх більше немає в моїй пам’яті, у нашій розмові, у її стислому змісті, в архіві й у даних, які видає /export. Те, що ви бачите в цьому чаті, залишиться, доки ви не видалите це в Telegram.
forgetting-left =
    { $count ->
        [one] { $count } запис, де це лише згадується, залишається, як ви вирішили.
        [few] { $count } записи, де це лише згадується, залишаються, як ви вирішили.
        [many] { $count } записів, де це лише згадується, залишаються, як ви вирішили.
       *[other] { $count } запису, де це лише згадується, залишається, як ви вирішили.
    }
forgetting-done-everything = Ваші налаштування, відгуки й облік витрат залишаються; /forget видалить і їх.
forgetting-nothing = Я нічого про це не знайшов ні в пам’яті, ні в нашій розмові, тому нічого не видалено. Що я про вас пам’ятаю: /memory.
forgetting-failed = З’ясувати, що потрібно забути, не вдалося: моя модель дала збій. Нічого не видалено. Спробуйте пізніше або скористайтеся /memory і /forget.
forgetting-kept = Нічого не видалено.
forgetting-wish = (Прохання щось забути. Його тексту не збережено.)
planner-failed-note = Моя планувальна модель дала збій. Якщо ви просили щось зробити або забути, нічого не зроблено й не видалено: попросіть ще раз або скористайтеся /memory і /forget.
planner-failed-still = Нічого не зроблено й не видалено.
exported =
    Ось усе, що я про вас зберігаю: { $messages ->
        [one] { $messages } повідомлення
        [few] { $messages } повідомлення
        [many] { $messages } повідомлень
       *[other] { $messages } повідомлення
    }, { $decisions ->
        [one] { $decisions } рішення
        [few] { $decisions } рішення
        [many] { $decisions } рішень
       *[other] { $decisions } рішення
    }{ $images ->
        [0] {""}
        [one] , { $images } опис зображення
        [few] , { $images } описи зображень
        [many] , { $images } описів зображень
       *[other] , { $images } опису зображення
    }, те, що я пам’ятаю, а також ваші завдання, нотатки й плани. Файл у форматі JSON.
forget-confirm =
    Видалити все, що я про вас зберігаю? Це наша розмова, те, що я про вас пам’ятаю, ваші завдання, нотатки й плани, записи про те, як ухвалювалося рішення про кожну відповідь, ваші відгуки, описи фото, текст файлів і записів та налаштування.

    Скасувати це неможливо. Повідомлення в цьому чаті залишаться, доки ви не видалите їх у Telegram. Щоб отримати копію даних, спершу надішліть /export.
forget-yes = Так, видалити все
forget-no = Ні, залишити
forget-wish = Забудь, що я казав про: { $what }
command-alone = Нічого не зроблено: { $command } пишеться без слів після неї. Надішліть її окремо, якщо маєте на увазі саме це.
secret-delete-yourself = Видалити ваше повідомлення не вдалося. У ньому пароль, тому видаліть його самі.
forget-kept = Нічого не видалено.
forgotten = Усе, що я про вас зберігав, видалено. Якщо напишете знову, почнемо з чистого аркуша.
confirmation-over = Це запитання застаріло. Надішліть команду ще раз.
nothing-to-retry = Немає запитання, на яке можна відповісти ще раз. Спершу запитайте про щось.
stats-heading = Статистика
stats-users = Користувачі: { $known }; за добу { $day }, за 7 днів { $week }; заблокували мене: { $blocking }
stats-turns = Відповіді: за добу { $day }, за 7 днів { $week }
stats-plans = Плани, 7 днів: { $plans }
stats-plan-direct = одразу { $count }
stats-plan-rag = документи { $count }
stats-plan-web = інтернет { $count }
stats-plan-rag-web = документи й інтернет { $count }
stats-times = Час відповіді, 7 днів: p50 { $p50 } с, p95 { $p95 } с
stats-failures = Збої за 7 днів: перервані відповіді { $broken }, недоставлені повідомлення { $undelivered }; покинуті оновлення { $dead }
stats-feedback = Відгуки: 👍 { $up }, 👎 { $down }
stats-use-day = Витрати сьогодні (UTC): токени { $tokens }, зображення { $images }, пошуки в інтернеті { $searches }; { $cost }
stats-use-week = Витрати за 7 днів: токени { $tokens }, зображення { $images }, пошуки в інтернеті { $searches }; { $cost }
stats-cost = вартість { $cost }
stats-cost-partly = вартість { $cost } без { $models } (ціну не задано)
stats-cost-unknown = ціни не задано (MODEL_PRICES)
stats-top-users = Найбільше токенів, 7 днів: { $users }
stats-inbox = Оновлення в черзі: { $pending }
stats-approvals = Чекають на схвалення: { $count } (/approvals)

# Approval
approval-waiting = Відповіді такого роду перед надсиланням читає людина. Вашу зараз перевіряють, і я надішлю її, щойно її схвалять. А поки можете писати далі.
approval-review =
    Відповідь { $number } чекає на ваше схвалення.
    Від: { $user }
    Тип: { $intent }
    Запитання: { $question }

    Чернетка нижче. Дайте на неї відповідь виправленим текстом або натисніть кнопку.
button-approve = Схвалити
button-correct = Змінити
button-reject = Відхилити
approval-correction = Відповідь { $number }: дайте відповідь на це повідомлення виправленим текстом. Користувач прочитає його без змін.
approval-reason = Відповідь { $number }: дайте відповідь на це повідомлення й зазначте причину відмови. Користувач її прочитає.
approval-words-missing = Мені потрібен текст. Дайте відповідь на те саме повідомлення ще раз.
approval-is-approved =
    { $by ->
        [you] ✓ Ви схвалили цю відповідь.
       *[other] ✓ Схвалено: { $admin }.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ Надіслано з вашим текстом.
       *[other] ✎ Надіслано з текстом від { $admin }.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ Ви відхилили цю відповідь.
       *[other] ✗ Відхилено: { $admin }.
    }
approval-is-expired = Рішення вчасно не було. Користувача я про це повідомив.
approval-is-withdrawn = Користувач змінив запитання, і ця чернетка більше не потрібна.
approval-approved = Цю відповідь перевірено й схвалено.
approval-corrected = Цю відповідь перевірено й виправлено.
approval-rejected = На жаль, відповісти на це я не можу. Причина: { $reason }
approval-expired = На жаль, мою відповідь не встигли перевірити вчасно. Запитайте ще раз пізніше.
approvals-known =
    { $count ->
        [0] Немає відповідей, що чекають на схвалення.
        [one] { $count } відповідь чекає на схвалення:
        [few] { $count } відповіді чекають на схвалення:
        [many] { $count } відповідей чекають на схвалення:
       *[other] { $count } відповіді чекають на схвалення:
    }
approvals-line = • { $number }, { $since }, від { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = за планом
reason-greeting = привітання
reason-farewell = прощання
reason-thanks = подяка
reason-help = прохання про допомогу
reason-laughter = сміх
reason-reaction = емодзі
reason-silence = у повідомленні немає слів для пошуку
reason-number = число або обчислення
reason-known_word = слово, яке є в підключених документах
reason-forget_wish = прохання щось забути
reason-stopped = ви зупинили відповідь до того, як з’явився план
reason-no_web = пошук в інтернеті не налаштовано
reason-no_plan = планувальна модель не дала плану, тому пошук ішов у підключених документах, але не в інтернеті
reason-file_read = повідомлення про файл, який ви надіслали
reason-file_refused = жоден із надісланих файлів прочитати не можна
reason-about_bot = на запитання про мене я відповідаю за своїми документами
reason-about_now = відповідь залежить від поточного стану справ, тому пошук ішов в інтернеті
reason-documents_first = підключені документи важливіші за інтернет
reason-documents_may_say = відповідь може бути в підключених документах
reason-documents_wanted = ви запитали, що кажуть документи
reason-web_ruled_out = повідомлення може бути особистим, тому пошуку в інтернеті не було
reason-say_little = у підключених документах про це мало, тому пошук ішов і в інтернеті
reason-say_little_on = у підключених документах мало про «{ $subject }», тому пошук ішов і в інтернеті

# Alerts for admins
alert-credit = ⚠️ На рахунку на сервері моделі закінчилися кошти ({ $service }), і я нікому не можу відповісти. { $hint } Потім виконайте `rich-agent inbox replay --all`, щоб я відповів на пропущені запитання. Таке повідомлення надходить не частіше ніж раз на годину.
alert-key = ⚠️ Сервер моделі не приймає ключа ({ $service }), і я нікому не можу відповісти. { $hint } Потім виконайте `rich-agent inbox replay --all`, щоб я відповів на пропущені запитання. Таке повідомлення надходить не частіше ніж раз на годину.
alert-away = ⚠️ Сервер моделі ({ $service }) не приймає запитів до { $at }. Користувачів я прошу запитати пізніше. Щоб цього уникнути, підніміть ліміт або змініть сервер. Таке повідомлення надходить не частіше ніж раз на годину.
alert-lesson = ⚠️ Кілька днів я намагався оновити пам’ять користувача за його повідомленням і припинив спроби. Причина в журналі. Таке повідомлення надходить не частіше ніж раз на годину.
alert-refused = ⚠️ Сервер моделей відхиляє один із моїх запитів: { $problem } { $hint } Продовжую без нього, наскільки це можливо. Повідомляю про це не частіше ніж раз на годину.

# Tools: what each is for, and what is happening while it runs.
status-acting = Використовую: { $tool }…
tool-get_tasks = Ваші завдання
tool-get_task_details = Завдання докладно
tool-create_task = Додавання завдання
tool-update_task = Зміна завдання
tool-delete_task = Видалення завдання
tool-get_projects = Ваші проєкти
tool-create_project = Додавання проєкту
tool-update_project = Зміна проєкту
tool-get_goals = Ваші цілі
tool-create_goal = Додавання цілі
tool-update_goal = Зміна цілі
tool-get_daily_schedule = Ваш розклад
tool-create_schedule_block = Запис у розклад
tool-get_recent_notes = Ваші нотатки
tool-list_files = Ваші файли
tool-create_note = Нова нотатка
tool-remind = Нове нагадування
tool-list_reminders = Ваші нагадування
tool-cancel_reminder = Скасування нагадування
tool-snooze_reminder = Перенесення нагадування
tool-undo_last_change = Скасування останньої зміни
tool-search_documents = Документи
tool-search_web = Пошук в інтернеті
tool-request_more_information = Запитання до вас
doing-get_tasks = Переглядаю ваші завдання…
doing-get_task_details = Дивлюся завдання…
doing-create_task = Додаю завдання…
doing-update_task = Змінюю завдання…
doing-delete_task = Видаляю завдання…
doing-get_projects = Переглядаю ваші проєкти…
doing-create_project = Додаю проєкт…
doing-update_project = Змінюю проєкт…
doing-get_goals = Переглядаю ваші цілі…
doing-create_goal = Додаю ціль…
doing-update_goal = Змінюю ціль…
doing-get_daily_schedule = Дивлюся ваш розклад…
doing-create_schedule_block = Додаю до розкладу…
doing-get_recent_notes = Переглядаю ваші нотатки…
doing-list_files = Переглядаю ваші файли…
doing-create_note = Пишу нотатку…
doing-remind = Створюю нагадування…
doing-list_reminders = Переглядаю ваші нагадування…
doing-cancel_reminder = Скасовую нагадування…
doing-snooze_reminder = Переношу нагадування…
doing-undo_last_change = Скасовую останню зміну…
doing-search_documents = Шукаю в документах…
doing-search_web = Шукаю в інтернеті…
approve-calls = Я хочу зробити ось що. Можна?
approve-not-planned = Саме ваше повідомлення про це не просить. Перевірте уважно.
approve-yes = Схвалити
approve-no = Скасувати
approve-words-yes = так|ок|добре|давай
approve-words-no = ні|скасувати
card-labelled = { $label }: { $text }
card-not-done = Не зроблено.
approve-adjust = Поправити
approve-how-to-adjust = Напишіть, що змінити, і я запропоную ще раз.
approve-always = Завжди для цього
approve-always-same = «{ $always }» схвалює це, і надалі такий самий виклик виконується без запитання. Скасувати це можна в /tools.
approve-always-alike = «{ $always }» схвалює це, і надалі виклики з тим самим значенням { $fixed } виконуються без запитання, хоч би що ще в них було. Скасувати це можна в /tools.
web-approve-in-words = Дайте відповідь «{ $yes }» або «{ $no }» чи напишіть, що змінити.
card-characters-left-out = Ще символів: { $count }
card-arguments-left-out = Ще даних: { $count }
card-in-file = Тут уміщується не все. Увесь текст — у файлі «approval.txt». Прочитайте його, перш ніж вирішувати.
card-copied-from = Джерело: { $sources }
copied-user = ваше повідомлення
copied-memory = те, що я зберігаю для вас
copied-assistant = одна з попередніх відповідей
copied-document = документ
copied-page = вебсторінка
copied-file = файл
copied-server = інша програма
copied-other = інша людина
card-takes-back = Скасовує
argument-title = Назва
argument-description = Опис
argument-project_id = Проєкт
argument-priority = Пріоритет
argument-due_date = Термін
argument-estimated_minutes = Тривалість у хвилинах
argument-task_type = Вид завдання
argument-parent_id = Частина завдання
argument-recurrence = Повторення
argument-task_id = Завдання
argument-status = Стан
argument-is_archived = В архіві
argument-reason = Причина
argument-name = Назва
argument-importance = Важливість
argument-action_plan = План
argument-goal_id = Ціль
argument-timeframe = Період
argument-target_date = Дата цілі
argument-progress = Виконано, %
argument-date = День
argument-start_time = Початок
argument-duration_minutes = Хвилини
argument-duration = Тривалість
argument-block_type = Вид блоку
argument-content = Текст
argument-folder_id = Тека
argument-text = Текст
argument-when = Коли
argument-time_zone = Часовий пояс
argument-kind = Вид
argument-schedule_id = Нагадування
argument-until = До
argument-yes = так
argument-no = ні
argument-none = не вказано
value-low = низький
value-medium = середній
value-high = високий
value-urgent = терміново
value-today = сьогодні
value-next-actions = наступні дії
value-someday-maybe = колись
value-wait-for = чекаю на інших
value-routine = регулярне
value-daily = щодня
value-weekly = щотижня
value-monthly = щомісяця
value-quarterly = щокварталу
value-yearly = щороку
value-work = робота
value-break = перерва
value-meeting = зустріч
value-personal = особисте
value-reminder = нагадування
value-prompt = запитання, на яке я тоді відповім
value-todo = відкрито
value-in-progress = у роботі
value-blocked = заблоковано
value-done = готово
approve-cancelled = Скасовано. Нічого не змінилося.
acting-limit-calls = Я виконав 10 дій, більше на одне повідомлення не можна. Якщо щось залишилося, напишіть «далі».
acting-limit-errors = Тричі поспіль щось не вийшло, і я зупинився. Більше нічого не змінилося.
undo-button = Скасувати
undo-done = Скасовано:
undo-too-late = Скасувати це вже не можна.
step-N12_act = дії { $seconds }

# What was done to tasks, projects, goals, notes and the schedule, and what was undone.
task-created = Додано завдання «{ $title }».
task-create-undone = Прибрано завдання «{ $title }».
task-updated = Змінено завдання «{ $title }».
task-done = Готово: «{ $title }».
task-done-again = Готово: «{ $title }». Наступний термін: { $date }.
task-update-undone = Завдання «{ $title }» знову таке, як було.
task-changed-since = Завдання «{ $title }» тим часом змінили ще раз, тому воно залишається як є.
task-deleted = Видалено завдання «{ $title }».
task-delete-undone = Завдання «{ $title }» відновлено.
project-created = Створено проєкт «{ $name }».
project-updated = Змінено проєкт «{ $name }».
project-update-undone = Проєкт «{ $name }» знову такий, як був.
project-changed-since = Проєкт «{ $name }» тим часом змінили ще раз, тому він залишається як є.
project-create-undone = Прибрано проєкт «{ $name }».
goal-created = Поставлено ціль «{ $title }».
goal-create-undone = Прибрано ціль «{ $title }».
goal-updated = Змінено ціль «{ $title }»: { $progress } %.
goal-update-undone = Ціль «{ $title }» знову така, як була.
goal-changed-since = Ціль «{ $title }» тим часом змінили ще раз, тому вона залишається як є.
note-created = Записано нотатку «{ $title }».
note-create-undone = Прибрано нотатку «{ $title }».
block-created = Додано до розкладу: { $span } { $title }.
block-create-undone = Прибрано з розкладу: { $span } { $title }.
reason-in_group = у групах я відповідаю лише за підключеними документами
reason-link_ignored = ви просили не відкривати посилання
reason-link_kept = ви просили запам’ятати сторінку
reason-link_read = прочитано сторінку за вашим посиланням
reason-in_session = це повідомлення належить до покрокової сесії
reason-session_left = ви вирішили завершити покрокову сесію

# The lists of /tasks, /today and /notes.
tasks-all =
    { $count ->
        [one] { $count } відкрите завдання
        [few] { $count } відкриті завдання
        [many] { $count } відкритих завдань
       *[other] { $count } відкритого завдання
    }
tasks-today =
    { $count ->
        [one] { $count } завдання на сьогодні
        [few] { $count } завдання на сьогодні
        [many] { $count } завдань на сьогодні
       *[other] { $count } завдання на сьогодні
    }
tasks-schedule = Розклад
timeline-button = Картинкою
timeline-empty = На цей день більше нічого не заплановано.
timeline-left-out = і ще { $count }
tasks-all-empty = Відкритих завдань немає. Напишіть «мені треба …», і я додам завдання.
tasks-today-empty = На сьогодні нічого немає. Усі ваші завдання: /tasks.
task-due = термін { $date }
task-overdue = прострочено ({ $date })
task-high = важливо
task-urgent = терміново
task-in-progress = у роботі
task-blocked = заблоковано
task-tomorrow = Завтра { $number }
task-unchanged = Цього завдання у вашому списку більше немає.
notes-heading =
    { $count ->
        [one] { $count } нотатка
        [few] { $count } нотатки
        [many] { $count } нотаток
       *[other] { $count } нотатки
    }
notes-empty = Нотаток немає. Напишіть «запиши, що …», і я створю нотатку.
notes-folder-empty = Папка «{ $folder }» порожня. Попросіть мене записати в неї нотатку.
notes-all = Усі нотатки
notes-back = Назад
note-delete = Видалити
note-deleted = Видалено нотатку «{ $title }».
note-gone = Цієї нотатки більше немає.
command-reminders = Нагадування, тихі години й зведення дня
command-timezone = Вибрати часовий пояс
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
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [1] щогодини
            [one] кожну { $count } годину
            [few] кожні { $count } години
            [many] кожні { $count } годин
           *[other] кожні { $count } години
        }
        [daily] { $count ->
            [1] щодня
            [one] кожен { $count } день
            [few] кожні { $count } дні
            [many] кожні { $count } днів
           *[other] кожні { $count } дня
        }
        [weekly] { $count ->
            [1] щотижня
            [one] кожен { $count } тиждень
            [few] кожні { $count } тижні
            [many] кожні { $count } тижнів
           *[other] кожні { $count } тижня
        }
        [monthly] { $count ->
            [1] щомісяця
            [one] кожен { $count } місяць
            [few] кожні { $count } місяці
            [many] кожні { $count } місяців
           *[other] кожні { $count } місяця
        }
       *[yearly] { $count ->
            [1] щороку
            [one] кожен { $count } рік
            [few] кожні { $count } роки
            [many] кожні { $count } років
           *[other] кожні { $count } року
        }
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
button-done = ✓ Готово
button-snooze-10m = 10 хв
button-snooze-1h = 1 год
button-snooze-1d = Завтра
button-quiet =
    { $hours ->
        [none] 🌙 Тихі години: немає
       *[other] 🌙 { $hours }
    }
button-digest =
    { $clock ->
        [none] ☀️ Зведення дня: немає
       *[other] ☀️ { $clock }
    }
quiet-hours =
    { $hours ->
        [none] Тихих годин більше немає.
       *[other] Нагадування на час { $hours } почекають, доки він не мине.
    }
digest-time =
    { $clock ->
        [none] Зведення дня більше не надходитиме.
       *[other] Зведення надходитиме щодня о { $clock }.
    }
digest-request =
    Напиши моє зведення на сьогодні, { $day }: що заплановано, які терміни й про що не забути. { $count ->
        [0] Нагадувань на сьогодні немає.
       *[other] Мої нагадування на сьогодні:
    }
time-zone-needed = Я ще не знаю вашого часового поясу. Спершу виберіть його в /timezone.
time-zone-none = Я ще не знаю вашого часового поясу. Виберіть його тут або надішліть /timezone з назвою, наприклад Europe/Kyiv.
time-zone = Ваш часовий пояс: { $zone }. Зараз там { $now }. Щоб його змінити, надішліть /timezone з іншою назвою.
time-zone-chosen = Ваш часовий пояс: { $zone }. Зараз там { $now }. Повторювані нагадування надходять за ним.
time-zone-near = Часового поясу { $name } я не знаю. Може, один із цих?
time-zone-which = Для { $name } підходить кілька часових поясів. Який ваш?
time-zone-unknown = Часового поясу { $name } я не знаю. У назві є регіон і місто, наприклад Europe/Kyiv.
ask-time-zone = Щоб нагадувати вчасно, мені треба знати ваш часовий пояс. У якому ви місті?

# The page of a passage.
passage-place = { $source } · уривок { $position } з { $count }
passage-before = ← Назад
passage-after = Далі →

# The page of a browser while the bot starts.
bot-starting = Бот запускається…

# Tokens for other programs (/tokens).
command-tokens = Запитання від вашого імені з інших програм
tokens-none = З токеном інша програма може ставити мені запитання від вашого імені через HTTP. Токенів поки немає.
tokens-about = З токеном інша програма може ставити мені запитання від вашого імені через HTTP. ✕ одразу відкликає токен.
tokens-open = Ваші токени
tokens-unreachable = Інші програми не можуть зі мною зв’язатися, тому токена я не створюю. Мій оператор має спершу задати PUBLIC_URL.
tokens-make = Новий токен
tokens-make-named = Новий токен «{ $name }»
tokens-name = Telegram
tokens-made = Ось новий токен. Я показую його лише зараз. Скопіюйте його у свою програму, а потім сховайте. Доки ви його не відкличете, кожен, хто його має, може ставити мені запитання від вашого імені. Моя адреса для програм: { $address }
tokens-hide = Сховати токен
tokens-revoked = Токен відкликано. Він більше нічого не відкриває.
tokens-too-many = Токенів у вас уже { $most }, це межа. Спершу відкличте один із них.
tokens-made-on = створено { $day }
tokens-used-on = використано { $day }
tokens-unused = ще не використано
tokens-ends-on = термін: { $day }
# Calls that a user permitted for good (/tools).
command-tools = Що може виконуватися без запитання
tools-none = Постійних дозволів ще немає. Де це безпечно, запитання перед викликом пропонує «Завжди для цього».
tools-about = Ці виклики виконуються без запитання. ✕ відкликає дозвіл, як і /tools з його номером.
tools-given-on = дозволено { $day }
tools-used = виклики: { $count }
tools-any = будь-яке
tools-changed = Відтоді інструмент змінився, тому про такий виклик я знову запитаю.
tools-take-all-back = Відкликати всі
tools-taken-back = Відкликано. Про такий виклик я знову запитаю.

# Outside Telegram.
only-in-telegram = Повністю це працює лише в Telegram: надішліть там { $command }.

run-not-latest = Знову відповісти можна лише на останнє запитання розмови.

# What is asked in groups.

guest-user-limit = Ваші запитання в групах на сьогодні вичерпано. Запитайте мене в особистому чаті.
guest-group-limit = За останню годину в цій групі було багато запитань. Спробуйте пізніше або запитайте мене в особистому чаті.
guest-withheld = Відповісти на це в групі я не можу. Запитайте мене в особистому чаті.
guest-answer-cut = Це початок довшої відповіді. Щоб отримати її повністю, запитайте мене в особистому чаті.
## Files

file-page = сторінка { $number }
file-sheet-named = аркуш { $heading }
file-sheet-numbered = аркуш { $number }
file-slide-named = слайд { $number }: { $heading }
file-slide-numbered = слайд { $number }
ask-about-files =
    { $count ->
        [1] Файл прочитано: { $names }. Що ви хочете про нього дізнатися?
       *[other] Файли прочитано: { $names }. Що ви хочете про них дізнатися?
    }
file-topic-summary = Перекажи стисло
file-topic-points = Виділи головне
file-read-whole = Прочитано повністю: { $name }.
file-macros = Макроси не запускалися: { $name }.
file-read-in-parts =
    Прочитано повністю: { $name }, { $parts ->
        [one] { $parts } частина
        [few] { $parts } частини
        [many] { $parts } частин
       *[other] { $parts } частини
    }.
file-read-partly = { $name } – довгий файл: прочитано частин { $read } із { $units }. Запитайте про решту або про окрему частину.
file-searched = { $name } – довгий файл: я шукав у ньому за вашим запитанням і прочитав не все.
file-unread-pages =
    { $count ->
        [one] На { $count } сторінці
        [few] На { $count } сторінках
        [many] На { $count } сторінках
       *[other] На { $count } сторінки
    } тексту не знайшлося: { $name }.
file-refused-too-large = «{ $name }» більший за 20 МБ, а завантажити більше Telegram мені не дозволяє. Надішліть менший файл або поділіть цей.
file-refused-too-long = «{ $name }» задовгий, щоб його прочитати. Надішліть потрібну частину окремим файлом.
file-refused-unsupported = Я не можу прочитати «{ $name }». Я читаю PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV і звичайний текст. Збережіть файл в одному з цих форматів і надішліть ще раз.
file-refused-old-office = «{ $name }» у старому форматі Office. Збережіть його як DOCX, XLSX, PPTX або PDF і надішліть ще раз.
file-refused-encrypted = «{ $name }» захищено паролем. Збережіть його без пароля й надішліть ще раз.
file-refused-empty = У «{ $name }» немає тексту. Якщо там щось є, надішліть це як PDF або фото.
file-refused-damaged = «{ $name }» пошкоджено, або він не відповідає своїй назві. Відкрийте його, збережіть заново й надішліть нову копію.
file-refused-gone = Не вдалося отримати «{ $name }»: файлу більше немає. Надішліть його ще раз.
file-keep-button = Запам’ятати
file-only-here-button = Лише тут
file-kept =
    { $count ->
        [1] Я запам’ятаю цей файл. Він є в /files.
       *[other] Я запам’ятаю ці файли. Вони є в /files.
    }
file-not-kept =
    { $count ->
        [1] Я забуду цей файл разом із цією розмовою (/new).
       *[other] Я забуду ці файли разом із цією розмовою (/new).
    }
file-forgotten = Забуто.
files-none = Файлів тут немає. Надішліть мені файл: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV або текст.
files-title =
    { $count ->
        [one] Ваш { $count } файл:
        [few] Ваші { $count } файли:
        [many] Ваші { $count } файлів:
       *[other] Ваші { $count } файлу:
    }
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, збережено в пам’яті
files-hint = 📌 – пам’ятати файл і після цієї розмови або більше не пам’ятати. 🗑 – забути його.
command-files = Ваші файли: список, запам’ятати, забути

# Links.

ask-about-links =
    { $count ->
        [1] Що зробити з цим посиланням? { $links }
       *[other] Що зробити з цими посиланнями? { $links }
    }
link-wish-summary = Стисло переказати
link-wish-keep = Запам’ятати
link-wish-ignore = Пропустити
link-ignored = Гаразд, не читатиму.
link-kept =
    { $count ->
        [1] Я прочитав і запам’ятав «{ $names }». Запитуйте про це будь-коли; сторінка є в /files.
       *[other] Я прочитав і запам’ятав: { $names }. Запитуйте про них будь-коли; вони є в /files.
    }
page-refused-private = Я не читаю { $name }: адреса веде до приватної мережі.
page-refused-robots = Мені не можна читати { $name }: сайт не пускає туди програми. Надішліть текст або сторінку файлом.
page-refused-closed = { $name } відкривається лише після входу. Надішліть текст або сторінку файлом.
page-refused-gone = За адресою { $name } сторінки немає. Адресу вказано повністю?
page-refused-too-large = Сторінка { $name } завелика. Надішліть потрібну частину.
page-refused-too-long = Сторінка { $name } задовга. Надішліть потрібну частину.
page-refused-slow = { $name } надто довго не відповідає. Спробуйте пізніше.
page-refused-away = Не вдалося відкрити { $name }: на сайті неполадки, або він недоступний. Спробуйте пізніше.
page-refused-empty = За адресою { $name } немає тексту. Можливо, сторінка показує його лише людям або після входу. Надішліть текст.
page-refused-unsupported = { $name } – не сторінка й не документ, який я можу прочитати.
page-refused-old-office = Файл за адресою { $name } у старому форматі Office, якого я не читаю.
page-refused-encrypted = Файл за адресою { $name } захищено паролем.
page-refused-damaged = Файл за адресою { $name } пошкоджено, або він не відповідає своїй назві.
page-refused-too-many-links = Я не читав { $name }: для одного повідомлення посилань забагато.

# The demo.
demo-about-stand-in = Це демо на вашому комп’ютері. Бот справжній; Telegram і мовна модель — імітація, і ця модель уміє лише цитувати. Щоб підключити справжню: «Підключити модель» або OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = Це демо на вашому комп’ютері. Бот і його мовна модель ({ $model }) справжні; Telegram — імітація.
