# The turn
greeting = 안녕하세요! 등록된 문서에 대해 무엇이든 물어보거나 사진을 보내 주세요. 할 수 있는 일은 /help 에서 볼 수 있습니다.
greeting-named = { $name } 님, 안녕하세요! 등록된 문서에 대해 무엇이든 물어보거나 사진을 보내 주세요. 할 수 있는 일은 /help 에서 볼 수 있습니다.
thanks-reply = 천만에요!
farewell-reply = 안녕히 가세요! 언제든지 다시 말을 걸어 주세요.
help-reply = “어떤 자료를 가지고 있어요?”처럼 문장으로 질문하거나, 사진을 보내고 알고 싶은 것을 적어 주세요. /help 에 할 수 있는 일이 모두 나와 있습니다.
laughter-reply = 😄
nothing-said = 메시지에 글이 없습니다. 질문을 적거나 사진을 보내 주세요.
nothing-found = 등록된 자료에서 찾지 못했습니다.
nothing-found-files = 보내 주신 파일에서 찾지 못했습니다.
nothing-found-answer = 등록된 자료에서 이에 관한 내용을 찾지 못했습니다. 다른 말로 물어보거나, “어떤 자료를 가지고 있어요?”라고 물어 자료의 범위를 확인해 보세요.
no-sources-yet = 등록된 자료에서 찾지 못했습니다. 아직 등록된 자료가 없습니다. 운영자가 `ingest add-source` 로 추가할 수 있습니다.
question-shortened = 메시지가 너무 길어 전부 읽지 못하고 처음과 끝만 읽었습니다.
look-left-out = 다시 검색하면 시간이 너무 오래 걸리므로 자료를 한 번만 검색했습니다.
nothing-cited-web = 이를 뒷받침하는 웹 검색 결과가 없습니다.
unchecked = 출처와 대조해 확인하지 못했습니다. 읽은 곳: { $sources }
refused-rag = 등록된 자료에는 이 질문에 답하는 내용이 없습니다. 살펴본 곳:
refused-files = 보내 주신 파일에는 이 질문에 답하는 내용이 없습니다. 살펴본 곳:
refused-web = 웹 검색 결과에는 이 질문의 답이 없습니다. 살펴본 곳:
refused-rag-web = 등록된 자료에도 웹에도 이 질문에 답하는 내용이 없습니다. 살펴본 곳:
unsupported = 자료에 없는 내용이니 확인해 주세요: { $claims }
contradicted = 자료에는 다르게 나와 있습니다: { $claims }
unjudged = 이 답변을 출처와 대조하지 못했습니다.
unjudged-claims = 출처와 대조하지 못한 문장: { $claims }
uncomputed = 표의 모든 행으로 계산한 값이 아니므로 확인하세요: { $claims }
catalogue-title = 등록된 문서
catalogue-counts = 자료 { $sources }개, 문서 { $documents }개가 있습니다. 아래에 제목 { $shown }개를 적었습니다.
catalogue-sources = 자료
catalogue-source = { $name }: 문서 { $documents }개
catalogue-source-internal = { $name } (이 도우미에 관한 자료): 문서 { $documents }개
catalogue-matching = 질문과 맞는 문서
catalogue-others = 그 밖의 문서
your-photo = 보내신 사진
web-unavailable = 웹을 검색할 수 없었습니다.
look-failed = 사진을 더 자세히 보지 못해, 처음에 본 내용을 바탕으로 답했습니다.
stopped = (중지됨)
early-end-length = 답변이 너무 길어져 여기서 끝납니다.
early-end-filtered = 모델 서버의 콘텐츠 필터가 이 답변을 중단했습니다. 다른 말로 다시 물어보세요.
early-end-refused = 언어 모델이 이 질문에 답하기를 거절했습니다.
early-end-repeated = 언어 모델이 같은 내용을 끝없이 반복해서 멈췄습니다.
early-end-deadline = 메시지 하나에 쓸 수 있는 시간보다 오래 걸려서 여기서 멈췄습니다.
answer-in-file = 답변이 깁니다. 위는 앞부분이고, 전체는 아래 파일에 있습니다.
continue-button = 계속
continue-wish = 멈춘 곳부터 이어서 답해 주세요.
stopped-at-once = 쓰기 전에 중지했습니다.
web-nothing-found = 웹 검색에서 찾은 것이 없습니다.
ask-about-image =
    사진에 보이는 것: { $seen }

    무엇을 알고 싶으세요?
image-topic-describe = 사진을 설명해 줘
image-topic-text = 사진 속 글자를 읽어 줘
image-topic-table = 사진 속 표를 설명해 줘
image-topic-search = 사진에 나온 것을 찾아봐 줘

# Telegram
status-reading = 파일을 읽고 있습니다…
status-looking = 사진을 보고 있습니다…
status-thinking = 생각하고 있습니다…
status-searching = 검색하고 있습니다…
status-searching-web = 웹을 검색하고 있습니다…
status-drafting = 답변을 쓰고 있습니다…
status-busy = 언어 모델이 바쁩니다. 최대 1분 동안 기다립니다…
status-held = 모델 서버가 지금은 요청을 받지 않습니다. { $at }({ $wait })에 다시 시도해 여기에 답하겠습니다. 다시 물어보지 않으셔도 됩니다. 그사이에 보내신 메시지는 그다음에 답합니다.
status-queued = 받았습니다. 앞의 메시지가 끝나는 대로 답하겠습니다.
status-queued-elsewhere = 받았습니다. 지금 웹이나 다른 프로그램에서 답하고 있어, 그다음에 답하겠습니다.
status-crowd = 받았습니다. 지금 많은 분이 메시지를 보내고 있습니다. 대기 순서는 { $place }번째쯤입니다. 차례가 되는 대로 답하겠습니다.
button-stop = 중지
stopping = 중지하는 중…
stopped-by-command = 중지했습니다.
question-dropped = 알겠습니다. 제 질문에는 답하지 않으셔도 됩니다.
nothing-to-stop = 지금은 쓰고 있는 답변이 없습니다.
stop-too-late = 이 답변은 이미 끝났습니다.
too-many = 한꺼번에 많은 메시지를 보내셨습니다. 먼저 온 것부터 답하겠습니다. 이 메시지와 그 뒤의 메시지는 제가 따라잡은 다음 다시 보내 주세요.
sources-heading = 출처
source-web = { $label } (웹)
sent-again = (다시 보냄: 텔레그램이 첫 번째 전송을 확인하지 않았습니다.)
start = 안녕하세요! 등록된 문서를 바탕으로 질문에 답하고, 답마다 출처를 보여 드립니다. 사진을 보내고 질문하거나 해야 할 일을 알려 주셔도 됩니다. 자세한 내용은 /help 에 있습니다.
start-named = { $name } 님, 안녕하세요! 등록된 문서를 바탕으로 질문에 답하고, 답마다 출처를 보여 드립니다. 사진을 보내고 질문하거나 해야 할 일을 알려 주셔도 됩니다. 자세한 내용은 /help 에 있습니다.
start-examples = 주제를 눌러 시험해 보세요:
help-heading = 할 수 있는 일
help =
    • 문서를 바탕으로 질문에 답하고, 열어 볼 수 있는 번호 붙은 출처를 보여 드립니다.
    • 문서만으로 부족하거나 최신 내용을 물으시면 웹을 검색합니다.
    • 사진, 앨범, 이미지 파일을 봅니다. 사진에 답장으로 질문하셔도 됩니다.
    • 보내신 파일(PDF, Word, Excel, PowerPoint, CSV 등)과 링크하신 페이지를 읽습니다. 목록은 /files 에 있습니다.
    • 자신에 대해 알려 주신 것을 기억합니다. 다른 사용자는 볼 수 없습니다.
