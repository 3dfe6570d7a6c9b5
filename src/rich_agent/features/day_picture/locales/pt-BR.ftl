picture-day = A agenda de { $caption } em imagem
day_picture-work = Trabalho
day_picture-meeting = Reunião
day_picture-break = Pausa
day_picture-personal = Pessoal
