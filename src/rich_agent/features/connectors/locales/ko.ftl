connectors-source-away = ⚠️ 지금 { $source }의 문서를 읽을 수 없습니다({ $problem }). 가지고 있는 내용으로 계속 답하며 자동으로 다시 시도합니다. 다시 되면 알려 드리겠습니다.
connectors-source-back = ✅ { $source }의 문서를 다시 읽을 수 있습니다.
