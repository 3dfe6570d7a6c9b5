connectors-source-away = ⚠️ Nie można teraz odczytać dokumentów ze źródła { $source }: { $problem }. Nadal odpowiadam na podstawie tego, co mam, i sam spróbuję ponownie. Dam znać, gdy znów zacznie działać.
connectors-source-back = ✅ Dokumenty ze źródła { $source } można znowu odczytywać.
