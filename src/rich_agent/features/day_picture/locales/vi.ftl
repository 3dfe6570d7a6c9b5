picture-day = Lịch ngày { $caption } dưới dạng hình ảnh
day_picture-work = Công việc
day_picture-meeting = Họp
day_picture-break = Nghỉ
day_picture-personal = Cá nhân
