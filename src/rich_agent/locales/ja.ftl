# The turn
greeting = こんにちは！登録された資料について質問するか、写真を送ってください。できることは /help で確認できます。
greeting-named = { $name }さん、こんにちは！登録された資料について質問するか、写真を送ってください。できることは /help で確認できます。
thanks-reply = どういたしまして！
farewell-reply = またいつでも話しかけてください。
help-reply = 「情報源は何ですか？」のように文で質問するか、写真を送って知りたいことを書いてください。できることの一覧は /help にあります。
laughter-reply = 😄
nothing-said = メッセージに言葉がありませんでした。質問か写真を送ってください。
nothing-found = 登録された資料には見つかりませんでした。
nothing-found-files = 送っていただいたファイルには見つかりませんでした。
nothing-found-answer = 登録された資料には、これについて何も見つかりませんでした。別の言葉で試すか、「情報源は何ですか？」と聞いてみてください。
no-sources-yet = 登録された資料には見つかりませんでした（まだ資料が登録されていません）。運用者は `ingest add-source` で追加できます。
question-shortened = メッセージが一度に読める長さを超えていたため、はじめと終わりの部分だけを読みました。
look-left-out = 資料の検索は 1 回だけ行いました。もう一度検索すると時間がかかりすぎるためです。
nothing-cited-web = これを裏付けるウェブの検索結果はありません。
unchecked = 出典と照合できませんでした。読んだ箇所：{ $sources }
refused-rag = 登録された資料には、これに答える記述が見つかりませんでした。確認した箇所：
refused-files = 送っていただいたファイルには、これに答える記述が見つかりませんでした。確認した箇所：
refused-web = ウェブの検索結果には、これに答える記述がありませんでした。確認した箇所：
refused-rag-web = 登録された資料にもウェブにも、これに答える記述が見つかりませんでした。確認した箇所：
unsupported = 出典で確認できない文です。ご確認ください：{ $claims }
contradicted = 出典の内容と異なる文です：{ $claims }
unjudged = この回答は出典と照合できませんでした。
unjudged-claims = 出典と照合できなかった文：{ $claims }
uncomputed = 表のすべての行から計算した値ではありません。確認してください：{ $claims }
catalogue-title = 登録された資料
catalogue-counts = 情報源は { $sources } 件、文書は { $documents } 件あります。ここに挙げた題名は { $shown } 件です。
catalogue-sources = 情報源
catalogue-source = { $name }：{ $documents } 件の文書
catalogue-source-internal = { $name }（このボットについて）：{ $documents } 件の文書
catalogue-matching = 質問の言葉を含む文書
catalogue-others = ほかの文書
your-photo = お送りいただいた写真
web-unavailable = ウェブを検索できませんでした。
look-failed = 写真をもう一度詳しく見ることができなかったため、最初に見た内容をもとに答えました。
stopped = （中止しました）
early-end-length = 回答が長くなりすぎたため、ここで終わっています。
early-end-filtered = モデルサーバーのコンテンツフィルターが、この回答を止めました。別の言い方でお尋ねください。
early-end-refused = 言語モデルが、この質問への回答を断りました。
early-end-repeated = 言語モデルが同じ内容を際限なく繰り返したため、停止しました。
early-end-deadline = 1つのメッセージにかけられる時間を超えたため、ここで停止しました。
answer-in-file = 回答が長いため、上には冒頭だけを表示しました。全文は下のファイルにあります。
continue-button = 続き
continue-wish = 回答の続きをお願いします。
stopped-at-once = 回答を書き始める前に中止しました。
web-nothing-found = ウェブ検索では何も見つかりませんでした。
ask-about-image =
    写っているもの：{ $seen }

    これについて何を知りたいですか？
image-topic-describe = 写真の内容を説明して
image-topic-text = 写真の文字を読んで
image-topic-table = 写真の表を説明して
image-topic-search = 写真に写っているものを調べて

# Telegram
status-reading = ファイルを読んでいます…
status-looking = 写真を見ています…
status-thinking = 考えています…
status-searching = 検索しています…
status-searching-web = ウェブを検索しています…
status-drafting = 回答を書いています…
status-busy = 言語モデルが混み合っています。最長 1 分お待ちください…
status-held = モデルサーバーが今はリクエストを受け付けていません。{ $at }（{ $wait }）にもう一度試し、ここに回答します。送り直す必要はありません。それまでにいただいたメッセージには、そのあとでお答えします。
status-queued = 受け取りました。前のメッセージの回答が終わりしだい、お答えします。
status-queued-elsewhere = 受け取りました。今はウェブまたは別のプログラムでの質問に回答しています。そのあとでお答えします。
status-crowd = 受け取りました。ただいま多くの方からメッセージをいただいています。現在の順番は{ $place }番目くらいです。順番が来しだい、お答えします。
button-stop = 停止
stopping = 停止しています…
stopped-by-command = 回答を停止しました。
question-dropped = 分かりました。ご返答はお待ちしません。
nothing-to-stop = 今は回答を書いていません。
stop-too-late = この回答はもう完了しています。
too-many = 一度にたくさんのメッセージが届きました。先に届いたものから順にお答えします。このメッセージと、これより後のものは、回答が追いついてからもう一度お送りください。
sources-heading = 出典
source-web = { $label }（ウェブ）
sent-again = （再送：最初の送信を Telegram で確認できませんでした。）
start = こんにちは！登録された資料をもとに質問に答え、回答の出典も示します。写真を送って質問したり、やることを伝えて任せたりもできます。詳しくは /help をご覧ください。
start-named = { $name }さん、こんにちは！登録された資料をもとに質問に答え、回答の出典も示します。写真を送って質問したり、やることを伝えて任せたりもできます。詳しくは /help をご覧ください。
start-examples = 話題をタップして試せます：
help-heading = できること
help =
    • 資料をもとに質問に答えます。番号付きの出典を開いて確認できます。
    • 資料で足りないときや最新のことについては、ウェブを検索します。
    • お送りいただいたファイル（PDF、Word、Excel、PowerPoint、CSVなど）やリンク先のページを読みます。一覧は /files です。
    • 写真、アルバム、画像ファイルを見ます。写真に返信して質問することもできます。
    • あなたが話してくれたことを覚えます。ほかの人には見えません。
