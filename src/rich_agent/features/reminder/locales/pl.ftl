command-reminders = Przypomnienia, godziny ciszy i podsumowanie dnia
reminder-help = • Przypominam, o czym zechcesz: /reminders.
tool-remind = Ustawienie przypomnienia
tool-list_reminders = Twoje przypomnienia
tool-cancel_reminder = Anulowanie przypomnienia
tool-snooze_reminder = Odłożenie przypomnienia
doing-remind = Ustawiam przypomnienie…
doing-list_reminders = Przeglądam Twoje przypomnienia…
doing-cancel_reminder = Anuluję przypomnienie…
doing-snooze_reminder = Odkładam przypomnienie…
argument-text = Treść
argument-when = Kiedy
argument-time_zone = Strefa czasowa
argument-kind = Rodzaj
argument-schedule_id = Przypomnienie
argument-until = Do kiedy
value-reminder = przypomnienie
value-prompt = pytanie, na które wtedy odpowiem
reminder-came = ⏰ { $text }
reminder-delayed = (z opóźnieniem, termin był: { $at })
reminder-snoozed = Przypomnę ponownie: { $at }
reminder-done = ✓ { $text }
reminder-next = Następnym razem: { $at }
reminder-set = Przypomnienie: { $text } – { $at }
reminder-cancelled = Anulowano przypomnienie: { $text }
reminder-put-off = Odłożono przypomnienie: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· odłożone
        [paused] {" "}· wstrzymane
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] Nie masz przypomnień. Napisz, o czym mam przypomnieć i kiedy.
        [one] Masz 1 przypomnienie:
        [few] Masz { $count } przypomnienia:
        [many] Masz { $count } przypomnień:
       *[other] Masz { $count } przypomnienia:
    }
reminders-usage =
    /reminders – co przed Tobą
    /reminders quiet 22:00-07:00 – w tych godzinach bez przypomnień; /reminders quiet off wyłącza
    /reminders digest 08:00 – codziennie podsumowanie planów na dzień; /reminders digest off wyłącza
reminder-button-done = ✓ Zrobione
reminder-button-snooze-10m = 10 min
reminder-button-snooze-1h = 1 godz.
reminder-button-snooze-1d = Jutro
reminder-button-quiet =
    { $hours ->
        [none] 🌙 Godziny ciszy: brak
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ Podsumowanie dnia: nie
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] Nie ma już godzin ciszy.
       *[other] Przypomnienia z godzin { $hours } poczekają, aż ten czas minie.
    }
reminder-digest-time =
    { $clock ->
        [none] Nie będzie już codziennego podsumowania.
       *[other] Podsumowanie będzie przychodzić codziennie o { $clock }.
    }
reminder-digest-request =
    Napisz moje podsumowanie na dziś, { $day }: co jest w planie, jakie są terminy i o czym nie zapomnieć. { $count ->
        [0] Na dziś nie ma przypomnień.
       *[other] Moje przypomnienia na dziś:
    }
reminder-set-aside = Przepraszam, nadeszła pora na coś, co masz zaplanowane, ale kilka razy na tym utknąłem. Odkładam to dla mojego operatora.
reminder-ask-time-zone = Aby przypominać na czas, muszę znać Twoją strefę czasową. W jakim mieście jesteś?
reminder-time-zone-needed = Nie znam jeszcze Twojej strefy czasowej. Wybierz ją najpierw w /timezone.

# The pages of users.
reminder-page = Przypomnienia
reminder-quiet-and-digest = Cisza i codzienny przegląd
reminder-quiet-from = Cisza od
reminder-quiet-until = Cisza do
reminder-digest-at = Codzienny przegląd o (puste: brak)
reminder-repeats = Powtarzanie
reminder-once = jednorazowo
reminder-workdays = w dni robocze (pon.–pt.)
