# The turn
greeting = 你好！可以問我文件裡的任何問題，也可以傳張照片給我。傳送 /help 看看我能做什麼。
greeting-named = { $name }，你好！可以問我文件裡的任何問題，也可以傳張照片給我。傳送 /help 看看我能做什麼。
thanks-reply = 不客氣！
farewell-reply = 再見！隨時可以找我。
help-reply = 請問一個完整的問題，例如「你有哪些資料來源？」，或者傳張照片並說明想知道什麼。/help 列出了我能做的所有事情。
laughter-reply = 😄
nothing-said = 這則訊息裡沒有文字。請提個問題，或者傳張照片。
nothing-found = 在已登記的資料裡沒有找到。
nothing-found-files = 在你的檔案裡沒有找到。
nothing-found-answer = 在已登記的資料裡沒有找到相關內容。可以換個說法，或者問「你有哪些資料來源？」看看資料涵蓋哪些內容。
no-sources-yet = 在已登記的資料裡沒有找到：目前還沒有登記任何資料。管理者可以用 `ingest add-source` 新增。
question-shortened = 你的訊息太長，無法全部讀完，我只讀了開頭和結尾。
look-left-out = 我只在資料裡搜尋了一次，因為再搜尋一次會花太長時間。
nothing-cited-web = 沒有網頁搜尋結果能證實這一點。
unchecked = 我未能將此與來源核對。我讀過：{ $sources }
refused-rag = 已登記的資料裡沒有能回答這個問題的內容。我查看了：
refused-files = 你的檔案裡沒有能回答這個問題的內容。我查看了：
refused-web = 網頁搜尋結果沒有回答這個問題。我查看了：
refused-rag-web = 已登記的資料和網頁上都沒有能回答這個問題的內容。我查看了：
unsupported = 資料裡沒有以下內容，請自行核實：{ $claims }
contradicted = 資料裡的說法不同：{ $claims }
unjudged = 我未能將此回答與其來源核對。
unjudged-claims = 未能與來源核對：{ $claims }
uncomputed = 並非由表格的所有列計算得出，請核對：{ $claims }
catalogue-title = 已登記的文件
catalogue-counts = 共有 { $sources } 個來源、{ $documents } 篇文件。這裡列出了 { $shown } 個標題。
catalogue-sources = 來源
catalogue-source = { $name }：{ $documents } 篇文件
catalogue-source-internal = { $name }（關於本助手）：{ $documents } 篇文件
catalogue-matching = 與問題相符的文件
catalogue-others = 其他文件
your-photo = 你的照片
web-unavailable = 無法搜尋網頁。
look-failed = 我沒能更仔細地再看一遍圖片，以下內容根據第一次查看的結果。
stopped = （已停止）
early-end-length = 回答太長，到此為止。
early-end-filtered = 模型伺服器的內容過濾器中斷了這次回答。請換個說法再問。
early-end-refused = 語言模型拒絕回答這個問題。
early-end-repeated = 語言模型不停地重複自己，所以我停止了它。
early-end-deadline = 這超出了我能為一則訊息花費的時間，所以我在這裡停下了。
answer-in-file = 這個回答很長。上面是開頭部分，完整內容在下面的檔案中。
continue-button = 繼續
continue-wish = 請從中斷的地方繼續回答。
stopped-at-once = 還沒開始寫就停止了。
web-nothing-found = 網頁搜尋沒有找到相關內容。
ask-about-image =
    我看到的是：{ $seen }

    你想知道什麼？
image-topic-describe = 描述這張圖片
image-topic-text = 讀出圖片裡的文字
image-topic-table = 解釋圖片裡的表格
image-topic-search = 查一查圖片裡的東西

# Telegram
status-reading = 正在讀你的檔案…
status-looking = 正在看你的照片…
status-thinking = 正在思考…
status-searching = 正在搜尋…
status-searching-web = 正在搜尋網頁…
status-drafting = 正在撰寫…
status-busy = 語言模型正忙，最多等一分鐘…
status-held = 模型伺服器暫時不接受請求。我會在 { $at }（{ $wait }）重試並在這裡回答，你不用再問一遍。在此期間傳來的訊息，我會在那之後回答。
status-queued = 收到。前一則訊息處理完後，我就回答這一條。
status-queued-elsewhere = 收到。我還在網頁或其他程式裡回答你，之後就回答這一條。
status-crowd = 收到。現在有很多人在傳訊息給我。你大約排在第 { $place } 位。一輪到你，我就回答。
button-stop = 停止
stopping = 正在停止…
stopped-by-command = 已停止。
question-dropped = 好的，你不用回答我的問題了。
nothing-to-stop = 我現在沒有在寫任何回答。
stop-too-late = 這個回答已經寫完了。
too-many = 你一次發了很多訊息，我先回答前面的。等我處理完之後，請把這一條和之後的訊息重新傳送。
sources-heading = 來源
source-web = { $label }（網頁）
sent-again = （重新傳送：Telegram 沒有確認第一次傳送。）
start = 你好！我根據自己的文件回答問題，並註明每個回答的出處。你也可以傳照片來提問，或者告訴我你要做的事。詳情請看 /help。
start-named = { $name }，你好！我根據自己的文件回答問題，並註明每個回答的出處。你也可以傳照片來提問，或者告訴我你要做的事。詳情請看 /help。
start-examples = 點選一個話題試試：
help-heading = 我能做什麼
help =
    • 根據文件回答問題，附上編號的來源，可以點開查看。
    • 文件內容不夠，或者你問的是最新情況時，搜尋網頁。
    • 看照片、相簿或圖片檔案。你也可以回覆一張照片來提問。
    • 讀你傳來的檔案（PDF、Word、Excel、PowerPoint、CSV 等）和你給的連結所指的網頁。/files 列出它們。
    • 記住你告訴我的關於你自己的事，其他使用者看不到。
