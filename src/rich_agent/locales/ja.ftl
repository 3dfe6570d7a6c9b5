# The turn
greeting = こんにちは！登録された資料について質問するか、写真を送ってください。できることは /help で確認できます。
greeting-named = { $name }さん、こんにちは！登録された資料について質問するか、写真を送ってください。できることは /help で確認できます。
thanks-reply = どういたしまして！
nothing-said = 言葉が見つかりませんでした。質問か写真を送ってください。
nothing-found = 登録された資料には見つかりませんでした。
nothing-found-answer = 登録された資料には、これについて何も見つかりませんでした。別の言葉で試すか、「情報源は何ですか？」と聞いてみてください。
no-sources-yet = 登録された資料には見つかりませんでした（まだ資料が登録されていません）。運用者は `ingest add-source` で追加できます。
nothing-cited-web = これを裏付けるウェブの検索結果はありません。
web-unavailable = ウェブを検索できませんでした。
stopped = （中止しました）
stopped-at-once = 回答を書き始める前に中止しました。
web-nothing-found = ウェブ検索では何も見つかりませんでした。

# Telegram
status-looking = 写真を見ています…
status-searching = 検索しています…
status-searching-web = ウェブを検索しています…
status-drafting = 回答を書いています…
status-queued = 受け取りました。前のメッセージの回答が終わりしだい、お答えします。
button-stop = 停止
stopping = 停止しています…
stopped-by-command = 回答を停止しました。
nothing-to-stop = 今は回答を書いていません。
stop-too-late = この回答はもう完了しています。
sources-heading = 出典
sent-again = （再送：最初の送信を Telegram で確認できませんでした。）
start = こんにちは！登録された資料をもとに質問に答え、回答の出典も示します。写真を送って質問することもできます。詳しくは /help をご覧ください。
start-named = { $name }さん、こんにちは！登録された資料をもとに質問に答え、回答の出典も示します。写真を送って質問することもできます。詳しくは /help をご覧ください。
help =
    できること：
    • 資料をもとに質問に答えます。番号付きの出典を開いて確認できます。
    • 資料で足りないときや最新のことについては、ウェブを検索します。
    • 写真、アルバム、画像ファイルを見ます。写真に返信して質問することもできます。
    • あなたが話してくれたことを覚えます。ほかの人には見えません。

    普段の言葉で話しかけてください。

    コマンド：
    { $commands }
command-start = はじめる・自己紹介
command-help = できることを見る
command-stop = 書いている回答を止める
unknown-command = { $command } というコマンドはありません。できることは /help で確認できます。
button-outdated = このボタンはもう使えません。
unsupported = この種類のメッセージはまだ読めません。テキスト、写真、画像ファイルを送ってください。
not-allowed = このボットは非公開です。利用したい場合は、この番号を運用者に伝えてください：{ $user_id }
apology-unavailable = 申し訳ありません。何度か試しましたが、言語モデルに接続できませんでした。数分後にもう一度お試しください。
apology-busy = 申し訳ありません。現在リクエストが多すぎます。数分後にもう一度お試しください。
apology-refused = 申し訳ありません。言語モデルがリクエストを受け付けませんでした。原因は運用者がログで確認できます。
apology-malformed = 申し訳ありません。言語モデルの回答を利用できませんでした。もう一度、できれば別の言葉でお試しください。
apology-internal = 申し訳ありません。こちらで問題が発生し、ログに記録しました。もう一度お試しください。
image-empty = 画像が空です。もう一度送ってください。
image-too-large = 画像が大きすぎます。20 MB までのファイルを送ってください。
image-too-many-pixels = 画像の画素数が多すぎます。小さくして送ってください。
image-unreadable = 画像を読み込めませんでした。壊れている可能性があります。もう一度送ってください。
image-format = この画像形式には対応していません。JPEG、PNG、WebP のいずれかで送ってください。
image-animated = アニメーション画像には対応していません。静止画を送ってください。
image-refused = この画像は使えませんでした。別の画像を送ってください。
