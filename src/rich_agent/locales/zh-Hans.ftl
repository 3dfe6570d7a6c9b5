# The turn
greeting = 你好！可以问我文档里的任何问题，也可以发张照片给我。发送 /help 看看我能做什么。
greeting-named = { $name }，你好！可以问我文档里的任何问题，也可以发张照片给我。发送 /help 看看我能做什么。
thanks-reply = 不客气！
farewell-reply = 再见！随时可以找我。
help-reply = 请问一个完整的问题，例如“你有哪些资料来源？”，或者发张照片并说明想知道什么。/help 列出了我能做的所有事情。
laughter-reply = 😄
nothing-said = 这条消息里没有文字。请提个问题，或者发张照片。
nothing-found = 在已登记的资料里没有找到。
nothing-found-files = 在你的文件里没有找到。
nothing-found-answer = 在已登记的资料里没有找到相关内容。可以换个说法，或者问“你有哪些资料来源？”看看资料涵盖哪些内容。
no-sources-yet = 在已登记的资料里没有找到：目前还没有登记任何资料。运营者可以用 `ingest add-source` 添加。
question-shortened = 你的消息太长，无法全部读完，我只读了开头和结尾。
look-left-out = 我只在资料里搜索了一次，因为再搜索一次会花太长时间。
nothing-cited-web = 没有网页搜索结果能证实这一点。
unchecked = 我未能将此与来源核对。我读过：{ $sources }
refused-rag = 已登记的资料里没有能回答这个问题的内容。我查看了：
refused-files = 你的文件里没有能回答这个问题的内容。我查看了：
refused-web = 网页搜索结果没有回答这个问题。我查看了：
refused-rag-web = 已登记的资料和网页上都没有能回答这个问题的内容。我查看了：
unsupported = 资料里没有以下内容，请自行核实：{ $claims }
contradicted = 资料里的说法不同：{ $claims }
unjudged = 我未能将此回答与其来源核对。
unjudged-claims = 未能与来源核对：{ $claims }
uncomputed = 并非由表格的所有行计算得出，请核对：{ $claims }
catalogue-title = 已登记的文档
catalogue-counts = 共有 { $sources } 个来源、{ $documents } 篇文档。这里列出了 { $shown } 个标题。
catalogue-sources = 来源
catalogue-source = { $name }：{ $documents } 篇文档
catalogue-source-internal = { $name }（关于本助手）：{ $documents } 篇文档
catalogue-matching = 与问题相符的文档
catalogue-others = 其他文档
your-photo = 你的照片
web-unavailable = 无法搜索网页。
look-failed = 我没能更仔细地再看一遍图片，以下内容基于第一次查看的结果。
stopped = （已停止）
early-end-length = 回答太长，到此为止。
early-end-filtered = 模型服务器的内容过滤器中断了这次回答。请换个说法再问。
early-end-refused = 语言模型拒绝回答这个问题。
early-end-repeated = 语言模型不停地重复自己，所以我停止了它。
early-end-deadline = 这超出了我能为一条消息花费的时间，所以我在这里停下了。
answer-in-file = 这个回答很长。上面是开头部分，完整内容在下面的文件中。
continue-button = 继续
continue-wish = 请从中断的地方继续回答。
stopped-at-once = 还没开始写就停止了。
web-nothing-found = 网页搜索没有找到相关内容。
ask-about-image =
    我看到的是：{ $seen }

    你想知道什么？
image-topic-describe = 描述这张图片
image-topic-text = 读出图片里的文字
image-topic-table = 解释图片里的表格
image-topic-search = 查一查图片里的东西

# Telegram
status-reading = 正在读你的文件…
status-looking = 正在看你的照片…
status-thinking = 正在思考…
status-searching = 正在搜索…
status-searching-web = 正在搜索网页…
status-drafting = 正在撰写…
status-busy = 语言模型正忙，最多等一分钟…
status-held = 模型服务器暂时不接受请求。我会在 { $at }（{ $wait }）重试并在这里回答，你不用再问一遍。在此期间发来的消息，我会在那之后回答。
status-queued = 收到。前一条消息处理完后，我就回答这一条。
status-queued-elsewhere = 收到。我还在网页或其他程序里回答你，之后就回答这一条。
status-crowd = 收到。现在有很多人在给我发消息。你大约排在第 { $place } 位。一轮到你，我就回答。
button-stop = 停止
stopping = 正在停止…
stopped-by-command = 已停止。
question-dropped = 好的，你不用回答我的问题了。
nothing-to-stop = 我现在没有在写任何回答。
stop-too-late = 这个回答已经写完了。
too-many = 你一次发了很多消息，我先回答前面的。等我处理完之后，请把这一条和之后的消息重新发送。
sources-heading = 来源
source-web = { $label }（网页）
sent-again = （重新发送：Telegram 没有确认第一次发送。）
start = 你好！我根据自己的文档回答问题，并注明每个回答的出处。你也可以发照片来提问，或者告诉我你要做的事。详情请看 /help。
start-named = { $name }，你好！我根据自己的文档回答问题，并注明每个回答的出处。你也可以发照片来提问，或者告诉我你要做的事。详情请看 /help。
start-examples = 点一个话题试试：
help-heading = 我能做什么
help =
    • 根据文档回答问题，附上编号的来源，可以点开查看。
    • 文档内容不够，或者你问的是最新情况时，搜索网页。
    • 看照片、相册或图片文件。你也可以回复一张照片来提问。
    • 读你发来的文件（PDF、Word、Excel、PowerPoint、CSV 等）和你给的链接所指的网页。/files 列出它们。
    • 记住你告诉我的关于你自己的事，其他用户看不到。
