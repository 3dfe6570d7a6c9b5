# The turn
greeting = Chào bạn! Cứ hỏi tôi bất cứ điều gì về tài liệu của tôi, hoặc gửi cho tôi một bức ảnh. /help cho biết tôi làm được những gì.
greeting-named = Chào { $name }! Cứ hỏi tôi bất cứ điều gì về tài liệu của tôi, hoặc gửi cho tôi một bức ảnh. /help cho biết tôi làm được những gì.
thanks-reply = Không có gì!
farewell-reply = Tạm biệt! Cứ nhắn cho tôi bất cứ lúc nào.
help-reply = Hãy hỏi một câu đầy đủ, ví dụ “Bạn có những nguồn nào?”, hoặc gửi ảnh và cho biết bạn muốn biết gì. /help liệt kê mọi việc tôi làm được.
laughter-reply = 😄
nothing-said = Tôi không thấy chữ nào trong tin nhắn đó. Hãy đặt câu hỏi hoặc gửi ảnh.
nothing-found = Không tìm thấy trong các nguồn đã đăng ký.
nothing-found-files = Không tìm thấy trong các tệp của bạn.
nothing-found-answer = Không tìm thấy gì về việc này trong các nguồn đã đăng ký. Hãy thử từ khác, hoặc hỏi “Bạn có những nguồn nào?” để xem chúng nói về gì.
no-sources-yet = Không tìm thấy trong các nguồn đã đăng ký: chưa có nguồn nào. Người vận hành có thể thêm bằng `ingest add-source`.
question-shortened = Tin nhắn của bạn quá dài để đọc hết, nên tôi chỉ đọc phần đầu và phần cuối.
look-left-out = Tôi chỉ tìm trong tài liệu của mình một lần, vì tìm thêm sẽ mất quá nhiều thời gian.
nothing-cited-web = Không có kết quả web nào xác nhận điều này.
unchecked = Tôi không kiểm tra được điều này với các nguồn. Tôi đã đọc: { $sources }
refused-rag = Trong các nguồn đã đăng ký không có câu trả lời cho việc này. Tôi đã xem:
refused-files = Trong các tệp của bạn không có câu trả lời cho việc này. Tôi đã xem:
refused-web = Kết quả web không trả lời được việc này. Tôi đã xem:
refused-rag-web = Cả nguồn đã đăng ký lẫn web đều không có câu trả lời cho việc này. Tôi đã xem:
unsupported = Không có trong nguồn, vui lòng kiểm tra: { $claims }
contradicted = Các nguồn nói khác: { $claims }
unjudged = Tôi không đối chiếu được câu trả lời này với nguồn của nó.
unjudged-claims = Chưa đối chiếu được với nguồn: { $claims }
uncomputed = Không được tính từ tất cả các hàng của bảng, vui lòng kiểm tra: { $claims }
catalogue-title = Tài liệu đã đăng ký
catalogue-counts = { $sources } nguồn, { $documents } tài liệu. Số tiêu đề liệt kê ở đây: { $shown }.
catalogue-sources = Nguồn
catalogue-source = { $name }: { $documents } tài liệu
catalogue-source-internal = { $name } (về trợ lý này): { $documents } tài liệu
catalogue-matching = Tài liệu khớp với câu hỏi của bạn
catalogue-others = Tài liệu khác
your-photo = Ảnh của bạn
web-unavailable = Không thể tìm trên web.
look-failed = Tôi không thể xem bức ảnh kỹ hơn, nên câu trả lời này dựa trên lần xem đầu tiên.
stopped = (đã dừng)
early-end-length = Câu trả lời quá dài nên kết thúc ở đây.
early-end-filtered = Bộ lọc nội dung của máy chủ mô hình đã chặn câu trả lời này. Hãy thử hỏi bằng cách khác.
early-end-refused = Mô hình ngôn ngữ từ chối trả lời câu này.
early-end-repeated = Mô hình ngôn ngữ cứ lặp lại mãi, nên tôi đã dừng nó.
early-end-deadline = Việc này lâu hơn thời gian tôi được dành cho một tin nhắn, nên tôi dừng ở đây.
answer-in-file = Câu trả lời này dài. Phía trên là phần đầu; tệp bên dưới có toàn bộ nội dung.
continue-button = Tiếp tục
continue-wish = Hãy viết tiếp câu trả lời từ chỗ dừng lại.
stopped-at-once = Đã dừng trước khi tôi viết gì.
web-nothing-found = Tìm trên web không thấy gì về việc này.
ask-about-image =
    Tôi thấy: { $seen }

    Bạn muốn biết gì về nó?
image-topic-describe = Mô tả bức ảnh
image-topic-text = Đọc chữ trong ảnh
image-topic-table = Giải thích bảng trong ảnh
image-topic-search = Tra cứu thứ có trong ảnh

# Telegram
status-reading = Đang đọc tệp của bạn…
status-looking = Đang xem ảnh của bạn…
status-thinking = Đang suy nghĩ…
status-searching = Đang tìm…
status-searching-web = Đang tìm trên web…
status-drafting = Đang viết…
status-busy = Mô hình ngôn ngữ đang bận. Tôi chờ, tối đa một phút…
status-held = Máy chủ mô hình tạm thời không nhận thêm yêu cầu. Tôi sẽ thử lại vào { $at } ({ $wait }) và trả lời ở đây, nên bạn không cần hỏi lại. Tin nhắn bạn gửi trong lúc đó tôi sẽ trả lời sau.
status-queued = Đã nhận. Tôi sẽ trả lời ngay khi xong tin nhắn trước.
status-queued-elsewhere = Đã nhận. Tôi vẫn đang trả lời bạn trên web hoặc trong chương trình khác, sau đó sẽ trả lời tin này.
status-crowd = Đã nhận. Hiện có nhiều người đang nhắn cho tôi. Vị trí của bạn trong hàng đợi: khoảng { $place }. Tôi sẽ trả lời ngay khi đến lượt bạn.
button-stop = Dừng
stopping = Đang dừng…
stopped-by-command = Đã dừng.
question-dropped = Được rồi, bạn không cần trả lời câu hỏi của tôi.
nothing-to-stop = Hiện tôi không viết gì cả.
stop-too-late = Câu trả lời này đã xong rồi.
too-many = Bạn gửi nhiều tin nhắn cùng lúc. Tôi sẽ trả lời các tin trước. Khi tôi theo kịp, hãy gửi lại tin này và các tin sau nó.
sources-heading = Nguồn
source-web = { $label } (web)
sent-again = (Gửi lại: Telegram không xác nhận lần gửi đầu.)
start = Chào bạn! Tôi trả lời câu hỏi dựa trên tài liệu của mình và cho biết mỗi câu trả lời lấy từ đâu. Bạn cũng có thể gửi ảnh và hỏi về ảnh, hoặc cho tôi biết bạn phải làm gì. Xem thêm ở /help.
start-named = Chào { $name }! Tôi trả lời câu hỏi dựa trên tài liệu của mình và cho biết mỗi câu trả lời lấy từ đâu. Bạn cũng có thể gửi ảnh và hỏi về ảnh, hoặc cho tôi biết bạn phải làm gì. Xem thêm ở /help.
start-examples = Chạm vào một chủ đề để thử:
help-heading = Tôi làm được những gì
help =
    • Trả lời câu hỏi dựa trên tài liệu của tôi, kèm nguồn đánh số mà bạn mở xem được.
    • Tìm trên web khi tài liệu không đủ, hoặc khi bạn hỏi về chuyện hiện tại.
    • Xem ảnh, album hoặc tệp hình. Bạn cũng có thể trả lời một bức ảnh bằng câu hỏi.
    • Đọc tệp bạn gửi (PDF, Word, Excel, PowerPoint, CSV và nhiều loại khác) và trang trong liên kết của bạn. /files liệt kê chúng.
    • Nhớ những gì bạn kể về mình. Người dùng khác không bao giờ thấy.