help-end = 普段の言葉で話しかけてください。
help-commands = コマンド
unknown-command = { $command } というコマンドはありません。できることは /help で確認できます。
unknown-command-near = { $command } というコマンドはありません。/{ $near } のことでしょうか？すべてのコマンドは /help で確認できます。
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
unread-game = ゲーム
unread-giveaway = プレゼント企画
unread-giveaway-winners = プレゼント企画
unread-invoice = 請求書
unread-live-photo = ライブフォト
unread-long-text = 文章の16,000文字より後の部分
unread-location = 位置情報
unread-paid-media = 有料メディア
unread-photo = 写真
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
apology-download = 申し訳ありません。何度か試しましたが、Telegram からファイルを取得できませんでした。数分後にもう一度送ってください。
apology-credit = 運用者のモデルサーバーの残高がなくなったため、今はお答えできません。これを直せるのは運用者だけです。後ほど /retry を送っていただければ、このご質問にお答えします。
apology-key = モデルサーバーが運用者のキーを受け付けないため、今はお答えできません。これを直せるのは運用者だけです。後ほど /retry を送っていただければ、このご質問にお答えします。
model-away = モデルサーバーは { $at } までリクエストを受け付けません。お待たせする時間が長すぎるため、その時刻を過ぎてから /retry を送ってください。このご質問にお答えします。
apology-refused = 申し訳ありません。言語モデルがリクエストを受け付けませんでした。原因は運用者がログで確認できます。
apology-malformed = 申し訳ありません。言語モデルの回答が使えない形でした。もう一度、できれば別の言葉でお試しください。
apology-spent = 申し訳ありません。何度か試しましたが、途中で止まってしまいました。このメッセージは運用者が確認できるように残してあります。原因は私の側にあり、お尋ねの言い方のせいではありません。
aside-lesson = 申し訳ありません。以前のメッセージから記憶を更新しようとしましたが、何度も途中で止まってしまいました。運用者が確認できるように残してあります。
aside-stream = この回答は通常どおり表示できません。書式なしの本文は次のとおりです：
apology-internal = 申し訳ありません。こちらで問題が発生し、ログに記録しました。もう一度お試しください。
limit-tokens = 本日の上限（{ $limit } トークン）に達しました。{ $at }（{ $wait }）からまたお答えできます。それまでも /status、/sources、/memory などのコマンドは使えます。
limit-images = 本日の上限（画像 { $limit } 枚）に達したため、見ていない画像があります。{ $at }（{ $wait }）からまた見られます。
limit-searches = 本日の上限（ウェブ検索 { $limit } 回）に達したため、ウェブは検索していません。{ $at }（{ $wait }）からまた検索できます。
limit-audio_seconds = 今日の上限（音声 { $limit } 秒）に達したため、聞き取れませんでした。{ $at }（{ $wait }）にまた聞けるようになります。それまでは文字でお送りください。
limit-wait = あと { $duration }
day-yesterday = 昨日
day-today = 今日
day-tomorrow = 明日
media-too-large = 録音が大きすぎます。20 MBまでのファイルを受け取れます。
media-unreadable = この録音を読み込めませんでした。壊れているかもしれません。もう一度送ってください。
image-empty = 画像が空です。もう一度送ってください。
image-too-large = 画像が大きすぎます。20 MB までのファイルを送ってください。
image-too-many-pixels = 画像の画素数が多すぎます。小さくして送ってください。
image-unreadable = 画像を読み込めませんでした。壊れている可能性があります。もう一度送ってください。
image-format = この画像形式には対応していません。JPEG、PNG、WebP のいずれかで送ってください。
image-heif = HEIC と AVIF のファイルは読めません。ファイルとしてではなく写真として送ってください。Telegram が変換してくれます。
image-animated = アニメーション画像には対応していません。静止画を送ってください。
image-refused = この画像は使えませんでした。別の画像を送ってください。

