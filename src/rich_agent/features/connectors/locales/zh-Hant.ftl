connectors-source-away = ⚠️ 目前無法讀取 { $source } 的文件（{ $problem }）。我會繼續用現有內容回答，並自動重試。恢復後我會告訴你。
connectors-source-back = ✅ { $source } 的文件又可以讀取了。