help-end = 用平常的话写给我就可以。
help-commands = 命令
unknown-command = 没有 { $command } 这个命令。发送 /help 看看我能做什么。
unknown-command-near = 没有 { $command } 这个命令。你是想用 /{ $near } 吗？/help 列出了所有命令。
button-outdated = 这个按钮已经失效了。
cannot-read = 我还读不了这类消息。请发文字、照片或图片文件。
cannot-read-sticker =
    { $detail ->
        [blank] 我看不到贴纸上的内容。
       *[other] { $detail } 不错！可惜我看不到贴纸上的内容。
    }请用文字告诉我，或者发张照片。
cannot-read-dice = { $detail } 我不玩游戏，但可以回答问题，直接写给我就行。
cannot-read-animation = 我看不了 GIF。请发一张静态图片，或者用文字提问。
cannot-read-video = 我看不了视频。请把想问的画面截图发来，或者用文字提问。
cannot-read-location = 我看不了地图。请写下地名，以及你想知道什么。
cannot-read-venue = 我无法在地图上查找地点。请写下名称，以及你想知道什么。
cannot-read-contact = 我用不了联系人信息，这条也没有保存。请写下你的需要。
cannot-read-poll = 我不能参与投票。请把问题写成文字，我来回答。
cannot-read-story = 我看不到动态。请发截图，或者用文字提问。
unread-note = 以下内容我无法查看：{ $things }。
unread-animation = GIF
unread-audio = 音频
unread-checklist = 清单
unread-contact = 联系人
unread-dice = 骰子
unread-game = 游戏
unread-giveaway = 抽奖活动
unread-giveaway-winners = 抽奖活动
unread-invoice = 账单
unread-live-photo = 实况照片
unread-long-text = 文字中前 16,000 个字符之后的部分
unread-location = 位置
unread-paid-media = 付费媒体
unread-photo = 照片
unread-poll = 投票
unread-rich-message = 带格式的消息
unread-sticker = 贴纸
unread-story = 动态
unread-venue = 地点
unread-video = 视频
unread-video-note = 视频消息
unread-voice = 语音消息
edit-too-late = 我只会重新回答你最近一个问题的修改。请把改过的问题作为新消息发送。
replaced = （已被替换）
not-allowed = 这个机器人不对外开放。如需使用，请把这个号码发给运营者：{ $user_id }
apology-unavailable = 抱歉，我试了好几次都连不上语言模型。请过几分钟再问。
apology-download = 抱歉，我试了好几次都没能从 Telegram 取到你的文件。请过几分钟再发一次。
apology-credit = 运营者在模型服务器上的账户余额已用完，所以我无法回答。只有运营者能解决。稍后发送 /retry，我就会回答这个问题。
apology-key = 模型服务器不接受运营者的密钥，所以我无法回答。只有运营者能解决。稍后发送 /retry，我就会回答这个问题。
model-away = 模型服务器在 { $at } 之前不接受请求，等待时间太长了。请在那之后发送 /retry，我就会回答这个问题。
apology-refused = 抱歉，语言模型没有接受这个请求。运营者可以在日志里查到原因。
apology-malformed = 抱歉，语言模型给出的回答无法使用。请再问一次，也许换个说法。
apology-spent = 抱歉，这个问题我试了不止一次，每次都卡住了。我已把它留给运营者处理。问题出在我这里，与你的说法无关。
aside-lesson = 抱歉，我多次尝试根据你之前的一条消息更新记忆，都卡住了。我已把它留给运营者处理。
aside-stream = 这个回答无法照常显示。以下是它的纯文本：
apology-internal = 抱歉，我这边出了问题，已记入日志。请再试一次。
limit-tokens = 你已达到今天的限额（{ $limit } 个 token）。我会在 { $at }（{ $wait }）恢复回答。在此之前，/status、/sources、/memory 等命令仍然可用。
limit-images = 你已达到今天的限额（{ $limit } 张图片），所以我没有查看你发来的全部内容。{ $at }（{ $wait }）之后可以再看图片。
limit-searches = 你已达到今天的限额（{ $limit } 次网页搜索），所以我没有搜索网页。{ $at }（{ $wait }）之后可以再搜索。
limit-audio_seconds = 你已达到今天的限额（{ $limit } 秒声音），所以我没有听。{ $at }（{ $wait }）之后可以再听。在那之前请用文字写给我。
limit-wait = { $duration }后
day-yesterday = 昨天
day-today = 今天
day-tomorrow = 明天
media-too-large = 录音太大：我只能接收 20 MB 以内的文件。
media-unreadable = 这段录音无法读取，可能已损坏。请重新发送。
image-empty = 图片是空的。请重新发送。
image-too-large = 图片太大：我只能接收 20 MB 以内的文件。
image-too-many-pixels = 图片的像素太多。请发一张小一点的。
image-unreadable = 图片无法读取，可能已损坏。请重新发送。
image-format = 我读不了这种图片格式。请发送 JPEG、PNG 或 WebP。
image-heif = 我读不了 HEIC 和 AVIF 文件。请以照片而不是文件的形式发送，Telegram 会自动转换。
image-animated = 我看不了动图。请发一张静态图片。
image-refused = 这张图片无法使用。请换一张。

