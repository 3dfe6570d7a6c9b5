command-users = Ai đang dùng tôi
command-allow = Cho phép một người: /allow ID
command-deny = Cấm một người: /deny ID
people-known =
    { $count ->
        [0] Chưa có ai nhắn cho tôi.
       *[other] { $count } người dùng:
    }
people-line = { $user_id } · { $name } · { $state } · lần cuối: { $seen }
people-state-admin = quản trị
people-state-allowed = được phép
people-state-denied = không được phép
people-state-blocking = đã chặn tôi
people-usage = Hãy thêm số của người dùng: { $command } 123456789. /users liệt kê những người tôi biết. Người bị từ chối sẽ thấy số của mình.
people-let-in = Từ giờ { $user_id } được dùng tôi.
people-let-in-anyway = { $user_id } được dùng tôi. Mọi người khác cũng vậy, trừ những người bạn đã cấm, vì ALLOWED_USERS là *.
people-kept-out = { $user_id } không còn được dùng tôi.
people-is-admin = { $user_id } là quản trị viên. Hãy xóa số đó khỏi ADMIN_USERS trước.
