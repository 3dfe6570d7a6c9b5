connectors-source-away = ⚠️ The documents of { $source } cannot be read now: { $problem }. I still answer from what I have, and try again by myself. I tell you when it works again.
connectors-source-back = ✅ The documents of { $source } can be read again.
