picture-day = { $caption } 的行程圖
day_picture-work = 工作
day_picture-meeting = 會議
day_picture-break = 休息
day_picture-personal = 私人
