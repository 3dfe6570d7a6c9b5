# The turn
greeting = Cześć! Zapytaj o cokolwiek z moich dokumentów albo wyślij zdjęcie. /help pokazuje, co potrafię.
greeting-named = Cześć, { $name }! Zapytaj o cokolwiek z moich dokumentów albo wyślij zdjęcie. /help pokazuje, co potrafię.
thanks-reply = Nie ma za co!
farewell-reply = Do usłyszenia! Pisz, kiedy chcesz.
help-reply = Zadaj pełne pytanie, na przykład „Jakie masz źródła?”, albo wyślij zdjęcie i napisz, czego chcesz się dowiedzieć. Wszystko, co potrafię, znajdziesz w /help.
laughter-reply = 😄
nothing-said = Nie widzę tu żadnych słów. Zadaj pytanie albo wyślij zdjęcie.
nothing-found = W zarejestrowanych źródłach nic nie znaleziono.
nothing-found-files = W Twoich plikach nic nie znaleziono.
nothing-found-answer = W zarejestrowanych źródłach nic na ten temat nie znaleziono. Spróbuj innymi słowami albo zapytaj „Jakie masz źródła?”, żeby zobaczyć, co obejmują.
no-sources-yet = Nic nie znaleziono: nie ma jeszcze żadnych zarejestrowanych źródeł. Mój operator może je dodać poleceniem `ingest add-source`.
question-shortened = Wiadomość była za długa, żeby przeczytać ją w całości, więc uwzględniam tylko jej początek i koniec.
look-left-out = Przeszukałem swoje dokumenty tylko raz, bo kolejne wyszukiwanie trwałoby zbyt długo.
nothing-cited-web = Żaden wynik z internetu tego nie potwierdza.
unchecked = Nie udało mi się sprawdzić tego w źródłach. Przeczytane: { $sources }
refused-rag = W zarejestrowanych źródłach nie ma odpowiedzi na to pytanie. Sprawdzone miejsca:
refused-files = W Twoich plikach nie ma odpowiedzi na to pytanie. Sprawdzone miejsca:
refused-web = Wyniki z internetu nie odpowiadają na to pytanie. Sprawdzone miejsca:
refused-rag-web = Ani w zarejestrowanych źródłach, ani w internecie nie ma odpowiedzi na to pytanie. Sprawdzone miejsca:
unsupported = Tego nie ma w źródłach, sprawdź: { $claims }
contradicted = Źródła mówią co innego: { $claims }
unjudged = Nie udało mi się porównać tej odpowiedzi z jej źródłami.
unjudged-claims = Nie sprawdzono w źródłach: { $claims }
uncomputed = Nie obliczono tego ze wszystkich wierszy tabeli, sprawdź: { $claims }
catalogue-title = Zarejestrowane dokumenty
catalogue-counts =
    { $sources ->
        [one] Jedno źródło
        [few] { $sources } źródła
        [many] { $sources } źródeł
       *[other] { $sources } źródła
    }, { $documents ->
        [one] jeden dokument
        [few] { $documents } dokumenty
        [many] { $documents } dokumentów
       *[other] { $documents } dokumentu
    }. Liczba tytułów wymienionych niżej: { $shown }.
catalogue-sources = Źródła
catalogue-source =
    { $name }: { $documents ->
        [one] jeden dokument
        [few] { $documents } dokumenty
        [many] { $documents } dokumentów
       *[other] { $documents } dokumentu
    }
catalogue-source-internal =
    { $name } (o tym asystencie): { $documents ->
        [one] jeden dokument
        [few] { $documents } dokumenty
        [many] { $documents } dokumentów
       *[other] { $documents } dokumentu
    }
catalogue-matching = Dokumenty pasujące do pytania
catalogue-others = Inne dokumenty
your-photo = Twoje zdjęcie
web-unavailable = Nie udało się przeszukać internetu.
look-failed = Nie udało się przyjrzeć zdjęciu dokładniej, więc odpowiedź opiera się na pierwszym spojrzeniu.
stopped = (przerwano)
early-end-length = Odpowiedź zrobiła się za długa i kończy się tutaj.
early-end-filtered = Filtr treści na serwerze modelu zatrzymał tę odpowiedź. Spróbuj zapytać inaczej.
early-end-refused = Model językowy odmówił odpowiedzi na to pytanie.
early-end-repeated = Model językowy powtarzał się bez końca, więc go zatrzymano.
early-end-deadline = Trwało to dłużej, niż wolno mi poświęcić na jedną wiadomość, więc na tym kończę.
answer-in-file = Ta odpowiedź jest długa. Powyżej jest jej początek, a plik poniżej zawiera całość.
continue-button = Kontynuuj
continue-wish = Kontynuuj odpowiedź od miejsca, w którym się urwała.
stopped-at-once = Zatrzymano, zanim cokolwiek napisałem.
web-nothing-found = Wyszukiwanie w internecie nic na ten temat nie dało.
ask-about-image =
    Widzę: { $seen }

    Czego chcesz się o tym dowiedzieć?
image-topic-describe = Opisz zdjęcie
image-topic-text = Odczytaj tekst
image-topic-table = Objaśnij tabelę
image-topic-search = Sprawdź, co to jest

# Telegram
status-reading = Czytam plik…
status-looking = Oglądam zdjęcie…
status-thinking = Myślę…
status-searching = Szukam…
status-searching-web = Szukam w internecie…
status-drafting = Piszę…
status-busy = Model językowy jest zajęty. Czekam na niego, najwyżej minutę…
status-held = Serwer modelu na razie nie przyjmuje zapytań. Spróbuję ponownie { $at } ({ $wait }) i odpowiem tutaj, nie musisz pytać jeszcze raz. Na kolejne wiadomości odpowiem później.
status-queued = Przyjęte. Odpowiem, gdy tylko skończę z poprzednią wiadomością.
status-queued-elsewhere = Przyjęte. Odpowiadam Ci jeszcze w przeglądarce albo w innym programie i odpowiem na to zaraz potem.
status-crowd = Przyjęte. Pisze teraz do mnie wiele osób. Twoje miejsce w kolejce: około { $place }. Odpowiem, gdy tylko przyjdzie Twoja kolej.
button-stop = Zatrzymaj
stopping = Zatrzymuję…
stopped-by-command = Zatrzymano.
question-dropped = W porządku, nie musisz odpowiadać na moje pytanie.
nothing-to-stop = Teraz niczego nie piszę.
stop-too-late = Ta odpowiedź jest już gotowa.
too-many = Przyszło dużo wiadomości naraz. Najpierw odpowiem na wcześniejsze. Tę i następne wyślij ponownie, gdy nadrobię zaległości.
sources-heading = Źródła
source-web = { $label } (internet)
sent-again = (Wysłano ponownie: Telegram nie potwierdził pierwszej próby.)
start = Cześć! Odpowiadam na pytania na podstawie moich dokumentów i pokazuję, skąd pochodzi każda odpowiedź. Możesz też wysłać zdjęcie i o nie zapytać albo napisać, co masz do zrobienia. Więcej znajdziesz w /help.
start-named = Cześć, { $name }! Odpowiadam na pytania na podstawie moich dokumentów i pokazuję, skąd pochodzi każda odpowiedź. Możesz też wysłać zdjęcie i o nie zapytać albo napisać, co masz do zrobienia. Więcej znajdziesz w /help.
start-examples = Dotknij tematu, żeby spróbować:
help-heading = Co potrafię
help =
    • Odpowiadam na pytania na podstawie moich dokumentów i podaję numerowane źródła, które można otworzyć.
    • Szukam w internecie, gdy dokumenty mówią za mało albo gdy chodzi o bieżące sprawy.
    • Czytam pliki, które przesyłasz (PDF, Word, Excel, PowerPoint, CSV i inne), i strony z przesłanych linków. Ich listę pokazuje /files.
    • Oglądam zdjęcia, albumy i pliki graficzne. Możesz też odpowiedzieć pytaniem na zdjęcie.
    • Pamiętam, co mi o sobie powiesz. Inni użytkownicy nigdy tego nie widzą.
