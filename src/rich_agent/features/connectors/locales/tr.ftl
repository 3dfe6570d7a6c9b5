connectors-source-away = ⚠️ { $source } kaynağındaki belgeler şu anda okunamıyor: { $problem }. Elimdekilerle yanıt vermeyi sürdürüyorum ve kendiliğimden yeniden deneyeceğim. Düzelince haber veririm.
connectors-source-back = ✅ { $source } kaynağındaki belgeler yeniden okunabiliyor.
