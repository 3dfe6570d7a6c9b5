command-users = من يستخدمني
command-allow = السماح لشخص: /allow ID
command-deny = منع شخص: /deny ID
people-known =
    { $count ->
        [0] لم يكتب إليّ أحد بعد.
        [one] مستخدم واحد:
        [two] مستخدمان:
        [few] { $count } مستخدمين:
        [many] { $count } مستخدمًا:
       *[other] { $count } مستخدم:
    }
people-line = { $user_id } · { $name } · { $state } · آخر ظهور: { $seen }
people-state-admin = مشرف
people-state-allowed = مسموح
people-state-denied = ممنوع
people-state-blocking = البوت محظور
people-usage = يُرجى إضافة رقم المستخدم: { $command } 123456789. المستخدمون الذين أعرفهم: /users. ومن أمنعه يرى رقمه.
people-let-in = أصبح بإمكان { $user_id } استخدامي من الآن.
people-let-in-anyway = بإمكان { $user_id } استخدامي، وكذلك الجميع إلا من مُنع، لأن قيمة ALLOWED_USERS هي *.
people-kept-out = لم يعد بإمكان { $user_id } استخدامي.
people-is-admin = صاحب الرقم { $user_id } مشرف. يجب أولًا حذف الرقم من ADMIN_USERS.
