picture-day = Jadwal { $caption } sebagai gambar
day_picture-work = Kerja
day_picture-meeting = Rapat
day_picture-break = Istirahat
day_picture-personal = Pribadi