help-end = 用平常的話寫給我就可以。
help-commands = 指令
unknown-command = 沒有 { $command } 這個指令。傳送 /help 看看我能做什麼。
unknown-command-near = 沒有 { $command } 這個指令。你是想用 /{ $near } 嗎？/help 列出了所有指令。
button-outdated = 這個按鈕已經失效了。
cannot-read = 我還無法讀取這類訊息。請傳文字、照片或圖片檔案。
cannot-read-sticker =
    { $detail ->
        [blank] 我看不到貼圖上的內容。
       *[other] { $detail } 不錯！可惜我看不到貼圖上的內容。
    }請用文字告訴我，或者傳張照片。
cannot-read-dice = { $detail } 我不玩遊戲，但可以回答問題，直接寫給我就行。
cannot-read-animation = 我無法看 GIF。請傳一張靜態圖片，或者用文字提問。
cannot-read-video = 我無法看影片。請把想問的畫面截圖傳來，或者用文字提問。
cannot-read-location = 我無法看地圖。請寫下地名，以及你想知道什麼。
cannot-read-venue = 我無法在地圖上查詢地點。請寫下名稱，以及你想知道什麼。
cannot-read-contact = 我無法使用聯絡人資訊，這條也沒有儲存。請寫下你的需要。
cannot-read-poll = 我不能參與投票。請把問題寫成文字，我來回答。
cannot-read-story = 我看不到限時動態。請傳截圖，或者用文字提問。
unread-note = 以下內容我無法查看：{ $things }。
unread-animation = GIF
unread-audio = 音訊
unread-checklist = 清單
unread-contact = 聯絡人
unread-dice = 骰子
unread-game = 遊戲
unread-giveaway = 抽獎活動
unread-giveaway-winners = 抽獎活動
unread-invoice = 帳單
unread-live-photo = 原況照片
unread-long-text = 文字中前 16,000 個字元之後的部分
unread-location = 位置
unread-paid-media = 付費媒體
unread-photo = 照片
unread-poll = 投票
unread-rich-message = 帶格式的訊息
unread-sticker = 貼圖
unread-story = 限時動態
unread-venue = 地點
unread-video = 影片
unread-video-note = 影片訊息
unread-voice = 語音訊息
edit-too-late = 我只會重新回答你最近一個問題的修改。請把改過的問題作為新訊息傳送。
replaced = （已被替換）
not-allowed = 這個機器人不對外開放。如需使用，請把這個號碼傳給管理者：{ $user_id }
apology-unavailable = 抱歉，我試了好幾次都連不上語言模型。請過幾分鐘再問。
apology-download = 抱歉，我試了好幾次都沒能從 Telegram 取到你的檔案。請過幾分鐘再傳一次。
apology-credit = 管理者在模型伺服器上的帳戶餘額已用完，所以我無法回答。只有管理者能解決。稍後傳送 /retry，我就會回答這個問題。
apology-key = 模型伺服器不接受管理者的金鑰，所以我無法回答。只有管理者能解決。稍後傳送 /retry，我就會回答這個問題。
model-away = 模型伺服器在 { $at } 之前不接受請求，等待時間太長了。請在那之後傳送 /retry，我就會回答這個問題。
apology-refused = 抱歉，語言模型沒有接受這個請求。管理者可以在記錄檔裡查到原因。
apology-malformed = 抱歉，語言模型給出的回答無法使用。請再問一次，也許換個說法。
apology-spent = 抱歉，這個問題我試了不止一次，每次都卡住了。我已把它留給管理者處理。問題出在我這裡，與你的說法無關。
aside-lesson = 抱歉，我多次嘗試根據你先前的一則訊息更新記憶，都卡住了。我已把它留給管理者處理。
aside-stream = 這個回答無法照常顯示。以下是它的純文字：
apology-internal = 抱歉，我這邊出了問題，已記入記錄檔。請再試一次。
limit-tokens = 你已達到今天的限額（{ $limit } 個 token）。我會在 { $at }（{ $wait }）恢復回答。在此之前，/status、/sources、/memory 等指令仍然可用。
limit-images = 你已達到今天的限額（{ $limit } 張圖片），所以我沒有查看你傳來的全部內容。{ $at }（{ $wait }）之後可以再看圖片。
limit-searches = 你已達到今天的限額（{ $limit } 次網頁搜尋），所以我沒有搜尋網頁。{ $at }（{ $wait }）之後可以再搜尋。
limit-audio_seconds = 你已達到今天的限額（{ $limit } 秒聲音），所以我沒有聽。{ $at }（{ $wait }）之後可以再聽。在那之前請用文字寫給我。
limit-wait = { $duration }後
day-yesterday = 昨天
day-today = 今天
day-tomorrow = 明天
media-too-large = 錄音太大：我只能接收 20 MB 以內的檔案。
media-unreadable = 這段錄音無法讀取，可能已損壞。請重新傳送。
image-empty = 圖片是空的。請重新傳送。
image-too-large = 圖片太大：我只能接收 20 MB 以內的檔案。
image-too-many-pixels = 圖片的像素太多。請傳一張小一點的。
image-unreadable = 圖片無法讀取，可能已損壞。請重新傳送。
image-format = 我無法讀取這種圖片格式。請傳送 JPEG、PNG 或 WebP。
image-heif = 我無法讀取 HEIC 和 AVIF 檔案。請以照片而不是檔案的形式傳送，Telegram 會自動轉換。
image-animated = 我無法看動圖。請傳一張靜態圖片。
image-refused = 這張圖片無法使用。請換一張。