help-end = 평소에 쓰는 말로 편하게 적어 주세요.
help-commands = 명령어
unknown-command = { $command } 명령어는 없습니다. 할 수 있는 일은 /help 에서 볼 수 있습니다.
unknown-command-near = { $command } 명령어는 없습니다. /{ $near } 인가요? 모든 명령어는 /help 에 있습니다.
button-outdated = 이 버튼은 더 이상 쓸 수 없습니다.
cannot-read = 이런 종류의 메시지는 아직 읽을 수 없습니다. 글, 사진 또는 이미지 파일을 보내 주세요.
cannot-read-sticker =
    { $detail ->
        [blank] 스티커의 그림은 볼 수 없습니다.
       *[other] { $detail } 좋네요! 다만 스티커의 그림은 볼 수 없습니다.
    } 글로 알려 주거나 사진을 보내 주세요.
cannot-read-dice = { $detail } 게임은 하지 않지만 질문에는 답합니다. 그냥 적어 주세요.
cannot-read-animation = GIF는 볼 수 없습니다. 정지 사진을 보내거나 글로 질문해 주세요.
cannot-read-video = 동영상은 볼 수 없습니다. 알고 싶은 장면의 스크린샷을 보내거나 글로 질문해 주세요.
cannot-read-location = 지도는 볼 수 없습니다. 장소 이름과 알고 싶은 것을 적어 주세요.
cannot-read-venue = 지도에서 장소를 찾을 수 없습니다. 장소 이름과 알고 싶은 것을 적어 주세요.
cannot-read-contact = 연락처는 쓸 수 없으며, 이 연락처는 저장하지 않았습니다. 필요한 것을 적어 주세요.
cannot-read-poll = 투표에는 참여할 수 없습니다. 질문을 글로 적어 주시면 답하겠습니다.
cannot-read-story = 스토리는 볼 수 없습니다. 스크린샷을 보내거나 글로 질문해 주세요.
unread-note = 다음은 볼 수 없었습니다: { $things }
unread-animation = GIF
unread-audio = 오디오
unread-checklist = 체크리스트
unread-contact = 연락처
unread-dice = 주사위
unread-game = 게임
unread-giveaway = 경품 행사
unread-giveaway-winners = 경품 행사
unread-invoice = 청구서
unread-live-photo = 라이브 포토
unread-long-text = 글의 처음 16,000자 이후 부분
unread-location = 위치
unread-paid-media = 유료 미디어
unread-photo = 사진
unread-poll = 투표
unread-rich-message = 서식 있는 메시지
unread-sticker = 스티커
unread-story = 스토리
unread-venue = 장소
unread-video = 동영상
unread-video-note = 영상 메시지
unread-voice = 음성 메시지
edit-too-late = 가장 최근 질문을 고쳤을 때만 다시 답합니다. 바꾼 질문을 새 메시지로 보내 주세요.
replaced = (바뀜)
not-allowed = 이 봇은 비공개입니다. 사용하려면 이 번호를 운영자에게 보내세요: { $user_id }
apology-unavailable = 죄송합니다. 여러 번 시도했지만 언어 모델에 연결하지 못했습니다. 몇 분 뒤에 다시 물어보세요.
apology-download = 죄송합니다. 여러 번 시도했지만 텔레그램에서 파일을 받지 못했습니다. 몇 분 뒤에 다시 보내 주세요.
apology-credit = 운영자의 모델 서버 계정에 잔액이 없어 답할 수 없습니다. 운영자만 해결할 수 있습니다. 나중에 /retry 를 보내면 이 질문에 답하겠습니다.
apology-key = 모델 서버가 운영자의 키를 받지 않아 답할 수 없습니다. 운영자만 해결할 수 있습니다. 나중에 /retry 를 보내면 이 질문에 답하겠습니다.
model-away = 모델 서버가 { $at }까지 요청을 받지 않습니다. 기다리기에는 너무 깁니다. 그 뒤에 /retry 를 보내면 이 질문에 답하겠습니다.
apology-refused = 죄송합니다. 언어 모델이 요청을 받아들이지 않았습니다. 운영자가 로그에서 이유를 확인할 수 있습니다.
apology-malformed = 죄송합니다. 언어 모델이 쓸 수 없는 답을 주었습니다. 다른 말로 다시 물어보세요.
apology-spent = 죄송합니다. 여러 번 답하려 했지만 매번 막혔습니다. 운영자가 볼 수 있게 따로 두었습니다. 제 쪽의 문제이며, 질문하신 표현 때문이 아닙니다.
aside-lesson = 죄송합니다. 이전 메시지에서 기억을 업데이트하려다 여러 번 막혔습니다. 운영자가 볼 수 있게 따로 두었습니다.
aside-stream = 이 답변은 평소처럼 표시할 수 없습니다. 서식 없는 본문은 다음과 같습니다:
apology-internal = 죄송합니다. 제 쪽에서 문제가 생겨 로그에 남겼습니다. 다시 시도해 주세요.
limit-tokens = 오늘 한도({ $limit }토큰)에 도달했습니다. { $at }({ $wait })부터 다시 답할 수 있습니다. 그때까지도 /status, /sources, /memory 같은 명령어는 쓸 수 있습니다.
limit-images = 오늘 한도(이미지 { $limit }장)에 도달하여 보내신 것을 모두 보지는 못했습니다. { $at }({ $wait })부터 다시 이미지를 볼 수 있습니다.
limit-searches = 오늘 한도(웹 검색 { $limit }회)에 도달하여 웹을 검색하지 않았습니다. { $at }({ $wait })부터 다시 검색할 수 있습니다.
limit-audio_seconds = 오늘 한도(소리 { $limit }초)에 도달하여 듣지 않았습니다. { $at }({ $wait })부터 다시 들을 수 있습니다. 그때까지는 글로 적어 주세요.
limit-wait = { $duration } 후
day-yesterday = 어제
day-today = 오늘
day-tomorrow = 내일
media-too-large = 녹음이 너무 큽니다. 20 MB까지 받을 수 있습니다.
media-unreadable = 녹음을 읽지 못했습니다. 손상되었을 수 있습니다. 다시 보내 주세요.
image-empty = 이미지가 비어 있습니다. 다시 보내 주세요.
image-too-large = 이미지가 너무 큽니다. 20 MB까지 받을 수 있습니다.
image-too-many-pixels = 이미지의 픽셀이 너무 많습니다. 더 작은 이미지를 보내 주세요.
image-unreadable = 이미지를 읽지 못했습니다. 손상되었을 수 있습니다. 다시 보내 주세요.
image-format = 이 이미지 형식은 읽을 수 없습니다. JPEG, PNG 또는 WebP로 보내 주세요.
image-heif = HEIC와 AVIF 파일은 읽을 수 없습니다. 파일이 아니라 사진으로 보내 주세요. 그러면 텔레그램이 변환합니다.
image-animated = 움직이는 이미지는 볼 수 없습니다. 정지 사진을 보내 주세요.
image-refused = 이 이미지는 쓸 수 없습니다. 다른 이미지를 보내 주세요.