help-end = Cứ viết cho tôi bằng lời của bạn.
help-commands = Lệnh
unknown-command = Không có lệnh { $command }. /help cho biết tôi làm được những gì.
unknown-command-near = Không có lệnh { $command }. Ý bạn là /{ $near }? /help liệt kê mọi lệnh.
button-outdated = Nút này không còn dùng được.
cannot-read = Tôi chưa đọc được loại tin nhắn này. Hãy gửi chữ, ảnh hoặc tệp hình.
cannot-read-sticker =
    { $detail ->
        [blank] Tôi không thấy được hình trên nhãn dán.
       *[other] { $detail } – hay đấy! Nhưng tôi không thấy được hình trên nhãn dán.
    } Hãy viết bằng lời, hoặc gửi ảnh.
cannot-read-dice = { $detail } Tôi không chơi trò chơi, nhưng tôi trả lời câu hỏi: cứ viết ra.
cannot-read-animation = Tôi không xem được GIF. Hãy gửi ảnh tĩnh, hoặc hỏi bằng lời.
cannot-read-video = Tôi không xem được video. Hãy gửi ảnh chụp khoảnh khắc bạn muốn hỏi, hoặc hỏi bằng lời.
cannot-read-location = Tôi không xem được bản đồ. Hãy viết tên nơi đó và điều bạn muốn biết.
cannot-read-venue = Tôi không tra được địa điểm trên bản đồ. Hãy viết tên và điều bạn muốn biết.
cannot-read-contact = Tôi không dùng được danh bạ, và tôi không lưu liên hệ này. Hãy viết điều bạn cần.
cannot-read-poll = Tôi không bỏ phiếu được. Hãy viết câu hỏi thành chữ, tôi sẽ trả lời.
cannot-read-story = Tôi không xem được tin. Hãy gửi ảnh chụp màn hình, hoặc hỏi bằng lời.
unread-note = Tôi không xem được: { $things }.
unread-animation = GIF
unread-audio = âm thanh
unread-checklist = danh sách kiểm
unread-contact = liên hệ
unread-dice = xúc xắc
unread-game = trò chơi
unread-giveaway = đợt tặng quà
unread-giveaway-winners = đợt tặng quà
unread-invoice = hóa đơn
unread-live-photo = ảnh động Live
unread-long-text = phần văn bản sau 16.000 ký tự đầu
unread-location = vị trí
unread-paid-media = nội dung trả phí
unread-photo = ảnh
unread-poll = cuộc bỏ phiếu
unread-rich-message = tin nhắn có định dạng
unread-sticker = nhãn dán
unread-story = tin
unread-venue = địa điểm
unread-video = video
unread-video-note = tin nhắn video
unread-voice = tin nhắn thoại
edit-too-late = Tôi chỉ trả lời lại khi bạn sửa câu hỏi mới nhất. Hãy gửi câu hỏi đã sửa thành tin nhắn mới.
replaced = (đã thay)
not-allowed = Bot này là riêng tư. Để xin quyền dùng, hãy gửi số này cho người vận hành: { $user_id }
apology-unavailable = Xin lỗi, tôi đã thử nhiều lần mà không liên lạc được với mô hình ngôn ngữ. Hãy hỏi lại sau vài phút.
apology-download = Xin lỗi, tôi đã thử nhiều lần mà không lấy được tệp của bạn từ Telegram. Hãy gửi lại sau vài phút.
apology-credit = Tài khoản của người vận hành trên máy chủ mô hình đã hết tiền, nên tôi không trả lời được. Chỉ người vận hành mới khắc phục được. Hãy gửi /retry sau, tôi sẽ trả lời câu hỏi này.
apology-key = Máy chủ mô hình không chấp nhận khóa của người vận hành, nên tôi không trả lời được. Chỉ người vận hành mới khắc phục được. Hãy gửi /retry sau, tôi sẽ trả lời câu hỏi này.
model-away = Máy chủ mô hình không nhận yêu cầu cho đến { $at }. Chờ như vậy là quá lâu. Sau đó hãy gửi /retry, tôi sẽ trả lời câu hỏi này.
apology-refused = Xin lỗi, mô hình ngôn ngữ không chấp nhận yêu cầu. Người vận hành có thể xem lý do trong nhật ký.
apology-malformed = Xin lỗi, mô hình ngôn ngữ đưa ra câu trả lời không dùng được. Hãy hỏi lại, có thể bằng cách khác.
apology-spent = Xin lỗi, tôi đã thử nhiều lần và lần nào cũng bị kẹt. Tôi đã để riêng câu này cho người vận hành. Lỗi là ở tôi, không phải do cách bạn hỏi.
aside-lesson = Xin lỗi, tôi đã thử nhiều lần ghi nhớ từ một tin nhắn trước của bạn và bị kẹt. Tôi đã để riêng việc này cho người vận hành.
aside-stream = Không thể hiển thị câu trả lời này như thường lệ. Đây là văn bản thuần của nó:
apology-internal = Xin lỗi, có lỗi xảy ra phía tôi và đã được ghi vào nhật ký. Hãy thử lại.
limit-tokens = Bạn đã dùng hết hạn mức hôm nay ({ $limit } token). Tôi có thể trả lời lại vào { $at } ({ $wait }). Cho đến lúc đó, các lệnh như /status, /sources và /memory vẫn dùng được.
limit-images = Bạn đã dùng hết hạn mức hôm nay ({ $limit } ảnh), nên tôi không xem hết những gì bạn gửi. Tôi có thể xem ảnh lại vào { $at } ({ $wait }).
limit-searches = Bạn đã dùng hết hạn mức hôm nay ({ $limit } lượt tìm web), nên tôi không tìm trên web. Tôi có thể tìm lại vào { $at } ({ $wait }).
limit-audio_seconds = Bạn đã dùng hết hạn mức hôm nay ({ $limit } giây âm thanh), nên tôi không nghe. Tôi có thể nghe lại vào { $at } ({ $wait }). Cho đến lúc đó, hãy viết cho tôi.
limit-wait = sau { $duration }
day-yesterday = hôm qua
day-today = hôm nay
day-tomorrow = ngày mai
media-too-large = Bản ghi quá lớn: tôi nhận tệp đến 20 MB.
media-unreadable = Tôi không đọc được bản ghi này; có thể nó bị hỏng. Hãy gửi lại.
image-empty = Ảnh bị trống. Hãy gửi lại.
image-too-large = Ảnh quá lớn: tôi nhận tệp đến 20 MB.
image-too-many-pixels = Ảnh có quá nhiều điểm ảnh. Hãy gửi bản nhỏ hơn.
image-unreadable = Tôi không đọc được ảnh; có thể ảnh bị hỏng. Hãy gửi lại.
image-format = Tôi không đọc được định dạng ảnh này. Hãy gửi JPEG, PNG hoặc WebP.
image-heif = Tôi không đọc được tệp HEIC và AVIF. Hãy gửi dưới dạng ảnh thay vì tệp: Telegram sẽ tự chuyển đổi.
image-animated = Tôi không xem được ảnh động. Hãy gửi ảnh tĩnh.
image-refused = Tôi không dùng được ảnh này. Hãy gửi ảnh khác.

