command-reminders = 알림, 방해 금지 시간, 하루 요약
reminder-help = • 말씀하신 때에 알려 드립니다: /reminders
tool-remind = 알림 설정
tool-list_reminders = 알림
tool-cancel_reminder = 알림 취소
tool-snooze_reminder = 알림 미루기
doing-remind = 알림을 설정하고 있습니다…
doing-list_reminders = 알림을 보고 있습니다…
doing-cancel_reminder = 알림을 취소하고 있습니다…
doing-snooze_reminder = 알림을 미루고 있습니다…
argument-text = 내용
argument-when = 시간
argument-time_zone = 시간대
argument-kind = 종류
argument-schedule_id = 알림
argument-until = 미룰 시각
value-reminder = 알림
value-prompt = 그때 제가 답할 질문
reminder-came = ⏰ { $text }
reminder-delayed = (늦음, 원래 시각: { $at })
reminder-snoozed = 다시 알려 드리겠습니다: { $at }
reminder-done = ✓ { $text }
reminder-next = 다음: { $at }
reminder-set = 알림: { $text } – { $at }
reminder-cancelled = 알림을 취소했습니다: { $text }
reminder-put-off = 알림을 미뤘습니다: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· 미룸
        [paused] {" "}· 멈춤
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] 알림이 없습니다. 무엇을 언제 알려 드릴지 적어 주세요.
       *[other] 알림 { $count }개:
    }
reminders-usage =
    /reminders – 다가오는 알림
    /reminders quiet 22:00-07:00 – 이 시간에는 알리지 않음; 끄기: /reminders quiet off
    /reminders digest 08:00 – 매일 그날의 계획 받기; 끄기: /reminders digest off
reminder-button-done = ✓ 완료
reminder-button-snooze-10m = 10분
reminder-button-snooze-1h = 1시간
reminder-button-snooze-1d = 내일
reminder-button-quiet =
    { $hours ->
        [none] 🌙 방해 금지: 꺼짐
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ 하루 요약: 꺼짐
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] 방해 금지 시간을 없앴습니다.
       *[other] { $hours } 사이의 알림은 이 시간이 끝난 뒤에 보냅니다.
    }
reminder-digest-time =
    { $clock ->
        [none] 이제 하루 요약을 보내지 않습니다.
       *[other] 매일 { $clock }에 하루 요약을 보내 드립니다.
    }
reminder-digest-request =
    오늘({ $day })의 요약을 써 줘: 계획된 것, 기한인 것, 잊지 말아야 할 것. { $count ->
        [0] 오늘은 알림이 없어.
       *[other] 오늘의 알림:
    }
reminder-set-aside = 죄송합니다. 예약하신 것을 전해 드릴 때가 되었지만 여러 번 막혔습니다. 운영자가 볼 수 있게 따로 두었습니다.
reminder-ask-time-zone = 제시간에 알려 드리려면 시간대를 알아야 합니다. 어느 도시에 계세요?
reminder-time-zone-needed = 아직 시간대를 모릅니다. 먼저 /timezone 으로 골라 주세요.

# The pages of users.
reminder-page = 알림
reminder-quiet-and-digest = 방해 금지 시간과 일일 요약
reminder-quiet-from = 방해 금지 시작
reminder-quiet-until = 방해 금지 끝
reminder-digest-at = 일일 요약 시각(비우면 없음)
reminder-repeats = 반복
reminder-once = 한 번
reminder-workdays = 평일(월~금)