# Commands
command-start = 从这里开始
command-help = 我能做什么
command-new = 开始新的对话
command-stop = 停止正在写的回答
command-retry = 重新回答上一个问题
command-sources = 我了解哪些内容
command-spaces = 我查找的空间
command-why = 上一个回答是怎么得出的
command-status = 我正在为你做什么
command-language = 选择菜单语言
command-privacy = 我保存了你的哪些信息
command-memory = 我记得关于你的哪些事
command-export = 把你的数据导出成文件
command-forget = 删除关于你的一切
command-stats = 使用统计
command-approvals = 等待审批的回答
admins-only = 这个命令只有管理员能用。
database-away = 暂时连不上数据库。请一分钟后再试。
button-not-yours = 这个按钮是给别人的。
never = 从未
and-more = …还有 { $count } 项
privacy-heading = 我保存了你的哪些信息
privacy =
    我在运营者（个人或公司）的数据库里保存：
    • 你的 Telegram ID 和名字、你的消息和我的回答
    • 我记得的关于你的事，以及你的任务、笔记和计划
    • 任务清单的登录信息（加密保存，仅当你连接了清单）
    • 每张照片的指纹和描述，绝不保存照片本身
    • 你发来的文件、网页和录音的文字，绝不保存声音
    • 每个回答是怎么决定的，以及你的 👍 或 👎
    • 你每天的用量：token、图片和搜索

    为了回答，我会把你的消息、对话和找到的段落发给运营者选定的语言模型。其他用户看不到任何内容。
new-conversation = 我们开始新的对话。之前说过的内容我不再使用，但你告诉我的关于你自己的事我还记得。
language = 菜单和帮助用哪种语言？我的回答会跟随你提问的语言。
language-auto = 自动
language-chosen =
    { $chosen ->
        [auto] 菜单和通知会跟随你的 Telegram 应用和你的消息所用的语言。
       *[other] 从现在起，菜单和通知使用简体中文。我的回答仍然跟随你提问的语言。
    }
language-not-spoken = 我还不会这种语言。请从下面选一种，或发送 /language 加上语言名称。
status-sound = 今天听和念的声音（秒）：{ $seconds }。
sources-none = 我还没有文档。运营者可以用 `ingest add-source` 添加。
spaces = 我的资料中，以下空间对你开放。我会在带 ✓ 的空间里查找；其他空间只有你提到时才查找。点一下即可更改。
spaces-none = 我为你查找的资料，对所有可以使用我的人都开放。
sources-known = 我有 { $sources } 个来源、{ $documents } 篇文档（{ $passages } 个段落）：
sources-line = • { $name }：{ $documents } 篇文档，{ $passages } 个段落，上次同步：{ $synced }
sources-line-internal = • { $name }（关于我）：{ $documents } 篇文档，{ $passages } 个段落，上次同步：{ $synced }
passage-gone = 这个段落已经不在我的文档里了。
passage-read = 阅读段落
why-button = 为什么？
why-nothing = 我还没有回答过问题。请先问我点什么。
why-no-answer = 我没有这条消息的来历记录。请用 /why 回复我的某个回答。
why-heading = 这个回答是怎么得出的
why-done-direct = 我直接回答了，没有查找资料。
why-done-rag =
    { $read ->
        [0] 我搜索了文档，没有找到相关内容。
       *[other] 我搜索了文档：读了 { $read } 个段落，引用了 { $cited } 个。
    }
why-done-web =
    { $read ->
        [0] 我搜索了网页，没有找到相关内容。
       *[other] 我搜索了网页：读了 { $read } 条结果，引用了 { $cited } 条。
    }
why-done-rag-web =
    { $read ->
        [0] 我先搜索了文档，再搜索了网页，都没有找到相关内容。
       *[other] 我先搜索了文档，再搜索了网页：读了 { $read } 个段落，引用了 { $cited } 个。
    }
why-web-failed =
    { $read ->
        [0] 我没能搜索网页。
       *[other] 我没能搜索网页；在文档里读了 { $read } 个段落，引用了 { $cited } 个。
    }
why-reason = 原因：{ $reason }
looked-for = 查找内容：“{ $query }”
why-further-queries = 接着查找：“{ $query }”
why-photo = 照片：我看过了
why-photo-asked = 照片：我带着你的问题又看了一遍
why-memory = 记忆：关于你的 { $count } 件事（见 /memory）
why-recalled = • { $text }
why-summary = 记忆：之前对话的摘要
why-past = 来自我们之前的对话：
why-past-turn = • { $date }：“{ $text }”
why-read-document =
    文档：{ $read ->
        [0] 没有找到
       *[other] 读了 { $read } 个段落
    }
why-read-web =
    网页：{ $read ->
        [0] 没有找到
       *[other] 读了 { $read } 条结果
    }