# Commands
command-start = Bắt đầu ở đây
command-help = Tôi làm được những gì
command-new = Bắt đầu cuộc trò chuyện mới
command-stop = Dừng câu trả lời đang viết
command-retry = Trả lời lại câu hỏi gần nhất
command-sources = Tôi biết những gì
command-spaces = Các không gian tôi tra cứu
command-why = Câu trả lời gần nhất từ đâu mà có
command-status = Tôi đang làm gì cho bạn
command-language = Chọn ngôn ngữ của menu
command-privacy = Tôi lưu gì về bạn
command-memory = Tôi nhớ gì về bạn
command-export = Dữ liệu của bạn thành tệp
command-forget = Xóa mọi thứ về bạn
command-stats = Thống kê sử dụng
command-approvals = Câu trả lời chờ duyệt
admins-only = Lệnh này chỉ dành cho quản trị viên.
database-away = Hiện không kết nối được cơ sở dữ liệu của tôi. Hãy thử lại sau một phút.
button-not-yours = Nút này là của người khác.
never = chưa bao giờ
and-more = … và { $count } mục nữa
privacy-heading = Tôi lưu gì về bạn
privacy =
    Tôi lưu những thứ này trong cơ sở dữ liệu của người hoặc công ty vận hành tôi:
    • id và tên Telegram của bạn, tin nhắn của bạn và câu trả lời của tôi
    • những gì tôi nhớ về bạn, cùng việc cần làm, ghi chú và kế hoạch của bạn
    • thông tin đăng nhập danh sách việc của bạn, đã mã hóa, nếu bạn kết nối
    • dấu vân và mô tả của mỗi bức ảnh, không bao giờ lưu chính bức ảnh
    • chữ trong tệp, trang và bản ghi bạn gửi, không bao giờ lưu âm thanh
    • cách tôi quyết định mỗi câu trả lời, và 👍 hoặc 👎 của bạn
    • mức bạn dùng mỗi ngày: token, ảnh và lượt tìm

    Để trả lời, tôi gửi tin nhắn của bạn, cuộc trò chuyện và các đoạn tìm được đến mô hình ngôn ngữ do người vận hành chọn. Người dùng khác không bao giờ thấy.
new-conversation = Chúng ta bắt đầu cuộc trò chuyện mới. Tôi không dùng những gì đã nói trước đó nữa, nhưng vẫn nhớ những gì bạn kể về mình.
language = Menu và phần trợ giúp nên dùng ngôn ngữ nào? Câu trả lời của tôi theo ngôn ngữ câu hỏi của bạn.
language-auto = Tự động
language-chosen =
    { $chosen ->
        [auto] Menu và thông báo theo ngôn ngữ của ứng dụng Telegram và của tin nhắn bạn viết.
       *[other] Từ giờ menu và thông báo dùng tiếng Việt. Câu trả lời vẫn theo ngôn ngữ câu hỏi của bạn.
    }
language-not-spoken = Tôi chưa biết ngôn ngữ đó. Hãy chọn một trong các ngôn ngữ này, hoặc gửi /language kèm tên của nó.
status-sound = Số giây âm thanh đã nghe và nói hôm nay: { $seconds }.
sources-none = Tôi chưa có tài liệu nào. Người vận hành có thể thêm bằng `ingest add-source`.
spaces = Những không gian tài liệu này mở cho bạn. Tôi tìm trong các không gian có dấu ✓; ở các không gian khác chỉ khi bạn nêu tên. Chạm vào một không gian để thay đổi.
spaces-none = Mọi tài liệu tôi tra cứu cho bạn đều mở cho tất cả những ai được dùng tôi.
sources-known = Tôi biết { $sources } nguồn với { $documents } tài liệu ({ $passages } đoạn):
sources-line = • { $name }: { $documents } tài liệu, { $passages } đoạn, đồng bộ lần cuối: { $synced }
sources-line-internal = • { $name } (về tôi): { $documents } tài liệu, { $passages } đoạn, đồng bộ lần cuối: { $synced }
passage-gone = Đoạn này không còn trong tài liệu của tôi.
passage-read = Đọc đoạn này
why-button = Vì sao?
why-nothing = Tôi chưa trả lời gì. Hãy hỏi tôi trước.
why-no-answer = Tôi không có ghi chép về nguồn gốc tin nhắn đó. Hãy trả lời một câu trả lời của tôi bằng /why.
why-heading = Câu trả lời này từ đâu mà có
why-done-direct = Tôi trả lời ngay, không tra cứu gì.
why-done-rag =
    { $read ->
        [0] Tôi đã tìm trong tài liệu và không thấy gì về việc này.
       *[other] Tôi đã tìm trong tài liệu: đọc { $read } đoạn và trích dẫn { $cited }.
    }
why-done-web =
    { $read ->
        [0] Tôi đã tìm trên web và không thấy gì về việc này.
       *[other] Tôi đã tìm trên web: đọc { $read } kết quả và trích dẫn { $cited }.
    }
why-done-rag-web =
    { $read ->
        [0] Tôi đã tìm trong tài liệu rồi trên web, và không thấy gì về việc này.
       *[other] Tôi đã tìm trong tài liệu rồi trên web: đọc { $read } đoạn và trích dẫn { $cited }.
    }
