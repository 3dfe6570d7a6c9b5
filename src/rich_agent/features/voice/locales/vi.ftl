voice-cannot-read-video-note = Tôi chưa nghe được tin nhắn video: người vận hành cần đặt TRANSCRIPTION_MODEL. Trong lúc đó, hãy viết câu hỏi, hoặc gửi ảnh.
voice-cannot-read-voice = Tôi chưa nghe được tin nhắn thoại: người vận hành cần đặt TRANSCRIPTION_MODEL. Trong lúc đó, hãy viết câu hỏi; micrô trên bàn phím có thể gõ giúp bạn.
voice-cannot-read-audio = Tôi chưa nghe được âm thanh: người vận hành cần đặt TRANSCRIPTION_MODEL. Trong lúc đó, hãy viết điều bạn muốn biết.
voice-more = Phần còn lại có trong văn bản.
voice-silent = Tôi không nghe thấy lời nào trong bản ghi này. Hãy ghi lại, hoặc viết cho tôi.
voice-refused = Xin lỗi, máy chủ chép lời không chấp nhận bản ghi này. Hãy viết cho tôi. Người vận hành có thể xem lý do trong nhật ký.
voice-unheard = Xin lỗi, tôi không nghe được: máy chủ chép lời không trả lời. Hãy gửi lại sau vài phút, hoặc viết cho tôi.
command-voice = Chọn câu trả lời nào được đọc
voice = Tôi nên đọc thành tiếng những câu trả lời nào? Văn bản luôn có kèm.
voice-off = Không đọc
voice-in-kind = Khi bạn gửi thoại
voice-always = Luôn luôn
voice-chosen =
    { $mode ->
        [off] Từ giờ tôi chỉ viết.
        [in_kind] Tôi sẽ nói khi bạn gửi tin nhắn thoại.
       *[always] Từ giờ tôi đọc mọi câu trả lời.
    }
voice-unknown = Hãy gửi /voice off, /voice in kind hoặc /voice always.
voice-none = Tôi chưa có giọng nói: người vận hành cần đặt SPEECH_MODEL.

# The pages of users.
voice-page = Giọng nói
