command-reminders = 你的提醒、免打扰时段和每日摘要
reminder-help = • 按你说的时间提醒你：/reminders。
tool-remind = 设置提醒
tool-list_reminders = 你的提醒
tool-cancel_reminder = 取消提醒
tool-snooze_reminder = 推迟提醒
doing-remind = 正在设置提醒…
doing-list_reminders = 正在查看你的提醒…
doing-cancel_reminder = 正在取消提醒…
doing-snooze_reminder = 正在推迟提醒…
argument-text = 内容
argument-when = 时间
argument-time_zone = 时区
argument-kind = 类型
argument-schedule_id = 提醒
argument-until = 推迟到
value-reminder = 提醒
value-prompt = 到时由我回答的问题
reminder-came = ⏰ { $text }
reminder-delayed = （延迟，原定：{ $at }）
reminder-snoozed = 我会再提醒你：{ $at }
reminder-done = ✓ { $text }
reminder-next = 下一次：{ $at }
reminder-set = 提醒：{ $text } – { $at }
reminder-cancelled = 已取消提醒：{ $text }
reminder-put-off = 已推迟提醒：{ $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· 已推迟
        [paused] {" "}· 已暂停
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] 你没有提醒。告诉我要提醒什么、什么时候提醒。
       *[other] 你有 { $count } 个提醒：
    }
reminders-usage =
    /reminders – 即将到来的提醒
    /reminders quiet 22:00-07:00 – 这段时间不提醒；关闭：/reminders quiet off
    /reminders digest 08:00 – 每天发送当天的安排；关闭：/reminders digest off
reminder-button-done = ✓ 完成
reminder-button-snooze-10m = 10 分钟
reminder-button-snooze-1h = 1 小时
reminder-button-snooze-1d = 明天
reminder-button-quiet =
    { $hours ->
        [none] 🌙 免打扰：关
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ 每日摘要：关
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] 已取消免打扰时段。
       *[other] 在 { $hours } 之间到期的提醒会等到这段时间结束后再发。
    }
reminder-digest-time =
    { $clock ->
        [none] 你不会再收到每日摘要。
       *[other] 你每天会在 { $clock } 收到摘要。
    }
reminder-digest-request =
    请写今天（{ $day }）的摘要：有哪些安排、哪些事到期、我不该忘记什么。{ $count ->
        [0] 今天没有提醒。
       *[other] 我今天的提醒：
    }
reminder-set-aside = 抱歉，你预定的内容到时间了，但我多次卡住了。我已把它留给运营者处理。
reminder-ask-time-zone = 要准时提醒你，我得知道你的时区。你在哪个城市？
reminder-time-zone-needed = 我还不知道你的时区。请先用 /timezone 选择。

# The pages of users.
reminder-page = 提醒
reminder-quiet-and-digest = 免打扰时段和每日摘要
reminder-quiet-from = 免打扰开始
reminder-quiet-until = 免打扰结束
reminder-digest-at = 每日摘要时间（留空：不发送）
reminder-repeats = 重复
reminder-once = 一次
reminder-workdays = 工作日（周一至周五）
