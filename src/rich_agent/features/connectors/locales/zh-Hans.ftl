connectors-source-away = ⚠️ 目前无法读取 { $source } 的文档（{ $problem }）。我会继续用已有内容回答，并自动重试。恢复后我会告诉你。
connectors-source-back = ✅ { $source } 的文档又可以读取了。