why-doubted = 检查：{ $count } 句话看起来可疑
why-planned = 消息本身要求的操作：{ $count } 项
why-repaired = 检查：第一稿没有引用来源，或者有一句话没有出处，所以我让模型重写了
why-permitted = 因你始终允许而未询问的调用（/tools）：{ $count }
why-unsupported = 检查：{ $count } 句话没有出处，回答里已注明
why-contradicted = 检查：{ $count } 句话与资料不符，回答里已注明
why-judged = 检查：已与来源核对的句子：{ $count }
why-unjudged = 检查：未能核对的句子（回答中已说明）：{ $count }
why-unsampled = 检查：因只抽查部分回答而未核对的句子：{ $count }
why-second_look_failed = 问题：规划模型没能检查这个回答
why-check-left-out = 没有由模型检查，因为会花太长时间
why-refused = 检查：我读到的内容都不支持模型写的话，所以没有显示
why-planner_failed = 问题：规划模型没有给出计划，所以只搜索了已登记的文档
why-further_search_failed = 问题：规划模型没能说出还缺什么
why-look-left-out = 没有进一步搜索，因为会花太长时间
why-embedding_failed = 问题：只能按字词搜索，不能按含义搜索
why-rerank_failed = 问题：对找到的段落重新排序失败或耗时过长，因此保留了搜索时的顺序
why-passage = • { $label }（{ $score }）
why-passage-cited = • { $label }（{ $score }，已引用）
why-models = 模型：{ $models }
why-calls = 模型调用：{ $calls } 次，其中第一个字出现前依次进行：{ $before } 次。读取的 token：{ $read }，其中服务器重复利用：{ $cached }
why-times =
    { $steps ->
        [blank] 用时：{ $total } 秒
       *[other] 用时：{ $total } 秒（{ $steps }）
    }
why-reference = 供运营者查询的编号：{ $request_id }
step-N1_ingest_input = 读取 { $seconds }
step-N2_load_long_term_memory = 回忆 { $seconds }
step-N13_read_files = 读文件 { $seconds }
step-N3_vision_summarize = 看图 { $seconds }
step-N4_build_effective_query = 规划 { $seconds }
step-N5_retrieve = 搜索文档 { $seconds }
step-N14_search_further = 继续搜索 { $seconds }
step-N8_web_search = 搜索网页 { $seconds }
step-N6_synthesize = 撰写 { $seconds }
step-N7_persist = 保存 { $seconds }
step-N9_ask_back = 反问 { $seconds }
step-N10_take_answer = 读取你的回复 { $seconds }
step-N11_request_approval = 请求审批 { $seconds }
rated = 谢谢你的反馈。
rated-down = 谢谢。运营者现在可以阅读这个问题和回答。
rating-withdrawn = 已撤回你的反馈。
status-answering =
    我正在为你写回答。{ $waiting ->
        [0] 没有其他消息在等待。
       *[other] 还有 { $waiting } 条消息在等待。
    }
status-waiting =
    { $waiting ->
        [0] 你的消息都已回答。
       *[other] 你有 { $waiting } 条消息在等待回答。
    }
status-use = 今天的用量：token { $tokens }，图片 { $images }，网页搜索 { $searches }，外接工具调用 { $tool_calls }。新的一天从 { $at }（{ $wait }）开始。
use-free = { $used }
use-limited = { $used }/{ $limit }
status-documents = 文档：{ $documents } 篇，{ $passages } 个段落；上次同步：{ $synced }
status-documents-away = 文档：暂时连不上文档数据库。
status-out-of-reach = ⚠️ 无法连接（{ $duration }）：{ $problem }
status-models = 模型：{ $chat } 负责写作，{ $vision } 负责看图
status-version = rich-agent { $version }
memory-empty = 我还不记得关于你的任何事。跟我说说你自己，我就会记住。
memory-known = 我记得关于你的 { $count } 件事。点编号可以让我忘掉那一件。
memory-facts = 事实
memory-preferences = 偏好
memory-tasks = 任务
memory-past = 过去
memory-planned = 计划中
memory-item = { $text }（{ $told }）
memory-item-due = { $text } – { $due } 到期（{ $told }）
memory-deleted = 已忘记。你告诉我这件事的消息还留在对话里。写“忘记……”就能一并删除。
forgetting-told = 要我忘掉这些吗？
forgetting-everything = 要我忘掉你告诉我的和我们说过的一切吗？也就是我记得的 { $memory } 件事，以及 { $messages } 条消息和它们的回答。
forgetting-named = 下面这些只是提到了它。除非你选择一并忘掉，否则会保留：
forgetting-only-named = 没有找到明确关于它的内容。要我忘掉下面这些只是提到它的内容吗？
forgetting-of-memory = 我记得的：
forgetting-of-thing = 你的任务、笔记和计划：
forgetting-of-file = 你的文件：
forgetting-of-message = 你的消息和我的回答：
forgetting-of-summary = 在之前对话的摘要里：
forgetting-more = …还有 { $count } 项。
forgetting-final = 此操作无法撤销。请点按钮。
forgetting-yes = 忘掉
forgetting-yes-all = 全部忘掉
forgetting-no = 全部保留
forgetting-done = 已忘记：{ $memory } 件记得的事，以及 { $messages } 条消息和它们的回答。它们已从我的记忆、我们的对话、对话摘要、存档以及 /export 显示的记录里删除。你在这个聊天里看到的内容，要在 Telegram 里删除才会消失。
forgetting-left = 按你的选择，保留了 { $count } 项只是提到它的内容。
forgetting-done-everything = 你的设置、反馈和用量记录仍然保留；/forget 会一并删除。
forgetting-nothing = 无论在我的记忆里还是在对话里，都没有找到相关内容，所以没有删除任何东西。/memory 显示我记得的关于你的事。
forgetting-failed = 模型出错，我没能弄清你想让我忘掉什么。没有删除任何东西。请稍后再试，或者使用 /memory 和 /forget。
forgetting-kept = 没有删除任何东西。
forgetting-wish = （要求忘记某件事，原话不予保留。）
planner-failed-note = 我的规划模型出错了。如果你是要我做某件事或忘记某件事，目前什么都没有做，也没有删除任何东西：请再说一次，或者使用 /memory 和 /forget。
planner-failed-still = 什么都没有做，也没有删除任何东西。
exported =
    这是我保存的关于你的全部内容：{ $messages } 条消息、{ $decisions } 条决策记录{ $images ->
        [0] {""}
       *[other] 、{ $images } 条图片描述
    }、我记得的事，以及你的任务、笔记和计划。文件格式是 JSON。