why-web-failed =
    { $read ->
        [0] Tôi không tìm được trên web.
       *[other] Tôi không tìm được trên web; trong tài liệu tôi đọc { $read } đoạn và trích dẫn { $cited }.
    }
why-reason = Lý do: { $reason }
looked-for = Đã tìm: “{ $query }”
why-further-queries = Sau đó tìm: “{ $query }”
why-photo = Ảnh: tôi đã xem
why-photo-asked = Ảnh: tôi đã xem lại theo câu hỏi của bạn
why-memory = Đã nhớ: { $count } điều về bạn (xem /memory)
why-recalled = • { $text }
why-summary = Đã nhớ: bản tóm tắt những gì đã nói trước đó
why-past = Từ phần trước của cuộc trò chuyện:
why-past-turn = • { $date }: “{ $text }”
why-read-document =
    Tài liệu: { $read ->
        [0] không tìm thấy gì
       *[other] đã đọc { $read } đoạn
    }
why-read-web =
    Web: { $read ->
        [0] không tìm thấy gì
       *[other] đã đọc { $read } kết quả
    }
why-doubted = Kiểm tra: { $count } câu có vẻ đáng ngờ
why-planned = Số việc mà riêng tin nhắn của bạn đã yêu cầu: { $count }
why-repaired = Kiểm tra: bản đầu không trích dẫn gì, hoặc có câu không có nguồn, nên tôi đã nhờ mô hình viết lại
why-permitted = Lệnh gọi đã chạy mà không hỏi vì bạn luôn cho phép (/tools): { $count }
why-unsupported = Kiểm tra: { $count } câu không có nguồn, như câu trả lời đã ghi
why-contradicted = Kiểm tra: { $count } câu trái với các nguồn, như câu trả lời đã ghi
why-judged = Kiểm tra: số câu đã đối chiếu với nguồn: { $count }
why-unjudged = Kiểm tra: số câu không đối chiếu được, như câu trả lời đã nêu: { $count }
why-unsampled = Kiểm tra: số câu không đối chiếu vì chỉ một phần câu trả lời được kiểm tra: { $count }
why-second_look_failed = Vấn đề: mô hình lập kế hoạch không kiểm tra được câu trả lời
why-check-left-out = Không có mô hình kiểm tra, vì sẽ mất quá nhiều thời gian
why-refused = Kiểm tra: không có gì tôi đọc được xác nhận điều mô hình viết, nên tôi không hiển thị
why-planner_failed = Vấn đề: mô hình lập kế hoạch không đưa ra kế hoạch, nên chỉ tìm trong tài liệu đã đăng ký
why-further_search_failed = Vấn đề: mô hình lập kế hoạch không nói được còn thiếu điều gì
why-look-left-out = Không tìm thêm, vì sẽ mất quá nhiều thời gian
why-embedding_failed = Vấn đề: tôi chỉ tìm được theo từ, không theo nghĩa
why-rerank_failed = Vấn đề: việc sắp xếp các đoạn tìm được bị lỗi hoặc mất quá nhiều thời gian, nên chúng giữ nguyên thứ tự tìm kiếm
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, đã trích dẫn)
why-models = Mô hình: { $models }
why-calls = Số lần gọi mô hình: { $calls }, trong đó nối tiếp nhau trước từ đầu tiên: { $before }. Token đã đọc: { $read }, trong đó máy chủ dùng lại: { $cached }
why-times =
    { $steps ->
        [blank] Thời gian: { $total } giây
       *[other] Thời gian: { $total } giây ({ $steps })
    }
why-reference = Mã tham chiếu cho người vận hành: { $request_id }
step-N1_ingest_input = đọc { $seconds }
step-N2_load_long_term_memory = nhớ lại { $seconds }
step-N13_read_files = đọc tệp { $seconds }
step-N3_vision_summarize = xem ảnh { $seconds }
step-N4_build_effective_query = lập kế hoạch { $seconds }
step-N5_retrieve = tìm trong tài liệu { $seconds }
step-N14_search_further = tìm thêm { $seconds }
step-N8_web_search = tìm trên web { $seconds }
step-N6_synthesize = viết { $seconds }
step-N7_persist = lưu { $seconds }
step-N9_ask_back = hỏi lại { $seconds }
step-N10_take_answer = đọc câu trả lời của bạn { $seconds }
step-N11_request_approval = xin duyệt { $seconds }
rated = Cảm ơn bạn đã góp ý.
rated-down = Cảm ơn bạn. Người vận hành tôi giờ có thể đọc câu hỏi và câu trả lời này.
rating-withdrawn = Tôi đã xóa góp ý của bạn.
status-answering =
    Tôi đang viết câu trả lời cho bạn. { $waiting ->
        [0] Không có tin nhắn nào khác đang chờ.
       *[other] Còn { $waiting } tin nhắn đang chờ.
    }
status-waiting =
    { $waiting ->
        [0] Mọi tin nhắn của bạn đã được trả lời.
       *[other] { $waiting } tin nhắn của bạn đang chờ trả lời.
    }
