command-broadcast = الكتابة إلى الجميع: /broadcast TEXT
broadcast-usage = يُرجى كتابة النص بعد الأمر، مثل: /broadcast سأتوقف عن العمل ظهرًا. سأطلب التأكيد قبل أن أرسل شيئًا.
broadcast-confirm =
    { $count ->
        [one] هل أرسل هذا النص إلى مستخدم واحد؟
        [two] هل أرسل هذا النص إلى مستخدمَين؟
        [few] هل أرسل هذا النص إلى { $count } مستخدمين؟
        [many] هل أرسل هذا النص إلى { $count } مستخدمًا؟
       *[other] هل أرسل هذا النص إلى { $count } مستخدم؟
    }
broadcast-send = إرسال
broadcast-drop = عدم الإرسال
broadcast-dropped = لم يُرسل شيء.
broadcast-sending = جارٍ الإرسال. سأذكر النتيجة هنا.
broadcast-cancel = إلغاء
broadcast-cancelling = لن أرسل نسخًا أخرى.
broadcast-done = انتهى الإرسال إلى الجميع. أُرسل: { $sent }، محظور: { $blocked }، أخفق: { $failed }، غير معروف: { $unknown }، ينتظر: { $pending }.
broadcast-cancelled = أُلغي الإرسال إلى الجميع. أُرسل: { $sent }، محظور: { $blocked }، أخفق: { $failed }، غير معروف: { $unknown }، لم يُرسل: { $pending }.