# Commands
command-start = はじめる・自己紹介
command-help = できることを見る
command-new = 新しい会話を始める
command-stop = 書いている回答を止める
command-retry = 直前の質問にもう一度答える
command-sources = 知っている資料を見る
command-spaces = 調べるスペース
command-why = 直前の回答の理由を見る
command-status = 今の状態を見る
command-language = メニューの言語を選ぶ
command-privacy = 保存している情報について
command-memory = 覚えていることを見る
command-export = 自分のデータをファイルで受け取る
command-forget = 自分のデータをすべて削除する
command-stats = 利用状況を見る
command-approvals = 承認を待っている回答
admins-only = このコマンドは管理者専用です。
database-away = 現在データベースに接続できません。1分ほどしてからもう一度お試しください。
button-not-yours = これはほかの人のボタンです。
never = なし
and-more = … ほか { $count } 件
privacy-heading = 保存している情報
privacy =
    運用者（私を運用している個人または会社）のデータベースに、次のものを保存しています。
    • Telegram の ID と名前、あなたのメッセージと私の回答
    • あなたについて覚えたことと、あなたのタスク、メモ、予定
    • タスクリストを接続した場合は、そのログイン情報（暗号化）
    • 写真ごとのハッシュ値と説明（写真そのものは保存しません）
    • お送りいただいたファイル、ページ、録音の文字（音声は保存しません）
    • 各回答をどのように判断したか、そしてあなたの 👍 や 👎
    • 1日ごとの利用量（トークン、画像、検索）

    回答するために、メッセージ、会話、見つかった資料の一部を、運用者が選んだ言語モデルに送ります。ほかの利用者には見えません。
new-conversation = 新しい会話を始めます。これまでの会話は引き継ぎませんが、あなたについて覚えたことはそのままです。
language = 案内やメニューの言語を選んでください。回答は質問の言語に合わせます。
language-auto = 自動
language-chosen =
    { $chosen ->
        [auto] 案内やメニューは、Telegram アプリとメッセージの言語に合わせます。
       *[other] これからは案内やメニューを日本語で表示します。回答はこれまでどおり質問の言語に合わせます。
    }
language-not-spoken = その言語にはまだ対応していません。この中から選ぶか、/language のあとに言語名を書いて送ってください。
status-sound = 今日聞いた・話した音声の秒数：{ $seconds }。
sources-none = まだ資料がありません。運用者は `ingest add-source` で追加できます。
spaces = 資料のうち、次のスペースを閲覧できます。✓ の付いたスペースを調べます。ほかのスペースは、名前を挙げられたときだけ調べます。タップすると切り替わります。
spaces-none = 調べる資料はすべて、このボットを使える全員に公開されています。
sources-known = 知っている資料：{ $sources } 件の情報源、{ $documents } 件の文書（{ $passages } 個の断片）
sources-line = • { $name }：{ $documents } 件の文書、{ $passages } 個の断片、最終同期：{ $synced }
sources-line-internal = • { $name }（このボットについて）：{ $documents } 件の文書、{ $passages } 個の断片、最終同期：{ $synced }
passage-gone = この箇所は資料から削除されました。
passage-read = この箇所を読む
why-button = 理由
why-nothing = まだ何も回答していません。まず質問してください。
why-no-answer = そのメッセージの経緯は分かりません。私の回答に返信する形で /why を送ってください。
why-heading = この回答の経緯
why-done-direct = 何も調べずに、そのままお答えしました。
why-done-rag =
    { $read ->
        [0] 資料を検索しましたが、該当する記述はありませんでした。
       *[other] 資料を検索し、{ $read } か所を読んで { $cited } か所を引用しました。
    }
why-done-web =
    { $read ->
        [0] ウェブを検索しましたが、該当するものはありませんでした。
       *[other] ウェブを検索し、{ $read } 件を読んで { $cited } 件を引用しました。
    }
why-done-rag-web =
    { $read ->
        [0] 資料とウェブを検索しましたが、該当するものはありませんでした。
       *[other] 資料、続いてウェブを検索し、{ $read } か所を読んで { $cited } か所を引用しました。
    }
why-web-failed =
    { $read ->
        [0] ウェブを検索できませんでした。
       *[other] ウェブを検索できませんでした。資料は { $read } か所を読んで { $cited } か所を引用しました。
    }
why-reason = 理由：{ $reason }
looked-for = 検索した言葉：「{ $query }」
why-further-queries = 続けて検索した言葉：「{ $query }」
why-photo = 写真：確認しました
why-photo-asked = 写真：ご質問に合わせて詳しく確認しました
why-memory = 思い出したこと：あなたについて { $count } 件（/memory で確認できます）
why-recalled = • { $text }
why-summary = 思い出したこと：以前の会話の要約
why-past = 以前の会話から：
why-past-turn = • { $date }：「{ $text }」
why-read-document =
    資料：{ $read ->
        [0] 該当なし
       *[other] { $read } か所を読みました
    }
why-read-web =
    ウェブ：{ $read ->
        [0] 該当なし
       *[other] { $read } 件を読みました
    }