status-use = Hôm nay đã dùng: token { $tokens }, ảnh { $images }, lượt tìm web { $searches }, lượt gọi công cụ kết nối { $tool_calls }. Ngày mới bắt đầu vào { $at } ({ $wait }).
use-free = { $used }
use-limited = { $used } trên { $limit }
status-documents = Tài liệu: { $documents }, trong { $passages } đoạn; đồng bộ lần cuối: { $synced }
status-documents-away = Tài liệu: hiện không kết nối được cơ sở dữ liệu.
status-out-of-reach = ⚠️ Không kết nối được ({ $duration }): { $problem }
status-models = Mô hình: { $chat } viết, { $vision } xem ảnh
status-version = rich-agent { $version }
memory-empty = Tôi chưa nhớ gì về bạn. Hãy kể điều gì đó về bạn, tôi sẽ nhớ.
memory-known = Tôi nhớ { $count } điều về bạn. Chạm vào một số để tôi quên điều đó.
memory-facts = Thông tin
memory-preferences = Sở thích
memory-tasks = Việc cần làm
memory-past = đã qua
memory-planned = dự định
memory-item = { $text } ({ $told })
memory-item-due = { $text } – hạn { $due } ({ $told })
memory-deleted = Đã quên. Tin nhắn bạn kể điều này vẫn còn trong cuộc trò chuyện. Viết “hãy quên …” để xóa luôn.
forgetting-told = Tôi quên điều này nhé?
forgetting-everything = Tôi quên mọi điều bạn đã kể và chúng ta đã nói nhé? Đó là { $memory } điều tôi nhớ và { $messages } tin nhắn cùng câu trả lời.
forgetting-named = Những mục này chỉ nhắc đến nó. Chúng sẽ được giữ, trừ khi bạn chọn quên luôn:
forgetting-only-named = Tôi không thấy gì rõ ràng là về việc đó. Tôi quên những mục chỉ nhắc đến nó nhé?
forgetting-of-memory = Điều tôi nhớ:
forgetting-of-thing = Việc cần làm, ghi chú và kế hoạch của bạn:
forgetting-of-file = Tệp của bạn:
forgetting-of-message = Tin nhắn của bạn, cùng câu trả lời của tôi:
forgetting-of-summary = Trong bản tóm tắt những gì đã nói trước đó:
forgetting-more = … và { $count } mục nữa.
forgetting-final = Việc này không hoàn tác được. Hãy chạm vào một nút.
forgetting-yes = Quên đi
forgetting-yes-all = Quên tất cả
forgetting-no = Giữ tất cả
forgetting-done = Đã quên: { $memory } điều đã nhớ và { $messages } tin nhắn cùng câu trả lời. Chúng đã biến mất khỏi trí nhớ của tôi, cuộc trò chuyện, bản tóm tắt, kho lưu trữ và bản ghi mà /export cho xem. Những gì bạn thấy trong khung chat này vẫn còn cho đến khi bạn xóa trong Telegram.
forgetting-left = { $count } mục chỉ nhắc đến nó được giữ lại, như bạn chọn.
forgetting-done-everything = Cài đặt, góp ý và bản ghi sử dụng của bạn vẫn còn; /forget xóa cả những thứ đó.
forgetting-nothing = Tôi không tìm thấy gì về việc đó, cả trong trí nhớ lẫn cuộc trò chuyện, nên không xóa gì. /memory cho biết tôi nhớ gì về bạn.
forgetting-failed = Tôi không xác định được bạn muốn quên điều gì, vì mô hình gặp lỗi. Không có gì bị xóa. Hãy thử lại sau, hoặc dùng /memory và /forget.
forgetting-kept = Không có gì bị xóa.
forgetting-wish = (Yêu cầu quên một điều. Lời của yêu cầu không được lưu.)
planner-failed-note = Mô hình lập kế hoạch gặp lỗi. Nếu bạn yêu cầu tôi làm hoặc quên điều gì, chưa có gì được làm hay bị xóa: hãy yêu cầu lại, hoặc dùng /memory và /forget.
planner-failed-still = Chưa có gì được làm hay bị xóa.
exported =
    Đây là mọi thứ tôi lưu về bạn: { $messages } tin nhắn, { $decisions } quyết định{ $images ->
        [0] {""}
       *[other] , { $images } mô tả ảnh
    }, những gì tôi nhớ, cùng việc cần làm, ghi chú và kế hoạch của bạn. Tệp có định dạng JSON.
forget-confirm =
    Bạn muốn tôi xóa mọi thứ tôi lưu về bạn? Gồm cuộc trò chuyện, những gì tôi nhớ về bạn, việc cần làm, ghi chú và kế hoạch, cách tôi quyết định mỗi câu trả lời, góp ý, mô tả ảnh, chữ trong tệp và bản ghi, cùng cài đặt của bạn.

    Việc này không hoàn tác được. Tin nhắn trong khung chat này vẫn còn cho đến khi bạn xóa trong Telegram. Nếu muốn có bản sao dữ liệu, hãy gửi /export trước.
forget-yes = Vâng, xóa tất cả
forget-no = Không, giữ lại
forget-wish = Hãy quên những gì tôi đã nói về { $what }
command-alone = Tôi chưa làm gì: { $command } không đi kèm từ nào phía sau. Hãy gửi riêng lệnh này nếu đó là ý bạn.
secret-delete-yourself = Tôi không xóa được tin nhắn của bạn. Trong đó có mật khẩu, nên hãy tự xóa.
forget-kept = Không có gì bị xóa.
forgotten = Mọi thứ tôi lưu về bạn đã bị xóa. Nếu bạn viết lại, chúng ta bắt đầu từ đầu.
confirmation-over = Câu hỏi này đã hết hạn. Hãy gửi lại lệnh.
nothing-to-retry = Không có câu hỏi nào để trả lời lại. Hãy hỏi tôi trước.
stats-heading = Thống kê
stats-users = Người dùng: { $known }; { $day } trong ngày qua, { $week } trong 7 ngày; { $blocking } đã chặn tôi
stats-turns = Câu trả lời: { $day } trong ngày qua, { $week } trong 7 ngày
stats-plans = Kế hoạch, 7 ngày: { $plans }
stats-plan-direct = trực tiếp { $count }
stats-plan-rag = tài liệu { $count }
stats-plan-web = web { $count }
stats-plan-rag-web = tài liệu và web { $count }
stats-times = Thời gian trả lời, 7 ngày: p50 { $p50 } giây, p95 { $p95 } giây
stats-failures = Lỗi: { $broken } câu trả lời bị ngắt và { $undelivered } tin nhắn không gửi được trong 7 ngày, { $dead } cập nhật bị bỏ
stats-feedback = Góp ý: 👍 { $up }, 👎 { $down }
stats-use-day = Đã dùng hôm nay (UTC): token { $tokens }, ảnh { $images }, lượt tìm web { $searches }; { $cost }
stats-use-week = Đã dùng, 7 ngày: token { $tokens }, ảnh { $images }, lượt tìm web { $searches }; { $cost }
stats-cached = Trong số token đã đọc, phần máy chủ đã đọc trước đó: { $share } %
stats-cost = chi phí { $cost }
stats-cost-partly = chi phí { $cost }, không gồm { $models } (chưa đặt giá)
stats-cost-unknown = chưa đặt giá (MODEL_PRICES)
stats-price-table = Giá không có trong MODEL_PRICES: { $table }
stats-top-users = Dùng nhiều token nhất, 7 ngày: { $users }
stats-inbox = Cập nhật đang chờ: { $pending }
stats-approvals = Chờ duyệt: { $count } (/approvals)

# Approval
approval-waiting = Loại câu trả lời này có người đọc trước khi tôi gửi. Câu trả lời của bạn đang được xem, tôi sẽ gửi ngay khi được duyệt. Trong lúc đó bạn cứ viết tiếp.
approval-review =
    Câu trả lời { $number } đang chờ bạn duyệt.
    Từ: { $user }
    Loại: { $intent }
    Câu hỏi: { $question }

    Bản nháp ở bên dưới. Hãy trả lời nó bằng nội dung đã sửa, hoặc dùng các nút.