forget-confirm =
    要我删除关于你的一切吗？包括我们的对话、我记得的关于你的事、你的任务、笔记和计划、每个回答的决策记录、你的反馈、照片的描述、文件和录音的文字，以及你的设置。

    此操作无法撤销。这个聊天里的消息会保留，直到你在 Telegram 里删除。如果想留一份数据，请先发送 /export。
forget-yes = 是，全部删除
forget-no = 不，保留
forget-wish = 忘记我说过的关于{ $what }的内容
command-alone = 我什么也没做：{ $command } 后面不带文字。如果你确实要执行，请单独发送它。
secret-delete-yourself = 我没能删除你的消息。里面有你的密码，请自行删除。
forget-kept = 没有删除任何东西。
forgotten = 我保存的关于你的一切都已删除。如果你再写消息，我们就从头开始。
confirmation-over = 这个问题已经过期。请重新发送命令。
nothing-to-retry = 没有可以重新回答的问题。请先问我点什么。
stats-heading = 统计
stats-users = 用户：{ $known }；最近一天 { $day }，7 天内 { $week }；{ $blocking } 人屏蔽了我
stats-turns = 回答：最近一天 { $day }，7 天内 { $week }
stats-plans = 计划（7 天）：{ $plans }
stats-plan-direct = 直接 { $count }
stats-plan-rag = 文档 { $count }
stats-plan-web = 网页 { $count }
stats-plan-rag-web = 文档和网页 { $count }
stats-times = 回答用时（7 天）：p50 { $p50 } 秒，p95 { $p95 } 秒
stats-failures = 故障：7 天内 { $broken } 个回答中断，{ $undelivered } 条消息未送达，{ $dead } 个更新被放弃
stats-feedback = 反馈：👍 { $up }，👎 { $down }
stats-use-day = 今天的用量（UTC）：token { $tokens }，图片 { $images }，网页搜索 { $searches }；{ $cost }
stats-use-week = 7 天的用量：token { $tokens }，图片 { $images }，网页搜索 { $searches }；{ $cost }
stats-cached = 读取的 token 中，服务器以前已读过的占：{ $share } %
stats-cost = 费用 { $cost }
stats-cost-partly = 费用 { $cost }，不含 { $models }（未设价格）
stats-cost-unknown = 未设价格（MODEL_PRICES）
stats-price-table = MODEL_PRICES 未设的价格取自：{ $table }
stats-top-users = token 最多的用户（7 天）：{ $users }
stats-inbox = 等待处理的更新：{ $pending }
stats-approvals = 等待审批：{ $count }（/approvals）

# Approval
approval-waiting = 这类回答要先由人审阅才会发给你。你的回答正在审阅中，批准后我会马上发送。在此期间你可以继续写。
approval-review =
    回答 { $number } 等待你的审批。
    来自：{ $user }
    类型：{ $intent }
    问题：{ $question }

    草稿在下面。回复它并写上修改后的文字，或使用下面的按钮。
button-approve = 批准
button-correct = 修改
button-reject = 拒绝
approval-correction = 回答 { $number }：请回复这条消息，写上修改后的文字。用户会原样看到。
approval-reason = 回答 { $number }：请回复这条消息，写上拒绝的理由。用户会看到。
approval-words-missing = 我需要文字内容。请再回复一次同一条消息。
approval-is-approved =
    { $by ->
        [you] ✓ 已由你批准。
       *[other] ✓ 已由 { $admin } 批准。
    }
approval-is-corrected =
    { $by ->
        [you] ✎ 已按你的文字发送。
       *[other] ✎ 已按 { $admin } 的文字发送。
    }
approval-is-rejected =
    { $by ->
        [you] ✗ 已由你拒绝。
       *[other] ✗ 已由 { $admin } 拒绝。
    }
