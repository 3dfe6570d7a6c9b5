command-reminders = یادآورها، ساعت‌های سکوت و خلاصهٔ روزانه
reminder-help = • هر وقت بگویید یادآوری می‌کنم: /reminders
tool-remind = گذاشتن یادآور
tool-list_reminders = یادآورهای شما
tool-cancel_reminder = لغو یادآور
tool-snooze_reminder = عقب انداختن یادآور
doing-remind = یادآوری می‌گذارم…
doing-list_reminders = یادآورهایتان را مرور می‌کنم…
doing-cancel_reminder = یادآوری را لغو می‌کنم…
doing-snooze_reminder = یادآوری را عقب می‌اندازم…
argument-text = متن
argument-when = زمان
argument-time_zone = منطقه زمانی
argument-kind = نوع
argument-schedule_id = یادآور
argument-until = تا
value-reminder = یادآوری
value-prompt = پرسشی که آن وقت پاسخ می‌دهم
reminder-came = ⏰ { $text }
reminder-delayed = (با تأخیر، موعد: { $at })
reminder-snoozed = دوباره یادآوری می‌کنم: { $at }
reminder-done = ✓ { $text }
reminder-next = بار بعد: { $at }
reminder-set = یادآور: { $text } – { $at }
reminder-cancelled = یادآور لغو شد: { $text }
reminder-put-off = یادآور عقب افتاد: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· عقب‌افتاده
        [paused] {" "}· متوقف
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] یادآوری ندارید. برایم بنویسید چه چیزی را و کی یادآوری کنم.
       *[other] { $count } یادآور دارید:
    }
reminders-usage =
    آنچه در پیش است: /reminders
    بدون یادآوری در این ساعت‌ها: /reminders quiet 22:00-07:00 (خاموش: /reminders quiet off)
    هر روز خلاصهٔ برنامهٔ همان روز: /reminders digest 08:00 (خاموش: /reminders digest off)
reminder-button-done = ✓ انجام شد
reminder-button-snooze-10m = ۱۰ دقیقه
reminder-button-snooze-1h = ۱ ساعت
reminder-button-snooze-1d = فردا
reminder-button-quiet =
    { $hours ->
        [none] 🌙 ساعت‌های سکوت: خاموش
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ خلاصهٔ روزانه: خاموش
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] دیگر ساعت سکوتی نیست.
       *[other] یادآورهایی که موعدشان میان { $hours } است تا پایان این ساعت‌ها صبر می‌کنند.
    }
reminder-digest-time =
    { $clock ->
        [none] دیگر خلاصهٔ روزانه دریافت نمی‌کنید.
       *[other] هر روز ساعت { $clock } خلاصه‌ای دریافت می‌کنید.
    }
reminder-digest-request =
    خلاصهٔ امروزم، { $day }، را بنویس: چه برنامه‌ای هست، موعد چه کارهایی است و چه چیزی را نباید فراموش کنم. { $count ->
        [0] امروز یادآوری نیست.
       *[other] یادآورهای امروزم:
    }
reminder-set-aside = متأسفم، وقت چیزی رسیده بود که برنامه‌ریزی کرده بودید، اما چند بار گیر کردم. آن را برای گرداننده‌ام کنار گذاشتم.
reminder-ask-time-zone = برای یادآوری به‌موقع باید منطقهٔ زمانی شما را بدانم. در کدام شهر هستید؟
reminder-time-zone-needed = هنوز منطقهٔ زمانی شما را نمی‌دانم. اول آن را با /timezone انتخاب کنید.

# The pages of users.
reminder-page = یادآوری‌ها
reminder-quiet-and-digest = ساعت‌های سکوت و خلاصهٔ روزانه
reminder-quiet-from = سکوت از
reminder-quiet-until = سکوت تا
reminder-digest-at = خلاصهٔ روزانه در ساعت (خالی: هیچ)
reminder-repeats = تکرار
reminder-once = یک بار
reminder-workdays = روزهای کاری (دوشنبه تا جمعه)
