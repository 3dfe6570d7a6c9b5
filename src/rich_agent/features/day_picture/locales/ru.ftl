picture-day = Расписание на { $caption } картинкой
day_picture-work = Работа
day_picture-meeting = Встреча
day_picture-break = Перерыв
day_picture-personal = Личное
