command-tokens = 让其他程序以你的名义向我提问
tokens-none = 有了令牌，其他程序就能通过 HTTP 以你的名义向我提问。目前还没有令牌。
tokens-about = 有了令牌，其他程序就能通过 HTTP 以你的名义向我提问。✕ 会立即撤销令牌。
tokens-open = 你的令牌
tokens-unreachable = 其他程序在这里连不到我，所以我不生成令牌。运营者需要先设置 PUBLIC_URL。
tokens-make = 新令牌
tokens-make-named = 新令牌“{ $name }”
tokens-name = Telegram
tokens-made = 这是新令牌，只显示这一次。把它复制到你的程序里，然后隐藏。在你撤销之前，拿到它的人都能以你的名义向我提问。供程序使用的地址是 { $address }
tokens-hide = 隐藏令牌
tokens-revoked = 令牌已撤销，不再有效。
tokens-too-many = 你已有 { $most } 个令牌，达到上限。请先撤销一个。
tokens-made-on = { $day } 创建
tokens-used-on = 上次使用 { $day }
tokens-unused = 尚未使用
tokens-ends-on = { $day } 到期

# The pages of users.
tokens-revoke = 撤销
tokens-name-label = 名称
