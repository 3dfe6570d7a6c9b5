connectors-source-away = ⚠️ Ahora no se pueden leer los documentos de { $source }: { $problem }. Sigo respondiendo con lo que tengo y volveré a intentarlo por mi cuenta. Te avisaré cuando vuelva a funcionar.
connectors-source-back = ✅ Los documentos de { $source } se pueden leer de nuevo.
