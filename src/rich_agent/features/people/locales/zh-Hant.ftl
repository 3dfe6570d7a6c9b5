command-users = 誰在使用我
command-allow = 允許某人使用：/allow ID
command-deny = 禁止某人使用：/deny ID
people-known =
    { $count ->
        [0] 還沒有人給我寫過訊息。
       *[other] { $count } 位使用者：
    }
people-line = { $user_id } · { $name } · { $state } · 上次出現：{ $seen }
people-state-admin = 管理員
people-state-allowed = 已允許
people-state-denied = 未允許
people-state-blocking = 已封鎖我
people-usage = 請加上使用者的號碼：{ $command } 123456789。/users 列出我認識的使用者。被我拒絕的人會看到自己的號碼。
people-let-in = 從現在起 { $user_id } 可以使用我。
people-let-in-anyway = { $user_id } 可以使用我。由於 ALLOWED_USERS 為 *，除了你禁止的人，其他人也都可以。
people-kept-out = { $user_id } 不能再使用我了。
people-is-admin = { $user_id } 是管理員。請先從 ADMIN_USERS 裡去掉這個號碼。