# Commands
command-start = 從這裡開始
command-help = 我能做什麼
command-new = 開始新的對話
command-stop = 停止正在寫的回答
command-retry = 重新回答上一個問題
command-sources = 我了解哪些內容
command-spaces = 我查找的空間
command-why = 上一個回答是怎麼得出的
command-status = 我正在為你做什麼
command-language = 選擇選單語言
command-privacy = 我儲存了你的哪些資訊
command-memory = 我記得關於你的哪些事
command-export = 把你的資料匯出成檔案
command-forget = 刪除關於你的一切
command-stats = 使用統計
command-approvals = 等待審核的回答
admins-only = 這個指令只有管理員能用。
database-away = 暫時連不上資料庫。請一分鐘後再試。
button-not-yours = 這個按鈕是給別人的。
never = 從未
and-more = …還有 { $count } 項
privacy-heading = 我儲存了你的哪些資訊
privacy =
    我在管理者（個人或公司）的資料庫裡儲存：
    • 你的 Telegram ID 和名字、你的訊息和我的回答
    • 我記得的關於你的事，以及你的任務、筆記和計畫
    • 任務清單的登入資訊（加密儲存，僅當你連結了清單）
    • 每張照片的指紋和描述，絕不儲存照片本身
    • 你傳來的檔案、網頁和錄音的文字，絕不儲存聲音
    • 每個回答是怎麼決定的，以及你的 👍 或 👎
    • 你每天的用量：token、圖片和搜尋

    為了回答，我會把你的訊息、對話和找到的段落傳給管理者選定的語言模型。其他使用者看不到任何內容。
new-conversation = 我們開始新的對話。之前說過的內容我不再使用，但你告訴我的關於你自己的事我還記得。
language = 選單和說明用哪種語言？我的回答會跟隨你提問的語言。
language-auto = 自動
language-chosen =
    { $chosen ->
        [auto] 選單和通知會跟隨你的 Telegram 應用程式和你的訊息所用的語言。
       *[other] 從現在起，選單和通知使用繁體中文。我的回答仍然跟隨你提問的語言。
    }
language-not-spoken = 我還不會這種語言。請從下面選一種，或傳送 /language 加上語言名稱。
status-sound = 今天聽和唸的聲音（秒）：{ $seconds }。
sources-none = 我還沒有文件。管理者可以用 `ingest add-source` 新增。
spaces = 我的資料中，以下空間對你開放。我會在帶 ✓ 的空間裡查找；其他空間只有你提到時才查找。點一下即可更改。
spaces-none = 我為你查找的資料，對所有可以使用我的人都開放。
sources-known = 我有 { $sources } 個來源、{ $documents } 篇文件（{ $passages } 個段落）：
sources-line = • { $name }：{ $documents } 篇文件，{ $passages } 個段落，上次同步：{ $synced }
sources-line-internal = • { $name }（關於我）：{ $documents } 篇文件，{ $passages } 個段落，上次同步：{ $synced }
passage-gone = 這個段落已經不在我的文件裡了。
passage-read = 閱讀段落
why-button = 為什麼？
why-nothing = 我還沒有回答過問題。請先問我點什麼。
why-no-answer = 我沒有這則訊息的來歷記錄。請用 /why 回覆我的某個回答。
why-heading = 這個回答是怎麼得出的
why-done-direct = 我直接回答了，沒有查詢資料。
why-done-rag =
    { $read ->
        [0] 我搜尋了文件，沒有找到相關內容。
       *[other] 我搜尋了文件：讀了 { $read } 個段落，引用了 { $cited } 個。
    }
why-done-web =
    { $read ->
        [0] 我搜尋了網頁，沒有找到相關內容。
       *[other] 我搜尋了網頁：讀了 { $read } 條結果，引用了 { $cited } 條。
    }
why-done-rag-web =
    { $read ->
        [0] 我先搜尋了文件，再搜尋了網頁，都沒有找到相關內容。
       *[other] 我先搜尋了文件，再搜尋了網頁：讀了 { $read } 個段落，引用了 { $cited } 個。
    }
why-web-failed =
    { $read ->
        [0] 我沒能搜尋網頁。
       *[other] 我沒能搜尋網頁；在文件裡讀了 { $read } 個段落，引用了 { $cited } 個。
    }
why-reason = 原因：{ $reason }
looked-for = 查詢內容：「{ $query }」
why-further-queries = 接著查詢：「{ $query }」
why-photo = 照片：我看過了
why-photo-asked = 照片：我帶著你的問題又看了一遍
why-memory = 記憶：關於你的 { $count } 件事（見 /memory）
why-recalled = • { $text }
why-summary = 記憶：之前對話的摘要
why-past = 來自我們之前的對話：
why-past-turn = • { $date }：「{ $text }」
why-read-document =
    文件：{ $read ->
        [0] 沒有找到
       *[other] 讀了 { $read } 個段落
    }
why-read-web =
    網頁：{ $read ->
        [0] 沒有找到
       *[other] 讀了 { $read } 條結果
    }
