picture-day = { $caption } 일정 그림
day_picture-work = 업무
day_picture-meeting = 회의
day_picture-break = 휴식
day_picture-personal = 개인
