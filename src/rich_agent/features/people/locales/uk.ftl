command-users = Хто мною користується
command-allow = Відкрити доступ: /allow ID
command-deny = Закрити доступ: /deny ID
people-known =
    { $count ->
        [0] Мені ще ніхто не писав.
        [one] { $count } користувач:
        [few] { $count } користувачі:
        [many] { $count } користувачів:
       *[other] { $count } користувача:
    }
people-line = { $user_id } · { $name } · { $state } · активність: { $seen }
people-state-admin = адміністратор
people-state-allowed = є доступ
people-state-denied = немає доступу
people-state-blocking = бота заблоковано
people-usage = Додайте номер користувача: { $command } 123456789. Список відомих мені користувачів: /users. Той, кому я відмовляю, бачить свій номер.
people-let-in = { $user_id } тепер може мною користуватися.
people-let-in-anyway = { $user_id } може мною користуватися. Як і всі інші, крім тих, кому доступ закрито: ALLOWED_USERS – це *.
people-kept-out = { $user_id } більше не може мною користуватися.
people-is-admin = { $user_id } – адміністратор. Спершу приберіть номер із ADMIN_USERS.