help-end = Po prostu pisz własnymi słowami.
help-commands = Polecenia
unknown-command = Nie ma polecenia { $command }. /help pokazuje, co potrafię.
unknown-command-near = Nie ma polecenia { $command }. Chodzi o /{ $near }? Wszystkie polecenia pokazuje /help.
button-outdated = Ten przycisk już nie działa.
cannot-read = Takich wiadomości jeszcze nie odczytuję. Wyślij tekst, zdjęcie albo plik graficzny.
cannot-read-sticker =
    { $detail ->
        [blank] Nie widzę, co jest na naklejce.
       *[other] { $detail } – fajne! Nie widzę jednak, co jest na naklejce.
    } Napisz to słowami albo wyślij zdjęcie.
cannot-read-dice = { $detail } Nie gram w gry, ale odpowiadam na pytania: po prostu napisz.
cannot-read-animation = Nie mogę oglądać GIF-ów. Wyślij nieruchomy obraz albo zapytaj słowami.
cannot-read-video = Nie mogę oglądać filmów. Wyślij zrzut ekranu z wybranego momentu albo zapytaj słowami.
cannot-read-location = Nie mogę spojrzeć na mapę. Napisz nazwę miejsca i czego chcesz się o nim dowiedzieć.
cannot-read-venue = Nie mogę sprawdzić miejsca na mapie. Napisz jego nazwę i czego chcesz się o nim dowiedzieć.
cannot-read-contact = Nie korzystam z kontaktów i tego nie zapisałem. Napisz, czego potrzebujesz.
cannot-read-poll = Nie mogę głosować w ankietach. Napisz pytanie jako tekst, a odpowiem.
cannot-read-story = Nie widzę relacji. Wyślij zrzut ekranu albo zapytaj słowami.
unread-note = Tego nie mogę odczytać: { $things }.
unread-animation = GIF
unread-audio = nagranie
unread-checklist = lista kontrolna
unread-contact = kontakt
unread-dice = kostka
unread-game = gra
unread-giveaway = konkurs
unread-giveaway-winners = konkurs
unread-invoice = rachunek
unread-live-photo = ruchome zdjęcie
unread-long-text = tekst po pierwszych 16 000 znaków
unread-location = lokalizacja
unread-paid-media = płatne multimedia
unread-photo = zdjęcie
unread-poll = ankieta
unread-rich-message = wiadomość sformatowana
unread-sticker = naklejka
unread-story = relacja
unread-venue = miejsce
unread-video = film
unread-video-note = wiadomość wideo
unread-voice = wiadomość głosowa
edit-too-late = Poprawki uwzględniam tylko w ostatnim pytaniu. Wyślij zmienione pytanie jako nową wiadomość.
replaced = (zastąpiono)
not-allowed = Ten bot jest prywatny. Aby uzyskać dostęp, prześlij ten numer jego operatorowi: { $user_id }
apology-unavailable = Przepraszam, mimo kilku prób nie udało się połączyć z modelem językowym. Zapytaj ponownie za kilka minut.
apology-download = Przepraszam, mimo kilku prób nie udało się pobrać pliku z Telegrama. Wyślij go ponownie za kilka minut.
apology-credit = Na koncie operatora na serwerze modelu skończyły się środki, więc nie mogę odpowiedzieć. Może to naprawić tylko mój operator. Wyślij później /retry, a odpowiem na to pytanie.
apology-key = Serwer modelu nie przyjmuje klucza mojego operatora, więc nie mogę odpowiedzieć. Może to naprawić tylko mój operator. Wyślij później /retry, a odpowiem na to pytanie.
model-away = Serwer modelu nie przyjmuje zapytań do { $at }. To za długo, żeby czekać. Wyślij potem /retry, a odpowiem na to pytanie.
apology-refused = Przepraszam, model językowy nie przyjął zapytania. Mój operator znajdzie przyczynę w dzienniku.
apology-malformed = Przepraszam, odpowiedź modelu językowego nie nadawała się do użytku. Zapytaj ponownie, najlepiej innymi słowami.
apology-spent = Przepraszam, kilka prób odpowiedzi utknęło w miejscu. Pytanie odkładam dla mojego operatora. To mój błąd, a nie kwestia Twoich słów.
aside-lesson = Przepraszam, kilka razy próbowałem zapamiętać coś z Twojej wcześniejszej wiadomości i utknąłem. Odkładam ją dla mojego operatora.
aside-stream = Tej odpowiedzi nie można pokazać jak zwykle. Oto jej zwykły tekst:
apology-internal = Przepraszam, coś poszło nie tak po mojej stronie. Zapisałem to w dzienniku. Spróbuj ponownie.
limit-tokens = Dzisiejszy limit został wyczerpany (tokeny: { $limit }). Znów odpowiem { $at } ({ $wait }). Do tego czasu działają polecenia takie jak /status, /sources i /memory.
limit-images =
    Dzisiejszy limit został wyczerpany ({ $limit ->
        [one] 1 obraz
        [few] { $limit } obrazy
        [many] { $limit } obrazów
       *[other] { $limit } obrazu
    }), więc nie wszystko zostało obejrzane. Znów obejrzę obrazy { $at } ({ $wait }).
limit-searches =
    Dzisiejszy limit został wyczerpany ({ $limit ->
        [one] 1 wyszukiwanie w internecie
        [few] { $limit } wyszukiwania w internecie
        [many] { $limit } wyszukiwań w internecie
       *[other] { $limit } wyszukiwania w internecie
    }), więc nie szukałem w internecie. Znów poszukam { $at } ({ $wait }).
limit-audio_seconds =
    Dzisiejszy limit został wyczerpany ({ $limit ->
        [one] { $limit } sekunda dźwięku
        [few] { $limit } sekundy dźwięku
        [many] { $limit } sekund dźwięku
       *[other] { $limit } sekundy dźwięku
    }), więc nie słuchałem. Znów posłucham { $at } ({ $wait }). Do tego czasu pisz do mnie.
limit-wait = za { $duration }
day-yesterday = wczoraj
day-today = dzisiaj
day-tomorrow = jutro
media-too-large = Nagranie jest za duże: przyjmuję pliki do 20 MB.
media-unreadable = Nie udało się odczytać tego nagrania, może być uszkodzone. Wyślij je ponownie.
image-empty = Obraz jest pusty. Wyślij go ponownie.
image-too-large = Obraz jest za duży: przyjmuję pliki do 20 MB.
image-too-many-pixels = Obraz ma za dużo pikseli. Wyślij mniejszą wersję.
image-unreadable = Nie udało się odczytać obrazu, może być uszkodzony. Wyślij go ponownie.
image-format = Nie odczytuję tego formatu obrazu. Wyślij JPEG, PNG lub WebP.
image-heif = Nie odczytuję plików HEIC ani AVIF. Wyślij obraz jako zdjęcie, a nie jako plik: Telegram go wtedy przekonwertuje.
image-animated = Nie mogę oglądać animacji. Wyślij nieruchomy obraz.
image-refused = Nie udało się użyć tego obrazu. Wyślij inny.

