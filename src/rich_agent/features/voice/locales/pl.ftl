voice-cannot-read-video-note = Nie mogę jeszcze odsłuchiwać wiadomości wideo: mój operator musi ustawić TRANSCRIPTION_MODEL. Do tego czasu napisz pytanie albo wyślij zdjęcie.
voice-cannot-read-voice = Nie mogę jeszcze odsłuchiwać wiadomości głosowych: mój operator musi ustawić TRANSCRIPTION_MODEL. Do tego czasu napisz pytanie; możesz je podyktować mikrofonem klawiatury.
voice-cannot-read-audio = Nie mogę jeszcze słuchać nagrań: mój operator musi ustawić TRANSCRIPTION_MODEL. Do tego czasu napisz, czego chcesz się o tym dowiedzieć.
voice-more = Reszta jest w tekście.
voice-silent = W tym nagraniu nie słychać słów. Nagraj je jeszcze raz albo napisz do mnie.
voice-refused = Przepraszam, serwer, który spisuje nagrania, nie przyjął tego nagrania. Napisz do mnie. Mój operator znajdzie przyczynę w dzienniku.
voice-unheard = Przepraszam, nie mogłem posłuchać: serwer, który spisuje nagrania, nie odpowiedział. Wyślij je ponownie za kilka minut albo napisz do mnie.
command-voice = Wybierz, które odpowiedzi wypowiadam
voice = Które odpowiedzi mam też wypowiadać? Zawsze je też piszę.
voice-off = Żadnych
voice-in-kind = Na wiadomości głosowe
voice-always = Zawsze
voice-chosen =
    { $mode ->
        [off] Odtąd tylko piszę.
        [in_kind] Odpowiem głosem, gdy przyślesz wiadomość głosową.
       *[always] Odtąd wypowiadam każdą odpowiedź.
    }
voice-unknown = Wyślij /voice off, /voice in kind albo /voice always.
voice-none = Nie mam głosu: mój operator musi ustawić SPEECH_MODEL.

# The pages of users.
voice-page = Głos