approval-is-expired = 没有及时作出决定。我已告知用户。
approval-is-withdrawn = 用户修改了问题，不再需要这份草稿。
approval-approved = 这个回答已审阅并批准。
approval-corrected = 这个回答已审阅并修改。
approval-rejected = 抱歉，我不能回答这个问题。理由：{ $reason }
approval-expired = 抱歉，我的回答没有及时得到审阅。请稍后再问。
approvals-known =
    { $count ->
        [0] 没有等待审批的回答。
       *[other] { $count } 个回答等待审批：
    }
approvals-line = • { $number }，自 { $since }，来自 { $user }：{ $question }

# Why a turn is answered as it is
reason-as_planned = 按计划
reason-greeting = 问候
reason-farewell = 道别
reason-thanks = 道谢
reason-help = 寻求帮助
reason-laughter = 笑声
reason-reaction = 表情
reason-silence = 消息里没有可查的文字
reason-number = 数字或算式
reason-known_word = 已登记文档里出现过的词
reason-forget_wish = 要求忘记某件事
reason-stopped = 在规划之前你就停止了
reason-no_web = 没有设置网页搜索
reason-no_plan = 规划模型没有给出计划，所以只搜索了已登记的文档，没有搜索网页
reason-file_read = 消息是关于你发来的文件
reason-file_refused = 你发来的文件都无法读取
reason-about_bot = 关于我的问题用我自己的文档回答
reason-about_now = 回答取决于当前情况，所以搜索了网页
reason-documents_first = 已登记的文档优先于网页
reason-documents_may_say = 已登记的文档里可能有答案
reason-documents_wanted = 你问的是文档里怎么说
reason-web_ruled_out = 消息可能涉及隐私，所以没有搜索网页
reason-say_little = 已登记的文档里相关内容很少，所以也搜索了网页
reason-say_little_on = 已登记的文档里关于“{ $subject }”的内容很少，所以也搜索了网页

# Alerts for admins
alert-credit = ⚠️ 模型服务器的账户余额已用完（{ $service }），我无法回答任何人。{ $hint } 然后运行 `rich-agent inbox replay --all`，让错过的问题得到回答。这条提醒每小时最多发一次。
alert-key = ⚠️ 模型服务器不接受密钥（{ $service }），我无法回答任何人。{ $hint } 然后运行 `rich-agent inbox replay --all`，让错过的问题得到回答。这条提醒每小时最多发一次。
alert-away = ⚠️ 模型服务器（{ $service }）在 { $at } 之前不接受请求。用户会收到提示，请他们之后再问。要避免这种情况，请提高限额或换一个服务器。这条提醒每小时最多发一次。
alert-lesson = ⚠️ 我尝试了好几天，仍无法根据一条消息更新某位用户的记忆，只好放弃。日志里有原因。这条提醒每小时最多发一次。
alert-refused = ⚠️ 模型服务器拒绝了我的一个请求：{ $problem } { $hint } 我会在没有它的情况下尽力继续。此消息每小时最多发送一次。

# Tools: what each is for, and what is happening while it runs.
status-acting = 正在使用“{ $tool }”…
tool-list_files = 你的文件
tool-undo_last_change = 撤销上一次更改
tool-search_documents = 文档
tool-search_web = 网页搜索
tool-request_more_information = 向你提问
doing-list_files = 正在查看你的文件…
doing-undo_last_change = 正在撤销上一次更改…
doing-search_documents = 正在搜索文档…
doing-search_web = 正在搜索网页…
approve-calls = 我打算这样做，可以吗？
approve-not-planned = 你的消息本身并没有要求这样做，请仔细确认。
approve-yes = 批准
approve-no = 取消
approve-words-yes = 是|是的|好|好的|可以|行
approve-words-no = 不|不用|不要|取消
card-labelled = { $label }：{ $text }
card-not-done = 未执行。
approve-adjust = 调整
approve-how-to-adjust = 请写下要改什么，我会重新提出建议。
approve-always = 此项始终批准
approve-always-same = “{ $always }”会批准，之后同样的调用不再询问。可用 /tools 撤回。
approve-always-alike = “{ $always }”会批准，之后 { $fixed } 相同的调用不再询问，不论其余内容是什么。可用 /tools 撤回。
web-approve-in-words = 请回复“{ $yes }”或“{ $no }”，或者写下要改什么。
card-characters-left-out = 其余字符数：{ $count }
card-arguments-left-out = 其余参数数：{ $count }
card-in-file = 这里放不下全部内容。完整文本在文件“approval.txt”中，请先阅读再决定。
card-copied-from = 复制自：{ $sources }
copied-user = 你的消息
copied-memory = 我为你保存的内容
copied-assistant = 之前的回答
copied-operator = 机器人的运营者
copied-document = 文档
copied-page = 网页
copied-file = 文件
copied-server = 其他程序
copied-other = 其他人
card-takes-back = 将撤销
argument-duration = 时长
argument-yes = 是
argument-no = 否
argument-none = 无
approve-cancelled = 已取消，没有做任何更改。
acting-limit-calls = 一条消息最多执行 10 个操作，已达上限。如果还有没做完的，请写“继续”。
acting-limit-errors = 连续失败了三次，所以我停下了。没有再做任何更改。
undo-button = 撤销
undo-done = 已撤销：
undo-too-late = 已经无法撤销了。
step-N12_act = 执行 { $seconds }

