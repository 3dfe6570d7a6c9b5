command-broadcast = Napisz do wszystkich: /broadcast TEKST
broadcast-usage = Napisz tekst po poleceniu, na przykład: /broadcast W południe będę niedostępny. Zanim cokolwiek wyślę, zapytam o potwierdzenie.
broadcast-confirm =
    { $count ->
        [one] Wysłać ten tekst do 1 użytkownika?
        [few] Wysłać ten tekst do { $count } użytkowników?
        [many] Wysłać ten tekst do { $count } użytkowników?
       *[other] Wysłać ten tekst do { $count } użytkownika?
    }
broadcast-send = Wyślij
broadcast-drop = Nie wysyłaj
broadcast-dropped = Nic nie zostało wysłane.
broadcast-sending = Wysyłam. Wynik podam tutaj.
broadcast-cancel = Anuluj
broadcast-cancelling = Nie wyślę już więcej kopii.
broadcast-done = Wysyłka zakończona. Wysłano: { $sent }, zablokowano: { $blocked }, nieudane: { $failed }, nieznane: { $unknown }, oczekuje: { $pending }.
broadcast-cancelled = Wysyłka anulowana. Wysłano: { $sent }, zablokowano: { $blocked }, nieudane: { $failed }, nieznane: { $unknown }, nie wysłano: { $pending }.
