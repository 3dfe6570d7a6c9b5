picture-day = Plan dnia { $caption } jako obraz
day_picture-work = Praca
day_picture-meeting = Spotkanie
day_picture-break = Przerwa
day_picture-personal = Prywatne
