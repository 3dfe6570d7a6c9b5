picture-day = { $caption } 的日程图
day_picture-work = 工作
day_picture-meeting = 会议
day_picture-break = 休息
day_picture-personal = 私人
