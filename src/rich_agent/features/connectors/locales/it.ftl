connectors-source-away = ⚠️ Al momento i documenti di { $source } non si possono leggere: { $problem }. Continuo a rispondere con quello che ho e riprovo da solo. Ti avviso quando funziona di nuovo.
connectors-source-back = ✅ I documenti di { $source } si possono leggere di nuovo.