# Commands
command-start = 여기서 시작
command-help = 할 수 있는 일
command-new = 새 대화 시작
command-stop = 쓰고 있는 답변 중지
command-retry = 마지막 질문에 다시 답하기
command-sources = 제가 아는 자료
command-spaces = 찾아보는 스페이스
command-why = 마지막 답변이 나온 과정
command-status = 지금 하고 있는 일
command-language = 메뉴 언어 선택
command-privacy = 저장하는 개인 정보
command-memory = 기억하고 있는 것
command-export = 내 데이터를 파일로 받기
command-forget = 나에 관한 모든 것 삭제
command-stats = 사용 통계
command-approvals = 승인을 기다리는 답변
admins-only = 관리자만 쓸 수 있는 명령어입니다.
database-away = 지금은 데이터베이스에 연결할 수 없습니다. 1분 뒤에 다시 시도해 주세요.
button-not-yours = 다른 사람의 버튼입니다.
never = 없음
and-more = … 외 { $count }개
privacy-heading = 저장하는 개인 정보
privacy =
    저를 운영하는 사람이나 회사의 데이터베이스에 다음을 저장합니다:
    • 텔레그램 ID와 이름, 보내신 메시지와 제 답변
    • 제가 기억하는 것, 그리고 할 일, 메모, 계획
    • 할 일 목록을 연결한 경우 암호화된 로그인 정보
    • 사진마다의 지문과 설명(사진 자체는 저장하지 않습니다)
    • 보내신 파일, 페이지, 녹음의 글(소리는 저장하지 않습니다)
    • 답변을 결정한 과정과 👍 또는 👎
    • 하루 사용량: 토큰, 이미지, 검색

    답하기 위해 메시지, 대화, 찾은 구절을 운영자가 고른 언어 모델에 보냅니다. 다른 사용자는 아무것도 볼 수 없습니다.
new-conversation = 새 대화를 시작합니다. 앞서 나눈 말은 더 이상 쓰지 않지만, 자신에 대해 알려 주신 것은 계속 기억합니다.
language = 메뉴와 도움말을 어느 언어로 볼까요? 답변은 질문의 언어를 따릅니다.
language-auto = 자동
language-chosen =
    { $chosen ->
        [auto] 메뉴와 안내는 텔레그램 앱과 메시지의 언어를 따릅니다.
       *[other] 이제부터 메뉴와 안내를 한국어로 보여 드립니다. 답변은 계속 질문의 언어를 따릅니다.
    }
language-not-spoken = 그 언어는 아직 할 줄 모릅니다. 아래에서 고르거나 언어 이름과 함께 /language 를 보내 주세요.
status-sound = 오늘 듣고 말한 소리(초): { $seconds }
sources-none = 아직 문서가 없습니다. 운영자가 `ingest add-source` 로 추가할 수 있습니다.
spaces = 내 자료 중 다음 스페이스를 볼 수 있습니다. ✓ 표시가 있는 스페이스에서 찾고, 나머지는 이름을 말할 때만 찾습니다. 눌러서 바꿀 수 있습니다.
spaces-none = 찾아보는 자료는 모두 저를 쓸 수 있는 모든 사람에게 열려 있습니다.
sources-known = 자료 { $sources }개, 문서 { $documents }개(구절 { $passages }개)를 알고 있습니다:
sources-line = • { $name }: 문서 { $documents }개, 구절 { $passages }개, 마지막 동기화: { $synced }
sources-line-internal = • { $name } (저에 관한 자료): 문서 { $documents }개, 구절 { $passages }개, 마지막 동기화: { $synced }
passage-gone = 이 구절은 더 이상 문서에 없습니다.
passage-read = 구절 읽기
why-button = 왜?
why-nothing = 아직 답한 것이 없습니다. 먼저 질문해 주세요.
why-no-answer = 그 메시지가 나온 과정의 기록이 없습니다. 제 답변 하나에 /why 로 답장해 주세요.
why-heading = 이 답변이 나온 과정
why-done-direct = 아무것도 찾아보지 않고 바로 답했습니다.
why-done-rag =
    { $read ->
        [0] 문서를 검색했지만 관련 내용을 찾지 못했습니다.
       *[other] 문서를 검색했습니다. 구절 { $read }개를 읽고 { $cited }개를 인용했습니다.
    }
why-done-web =
    { $read ->
        [0] 웹을 검색했지만 관련 내용을 찾지 못했습니다.
       *[other] 웹을 검색했습니다. 결과 { $read }개를 읽고 { $cited }개를 인용했습니다.
    }
why-done-rag-web =
    { $read ->
        [0] 문서와 웹을 차례로 검색했지만 관련 내용을 찾지 못했습니다.
       *[other] 문서와 웹을 차례로 검색했습니다. 구절 { $read }개를 읽고 { $cited }개를 인용했습니다.
    }
