voice-cannot-read-video-note = 我还听不了视频消息：运营者需要先设置 TRANSCRIPTION_MODEL。在那之前，请把问题写下来，或者发张照片。
voice-cannot-read-voice = 我还听不了语音消息：运营者需要先设置 TRANSCRIPTION_MODEL。在那之前，请把问题写下来；也可以用键盘上的麦克风输入。
voice-cannot-read-audio = 我还听不了音频：运营者需要先设置 TRANSCRIPTION_MODEL。在那之前，请写下你想知道的内容。
voice-more = 其余内容见文字。
voice-silent = 我在这段录音里没有听到话语。请重新录制，或者用文字写给我。
voice-refused = 抱歉，转写录音的服务器没有接受这一段。请改用文字。运营者可以在日志里查到原因。
voice-unheard = 抱歉，我没能听：转写录音的服务器没有响应。请过几分钟再发一次，或者用文字写给我。
command-voice = 选择哪些回答用语音
voice = 哪些回答要念出来？文字总会一并发送。
voice-off = 都不念
voice-in-kind = 回复语音消息时
voice-always = 总是
voice-chosen =
    { $mode ->
        [off] 从现在起我只用文字。
        [in_kind] 你发语音消息时，我会念出回答。
       *[always] 从现在起我会念出每个回答。
    }
voice-unknown = 请发送 /voice off、/voice in kind 或 /voice always。
voice-none = 我没有声音：运营者需要先设置 SPEECH_MODEL。

# The pages of users.
voice-page = 语音
