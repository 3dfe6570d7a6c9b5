command-reminders = 你的提醒、勿擾時段和每日摘要
reminder-help = • 按你說的時間提醒你：/reminders。
tool-remind = 設定提醒
tool-list_reminders = 你的提醒
tool-cancel_reminder = 取消提醒
tool-snooze_reminder = 延後提醒
doing-remind = 正在設定提醒…
doing-list_reminders = 正在查看你的提醒…
doing-cancel_reminder = 正在取消提醒…
doing-snooze_reminder = 正在延後提醒…
argument-text = 內容
argument-when = 時間
argument-time_zone = 時區
argument-kind = 類型
argument-schedule_id = 提醒
argument-until = 延後到
value-reminder = 提醒
value-prompt = 屆時由我回答的問題
reminder-came = ⏰ { $text }
reminder-delayed = （延遲，原定：{ $at }）
reminder-snoozed = 我會再提醒你：{ $at }
reminder-done = ✓ { $text }
reminder-next = 下一次：{ $at }
reminder-set = 提醒：{ $text } – { $at }
reminder-cancelled = 已取消提醒：{ $text }
reminder-put-off = 已延後提醒：{ $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· 已延後
        [paused] {" "}· 已暫停
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] 你沒有提醒。告訴我要提醒什麼、什麼時候提醒。
       *[other] 你有 { $count } 個提醒：
    }
reminders-usage =
    /reminders – 即將到來的提醒
    /reminders quiet 22:00-07:00 – 這段時間不提醒；關閉：/reminders quiet off
    /reminders digest 08:00 – 每天傳送當天的安排；關閉：/reminders digest off
reminder-button-done = ✓ 完成
reminder-button-snooze-10m = 10 分鐘
reminder-button-snooze-1h = 1 小時
reminder-button-snooze-1d = 明天
reminder-button-quiet =
    { $hours ->
        [none] 🌙 勿擾：關
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ 每日摘要：關
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] 已取消勿擾時段。
       *[other] 在 { $hours } 之間到期的提醒會等到這段時間結束後再發。
    }
reminder-digest-time =
    { $clock ->
        [none] 你不會再收到每日摘要。
       *[other] 你每天會在 { $clock } 收到摘要。
    }
reminder-digest-request =
    請寫今天（{ $day }）的摘要：有哪些安排、哪些事到期、我不該忘記什麼。{ $count ->
        [0] 今天沒有提醒。
       *[other] 我今天的提醒：
    }
reminder-set-aside = 抱歉，你預定的內容到時間了，但我多次卡住了。我已把它留給管理者處理。
reminder-ask-time-zone = 要準時提醒你，我得知道你的時區。你在哪個城市？
reminder-time-zone-needed = 我還不知道你的時區。請先用 /timezone 選擇。

# The pages of users.
reminder-page = 提醒
reminder-quiet-and-digest = 勿擾時段和每日摘要
reminder-quiet-from = 勿擾開始
reminder-quiet-until = 勿擾結束
reminder-digest-at = 每日摘要時間（留空：不傳送）
reminder-repeats = 重複
reminder-once = 一次
reminder-workdays = 工作日（週一至週五）