# Commands
command-start = Zacznij tutaj
command-help = Co potrafię
command-new = Zacznij nową rozmowę
command-stop = Zatrzymaj pisaną odpowiedź
command-retry = Odpowiedz jeszcze raz na ostatnie pytanie
command-sources = Co wiem
command-spaces = Przestrzenie, w których szukam
command-why = Skąd się wzięła ostatnia odpowiedź
command-status = Co dla Ciebie robię
command-language = Wybierz język menu
command-privacy = Co o Tobie przechowuję
command-memory = Co o Tobie pamiętam
command-export = Twoje dane w pliku
command-forget = Usuń wszystko o sobie
command-stats = Statystyki użycia
command-approvals = Odpowiedzi czekające na akceptację
admins-only = To polecenie jest tylko dla administratorów.
database-away = Nie mogę teraz połączyć się z bazą danych. Spróbuj ponownie za minutę.
button-not-yours = Ten przycisk należy do kogoś innego.
never = brak
and-more = … i jeszcze { $count }
privacy-heading = Co o Tobie przechowuję
privacy =
    W bazie danych mojego operatora (osoby lub firmy) przechowuję:
    • Twój identyfikator i nazwę w Telegramie, Twoje wiadomości i moje odpowiedzi
    • to, co o Tobie pamiętam, oraz Twoje zadania, notatki i plany
    • zaszyfrowane dane logowania do Twojej listy zadań, jeśli ją podłączysz
    • odcisk cyfrowy i opis każdego zdjęcia, nigdy samo zdjęcie
    • tekst plików, stron i nagrań, które wysyłasz, nigdy sam dźwięk
    • jak zapadła decyzja o każdej odpowiedzi oraz Twoje 👍 lub 👎
    • ile zużywasz każdego dnia: tokeny, obrazy i wyszukiwania

    Aby odpowiedzieć, wysyłam Twoją wiadomość, rozmowę i znalezione fragmenty do modelu językowego wybranego przez mojego operatora. Inni użytkownicy nigdy tego nie widzą.
new-conversation = Zaczynamy nową rozmowę. Nie korzystam już z tego, o czym była mowa wcześniej, ale nadal pamiętam, co wiem o Tobie.
language = W jakim języku mają być menu i pomoc? Odpowiadam zawsze w języku pytania.
language-auto = Automatycznie
language-chosen =
    { $chosen ->
        [auto] Menu i komunikaty są w języku Twojej aplikacji Telegram i Twoich wiadomości.
       *[other] Menu i komunikaty są odtąd po polsku. Odpowiadam nadal w języku pytania.
    }
language-not-spoken = Tego języka jeszcze nie znam. Wybierz jeden z tych albo wyślij /language z nazwą języka.
status-sound = Sekundy dźwięku odsłuchane i wypowiedziane dziś: { $seconds }.
sources-none = Nie mam jeszcze żadnych dokumentów. Mój operator może je dodać poleceniem `ingest add-source`.
spaces = Te przestrzenie moich dokumentów są dla ciebie otwarte. Szukam w tych z ✓; w pozostałych tylko wtedy, gdy je nazwiesz. Dotknij którejś, aby to zmienić.
spaces-none = Wszystko, w czym dla ciebie szukam, jest otwarte dla każdego, kto może ze mnie korzystać.
sources-known =
    Znam { $sources ->
        [one] 1 źródło
        [few] { $sources } źródła
        [many] { $sources } źródeł
       *[other] { $sources } źródła
    }, w tym { $documents ->
        [one] 1 dokument
        [few] { $documents } dokumenty
        [many] { $documents } dokumentów
       *[other] { $documents } dokumentu
    } ({ $passages ->
        [one] 1 fragment
        [few] { $passages } fragmenty
        [many] { $passages } fragmentów
       *[other] { $passages } fragmentu
    }):
sources-line =
    • { $name }: { $documents ->
        [one] 1 dokument
        [few] { $documents } dokumenty
        [many] { $documents } dokumentów
       *[other] { $documents } dokumentu
    }, { $passages ->
        [one] 1 fragment
        [few] { $passages } fragmenty
        [many] { $passages } fragmentów
       *[other] { $passages } fragmentu
    }, ostatnia synchronizacja: { $synced }
sources-line-internal =
    • { $name } (o mnie): { $documents ->
        [one] 1 dokument
        [few] { $documents } dokumenty
        [many] { $documents } dokumentów
       *[other] { $documents } dokumentu
    }, { $passages ->
        [one] 1 fragment
        [few] { $passages } fragmenty
        [many] { $passages } fragmentów
       *[other] { $passages } fragmentu
    }, ostatnia synchronizacja: { $synced }
passage-gone = Tego fragmentu nie ma już w moich dokumentach.
passage-read = Przeczytaj fragment
why-button = Dlaczego?
why-nothing = Nie było jeszcze żadnej odpowiedzi. Najpierw o coś zapytaj.
why-no-answer = Nie mam zapisu, jak powstała ta wiadomość. Odpowiedz poleceniem /why na jedną z moich odpowiedzi.
why-heading = Jak powstała ta odpowiedź
why-done-direct = Odpowiedź powstała od razu, bez szukania.
why-done-rag =
    { $read ->
        [0] Przeszukałem swoje dokumenty i nic na ten temat nie znalazłem.
        [one] Przeszukałem swoje dokumenty: przeczytałem 1 fragment, zacytowałem { $cited }.
        [few] Przeszukałem swoje dokumenty: przeczytałem { $read } fragmenty, zacytowałem { $cited }.
        [many] Przeszukałem swoje dokumenty: przeczytałem { $read } fragmentów, zacytowałem { $cited }.
       *[other] Przeszukałem swoje dokumenty: przeczytałem { $read } fragmentu, zacytowałem { $cited }.
    }
why-done-web =
    { $read ->
        [0] Przeszukałem internet i nic na ten temat nie znalazłem.
        [one] Przeszukałem internet: przeczytałem 1 wynik, zacytowałem { $cited }.
        [few] Przeszukałem internet: przeczytałem { $read } wyniki, zacytowałem { $cited }.
        [many] Przeszukałem internet: przeczytałem { $read } wyników, zacytowałem { $cited }.
       *[other] Przeszukałem internet: przeczytałem { $read } wyniku, zacytowałem { $cited }.
    }
why-done-rag-web =
    { $read ->
        [0] Przeszukałem swoje dokumenty, potem internet, i nic na ten temat nie znalazłem.
        [one] Przeszukałem swoje dokumenty, potem internet: przeczytałem 1 fragment, zacytowałem { $cited }.
        [few] Przeszukałem swoje dokumenty, potem internet: przeczytałem { $read } fragmenty, zacytowałem { $cited }.
        [many] Przeszukałem swoje dokumenty, potem internet: przeczytałem { $read } fragmentów, zacytowałem { $cited }.
       *[other] Przeszukałem swoje dokumenty, potem internet: przeczytałem { $read } fragmentu, zacytowałem { $cited }.
    }
why-web-failed =
    { $read ->
        [0] Nie udało się przeszukać internetu.
        [one] Nie udało się przeszukać internetu; z dokumentów przeczytałem 1 fragment, zacytowałem { $cited }.
        [few] Nie udało się przeszukać internetu; z dokumentów przeczytałem { $read } fragmenty, zacytowałem { $cited }.
        [many] Nie udało się przeszukać internetu; z dokumentów przeczytałem { $read } fragmentów, zacytowałem { $cited }.
       *[other] Nie udało się przeszukać internetu; z dokumentów przeczytałem { $read } fragmentu, zacytowałem { $cited }.
    }
