picture-day = { $caption } programı, görsel olarak
day_picture-work = İş
day_picture-meeting = Toplantı
day_picture-break = Mola
day_picture-personal = Kişisel