reason-in_group = 在群里我只根据已登记的文档回答
reason-link_ignored = 你希望不读这个链接
reason-link_kept = 你希望记住这个网页
reason-link_read = 读了你给的链接所指的网页
reason-in_session = 这条消息属于一次引导对话
reason-session_left = 你想结束这次引导对话

timeline-left-out = 还有 { $count } 项
command-timezone = 选择时区
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [1] 每小时
           *[other] 每 { $count } 小时
        }
        [daily] { $count ->
            [1] 每天
           *[other] 每 { $count } 天
        }
        [weekly] { $count ->
            [1] 每周
           *[other] 每 { $count } 周
        }
        [monthly] { $count ->
            [1] 每月
           *[other] 每 { $count } 个月
        }
       *[yearly] { $count ->
            [1] 每年
           *[other] 每 { $count } 年
        }
    }
time-zone-none = 我还不知道你的时区。请在这里选择，或发送 /timezone 加上名称，例如 Asia/Shanghai。
time-zone = 你的时区是 { $zone }，那里现在是 { $now }。要更改，请发送 /timezone 加上另一个名称。
time-zone-chosen = 你的时区是 { $zone }，那里现在是 { $now }。重复的提醒会按它计算。
time-zone-near = 我不认识时区 { $name }。你是指下面的某一个吗？
time-zone-which = { $name } 有多个时区，你在哪一个？
time-zone-unknown = 我不认识时区 { $name }。名称由地区和城市组成，例如 Asia/Shanghai。

# The page of a passage.
passage-place = { $source } · 第 { $position } 段，共 { $count } 段
passage-before = ← 上一段
passage-after = 下一段 →

# The page of a browser while the bot starts.
bot-starting = 机器人正在启动…

# Calls that a user permitted for good (/tools).
command-tools = 查看哪些操作无需询问
tools-none = 你还没有长期允许任何调用。在安全的情况下，调用前的询问会提供“此项始终批准”。
tools-about = 以下调用不会询问你。✕ 撤回许可，发送 /tools 加编号也可以。
tools-given-on = { $day } 允许
tools-used = 调用 { $count } 次
tools-any = 任意
tools-changed = 工具此后有变化，所以这样的调用会再次询问。
tools-take-all-back = 全部撤回
tools-taken-back = 已撤回。这样的调用会再次询问你。

# Outside Telegram.
only-in-telegram = 完整功能仅在 Telegram 中可用：请在那里发送 { $command }。

run-not-latest = 只能重新回答对话中最新的问题。

# What is asked in groups.
guest-user-limit = 你今天在群里的提问次数已用完。请在私聊里问我。
guest-group-limit = 这个群最近一小时问得太多了。请稍后再试，或在私聊里问我。
guest-withheld = 这个问题我不能在群里回答。请在私聊里问我。
guest-answer-cut = 这是一个较长回答的开头。要看全部内容，请在私聊里问我。
guest-answered-privately = 我已在私聊里回答你。

## Files
file-page = 第 { $number } 页
file-sheet-named = 工作表“{ $heading }”
file-sheet-numbered = 第 { $number } 个工作表
file-slide-named = 第 { $number } 张幻灯片：{ $heading }
file-slide-numbered = 第 { $number } 张幻灯片
ask-about-files =
    { $count ->
       *[other] 我读了 { $names }。你想知道什么？
    }
file-topic-summary = 写个摘要
file-topic-points = 列出要点
file-read-whole = 我读完了 { $name } 的全部内容。
file-macros = { $name } 里的宏没有运行。
file-read-in-parts = 我读完了 { $name } 的全部内容，分 { $parts } 部分。
file-read-partly = { $name } 很长：共 { $units } 部分，我读了 { $read } 部分。可以问其余部分，或只问某一部分。
file-searched = { $name } 很长：我按你的问题在里面搜索，没有全部读完。
file-parts-unread = { $name } 里有我读不了的内容：{ $parts }。
file-part-attachment = { $count } 个附件
file-part-chart = { $count } 个图表
file-part-diagram = { $count } 个示意图
file-part-drawing = { $count } 个图形
file-part-equation = { $count } 个数学公式
file-part-field = { $count } 个表单字段
file-part-file = { $count } 个文件
file-part-formula = { $count } 个没有保存结果的公式
file-part-letter = { $count } 个字符
file-part-object = { $count } 个嵌入对象
file-part-page = { $count } 个没有文字的页面
file-part-picture = { $count } 张图片
file-part-remark = { $count } 条批注
file-part-row = { $count } 行
file-part-sheet = { $count } 个工作表
file-part-slide = { $count } 张没有文字的幻灯片
file-refused-too-large = “{ $name }”超过 20 MB，Telegram 不让我下载。请发小一点的文件，或者拆分。
file-refused-too-long = “{ $name }”太长，无法读取。请把重要的部分单独作为文件发来。
file-refused-unsupported = 我读不了“{ $name }”。我能读 PDF、Word、Excel、PowerPoint、OpenDocument、EPUB、RTF、HTML、Markdown、CSV、EML、MSG、MHTML、ZIP 和纯文本。请另存为其中一种再发。
file-refused-old-office = “{ $name }”是旧版 Office 格式。请另存为 DOCX、XLSX、PPTX 或 PDF 再发。
file-refused-archive = “{ $name }”的压缩格式我打不开。请以 ZIP 发送，或发送其中的文件。
file-refused-encrypted = “{ $name }”有密码保护。请去掉密码后另存，再发一次。
file-refused-empty = 我在“{ $name }”里没有找到文字。如果里面有内容，请以 PDF 或照片的形式发来。
file-refused-damaged = “{ $name }”已损坏，或与文件名所示的类型不符。请打开它，重新保存后再发。
file-refused-gone = 我没能取到“{ $name }”：它已经不可用了。请重新发送。
file-keep-button = 记住
file-only-here-button = 仅限这里
file-kept =
    { $count ->
        [1] 我会记住这个文件。/files 可以看到。
       *[other] 我会记住这些文件。/files 可以看到。
    }