why-doubted = 檢查：{ $count } 句話看起來可疑
why-planned = 訊息本身要求的操作：{ $count } 項
why-repaired = 檢查：第一稿沒有引用來源，或者有一句話沒有出處，所以我讓模型重寫了
why-permitted = 因你一律允許而未詢問的呼叫（/tools）：{ $count }
why-unsupported = 檢查：{ $count } 句話沒有出處，回答裡已註明
why-contradicted = 檢查：{ $count } 句話與資料不符，回答裡已註明
why-judged = 檢查：已與來源核對的句子：{ $count }
why-unjudged = 檢查：未能核對的句子（回答中已說明）：{ $count }
why-unsampled = 檢查：因只抽查部分回答而未核對的句子：{ $count }
why-second_look_failed = 問題：規劃模型沒能檢查這個回答
why-check-left-out = 沒有由模型檢查，因為會花太長時間
why-refused = 檢查：我讀到的內容都不支援模型寫的話，所以沒有顯示
why-planner_failed = 問題：規劃模型沒有給出計畫，所以只搜尋了已登記的文件
why-further_search_failed = 問題：規劃模型沒能說出還缺什麼
why-look-left-out = 沒有進一步搜尋，因為會花太長時間
why-embedding_failed = 問題：只能按字詞搜尋，不能按含義搜尋
why-rerank_failed = 問題：對找到的段落重新排序失敗或耗時過長，因此保留了搜尋時的順序
why-passage = • { $label }（{ $score }）
why-passage-cited = • { $label }（{ $score }，已引用）
why-models = 模型：{ $models }
why-calls = 模型呼叫：{ $calls } 次，其中第一個字出現前依序進行：{ $before } 次。讀取的 token：{ $read }，其中伺服器重複利用：{ $cached }
why-times =
    { $steps ->
        [blank] 用時：{ $total } 秒
       *[other] 用時：{ $total } 秒（{ $steps }）
    }
why-reference = 供管理者查詢的編號：{ $request_id }
step-N1_ingest_input = 讀取 { $seconds }
step-N2_load_long_term_memory = 回憶 { $seconds }
step-N13_read_files = 讀檔案 { $seconds }
step-N3_vision_summarize = 看圖 { $seconds }
step-N4_build_effective_query = 規劃 { $seconds }
step-N5_retrieve = 搜尋文件 { $seconds }
step-N14_search_further = 繼續搜尋 { $seconds }
step-N8_web_search = 搜尋網頁 { $seconds }
step-N6_synthesize = 撰寫 { $seconds }
step-N7_persist = 儲存 { $seconds }
step-N9_ask_back = 反問 { $seconds }
step-N10_take_answer = 讀取你的回覆 { $seconds }
step-N11_request_approval = 請求審核 { $seconds }
rated = 謝謝你的回饋。
rated-down = 謝謝。管理者現在可以閱讀這個問題和回答。
rating-withdrawn = 已撤回你的回饋。
status-answering =
    我正在為你寫回答。{ $waiting ->
        [0] 沒有其他訊息在等待。
       *[other] 還有 { $waiting } 則訊息在等待。
    }
status-waiting =
    { $waiting ->
        [0] 你的訊息都已回答。
       *[other] 你有 { $waiting } 則訊息在等待回答。
    }
status-use = 今天的用量：token { $tokens }，圖片 { $images }，網頁搜尋 { $searches }，外接工具呼叫 { $tool_calls }。新的一天從 { $at }（{ $wait }）開始。
use-free = { $used }
use-limited = { $used }/{ $limit }
status-documents = 文件：{ $documents } 篇，{ $passages } 個段落；上次同步：{ $synced }
status-documents-away = 文件：暫時連不上文件資料庫。
status-out-of-reach = ⚠️ 無法連線（{ $duration }）：{ $problem }
status-models = 模型：{ $chat } 負責寫作，{ $vision } 負責看圖
status-version = rich-agent { $version }
memory-empty = 我還不記得關於你的任何事。跟我說說你自己，我就會記住。
memory-known = 我記得關於你的 { $count } 件事。按編號可以讓我忘掉那一件。
memory-facts = 事實
memory-preferences = 偏好
memory-tasks = 任務
memory-past = 過去
memory-planned = 計畫中
memory-item = { $text }（{ $told }）
memory-item-due = { $text } – { $due } 到期（{ $told }）
memory-deleted = 已忘記。你告訴我這件事的訊息還留在對話裡。寫「忘記⋯⋯」就能一併刪除。
forgetting-told = 要我忘掉這些嗎？
forgetting-everything = 要我忘掉你告訴我的和我們說過的一切嗎？也就是我記得的 { $memory } 件事，以及 { $messages } 則訊息和它們的回答。
forgetting-named = 下面這些只是提到了它。除非你選擇一併忘掉，否則會保留：
forgetting-only-named = 沒有找到明確關於它的內容。要我忘掉下面這些只是提到它的內容嗎？
forgetting-of-memory = 我記得的：
forgetting-of-thing = 你的任務、筆記和計畫：
forgetting-of-file = 你的檔案：
forgetting-of-message = 你的訊息和我的回答：
forgetting-of-summary = 在之前對話的摘要裡：
forgetting-more = …還有 { $count } 項。
forgetting-final = 此操作無法復原。請按按鈕。
forgetting-yes = 忘掉
forgetting-yes-all = 全部忘掉
forgetting-no = 全部保留
forgetting-done = 已忘記：{ $memory } 件記得的事，以及 { $messages } 則訊息和它們的回答。它們已從我的記憶、我們的對話、對話摘要、存檔以及 /export 顯示的記錄裡刪除。你在這個聊天裡看到的內容，要在 Telegram 裡刪除才會消失。
forgetting-left = 按你的選擇，保留了 { $count } 項只是提到它的內容。
forgetting-done-everything = 你的設定、回饋和用量記錄仍然保留；/forget 會一併刪除。
forgetting-nothing = 無論在我的記憶裡還是在對話裡，都沒有找到相關內容，所以沒有刪除任何東西。/memory 顯示我記得的關於你的事。
forgetting-failed = 模型出錯，我沒能弄清你想讓我忘掉什麼。沒有刪除任何東西。請稍後再試，或者使用 /memory 和 /forget。
forgetting-kept = 沒有刪除任何東西。
forgetting-wish = （要求忘記某件事，原話不予保留。）
planner-failed-note = 我的規劃模型出錯了。如果你是要我做某件事或忘記某件事，目前什麼都沒有做，也沒有刪除任何東西：請再說一次，或者使用 /memory 和 /forget。
planner-failed-still = 什麼都沒有做，也沒有刪除任何東西。
exported =
    這是我儲存的關於你的全部內容：{ $messages } 則訊息、{ $decisions } 條決策記錄{ $images ->
        [0] {""}
       *[other] 、{ $images } 條圖片描述
    }、我記得的事，以及你的任務、筆記和計畫。檔案格式是 JSON。
