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
too-many = 一度にお預かりできる数を超えました。これより前のメッセージには順番にお答えします。このメッセージ以降は、回答が済んでからもう一度お送りください。
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
cannot-read = この種類のメッセージはまだ読めません。テキスト、写真、画像ファイルを送ってください。
cannot-read-sticker =
    { $detail ->
        [blank] スタンプの絵柄は見えません。
       *[other] { $detail } いいですね！ただ、スタンプの絵柄は見えません。
    }言葉で書くか、写真を送ってください。
cannot-read-dice = { $detail } ゲームはできませんが、質問にはお答えします。お気軽に書いてください。
cannot-read-animation = GIF は見られません。静止画を送るか、言葉で質問してください。
cannot-read-video = 動画は見られません。知りたい場面のスクリーンショットを送るか、言葉で質問してください。
cannot-read-video-note = ビデオメッセージは見られません。質問を文字で書くか、写真を送ってください。
cannot-read-voice = ボイスメッセージは聞けません。質問を文字で書いてください。キーボードの音声入力も使えます。
cannot-read-audio = 音声ファイルは聞けません。知りたいことを言葉で書いてください。
cannot-read-document =
    { $detail ->
        [blank] この種類のファイルは開けません。読めるファイルは画像だけです。
       *[other] 「{ $detail }」は開けません。読めるファイルは画像だけです。
    }必要な部分をメッセージに貼り付けるか、文書を資料に加えるよう運用者に頼んでください。
cannot-read-location = 地図は見られません。場所の名前と、知りたいことを書いてください。
cannot-read-venue = 地図で場所を調べることはできません。場所の名前と、知りたいことを書いてください。
cannot-read-contact = 連絡先は扱えません。この連絡先は保存していません。ご用件を書いてください。
cannot-read-poll = 投票には参加できません。質問を文字で送っていただければお答えします。
cannot-read-story = ストーリーは見られません。スクリーンショットを送るか、言葉で質問してください。
unread-note = 次のものは見られませんでした：{ $things }
unread-animation = GIF
unread-audio = 音声
unread-checklist = チェックリスト
unread-contact = 連絡先
unread-dice = サイコロ
unread-document = ファイル
unread-game = ゲーム
unread-giveaway = プレゼント企画
unread-giveaway-winners = プレゼント企画
unread-invoice = 請求書
unread-live-photo = ライブフォト
unread-location = 位置情報
unread-paid-media = 有料メディア
unread-poll = 投票
unread-rich-message = 書式付きメッセージ
unread-sticker = スタンプ
unread-story = ストーリー
unread-venue = 場所
unread-video = 動画
unread-video-note = ビデオメッセージ
unread-voice = ボイスメッセージ
edit-too-late = 編集に応じて回答し直すのは、最新の質問だけです。変更した質問を新しいメッセージとして送ってください。
replaced = （差し替え済み）
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
image-heif = HEIC と AVIF のファイルは読めません。ファイルとしてではなく写真として送ってください。Telegram が変換してくれます。
image-animated = アニメーション画像には対応していません。静止画を送ってください。
image-refused = この画像は使えませんでした。別の画像を送ってください。
