voice-cannot-read-video-note = 我還無法聽影片訊息：管理者需要先設定 TRANSCRIPTION_MODEL。在那之前，請把問題寫下來，或者傳張照片。
voice-cannot-read-voice = 我還無法聽語音訊息：管理者需要先設定 TRANSCRIPTION_MODEL。在那之前，請把問題寫下來；也可以用鍵盤上的麥克風輸入。
voice-cannot-read-audio = 我還無法聽音訊：管理者需要先設定 TRANSCRIPTION_MODEL。在那之前，請寫下你想知道的內容。
voice-more = 其餘內容見文字。
voice-silent = 我在這段錄音裡沒有聽到話語。請重新錄製，或者用文字寫給我。
voice-refused = 抱歉，轉寫錄音的伺服器沒有接受這一段。請改用文字。管理者可以在記錄檔裡查到原因。
voice-unheard = 抱歉，我沒能聽：轉寫錄音的伺服器沒有回應。請過幾分鐘再傳一次，或者用文字寫給我。
command-voice = 選擇哪些回答用語音
voice = 哪些回答要唸出來？文字總會一併傳送。
voice-off = 都不唸
voice-in-kind = 回覆語音訊息時
voice-always = 總是
voice-chosen =
    { $mode ->
        [off] 從現在起我只用文字。
        [in_kind] 你發語音訊息時，我會唸出回答。
       *[always] 從現在起我會唸出每個回答。
    }
voice-unknown = 請傳送 /voice off、/voice in kind 或 /voice always。
voice-none = 我沒有聲音：管理者需要先設定 SPEECH_MODEL。

# The pages of users.
voice-page = 語音
