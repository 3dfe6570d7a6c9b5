picture-day = برنامهٔ { $caption } به‌صورت تصویر
day_picture-work = کار
day_picture-meeting = جلسه
day_picture-break = استراحت
day_picture-personal = شخصی
