command-users = چه کسانی از من استفاده می‌کنند
command-allow = دادن دسترسی: /allow ID
command-deny = گرفتن دسترسی: /deny ID
people-known =
    { $count ->
        [0] هنوز کسی به من پیام نداده است.
       *[other] { $count } کاربر:
    }
people-line = { $user_id } · { $name } · { $state } · آخرین بازدید: { $seen }
people-state-admin = مدیر
people-state-allowed = مجاز
people-state-denied = غیرمجاز
people-state-blocking = مرا مسدود کرده
people-usage = شمارهٔ کاربر را اضافه کنید: { $command } 123456789. کاربرانی که می‌شناسم در /users هستند. کسانی که رد می‌کنم شمارهٔ خودشان را می‌بینند.
people-let-in = کاربر { $user_id } از این پس می‌تواند از من استفاده کند.
people-let-in-anyway = کاربر { $user_id } می‌تواند از من استفاده کند. بقیه هم، جز کسانی که دسترسی‌شان را گرفته‌اید، می‌توانند، چون ALLOWED_USERS برابر * است.
people-kept-out = کاربر { $user_id } دیگر نمی‌تواند از من استفاده کند.
people-is-admin = کاربر { $user_id } مدیر است. اول شماره را از ADMIN_USERS بردارید.