why-web-failed =
    { $read ->
        [0] 웹을 검색하지 못했습니다.
       *[other] 웹을 검색하지 못했습니다. 문서에서 구절 { $read }개를 읽고 { $cited }개를 인용했습니다.
    }
why-reason = 이유: { $reason }
looked-for = 찾은 말: “{ $query }”
why-further-queries = 이어서 찾은 말: “{ $query }”
why-photo = 사진: 살펴봄
why-photo-asked = 사진: 질문과 함께 다시 살펴봄
why-memory = 기억: 사용자에 관한 것 { $count }개 (/memory 참고)
why-recalled = • { $text }
why-summary = 기억: 앞선 대화의 요약
why-past = 앞선 대화에서:
why-past-turn = • { $date }: “{ $text }”
why-read-document =
    문서: { $read ->
        [0] 찾지 못함
       *[other] 구절 { $read }개 읽음
    }
why-read-web =
    웹: { $read ->
        [0] 찾지 못함
       *[other] 결과 { $read }개 읽음
    }
why-doubted = 확인: 의심스러운 문장 { $count }개
why-planned = 메시지 자체가 요청한 작업: { $count }개
why-repaired = 확인: 첫 글에 인용이 없거나 출처 없는 문장이 있어 모델에게 다시 쓰게 했습니다
why-permitted = 항상 허용하셔서 묻지 않고 실행한 호출(/tools): { $count }
why-unsupported = 확인: 문장 { $count }개는 출처가 없으며, 답변에 표시했습니다
why-contradicted = 확인: 문장 { $count }개는 자료와 다르며, 답변에 표시했습니다
why-judged = 확인: 출처와 대조한 문장 수: { $count }
why-unjudged = 확인: 대조하지 못해 답변에 표시한 문장 수: { $count }
why-unsampled = 확인: 답변 일부만 대조하므로 대조하지 않은 문장 수: { $count }
why-second_look_failed = 문제: 계획 모델이 답변을 확인하지 못했습니다
why-check-left-out = 모델 확인 없음: 시간이 너무 오래 걸림
why-refused = 확인: 읽은 내용 중 모델이 쓴 것을 뒷받침하는 것이 없어 보여 드리지 않았습니다
why-planner_failed = 문제: 계획 모델이 계획을 내지 못해 등록된 문서만 검색했습니다
why-further_search_failed = 문제: 계획 모델이 무엇이 더 필요한지 말하지 못했습니다
why-look-left-out = 추가 검색 없음: 시간이 너무 오래 걸림
why-embedding_failed = 문제: 뜻이 아니라 낱말로만 검색할 수 있었습니다
why-rerank_failed = 문제: 찾은 구절의 순서를 다시 매기지 못했거나 너무 오래 걸려서 검색한 순서를 그대로 두었습니다
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, 인용함)
why-models = 모델: { $models }
why-calls = 모델 호출: { $calls }회, 그중 첫 단어 전까지 차례로 이어진 호출: { $before }회. 읽은 토큰: { $read }, 그중 서버가 재사용한 토큰: { $cached }
why-times =
    { $steps ->
        [blank] 시간: { $total }초
       *[other] 시간: { $total }초 ({ $steps })
    }
why-reference = 운영자용 번호: { $request_id }
step-N1_ingest_input = 읽기 { $seconds }
step-N2_load_long_term_memory = 기억 { $seconds }
step-N13_read_files = 파일 읽기 { $seconds }
step-N3_vision_summarize = 보기 { $seconds }
step-N4_build_effective_query = 계획 { $seconds }
step-N5_retrieve = 문서 검색 { $seconds }
step-N14_search_further = 추가 검색 { $seconds }
step-N8_web_search = 웹 검색 { $seconds }
step-N6_synthesize = 쓰기 { $seconds }
step-N7_persist = 저장 { $seconds }
step-N9_ask_back = 되묻기 { $seconds }
step-N10_take_answer = 답장 읽기 { $seconds }
step-N11_request_approval = 승인 요청 { $seconds }
rated = 의견 감사합니다.
rated-down = 감사합니다. 이제 운영자가 이 질문과 답변을 읽을 수 있습니다.
rating-withdrawn = 의견을 취소했습니다.
status-answering =
    답변을 쓰고 있습니다. { $waiting ->
        [0] 기다리는 다른 메시지는 없습니다.
       *[other] 메시지 { $waiting }개가 더 기다리고 있습니다.
    }
status-waiting =
    { $waiting ->
        [0] 모든 메시지에 답했습니다.
       *[other] 메시지 { $waiting }개가 답변을 기다리고 있습니다.
    }
