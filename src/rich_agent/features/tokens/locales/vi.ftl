command-tokens = Cho chương trình khác hỏi tôi thay bạn
tokens-none = Với token, chương trình khác có thể hỏi tôi thay bạn qua HTTP. Chưa có token nào.
tokens-about = Với token, chương trình khác có thể hỏi tôi thay bạn qua HTTP. ✕ thu hồi token ngay lập tức.
tokens-open = Token của bạn
tokens-unreachable = Ở đây chương trình khác không kết nối được với tôi, nên tôi không tạo token. Người vận hành cần đặt PUBLIC_URL trước.
tokens-make = Token mới
tokens-make-named = Token mới “{ $name }”
tokens-name = Telegram
tokens-made = Đây là token mới. Tôi chỉ hiện một lần này. Hãy chép vào chương trình của bạn rồi ẩn đi. Ai có nó đều hỏi tôi thay bạn được, cho đến khi bạn thu hồi. Địa chỉ của tôi cho chương trình là { $address }
tokens-hide = Ẩn token
tokens-revoked = Token đã bị thu hồi. Nó không mở được gì nữa.
tokens-too-many = Bạn có { $most } token, là số tối đa. Hãy thu hồi một token trước.
tokens-made-on = tạo { $day }
tokens-used-on = dùng lần cuối { $day }
tokens-unused = chưa dùng
tokens-ends-on = hết hạn { $day }

# The pages of users.
tokens-revoke = Thu hồi
tokens-name-label = Tên
