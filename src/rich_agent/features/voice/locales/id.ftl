voice-cannot-read-video-note = Saya belum bisa mendengarkan pesan video: pengelola harus mengatur TRANSCRIPTION_MODEL. Sementara itu, tulis pertanyaanmu, atau kirim foto.
voice-cannot-read-voice = Saya belum bisa mendengarkan pesan suara: pengelola harus mengatur TRANSCRIPTION_MODEL. Sementara itu, tulis pertanyaanmu; mikrofon di papan ketik bisa mengetikkannya.
voice-cannot-read-audio = Saya belum bisa mendengarkan audio: pengelola harus mengatur TRANSCRIPTION_MODEL. Sementara itu, tulis apa yang ingin kamu ketahui.
voice-more = Selebihnya ada di teks.
voice-silent = Saya tidak mendengar kata-kata di rekaman ini. Rekam lagi, atau tulis saja.
voice-refused = Maaf, server yang menyalin rekaman tidak menerima yang ini. Tulis saja. Pengelola bisa menemukan alasannya di log.
voice-unheard = Maaf, saya tidak bisa mendengarkan: server yang menyalin rekaman tidak menjawab. Kirim lagi beberapa menit lagi, atau tulis saja.
command-voice = Pilih jawaban yang saya ucapkan
voice = Jawaban mana yang harus saya ucapkan? Teksnya selalu ada juga.
voice-off = Tidak ada
voice-in-kind = Balasan pesan suara
voice-always = Selalu
voice-chosen =
    { $mode ->
        [off] Mulai sekarang saya hanya menulis.
        [in_kind] Saya berbicara bila kamu mengirim pesan suara.
       *[always] Mulai sekarang saya mengucapkan setiap jawaban.
    }
voice-unknown = Kirim /voice off, /voice in kind, atau /voice always.
voice-none = Saya tidak punya suara: pengelola harus mengatur SPEECH_MODEL.

# The pages of users.
voice-page = Suara
