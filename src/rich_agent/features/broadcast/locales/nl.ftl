command-broadcast = Aan iedereen schrijven: /broadcast TEKST
broadcast-usage = Schrijf de tekst achter de opdracht, bijvoorbeeld: /broadcast Om twaalf uur ’s middags ben ik offline. Ik vraag het je voordat ik iets verstuur.
broadcast-confirm =
    { $count ->
        [one] Deze tekst naar 1 gebruiker sturen?
       *[other] Deze tekst naar { $count } gebruikers sturen?
    }
broadcast-send = Versturen
broadcast-drop = Niet versturen
broadcast-dropped = Er is niets verstuurd.
broadcast-sending = Ik verstuur de tekst. Het resultaat meld ik hier.
broadcast-cancel = Annuleren
broadcast-cancelling = Ik stuur geen kopieën meer.
broadcast-done = De verzending is klaar. Verstuurd: { $sent }, geblokkeerd: { $blocked }, mislukt: { $failed }, onbekend: { $unknown }, wachtend: { $pending }.
broadcast-cancelled = De verzending is geannuleerd. Verstuurd: { $sent }, geblokkeerd: { $blocked }, mislukt: { $failed }, onbekend: { $unknown }, niet verstuurd: { $pending }.
