command-users = Kto ze mnie korzysta
command-allow = Daj dostęp: /allow ID
command-deny = Odbierz dostęp: /deny ID
people-known =
    { $count ->
        [0] Nikt jeszcze do mnie nie napisał.
        [one] 1 użytkownik:
        [few] { $count } użytkowników:
        [many] { $count } użytkowników:
       *[other] { $count } użytkownika:
    }
people-line = { $user_id } · { $name } · { $state } · ostatnio: { $seen }
people-state-admin = administrator
people-state-allowed = ma dostęp
people-state-denied = bez dostępu
people-state-blocking = bot zablokowany
people-usage = Dodaj numer użytkownika: { $command } 123456789. /users pokazuje znanych mi użytkowników. Osoby, którym odmawiam, widzą swój numer.
people-let-in = { $user_id } może odtąd ze mnie korzystać.
people-let-in-anyway = { $user_id } może ze mnie korzystać. Tak samo wszyscy inni poza tymi, którym odebrano dostęp, bo ALLOWED_USERS ma wartość *.
people-kept-out = { $user_id } nie może już ze mnie korzystać.
people-is-admin = { $user_id } to administrator. Najpierw usuń ten numer z ADMIN_USERS.