status-use = 오늘 사용량: 토큰 { $tokens }, 이미지 { $images }, 웹 검색 { $searches }, 연결된 도구 호출 { $tool_calls }. 새 하루는 { $at }({ $wait })에 시작합니다.
use-free = { $used }
use-limited = { $used }/{ $limit }
status-documents = 문서: { $documents }개, 구절 { $passages }개; 마지막 동기화: { $synced }
status-documents-away = 문서: 지금은 데이터베이스에 연결할 수 없습니다.
status-out-of-reach = ⚠️ 연결할 수 없음 ({ $duration }): { $problem }
status-models = 모델: { $chat }(쓰기), { $vision }(이미지 보기)
status-version = rich-agent { $version }
memory-empty = 아직 기억하고 있는 것이 없습니다. 자신에 대해 알려 주시면 기억하겠습니다.
memory-known = { $count }가지를 기억하고 있습니다. 번호를 누르면 그것을 잊습니다.
memory-facts = 사실
memory-preferences = 취향
memory-tasks = 할 일
memory-past = 과거
memory-planned = 예정
memory-item = { $text } ({ $told })
memory-item-due = { $text } – { $due }까지 ({ $told })
memory-deleted = 잊었습니다. 이것을 알려 주신 메시지는 대화에 남아 있습니다. “… 잊어 줘”라고 쓰면 그것도 지웁니다.
forgetting-told = 이것을 잊을까요?
forgetting-everything = 알려 주신 것과 나눈 대화를 모두 잊을까요? 기억하고 있는 { $memory }가지와, 메시지 { $messages }개 및 그 답변입니다.
forgetting-named = 아래 내용은 언급만 합니다. 함께 잊도록 고르지 않으면 남습니다:
forgetting-only-named = 분명히 그것에 관한 것은 찾지 못했습니다. 언급만 하는 아래 내용을 잊을까요?
forgetting-of-memory = 기억하고 있는 것:
forgetting-of-thing = 할 일, 메모, 계획:
forgetting-of-file = 보내 주신 파일:
forgetting-of-message = 메시지와 제 답변:
forgetting-of-summary = 앞선 대화의 요약에서:
forgetting-more = … 외 { $count }개.
forgetting-final = 되돌릴 수 없습니다. 버튼을 눌러 주세요.
forgetting-yes = 잊기
forgetting-yes-all = 모두 잊기
forgetting-no = 모두 남기기
forgetting-done = 잊었습니다: 기억 { $memory }가지, 메시지 { $messages }개와 그 답변. 제 기억, 대화, 요약, 보관함, 그리고 /export 로 보는 기록에서 사라졌습니다. 이 채팅에 보이는 것은 텔레그램에서 지울 때까지 남습니다.
forgetting-left = 고르신 대로, 언급만 하는 { $count }개는 남겼습니다.
forgetting-done-everything = 설정, 의견, 사용 기록은 남습니다. /forget 은 그것도 지웁니다.
forgetting-nothing = 기억에서도 대화에서도 관련된 것을 찾지 못해 아무것도 지우지 않았습니다. 기억하고 있는 것은 /memory 에서 볼 수 있습니다.
forgetting-failed = 모델에 문제가 생겨 무엇을 잊어야 하는지 알아내지 못했습니다. 아무것도 지우지 않았습니다. 나중에 다시 시도하거나 /memory 와 /forget 을 쓰세요.
forgetting-kept = 아무것도 지우지 않았습니다.
forgetting-wish = (무언가를 잊어 달라는 요청. 원래의 말은 남기지 않습니다.)
planner-failed-note = 계획 모델에 문제가 생겼습니다. 무언가를 해 달라거나 잊어 달라고 하셨다면 아무것도 하지 않았고 지우지도 않았습니다. 다시 말씀하시거나 /memory 와 /forget 을 쓰세요.
planner-failed-still = 아무것도 하지 않았고 지우지도 않았습니다.
exported =
    제가 저장한 모든 것입니다: 메시지 { $messages }개, 결정 { $decisions }개{ $images ->
        [0] {""}
       *[other] , 이미지 설명 { $images }개
    }, 기억하는 것, 그리고 할 일, 메모, 계획. 파일은 JSON 형식입니다.
forget-confirm =
    저장된 모든 것을 지울까요? 대화, 기억, 할 일, 메모, 계획, 답변을 결정한 과정, 의견, 사진 설명, 파일과 녹음의 글, 설정이 모두 지워집니다.

    되돌릴 수 없습니다. 이 채팅의 메시지는 텔레그램에서 지울 때까지 남습니다. 데이터 사본이 필요하면 먼저 /export 를 보내세요.
forget-yes = 네, 모두 지우기
forget-no = 아니요, 남기기
forget-wish = { $what }에 대해 내가 말한 것을 잊어 줘
command-alone = 아무것도 하지 않았습니다. { $command } 뒤에는 말을 붙이지 않습니다. 실행하려면 명령만 보내 주세요.
secret-delete-yourself = 메시지를 지우지 못했습니다. 비밀번호가 들어 있으니 직접 지워 주세요.
forget-kept = 아무것도 지우지 않았습니다.
forgotten = 저장했던 모든 것을 지웠습니다. 다시 메시지를 보내시면 처음부터 시작합니다.
confirmation-over = 이 질문은 만료되었습니다. 명령어를 다시 보내 주세요.
nothing-to-retry = 다시 답할 질문이 없습니다. 먼저 질문해 주세요.
stats-heading = 통계
stats-users = 사용자: { $known }; 최근 하루 { $day }, 7일 { $week }; 저를 차단한 사람 { $blocking }
stats-turns = 답변: 최근 하루 { $day }, 7일 { $week }
stats-plans = 계획(7일): { $plans }
stats-plan-direct = 바로 { $count }
stats-plan-rag = 문서 { $count }
stats-plan-web = 웹 { $count }
stats-plan-rag-web = 문서와 웹 { $count }
stats-times = 답변 시간(7일): p50 { $p50 }초, p95 { $p95 }초
stats-failures = 장애(7일): 중단된 답변 { $broken }, 전달되지 않은 메시지 { $undelivered }, 포기한 업데이트 { $dead }
stats-feedback = 의견: 👍 { $up }, 👎 { $down }
stats-use-day = 오늘 사용량(UTC): 토큰 { $tokens }, 이미지 { $images }, 웹 검색 { $searches }; { $cost }
stats-use-week = 7일 사용량: 토큰 { $tokens }, 이미지 { $images }, 웹 검색 { $searches }; { $cost }
stats-cached = 읽은 토큰 중 서버가 이전에 읽은 비율: { $share } %
stats-cost = 비용 { $cost }
stats-cost-partly = 비용 { $cost }, { $models } 제외(가격 미설정)
stats-cost-unknown = 가격 미설정 (MODEL_PRICES)
stats-price-table = MODEL_PRICES에 없는 가격: { $table }
stats-top-users = 토큰을 가장 많이 쓴 사용자(7일): { $users }
stats-inbox = 대기 중인 업데이트: { $pending }
stats-approvals = 승인 대기: { $count } (/approvals)

# Approval
approval-waiting = 이런 답변은 사람이 먼저 읽고 나서 보냅니다. 지금 검토 중이며, 승인되는 대로 보내 드리겠습니다. 그동안 계속 글을 쓰셔도 됩니다.
approval-review =
    답변 { $number }이(가) 승인을 기다립니다.
    보낸 사람: { $user }
    종류: { $intent }
    질문: { $question }

    아래에 초안이 있습니다. 고친 글을 초안에 답장으로 보내거나 버튼을 쓰세요.
button-approve = 승인
button-correct = 고치기
button-reject = 거절
approval-correction = 답변 { $number }: 고친 글을 이 메시지에 답장으로 보내 주세요. 사용자는 그대로 읽게 됩니다.
approval-reason = 답변 { $number }: 거절하는 이유를 이 메시지에 답장으로 보내 주세요. 사용자가 읽게 됩니다.
approval-words-missing = 글로 필요합니다. 같은 메시지에 다시 답장해 주세요.
approval-is-approved =
    { $by ->
        [you] ✓ 승인하셨습니다.
       *[other] ✓ { $admin } 님이 승인했습니다.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ 고치신 글로 보냈습니다.
       *[other] ✎ { $admin } 님이 고친 글로 보냈습니다.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ 거절하셨습니다.
       *[other] ✗ { $admin } 님이 거절했습니다.
    }
