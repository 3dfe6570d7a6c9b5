command-reminders = Lời nhắc, giờ yên tĩnh và bản tin ngày
reminder-help = • Nhắc bạn vào lúc bạn muốn: /reminders.
tool-remind = Đặt lời nhắc
tool-list_reminders = Lời nhắc của bạn
tool-cancel_reminder = Hủy lời nhắc
tool-snooze_reminder = Hoãn lời nhắc
doing-remind = Đang đặt lời nhắc…
doing-list_reminders = Đang xem lời nhắc của bạn…
doing-cancel_reminder = Đang hủy lời nhắc…
doing-snooze_reminder = Đang hoãn lời nhắc…
argument-text = Nội dung
argument-when = Khi nào
argument-time_zone = Múi giờ
argument-kind = Loại
argument-schedule_id = Lời nhắc
argument-until = Đến khi
value-reminder = lời nhắc
value-prompt = câu hỏi mà tôi sẽ trả lời lúc đó
reminder-came = ⏰ { $text }
reminder-delayed = (trễ, lẽ ra: { $at })
reminder-snoozed = Tôi sẽ nhắc lại bạn: { $at }
reminder-done = ✓ { $text }
reminder-next = Lần tới: { $at }
reminder-set = Lời nhắc: { $text } – { $at }
reminder-cancelled = Đã hủy lời nhắc: { $text }
reminder-put-off = Đã hoãn lời nhắc: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· đã hoãn
        [paused] {" "}· tạm dừng
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] Bạn không có lời nhắc nào. Hãy viết cần nhắc việc gì và khi nào.
       *[other] Bạn có { $count } lời nhắc:
    }
reminders-usage =
    /reminders – những gì sắp tới
    /reminders quiet 22:00-07:00 – không nhắc trong giờ này; tắt: /reminders quiet off
    /reminders digest 08:00 – kế hoạch trong ngày, hằng ngày; tắt: /reminders digest off
reminder-button-done = ✓ Xong
reminder-button-snooze-10m = 10 phút
reminder-button-snooze-1h = 1 giờ
reminder-button-snooze-1d = Ngày mai
reminder-button-quiet =
    { $hours ->
        [none] 🌙 Giờ yên tĩnh: tắt
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ Bản tin ngày: tắt
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] Không còn giờ yên tĩnh nữa.
       *[other] Lời nhắc đến hạn trong khoảng { $hours } sẽ chờ đến khi hết giờ này.
    }
reminder-digest-time =
    { $clock ->
        [none] Bạn sẽ không nhận bản tin ngày nữa.
       *[other] Bạn sẽ nhận bản tin mỗi ngày lúc { $clock }.
    }
reminder-digest-request =
    Hãy viết bản tin của tôi cho hôm nay, { $day }: có kế hoạch gì, việc gì đến hạn, và điều gì tôi không nên quên. { $count ->
        [0] Hôm nay không có lời nhắc.
       *[other] Lời nhắc của tôi hôm nay:
    }
reminder-set-aside = Xin lỗi, đã đến giờ của một việc bạn hẹn trước nhưng tôi bị kẹt nhiều lần. Tôi đã để riêng việc này cho người vận hành.
reminder-ask-time-zone = Để nhắc đúng giờ, tôi cần biết múi giờ của bạn. Bạn ở thành phố nào?
reminder-time-zone-needed = Tôi chưa biết múi giờ của bạn. Hãy chọn bằng /timezone trước.

# The pages of users.
reminder-page = Lời nhắc
reminder-quiet-and-digest = Giờ yên lặng và bản tóm tắt hằng ngày
reminder-quiet-from = Yên lặng từ
reminder-quiet-until = Yên lặng đến
reminder-digest-at = Giờ gửi bản tóm tắt (để trống: không)
reminder-repeats = Lặp lại
reminder-once = một lần
reminder-workdays = ngày làm việc (T2–T6)