why-doubted = 確認：疑わしい文が { $count } 件ありました
why-planned = メッセージそのものが求めている操作：{ $count } 件
why-repaired = 確認：最初の文に出典のない内容があったため、モデルに一度だけ書き直しを求めました
why-permitted = 常に許可されているため確認なしで行った呼び出し（/tools）：{ $count } 件
why-unsupported = 確認：出典のない文が { $count } 件あり、回答に示しました
why-contradicted = 確認：出典と異なる文が { $count } 件あり、回答に示しました
why-judged = 確認：出典と照合した文：{ $count } 件
why-unjudged = 確認：照合できず、回答に示した文：{ $count } 件
why-unsampled = 確認：回答の一部だけを確認する設定のため、照合しなかった文：{ $count } 件
why-second_look_failed = 不具合：方針を決めるモデルが、回答を確認できませんでした
why-check-left-out = モデルによる確認なし（時間がかかりすぎるため）
why-refused = 確認：モデルの文を裏付ける記述がなかったため、表示しませんでした
why-planner_failed = 不具合：方針を決めるモデルから答えが得られず、登録された資料だけを調べました
why-further_search_failed = 不具合：方針を決めるモデルから、まだ何が足りないかの答えが得られませんでした
why-look-left-out = 追加の検索なし（時間がかかりすぎるため）
why-embedding_failed = 不具合：意味による検索ができず、言葉だけで検索しました
why-rerank_failed = 不具合：見つけた箇所の並べ替えに失敗したか時間がかかりすぎたため、検索したときの順番のままにしました
why-passage = • { $label }（{ $score }）
why-passage-cited = • { $label }（{ $score }、引用）
why-models = モデル：{ $models }
why-calls = モデルの呼び出し：{ $calls }回（うち最初の言葉までに続けて{ $before }回）。読み取ったトークン：{ $read }（うちサーバーが再利用：{ $cached }）
why-times =
    { $steps ->
        [blank] 時間：{ $total } 秒
       *[other] 時間：{ $total } 秒（{ $steps }）
    }
why-reference = 運用者への照会番号：{ $request_id }
step-N1_ingest_input = 読み取り { $seconds }
step-N2_load_long_term_memory = 記憶の確認 { $seconds }
step-N13_read_files = ファイルの読み取り { $seconds }
step-N3_vision_summarize = 画像の確認 { $seconds }
step-N4_build_effective_query = 方針の決定 { $seconds }
step-N5_retrieve = 資料の検索 { $seconds }
step-N14_search_further = 追加の検索 { $seconds }
step-N8_web_search = ウェブの検索 { $seconds }
step-N6_synthesize = 執筆 { $seconds }
step-N7_persist = 保存 { $seconds }
step-N9_ask_back = 確認 { $seconds }
step-N10_take_answer = 返答の受け取り { $seconds }
step-N11_request_approval = 承認の依頼 { $seconds }
rated = 評価をありがとうございます。
rated-down = ありがとうございます。この質問と回答は、運用者が読めるようになりました。
rating-withdrawn = 評価を取り消しました。
status-answering =
    回答を書いているところです。{ $waiting ->
        [0] ほかに待っているメッセージはありません。
       *[other] このあとに { $waiting } 件のメッセージが待っています。
    }
status-waiting =
    { $waiting ->
        [0] すべてのメッセージに回答済みです。
       *[other] { $waiting } 件のメッセージが回答を待っています。
    }
status-use = 今日の利用量：トークン { $tokens }、画像 { $images }、ウェブ検索 { $searches }、接続したツールの呼び出し { $tool_calls }。{ $at }（{ $wait }）に新しい日が始まります。
use-free = { $used }
use-limited = { $used } / { $limit }
status-documents = 文書：{ $documents } 件（{ $passages } 個の断片）、最終同期：{ $synced }
status-documents-away = 文書：現在データベースに接続できません。
status-out-of-reach = ⚠️ 接続できません（{ $duration }）：{ $problem }
status-models = モデル：回答は { $chat }、画像は { $vision }
status-version = rich-agent { $version }
memory-empty = まだ何も覚えていません。あなたのことを話してください。
memory-known = あなたについて { $count } 件覚えています。番号のボタンを押すと、その項目を忘れます。
memory-facts = 事実
memory-preferences = 好み
memory-tasks = やること
memory-past = 過去
memory-planned = 予定
memory-item = { $text }（{ $told }）
memory-item-due = { $text } – 期限 { $due }（{ $told }）
memory-deleted = 忘れました。それを伝えたメッセージは会話に残っています。「…は忘れて」と送ると、それも削除します。
forgetting-told = 次の内容を忘れてよろしいですか？
forgetting-everything = これまでに伺ったこと、話したことをすべて忘れてよろしいですか？覚えていること { $memory } 件と、メッセージ { $messages } 件（回答を含む）が対象です。
forgetting-named = 次の内容は、それに触れているだけです。選ばない限り残ります。
forgetting-only-named = はっきりそれについて述べたものは見つかりませんでした。それに触れているだけの次の内容を忘れてよろしいですか？
forgetting-of-memory = 覚えていること：
forgetting-of-thing = タスク、メモ、予定：
forgetting-of-file = 送っていただいたファイル：
forgetting-of-message = あなたのメッセージ（回答を含む）：
forgetting-of-summary = 以前の会話の要約から：
forgetting-more = …ほか { $count } 件。
forgetting-final = 取り消しはできません。ボタンで選んでください。
forgetting-yes = 忘れる
forgetting-yes-all = すべて忘れる
forgetting-no = 何も忘れない
forgetting-done = 覚えていたこと { $memory } 件と、メッセージ { $messages } 件（回答を含む）を忘れました。記憶、会話とその要約、過去の会話の検索、/export の記録のどこにも残っていません。このチャットの表示は、Telegram で削除するまで残ります。
forgetting-left = それに触れているだけの { $count } 件は、選択のとおり残しました。
forgetting-done-everything = 設定、評価、利用量は残ります。/forget を使うと、それらも削除されます。
forgetting-nothing = それについては、覚えていることにも会話にも見つかりませんでした。何も削除していません。覚えていることは /memory で見られます。
forgetting-failed = モデルのエラーのため、何を忘れればよいか確かめられませんでした。何も削除していません。後でもう一度試すか、/memory や /forget を使ってください。
forgetting-kept = 何も削除していません。
forgetting-wish = （忘れてほしいという依頼。内容は保存していません。）
planner-failed-note = 方針を決めるモデルでエラーが起きました。何かをしてほしい、忘れてほしいという依頼だった場合、何も実行も削除もしていません。もう一度送るか、/memory や /forget を使ってください。
planner-failed-still = 何も実行も削除もしていません。
exported =
    保存しているデータのすべてです：メッセージ { $messages } 件、判断の記録 { $decisions } 件{ $images ->
        [0] {""}
       *[other] 、画像の説明 { $images } 件
    }、覚えていること、そしてタスク、メモ、予定。ファイルは JSON 形式です。