forget-confirm =
    要我刪除關於你的一切嗎？包括我們的對話、我記得的關於你的事、你的任務、筆記和計畫、每個回答的決策記錄、你的回饋、照片的描述、檔案和錄音的文字，以及你的設定。

    此操作無法復原。這個聊天裡的訊息會保留，直到你在 Telegram 裡刪除。如果想留一份資料，請先傳送 /export。
forget-yes = 是，全部刪除
forget-no = 不，保留
forget-wish = 忘記我說過的關於{ $what }的內容
command-alone = 我什麼也沒做：{ $command } 後面不帶文字。如果你確實要執行，請單獨傳送它。
secret-delete-yourself = 我沒能刪除你的訊息。裡面有你的密碼，請自行刪除。
forget-kept = 沒有刪除任何東西。
forgotten = 我儲存的關於你的一切都已刪除。如果你再寫訊息，我們就從頭開始。
confirmation-over = 這個問題已經過期。請重新傳送指令。
nothing-to-retry = 沒有可以重新回答的問題。請先問我點什麼。
stats-heading = 統計
stats-users = 使用者：{ $known }；最近一天 { $day }，7 天內 { $week }；{ $blocking } 人封鎖了我
stats-turns = 回答：最近一天 { $day }，7 天內 { $week }
stats-plans = 計畫（7 天）：{ $plans }
stats-plan-direct = 直接 { $count }
stats-plan-rag = 文件 { $count }
stats-plan-web = 網頁 { $count }
stats-plan-rag-web = 文件和網頁 { $count }
stats-times = 回答用時（7 天）：p50 { $p50 } 秒，p95 { $p95 } 秒
stats-failures = 故障：7 天內 { $broken } 個回答中斷，{ $undelivered } 則訊息未送達，{ $dead } 個更新被放棄
stats-feedback = 回饋：👍 { $up }，👎 { $down }
stats-use-day = 今天的用量（UTC）：token { $tokens }，圖片 { $images }，網頁搜尋 { $searches }；{ $cost }
stats-use-week = 7 天的用量：token { $tokens }，圖片 { $images }，網頁搜尋 { $searches }；{ $cost }
stats-cached = 讀取的 token 中，伺服器以前已讀過的占：{ $share } %
stats-cost = 費用 { $cost }
stats-cost-partly = 費用 { $cost }，不含 { $models }（未設價格）
stats-cost-unknown = 未設價格（MODEL_PRICES）
stats-price-table = MODEL_PRICES 未設的價格取自：{ $table }
stats-top-users = token 最多的使用者（7 天）：{ $users }
stats-inbox = 等待處理的更新：{ $pending }
stats-approvals = 等待審核：{ $count }（/approvals）

# Approval
approval-waiting = 這類回答要先由人審閱才會傳給你。你的回答正在審閱中，核准後我會馬上傳送。在此期間你可以繼續寫。
approval-review =
    回答 { $number } 等待你的審核。
    來自：{ $user }
    類型：{ $intent }
    問題：{ $question }

    草稿在下面。回覆它並寫上修改後的文字，或使用下面的按鈕。
button-approve = 核准
button-correct = 修改
button-reject = 拒絕
approval-correction = 回答 { $number }：請回覆這則訊息，寫上修改後的文字。使用者會原樣看到。
approval-reason = 回答 { $number }：請回覆這則訊息，寫上拒絕的理由。使用者會看到。
approval-words-missing = 我需要文字內容。請再回覆一次同一則訊息。
approval-is-approved =
    { $by ->
        [you] ✓ 已由你核准。
       *[other] ✓ 已由 { $admin } 核准。
    }
approval-is-corrected =
    { $by ->
        [you] ✎ 已按你的文字傳送。
       *[other] ✎ 已按 { $admin } 的文字傳送。
    }
approval-is-rejected =
    { $by ->
        [you] ✗ 已由你拒絕。
       *[other] ✗ 已由 { $admin } 拒絕。
    }