approval-is-expired = 제때 결정되지 않았습니다. 사용자에게 알렸습니다.
approval-is-withdrawn = 사용자가 질문을 바꾸어 이 초안은 필요 없게 되었습니다.
approval-approved = 이 답변은 검토를 거쳐 승인되었습니다.
approval-corrected = 이 답변은 검토를 거쳐 고쳐졌습니다.
approval-rejected = 죄송합니다. 이 질문에는 답할 수 없습니다. 이유: { $reason }
approval-expired = 죄송합니다. 답변이 제때 검토되지 않았습니다. 나중에 다시 물어보세요.
approvals-known =
    { $count ->
        [0] 승인을 기다리는 답변이 없습니다.
       *[other] 승인을 기다리는 답변 { $count }개:
    }
approvals-line = • { $number }, { $since }부터, { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = 계획대로
reason-greeting = 인사
reason-farewell = 작별 인사
reason-thanks = 감사 인사
reason-help = 도움 요청
reason-laughter = 웃음
reason-reaction = 이모지
reason-silence = 메시지에 찾아볼 말이 없음
reason-number = 숫자나 계산
reason-known_word = 등록된 문서에 나오는 낱말
reason-forget_wish = 무언가를 잊어 달라는 요청
reason-stopped = 계획하기 전에 중지하셨습니다
reason-no_web = 웹 검색이 설정되지 않았습니다
reason-no_plan = 계획 모델이 계획을 내지 못해 등록된 문서만 검색하고 웹은 검색하지 않았습니다
reason-file_read = 보내신 파일에 관한 메시지입니다
reason-file_refused = 보내신 파일을 하나도 읽을 수 없습니다
reason-about_bot = 저에 관한 질문은 제 문서로 답합니다
reason-about_now = 지금 상황에 따라 답이 달라지므로 웹을 검색했습니다
reason-documents_first = 등록된 문서가 웹보다 먼저입니다
reason-documents_may_say = 등록된 문서에 답이 있을 수 있습니다
reason-documents_wanted = 문서에 무엇이 있는지 물으셨습니다
reason-web_ruled_out = 사적인 메시지일 수 있어 웹을 검색하지 않았습니다
reason-say_little = 등록된 문서에 내용이 적어 웹도 검색했습니다
reason-say_little_on = 등록된 문서에 “{ $subject }”에 관한 내용이 적어 웹도 검색했습니다

# Alerts for admins
alert-credit = ⚠️ 모델 서버 계정에 잔액이 없어({ $service }) 아무에게도 답할 수 없습니다. { $hint } 그런 다음 `rich-agent inbox replay --all` 을 실행하면 놓친 질문에 답합니다. 이 알림은 한 시간에 한 번만 보냅니다.
alert-key = ⚠️ 모델 서버가 키를 받지 않아({ $service }) 아무에게도 답할 수 없습니다. { $hint } 그런 다음 `rich-agent inbox replay --all` 을 실행하면 놓친 질문에 답합니다. 이 알림은 한 시간에 한 번만 보냅니다.
alert-away = ⚠️ 모델 서버({ $service })가 { $at }까지 요청을 받지 않습니다. 사용자에게는 그 뒤에 다시 물어보라고 알립니다. 이를 피하려면 한도를 높이거나 다른 서버를 쓰세요. 이 알림은 한 시간에 한 번만 보냅니다.
alert-lesson = ⚠️ 며칠 동안 시도했지만 메시지 하나로 사용자의 기억을 갱신하지 못해 포기했습니다. 이유는 로그에 있습니다. 이 알림은 한 시간에 한 번만 보냅니다.
alert-refused = ⚠️ 모델 서버가 제 요청을 거부합니다: { $problem } { $hint } 그 요청 없이 가능한 만큼 계속합니다. 이 알림은 한 시간에 한 번만 보냅니다.

# Tools: what each is for, and what is happening while it runs.
status-acting = { $tool } 사용 중…
tool-list_files = 보내신 파일
tool-undo_last_change = 마지막 변경 되돌리기
tool-search_documents = 문서
tool-search_web = 웹 검색
tool-request_more_information = 되묻기
doing-list_files = 파일을 보고 있습니다…
doing-undo_last_change = 마지막 변경을 되돌리고 있습니다…
doing-search_documents = 문서를 검색하고 있습니다…
doing-search_web = 웹을 검색하고 있습니다…
approve-calls = 다음과 같이 하려고 합니다. 진행할까요?
approve-not-planned = 보내신 메시지 자체에는 이 작업을 해 달라는 말이 없습니다. 꼼꼼히 확인해 주세요.
approve-yes = 승인
approve-no = 취소
approve-words-yes = 네|예|응|좋아|좋아요
approve-words-no = 아니요|아니오|아니|취소
card-labelled = { $label }: { $text }
card-not-done = 실행하지 않았습니다.
approve-adjust = 조정
approve-how-to-adjust = 바꿀 내용을 적어 주시면 다시 제안하겠습니다.
approve-always = 이 경우 항상 승인
approve-always-same = “{ $always }”을 누르면 승인되고, 이후 같은 호출은 묻지 않고 실행합니다. /tools 명령으로 되돌릴 수 있습니다.
approve-always-alike = “{ $always }”을 누르면 승인되고, 이후 { $fixed } 값이 같은 호출은 나머지 내용과 관계없이 묻지 않고 실행합니다. /tools 명령으로 되돌릴 수 있습니다.
web-approve-in-words = “{ $yes }” 또는 “{ $no }”로 답하거나 바꿀 내용을 적어 주세요.
card-characters-left-out = 나머지 글자 수: { $count }
card-arguments-left-out = 나머지 항목 수: { $count }
card-in-file = 여기에 전부 담을 수 없습니다. 전체 내용은 ‘approval.txt’ 파일에 있습니다. 결정하기 전에 읽어 주세요.
card-copied-from = 복사한 곳: { $sources }
copied-user = 보내신 메시지
copied-memory = 보관 중인 내용
copied-assistant = 이전 답변
copied-operator = 봇 운영자
copied-document = 문서
copied-page = 웹페이지
copied-file = 파일
copied-server = 다른 프로그램
copied-other = 다른 사람
card-takes-back = 되돌릴 내용
argument-duration = 소요 시간
argument-yes = 예
argument-no = 아니요
argument-none = 없음
approve-cancelled = 취소했습니다. 바뀐 것은 없습니다.
acting-limit-calls = 메시지 하나에 할 수 있는 작업 10개를 모두 썼습니다. 남은 일이 있으면 “계속”이라고 써 주세요.
acting-limit-errors = 연달아 세 번 실패하여 멈췄습니다. 더 바뀐 것은 없습니다.
undo-button = 되돌리기
undo-done = 되돌렸습니다:
undo-too-late = 더 이상 되돌릴 수 없습니다.
step-N12_act = 실행 { $seconds }

reason-in_group = 그룹에서는 등록된 문서로만 답합니다
reason-link_ignored = 링크를 읽지 않기를 원하셨습니다
reason-link_kept = 페이지를 기억하기를 원하셨습니다
reason-link_read = 링크하신 페이지를 읽었습니다
reason-in_session = 이 메시지는 안내 세션에 속합니다
reason-session_left = 안내 세션을 끝내고 싶다고 하셨습니다

timeline-left-out = 외 { $count }개
command-timezone = 시간대 선택
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [1] 매시간
           *[other] { $count }시간마다
        }
        [daily] { $count ->
            [1] 매일
           *[other] { $count }일마다
        }
        [weekly] { $count ->
            [1] 매주
           *[other] { $count }주마다
        }
        [monthly] { $count ->
            [1] 매달
           *[other] { $count }개월마다
        }
       *[yearly] { $count ->
            [1] 매년
           *[other] { $count }년마다
        }
    }
