picture-day = El plan del { $caption } en una imagen
day_picture-work = Trabajo
day_picture-meeting = Reunión
day_picture-break = Descanso
day_picture-personal = Personal
