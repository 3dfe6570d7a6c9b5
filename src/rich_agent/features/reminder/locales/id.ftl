command-reminders = Pengingat, jam tenang, dan ringkasan harian
reminder-help = • Mengingatkanmu pada waktu yang kamu minta: /reminders.
tool-remind = Pasang pengingat
tool-list_reminders = Pengingatmu
tool-cancel_reminder = Batalkan pengingat
tool-snooze_reminder = Tunda pengingat
doing-remind = Memasang pengingat…
doing-list_reminders = Melihat pengingatmu…
doing-cancel_reminder = Membatalkan pengingat…
doing-snooze_reminder = Menunda pengingat…
argument-text = Teks
argument-when = Kapan
argument-time_zone = Zona waktu
argument-kind = Jenis
argument-schedule_id = Pengingat
argument-until = Sampai
value-reminder = pengingat
value-prompt = pertanyaan yang saya jawab saat itu
reminder-came = ⏰ { $text }
reminder-delayed = (terlambat, seharusnya: { $at })
reminder-snoozed = Saya akan mengingatkan lagi: { $at }
reminder-done = ✓ { $text }
reminder-next = Berikutnya: { $at }
reminder-set = Pengingat: { $text } – { $at }
reminder-cancelled = Pengingat dibatalkan: { $text }
reminder-put-off = Pengingat ditunda: { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· ditunda
        [paused] {" "}· dijeda
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] Kamu tidak punya pengingat. Tulis apa yang harus saya ingatkan, dan kapan.
       *[other] Kamu punya { $count } pengingat:
    }
reminders-usage =
    /reminders – yang akan datang
    /reminders quiet 22:00-07:00 – tanpa pengingat pada jam ini; /reminders quiet off
    /reminders digest 08:00 – rencana hari itu, setiap hari; /reminders digest off
reminder-button-done = ✓ Selesai
reminder-button-snooze-10m = 10 mnt
reminder-button-snooze-1h = 1 jam
reminder-button-snooze-1d = Besok
reminder-button-quiet =
    { $hours ->
        [none] 🌙 Jam tenang: mati
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ Ringkasan harian: mati
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] Tidak ada jam tenang lagi.
       *[other] Pengingat antara { $hours } menunggu sampai jam ini berakhir.
    }
reminder-digest-time =
    { $clock ->
        [none] Kamu tidak akan menerima ringkasan harian lagi.
       *[other] Kamu akan menerima ringkasan setiap hari pukul { $clock }.
    }
reminder-digest-request =
    Tulis ringkasan saya untuk hari ini, { $day }: apa yang direncanakan, apa yang jatuh tempo, dan apa yang tidak boleh saya lupakan. { $count ->
        [0] Tidak ada pengingat hari ini.
       *[other] Pengingat saya hari ini:
    }
reminder-set-aside = Maaf, sesuatu yang Anda jadwalkan sudah waktunya, tetapi saya beberapa kali macet. Saya sisihkan untuk pengelola.
reminder-ask-time-zone = Supaya bisa mengingatkan tepat waktu, saya perlu tahu zona waktumu. Kamu di kota mana?
reminder-time-zone-needed = Saya belum tahu zona waktumu. Pilih dulu dengan /timezone.

# The pages of users.
reminder-page = Pengingat
reminder-quiet-and-digest = Jam tenang dan ringkasan harian
reminder-quiet-from = Tenang dari
reminder-quiet-until = Tenang sampai
reminder-digest-at = Ringkasan harian pukul (kosong: tidak ada)
reminder-repeats = Pengulangan
reminder-once = sekali
reminder-workdays = pada hari kerja (Sen–Jum)
