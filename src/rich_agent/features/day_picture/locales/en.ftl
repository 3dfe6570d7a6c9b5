picture-day = The schedule of { $caption } as a picture
day_picture-work = Work
day_picture-meeting = Meeting
day_picture-break = Break
day_picture-personal = Personal
