command-broadcast = An alle schreiben: /broadcast TEXT
broadcast-usage = Schreib den Text hinter den Befehl, zum Beispiel: /broadcast Mittags bin ich nicht erreichbar. Ich frage dich, bevor ich etwas verschicke.
broadcast-confirm =
    { $count ->
        [one] Diesen Text an 1 Nutzer schicken?
       *[other] Diesen Text an { $count } Nutzer schicken?
    }
broadcast-send = Senden
broadcast-drop = Nicht senden
broadcast-dropped = Es wurde nichts verschickt.
broadcast-sending = Ich verschicke ihn. Das Ergebnis melde ich hier.
broadcast-cancel = Abbrechen
broadcast-cancelling = Ich verschicke keine weiteren Kopien.
broadcast-done = Die Rundnachricht ist verschickt. Gesendet: { $sent }, blockiert: { $blocked }, fehlgeschlagen: { $failed }, unbekannt: { $unknown }, wartend: { $pending }.
broadcast-cancelled = Die Rundnachricht wurde abgebrochen. Gesendet: { $sent }, blockiert: { $blocked }, fehlgeschlagen: { $failed }, unbekannt: { $unknown }, nicht gesendet: { $pending }.
