picture-day = Розклад на { $caption } зображенням
day_picture-work = Робота
day_picture-meeting = Зустріч
day_picture-break = Перерва
day_picture-personal = Особисте
