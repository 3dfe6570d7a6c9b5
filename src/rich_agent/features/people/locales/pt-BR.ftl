command-users = Quem me usa
command-allow = Dar acesso a alguém: /allow ID
command-deny = Negar acesso a alguém: /deny ID
people-known =
    { $count ->
        [0] Ninguém me escreveu ainda.
        [one] 1 usuário:
       *[other] { $count } usuários:
    }
people-line = { $user_id } · { $name } · { $state } · visto por último: { $seen }
people-state-admin = administrador
people-state-allowed = permitido
people-state-denied = não permitido
people-state-blocking = me bloqueou
people-usage = Acrescente o número do usuário: { $command } 123456789. /users lista os usuários que conheço. Quem não tem acesso vê o próprio número.
people-let-in = { $user_id } pode me usar a partir de agora.
people-let-in-anyway = { $user_id } pode me usar. Todos os outros também podem, menos quem você recusou, porque ALLOWED_USERS é *.
people-kept-out = { $user_id } não pode mais me usar.
people-is-admin = { $user_id } é administrador. Remova primeiro o número de ADMIN_USERS.
