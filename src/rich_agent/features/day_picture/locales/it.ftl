picture-day = Il programma del { $caption } in un’immagine
day_picture-work = Lavoro
day_picture-meeting = Riunione
day_picture-break = Pausa
day_picture-personal = Personale