forget-confirm =
    保存しているデータをすべて削除しますか？会話、覚えたこと、タスク、メモ、予定、各回答の判断の記録、評価、写真の説明、ファイルと録音の文字、設定が対象です。

    取り消しはできません。このチャットのメッセージは、Telegram で削除するまで残ります。/export で先に控えを受け取れます。
forget-yes = はい、すべて削除する
forget-no = いいえ、残す
forget-wish = { $what }について私が言ったことを忘れて
command-alone = 何も行いませんでした。{ $command } の後ろには言葉を付けません。実行する場合は、単独で送ってください。
secret-delete-yourself = メッセージを削除できませんでした。パスワードが含まれているので、ご自分で削除してください。
forget-kept = 何も削除していません。
forgotten = 保存していたデータをすべて削除しました。次のメッセージから新しく始まります。
confirmation-over = この確認は期限切れです。もう一度コマンドを送ってください。
nothing-to-retry = もう一度答える質問がありません。まず質問してください。
stats-heading = 利用状況
stats-users = 利用者：{ $known } 人（24時間 { $day } 人、7日間 { $week } 人）、ブロック { $blocking } 人
stats-turns = 回答：24時間 { $day } 件、7日間 { $week } 件
stats-plans = 方針（7日間）：{ $plans }
stats-plan-direct = 直接 { $count }
stats-plan-rag = 資料 { $count }
stats-plan-web = ウェブ { $count }
stats-plan-rag-web = 資料とウェブ { $count }
stats-times = 回答時間（7日間）：中央値 { $p50 } 秒、95% { $p95 } 秒
stats-failures = 失敗：中断した回答 { $broken } 件、届かなかったメッセージ { $undelivered } 件（7日間）、処理を諦めた更新 { $dead } 件
stats-feedback = 評価：👍 { $up }、👎 { $down }
stats-use-day = 今日の利用量（UTC）：トークン { $tokens }、画像 { $images }、ウェブ検索 { $searches }、{ $cost }
stats-use-week = 利用量（7日間）：トークン { $tokens }、画像 { $images }、ウェブ検索 { $searches }、{ $cost }
stats-cached = 読み込んだトークンのうち、サーバーが以前に読んでいた割合：{ $share } %
stats-cost = 費用 { $cost }
stats-cost-partly = 費用 { $cost }（価格未設定の { $models } を除く）
stats-cost-unknown = 価格未設定（MODEL_PRICES）
stats-price-table = MODEL_PRICES にない価格の出典: { $table }
stats-top-users = トークンの多い利用者（7日間）：{ $users }
stats-inbox = 待機中：{ $pending } 件
stats-approvals = 承認待ち：{ $count } 件（/approvals）

# Approval
approval-waiting = この種の回答は、お届けする前に担当者が確認します。現在確認中です。承認されしだいお送りします。その間もほかの質問を送れます。
approval-review =
    回答 { $number } が承認を待っています。
    利用者：{ $user }
    種類：{ $intent }
    質問：{ $question }

    下書きは下にあります。訂正文を返信するか、ボタンを使ってください。
button-approve = 承認
button-correct = 編集
button-reject = 却下
approval-correction = 回答 { $number }：このメッセージに訂正文を返信してください。利用者にそのまま届きます。
approval-reason = 回答 { $number }：このメッセージに却下の理由を返信してください。利用者にも届きます。
approval-words-missing = 文字で書いてください。同じメッセージにもう一度返信してください。
approval-is-approved =
    { $by ->
        [you] ✓ あなたが承認しました。
       *[other] ✓ { $admin } が承認しました。
    }
approval-is-corrected =
    { $by ->
        [you] ✎ あなたの文章で送りました。
       *[other] ✎ { $admin } の文章で送りました。
    }
approval-is-rejected =
    { $by ->
        [you] ✗ あなたが却下しました。
       *[other] ✗ { $admin } が却下しました。
    }
approval-is-expired = 期限までに判断がありませんでした。利用者には、そのことを伝えました。
approval-is-withdrawn = 利用者が質問を変えたため、この下書きは不要になりました。
approval-approved = この回答は確認のうえ承認されました。
approval-corrected = この回答は確認のうえ訂正されました。
approval-rejected = 申し訳ありません。これについてはお答えできません。理由：{ $reason }
approval-expired = 申し訳ありません。期限までに回答の確認ができませんでした。あらためてご質問ください。
approvals-known =
    { $count ->
        [0] 承認を待っている回答はありません。
       *[other] 承認を待っている回答：{ $count } 件
    }
approvals-line = • { $number }（{ $since } から、利用者 { $user }）：{ $question }

