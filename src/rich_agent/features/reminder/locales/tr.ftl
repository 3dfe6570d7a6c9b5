command-reminders = Hatırlatıcılar, sessiz saatler ve günlük özet
reminder-help = • İstediğinizi hatırlatırım: /reminders.
tool-remind = Hatırlatıcı kurma
tool-list_reminders = Hatırlatıcılarınız
tool-cancel_reminder = Hatırlatıcı iptali
tool-snooze_reminder = Hatırlatıcı erteleme
doing-remind = Hatırlatıcı kuruyorum…
doing-list_reminders = Hatırlatıcılarınıza bakıyorum…
doing-cancel_reminder = Hatırlatıcıyı iptal ediyorum…
doing-snooze_reminder = Hatırlatıcıyı erteliyorum…
argument-text = Metin
argument-when = Ne zaman
argument-time_zone = Saat dilimi
argument-kind = Tür
argument-schedule_id = Hatırlatma
argument-until = Şu zamana kadar
value-reminder = hatırlatma
value-prompt = o zaman yanıtlayacağım soru
reminder-came = ⏰ { $text }
reminder-delayed = (gecikti, zamanı: { $at })
reminder-snoozed = Yeniden hatırlatacağım: { $at }
reminder-done = ✓ { $text }
reminder-next = Bir sonraki: { $at }
reminder-set = Hatırlatıcı: { $text } – { $at }
reminder-cancelled = Hatırlatıcı iptal edildi: { $text }
reminder-put-off = Hatırlatıcı ertelendi: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· ertelendi
        [paused] {" "}· duraklatıldı
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] Hatırlatıcınız yok. Neyi, ne zaman hatırlatmamı istediğinizi yazın.
       *[other] { $count } hatırlatıcınız var:
    }
reminders-usage =
    /reminders – sıradaki hatırlatıcılar
    /reminders quiet 22:00-07:00 – bu saatlerde hatırlatma yok; kapatmak için /reminders quiet off
    /reminders digest 08:00 – her gün, o günün planlarının özeti; kapatmak için /reminders digest off
reminder-button-done = ✓ Tamam
reminder-button-snooze-10m = 10 dk
reminder-button-snooze-1h = 1 sa
reminder-button-snooze-1d = Yarın
reminder-button-quiet =
    { $hours ->
        [none] 🌙 Sessiz saatler: yok
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ Günlük özet: yok
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] Artık sessiz saat yok.
       *[other] { $hours } arasındaki hatırlatmalar bu saatler bitene kadar bekleyecek.
    }
reminder-digest-time =
    { $clock ->
        [none] Artık günlük özet almayacaksınız.
       *[other] Her gün { $clock } saatinde bir özet alacaksınız.
    }
reminder-digest-request =
    Bugünün ({ $day }) özetini yaz: neler planlı, nelerin zamanı geldi ve neyi unutmamalıyım. { $count ->
        [0] Bugün hatırlatma yok.
       *[other] Bugünkü hatırlatmalarım:
    }
reminder-set-aside = Üzgünüm, planladığınız bir şeyin zamanı geldi ama birkaç kez takıldım. Onu beni yöneten kişi için ayırdım.
reminder-ask-time-zone = Zamanında hatırlatabilmem için saat diliminizi bilmem gerek. Hangi şehirdesiniz?
reminder-time-zone-needed = Saat diliminizi henüz bilmiyorum. Önce /timezone ile seçin.

# The pages of users.
reminder-page = Hatırlatıcılar
reminder-quiet-and-digest = Sessiz saatler ve günlük özet
reminder-quiet-from = Sessizlik başlangıcı
reminder-quiet-until = Sessizlik bitişi
reminder-digest-at = Günlük özet saati (boş: yok)
reminder-repeats = Tekrar
reminder-once = bir kez
reminder-workdays = hafta içi (Pzt–Cum)
