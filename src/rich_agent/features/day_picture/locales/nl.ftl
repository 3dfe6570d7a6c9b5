picture-day = De agenda van { $caption } als afbeelding
day_picture-work = Werk
day_picture-meeting = Afspraak
day_picture-break = Pauze
day_picture-personal = Privé
