command-users = Wer mich benutzt
command-allow = Jemanden zulassen: /allow ID
command-deny = Jemanden ausschließen: /deny ID
people-known =
    { $count ->
        [0] Noch hat mir niemand geschrieben.
        [one] 1 Nutzer:
       *[other] { $count } Nutzer:
    }
people-line = { $user_id } · { $name } · { $state } · zuletzt gesehen: { $seen }
people-state-admin = Admin
people-state-allowed = zugelassen
people-state-denied = nicht zugelassen
people-state-blocking = hat mich blockiert
people-usage = Füg die Nummer des Nutzers an: { $command } 123456789. /users zeigt die Nutzer, die ich kenne. Wen ich abweise, der sieht seine eigene Nummer.
people-let-in = { $user_id } darf mich ab jetzt benutzen.
people-let-in-anyway = { $user_id } darf mich benutzen. Alle anderen auch, außer denen, die du ausgeschlossen hast, denn ALLOWED_USERS ist *.
people-kept-out = { $user_id } darf mich nicht mehr benutzen.
people-is-admin = { $user_id } ist Admin. Entferne die Nummer zuerst aus ADMIN_USERS.
