command-tokens = ほかのプログラムから質問できるようにする
tokens-none = トークンがあると、ほかのプログラムがあなたの名前で HTTP から質問できます。トークンはまだありません。
tokens-about = トークンがあると、ほかのプログラムがあなたの名前で HTTP から質問できます。✕ を押すと、そのトークンはすぐに無効になります。
tokens-open = あなたのトークン
tokens-unreachable = ここではほかのプログラムから接続できないため、トークンを作れません。運用者が PUBLIC_URL を設定する必要があります。
tokens-make = 新しいトークン
tokens-make-named = 新しいトークン「{ $name }」
tokens-name = Telegram
tokens-made = 新しいトークンです。表示するのは今だけです。プログラムにコピーしたら、隠してください。これを持つ人は、無効にするまであなたの名前で質問できます。プログラム用のアドレスは { $address } です。
tokens-hide = トークンを隠す
tokens-revoked = トークンを無効にしました。もう使えません。
tokens-too-many = トークンは { $most } 個までです。まず 1 つを無効にしてください。
tokens-made-on = 作成 { $day }
tokens-used-on = 最終使用 { $day }
tokens-unused = 未使用
tokens-ends-on = 期限 { $day }

# The pages of users.
tokens-revoke = 取り消す
tokens-name-label = 名前
