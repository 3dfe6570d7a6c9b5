connectors-source-away = ⚠️ Dokumen dari { $source } saat ini tidak dapat dibaca: { $problem }. Saya tetap menjawab dari yang sudah ada dan akan mencoba lagi sendiri. Saya beri tahu bila sudah berfungsi kembali.
connectors-source-back = ✅ Dokumen dari { $source } sudah dapat dibaca kembali.
