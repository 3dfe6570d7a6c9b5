command-users = 利用者の一覧
command-allow = 利用を許可する：/allow ID
command-deny = 利用を禁止する：/deny ID
people-known =
    { $count ->
        [0] まだ誰も利用していません。
       *[other] 利用者 { $count } 人：
    }
people-line = { $user_id } · { $name } · { $state } · 最終利用：{ $seen }
people-state-admin = 管理者
people-state-allowed = 利用可
people-state-denied = 利用不可
people-state-blocking = ボットをブロック中
people-usage = 利用者の番号を指定してください：{ $command } 123456789。番号は、利用を断られたときに本人に表示されます。/users でも確認できます。
people-let-in = { $user_id } は、これから利用できます。
people-let-in-anyway = { $user_id } は利用できます。ALLOWED_USERS が * の間は、禁止された人以外は誰でも利用できます。
people-kept-out = { $user_id } は、もう利用できません。
people-is-admin = { $user_id } は管理者です。先に ADMIN_USERS から番号を外してください。