why-reason = Powód: { $reason }
looked-for = Szukano: „{ $query }”
why-further-queries = Potem szukano: „{ $query }”
why-photo = Zdjęcie: obejrzane
why-photo-asked = Zdjęcie: obejrzane ponownie pod kątem pytania
why-memory =
    Z pamięci: { $count ->
        [one] 1 informacja o Tobie
        [few] { $count } informacje o Tobie
        [many] { $count } informacji o Tobie
       *[other] { $count } informacje o Tobie
    } (zobacz /memory)
why-recalled = • { $text }
why-summary = Z pamięci: podsumowanie wcześniejszej rozmowy
why-past = Z wcześniejszej części naszej rozmowy:
why-past-turn = • { $date }: „{ $text }”
why-read-document =
    Dokumenty: { $read ->
        [0] nic nie znaleziono
        [one] przeczytano 1 fragment
        [few] przeczytano { $read } fragmenty
        [many] przeczytano { $read } fragmentów
       *[other] przeczytano { $read } fragmentu
    }
why-read-web =
    Internet: { $read ->
        [0] nic nie znaleziono
        [one] przeczytano 1 wynik
        [few] przeczytano { $read } wyniki
        [many] przeczytano { $read } wyników
       *[other] przeczytano { $read } wyniku
    }
why-doubted =
    Kontrola: { $count ->
        [one] 1 zdanie budziło wątpliwości
        [few] { $count } zdania budziły wątpliwości
        [many] { $count } zdań budziło wątpliwości
       *[other] { $count } zdania budziły wątpliwości
    }
why-planned = Działania, o które prosi sama Twoja wiadomość: { $count }
why-repaired = Kontrola: pierwsza wersja nic nie cytowała albo zawierała zdanie bez źródła, więc model napisał ją jeszcze raz
why-permitted = Wywołania bez pytania, bo zawsze na nie pozwalasz (/tools): { $count }
why-unsupported =
    Kontrola: { $count ->
        [one] 1 zdanie nie ma źródła
        [few] { $count } zdania nie mają źródła
        [many] { $count } zdań nie ma źródła
       *[other] { $count } zdania nie mają źródła
    }, co zaznaczono w odpowiedzi
why-contradicted =
    Kontrola: { $count ->
        [one] 1 zdanie jest sprzeczne
        [few] { $count } zdania są sprzeczne
        [many] { $count } zdań jest sprzecznych
       *[other] { $count } zdania jest sprzeczne
    } ze źródłami, co zaznaczono w odpowiedzi
why-judged = Kontrola: zdania porównane ze źródłami: { $count }
why-unjudged = Kontrola: zdania, których nie udało się porównać, co zaznaczono w odpowiedzi: { $count }
why-unsampled = Kontrola: zdania nieporównane, bo sprawdzana jest tylko część odpowiedzi: { $count }
why-second_look_failed = Problem: model planujący nie mógł sprawdzić odpowiedzi
why-check-left-out = Bez sprawdzenia przez model, bo trwałoby zbyt długo
why-refused = Kontrola: nic z przeczytanych miejsc nie potwierdza tego, co napisał model, więc tego nie pokazałem
why-planner_failed = Problem: model planujący nie podał planu, więc przeszukałem tylko zarejestrowane dokumenty
why-further_search_failed = Problem: model planujący nie potrafił powiedzieć, czego jeszcze brakuje
why-look-left-out = Bez dalszego wyszukiwania, bo trwałoby zbyt długo
why-embedding_failed = Problem: mogłem szukać tylko według słów, nie według znaczenia
why-rerank_failed = Problem: porządkowanie fragmentów nie powiodło się lub trwało zbyt długo, więc pozostały w kolejności wyszukiwania
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, zacytowano)
why-models = Model: { $models }
why-calls = Wywołania modelu: { $calls }, w tym jedno po drugim przed pierwszym słowem: { $before }. Przeczytane tokeny: { $read }, w tym użyte ponownie przez serwer: { $cached }
why-times =
    { $steps ->
        [blank] Czas: { $total } s
       *[other] Czas: { $total } s ({ $steps })
    }
why-reference = Numer dla operatora: { $request_id }
step-N1_ingest_input = odczyt { $seconds }
step-N2_load_long_term_memory = pamięć { $seconds }
step-N13_read_files = czytanie plików { $seconds }
step-N3_vision_summarize = oglądanie { $seconds }
step-N4_build_effective_query = planowanie { $seconds }
step-N5_retrieve = szukanie w dokumentach { $seconds }
step-N14_search_further = dalsze szukanie { $seconds }
step-N8_web_search = szukanie w internecie { $seconds }
step-N6_synthesize = pisanie { $seconds }
step-N7_persist = zapis { $seconds }
step-N9_ask_back = pytanie zwrotne { $seconds }
step-N10_take_answer = odczyt Twojej odpowiedzi { $seconds }
step-N11_request_approval = prośba o akceptację { $seconds }
rated = Dziękuję za opinię.
rated-down = Dziękuję. Mój operator może teraz przeczytać to pytanie i odpowiedź.
rating-withdrawn = Opinia została usunięta.
status-answering =
    Piszę dla Ciebie odpowiedź. { $waiting ->
        [0] Żadna inna wiadomość nie czeka.
        [one] Czeka jeszcze 1 wiadomość.
        [few] Czekają jeszcze { $waiting } wiadomości.
        [many] Czeka jeszcze { $waiting } wiadomości.
       *[other] Czekają jeszcze { $waiting } wiadomości.
    }
status-waiting =
    { $waiting ->
        [0] Na wszystkie Twoje wiadomości jest już odpowiedź.
        [one] 1 Twoja wiadomość czeka na odpowiedź.
        [few] { $waiting } Twoje wiadomości czekają na odpowiedź.
        [many] { $waiting } Twoich wiadomości czeka na odpowiedź.
       *[other] { $waiting } Twoje wiadomości czekają na odpowiedź.
    }
status-use = Dzisiejsze zużycie: tokeny { $tokens }, obrazy { $images }, wyszukiwania w internecie { $searches }, wywołania podłączonych narzędzi { $tool_calls }. Nowy dzień zaczyna się { $at } ({ $wait }).
use-free = { $used }
use-limited = { $used } z { $limit }
status-documents =
    Dokumenty: { $documents }, razem { $passages ->
        [one] 1 fragment
        [few] { $passages } fragmenty
        [many] { $passages } fragmentów
       *[other] { $passages } fragmentu
    }; ostatnia synchronizacja: { $synced }
status-documents-away = Dokumenty: nie mogę teraz połączyć się z ich bazą danych.
status-out-of-reach = ⚠️ Brak połączenia ({ $duration }): { $problem }
status-models = Modele: { $chat } pisze, { $vision } ogląda obrazy
status-version = rich-agent { $version }
memory-empty = Nic jeszcze o Tobie nie pamiętam. Opowiedz mi coś o sobie, a zapamiętam.
memory-known =
    { $count ->
        [one] Pamiętam o Tobie 1 rzecz. Dotknij jej numeru, żebym ją zapomniał.
        [few] Pamiętam o Tobie { $count } rzeczy. Dotknij numeru, żebym daną rzecz zapomniał.
        [many] Pamiętam o Tobie { $count } rzeczy. Dotknij numeru, żebym daną rzecz zapomniał.
       *[other] Pamiętam o Tobie { $count } rzeczy. Dotknij numeru, żebym daną rzecz zapomniał.
    }