time-zone-none = 아직 시간대를 모릅니다. 여기서 고르거나 Asia/Seoul 같은 이름과 함께 /timezone 을 보내 주세요.
time-zone = 시간대는 { $zone }이며, 그곳은 지금 { $now }입니다. 바꾸려면 다른 이름과 함께 /timezone 을 보내 주세요.
time-zone-chosen = 시간대는 { $zone }이며, 그곳은 지금 { $now }입니다. 반복되는 알림은 이 시간대를 따릅니다.
time-zone-near = { $name }(이)라는 시간대는 모릅니다. 이 중에 있나요?
time-zone-which = { $name }에는 시간대가 여러 개 있습니다. 어느 것인가요?
time-zone-unknown = { $name }(이)라는 시간대는 모릅니다. Asia/Seoul 처럼 지역과 도시로 된 이름입니다.

# The page of a passage.
passage-place = { $source } · 구절 { $position }/{ $count }
passage-before = ← 이전
passage-after = 다음 →

# The page of a browser while the bot starts.
bot-starting = 봇을 시작하는 중입니다…

# Calls that a user permitted for good (/tools).
command-tools = 묻지 않고 실행할 수 있는 것 보기
tools-none = 항상 허용한 호출이 아직 없습니다. 안전한 경우 호출 전 질문에 “이 경우 항상 승인”이 나옵니다.
tools-about = 다음 호출은 묻지 않고 실행합니다. ✕를 누르거나 번호와 함께 /tools 명령을 보내면 허용을 거둡니다.
tools-given-on = { $day } 허용
tools-used = 호출 { $count }회
tools-any = 아무 값
tools-changed = 그 뒤 도구가 바뀌어 이런 호출은 다시 묻습니다.
tools-take-all-back = 모두 거두기
tools-taken-back = 거두었습니다. 이런 호출은 다시 묻습니다.

# Outside Telegram.
only-in-telegram = 이 기능은 Telegram에서만 온전히 쓸 수 있습니다. 거기에서 { $command } 를 보내 주세요.

run-not-latest = 대화의 가장 최근 질문에만 다시 답할 수 있습니다.

# What is asked in groups.
guest-user-limit = 오늘 그룹에서 할 수 있는 질문을 다 쓰셨습니다. 개인 채팅에서 물어보세요.
guest-group-limit = 이 그룹에서 지난 한 시간 동안 질문이 많았습니다. 나중에 다시 시도하거나 개인 채팅에서 물어보세요.
guest-withheld = 그룹에서는 답할 수 없습니다. 개인 채팅에서 물어보세요.
guest-answer-cut = 더 긴 답변의 앞부분입니다. 전체를 보려면 개인 채팅에서 물어보세요.
guest-answered-privately = 개인 채팅에서 답변해 드렸습니다.

## Files
file-page = { $number }쪽
file-sheet-named = 시트 { $heading }
file-sheet-numbered = 시트 { $number }
file-slide-named = 슬라이드 { $number }: { $heading }
file-slide-numbered = 슬라이드 { $number }
ask-about-files =
    { $count ->
       *[other] { $names } 파일을 읽었습니다. 무엇을 알고 싶으세요?
    }
file-topic-summary = 요약해 줘
file-topic-points = 요점을 정리해 줘
file-read-whole = { $name }을(를) 모두 읽었습니다.
file-macros = { $name }에 들어 있는 매크로는 실행하지 않았습니다.
file-read-in-parts = { $name }을(를) { $parts }부분으로 나누어 모두 읽었습니다.
file-read-partly = { $name } 파일이 깁니다. { $units }부분 중 { $read }부분을 읽었습니다. 나머지나 한 부분에 대해 물어보세요.
file-searched = { $name } 파일이 깁니다. 질문에 맞는 곳을 검색했으며 모두 읽지는 않았습니다.
file-parts-unread = { $name }에서 읽지 못한 것: { $parts }.
file-part-attachment = 첨부 파일 { $count }개
file-part-chart = 차트 { $count }개
file-part-diagram = 다이어그램 { $count }개
file-part-drawing = 도형 { $count }개
file-part-equation = 수식 { $count }개
file-part-field = 양식 필드 { $count }개
file-part-file = 파일 { $count }개
file-part-formula = 결과가 저장되지 않은 계산식 { $count }개
file-part-letter = 글자 { $count }자
file-part-object = 포함된 개체 { $count }개
file-part-page = 글이 없는 페이지 { $count }장
file-part-picture = 그림 { $count }개
file-part-remark = 메모 { $count }개
file-part-row = 행 { $count }개
file-part-sheet = 시트 { $count }개
file-part-slide = 글이 없는 슬라이드 { $count }장
file-refused-too-large = “{ $name }” 파일이 20 MB를 넘어 텔레그램에서 받을 수 없습니다. 더 작은 파일을 보내거나 나누어 보내 주세요.
file-refused-too-long = “{ $name }” 파일이 너무 길어 읽을 수 없습니다. 필요한 부분만 따로 파일로 보내 주세요.
file-refused-unsupported = “{ $name }” 파일을 읽을 수 없습니다. PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, EML, MSG, MHTML, ZIP, 일반 텍스트를 읽습니다. 이 중 하나로 저장해 다시 보내 주세요.
file-refused-old-office = “{ $name }” 파일은 예전 Office 형식입니다. DOCX, XLSX, PPTX 또는 PDF로 저장해 다시 보내 주세요.
file-refused-archive = “{ $name }” 파일은 제가 열 수 없는 방식으로 압축되어 있습니다. ZIP으로 보내거나 안에 든 파일을 보내 주세요.
file-refused-encrypted = “{ $name }” 파일에 암호가 걸려 있습니다. 암호 없이 저장해 다시 보내 주세요.
file-refused-empty = “{ $name }” 파일에서 글을 찾지 못했습니다. 내용이 있다면 PDF나 사진으로 보내 주세요.
file-refused-damaged = “{ $name }” 파일이 손상되었거나 이름과 다른 형식입니다. 열어서 다시 저장한 뒤 새 파일을 보내 주세요.
file-refused-gone = “{ $name }” 파일을 가져오지 못했습니다. 더 이상 없습니다. 다시 보내 주세요.
file-keep-button = 기억하기
file-only-here-button = 여기서만
file-kept =
    { $count ->
       *[other] 파일을 기억하겠습니다. /files 에서 볼 수 있습니다.
    }
