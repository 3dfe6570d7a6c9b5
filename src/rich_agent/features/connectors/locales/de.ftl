connectors-source-away = ⚠️ Die Dokumente von { $source } lassen sich gerade nicht lesen: { $problem }. Ich antworte weiter aus dem, was ich habe, und versuche es von selbst wieder. Sobald es wieder geht, melde ich mich.
connectors-source-back = ✅ Die Dokumente von { $source } lassen sich wieder lesen.