memory-facts = Fakty
memory-preferences = Upodobania
memory-tasks = Zadania
memory-past = w przeszłości
memory-planned = planowane
memory-item = { $text } ({ $told })
memory-item-due = { $text } – termin { $due } ({ $told })
memory-deleted = Zapomniane. Wiadomości, z których to wiem, zostają w naszej rozmowie. Napisz „zapomnij …”, żeby usunąć także je.
forgetting-told = Mam to zapomnieć?
forgetting-everything =
    Mam zapomnieć wszystko, co o Tobie wiem, i całą naszą rozmowę? To { $memory ->
        [one] 1 zapamiętana rzecz
        [few] { $memory } zapamiętane rzeczy
        [many] { $memory } zapamiętanych rzeczy
       *[other] { $memory } zapamiętane rzeczy
    } oraz { $messages ->
        [one] 1 wiadomość z odpowiedzią.
        [few] { $messages } wiadomości z odpowiedziami.
        [many] { $messages } wiadomości z odpowiedziami.
       *[other] { $messages } wiadomości z odpowiedziami.
    }
forgetting-named = Te tylko o tym wspominają. Zostaną, chyba że postanowisz zapomnieć także je:
forgetting-only-named = Nie ma nic, co wyraźnie by tego dotyczyło. Mam zapomnieć to, co tylko o tym wspomina?
forgetting-of-memory = Co pamiętam:
forgetting-of-thing = Twoje zadania, notatki i plany:
forgetting-of-file = Twoje pliki:
forgetting-of-message = Twoje wiadomości z moimi odpowiedziami:
forgetting-of-summary = W podsumowaniu wcześniejszej rozmowy:
forgetting-more = … i jeszcze { $count }.
forgetting-final = Tego nie da się cofnąć. Wybierz przycisk.
forgetting-yes = Zapomnij
forgetting-yes-all = Zapomnij to wszystko
forgetting-no = Zachowaj wszystko
forgetting-done =
    Zapomniano: { $memory ->
        [one] 1 zapamiętaną rzecz
        [few] { $memory } zapamiętane rzeczy
        [many] { $memory } zapamiętanych rzeczy
       *[other] { $memory } zapamiętane rzeczy
    } i { $messages ->
        [one] 1 wiadomość z odpowiedzią
        [few] { $messages } wiadomości z odpowiedziami
        [many] { $messages } wiadomości z odpowiedziami
       *[other] { $messages } wiadomości z odpowiedziami
    }. Nie ma ich już w mojej pamięci, w naszej rozmowie, w jej podsumowaniu, w archiwum ani w danych z /export. To, co widać w tym czacie, zostaje, dopóki nie usuniesz tego w Telegramie.
forgetting-left =
    { $count ->
        [one] 1 rzecz, która tylko o tym wspomina, zostaje zgodnie z Twoim wyborem.
        [few] { $count } rzeczy, które tylko o tym wspominają, zostają zgodnie z Twoim wyborem.
        [many] { $count } rzeczy, które tylko o tym wspominają, zostaje zgodnie z Twoim wyborem.
       *[other] { $count } rzeczy, które tylko o tym wspominają, zostają zgodnie z Twoim wyborem.
    }
forgetting-done-everything = Twoje ustawienia, opinie i zapis zużycia zostają; /forget usuwa także je.
forgetting-nothing = Nic na ten temat nie znalazłem, ani w pamięci, ani w naszej rozmowie, więc nic nie zostało usunięte. /memory pokazuje, co o Tobie pamiętam.
forgetting-failed = Nie udało się ustalić, co mam zapomnieć, bo zawiódł mój model. Nic nie zostało usunięte. Spróbuj później albo użyj /memory i /forget.
forgetting-kept = Nic nie zostało usunięte.
forgetting-wish = (Prośba o zapomnienie czegoś. Jej treści nie przechowuję.)
planner-failed-note = Mój model planujący zawiódł. Jeśli to była prośba o zrobienie lub zapomnienie czegoś, nic nie zostało zrobione ani usunięte: poproś jeszcze raz albo użyj /memory i /forget.
planner-failed-still = Nic nie zostało zrobione ani usunięte.
exported =
    Oto wszystko, co o Tobie przechowuję: { $messages ->
        [one] 1 wiadomość
        [few] { $messages } wiadomości
        [many] { $messages } wiadomości
       *[other] { $messages } wiadomości
    }, { $decisions ->
        [one] 1 decyzja
        [few] { $decisions } decyzje
        [many] { $decisions } decyzji
       *[other] { $decisions } decyzje
    }{ $images ->
        [0] {""}
        [one] , 1 opis obrazu
        [few] , { $images } opisy obrazów
        [many] , { $images } opisów obrazów
       *[other] , { $images } opisu obrazu
    }, to, co pamiętam, oraz Twoje zadania, notatki i plany. Plik ma format JSON.
forget-confirm =
    Mam usunąć wszystko, co o Tobie przechowuję? To znaczy: naszą rozmowę, to, co o Tobie pamiętam, Twoje zadania, notatki i plany, zapis decyzji o każdej odpowiedzi, Twoje opinie, opisy zdjęć, tekst plików i nagrań oraz ustawienia.

    Tego nie da się cofnąć. Wiadomości w tym czacie zostają, dopóki nie usuniesz ich w Telegramie. Aby mieć kopię danych, wyślij najpierw /export.
forget-yes = Tak, usuń wszystko
forget-no = Nie, zachowaj
forget-wish = Zapomnij, co mówiłem o: { $what }
command-alone = Nic nie zostało zrobione: po { $command } nie pisze się słów. Wyślij samo polecenie, jeśli o to chodzi.
secret-delete-yourself = Nie udało mi się usunąć Twojej wiadomości. Zawiera hasło, więc usuń ją samodzielnie.
forget-kept = Nic nie zostało usunięte.
forgotten = Wszystko, co o Tobie przechowywałem, jest usunięte. Gdy znów napiszesz, zaczniemy od zera.
confirmation-over = To pytanie wygasło. Wyślij polecenie jeszcze raz.
nothing-to-retry = Nie ma pytania, na które można odpowiedzieć ponownie. Najpierw o coś zapytaj.
stats-heading = Statystyki
stats-users = Użytkownicy: { $known }; w ostatniej dobie { $day }, w 7 dni { $week }; zablokowali mnie: { $blocking }
stats-turns = Odpowiedzi: w ostatniej dobie { $day }, w 7 dni { $week }
stats-plans = Plany, 7 dni: { $plans }
stats-plan-direct = wprost { $count }
stats-plan-rag = dokumenty { $count }
stats-plan-web = internet { $count }
stats-plan-rag-web = dokumenty i internet { $count }
stats-times = Czas odpowiedzi, 7 dni: p50 { $p50 } s, p95 { $p95 } s
stats-failures = Awarie w 7 dni: przerwane odpowiedzi { $broken }, niedostarczone wiadomości { $undelivered }; porzucone aktualizacje { $dead }
stats-feedback = Opinie: 👍 { $up }, 👎 { $down }
stats-use-day = Zużycie dziś (UTC): tokeny { $tokens }, obrazy { $images }, wyszukiwania w internecie { $searches }; { $cost }
stats-use-week = Zużycie, 7 dni: tokeny { $tokens }, obrazy { $images }, wyszukiwania w internecie { $searches }; { $cost }
stats-cached = Z przeczytanych tokenów serwer znał już wcześniej: { $share } %
stats-cost = koszt { $cost }
stats-cost-partly = koszt { $cost }, bez { $models } (nie podano ceny)
stats-cost-unknown = nie podano cen (MODEL_PRICES)
stats-price-table = Ceny spoza MODEL_PRICES: { $table }
stats-top-users = Najwięcej tokenów, 7 dni: { $users }
stats-inbox = Oczekujące aktualizacje: { $pending }
stats-approvals = Czeka na akceptację: { $count } (/approvals)

