command-users = Who uses me
command-allow = Let somebody in: /allow ID
command-deny = Keep somebody out: /deny ID
people-known =
    { $count ->
        [0] No one has written to me yet.
        [one] 1 user:
       *[other] { $count } users:
    }
people-line = { $user_id } · { $name } · { $state } · last seen: { $seen }
people-state-admin = admin
people-state-allowed = allowed
people-state-denied = not allowed
people-state-blocking = has blocked me
people-usage = Add the number of the user: { $command } 123456789. /users lists the users I know. People I turn away see their own number.
people-let-in = { $user_id } may use me from now on.
people-let-in-anyway = { $user_id } may use me. So may everybody else except those you denied, because ALLOWED_USERS is *.
people-kept-out = { $user_id } may not use me any more.
people-is-admin = { $user_id } is an admin. Remove the number from ADMIN_USERS first.
