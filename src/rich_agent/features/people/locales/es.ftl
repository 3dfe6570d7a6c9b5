command-users = Quién me usa
command-allow = Dar acceso a alguien: /allow ID
command-deny = Quitar el acceso a alguien: /deny ID
people-known =
    { $count ->
        [0] Todavía no me ha escrito nadie.
        [one] 1 usuario:
       *[other] { $count } usuarios:
    }
people-line = { $user_id } · { $name } · { $state } · visto por última vez: { $seen }
people-state-admin = administrador
people-state-allowed = permitido
people-state-denied = no permitido
people-state-blocking = me ha bloqueado
people-usage = Añade el número del usuario: { $command } 123456789. /users enumera los usuarios que conozco. A quienes no tienen acceso les muestro su propio número.
people-let-in = { $user_id } puede usarme desde ahora.
people-let-in-anyway = { $user_id } puede usarme. También puede hacerlo cualquier persona a la que no se lo hayas denegado, porque ALLOWED_USERS es *.
people-kept-out = { $user_id } ya no puede usarme.
people-is-admin = { $user_id } es administrador. Quita primero el número de ADMIN_USERS.
