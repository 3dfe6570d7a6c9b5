picture-day = { $caption } की योजना का चित्र
day_picture-work = काम
day_picture-meeting = बैठक
day_picture-break = विराम
day_picture-personal = निजी