# Why a turn is answered as it is
reason-as_planned = 計画どおり
reason-greeting = あいさつ
reason-farewell = お別れのあいさつ
reason-thanks = お礼の言葉
reason-help = 使い方の問い合わせ
reason-laughter = 笑い
reason-reaction = 絵文字
reason-silence = 調べるための言葉がありません
reason-number = 数または計算
reason-known_word = 登録された資料に出てくる言葉
reason-forget_wish = 忘れてほしいというご希望
reason-stopped = 方針を決める前に中止されました
reason-no_web = ウェブ検索が設定されていません
reason-no_plan = 方針を決めるモデルから答えが得られなかったため、登録された資料だけを調べ、ウェブは検索しませんでした
reason-file_read = お送りいただいたファイルについての質問です
reason-file_refused = お送りいただいたファイルを読めませんでした
reason-about_bot = 私についての質問には、私自身の資料から答えます
reason-about_now = 答えが今の状況で変わるため、ウェブを検索しました
reason-documents_first = ウェブより先に、登録された資料を調べます
reason-documents_may_say = 登録された資料に書かれている可能性があります
reason-documents_wanted = 資料に書かれていることを尋ねられました
reason-web_ruled_out = 個人的な内容かもしれないため、ウェブは検索しませんでした
reason-say_little = 登録された資料には少ししか書かれていないため、ウェブも検索しました
reason-say_little_on = 「{ $subject }」について、登録された資料には少ししか書かれていないため、ウェブも検索しました

# Alerts for admins
alert-credit = ⚠️ モデルサーバー（{ $service }）の残高がなくなり、どなたにもお答えできません。{ $hint } その後 `rich-agent inbox replay --all` で、その間の質問に回答します。この連絡は最大で 1 時間に 1 回です。
alert-key = ⚠️ モデルサーバー（{ $service }）がキーを受け付けず、どなたにもお答えできません。{ $hint } その後 `rich-agent inbox replay --all` で、その間の質問に回答します。この連絡は最大で 1 時間に 1 回です。
alert-away = ⚠️ モデルサーバー（{ $service }）が { $at } までリクエストを受け付けません。利用者には、その後にもう一度尋ねるよう伝えています。上限を上げるか、別のサーバーを使うと解消します。この連絡は最大で 1 時間に 1 回です。
alert-lesson = ⚠️ あるメッセージの内容を、数日試しても記憶に反映できなかったため、あきらめました。原因はログにあります。この連絡は最大で 1 時間に 1 回です。
alert-refused = ⚠️ モデルサーバーがリクエストを拒否しています：{ $problem } { $hint } それなしでできる範囲で続けます。この通知は1時間に1回までです。

# ツール: 用途と、実行中の表示。
status-acting = { $tool } を使っています…
tool-list_files = お預かりしているファイル
tool-undo_last_change = 直前の変更を元に戻す
tool-search_documents = 資料
tool-search_web = ウェブ検索
tool-request_more_information = あなたへの質問
doing-list_files = ファイルを確認しています…
doing-undo_last_change = 直前の変更を元に戻しています…
doing-search_documents = 資料を検索しています…
doing-search_web = ウェブを検索しています…
approve-calls = 次のことを行います。よろしいですか。
approve-not-planned = メッセージそのものには、この操作の依頼がありません。よく確認してください。
approve-yes = 承認する
approve-no = やめる
approve-words-yes = はい|うん|オッケー|お願いします
approve-words-no = いいえ|いや|キャンセル
card-labelled = { $label }：{ $text }
card-not-done = 実行しませんでした。
approve-adjust = 変更する
approve-how-to-adjust = 変更したい点を書いてください。あらためて提案します。
approve-always = これは常に承認
approve-always-same = 「{ $always }」を選ぶと承認され、以後は同じ呼び出しを確認なしで行います。/tools で取り消せます。
approve-always-alike = 「{ $always }」を選ぶと承認され、以後は { $fixed } が同じ呼び出しを、ほかの内容にかかわらず確認なしで行います。/tools で取り消せます。
web-approve-in-words = 「{ $yes }」か「{ $no }」と返信するか、変更したい点を書いてください。
card-characters-left-out = 残りの文字数：{ $count }
card-arguments-left-out = 残りの項目数：{ $count }
card-in-file = ここには全部は入りません。全文はファイル「approval.txt」にあります。決める前にお読みください。
card-copied-from = コピー元：{ $sources }
copied-user = あなたのメッセージ
copied-memory = 保存している内容
copied-assistant = 以前の回答
copied-operator = ボットの運営者
copied-document = 文書
copied-page = ウェブページ
copied-file = ファイル
copied-server = 他のプログラム
copied-other = 他の人
card-takes-back = 元に戻す内容
argument-duration = 所要時間
argument-yes = はい
argument-no = いいえ
argument-none = なし
approve-cancelled = 取りやめました。何も変更していません。
acting-limit-calls = 1 件のメッセージで行える操作は 10 回までです。続きがあれば「続けて」と送ってください。
acting-limit-errors = 3 回続けて失敗したため中止しました。これ以上の変更はしていません。
undo-button = 元に戻す
undo-done = 元に戻しました:
undo-too-late = もう元に戻せません。
step-N12_act = 実行 { $seconds }

# タスク、プロジェクト、目標、メモ、予定についてしたこと、取り消したこと。
reason-in_group = グループでは登録済みの文書だけをもとに答えます
reason-link_ignored = リンクは読まないとのご希望です
reason-link_kept = ページを覚えておくとのご希望です
reason-link_read = リンク先のページを読みました
reason-in_session = 進行中のセッションへの発言です
reason-session_left = 進行中のセッションを終えたいとのことでした

