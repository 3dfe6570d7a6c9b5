picture-day = Der Tagesplan für { $caption } als Bild
day_picture-work = Arbeit
day_picture-meeting = Termin
day_picture-break = Pause
day_picture-personal = Privat
