connectors-source-away = ⚠️ Hiện không đọc được tài liệu của { $source }: { $problem }. Tôi vẫn trả lời từ những gì đang có và sẽ tự thử lại. Tôi sẽ báo khi hoạt động trở lại.
connectors-source-back = ✅ Đã đọc lại được tài liệu của { $source }.
