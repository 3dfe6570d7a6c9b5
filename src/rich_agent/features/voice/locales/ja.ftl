voice-cannot-read-video-note = ビデオメッセージはまだ聞けません。運用者が TRANSCRIPTION_MODEL を設定する必要があります。それまでは質問を文字で書くか、写真を送ってください。
voice-cannot-read-voice = ボイスメッセージはまだ聞けません。運用者が TRANSCRIPTION_MODEL を設定する必要があります。それまでは質問を文字で書いてください。キーボードの音声入力も使えます。
voice-cannot-read-audio = 音声ファイルはまだ聞けません。運用者が TRANSCRIPTION_MODEL を設定する必要があります。それまでは、知りたいことを言葉で書いてください。
voice-more = 続きは文章をご覧ください。
voice-silent = この録音からは言葉を聞き取れませんでした。もう一度録音するか、文字で送ってください。
voice-refused = すみません。録音を文字にするサーバーがこの録音を受け付けませんでした。文字で送ってください。理由は運用者がログで確認できます。
voice-unheard = すみません。録音を文字にするサーバーが応答しないため、聞き取れませんでした。数分後にもう一度送るか、文字で送ってください。
command-voice = 声で答える範囲を選ぶ
voice = どの答えを声でもお届けしましょうか。文章はいつでも届きます。
voice-off = なし
voice-in-kind = ボイスメッセージへの答え
voice-always = すべて
voice-chosen =
    { $mode ->
        [off] これからは文章だけでお答えします。
        [in_kind] ボイスメッセージには声でもお答えします。
       *[always] これからはすべて声でもお答えします。
    }
voice-unknown = /voice off、/voice in kind、/voice always のどれかを送ってください。
voice-none = 声はありません。運用者が SPEECH_MODEL を設定する必要があります。

# The pages of users.
voice-page = 音声