button-approve = Duyệt
button-correct = Sửa
button-reject = Từ chối
approval-correction = Câu trả lời { $number }: trả lời tin nhắn này bằng nội dung đã sửa. Người dùng sẽ đọc đúng như vậy.
approval-reason = Câu trả lời { $number }: trả lời tin nhắn này bằng lý do từ chối. Người dùng sẽ đọc được.
approval-words-missing = Tôi cần nội dung bằng chữ. Hãy trả lời lại đúng tin nhắn đó.
approval-is-approved =
    { $by ->
        [you] ✓ Bạn đã duyệt.
       *[other] ✓ { $admin } đã duyệt.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ Đã gửi với nội dung của bạn.
       *[other] ✎ Đã gửi với nội dung của { $admin }.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ Bạn đã từ chối.
       *[other] ✗ { $admin } đã từ chối.
    }
approval-is-expired = Không có quyết định kịp thời. Tôi đã báo cho người dùng.
approval-is-withdrawn = Người dùng đã đổi câu hỏi, nên bản nháp này không còn cần.
approval-approved = Câu trả lời này đã được xem và duyệt.
approval-corrected = Câu trả lời này đã được xem và sửa.
approval-rejected = Xin lỗi, tôi không thể trả lời câu này. Lý do: { $reason }
approval-expired = Xin lỗi, câu trả lời của tôi không được xem kịp thời. Hãy hỏi lại sau.
approvals-known =
    { $count ->
        [0] Không có câu trả lời nào chờ duyệt.
       *[other] { $count } câu trả lời chờ duyệt:
    }
approvals-line = • { $number }, từ { $since }, của { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = theo kế hoạch
reason-greeting = lời chào
reason-farewell = lời tạm biệt
reason-thanks = lời cảm ơn
reason-help = yêu cầu trợ giúp
reason-laughter = tiếng cười
reason-reaction = biểu tượng cảm xúc
reason-silence = tin nhắn không có từ nào để tra cứu
reason-number = một con số hoặc phép tính
reason-known_word = một từ có trong tài liệu đã đăng ký
reason-forget_wish = yêu cầu quên một điều
reason-stopped = bạn đã dừng trước khi lập kế hoạch
reason-no_web = chưa thiết lập tìm kiếm web
reason-no_plan = mô hình lập kế hoạch không đưa ra kế hoạch, nên chỉ tìm trong tài liệu đã đăng ký, không tìm trên web
reason-file_read = tin nhắn nói về tệp bạn đã gửi
reason-file_refused = không đọc được tệp nào bạn đã gửi
reason-about_bot = câu hỏi về tôi được trả lời từ tài liệu của chính tôi
reason-about_now = câu trả lời phụ thuộc vào hiện tại, nên đã tìm trên web
reason-documents_first = tài liệu đã đăng ký được ưu tiên hơn web
reason-documents_may_say = tài liệu đã đăng ký có thể có câu trả lời
reason-documents_wanted = bạn hỏi tài liệu nói gì
reason-web_ruled_out = tin nhắn có thể riêng tư, nên không tìm trên web
reason-say_little = tài liệu đã đăng ký nói ít về việc này, nên đã tìm thêm trên web
reason-say_little_on = tài liệu đã đăng ký nói ít về “{ $subject }”, nên đã tìm thêm trên web

# Alerts for admins
alert-credit = ⚠️ Tài khoản trên máy chủ mô hình đã hết tiền ({ $service }), nên tôi không trả lời được ai. { $hint } Sau đó chạy `rich-agent inbox replay --all` để các câu hỏi bị lỡ được trả lời. Thông báo này gửi nhiều nhất mỗi giờ một lần.
alert-key = ⚠️ Máy chủ mô hình không chấp nhận khóa ({ $service }), nên tôi không trả lời được ai. { $hint } Sau đó chạy `rich-agent inbox replay --all` để các câu hỏi bị lỡ được trả lời. Thông báo này gửi nhiều nhất mỗi giờ một lần.
alert-away = ⚠️ Máy chủ mô hình ({ $service }) không nhận yêu cầu cho đến { $at }. Người dùng được nhắn hỏi lại sau đó. Để tránh việc này, hãy nâng hạn mức hoặc dùng máy chủ khác. Thông báo này gửi nhiều nhất mỗi giờ một lần.
alert-lesson = ⚠️ Tôi đã thử nhiều ngày để cập nhật trí nhớ về một người dùng từ một tin nhắn, rồi phải bỏ. Lý do có trong nhật ký. Thông báo này gửi nhiều nhất mỗi giờ một lần.
alert-refused = ⚠️ Máy chủ mô hình từ chối một yêu cầu của tôi: { $problem } { $hint } Tôi vẫn tiếp tục trong khả năng mà không cần đến nó. Tôi gửi tin này nhiều nhất một lần mỗi giờ.

# Tools: what each is for, and what is happening while it runs.
status-acting = Đang dùng { $tool }…
tool-list_files = Tệp của bạn
tool-undo_last_change = Hoàn tác thay đổi gần nhất
tool-search_documents = Tài liệu
tool-search_web = Tìm trên web
tool-request_more_information = Câu hỏi dành cho bạn
doing-list_files = Đang xem các tệp của bạn…
doing-undo_last_change = Đang hoàn tác thay đổi gần nhất…
doing-search_documents = Đang tìm trong tài liệu…
doing-search_web = Đang tìm trên web…
approve-calls = Tôi muốn làm việc này. Được chứ?
approve-not-planned = Chỉ riêng tin nhắn của bạn không yêu cầu việc này. Hãy xem kỹ.
approve-yes = Đồng ý
approve-no = Hủy
approve-words-yes = có|vâng|ừ|được|đồng ý|ok
approve-words-no = không|hủy
card-labelled = { $label }: { $text }
card-not-done = Chưa thực hiện.
approve-adjust = Chỉnh lại
approve-how-to-adjust = Hãy viết điều cần đổi, tôi sẽ đề xuất lại.
approve-always = Luôn cho việc này
approve-always-same = “{ $always }” là đồng ý, và từ đó cùng lệnh gọi này chạy mà không hỏi. Có thể rút lại bằng /tools.
approve-always-alike = “{ $always }” là đồng ý, và từ đó các lệnh gọi có cùng { $fixed } chạy mà không hỏi, dù phần còn lại là gì. Có thể rút lại bằng /tools.
web-approve-in-words = Trả lời “{ $yes }” hoặc “{ $no }”, hoặc viết điều cần đổi.
card-characters-left-out = Số ký tự còn lại: { $count }
card-arguments-left-out = Số mục còn lại: { $count }
card-in-file = Ở đây không đủ chỗ cho tất cả. Tệp “approval.txt” có toàn bộ nội dung. Hãy đọc trước khi quyết định.
card-copied-from = Sao chép từ: { $sources }
copied-user = tin nhắn của bạn
copied-memory = những gì tôi lưu cho bạn
copied-assistant = một câu trả lời trước
copied-operator = người vận hành bot
copied-document = tài liệu
copied-page = trang web
copied-file = tệp
copied-server = chương trình khác
copied-other = người khác
card-takes-back = Sẽ hoàn tác
argument-duration = Thời lượng
argument-yes = có
argument-no = không
argument-none = không có
approve-cancelled = Đã hủy. Không có gì thay đổi.
acting-limit-calls = Tôi đã đạt giới hạn 10 thao tác cho một tin nhắn. Hãy viết “tiếp tục” nếu còn việc phải làm.
acting-limit-errors = Có lỗi ba lần liên tiếp nên tôi dừng lại. Không có gì thay đổi thêm.
undo-button = Hoàn tác
undo-done = Đã hoàn tác:
undo-too-late = Việc này không hoàn tác được nữa.
step-N12_act = thực hiện { $seconds }

reason-in_group = trong nhóm tôi chỉ trả lời từ tài liệu đã đăng ký
reason-link_ignored = bạn muốn không đọc liên kết
reason-link_kept = bạn muốn ghi nhớ trang
reason-link_read = trang trong liên kết của bạn đã được đọc
reason-in_session = tin nhắn này thuộc một phiên hướng dẫn
reason-session_left = bạn muốn kết thúc phiên hướng dẫn

timeline-left-out = và { $count } mục nữa
command-timezone = Chọn múi giờ
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [1] mỗi giờ
           *[other] mỗi { $count } giờ
        }
        [daily] { $count ->
            [1] mỗi ngày
           *[other] mỗi { $count } ngày
        }
        [weekly] { $count ->
            [1] mỗi tuần
           *[other] mỗi { $count } tuần
        }
        [monthly] { $count ->
            [1] mỗi tháng
           *[other] mỗi { $count } tháng
        }
       *[yearly] { $count ->
            [1] mỗi năm
           *[other] mỗi { $count } năm
        }
    }
