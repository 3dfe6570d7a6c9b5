command-broadcast = Écrire à tout le monde : /broadcast TEXTE
broadcast-usage = Écrivez le texte après la commande, par exemple : /broadcast Je serai hors ligne à midi. Je vous demanderai avant d’envoyer quoi que ce soit.
broadcast-confirm =
    { $count ->
        [one] Envoyer ce texte à { $count } utilisateur ?
       *[other] Envoyer ce texte à { $count } utilisateurs ?
    }
broadcast-send = Envoyer
broadcast-drop = Ne pas envoyer
broadcast-dropped = Rien n’a été envoyé.
broadcast-sending = L’envoi est en cours. Je vous en dirai le résultat ici.
broadcast-cancel = Annuler
broadcast-cancelling = Je n’enverrai plus de copies.
broadcast-done = L’envoi est terminé. Envoyés : { $sent }, bloqués : { $blocked }, échoués : { $failed }, inconnus : { $unknown }, en attente : { $pending }.
broadcast-cancelled = L’envoi a été annulé. Envoyés : { $sent }, bloqués : { $blocked }, échoués : { $failed }, inconnus : { $unknown }, non envoyés : { $pending }.