file-not-kept =
    { $count ->
        [1] 这个文件会随这次对话一起忘掉（/new）。
       *[other] 这些文件会随这次对话一起忘掉（/new）。
    }
file-forgotten = 已忘记。
files-none = 你这里没有文件。发一个给我吧：PDF、Word、Excel、PowerPoint、OpenDocument、EPUB、CSV 或文本。
files-title = 你的 { $count } 个文件：
files-line = { $number }. { $name }，{ $sent }
files-line-kept = { $number }. { $name }，{ $sent }，已记住
files-line-unread = 未读出：{ $parts }。
files-hint = 📌 让文件在对话结束后仍被记住，或不再记住。🗑 忘掉文件。
command-files = 你的文件：查看、记住、忘记

# Links.
ask-about-links =
    { $count ->
        [1] 要怎么处理这个链接？{ $links }
       *[other] 要怎么处理这些链接？{ $links }
    }
link-wish-summary = 摘要
link-wish-keep = 记住
link-wish-ignore = 忽略
link-ignored = 好的，我不读它。
link-kept =
    { $count ->
        [1] 我读了“{ $names }”并会记住。随时可以问我；/files 可以看到它。
       *[other] 我读了这些并会记住：{ $names }。随时可以问我；/files 可以看到它们。
    }
page-refused-private = 我不读 { $name }：它通向内部网络。
page-refused-robots = 我不能读 { $name }：该网站不允许程序访问。请把它的文字发给我，或以文件形式发送网页。
page-refused-closed = { $name } 只对登录用户开放。请把它的文字发给我，或以文件形式发送网页。
page-refused-gone = { $name } 没有网页。地址完整吗？
page-refused-too-large = 网页 { $name } 对我来说太大了。请把重要的部分发给我。
page-refused-too-long = 网页 { $name } 对我来说太长了。请把重要的部分发给我。
page-refused-slow = { $name } 响应太慢。请稍后再试。
page-refused-away = 我没能取到 { $name }：该网站有问题或无法访问。请稍后再试。
page-refused-empty = 我在 { $name } 没有找到文字。也许网页只对真人或登录后显示。请把它的文字发给我。
page-refused-made-by-scripts = 我在 { $name } 看不到文字：网页要在浏览器里才会显示内容。请把它的文字发给我，或在浏览器里保存网页后发送文件。
page-refused-consent = 我在 { $name } 只看到一个带按钮的询问，例如征求同意，看不到后面的网页。请把它的文字发给我，或以文件形式发送网页。
page-refused-unsupported = { $name } 不是我能读的网页或文档。
page-refused-old-office = { $name } 的文件是旧版 Office 格式，我读不了。
page-refused-archive = { $name } 处的文件，其压缩格式我打不开。
page-refused-encrypted = { $name } 的文件有密码保护。
page-refused-damaged = { $name } 的文件已损坏，或与名称所示的类型不符。
page-refused-too-many-links = 我没有读 { $name }：链接数超过了一条消息里我能读的数量。

# The demo.
demo-about-stand-in = 这是在你电脑上运行的演示。机器人是真的；Telegram 和语言模型是模拟的，这个模型只会引用原文。要用真正的模型：点“连接模型”，或运行 OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = 这是在你电脑上运行的演示。机器人和它的语言模型（{ $model }）是真的；Telegram 是模拟的。
demo-about-operator = 你现在以 Ada 的身份发言，她是这个机器人的运营者：/help 也会列出运营者能做的事。
pages-skip = 跳到正文
pages-elsewhere = 其他页面
pages-sign-in = 请登录
pages-from-elsewhere = 另一个网站的链接把您带到了这里。
pages-open = 打开页面
pages-not-for-you = 您无权查看此页面。请向机器人的所有者申请角色。
pages-problem = 未能完成
pages-problem-back = 请返回；您输入的内容仍在。
pages-gone = 未找到
pages-gone-how = 这里没有内容，或者已经没有了。
pages-later = 机器人目前无法回应。请稍后再试。
pages-unsent = 什么也没有发送：无法连接机器人。请重试。
pages-as-table = 以表格显示
pages-cancel = 取消
pages-copy = 复制
pages-copied = 已复制
pages-pages = 列表的页
pages-first = 回到开头
pages-next = 更多
pages-search = 搜索

# The pages of users.
panel-save = 保存
widget-unanswered = 没有收到回应，请重试。
widget-wait = 这需要稍长一点时间，会完成的。
