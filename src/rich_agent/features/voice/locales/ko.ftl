voice-cannot-read-video-note = 영상 메시지는 아직 들을 수 없습니다. 운영자가 TRANSCRIPTION_MODEL 을 설정해야 합니다. 그때까지는 질문을 적거나 사진을 보내 주세요.
voice-cannot-read-voice = 음성 메시지는 아직 들을 수 없습니다. 운영자가 TRANSCRIPTION_MODEL 을 설정해야 합니다. 그때까지는 질문을 적어 주세요. 키보드의 음성 입력을 써도 됩니다.
voice-cannot-read-audio = 오디오는 아직 들을 수 없습니다. 운영자가 TRANSCRIPTION_MODEL 을 설정해야 합니다. 그때까지는 알고 싶은 것을 적어 주세요.
voice-more = 나머지는 글에 있습니다.
voice-silent = 이 녹음에서 말소리를 듣지 못했습니다. 다시 녹음하거나 글로 적어 주세요.
voice-refused = 죄송합니다. 녹음을 받아 적는 서버가 이 녹음을 받아들이지 않았습니다. 글로 적어 주세요. 운영자가 로그에서 이유를 확인할 수 있습니다.
voice-unheard = 죄송합니다. 녹음을 받아 적는 서버가 응답하지 않아 듣지 못했습니다. 몇 분 뒤에 다시 보내거나 글로 적어 주세요.
command-voice = 말로 들을 답변 고르기
voice = 어떤 답변을 말로 들려 드릴까요? 글은 항상 함께 보냅니다.
voice-off = 없음
voice-in-kind = 음성 메시지에 답할 때
voice-always = 항상
voice-chosen =
    { $mode ->
        [off] 이제부터 글로만 답합니다.
        [in_kind] 음성 메시지를 보내시면 말로 답합니다.
       *[always] 이제부터 모든 답변을 말로 들려 드립니다.
    }
voice-unknown = /voice off, /voice in kind 또는 /voice always 를 보내 주세요.
voice-none = 목소리가 없습니다. 운영자가 SPEECH_MODEL 을 설정해야 합니다.

# The pages of users.
voice-page = 음성