# Approval
approval-waiting = Odpowiedzi tego rodzaju czyta człowiek, zanim je wyślę. Twoja jest właśnie sprawdzana i wyślę ją, gdy tylko zostanie zaakceptowana. W tym czasie możesz dalej pisać.
approval-review =
    Odpowiedź { $number } czeka na Twoją akceptację.
    Od: { $user }
    Rodzaj: { $intent }
    Pytanie: { $question }

    Szkic jest poniżej. Odpowiedz na niego poprawionym tekstem albo użyj przycisków.
button-approve = Zaakceptuj
button-correct = Edytuj
button-reject = Odrzuć
approval-correction = Odpowiedź { $number }: odpowiedz na tę wiadomość poprawionym tekstem. Użytkownik przeczyta go bez zmian.
approval-reason = Odpowiedź { $number }: odpowiedz na tę wiadomość powodem odrzucenia. Użytkownik go przeczyta.
approval-words-missing = Potrzebuję tego jako tekstu. Odpowiedz jeszcze raz na tę samą wiadomość.
approval-is-approved =
    { $by ->
        [you] ✓ Zaakceptowano przez Ciebie.
       *[other] ✓ Zaakceptowano: { $admin }.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ Wysłano z Twoim tekstem.
       *[other] ✎ Wysłano z tekstem od: { $admin }.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ Odrzucono przez Ciebie.
       *[other] ✗ Odrzucono: { $admin }.
    }
approval-is-expired = Decyzja nie zapadła na czas. Użytkownik już o tym wie.
approval-is-withdrawn = Użytkownik zmienił pytanie, więc ten szkic nie jest już potrzebny.
approval-approved = Ta odpowiedź została sprawdzona i zaakceptowana.
approval-corrected = Ta odpowiedź została sprawdzona i poprawiona.
approval-rejected = Przykro mi, nie mogę na to odpowiedzieć. Powód: { $reason }
approval-expired = Przykro mi, moja odpowiedź nie została sprawdzona na czas. Zapytaj ponownie później.
approvals-known =
    { $count ->
        [0] Żadna odpowiedź nie czeka na akceptację.
        [one] 1 odpowiedź czeka na akceptację:
        [few] { $count } odpowiedzi czekają na akceptację:
        [many] { $count } odpowiedzi czeka na akceptację:
       *[other] { $count } odpowiedzi czekają na akceptację:
    }
approvals-line = • { $number }, { $since }, użytkownik { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = zgodnie z planem
reason-greeting = powitanie
reason-farewell = pożegnanie
reason-thanks = podziękowanie
reason-help = prośba o pomoc
reason-laughter = śmiech
reason-reaction = emoji
reason-silence = wiadomość nie zawiera słów, których można by szukać
reason-number = liczba albo działanie
reason-known_word = słowo, które występuje w zarejestrowanych dokumentach
reason-forget_wish = prośba o zapomnienie czegoś
reason-stopped = zatrzymanie przed ułożeniem planu
reason-no_web = wyszukiwanie w internecie nie jest skonfigurowane
reason-no_plan = model planujący nie podał planu, więc przeszukano zarejestrowane dokumenty, a internetu nie
reason-file_read = wiadomość dotyczy przesłanego pliku
reason-file_refused = żadnego z przesłanych plików nie da się odczytać
reason-about_bot = na pytania o mnie odpowiadam z własnych dokumentów
reason-about_now = odpowiedź zależy od bieżącej sytuacji, więc przeszukano internet
reason-documents_first = zarejestrowane dokumenty mają pierwszeństwo przed internetem
reason-documents_may_say = odpowiedź może być w zarejestrowanych dokumentach
reason-documents_wanted = pytanie dotyczy tego, co mówią dokumenty
reason-web_ruled_out = wiadomość może być prywatna, więc nie szukano w internecie
reason-say_little = zarejestrowane dokumenty mówią o tym niewiele, więc przeszukano też internet
reason-say_little_on = zarejestrowane dokumenty mówią niewiele na temat „{ $subject }”, więc przeszukano też internet

# Alerts for admins
alert-credit = ⚠️ Na koncie na serwerze modelu skończyły się środki ({ $service }), więc nikomu nie mogę odpowiedzieć. { $hint } Potem uruchom `rich-agent inbox replay --all`, aby zaległe pytania doczekały się odpowiedzi. Wysyłam to najwyżej raz na godzinę.
alert-key = ⚠️ Serwer modelu nie przyjmuje klucza ({ $service }), więc nikomu nie mogę odpowiedzieć. { $hint } Potem uruchom `rich-agent inbox replay --all`, aby zaległe pytania doczekały się odpowiedzi. Wysyłam to najwyżej raz na godzinę.
alert-away = ⚠️ Serwer modelu ({ $service }) nie przyjmuje zapytań do { $at }. Proszę użytkowników, by zapytali ponownie później. Aby tego uniknąć, podnieś limit albo użyj innego serwera. Wysyłam to najwyżej raz na godzinę.
alert-lesson = ⚠️ Przez kilka dni nie udało się zaktualizować pamięci użytkownika na podstawie wiadomości, więc rezygnuję. Przyczyna jest w dzienniku. Wysyłam to najwyżej raz na godzinę.
alert-refused = ⚠️ Serwer modeli odrzuca jedno z moich żądań: { $problem } { $hint } Działam dalej bez niego, jak najlepiej się da. Wysyłam to najwyżej raz na godzinę.

# Tools: what each is for, and what is happening while it runs.
status-acting = W użyciu: { $tool }…
tool-list_files = Twoje pliki
tool-undo_last_change = Cofnięcie ostatniej zmiany
tool-search_documents = Dokumenty
tool-search_web = Wyszukiwanie w internecie
tool-request_more_information = Pytanie do Ciebie
doing-list_files = Przeglądam Twoje pliki…
doing-undo_last_change = Cofam ostatnią zmianę…
doing-search_documents = Szukam w dokumentach…
doing-search_web = Szukam w internecie…
approve-calls = Oto, co chcę zrobić. Zgoda?
approve-not-planned = Twoja wiadomość sama w sobie o to nie prosi. Sprawdź to uważnie.
approve-yes = Zgoda
approve-no = Anuluj
approve-words-yes = tak|ok|okej|zgoda
approve-words-no = nie|anuluj
card-labelled = { $label }: { $text }
card-not-done = Nie wykonano.
approve-adjust = Zmień
approve-how-to-adjust = Napisz, co zmienić, a zaproponuję to jeszcze raz.
approve-always = Zawsze dla tego
approve-always-same = „{ $always }” to zatwierdza, a takie samo wywołanie nie będzie już pytać. /tools to cofa.
approve-always-alike = „{ $always }” to zatwierdza, a wywołania z tą samą wartością { $fixed } nie będą już pytać, niezależnie od reszty. /tools to cofa.
web-approve-in-words = Odpowiedz „{ $yes }” lub „{ $no }” albo napisz, co zmienić.
card-characters-left-out = Dalsze znaki: { $count }
card-arguments-left-out = Dalsze dane: { $count }
card-in-file = Nie wszystko się tu mieści. Plik „approval.txt” zawiera cały tekst. Przeczytaj go, zanim zdecydujesz.
card-copied-from = Źródło: { $sources }
copied-user = Twoja wiadomość
copied-memory = to, co dla Ciebie przechowuję
copied-assistant = wcześniejsza odpowiedź
copied-operator = operator bota
copied-document = dokument
copied-page = strona internetowa
copied-file = plik
copied-server = inny program
copied-other = inna osoba
card-takes-back = Cofa
argument-duration = Czas trwania
argument-yes = tak
argument-no = nie
argument-none = brak
approve-cancelled = Anulowano. Nic się nie zmieniło.
acting-limit-calls = To już 10 działań, więcej na jedną wiadomość nie mogę wykonać. Napisz „dalej”, jeśli zostało coś do zrobienia.
acting-limit-errors = Coś nie powiodło się trzy razy z rzędu, więc przerywam. Nic więcej się nie zmieniło.
undo-button = Cofnij
undo-done = Cofnięto:
undo-too-late = Tego nie da się już cofnąć.
step-N12_act = działanie { $seconds }

reason-in_group = w grupach odpowiadam tylko na podstawie zarejestrowanych dokumentów
reason-link_ignored = link ma zostać nieprzeczytany zgodnie z prośbą
reason-link_kept = strona ma zostać zapamiętana zgodnie z prośbą
reason-link_read = przeczytano stronę z przesłanego linku
reason-in_session = ta wiadomość należy do sesji prowadzonej krok po kroku
reason-session_left = prośba o zakończenie sesji prowadzonej krok po kroku

timeline-left-out = i jeszcze { $count }
command-timezone = Wybierz strefę czasową
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [one] co godzinę
            [few] co { $count } godziny
            [many] co { $count } godzin
           *[other] co { $count } godziny
        }
        [daily] { $count ->
            [one] codziennie
            [few] co { $count } dni
            [many] co { $count } dni
           *[other] co { $count } dni
        }
        [weekly] { $count ->
            [one] co tydzień
            [few] co { $count } tygodnie
            [many] co { $count } tygodni
           *[other] co { $count } tygodnia
        }
        [monthly] { $count ->
            [one] co miesiąc
            [few] co { $count } miesiące
            [many] co { $count } miesięcy
           *[other] co { $count } miesiąca
        }
       *[yearly] { $count ->
           [one] co rok
           [few] co { $count } lata
           [many] co { $count } lat
          *[other] co { $count } roku
       }
    }
