command-reminders = تذكيراتك وساعات الهدوء والموجز اليومي
reminder-help = • التذكير عند الطلب: /reminders
tool-remind = ضبط تذكير
tool-list_reminders = تذكيراتك
tool-cancel_reminder = إلغاء تذكير
tool-snooze_reminder = تأجيل تذكير
doing-remind = أضبط تذكيرًا…
doing-list_reminders = أراجع تذكيراتك…
doing-cancel_reminder = ألغي تذكيرًا…
doing-snooze_reminder = أؤجّل تذكيرًا…
argument-text = النص
argument-when = متى
argument-time_zone = المنطقة الزمنية
argument-kind = النوع
argument-schedule_id = التذكير
argument-until = حتى
value-reminder = تذكير
value-prompt = سؤال أجيب عنه عندئذ
reminder-came = ⏰ { $text }
reminder-delayed = (تأخّر، كان موعده: { $at })
reminder-snoozed = سأذكّرك مجددًا: { $at }
reminder-done = ✓ { $text }
reminder-next = المرة التالية: { $at }
reminder-set = تذكير: { $text } – { $at }
reminder-cancelled = أُلغي التذكير: { $text }
reminder-put-off = أُجّل التذكير: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· مؤجّل
        [paused] {" "}· موقوف مؤقتًا
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] لا تذكيرات لديك. تكفي كتابة ما أذكّرك به وموعده.
        [one] لديك تذكير واحد:
        [two] لديك تذكيران:
        [few] لديك { $count } تذكيرات:
        [many] لديك { $count } تذكيرًا:
       *[other] لديك { $count } تذكير:
    }
reminders-usage =
    ما هو قادم: /reminders
    بلا تذكيرات في هذه الساعات: /reminders quiet 22:00-07:00 (للإيقاف: /reminders quiet off)
    موجز يومي بما هو مخطط: /reminders digest 08:00 (للإيقاف: /reminders digest off)
reminder-button-done = ✓ تم
reminder-button-snooze-10m = 10 د
reminder-button-snooze-1h = ساعة
reminder-button-snooze-1d = غدًا
reminder-button-quiet =
    { $hours ->
        [none] 🌙 ساعات الهدوء: لا
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ الموجز اليومي: لا
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] لم تعد هناك ساعات هدوء.
       *[other] التذكيرات التي تحين بين { $hours } ستنتظر حتى تنقضي هذه الساعات.
    }
reminder-digest-time =
    { $clock ->
        [none] لن يصلك موجز يومي بعد الآن.
       *[other] سيصلك موجز كل يوم في { $clock }.
    }
reminder-digest-request =
    اكتب موجزي لهذا اليوم، { $day }: ما المخطط، وما المستحق، وما يجب ألا أنساه. { $count ->
        [0] لا تذكيرات اليوم.
       *[other] تذكيراتي اليوم:
    }
reminder-set-aside = عذرًا، حان موعد شيء جدولته، لكنني تعثّرت أكثر من مرة. تركته لمشغّلي.
reminder-ask-time-zone = لأذكّرك في الوقت المناسب، يلزمني معرفة منطقتك الزمنية. في أي مدينة أنت؟
reminder-time-zone-needed = لا أعرف منطقتك الزمنية بعد. يُرجى اختيارها أولًا بالأمر /timezone.

# The pages of users.
reminder-page = التذكيرات
reminder-quiet-and-digest = ساعات الهدوء والملخص اليومي
reminder-quiet-from = الهدوء من
reminder-quiet-until = الهدوء حتى
reminder-digest-at = الملخص اليومي عند (فارغ: لا شيء)
reminder-repeats = التكرار
reminder-once = مرة واحدة
reminder-workdays = في أيام العمل (الاثنين–الجمعة)
