picture-day = جدول يوم { $caption } في صورة
day_picture-work = عمل
day_picture-meeting = اجتماع
day_picture-break = استراحة
day_picture-personal = شخصي
