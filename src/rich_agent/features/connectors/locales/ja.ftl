connectors-source-away = ⚠️ { $source } の文書を今は読み込めません（{ $problem }）。手元にある内容で回答を続け、自動で再試行します。復旧したらお知らせします。
connectors-source-back = ✅ { $source } の文書を再び読み込めるようになりました。
