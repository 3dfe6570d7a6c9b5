command-tokens = 讓其他程式以你的名義向我提問
tokens-none = 有了權杖，其他程式就能透過 HTTP 以你的名義向我提問。目前還沒有權杖。
tokens-about = 有了權杖，其他程式就能透過 HTTP 以你的名義向我提問。✕ 會立即撤銷權杖。
tokens-open = 你的權杖
tokens-unreachable = 其他程式在這裡連不到我，所以我不產生權杖。管理者需要先設定 PUBLIC_URL。
tokens-make = 新權杖
tokens-make-named = 新權杖「{ $name }」
tokens-name = Telegram
tokens-made = 這是新權杖，只顯示這一次。把它複製到你的程式裡，然後隱藏。在你撤銷之前，拿到它的人都能以你的名義向我提問。供程式使用的網址是 { $address }
tokens-hide = 隱藏權杖
tokens-revoked = 權杖已撤銷，不再有效。
tokens-too-many = 你已有 { $most } 個權杖，達到上限。請先撤銷一個。
tokens-made-on = { $day } 建立
tokens-used-on = 上次使用 { $day }
tokens-unused = 尚未使用
tokens-ends-on = { $day } 到期

# The pages of users.
tokens-revoke = 撤銷
tokens-name-label = 名稱