approval-is-expired = 沒有及時作出決定。我已告知使用者。
approval-is-withdrawn = 使用者修改了問題，不再需要這份草稿。
approval-approved = 這個回答已審閱並核准。
approval-corrected = 這個回答已審閱並修改。
approval-rejected = 抱歉，我不能回答這個問題。理由：{ $reason }
approval-expired = 抱歉，我的回答沒有及時得到審閱。請稍後再問。
approvals-known =
    { $count ->
        [0] 沒有等待審核的回答。
       *[other] { $count } 個回答等待審核：
    }
approvals-line = • { $number }，自 { $since }，來自 { $user }：{ $question }

# Why a turn is answered as it is
reason-as_planned = 按計畫
reason-greeting = 問候
reason-farewell = 道別
reason-thanks = 道謝
reason-help = 尋求幫助
reason-laughter = 笑聲
reason-reaction = 表情
reason-silence = 訊息裡沒有可查的文字
reason-number = 數字或算式
reason-known_word = 已登記文件裡出現過的詞
reason-forget_wish = 要求忘記某件事
reason-stopped = 在規劃之前你就停止了
reason-no_web = 沒有設定網頁搜尋
reason-no_plan = 規劃模型沒有給出計畫，所以只搜尋了已登記的文件，沒有搜尋網頁
reason-file_read = 訊息是關於你傳來的檔案
reason-file_refused = 你傳來的檔案都無法讀取
reason-about_bot = 關於我的問題用我自己的文件回答
reason-about_now = 回答取決於目前情況，所以搜尋了網頁
reason-documents_first = 已登記的文件優先於網頁
reason-documents_may_say = 已登記的文件裡可能有答案
reason-documents_wanted = 你問的是文件裡怎麼說
reason-web_ruled_out = 訊息可能涉及隱私，所以沒有搜尋網頁
reason-say_little = 已登記的文件裡相關內容很少，所以也搜尋了網頁
reason-say_little_on = 已登記的文件裡關於「{ $subject }」的內容很少，所以也搜尋了網頁

# Alerts for admins
alert-credit = ⚠️ 模型伺服器的帳戶餘額已用完（{ $service }），我無法回答任何人。{ $hint } 然後執行 `rich-agent inbox replay --all`，讓錯過的問題得到回答。這條提醒每小時最多發一次。
alert-key = ⚠️ 模型伺服器不接受金鑰（{ $service }），我無法回答任何人。{ $hint } 然後執行 `rich-agent inbox replay --all`，讓錯過的問題得到回答。這條提醒每小時最多發一次。
alert-away = ⚠️ 模型伺服器（{ $service }）在 { $at } 之前不接受請求。使用者會收到提示，請他們之後再問。要避免這種情況，請提高限額或換一個伺服器。這條提醒每小時最多發一次。
alert-lesson = ⚠️ 我嘗試了好幾天，仍無法根據一則訊息更新某位使用者的記憶，只好放棄。記錄檔裡有原因。這條提醒每小時最多發一次。
alert-refused = ⚠️ 模型伺服器拒絕了我的一個請求：{ $problem } { $hint } 我會在沒有它的情況下盡力繼續。此訊息每小時最多傳送一次。

# Tools: what each is for, and what is happening while it runs.
status-acting = 正在使用「{ $tool }」…
tool-list_files = 你的檔案
tool-undo_last_change = 復原上一次變更
tool-search_documents = 文件
tool-search_web = 網頁搜尋
tool-request_more_information = 向你提問
doing-list_files = 正在查看你的檔案…
doing-undo_last_change = 正在復原上一次變更…
doing-search_documents = 正在搜尋文件…
doing-search_web = 正在搜尋網頁…
approve-calls = 我打算這樣做，可以嗎？
approve-not-planned = 你的訊息本身並沒有要求這樣做，請仔細確認。
approve-yes = 核准
approve-no = 取消
approve-words-yes = 是|是的|好|好的|可以|行
approve-words-no = 不|不用|不要|取消
card-labelled = { $label }：{ $text }
card-not-done = 未執行。
approve-adjust = 調整
approve-how-to-adjust = 請寫下要改什麼，我會重新提出建議。
approve-always = 此項一律核准
approve-always-same = 「{ $always }」會核准，之後同樣的呼叫不再詢問。可用 /tools 撤回。
approve-always-alike = 「{ $always }」會核准，之後 { $fixed } 相同的呼叫不再詢問，不論其餘內容是什麼。可用 /tools 撤回。
web-approve-in-words = 請回覆「{ $yes }」或「{ $no }」，或者寫下要改什麼。
card-characters-left-out = 其餘字元數：{ $count }
card-arguments-left-out = 其餘參數數：{ $count }
card-in-file = 這裡放不下全部內容。完整文字在檔案「approval.txt」中，請先閱讀再決定。
card-copied-from = 複製自：{ $sources }
copied-user = 你的訊息
copied-memory = 我為你保存的內容
copied-assistant = 先前的回答
copied-operator = 機器人的營運者
copied-document = 文件
copied-page = 網頁
copied-file = 檔案
copied-server = 其他程式
copied-other = 其他人
card-takes-back = 將復原
argument-duration = 時長
argument-yes = 是
argument-no = 否
argument-none = 無
approve-cancelled = 已取消，沒有做任何更改。
acting-limit-calls = 一則訊息最多執行 10 個操作，已達上限。如果還有沒做完的，請寫「繼續」。
acting-limit-errors = 連續失敗了三次，所以我停下了。沒有再做任何更改。
undo-button = 復原
undo-done = 已復原：
undo-too-late = 已經無法復原了。
step-N12_act = 執行 { $seconds }