# 一覧。
timeline-left-out = ほか{ $count }件
command-timezone = タイムゾーンを選ぶ
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [1] 毎時
           *[other] { $count } 時間ごと
        }
        [daily] { $count ->
            [1] 毎日
           *[other] { $count } 日ごと
        }
        [weekly] { $count ->
            [1] 毎週
           *[other] { $count } 週間ごと
        }
        [monthly] { $count ->
            [1] 毎月
           *[other] { $count } か月ごと
        }
       *[yearly] { $count ->
            [1] 毎年
           *[other] { $count } 年ごと
        }
    }
time-zone-none = タイムゾーンがまだ分かりません。ここで選ぶか、/timezone Asia/Tokyo のように送ってください。
time-zone = タイムゾーンは { $zone } です。現地は今 { $now } です。変えるには、/timezone に続けて別の名前を送ってください。
time-zone-chosen = タイムゾーンは { $zone } です。現地は今 { $now } です。繰り返しのリマインダーもこれに合わせます。
time-zone-near = { $name } というタイムゾーンはありません。次のどれかでしょうか？
time-zone-which = { $name } には複数のタイムゾーンがあります。どれですか？
time-zone-unknown = { $name } というタイムゾーンはありません。Asia/Tokyo のように、地域と都市で書いてください。

# The page of a passage.
passage-place = { $source } · { $count } 箇所中 { $position } 番目
passage-before = ← 前へ
passage-after = 次へ →

# The page of a browser while the bot starts.
bot-starting = ボットを起動しています…

# Calls that a user permitted for good (/tools).
command-tools = 確認なしで行えることを見る
tools-none = 常に許可した呼び出しはまだありません。安全な場合は、呼び出し前の確認に「これは常に承認」が出ます。
tools-about = 次の呼び出しは確認なしで行います。✕ か、番号を付けた /tools で許可を取り消します。
tools-given-on = 許可 { $day }
tools-used = 呼び出し { $count } 回
tools-any = 任意
tools-changed = その後ツールが変わったため、この呼び出しの前に再び確認します。
tools-take-all-back = すべて取り消す
tools-taken-back = 取り消しました。この呼び出しの前に再び確認します。
# Outside Telegram.
only-in-telegram = すべての機能は Telegram でのみ使えます。そちらで { $command } を送ってください。

run-not-latest = もう一度回答できるのは、会話の最新の質問だけです。

# What is asked in groups.

guest-user-limit = グループでの本日の質問回数の上限に達しました。続きは個別チャットでどうぞ。
guest-group-limit = このグループでは、この1時間に多くの質問がありました。しばらくしてからもう一度試すか、個別チャットで質問してください。
guest-withheld = この質問にはグループではお答えできません。個別チャットで質問してください。
guest-answer-cut = 長い回答の冒頭だけを表示しています。全文は個別チャットでご質問ください。
guest-answered-privately = 個別チャットでお答えしました。
## ファイル

file-page = { $number }ページ
file-sheet-named = シート「{ $heading }」
file-sheet-numbered = シート{ $number }
file-slide-named = スライド{ $number }: { $heading }
file-slide-numbered = スライド{ $number }
ask-about-files =
    { $count ->
        [1] { $names }を読みました。何についてお知りになりたいですか？
       *[other] { $names }（{ $count }件）を読みました。何についてお知りになりたいですか？
    }
file-topic-summary = 要約する
file-topic-points = 要点を挙げる
file-read-whole = { $name } を最後まで読みました。
file-macros = { $name } のマクロは実行していません。
file-read-in-parts = { $name } を{ $parts }回に分けて最後まで読みました。
file-read-partly = { $name } は長いため、{ $units }か所のうち{ $read }か所を読みました。残りについては、続けてお尋ねください。
file-searched = { $name } は長いため、ご質問に関係する箇所を検索しました。全体は読んでいません。
file-parts-unread = { $name } のうち、{ $parts }は読めませんでした。
file-part-attachment = 添付ファイル{ $count }件
file-part-chart = グラフ{ $count }個
file-part-diagram = 図表{ $count }個
file-part-drawing = 図形{ $count }個
file-part-equation = 数式{ $count }個
file-part-field = フォームの入力欄{ $count }個
file-part-file = ファイル{ $count }件
file-part-formula = 結果が保存されていない計算式{ $count }個
file-part-letter = 文字{ $count }字
file-part-object = 埋め込みオブジェクト{ $count }個
file-part-page = 文字のないページ{ $count }枚
file-part-picture = 画像{ $count }点
file-part-remark = コメント{ $count }件
file-part-row = 表の行{ $count }行
file-part-sheet = シート{ $count }枚
file-part-slide = 文字のないスライド{ $count }枚
file-refused-too-large = 「{ $name }」は20 MBを超えているため、Telegramからダウンロードできません。小さくするか、分けてお送りください。
file-refused-too-long = 「{ $name }」は長すぎて読めません。必要な部分だけを別のファイルにしてお送りください。
file-refused-unsupported = 「{ $name }」は読めない形式です。PDF、Word、Excel、PowerPoint、OpenDocument、EPUB、RTF、HTML、Markdown、CSV、EML、MSG、MHTML、ZIP、テキストのいずれかで保存して、もう一度お送りください。
file-refused-old-office = 「{ $name }」は古いOffice形式です。DOCX、XLSX、PPTX、PDFのいずれかで保存して、もう一度お送りください。
file-refused-archive = 「{ $name }」は開けない形式で圧縮されています。ZIPにするか、中のファイルをお送りください。
file-refused-encrypted = 「{ $name }」はパスワードで保護されています。パスワードなしで保存して、もう一度お送りください。
file-refused-empty = 「{ $name }」に文字が見つかりませんでした。内容がある場合は、PDFか写真でお送りください。
file-refused-damaged = 「{ $name }」は壊れているか、名前と中身が異なります。開いて保存し直し、もう一度お送りください。
file-refused-gone = 「{ $name }」を取得できませんでした。もう一度お送りください。
file-keep-button = 覚えておく
file-only-here-button = この会話だけ
file-kept = { $count }件のファイルを覚えておきます。/files で確認できます。
file-not-kept = { $count }件のファイルは、この会話の終わり（/new）とともに忘れます。
file-forgotten = 忘れました。
files-none = ファイルはありません。PDF、Word、Excel、PowerPoint、OpenDocument、EPUB、CSV、テキストをお送りください。
files-title = お預かりしているファイル（{ $count }件）：
files-line = { $number }. { $name }（{ $sent }）
files-line-kept = { $number }. { $name }（{ $sent }、記憶済み）
files-line-unread = 読めなかったもの：{ $parts }
files-hint = 📌 で会話の後も覚えておく・やめるを切り替えます。🗑 で忘れます。
command-files = ファイルの一覧、記憶、削除

