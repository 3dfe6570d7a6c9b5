command-users = Wie mij gebruikt
command-allow = Iemand toelaten: /allow ID
command-deny = Iemand weren: /deny ID
people-known =
    { $count ->
        [0] Niemand heeft me nog geschreven.
        [one] 1 gebruiker:
       *[other] { $count } gebruikers:
    }
people-line = { $user_id } · { $name } · { $state } · laatst gezien: { $seen }
people-state-admin = admin
people-state-allowed = toegelaten
people-state-denied = niet toegelaten
people-state-blocking = heeft me geblokkeerd
people-usage = Voeg het nummer van de gebruiker toe: { $command } 123456789. /users noemt de gebruikers die ik ken. Wie geen toegang heeft, ziet het eigen nummer.
people-let-in = { $user_id } mag me vanaf nu gebruiken.
people-let-in-anyway = { $user_id } mag me gebruiken. Alle anderen ook, behalve wie je hebt geweerd, want ALLOWED_USERS is *.
people-kept-out = { $user_id } mag me niet meer gebruiken.
people-is-admin = { $user_id } is admin. Haal het nummer eerst uit ADMIN_USERS.