time-zone-none = Tôi chưa biết múi giờ của bạn. Hãy chọn ở đây, hoặc gửi /timezone kèm tên như Asia/Ho_Chi_Minh.
time-zone = Múi giờ của bạn là { $zone }. Ở đó bây giờ là { $now }. Để đổi, hãy gửi /timezone kèm tên khác.
time-zone-chosen = Múi giờ của bạn là { $zone }. Ở đó bây giờ là { $now }. Lời nhắc lặp lại sẽ theo múi giờ này.
time-zone-near = Tôi không biết múi giờ { $name }. Ý bạn là một trong các tên này?
time-zone-which = { $name } có nhiều múi giờ. Múi giờ của bạn là múi nào?
time-zone-unknown = Tôi không biết múi giờ { $name }. Tên gồm khu vực và thành phố, ví dụ Asia/Ho_Chi_Minh.

# The page of a passage.
passage-place = { $source } · đoạn { $position } trên { $count }
passage-before = ← Trước
passage-after = Sau →

# The page of a browser while the bot starts.
bot-starting = Bot đang khởi động…

# Calls that a user permitted for good (/tools).
command-tools = Xem những gì được chạy mà không hỏi
tools-none = Bạn chưa cho phép lâu dài lệnh gọi nào. Ở nơi an toàn, câu hỏi trước lệnh gọi có nút “Luôn cho việc này”.
tools-about = Các lệnh gọi này chạy mà không hỏi bạn. ✕ rút lại sự cho phép, /tools kèm số thứ tự cũng vậy.
tools-given-on = cho phép { $day }
tools-used = số lần gọi: { $count }
tools-any = bất kỳ
tools-changed = Công cụ đã thay đổi từ đó, nên lệnh gọi như vậy sẽ hỏi lại.
tools-take-all-back = Rút lại tất cả
tools-taken-back = Đã rút lại. Lệnh gọi như vậy sẽ hỏi lại bạn.

# Outside Telegram.
only-in-telegram = Tính năng này chỉ hoạt động đầy đủ trong Telegram: hãy gửi { $command } ở đó.

run-not-latest = Chỉ có thể trả lời lại câu hỏi mới nhất của cuộc trò chuyện.

# What is asked in groups.
guest-user-limit = Bạn đã dùng hết số câu hỏi trong nhóm hôm nay. Hãy hỏi tôi trong chat riêng.
guest-group-limit = Nhóm này đã hỏi nhiều trong một giờ qua. Hãy thử lại sau, hoặc hỏi tôi trong chat riêng.
guest-withheld = Tôi không thể trả lời việc này trong nhóm. Hãy hỏi tôi trong chat riêng.
guest-answer-cut = Đây là phần đầu của một câu trả lời dài hơn. Để xem toàn bộ, hãy hỏi tôi trong chat riêng.
guest-answered-privately = Tôi đã trả lời bạn trong chat riêng.

## Files
file-page = trang { $number }
file-sheet-named = trang tính { $heading }
file-sheet-numbered = trang tính { $number }
file-slide-named = trang chiếu { $number }: { $heading }
file-slide-numbered = trang chiếu { $number }
ask-about-files =
    { $count ->
       *[other] Tôi đã đọc { $names }. Bạn muốn biết gì?
    }
file-topic-summary = Tóm tắt
file-topic-points = Liệt kê các ý chính
file-read-whole = Tôi đã đọc toàn bộ { $name }.
file-macros = Các macro trong { $name } không được chạy.
file-read-in-parts = Tôi đã đọc toàn bộ { $name }, chia thành { $parts } phần.
file-read-partly = { $name } dài: tôi đã đọc { $read } trên { $units } phần. Hãy hỏi về phần còn lại, hoặc về một phần.
file-searched = { $name } dài: tôi đã tìm theo câu hỏi của bạn và không đọc hết.
file-parts-unread = Tôi không đọc được { $parts } trong { $name }.
file-part-attachment = { $count } tệp đính kèm
file-part-chart = { $count } biểu đồ
file-part-diagram = { $count } sơ đồ
file-part-drawing = { $count } hình vẽ
file-part-equation = { $count } phương trình
file-part-field = { $count } trường biểu mẫu
file-part-file = { $count } tệp
file-part-formula = { $count } công thức chưa lưu kết quả
file-part-letter = { $count } ký tự
file-part-object = { $count } đối tượng nhúng
file-part-page = { $count } trang không có chữ
file-part-picture = { $count } hình ảnh
file-part-remark = { $count } nhận xét
file-part-row = { $count } hàng
file-part-sheet = { $count } trang tính
file-part-slide = { $count } trang chiếu không có chữ
file-refused-too-large = “{ $name }” lớn hơn 20 MB, vượt mức Telegram cho tôi tải. Hãy gửi tệp nhỏ hơn, hoặc chia nhỏ.
file-refused-too-long = “{ $name }” quá dài để đọc. Hãy gửi riêng phần quan trọng thành một tệp.
file-refused-unsupported = Tôi không đọc được “{ $name }”. Tôi đọc PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, EML, MSG, MHTML, ZIP và văn bản thuần. Hãy lưu thành một trong các loại này rồi gửi lại.
file-refused-old-office = “{ $name }” ở định dạng Office cũ. Hãy lưu thành DOCX, XLSX, PPTX hoặc PDF rồi gửi lại.
file-refused-archive = “{ $name }” được nén theo cách mà tôi không mở được. Hãy gửi dưới dạng ZIP, hoặc gửi các tệp bên trong.
file-refused-encrypted = “{ $name }” được bảo vệ bằng mật khẩu. Hãy lưu không mật khẩu rồi gửi lại.
file-refused-empty = Tôi không thấy chữ trong “{ $name }”. Nếu có nội dung, hãy gửi dưới dạng PDF hoặc ảnh.
file-refused-damaged = “{ $name }” bị hỏng, hoặc không đúng loại như tên. Hãy mở ra, lưu lại rồi gửi bản mới.
file-refused-gone = Tôi không lấy được “{ $name }”: tệp không còn nữa. Hãy gửi lại.
file-keep-button = Ghi nhớ
file-only-here-button = Chỉ ở đây
file-kept =
    { $count ->
       *[other] Tôi sẽ nhớ tệp này. /files cho xem nó.
    }