reason-in_group = 在群裡我只根據已登記的文件回答
reason-link_ignored = 你希望不讀這個連結
reason-link_kept = 你希望記住這個網頁
reason-link_read = 讀了你給的連結所指的網頁
reason-in_session = 這則訊息屬於一次引導對話
reason-session_left = 你想結束這次引導對話

timeline-left-out = 還有 { $count } 項
command-timezone = 選擇時區
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [1] 每小時
           *[other] 每 { $count } 小時
        }
        [daily] { $count ->
            [1] 每天
           *[other] 每 { $count } 天
        }
        [weekly] { $count ->
            [1] 每週
           *[other] 每 { $count } 週
        }
        [monthly] { $count ->
            [1] 每月
           *[other] 每 { $count } 個月
        }
       *[yearly] { $count ->
            [1] 每年
           *[other] 每 { $count } 年
        }
    }
time-zone-none = 我還不知道你的時區。請在這裡選擇，或傳送 /timezone 加上名稱，例如 Asia/Taipei。
time-zone = 你的時區是 { $zone }，那裡現在是 { $now }。要更改，請傳送 /timezone 加上另一個名稱。
time-zone-chosen = 你的時區是 { $zone }，那裡現在是 { $now }。重複的提醒會按它計算。
time-zone-near = 我不認識時區 { $name }。你是指下面的某一個嗎？
time-zone-which = { $name } 有多個時區，你在哪一個？
time-zone-unknown = 我不認識時區 { $name }。名稱由地區和城市組成，例如 Asia/Taipei。

# The page of a passage.
passage-place = { $source } · 第 { $position } 段，共 { $count } 段
passage-before = ← 上一段
passage-after = 下一段 →

# The page of a browser while the bot starts.
bot-starting = 機器人正在啟動…

# Calls that a user permitted for good (/tools).
command-tools = 查看哪些操作不必詢問
tools-none = 你還沒有長期允許任何呼叫。在安全的情況下，呼叫前的詢問會提供「此項一律核准」。
tools-about = 以下呼叫不會詢問你。✕ 撤回許可，傳送 /tools 加編號也可以。
tools-given-on = { $day } 允許
tools-used = 呼叫 { $count } 次
tools-any = 任意
tools-changed = 工具此後有變動，所以這樣的呼叫會再次詢問。
tools-take-all-back = 全部撤回
tools-taken-back = 已撤回。這樣的呼叫會再次詢問你。

# Outside Telegram.
only-in-telegram = 完整功能僅在 Telegram 中可用：請在那裡傳送 { $command }。

run-not-latest = 只能重新回答對話中最新的問題。

# What is asked in groups.
guest-user-limit = 你今天在群裡的提問次數已用完。請在私聊裡問我。
guest-group-limit = 這個群最近一小時問得太多了。請稍後再試，或在私聊裡問我。
guest-withheld = 這個問題我不能在群裡回答。請在私聊裡問我。
guest-answer-cut = 這是一個較長回答的開頭。要看全部內容，請在私聊裡問我。
guest-answered-privately = 我已在私聊裡回答你。

## Files
file-page = 第 { $number } 頁
file-sheet-named = 工作表「{ $heading }」
file-sheet-numbered = 第 { $number } 個工作表
file-slide-named = 第 { $number } 張投影片：{ $heading }
file-slide-numbered = 第 { $number } 張投影片
ask-about-files =
    { $count ->
       *[other] 我讀了 { $names }。你想知道什麼？
    }
file-topic-summary = 寫個摘要
file-topic-points = 列出要點
file-read-whole = 我讀完了 { $name } 的全部內容。
file-macros = { $name } 裡的巨集沒有執行。
file-read-in-parts = 我讀完了 { $name } 的全部內容，分 { $parts } 部分。
file-read-partly = { $name } 很長：共 { $units } 部分，我讀了 { $read } 部分。可以問其餘部分，或只問某一部分。
file-searched = { $name } 很長：我按你的問題在裡面搜尋，沒有全部讀完。
file-parts-unread = { $name } 裡有我讀不了的內容：{ $parts }。
file-part-attachment = { $count } 個附件
file-part-chart = { $count } 個圖表
file-part-diagram = { $count } 個示意圖
file-part-drawing = { $count } 個圖形
file-part-equation = { $count } 個數學公式
file-part-field = { $count } 個表單欄位
file-part-file = { $count } 個檔案
file-part-formula = { $count } 個沒有儲存結果的公式
file-part-letter = { $count } 個字元
file-part-object = { $count } 個嵌入物件
file-part-page = { $count } 個沒有文字的頁面
file-part-picture = { $count } 張圖片
file-part-remark = { $count } 則註解
file-part-row = { $count } 列
file-part-sheet = { $count } 個工作表
file-part-slide = { $count } 張沒有文字的投影片
file-refused-too-large = 「{ $name }」超過 20 MB，Telegram 不讓我下載。請發小一點的檔案，或者拆分。
file-refused-too-long = 「{ $name }」太長，無法讀取。請把重要的部分單獨作為檔案傳來。
file-refused-unsupported = 我無法讀取「{ $name }」。我能讀 PDF、Word、Excel、PowerPoint、OpenDocument、EPUB、RTF、HTML、Markdown、CSV、EML、MSG、MHTML、ZIP 和純文字。請另存為其中一種再發。
file-refused-old-office = 「{ $name }」是舊版 Office 格式。請另存為 DOCX、XLSX、PPTX 或 PDF 再發。
file-refused-archive = 「{ $name }」的壓縮格式我打不開。請以 ZIP 傳送，或傳送其中的檔案。
file-refused-encrypted = 「{ $name }」有密碼保護。請去掉密碼後另存，再傳一次。
file-refused-empty = 我在「{ $name }」裡沒有找到文字。如果裡面有內容，請以 PDF 或照片的形式傳來。
file-refused-damaged = 「{ $name }」已損壞，或與檔名所示的類型不符。請開啟它，重新儲存後再發。
file-refused-gone = 我沒能取到「{ $name }」：它已經不可用了。請重新傳送。
file-keep-button = 記住
file-only-here-button = 僅限這裡
file-kept =
    { $count ->
        [1] 我會記住這個檔案。/files 可以看到。
       *[other] 我會記住這些檔案。/files 可以看到。
    }