file-not-kept =
    { $count ->
       *[other] 파일을 이 대화와 함께 잊습니다(/new).
    }
file-forgotten = 잊었습니다.
files-none = 파일이 없습니다. PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV 또는 텍스트 파일을 보내 보세요.
files-title = 파일 { $count }개:
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, 기억함
files-line-unread = 읽지 못한 것: { $parts }.
files-hint = 📌 대화가 끝나도 파일을 기억하거나, 그만 기억합니다. 🗑 파일을 잊습니다.
command-files = 내 파일: 보기, 기억하기, 잊기

# Links.
ask-about-links =
    { $count ->
        [1] 이 링크를 어떻게 할까요? { $links }
       *[other] 이 링크들을 어떻게 할까요? { $links }
    }
link-wish-summary = 요약
link-wish-keep = 기억하기
link-wish-ignore = 무시
link-ignored = 알겠습니다. 읽지 않겠습니다.
link-kept =
    { $count ->
        [1] “{ $names }” 페이지를 읽고 기억합니다. 언제든지 물어보세요. /files 에서 볼 수 있습니다.
       *[other] 읽고 기억합니다: { $names }. 언제든지 물어보세요. /files 에서 볼 수 있습니다.
    }
page-refused-private = { $name } 주소는 내부 네트워크로 이어져 읽지 않습니다.
page-refused-robots = { $name } 사이트가 프로그램을 허용하지 않아 읽을 수 없습니다. 글을 보내거나 페이지를 파일로 보내 주세요.
page-refused-closed = { $name } 페이지는 로그인한 사람에게만 열립니다. 글을 보내거나 페이지를 파일로 보내 주세요.
page-refused-gone = { $name } 주소에 페이지가 없습니다. 주소가 완전한가요?
page-refused-too-large = { $name } 페이지는 너무 큽니다. 필요한 부분을 보내 주세요.
page-refused-too-long = { $name } 페이지는 너무 깁니다. 필요한 부분을 보내 주세요.
page-refused-slow = { $name } 사이트의 응답이 너무 느립니다. 나중에 다시 시도해 주세요.
page-refused-away = { $name } 페이지를 가져오지 못했습니다. 사이트에 문제가 있거나 연결할 수 없습니다. 나중에 다시 시도해 주세요.
page-refused-empty = { $name } 페이지에서 글을 찾지 못했습니다. 사람에게만, 또는 로그인한 뒤에만 보이는 페이지일 수 있습니다. 글을 보내 주세요.
page-refused-made-by-scripts = { $name } 페이지에는 글이 보이지 않습니다. 브라우저에서 열어야 내용이 채워지는 페이지입니다. 글을 보내거나, 브라우저에서 페이지를 저장해 파일로 보내 주세요.
page-refused-consent = { $name } 페이지에는 동의 여부처럼 버튼이 있는 질문만 보이고 그 뒤의 내용은 보이지 않습니다. 글을 보내거나 페이지를 파일로 보내 주세요.
page-refused-unsupported = { $name } 주소는 읽을 수 있는 페이지나 문서가 아닙니다.
page-refused-old-office = { $name } 파일은 읽을 수 없는 예전 Office 형식입니다.
page-refused-archive = { $name } 주소의 파일은 제가 열 수 없는 방식으로 압축되어 있습니다.
page-refused-encrypted = { $name } 파일에 암호가 걸려 있습니다.
page-refused-damaged = { $name } 파일이 손상되었거나 이름과 다른 형식입니다.
page-refused-too-many-links = { $name } 페이지는 읽지 않았습니다. 메시지 하나에서 읽는 링크 수를 넘었습니다.

# The demo.
demo-about-stand-in = 이 컴퓨터에서 실행되는 데모입니다. 봇은 진짜이지만 텔레그램과 언어 모델은 대역이며, 이 모델은 인용만 할 수 있습니다. 진짜 모델을 쓰려면 ‘모델 연결’을 누르거나 OPENAI_API_KEY=sk-… rich-agent demo 로 실행하세요.
demo-about-model = 이 컴퓨터에서 실행되는 데모입니다. 봇과 언어 모델({ $model })은 진짜이고, 텔레그램은 대역입니다.
demo-about-operator = 이 봇의 운영자 Ada로 글을 씁니다. 운영자가 할 수 있는 일도 /help 에 나옵니다.
pages-skip = 본문으로 이동
pages-elsewhere = 다른 페이지
pages-sign-in = 로그인해 주세요
pages-from-elsewhere = 다른 사이트의 링크를 통해 왔습니다.
pages-open = 페이지 열기
pages-not-for-you = 이 페이지를 볼 수 없습니다. 봇 소유자에게 역할을 요청하세요.
pages-problem = 처리하지 못했습니다
pages-problem-back = 뒤로 가세요. 입력한 내용은 그대로 있습니다.
pages-gone = 찾을 수 없음
pages-gone-how = 여기에는 아무것도 없거나 더 이상 없습니다.
pages-later = 봇이 지금 응답할 수 없습니다. 잠시 후 다시 시도하세요.
pages-unsent = 아무것도 보내지 못했습니다. 봇에 연결할 수 없습니다. 다시 시도하세요.
pages-as-table = 표로 보기
pages-cancel = 취소
pages-copy = 복사
pages-copied = 복사함
pages-pages = 목록 페이지
pages-first = 처음으로
pages-next = 더 보기
pages-search = 검색

# The pages of users.
panel-save = 저장
widget-unanswered = 응답이 없습니다. 다시 시도해 주세요.
widget-wait = 조금 더 걸립니다. 처리될 것입니다.