# リンク

ask-about-links =
    { $count ->
       *[other] このリンクをどうしますか？ { $links }
    }
link-wish-summary = 要約する
link-wish-keep = 覚えておく
link-wish-ignore = 何もしない
link-ignored = わかりました。読まないでおきます。
link-kept =
    { $count ->
       *[other] 読んで覚えました：{ $names }。いつでも質問できます。一覧は /files で見られます。
    }
page-refused-private = { $name } は社内などの非公開ネットワークにあるため、読みません。
page-refused-robots = { $name } は、サイトがプログラムによる閲覧を許可していないため読めません。本文を送るか、ページをファイルとして送ってください。
page-refused-closed = { $name } はログインした人だけが見られるページです。本文を送るか、ページをファイルとして送ってください。
page-refused-gone = { $name } にページはありません。アドレスが途中で切れていませんか？
page-refused-too-large = { $name } のページは大きすぎて読めません。必要な部分を送ってください。
page-refused-too-long = { $name } のページは長すぎて読めません。必要な部分を送ってください。
page-refused-slow = { $name } の応答に時間がかかりすぎています。しばらくしてからもう一度お試しください。
page-refused-away = { $name } を取得できませんでした。サイトに障害があるか、接続できません。しばらくしてからもう一度お試しください。
page-refused-empty = { $name } には読める文章がありませんでした。ブラウザーでの閲覧やログインが必要なのかもしれません。本文を送ってください。
page-refused-made-by-scripts = { $name } には文章が見えません。ブラウザーで開いて初めて表示されるページです。本文を送るか、ブラウザーでページを保存してそのファイルを送ってください。
page-refused-consent = { $name } には、同意の確認のようなボタン付きの質問しか見えず、その先のページが見えません。本文を送るか、ページをファイルとして送ってください。
page-refused-unsupported = { $name } は、読める形式のページや文書ではありません。
page-refused-old-office = { $name } のファイルは古い Office 形式のため読めません。
page-refused-archive = { $name } のファイルは、開けない形式で圧縮されています。
page-refused-encrypted = { $name } のファイルはパスワードで保護されています。
page-refused-damaged = { $name } のファイルは壊れているか、名前と中身が異なります。
page-refused-too-many-links = { $name } は読みませんでした。1 つのメッセージで読めるリンクの数を超えています。

# The demo.
demo-about-stand-in = お使いのパソコンで動くデモです。ボットは本物ですが、Telegram と言語モデルは代役で、このモデルは引用しかできません。本物のモデルを使うには「モデルを接続」を押すか、OPENAI_API_KEY=sk-… rich-agent demo で起動してください。
demo-about-model = お使いのパソコンで動くデモです。ボットと言語モデル（{ $model }）は本物で、Telegram は代役です。
demo-about-operator = あなたはこのボットの運用者 Ada として書き込みます。運用者にできることも /help で見られます。
pages-skip = 本文へ移動
pages-elsewhere = ほかのページ
pages-sign-in = サインインしてください
pages-from-elsewhere = ほかのサイトのリンクからここに来ました。
pages-open = ページを開く
pages-not-for-you = このページを見る権限がありません。ボットの所有者に役割を頼んでください。
pages-problem = できませんでした
pages-problem-back = 戻ってください。入力した内容は残っています。
pages-gone = 見つかりません
pages-gone-how = ここには何もないか、もうありません。
pages-later = ボットは今応答できません。少し待ってからもう一度お試しください。
pages-unsent = 送信できませんでした。ボットに接続できません。もう一度お試しください。
pages-as-table = 表で見る
pages-cancel = キャンセル
pages-copy = コピー
pages-copied = コピーしました
pages-pages = 一覧のページ
pages-first = 最初へ
pages-next = 続き
pages-search = 検索

# The pages of users.
panel-save = 保存
widget-unanswered = 応答がありませんでした。もう一度お試しください。
widget-wait = 少し時間がかかっています。処理は行われます。