time-zone-none = Nie znam jeszcze Twojej strefy czasowej. Wybierz ją tutaj albo wyślij /timezone z nazwą, na przykład Europe/Warsaw.
time-zone = Twoja strefa czasowa to { $zone }. Jest tam teraz { $now }. Aby ją zmienić, wyślij /timezone z inną nazwą.
time-zone-chosen = Twoja strefa czasowa to { $zone }. Jest tam teraz { $now }. Powtarzane przypomnienia stosują się do niej.
time-zone-near = Nie znam strefy czasowej { $name }. Chodzi o jedną z tych?
time-zone-which = Do { $name } pasuje kilka stref czasowych. Która jest Twoja?
time-zone-unknown = Nie znam strefy czasowej { $name }. Nazwa składa się z regionu i miasta, na przykład Europe/Warsaw.

# The page of a passage.
passage-place = { $source } · fragment { $position } z { $count }
passage-before = ← Wstecz
passage-after = Dalej →

# The page of a browser while the bot starts.
bot-starting = Bot się uruchamia…

# Calls that a user permitted for good (/tools).
command-tools = Zobacz, co może działać bez pytania
tools-none = Nie masz jeszcze stałych zgód. Tam, gdzie to bezpieczne, pytanie przed wywołaniem oferuje „Zawsze dla tego”.
tools-about = Te wywołania działają bez pytania. ✕ cofa zgodę, tak samo jak /tools z jej numerem.
tools-given-on = zgoda z { $day }
tools-used = wywołania: { $count }
tools-any = dowolne
tools-changed = Narzędzie się od tego czasu zmieniło, więc takie wywołanie znów pyta.
tools-take-all-back = Cofnij wszystkie
tools-taken-back = Cofnięto. Takie wywołanie znów zapyta.

# Outside Telegram.
only-in-telegram = W pełni działa to tylko w Telegramie: wyślij tam { $command }.

run-not-latest = Ponownie można odpowiedzieć tylko na najnowsze pytanie w rozmowie.

# What is asked in groups.

guest-user-limit = Twój limit pytań w grupach na dziś jest wyczerpany. Zapytaj mnie na czacie prywatnym.
guest-group-limit = W ostatniej godzinie ta grupa zadała dużo pytań. Spróbuj później albo zapytaj mnie na czacie prywatnym.
guest-withheld = Nie mogę na to odpowiedzieć w grupie. Zapytaj mnie na czacie prywatnym.
guest-answer-cut = To początek dłuższej odpowiedzi. Całą dostaniesz, pytając na czacie prywatnym.
guest-answered-privately = Odpowiedź jest w naszym czacie prywatnym.
## Files

file-page = strona { $number }
file-sheet-named = arkusz { $heading }
file-sheet-numbered = arkusz { $number }
file-slide-named = slajd { $number }: { $heading }
file-slide-numbered = slajd { $number }
ask-about-files =
    { $count ->
        [one] Plik przeczytany: { $names }. Czego chcesz się o nim dowiedzieć?
       *[other] Pliki przeczytane: { $names }. Czego chcesz się o nich dowiedzieć?
    }
file-topic-summary = Streść
file-topic-points = Wypisz najważniejsze
file-read-whole = Przeczytano w całości: { $name }.
file-macros = Makra nie zostały uruchomione: { $name }.
file-read-in-parts =
    Przeczytano w całości: { $name }, { $parts ->
        [one] w 1 części
        [few] w { $parts } częściach
        [many] w { $parts } częściach
       *[other] w { $parts } części
    }.
file-read-partly = { $name } jest długi: części przeczytane { $read } z { $units }. Pytaj o resztę albo o jedną część.
file-searched = { $name } jest długi: przeszukałem go pod kątem pytania i nie przeczytałem w całości.
file-parts-unread = Nie odczytano ({ $name }): { $parts }.
file-part-attachment =
    { $count ->
        [one] { $count } załącznik
        [few] { $count } załączniki
        [many] { $count } załączników
       *[other] { $count } załącznika
    }
file-part-chart =
    { $count ->
        [one] { $count } wykres
        [few] { $count } wykresy
        [many] { $count } wykresów
       *[other] { $count } wykresu
    }
file-part-diagram =
    { $count ->
        [one] { $count } diagram
        [few] { $count } diagramy
        [many] { $count } diagramów
       *[other] { $count } diagramu
    }
file-part-drawing =
    { $count ->
        [one] { $count } rysunek
        [few] { $count } rysunki
        [many] { $count } rysunków
       *[other] { $count } rysunku
    }
file-part-equation =
    { $count ->
        [one] { $count } równanie
        [few] { $count } równania
        [many] { $count } równań
       *[other] { $count } równania
    }
file-part-field =
    { $count ->
        [one] { $count } pole formularza
        [few] { $count } pola formularza
        [many] { $count } pól formularza
       *[other] { $count } pola formularza
    }
file-part-file =
    { $count ->
        [one] { $count } plik
        [few] { $count } pliki
        [many] { $count } plików
       *[other] { $count } pliku
    }
file-part-formula =
    { $count ->
        [one] { $count } formuła bez zapisanego wyniku
        [few] { $count } formuły bez zapisanego wyniku
        [many] { $count } formuł bez zapisanego wyniku
       *[other] { $count } formuły bez zapisanego wyniku
    }
file-part-letter =
    { $count ->
        [one] { $count } znak
        [few] { $count } znaki
        [many] { $count } znaków
       *[other] { $count } znaku
    }
file-part-object =
    { $count ->
        [one] { $count } osadzony obiekt
        [few] { $count } osadzone obiekty
        [many] { $count } osadzonych obiektów
       *[other] { $count } osadzonego obiektu
    }
file-part-page =
    { $count ->
        [one] { $count } strona bez tekstu
        [few] { $count } strony bez tekstu
        [many] { $count } stron bez tekstu
       *[other] { $count } strony bez tekstu
    }
file-part-picture =
    { $count ->
        [one] { $count } obraz
        [few] { $count } obrazy
        [many] { $count } obrazów
       *[other] { $count } obrazu
    }