file-not-kept =
    { $count ->
        [1] 這個檔案會隨這次對話一起忘掉（/new）。
       *[other] 這些檔案會隨這次對話一起忘掉（/new）。
    }
file-forgotten = 已忘記。
files-none = 你這裡沒有檔案。發一個給我吧：PDF、Word、Excel、PowerPoint、OpenDocument、EPUB、CSV 或文字。
files-title = 你的 { $count } 個檔案：
files-line = { $number }. { $name }，{ $sent }
files-line-kept = { $number }. { $name }，{ $sent }，已記住
files-line-unread = 未讀出：{ $parts }。
files-hint = 📌 讓檔案在對話結束後仍被記住，或不再記住。🗑 忘掉檔案。
command-files = 你的檔案：查看、記住、忘記

# Links.
ask-about-links =
    { $count ->
        [1] 要怎麼處理這個連結？{ $links }
       *[other] 要怎麼處理這些連結？{ $links }
    }
link-wish-summary = 摘要
link-wish-keep = 記住
link-wish-ignore = 忽略
link-ignored = 好的，我不讀它。
link-kept =
    { $count ->
        [1] 我讀了「{ $names }」並會記住。隨時可以問我；/files 可以看到它。
       *[other] 我讀了這些並會記住：{ $names }。隨時可以問我；/files 可以看到它們。
    }
page-refused-private = 我不讀 { $name }：它通向內部網路。
page-refused-robots = 我不能讀 { $name }：該網站不允許程式訪問。請把它的文字傳給我，或以檔案形式傳送網頁。
page-refused-closed = { $name } 只對登入使用者開放。請把它的文字傳給我，或以檔案形式傳送網頁。
page-refused-gone = { $name } 沒有網頁。網址完整嗎？
page-refused-too-large = 網頁 { $name } 對我來說太大了。請把重要的部分傳給我。
page-refused-too-long = 網頁 { $name } 對我來說太長了。請把重要的部分傳給我。
page-refused-slow = { $name } 響應太慢。請稍後再試。
page-refused-away = 我沒能取到 { $name }：該網站有問題或無法訪問。請稍後再試。
page-refused-empty = 我在 { $name } 沒有找到文字。也許網頁只對真人或登入後顯示。請把它的文字傳給我。
page-refused-made-by-scripts = 我在 { $name } 看不到文字：網頁要在瀏覽器裡才會顯示內容。請把它的文字傳給我，或在瀏覽器裡儲存網頁後傳送檔案。
page-refused-consent = 我在 { $name } 只看到一個帶按鈕的詢問，例如徵求同意，看不到後面的網頁。請把它的文字傳給我，或以檔案形式傳送網頁。
page-refused-unsupported = { $name } 不是我能讀的網頁或文件。
page-refused-old-office = { $name } 的檔案是舊版 Office 格式，我無法讀取。
page-refused-archive = { $name } 處的檔案，其壓縮格式我打不開。
page-refused-encrypted = { $name } 的檔案有密碼保護。
page-refused-damaged = { $name } 的檔案已損壞，或與名稱所示的類型不符。
page-refused-too-many-links = 我沒有讀 { $name }：連結數超過了一則訊息裡我能讀的數量。

# The demo.
demo-about-stand-in = 這是在你電腦上執行的示範。機器人是真的；Telegram 和語言模型是模擬的，這個模型只會引用原文。要用真正的模型：點「連接模型」，或執行 OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = 這是在你電腦上執行的示範。機器人和它的語言模型（{ $model }）是真的；Telegram 是模擬的。
demo-about-operator = 你現在以 Ada 的身分發言，她是這個機器人的管理者：/help 也會列出管理者能做的事。
pages-skip = 跳到內容
pages-elsewhere = 其他頁面
pages-sign-in = 請登入
pages-from-elsewhere = 另一個網站的連結把您帶到了這裡。
pages-open = 開啟頁面
pages-not-for-you = 您無權檢視此頁面。請向機器人的擁有者申請角色。
pages-problem = 未能完成
pages-problem-back = 請返回；您輸入的內容仍在。
pages-gone = 找不到
pages-gone-how = 這裡沒有內容，或者已經沒有了。
pages-later = 機器人目前無法回應。請稍後再試。
pages-unsent = 什麼也沒有送出：無法連線到機器人。請再試一次。
pages-as-table = 以表格顯示
pages-cancel = 取消
pages-copy = 複製
pages-copied = 已複製
pages-pages = 清單的頁
pages-first = 回到開頭
pages-next = 更多
pages-search = 搜尋

# The pages of users.
panel-save = 儲存
widget-unanswered = 沒有收到回應，請再試一次。
widget-wait = 這需要稍久一點，會完成的。
