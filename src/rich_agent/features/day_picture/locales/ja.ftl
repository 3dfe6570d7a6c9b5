picture-day = { $caption } の予定の図
day_picture-work = 仕事
day_picture-meeting = 会議
day_picture-break = 休憩
day_picture-personal = 個人
