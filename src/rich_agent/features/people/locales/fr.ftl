command-users = Qui m’utilise
command-allow = Donner accès à quelqu’un : /allow ID
command-deny = Refuser l’accès à quelqu’un : /deny ID
people-known =
    { $count ->
        [0] Personne ne m’a encore écrit.
        [one] { $count } utilisateur :
       *[other] { $count } utilisateurs :
    }
people-line = { $user_id } · { $name } · { $state } · vu pour la dernière fois : { $seen }
people-state-admin = administrateur
people-state-allowed = autorisé
people-state-denied = non autorisé
people-state-blocking = m’a bloqué
people-usage = Ajoutez le numéro de l’utilisateur : { $command } 123456789. /users énumère les utilisateurs que je connais. Les personnes sans accès voient leur propre numéro.
people-let-in = { $user_id } peut désormais m’utiliser.
people-let-in-anyway = { $user_id } peut m’utiliser. Tout le monde aussi, sauf les personnes que vous avez refusées, car ALLOWED_USERS vaut *.
people-kept-out = { $user_id } ne peut plus m’utiliser.
people-is-admin = { $user_id } est administrateur. Retirez d’abord le numéro de ADMIN_USERS.
