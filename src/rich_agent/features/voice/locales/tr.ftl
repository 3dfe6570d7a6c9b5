voice-cannot-read-video-note = Video mesajlarını henüz dinleyemiyorum: beni yöneten kişinin TRANSCRIPTION_MODEL ayarını yapması gerekiyor. O zamana kadar lütfen sorunuzu yazın ya da fotoğraf gönderin.
voice-cannot-read-voice = Sesli mesajları henüz dinleyemiyorum: beni yöneten kişinin TRANSCRIPTION_MODEL ayarını yapması gerekiyor. O zamana kadar lütfen sorunuzu yazın; klavyenizin mikrofonuyla dikte de edebilirsiniz.
voice-cannot-read-audio = Ses kayıtlarını henüz dinleyemiyorum: beni yöneten kişinin TRANSCRIPTION_MODEL ayarını yapması gerekiyor. O zamana kadar bununla ilgili ne öğrenmek istediğinizi yazın.
voice-more = Gerisi metinde.
voice-silent = Bu kayıtta söz duymadım. Lütfen yeniden kaydedin ya da bana yazın.
voice-refused = Üzgünüm, kayıtları yazıya döken sunucu bunu kabul etmedi. Lütfen bana yazın. Beni yöneten kişi nedenini günlükte bulabilir.
voice-unheard = Üzgünüm, dinleyemedim: kayıtları yazıya döken sunucu yanıt vermedi. Lütfen birkaç dakika sonra yeniden gönderin ya da bana yazın.
command-voice = Hangi yanıtları seslendireceğimi seçin
voice = Hangi yanıtları seslendireyim? Her zaman yazılı da gelirler.
voice-off = Hiçbirini
voice-in-kind = Sesli mesajlara olanları
voice-always = Her zaman
voice-chosen =
    { $mode ->
        [off] Artık yalnızca yazıyorum.
        [in_kind] Sesli mesaj gönderdiğinizde sesli yanıt veriyorum.
       *[always] Artık her yanıtı seslendiriyorum.
    }
voice-unknown = /voice off, /voice in kind ya da /voice always gönderin.
voice-none = Sesim yok: beni yöneten kişinin SPEECH_MODEL ayarını yapması gerekiyor.

# The pages of users.
voice-page = Ses
