command-tokens = 다른 프로그램이 내 이름으로 질문하게 하기
tokens-none = 토큰이 있으면 다른 프로그램이 HTTP로 사용자 이름으로 제게 질문할 수 있습니다. 아직 토큰이 없습니다.
tokens-about = 토큰이 있으면 다른 프로그램이 HTTP로 사용자 이름으로 제게 질문할 수 있습니다. ✕ 를 누르면 토큰이 바로 취소됩니다.
tokens-open = 내 토큰
tokens-unreachable = 여기서는 다른 프로그램이 제게 연결할 수 없어 토큰을 만들지 않습니다. 운영자가 먼저 PUBLIC_URL 을 설정해야 합니다.
tokens-make = 새 토큰
tokens-make-named = 새 토큰 “{ $name }”
tokens-name = Telegram
tokens-made = 새 토큰입니다. 지금만 보여 드립니다. 프로그램에 복사한 다음 숨겨 주세요. 취소하기 전까지는 토큰을 가진 사람이면 누구나 사용자 이름으로 제게 질문할 수 있습니다. 프로그램용 주소는 { $address } 입니다
tokens-hide = 토큰 숨기기
tokens-revoked = 토큰을 취소했습니다. 더 이상 아무것도 열 수 없습니다.
tokens-too-many = 토큰이 { $most }개로 한도에 도달했습니다. 먼저 하나를 취소해 주세요.
tokens-made-on = { $day } 만듦
tokens-used-on = 마지막 사용 { $day }
tokens-unused = 아직 쓰지 않음
tokens-ends-on = { $day }까지

# The pages of users.
tokens-revoke = 폐기
tokens-name-label = 이름