file-not-kept =
    { $count ->
       *[other] Tôi sẽ quên tệp này cùng với cuộc trò chuyện này (/new).
    }
file-forgotten = Đã quên.
files-none = Bạn chưa có tệp nào ở đây. Hãy gửi một tệp: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV hoặc văn bản.
files-title = { $count } tệp của bạn:
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, đã nhớ
files-line-unread = Chưa đọc được: { $parts }.
files-hint = 📌 nhớ tệp sau cuộc trò chuyện này, hoặc thôi nhớ. 🗑 quên tệp.
command-files = Tệp của bạn: xem, ghi nhớ, quên

# Links.
ask-about-links =
    { $count ->
        [1] Tôi nên làm gì với liên kết này? { $links }
       *[other] Tôi nên làm gì với các liên kết này? { $links }
    }
link-wish-summary = Tóm tắt
link-wish-keep = Ghi nhớ
link-wish-ignore = Bỏ qua
link-ignored = Được rồi, tôi không đọc.
link-kept =
    { $count ->
        [1] Tôi đã đọc và ghi nhớ “{ $names }”. Cứ hỏi tôi bất cứ lúc nào; /files cho xem trang này.
       *[other] Tôi đã đọc và ghi nhớ: { $names }. Cứ hỏi tôi bất cứ lúc nào; /files cho xem các trang này.
    }
page-refused-private = Tôi không đọc { $name }: địa chỉ đó dẫn vào mạng riêng.
page-refused-robots = Tôi không được đọc { $name }: trang web đó không cho chương trình truy cập. Hãy gửi nội dung, hoặc gửi trang dưới dạng tệp.
page-refused-closed = { $name } chỉ mở cho người đã đăng nhập. Hãy gửi nội dung, hoặc gửi trang dưới dạng tệp.
page-refused-gone = Không có trang nào ở { $name }. Địa chỉ đã đầy đủ chưa?
page-refused-too-large = Trang { $name } quá lớn đối với tôi. Hãy gửi phần quan trọng.
page-refused-too-long = Trang { $name } quá dài đối với tôi. Hãy gửi phần quan trọng.
page-refused-slow = { $name } trả lời quá chậm. Hãy thử lại sau.
page-refused-away = Tôi không lấy được { $name }: trang web gặp sự cố hoặc không truy cập được. Hãy thử lại sau.
page-refused-empty = Tôi không thấy chữ nào ở { $name }. Có thể trang chỉ hiện cho người, hoặc sau khi đăng nhập. Hãy gửi nội dung.
page-refused-made-by-scripts = Tôi không thấy chữ nào ở { $name }: trang chỉ được điền trong trình duyệt. Hãy gửi nội dung, hoặc lưu trang trong trình duyệt rồi gửi tệp.
page-refused-consent = Ở { $name } tôi chỉ thấy một câu hỏi với các nút, chẳng hạn xin đồng ý, không thấy trang phía sau. Hãy gửi nội dung, hoặc gửi trang dưới dạng tệp.
page-refused-unsupported = { $name } không phải trang hay tài liệu mà tôi đọc được.
page-refused-old-office = Tệp ở { $name } có định dạng Office cũ, tôi không đọc được.
page-refused-archive = Tệp tại { $name } được nén theo cách mà tôi không mở được.
page-refused-encrypted = Tệp ở { $name } được bảo vệ bằng mật khẩu.
page-refused-damaged = Tệp ở { $name } bị hỏng, hoặc không đúng loại như tên.
page-refused-too-many-links = Tôi không đọc { $name }: số liên kết vượt quá mức tôi đọc cho một tin nhắn.

# The demo.
demo-about-stand-in = Đây là bản dùng thử trên máy của bạn. Bot là thật; Telegram và mô hình ngôn ngữ chỉ là mô phỏng, và mô hình này chỉ biết trích dẫn. Để dùng mô hình thật: “Kết nối mô hình”, hoặc OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = Đây là bản dùng thử trên máy của bạn. Bot và mô hình ngôn ngữ ({ $model }) là thật; Telegram chỉ là mô phỏng.
demo-about-operator = Bạn đang viết với vai Ada, người vận hành bot này: /help cũng cho biết người vận hành làm được gì.
pages-skip = Đến nội dung
pages-elsewhere = Trang khác
pages-sign-in = Hãy đăng nhập
pages-from-elsewhere = Một liên kết trên trang khác đã dẫn bạn đến đây.
pages-open = Mở trang
pages-not-for-you = Bạn không được xem trang này. Hãy xin chủ bot một vai trò.
pages-problem = Không thực hiện được
pages-problem-back = Quay lại; nội dung bạn nhập vẫn còn.
pages-gone = Không tìm thấy
pages-gone-how = Ở đây không có gì, hoặc không còn nữa.
pages-later = Bot hiện không trả lời được. Hãy thử lại sau giây lát.
pages-unsent = Chưa gửi gì: không kết nối được với bot. Hãy thử lại.
pages-as-table = Dạng bảng
pages-cancel = Hủy
pages-copy = Sao chép
pages-copied = Đã sao chép
pages-pages = Các trang của danh sách
pages-first = Về đầu
pages-next = Thêm
pages-search = Tìm

# The pages of users.
panel-save = Lưu
widget-unanswered = Không có phản hồi. Vui lòng thử lại.
widget-wait = Việc này lâu hơn một chút, nhưng sẽ được thực hiện.
