command-users = Кто мной пользуется
command-allow = Открыть доступ: /allow ID
command-deny = Закрыть доступ: /deny ID
people-known =
    { $count ->
        [0] Мне ещё никто не писал.
        [one] { $count } пользователь:
        [few] { $count } пользователя:
        [many] { $count } пользователей:
       *[other] { $count } пользователя:
    }
people-line = { $user_id } · { $name } · { $state } · активность: { $seen }
people-state-admin = администратор
people-state-allowed = есть доступ
people-state-denied = нет доступа
people-state-blocking = бот заблокирован
people-usage = Добавьте номер пользователя: { $command } 123456789. Список известных мне пользователей: /users. Тот, кому я отказываю, видит свой номер.
people-let-in = { $user_id } теперь может мной пользоваться.
people-let-in-anyway = { $user_id } может мной пользоваться. Как и все остальные, кроме тех, кому доступ закрыт: ALLOWED_USERS – это *.
people-kept-out = { $user_id } больше не может мной пользоваться.
people-is-admin = { $user_id } – администратор. Сначала уберите номер из ADMIN_USERS.