file-part-remark =
    { $count ->
        [one] { $count } komentarz
        [few] { $count } komentarze
        [many] { $count } komentarzy
       *[other] { $count } komentarza
    }
file-part-row =
    { $count ->
        [one] { $count } wiersz
        [few] { $count } wiersze
        [many] { $count } wierszy
       *[other] { $count } wiersza
    }
file-part-sheet =
    { $count ->
        [one] { $count } arkusz
        [few] { $count } arkusze
        [many] { $count } arkuszy
       *[other] { $count } arkusza
    }
file-part-slide =
    { $count ->
        [one] { $count } slajd bez tekstu
        [few] { $count } slajdy bez tekstu
        [many] { $count } slajdów bez tekstu
       *[other] { $count } slajdu bez tekstu
    }
file-refused-too-large = „{ $name }” ma ponad 20 MB, a więcej Telegram nie pozwala mi pobrać. Wyślij mniejszy plik albo podziel go.
file-refused-too-long = „{ $name }” jest za długi, żeby go przeczytać. Wyślij ważny fragment jako osobny plik.
file-refused-unsupported = Nie mogę odczytać „{ $name }”. Czytam PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, EML, MSG, MHTML, ZIP i zwykły tekst. Zapisz go w jednym z tych formatów i wyślij ponownie.
file-refused-old-office = „{ $name }” jest w starym formacie Office. Zapisz go jako DOCX, XLSX, PPTX lub PDF i wyślij ponownie.
file-refused-archive = „{ $name }” jest spakowany tak, że nie mogę go otworzyć. Wyślij go jako ZIP albo wyślij pliki, które zawiera.
file-refused-encrypted = „{ $name }” jest chroniony hasłem. Zapisz go bez hasła i wyślij ponownie.
file-refused-empty = Nie ma tekstu w „{ $name }”. Jeśli coś w nim jest, wyślij to jako PDF albo jako zdjęcia.
file-refused-damaged = „{ $name }” jest uszkodzony albo nie jest tym, na co wskazuje nazwa. Otwórz go, zapisz ponownie i wyślij nową kopię.
file-refused-gone = Nie udało się pobrać „{ $name }”: pliku już nie ma. Wyślij go ponownie.
file-keep-button = Zapamiętaj
file-only-here-button = Tylko tutaj
file-kept =
    { $count ->
        [one] Zapamiętam ten plik. Zobaczysz go w /files.
       *[other] Zapamiętam te pliki. Zobaczysz je w /files.
    }
file-not-kept =
    { $count ->
        [one] Zapomnę ten plik razem z tą rozmową (/new).
       *[other] Zapomnę te pliki razem z tą rozmową (/new).
    }
file-forgotten = Zapomniano.
files-none = Nie masz tu żadnych plików. Wyślij mi plik: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV albo tekst.
files-title =
    { $count ->
        [one] Twój plik:
        [few] Twoje { $count } pliki:
        [many] Twoje { $count } plików:
       *[other] Twoje { $count } pliku:
    }
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, zapamiętany
files-line-unread = Nie odczytano: { $parts }.
files-hint = 📌 zapamiętuje plik na dłużej niż tę rozmowę albo to odwołuje. 🗑 go zapomina.
command-files = Twoje pliki: lista, zapamiętaj, zapomnij

# Links.

ask-about-links =
    { $count ->
        [one] Co mam zrobić z tym linkiem? { $links }
       *[other] Co mam zrobić z tymi linkami? { $links }
    }
link-wish-summary = Streść
link-wish-keep = Zapamiętaj
link-wish-ignore = Pomiń
link-ignored = W porządku, nie czytam go.
link-kept =
    { $count ->
        [one] Strona przeczytana i zapamiętana: „{ $names }”. Pytaj o nią w każdej chwili; jest na liście /files.
       *[other] Strony przeczytane i zapamiętane: { $names }. Pytaj o nie w każdej chwili; są na liście /files.
    }
page-refused-private = Nie czytam { $name }: ten adres prowadzi do sieci prywatnej.
page-refused-robots = Nie wolno mi czytać { $name }: ta witryna nie wpuszcza programów. Wyślij mi tekst albo stronę jako plik.
page-refused-closed = { $name } jest tylko dla zalogowanych. Wyślij mi tekst albo stronę jako plik.
page-refused-gone = Pod adresem { $name } nie ma strony. Czy adres jest pełny?
page-refused-too-large = Strona { $name } jest dla mnie za duża. Wyślij mi ważny fragment.
page-refused-too-long = Strona { $name } jest dla mnie za długa. Wyślij mi ważny fragment.
page-refused-slow = { $name } zbyt długo nie odpowiada. Spróbuj później.
page-refused-away = Nie udało się pobrać { $name }: witryna ma kłopoty albo jest nieosiągalna. Spróbuj później.
page-refused-empty = Pod adresem { $name } nie ma tekstu. Może strona pokazuje go tylko ludziom albo po zalogowaniu. Wyślij mi tekst.
page-refused-made-by-scripts = Pod adresem { $name } nie widzę tekstu: strona wypełnia się dopiero w przeglądarce. Wyślij mi tekst albo zapisz stronę w przeglądarce i wyślij plik.
page-refused-consent = Pod adresem { $name } widzę tylko pytanie z przyciskami, na przykład o zgodę, a nie stronę za nim. Wyślij mi tekst albo stronę jako plik.
page-refused-unsupported = { $name } to nie strona ani dokument, który umiem odczytać.
page-refused-old-office = Plik pod adresem { $name } jest w starym formacie Office, którego nie czytam.
page-refused-archive = Plik pod adresem { $name } jest spakowany tak, że nie mogę go otworzyć.
page-refused-encrypted = Plik pod adresem { $name } jest chroniony hasłem.
page-refused-damaged = Plik pod adresem { $name } jest uszkodzony albo nie jest tym, na co wskazuje nazwa.
page-refused-too-many-links = { $name }: nieprzeczytane, bo na jedną wiadomość to za dużo linków.

# The demo.
demo-about-stand-in = To demo na twoim komputerze. Bot jest prawdziwy; Telegram i model językowy są tu zastępcze, a ten model potrafi tylko cytować. Aby użyć prawdziwego: „Połącz model” albo OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = To demo na twoim komputerze. Bot i jego model językowy ({ $model }) są prawdziwe; Telegram jest zastępczy.
demo-about-operator = Piszesz jako Ada, która prowadzi tego bota: /help pokazuje też, co może operator.
pages-skip = Przejdź do treści
pages-elsewhere = Inne strony
pages-sign-in = Zaloguj się
pages-from-elsewhere = Link z innej strony przyprowadził Cię tutaj.
pages-open = Otwórz stronę
pages-not-for-you = Nie możesz zobaczyć tej strony. Poproś właściciela bota o rolę.
pages-problem = Nie udało się
pages-problem-back = Wróć; wpisane dane nadal tam są.
pages-gone = Nie znaleziono
pages-gone-how = Niczego tu nie ma albo już nie ma.
pages-later = Bot nie może teraz odpowiedzieć. Spróbuj za chwilę.
pages-unsent = Nic nie wysłano: bot jest nieosiągalny. Spróbuj ponownie.
pages-as-table = Jako tabela
pages-cancel = Anuluj
pages-copy = Kopiuj
pages-copied = Skopiowano
pages-pages = Strony listy
pages-first = Na początek
pages-next = Więcej
pages-search = Szukaj

# The pages of users.
panel-save = Zapisz
widget-unanswered = Brak odpowiedzi. Spróbuj ponownie.
widget-wait = To potrwa trochę dłużej. Zostanie zrobione.
