command-users = 사용자 목록
command-allow = 사용 허용: /allow ID
command-deny = 사용 금지: /deny ID
people-known =
    { $count ->
        [0] 아직 아무도 메시지를 보내지 않았습니다.
       *[other] 사용자 { $count }명:
    }
people-line = { $user_id } · { $name } · { $state } · 마지막 접속: { $seen }
people-state-admin = 관리자
people-state-allowed = 허용됨
people-state-denied = 허용 안 됨
people-state-blocking = 저를 차단함
people-usage = 사용자 번호를 붙여 주세요: { $command } 123456789. 아는 사용자는 /users 에 나옵니다. 거절된 사람에게는 자기 번호가 보입니다.
people-let-in = 이제부터 { $user_id } 님이 저를 쓸 수 있습니다.
people-let-in-anyway = { $user_id } 님이 저를 쓸 수 있습니다. ALLOWED_USERS 가 * 이어서, 금지한 사람 말고는 누구나 쓸 수 있습니다.
people-kept-out = { $user_id } 님은 더 이상 저를 쓸 수 없습니다.
people-is-admin = { $user_id } 님은 관리자입니다. 먼저 ADMIN_USERS 에서 번호를 지워 주세요.
