command-broadcast = Scrivi a tutti: /broadcast TESTO
broadcast-usage = Scrivi il testo dopo il comando, per esempio: /broadcast A mezzogiorno sarò fuori servizio. Ti chiederò conferma prima di inviare.
broadcast-confirm =
    { $count ->
        [one] Inviare questo testo a 1 utente?
       *[other] Inviare questo testo a { $count } utenti?
    }
broadcast-send = Invia
broadcast-drop = Non inviare
broadcast-dropped = Non è stato inviato nulla.
broadcast-sending = Lo sto inviando. Ti dirò qui il risultato.
broadcast-cancel = Annulla
broadcast-cancelling = Non invierò altre copie.
broadcast-done = L’invio è finito. Inviati: { $sent }, bloccati: { $blocked }, falliti: { $failed }, esito ignoto: { $unknown }, in attesa: { $pending }.
broadcast-cancelled = L’invio è stato annullato. Inviati: { $sent }, bloccati: { $blocked }, falliti: { $failed }, esito ignoto: { $unknown }, non inviati: { $pending }.
