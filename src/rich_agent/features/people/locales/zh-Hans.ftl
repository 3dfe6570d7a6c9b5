command-users = 谁在使用我
command-allow = 允许某人使用：/allow ID
command-deny = 禁止某人使用：/deny ID
people-known =
    { $count ->
        [0] 还没有人给我写过消息。
       *[other] { $count } 位用户：
    }
people-line = { $user_id } · { $name } · { $state } · 上次出现：{ $seen }
people-state-admin = 管理员
people-state-allowed = 已允许
people-state-denied = 未允许
people-state-blocking = 已屏蔽我
people-usage = 请加上用户的号码：{ $command } 123456789。/users 列出我认识的用户。被我拒绝的人会看到自己的号码。
people-let-in = 从现在起 { $user_id } 可以使用我。
people-let-in-anyway = { $user_id } 可以使用我。由于 ALLOWED_USERS 为 *，除了你禁止的人，其他人也都可以。
people-kept-out = { $user_id } 不能再使用我了。
people-is-admin = { $user_id } 是管理员。请先从 ADMIN_USERS 里去掉这个号码。
