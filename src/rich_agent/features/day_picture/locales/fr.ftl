picture-day = Le programme du { $caption } en image
day_picture-work = Travail
day_picture-meeting = Réunion
day_picture-break = Pause
day_picture-personal = Personnel
