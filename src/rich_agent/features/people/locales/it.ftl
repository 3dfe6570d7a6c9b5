command-users = Chi mi usa
command-allow = Fai entrare qualcuno: /allow ID
command-deny = Escludi qualcuno: /deny ID
people-known =
    { $count ->
        [0] Nessuno mi ha ancora scritto.
        [one] 1 utente:
       *[other] { $count } utenti:
    }
people-line = { $user_id } · { $name } · { $state } · visto l’ultima volta: { $seen }
people-state-admin = amministratore
people-state-allowed = ammesso
people-state-denied = non ammesso
people-state-blocking = mi ha bloccato
people-usage = Aggiungi il numero dell’utente: { $command } 123456789. /users elenca gli utenti che conosco. Chi non ha accesso vede il proprio numero.
people-let-in = { $user_id } da ora può usarmi.
people-let-in-anyway = { $user_id } può usarmi. Possono farlo anche tutti gli altri, tranne chi hai escluso, perché ALLOWED_USERS è impostato su *.
people-kept-out = { $user_id } non può più usarmi.
people-is-admin = { $user_id } è amministratore. Togli prima il numero da ADMIN_USERS.
