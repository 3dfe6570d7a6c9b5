# The turn
greeting = Hai! Tanyakan apa saja tentang dokumen saya, atau kirim foto. /help menunjukkan apa yang bisa saya lakukan.
greeting-named = Hai { $name }! Tanyakan apa saja tentang dokumen saya, atau kirim foto. /help menunjukkan apa yang bisa saya lakukan.
thanks-reply = Sama-sama!
farewell-reply = Sampai jumpa! Tulis saja kapan pun.
help-reply = Ajukan pertanyaan yang lengkap, misalnya “Apa saja sumbermu?”, atau kirim foto dan sebutkan apa yang ingin kamu ketahui. /help mencantumkan semua yang bisa saya lakukan.
laughter-reply = 😄
nothing-said = Saya tidak menemukan kata-kata di pesan itu. Ajukan pertanyaan, atau kirim foto.
nothing-found = Tidak ditemukan di sumber yang terdaftar.
nothing-found-files = Tidak ditemukan di file kamu.
nothing-found-answer = Tidak ada apa pun tentang ini di sumber yang terdaftar. Coba kata lain, atau tanyakan “Apa saja sumbermu?” untuk melihat cakupannya.
no-sources-yet = Tidak ditemukan di sumber yang terdaftar: belum ada yang didaftarkan. Pengelola saya bisa menambahkannya dengan `ingest add-source`.
question-shortened = Pesanmu terlalu panjang untuk dibaca seluruhnya, jadi saya membaca awal dan akhirnya.
look-left-out = Saya hanya mencari sekali di dokumen saya, karena pencarian lagi akan terlalu lama.
nothing-cited-web = Tidak ada hasil web yang mendukung ini.
unchecked = Saya tidak dapat mencocokkan ini dengan sumbernya. Yang saya baca: { $sources }
refused-rag = Di sumber yang terdaftar tidak ada yang menjawab ini. Saya sudah melihat:
refused-files = Di file kamu tidak ada yang menjawab ini. Saya sudah melihat:
refused-web = Hasil web tidak menjawab ini. Saya sudah melihat:
refused-rag-web = Baik di sumber yang terdaftar maupun di web tidak ada yang menjawab ini. Saya sudah melihat:
unsupported = Tidak ada di sumber, mohon periksa: { $claims }
contradicted = Sumbernya mengatakan lain: { $claims }
unjudged = Saya tidak dapat mencocokkan jawaban ini dengan sumbernya.
unjudged-claims = Belum dicocokkan dengan sumbernya: { $claims }
uncomputed = Tidak dihitung dari semua baris tabel, mohon diperiksa: { $claims }
catalogue-title = Dokumen terdaftar
catalogue-counts = { $sources } sumber, { $documents } dokumen. Judul yang ditampilkan di sini: { $shown }.
catalogue-sources = Sumber
catalogue-source = { $name }: { $documents } dokumen
catalogue-source-internal = { $name } (tentang asisten ini): { $documents } dokumen
catalogue-matching = Dokumen yang cocok dengan pertanyaanmu
catalogue-others = Dokumen lain
your-photo = Fotomu
web-unavailable = Web tidak bisa ditelusuri.
look-failed = Saya tidak bisa melihat gambar ini lebih teliti, jadi jawaban ini berdasarkan pengamatan pertama.
stopped = (dihentikan)
early-end-length = Jawaban menjadi terlalu panjang dan berakhir di sini.
early-end-filtered = Filter konten di server model menghentikan jawaban ini. Coba tanyakan dengan kata lain.
early-end-refused = Model bahasa menolak menjawab ini.
early-end-repeated = Model bahasa terus mengulang dirinya tanpa akhir, jadi saya menghentikannya.
early-end-deadline = Ini memakan waktu lebih lama daripada yang boleh saya pakai untuk satu pesan, jadi saya berhenti di sini.
answer-in-file = Jawaban ini panjang. Di atas adalah bagian awalnya; berkas di bawah berisi seluruhnya.
continue-button = Lanjutkan
continue-wish = Lanjutkan jawabanmu dari tempat berhentinya.
stopped-at-once = Dihentikan sebelum saya menulis apa pun.
web-nothing-found = Pencarian web tidak menemukan apa pun tentang ini.
ask-about-image =
    Yang saya lihat: { $seen }

    Apa yang ingin kamu ketahui?
image-topic-describe = Jelaskan gambarnya
image-topic-text = Bacakan teks di gambar
image-topic-table = Jelaskan tabel di gambar
image-topic-search = Cari tahu apa yang ada di gambar

# Telegram
status-reading = Membaca berkasmu…
status-looking = Melihat fotomu…
status-thinking = Berpikir…
status-searching = Mencari…
status-searching-web = Menelusuri web…
status-drafting = Menulis…
status-busy = Model bahasa sedang sibuk. Saya menunggu, paling lama satu menit…
status-held = Server model sedang tidak menerima permintaan. Saya akan mencoba lagi { $at } ({ $wait }) dan menjawab di sini, jadi kamu tidak perlu bertanya lagi. Pesan yang kamu kirim sementara itu saya jawab sesudahnya.
status-queued = Diterima. Saya jawab begitu pesan sebelumnya selesai.
status-queued-elsewhere = Diterima. Saya masih menjawabmu di web atau di program lain, lalu akan menjawab yang ini.
status-crowd = Diterima. Saat ini banyak orang sedang menulis kepada saya. Posisimu dalam antrean: sekitar { $place }. Saya jawab begitu tiba giliranmu.
button-stop = Hentikan
stopping = Menghentikan…
stopped-by-command = Dihentikan.
question-dropped = Baik, pertanyaan saya tidak perlu dijawab.
nothing-to-stop = Saya sedang tidak menulis apa pun.
stop-too-late = Jawaban ini sudah selesai.
too-many = Kamu mengirim banyak pesan sekaligus. Saya jawab yang lebih dulu. Kirim lagi pesan ini dan yang sesudahnya setelah saya selesai.
sources-heading = Sumber
source-web = { $label } (web)
sent-again = (Dikirim ulang: Telegram tidak mengonfirmasi pengiriman pertama.)
start = Hai! Saya menjawab pertanyaan dari dokumen saya dan menunjukkan sumber setiap jawaban. Kamu juga bisa mengirim foto dan bertanya tentangnya, atau memberi tahu apa yang harus kamu kerjakan. Selengkapnya di /help.
start-named = Hai { $name }! Saya menjawab pertanyaan dari dokumen saya dan menunjukkan sumber setiap jawaban. Kamu juga bisa mengirim foto dan bertanya tentangnya, atau memberi tahu apa yang harus kamu kerjakan. Selengkapnya di /help.
start-examples = Ketuk satu topik untuk mencoba:
help-heading = Yang bisa saya lakukan
help =
    • Menjawab pertanyaan dari dokumen saya, dengan sumber bernomor yang bisa dibuka.
    • Menelusuri web bila dokumen saya kurang lengkap, atau bila kamu menanyakan hal terkini.
    • Melihat foto, album, atau berkas gambar. Kamu juga bisa membalas foto dengan pertanyaan.
    • Membaca berkas yang kamu kirim (PDF, Word, Excel, PowerPoint, CSV, dan lainnya) dan halaman yang kamu tautkan. /files menampilkannya.
    • Mengingat apa yang kamu ceritakan tentang dirimu. Pengguna lain tidak bisa melihatnya.
help-end = Tulis saja dengan kata-katamu sendiri.
help-commands = Perintah
unknown-command = Perintah { $command } tidak ada. /help menunjukkan apa yang bisa saya lakukan.
unknown-command-near = Perintah { $command } tidak ada. Maksudmu /{ $near }? /help mencantumkan semua perintah.
button-outdated = Tombol ini sudah tidak berlaku.
cannot-read = Saya belum bisa membaca jenis pesan ini. Kirim teks, foto, atau berkas gambar.
cannot-read-sticker =
    { $detail ->
        [blank] Saya tidak bisa melihat isi stiker.
       *[other] { $detail } – bagus! Tapi saya tidak bisa melihat isi stiker.
    } Tulis dengan kata-kata, atau kirim foto.
cannot-read-dice = { $detail } Saya tidak bermain, tetapi saya menjawab pertanyaan: tulis saja.
cannot-read-animation = Saya tidak bisa menonton GIF. Kirim gambar diam, atau tanyakan dengan kata-kata.
cannot-read-video = Saya tidak bisa menonton video. Kirim tangkapan layar bagian yang kamu maksud, atau tanyakan dengan kata-kata.
cannot-read-location = Saya tidak bisa melihat peta. Tulis nama tempatnya dan apa yang ingin kamu ketahui.
cannot-read-venue = Saya tidak bisa mencari tempat di peta. Tulis namanya dan apa yang ingin kamu ketahui.
cannot-read-contact = Saya tidak bisa memakai kontak, dan kontak ini tidak saya simpan. Tulis apa yang kamu perlukan.
cannot-read-poll = Saya tidak bisa ikut jajak pendapat. Tulis pertanyaannya sebagai teks, nanti saya jawab.
cannot-read-story = Saya tidak bisa melihat cerita. Kirim tangkapan layarnya, atau tanyakan dengan kata-kata.
unread-note = Yang tidak bisa saya lihat: { $things }.
unread-animation = GIF
unread-audio = audio
unread-checklist = daftar periksa
unread-contact = kontak
unread-dice = dadu
unread-game = permainan
unread-giveaway = bagi-bagi hadiah
unread-giveaway-winners = bagi-bagi hadiah
unread-invoice = tagihan
unread-live-photo = foto live
unread-long-text = teksmu setelah 16.000 karakter pertama
unread-location = lokasi
unread-paid-media = media berbayar
unread-photo = foto
unread-poll = jajak pendapat
unread-rich-message = pesan berformat
unread-sticker = stiker
unread-story = cerita
unread-venue = tempat
unread-video = video
unread-video-note = pesan video
unread-voice = pesan suara
edit-too-late = Saya hanya menjawab perubahan pada pertanyaanmu yang terakhir. Kirim pertanyaan yang diubah sebagai pesan baru.
replaced = (diganti)
not-allowed = Bot ini bersifat pribadi. Untuk meminta akses, kirim nomor ini ke pengelolanya: { $user_id }
apology-unavailable = Maaf, saya sudah mencoba beberapa kali dan tidak bisa menghubungi model bahasa. Tanyakan lagi beberapa menit lagi.
apology-download = Maaf, saya sudah mencoba beberapa kali dan tidak bisa mengambil berkasmu dari Telegram. Kirim lagi beberapa menit lagi.
apology-credit = Saldo akun pengelola di server model habis, jadi saya tidak bisa menjawab. Hanya pengelola yang bisa memperbaikinya. Kirim /retry nanti, dan saya akan menjawab pertanyaan ini.
apology-key = Server model tidak menerima kunci pengelola, jadi saya tidak bisa menjawab. Hanya pengelola yang bisa memperbaikinya. Kirim /retry nanti, dan saya akan menjawab pertanyaan ini.
model-away = Server model tidak menerima permintaan sampai { $at }. Itu terlalu lama untuk ditunggu. Kirim /retry setelahnya, dan saya akan menjawab pertanyaan ini.
apology-refused = Maaf, model bahasa tidak menerima permintaan ini. Pengelola bisa menemukan alasannya di log.
apology-malformed = Maaf, model bahasa memberi jawaban yang tidak bisa dipakai. Tanyakan lagi, mungkin dengan kata lain.
apology-spent = Maaf, saya sudah mencoba lebih dari sekali dan selalu macet. Pertanyaan ini saya sisihkan untuk pengelola. Kesalahannya ada pada saya, bukan pada kata-kata Anda.
aside-lesson = Maaf, saya beberapa kali mencoba memperbarui ingatan dari pesan Anda sebelumnya dan macet. Saya sisihkan untuk pengelola.
aside-stream = Jawaban ini tidak dapat ditampilkan seperti biasa. Ini teks polosnya:
apology-internal = Maaf, ada yang salah di pihak saya, dan sudah tercatat di log. Coba lagi.
limit-tokens = Kamu sudah mencapai batas hari ini ({ $limit } token). Saya bisa menjawab lagi { $at } ({ $wait }). Sampai saat itu, perintah seperti /status, /sources, dan /memory tetap berfungsi.
limit-images = Kamu sudah mencapai batas hari ini ({ $limit } gambar), jadi tidak semua kirimanmu saya lihat. Saya bisa melihat gambar lagi { $at } ({ $wait }).
limit-searches = Kamu sudah mencapai batas hari ini ({ $limit } pencarian web), jadi saya tidak menelusuri web. Saya bisa mencari lagi { $at } ({ $wait }).
limit-audio_seconds = Kamu sudah mencapai batas hari ini ({ $limit } detik suara), jadi saya tidak mendengarkan. Saya bisa mendengarkan lagi { $at } ({ $wait }). Sampai saat itu, tulis saja.
limit-wait = { $duration } lagi
day-yesterday = kemarin
day-today = hari ini
day-tomorrow = besok
media-too-large = Rekamannya terlalu besar: saya menerima berkas sampai 20 MB.
media-unreadable = Saya tidak bisa membaca rekaman ini; mungkin rusak. Kirim lagi.
image-empty = Gambarnya kosong. Kirim lagi.
image-too-large = Gambarnya terlalu besar: saya menerima berkas sampai 20 MB.
image-too-many-pixels = Pikselnya terlalu banyak. Kirim versi yang lebih kecil.
image-unreadable = Saya tidak bisa membaca gambar ini; mungkin rusak. Kirim lagi.
image-format = Saya tidak bisa membaca format gambar ini. Kirim JPEG, PNG, atau WebP.
image-heif = Saya tidak bisa membaca berkas HEIC dan AVIF. Kirim sebagai foto, bukan berkas: Telegram akan mengubahnya.
image-animated = Saya tidak bisa melihat gambar bergerak. Kirim gambar diam.
image-refused = Gambar ini tidak bisa saya pakai. Kirim gambar lain.

# Commands
command-start = Mulai di sini
command-help = Yang bisa saya lakukan
command-new = Mulai percakapan baru
command-stop = Hentikan jawaban yang sedang ditulis
command-retry = Jawab ulang pertanyaan terakhir
command-sources = Yang saya ketahui
command-spaces = Ruang yang saya telusuri
command-why = Asal-usul jawaban terakhir
command-status = Yang sedang saya kerjakan untukmu
command-language = Pilih bahasa menu
command-privacy = Yang saya simpan tentangmu
command-memory = Yang saya ingat tentangmu
command-export = Datamu sebagai berkas
command-forget = Hapus semua tentangmu
command-stats = Statistik penggunaan
command-approvals = Jawaban yang menunggu persetujuan
admins-only = Perintah ini hanya untuk admin.
database-away = Basis data saya sedang tidak bisa dihubungi. Coba lagi sebentar lagi.
button-not-yours = Tombol ini milik orang lain.
never = belum pernah
and-more = … dan { $count } lagi
privacy-heading = Yang saya simpan tentangmu
privacy =
    Ini saya simpan di basis data orang atau perusahaan yang menjalankan saya:
    • id dan nama Telegram-mu, pesanmu, dan jawaban saya
    • yang saya ingat tentangmu, serta tugas, catatan, dan rencanamu
    • data masuk daftar tugasmu, terenkripsi, jika kamu menghubungkannya
    • sidik dan deskripsi setiap foto, tidak pernah fotonya sendiri
    • teks berkas, halaman, dan rekaman yang kamu kirim, tidak pernah suaranya
    • bagaimana saya memutuskan setiap jawaban, dan 👍 atau 👎 darimu
    • pemakaianmu setiap hari: token, gambar, dan pencarian

    Untuk menjawab, saya mengirim pesanmu, percakapan, dan bagian yang saya temukan ke model bahasa pilihan pengelola. Pengguna lain tidak pernah melihatnya.
new-conversation = Kita mulai percakapan baru. Yang kita bicarakan sebelumnya tidak saya pakai lagi, tetapi yang kamu ceritakan tentang dirimu tetap saya ingat.
language = Menu dan bantuan dalam bahasa apa? Jawaban saya mengikuti bahasa pertanyaanmu.
language-auto = Otomatis
language-chosen =
    { $chosen ->
        [auto] Menu dan pemberitahuan mengikuti bahasa aplikasi Telegram dan pesanmu.
       *[other] Mulai sekarang menu dan pemberitahuan dalam bahasa Indonesia. Jawaban saya tetap mengikuti bahasa pertanyaanmu.
    }
language-not-spoken = Saya belum bisa bahasa itu. Pilih salah satu dari ini, atau kirim /language dengan namanya.
status-sound = Detik suara yang didengar dan diucapkan hari ini: { $seconds }.
sources-none = Saya belum punya dokumen. Pengelola bisa menambahkannya dengan `ingest add-source`.
spaces = Ruang dokumen ini terbuka untuk Anda. Saya mencari di ruang yang bertanda ✓; di ruang lain hanya jika Anda menyebutnya. Ketuk salah satu untuk mengubahnya.
spaces-none = Semua yang saya telusuri untuk Anda terbuka bagi siapa pun yang boleh memakai saya.
sources-known = Saya mengenal { $sources } sumber dengan { $documents } dokumen ({ $passages } bagian):
sources-line = • { $name }: { $documents } dokumen, { $passages } bagian, terakhir disinkronkan: { $synced }
sources-line-internal = • { $name } (tentang saya): { $documents } dokumen, { $passages } bagian, terakhir disinkronkan: { $synced }
passage-gone = Bagian ini sudah tidak ada di dokumen saya.
passage-read = Baca bagian ini
why-button = Mengapa?
why-nothing = Saya belum menjawab apa pun. Tanyakan sesuatu dulu.
why-no-answer = Saya tidak punya catatan asal-usul pesan itu. Balas salah satu jawaban saya dengan /why.
why-heading = Asal-usul jawaban ini
why-done-direct = Saya menjawab langsung tanpa mencari apa pun.
why-done-rag =
    { $read ->
        [0] Saya mencari di dokumen dan tidak menemukan apa pun tentang ini.
       *[other] Saya mencari di dokumen: membaca { $read } bagian dan mengutip { $cited }.
    }
why-done-web =
    { $read ->
        [0] Saya menelusuri web dan tidak menemukan apa pun tentang ini.
       *[other] Saya menelusuri web: membaca { $read } hasil dan mengutip { $cited }.
    }
why-done-rag-web =
    { $read ->
        [0] Saya mencari di dokumen, lalu di web, dan tidak menemukan apa pun tentang ini.
       *[other] Saya mencari di dokumen, lalu di web: membaca { $read } bagian dan mengutip { $cited }.
    }
why-web-failed =
    { $read ->
        [0] Saya tidak bisa menelusuri web.
       *[other] Saya tidak bisa menelusuri web; dari dokumen saya membaca { $read } bagian dan mengutip { $cited }.
    }
why-reason = Alasannya: { $reason }
looked-for = Yang dicari: “{ $query }”
why-further-queries = Lalu dicari: “{ $query }”
why-photo = Foto: sudah saya lihat
why-photo-asked = Foto: saya lihat lagi dengan pertanyaanmu
why-memory = Diingat: { $count } hal tentangmu (lihat /memory)
why-recalled = • { $text }
why-summary = Diingat: ringkasan percakapan sebelumnya
why-past = Dari percakapan kita sebelumnya:
why-past-turn = • { $date }: “{ $text }”
why-read-document =
    Dokumen: { $read ->
        [0] tidak ada yang ditemukan
       *[other] { $read } bagian dibaca
    }
why-read-web =
    Web: { $read ->
        [0] tidak ada yang ditemukan
       *[other] { $read } hasil dibaca
    }
why-doubted = Pemeriksaan: { $count } kalimat tampak meragukan
why-planned = Tindakan yang diminta oleh pesan Anda sendiri: { $count }
why-repaired = Pemeriksaan: versi pertama tidak mengutip apa pun, atau ada kalimat tanpa sumber, jadi saya minta model menulis ulang
why-permitted = Panggilan yang berjalan tanpa bertanya karena selalu kamu izinkan (/tools): { $count }
why-unsupported = Pemeriksaan: { $count } kalimat tidak punya sumber, seperti disebut di jawaban
why-contradicted = Pemeriksaan: { $count } kalimat bertentangan dengan sumbernya, seperti disebut di jawaban
why-judged = Pemeriksaan: kalimat yang dicocokkan dengan sumbernya: { $count }
why-unjudged = Pemeriksaan: kalimat yang tidak dapat dicocokkan, seperti disebut di jawaban: { $count }
why-unsampled = Pemeriksaan: kalimat yang tidak dicocokkan, karena hanya sebagian jawaban yang diperiksa: { $count }
why-second_look_failed = Masalah: model perencana tidak bisa memeriksa jawabannya
why-check-left-out = Tidak diperiksa oleh model, karena akan terlalu lama
why-refused = Pemeriksaan: tidak ada yang saya baca mendukung tulisan model, jadi tidak saya tampilkan
why-planner_failed = Masalah: model perencana tidak memberi rencana, jadi hanya dokumen terdaftar yang dicari
why-further_search_failed = Masalah: model perencana tidak bisa menyebutkan apa yang masih kurang
why-look-left-out = Tidak ada pencarian lanjutan, karena akan terlalu lama
why-embedding_failed = Masalah: saya hanya bisa mencari menurut kata, bukan makna
why-rerank_failed = Masalah: pengurutan bagian gagal atau terlalu lama, jadi urutannya tetap seperti hasil pencarian
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, dikutip)
why-models = Model: { $models }
why-calls = Panggilan model: { $calls }, di antaranya berurutan sebelum kata pertama: { $before }. Token dibaca: { $read }, di antaranya dipakai ulang oleh server: { $cached }
why-times =
    { $steps ->
        [blank] Waktu: { $total } dtk
       *[other] Waktu: { $total } dtk ({ $steps })
    }
why-reference = Referensi untuk pengelola: { $request_id }
step-N1_ingest_input = membaca { $seconds }
step-N2_load_long_term_memory = mengingat { $seconds }
step-N13_read_files = membaca berkas { $seconds }
step-N3_vision_summarize = melihat { $seconds }
step-N4_build_effective_query = merencanakan { $seconds }
step-N5_retrieve = mencari dokumen { $seconds }
step-N14_search_further = pencarian lanjutan { $seconds }
step-N8_web_search = menelusuri web { $seconds }
step-N6_synthesize = menulis { $seconds }
step-N7_persist = menyimpan { $seconds }
step-N9_ask_back = bertanya balik { $seconds }
step-N10_take_answer = membaca balasanmu { $seconds }
step-N11_request_approval = meminta persetujuan { $seconds }
rated = Terima kasih atas masukannya.
rated-down = Terima kasih. Pengelola saya kini dapat membaca pertanyaan ini dan jawabannya.
rating-withdrawn = Masukanmu sudah saya hapus.
status-answering =
    Saya sedang menulis jawaban untukmu. { $waiting ->
        [0] Tidak ada pesan lain yang menunggu.
       *[other] { $waiting } pesan lagi menunggu.
    }
status-waiting =
    { $waiting ->
        [0] Semua pesanmu sudah dijawab.
       *[other] { $waiting } pesanmu menunggu jawaban.
    }
status-use = Terpakai hari ini: token { $tokens }, gambar { $images }, pencarian web { $searches }, panggilan alat terhubung { $tool_calls }. Hari baru dimulai { $at } ({ $wait }).
use-free = { $used }
use-limited = { $used } dari { $limit }
status-documents = Dokumen: { $documents }, dalam { $passages } bagian; terakhir disinkronkan: { $synced }
status-documents-away = Dokumen: basis datanya sedang tidak bisa dihubungi.
status-out-of-reach = ⚠️ Tidak terjangkau ({ $duration }): { $problem }
status-models = Model: { $chat } menulis, { $vision } melihat gambar
status-version = rich-agent { $version }
memory-empty = Saya belum mengingat apa pun tentangmu. Ceritakan sesuatu tentang dirimu, nanti saya ingat.
memory-known = Saya mengingat { $count } hal tentangmu. Ketuk nomornya supaya saya melupakannya.
memory-facts = Fakta
memory-preferences = Kesukaan
memory-tasks = Tugas
memory-past = di masa lalu
memory-planned = direncanakan
memory-item = { $text } ({ $told })
memory-item-due = { $text } – tenggat { $due } ({ $told })
memory-deleted = Sudah dilupakan. Pesan tempat kamu menceritakannya masih ada di percakapan kita. Tulis “lupakan …” untuk menghapusnya juga.
forgetting-told = Haruskah saya melupakan ini?
forgetting-everything = Haruskah saya melupakan semua yang kamu ceritakan dan yang kita bicarakan? Itu { $memory } hal yang saya ingat dan { $messages } pesan beserta jawabannya.
forgetting-named = Yang ini hanya menyebutnya. Tetap disimpan, kecuali kamu memilih melupakannya juga:
forgetting-only-named = Tidak ada yang jelas-jelas tentang itu. Haruskah saya melupakan ini, yang hanya menyebutnya?
forgetting-of-memory = Yang saya ingat:
forgetting-of-thing = Tugas, catatan, dan rencanamu:
forgetting-of-file = File kamu:
forgetting-of-message = Pesanmu, beserta jawaban saya:
forgetting-of-summary = Di ringkasan percakapan sebelumnya:
forgetting-more = … dan { $count } lagi.
forgetting-final = Ini tidak bisa dibatalkan. Ketuk salah satu tombol.
forgetting-yes = Lupakan
forgetting-yes-all = Lupakan semuanya
forgetting-no = Simpan semuanya
forgetting-done = Dilupakan: { $memory } hal yang diingat dan { $messages } pesan beserta jawabannya. Semuanya hilang dari ingatan saya, percakapan kita, ringkasannya, arsip, dan catatan yang ditampilkan /export. Yang kamu lihat di obrolan ini tetap ada sampai kamu hapus di Telegram.
forgetting-left = { $count } hal yang hanya menyebutnya tetap disimpan, sesuai pilihanmu.
forgetting-done-everything = Pengaturan, masukan, dan catatan pemakaianmu tetap ada; /forget menghapusnya juga.
forgetting-nothing = Saya tidak menemukan apa pun tentang itu, baik di ingatan maupun di percakapan kita, jadi tidak ada yang dihapus. /memory menampilkan yang saya ingat tentangmu.
forgetting-failed = Saya tidak bisa mengetahui apa yang ingin kamu lupakan, karena model saya gagal. Tidak ada yang dihapus. Coba lagi nanti, atau pakai /memory dan /forget.
forgetting-kept = Tidak ada yang dihapus.
forgetting-wish = (Permintaan untuk melupakan sesuatu. Kata-katanya tidak disimpan.)
planner-failed-note = Model perencana saya gagal. Jika kamu meminta saya melakukan atau melupakan sesuatu, tidak ada yang dilakukan atau dihapus: minta lagi, atau pakai /memory dan /forget.
planner-failed-still = Tidak ada yang dilakukan atau dihapus.
exported =
    Inilah semua yang saya simpan tentangmu: { $messages } pesan, { $decisions } keputusan{ $images ->
        [0] {""}
       *[other] , { $images } deskripsi gambar
    }, yang saya ingat, serta tugas, catatan, dan rencanamu. Berkasnya berformat JSON.
forget-confirm =
    Haruskah saya menghapus semua yang saya simpan tentangmu? Itu berarti percakapan kita, yang saya ingat tentangmu, tugas, catatan, dan rencanamu, bagaimana saya memutuskan setiap jawaban, masukanmu, deskripsi fotomu, teks berkas dan rekamanmu, dan pengaturanmu.

    Ini tidak bisa dibatalkan. Pesan di obrolan ini tetap ada sampai kamu hapus di Telegram. Untuk salinan datamu, kirim /export dulu.
forget-yes = Ya, hapus semuanya
forget-no = Tidak, simpan
forget-wish = Lupakan apa yang saya katakan tentang { $what }
command-alone = Saya tidak melakukan apa pun: { $command } dipakai tanpa kata di belakangnya. Kirim sendiri jika itu maksudmu.
secret-delete-yourself = Saya tidak bisa menghapus pesanmu. Isinya kata sandimu, jadi hapuslah sendiri.
forget-kept = Tidak ada yang dihapus.
forgotten = Semua yang saya simpan tentangmu sudah dihapus. Jika kamu menulis lagi, kita mulai dari awal.
confirmation-over = Pertanyaan ini sudah kedaluwarsa. Kirim lagi perintahnya.
nothing-to-retry = Tidak ada pertanyaan untuk dijawab ulang. Tanyakan sesuatu dulu.
stats-heading = Statistik
stats-users = Pengguna: { $known }; { $day } dalam sehari terakhir, { $week } dalam 7 hari; { $blocking } memblokir saya
stats-turns = Jawaban: { $day } dalam sehari terakhir, { $week } dalam 7 hari
stats-plans = Rencana, 7 hari: { $plans }
stats-plan-direct = langsung { $count }
stats-plan-rag = dokumen { $count }
stats-plan-web = web { $count }
stats-plan-rag-web = dokumen dan web { $count }
stats-times = Waktu menjawab, 7 hari: p50 { $p50 } dtk, p95 { $p95 } dtk
stats-failures = Kegagalan: { $broken } jawaban terputus dan { $undelivered } pesan tak terkirim dalam 7 hari, { $dead } pembaruan ditinggalkan
stats-feedback = Masukan: 👍 { $up }, 👎 { $down }
stats-use-day = Terpakai hari ini (UTC): token { $tokens }, gambar { $images }, pencarian web { $searches }; { $cost }
stats-use-week = Terpakai, 7 hari: token { $tokens }, gambar { $images }, pencarian web { $searches }; { $cost }
stats-cached = Dari token yang dibaca, yang sudah pernah dibaca server: { $share } %
stats-cost = biaya { $cost }
stats-cost-partly = biaya { $cost }, tanpa { $models } (harga belum diatur)
stats-cost-unknown = harga belum diatur (MODEL_PRICES)
stats-price-table = Harga yang tidak ada di MODEL_PRICES: { $table }
stats-top-users = Token terbanyak, 7 hari: { $users }
stats-inbox = Pembaruan menunggu: { $pending }
stats-approvals = Menunggu persetujuan: { $count } (/approvals)

# Approval
approval-waiting = Jawaban seperti ini dibaca seseorang dulu sebelum saya kirim. Jawabanmu sedang ditinjau, dan saya kirim begitu disetujui. Sementara itu kamu bisa terus menulis.
approval-review =
    Jawaban { $number } menunggu persetujuanmu.
    Dari: { $user }
    Jenis: { $intent }
    Pertanyaan: { $question }

    Konsepnya ada di bawah. Balas dengan teks yang diperbaiki, atau pakai tombolnya.
button-approve = Setujui
button-correct = Ubah
button-reject = Tolak
approval-correction = Jawaban { $number }: balas pesan ini dengan teks yang diperbaiki. Pengguna akan membacanya apa adanya.
approval-reason = Jawaban { $number }: balas pesan ini dengan alasan penolakan. Pengguna akan membacanya.
approval-words-missing = Saya memerlukannya sebagai teks. Balas lagi pesan yang sama.
approval-is-approved =
    { $by ->
        [you] ✓ Disetujui olehmu.
       *[other] ✓ Disetujui oleh { $admin }.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ Dikirim dengan teksmu.
       *[other] ✎ Dikirim dengan teks dari { $admin }.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ Ditolak olehmu.
       *[other] ✗ Ditolak oleh { $admin }.
    }
approval-is-expired = Tidak ada keputusan tepat waktu. Pengguna sudah saya beri tahu.
approval-is-withdrawn = Pengguna mengubah pertanyaannya, jadi konsep ini tidak diperlukan lagi.
approval-approved = Jawaban ini sudah ditinjau dan disetujui.
approval-corrected = Jawaban ini sudah ditinjau dan diperbaiki.
approval-rejected = Maaf, saya tidak bisa memberi jawaban untuk ini. Alasannya: { $reason }
approval-expired = Maaf, jawaban saya tidak ditinjau tepat waktu. Tanyakan lagi nanti.
approvals-known =
    { $count ->
        [0] Tidak ada jawaban yang menunggu persetujuan.
       *[other] { $count } jawaban menunggu persetujuan:
    }
approvals-line = • { $number }, sejak { $since }, dari { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = sesuai rencana
reason-greeting = salam
reason-farewell = salam perpisahan
reason-thanks = ucapan terima kasih
reason-help = permintaan bantuan
reason-laughter = tawa
reason-reaction = emoji
reason-silence = pesan tidak berisi kata yang bisa dicari
reason-number = angka atau hitungan
reason-known_word = kata yang muncul di dokumen terdaftar
reason-forget_wish = permintaan melupakan sesuatu
reason-stopped = kamu menghentikannya sebelum direncanakan
reason-no_web = pencarian web tidak disiapkan
reason-no_plan = model perencana tidak memberi rencana, jadi dokumen terdaftar dicari dan web tidak
reason-file_read = pesannya tentang berkas yang kamu kirim
reason-file_refused = tidak satu pun berkas yang kamu kirim bisa dibaca
reason-about_bot = pertanyaan tentang saya dijawab dari dokumen saya sendiri
reason-about_now = jawabannya bergantung pada keadaan sekarang, jadi web ditelusuri
reason-documents_first = dokumen terdaftar didahulukan daripada web
reason-documents_may_say = dokumen terdaftar mungkin menjawabnya
reason-documents_wanted = kamu menanyakan isi dokumen
reason-web_ruled_out = pesannya mungkin pribadi, jadi web tidak ditelusuri
reason-say_little = dokumen terdaftar hanya sedikit membahasnya, jadi web juga ditelusuri
reason-say_little_on = dokumen terdaftar hanya sedikit membahas “{ $subject }”, jadi web juga ditelusuri

# Alerts for admins
alert-credit = ⚠️ Saldo akun di server model habis ({ $service }), jadi saya tidak bisa menjawab siapa pun. { $hint } Lalu jalankan `rich-agent inbox replay --all` agar pertanyaan yang terlewat dijawab. Ini saya kirim paling banyak sekali sejam.
alert-key = ⚠️ Server model tidak menerima kuncinya ({ $service }), jadi saya tidak bisa menjawab siapa pun. { $hint } Lalu jalankan `rich-agent inbox replay --all` agar pertanyaan yang terlewat dijawab. Ini saya kirim paling banyak sekali sejam.
alert-away = ⚠️ Server model ({ $service }) tidak menerima permintaan sampai { $at }. Pengguna diminta bertanya lagi setelahnya. Untuk menghindarinya, naikkan batasnya atau pakai server lain. Ini saya kirim paling banyak sekali sejam.
alert-lesson = ⚠️ Berhari-hari saya mencoba memperbarui ingatan seorang pengguna dari sebuah pesan, lalu menyerah. Alasannya ada di log. Ini saya kirim paling banyak sekali sejam.
alert-refused = ⚠️ Server model menolak salah satu permintaan saya: { $problem } { $hint } Saya melanjutkan sebisa mungkin tanpanya. Pesan ini saya kirim paling banyak sekali per jam.

# Tools: what each is for, and what is happening while it runs.
status-acting = Memakai { $tool }…
tool-list_files = Berkasmu
tool-undo_last_change = Urungkan perubahan terakhir
tool-search_documents = Dokumen
tool-search_web = Pencarian web
tool-request_more_information = Pertanyaan untukmu
doing-list_files = Melihat berkasmu…
doing-undo_last_change = Mengurungkan perubahan terakhir…
doing-search_documents = Mencari di dokumen…
doing-search_web = Menelusuri web…
approve-calls = Saya ingin melakukan ini. Boleh?
approve-not-planned = Pesan Anda sendiri tidak meminta ini. Periksa dengan teliti.
approve-yes = Setujui
approve-no = Batalkan
approve-words-yes = ya|iya|oke|ok|boleh
approve-words-no = tidak|batal
card-labelled = { $label }: { $text }
card-not-done = Tidak dilakukan.
approve-adjust = Sesuaikan
approve-how-to-adjust = Tulis apa yang perlu diubah, dan saya akan mengusulkannya lagi.
approve-always = Selalu untuk ini
approve-always-same = “{ $always }” menyetujuinya, dan setelah itu panggilan yang sama berjalan tanpa bertanya. /tools mencabutnya.
approve-always-alike = “{ $always }” menyetujuinya, dan setelah itu panggilan dengan { $fixed } yang sama berjalan tanpa bertanya, apa pun isi lainnya. /tools mencabutnya.
web-approve-in-words = Balas dengan “{ $yes }” atau “{ $no }”, atau tulis apa yang perlu diubah.
card-characters-left-out = Karakter lainnya: { $count }
card-arguments-left-out = Data lainnya: { $count }
card-in-file = Tidak semuanya muat di sini. Berkas “approval.txt” berisi seluruh teks. Bacalah sebelum memutuskan.
card-copied-from = Disalin dari: { $sources }
copied-user = pesan Anda
copied-memory = yang saya simpan untuk Anda
copied-assistant = jawaban sebelumnya
copied-operator = pengelola bot
copied-document = dokumen
copied-page = halaman web
copied-file = berkas
copied-server = program lain
copied-other = orang lain
card-takes-back = Yang diurungkan
argument-duration = Durasi
argument-yes = ya
argument-no = tidak
argument-none = tidak ada
approve-cancelled = Dibatalkan. Tidak ada yang diubah.
acting-limit-calls = Saya sudah mencapai batas 10 tindakan untuk satu pesan. Tulis “lanjutkan” jika masih ada yang harus dikerjakan.
acting-limit-errors = Ada yang gagal tiga kali berturut-turut, jadi saya berhenti. Tidak ada lagi yang diubah.
undo-button = Urungkan
undo-done = Diurungkan:
undo-too-late = Ini sudah tidak bisa diurungkan.
step-N12_act = bertindak { $seconds }

reason-in_group = di grup saya hanya menjawab dari dokumen terdaftar
reason-link_ignored = kamu ingin tautannya tidak dibaca
reason-link_kept = kamu ingin halamannya diingat
reason-link_read = halaman yang kamu tautkan sudah dibaca
reason-in_session = pesan ini bagian dari sesi terpandu
reason-session_left = kamu ingin mengakhiri sesi terpandu

timeline-left-out = dan { $count } lagi
command-timezone = Pilih zona waktumu
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [1] setiap jam
           *[other] setiap { $count } jam
        }
        [daily] { $count ->
            [1] setiap hari
           *[other] setiap { $count } hari
        }
        [weekly] { $count ->
            [1] setiap minggu
           *[other] setiap { $count } minggu
        }
        [monthly] { $count ->
            [1] setiap bulan
           *[other] setiap { $count } bulan
        }
       *[yearly] { $count ->
            [1] setiap tahun
           *[other] setiap { $count } tahun
        }
    }
time-zone-none = Saya belum tahu zona waktumu. Pilih di sini, atau kirim /timezone dengan nama seperti Asia/Jakarta.
time-zone = Zona waktumu { $zone }. Di sana sekarang { $now }. Untuk mengubahnya, kirim /timezone dengan nama lain.
time-zone-chosen = Zona waktumu { $zone }. Di sana sekarang { $now }. Pengingat berulang mengikutinya.
time-zone-near = Saya tidak mengenal zona waktu { $name }. Maksudmu salah satu dari ini?
time-zone-which = Ada beberapa zona waktu untuk { $name }. Yang mana zona waktumu?
time-zone-unknown = Saya tidak mengenal zona waktu { $name }. Namanya terdiri dari kawasan dan kota, misalnya Asia/Jakarta.

# The page of a passage.
passage-place = { $source } · bagian { $position } dari { $count }
passage-before = ← Sebelumnya
passage-after = Berikutnya →

# The page of a browser while the bot starts.
bot-starting = Bot sedang dimulai…

# Calls that a user permitted for good (/tools).
command-tools = Lihat apa yang boleh berjalan tanpa bertanya
tools-none = Kamu belum mengizinkan panggilan apa pun untuk seterusnya. Jika aman, pertanyaan sebelum panggilan menawarkan “Selalu untuk ini”.
tools-about = Panggilan ini berjalan tanpa bertanya kepadamu. ✕ mencabut izin, begitu juga /tools dengan nomornya.
tools-given-on = diizinkan { $day }
tools-used = panggilan: { $count }
tools-any = apa saja
tools-changed = Alatnya sudah berubah sejak itu, jadi panggilan seperti ini bertanya lagi.
tools-take-all-back = Cabut semua
tools-taken-back = Dicabut. Panggilan seperti ini bertanya lagi kepadamu.

# Outside Telegram.
only-in-telegram = Ini hanya berfungsi sepenuhnya di Telegram: kirim { $command } di sana.

run-not-latest = Hanya pertanyaan terbaru dalam percakapan yang dapat dijawab lagi.

# What is asked in groups.
guest-user-limit = Pertanyaanmu di grup untuk hari ini sudah habis. Tanyakan di obrolan pribadi.
guest-group-limit = Grup ini banyak bertanya dalam satu jam terakhir. Coba lagi nanti, atau tanyakan di obrolan pribadi.
guest-withheld = Ini tidak bisa saya jawab di grup. Tanyakan di obrolan pribadi.
guest-answer-cut = Ini awal dari jawaban yang lebih panjang. Untuk selengkapnya, tanyakan di obrolan pribadi.
guest-answered-privately = Sudah saya jawab di obrolan pribadi kita.

## Files
file-page = halaman { $number }
file-sheet-named = lembar { $heading }
file-sheet-numbered = lembar { $number }
file-slide-named = slide { $number }: { $heading }
file-slide-numbered = slide { $number }
ask-about-files =
    { $count ->
       *[other] Saya sudah membaca { $names }. Apa yang ingin kamu ketahui?
    }
file-topic-summary = Ringkaskan
file-topic-points = Sebutkan poin utamanya
file-read-whole = Saya membaca seluruh { $name }.
file-macros = Makro di { $name } tidak dijalankan.
file-read-in-parts = Saya membaca seluruh { $name }, dalam { $parts } bagian.
file-read-partly = { $name } panjang: saya membaca { $read } dari { $units } bagiannya. Tanyakan sisanya, atau satu bagian saja.
file-searched = { $name } panjang: saya mencari yang sesuai pertanyaanmu dan tidak membaca seluruhnya.
file-parts-unread = Saya tidak bisa membaca { $parts } di { $name }.
file-part-attachment = { $count } lampiran
file-part-chart = { $count } grafik
file-part-diagram = { $count } diagram
file-part-drawing = { $count } gambar vektor
file-part-equation = { $count } persamaan
file-part-field = { $count } isian formulir
file-part-file = { $count } berkas
file-part-formula = { $count } rumus tanpa hasil tersimpan
file-part-letter = { $count } karakter
file-part-object = { $count } objek tersemat
file-part-page = { $count } halaman tanpa teks
file-part-picture = { $count } gambar
file-part-remark = { $count } komentar
file-part-row = { $count } baris
file-part-sheet = { $count } lembar
file-part-slide = { $count } slide tanpa teks
file-refused-too-large = “{ $name }” lebih dari 20 MB, melebihi batas unduhan Telegram. Kirim berkas yang lebih kecil, atau bagi berkasnya.
file-refused-too-long = “{ $name }” terlalu panjang untuk dibaca. Kirim bagian yang penting sebagai berkas tersendiri.
file-refused-unsupported = Saya tidak bisa membaca “{ $name }”. Saya membaca PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, EML, MSG, MHTML, ZIP, dan teks biasa. Simpan sebagai salah satunya lalu kirim lagi.
file-refused-old-office = “{ $name }” berformat Office lama. Simpan sebagai DOCX, XLSX, PPTX, atau PDF lalu kirim lagi.
file-refused-archive = “{ $name }” dikemas dengan cara yang tidak bisa saya buka. Kirim sebagai ZIP, atau kirim berkas di dalamnya.
file-refused-encrypted = “{ $name }” dilindungi kata sandi. Simpan tanpa kata sandi lalu kirim lagi.
file-refused-empty = Saya tidak menemukan teks di “{ $name }”. Jika ada isinya, kirim sebagai PDF atau foto.
file-refused-damaged = “{ $name }” rusak, atau bukan jenis yang disebut namanya. Buka, simpan lagi, lalu kirim salinan barunya.
file-refused-gone = Saya tidak bisa mengambil “{ $name }”: berkasnya sudah tidak tersedia. Kirim lagi.
file-keep-button = Ingat
file-only-here-button = Di sini saja
file-kept =
    { $count ->
       *[other] Saya akan mengingat berkas ini. /files menampilkannya.
    }
file-not-kept =
    { $count ->
       *[other] Berkas ini saya lupakan bersama percakapan ini (/new).
    }
file-forgotten = Dilupakan.
files-none = Kamu tidak punya berkas di sini. Kirim satu: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV, atau teks.
files-title = { $count } berkasmu:
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, diingat
files-line-unread = Tidak terbaca: { $parts }.
files-hint = 📌 mengingat berkas setelah percakapan ini, atau tidak lagi. 🗑 melupakannya.
command-files = Berkasmu: lihat, ingat, lupakan

# Links.
ask-about-links =
    { $count ->
        [1] Apa yang harus saya lakukan dengan tautan ini? { $links }
       *[other] Apa yang harus saya lakukan dengan tautan-tautan ini? { $links }
    }
link-wish-summary = Ringkaskan
link-wish-keep = Ingat
link-wish-ignore = Abaikan
link-ignored = Baik, tidak saya baca.
link-kept =
    { $count ->
        [1] Saya sudah membaca dan mengingat “{ $names }”. Tanyakan kapan saja; /files menampilkannya.
       *[other] Saya sudah membaca dan mengingat: { $names }. Tanyakan kapan saja; /files menampilkannya.
    }
page-refused-private = Saya tidak membaca { $name }: alamat itu menuju jaringan pribadi.
page-refused-robots = Saya tidak boleh membaca { $name }: situs itu tidak mengizinkan program. Kirim teksnya, atau halamannya sebagai berkas.
page-refused-closed = { $name } hanya terbuka bagi yang sudah masuk. Kirim teksnya, atau halamannya sebagai berkas.
page-refused-gone = Tidak ada halaman di { $name }. Apakah alamatnya lengkap?
page-refused-too-large = Halaman { $name } terlalu besar untuk saya. Kirim bagian yang penting.
page-refused-too-long = Halaman { $name } terlalu panjang untuk saya. Kirim bagian yang penting.
page-refused-slow = { $name } terlalu lama menjawab. Coba lagi nanti.
page-refused-away = Saya tidak bisa mengambil { $name }: situsnya bermasalah atau tidak bisa dihubungi. Coba lagi nanti.
page-refused-empty = Saya tidak menemukan teks di { $name }. Mungkin halamannya hanya tampil untuk orang, atau setelah masuk. Kirim teksnya.
page-refused-made-by-scripts = Saya tidak melihat teks di { $name }: halamannya baru terisi di peramban. Kirim teksnya, atau simpan halaman di peramban lalu kirim berkasnya.
page-refused-consent = Di { $name } saya hanya melihat pertanyaan dengan tombol, misalnya persetujuan, bukan halaman di baliknya. Kirim teksnya, atau halamannya sebagai berkas.
page-refused-unsupported = { $name } bukan halaman atau dokumen yang bisa saya baca.
page-refused-old-office = Berkas di { $name } berformat Office lama, yang tidak bisa saya baca.
page-refused-archive = Berkas di { $name } dikemas dengan cara yang tidak bisa saya buka.
page-refused-encrypted = Berkas di { $name } dilindungi kata sandi.
page-refused-damaged = Berkas di { $name } rusak, atau bukan jenis yang disebut namanya.
page-refused-too-many-links = Saya tidak membaca { $name }: jumlah tautannya melebihi yang saya baca untuk satu pesan.

# The demo.
demo-about-stand-in = Ini demo di komputermu. Botnya asli; Telegram dan model bahasanya hanya tiruan, dan model ini hanya bisa mengutip. Untuk model asli: “Hubungkan model”, atau OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = Ini demo di komputermu. Bot dan model bahasanya ({ $model }) asli; Telegram hanya tiruan.
demo-about-operator = Kamu menulis sebagai Ada, pengelola bot ini: /help juga menunjukkan apa yang bisa dilakukan pengelola.
pages-skip = Lewati ke isi
pages-elsewhere = Halaman lain
pages-sign-in = Silakan masuk
pages-from-elsewhere = Tautan di situs lain membawa Anda ke sini.
pages-open = Buka halaman
pages-not-for-you = Anda tidak boleh melihat halaman ini. Minta peran kepada pemilik bot.
pages-problem = Itu tidak berhasil
pages-problem-back = Kembalilah; isian Anda masih ada.
pages-gone = Tidak ditemukan
pages-gone-how = Tidak ada apa-apa di sini, atau sudah tidak ada.
pages-later = Bot tidak dapat menjawab saat ini. Coba lagi sebentar lagi.
pages-unsent = Tidak ada yang terkirim: bot tidak dapat dijangkau. Coba lagi.
pages-as-table = Sebagai tabel
pages-cancel = Batal
pages-copy = Salin
pages-copied = Tersalin
pages-pages = Halaman daftar
pages-first = Ke awal
pages-next = Selengkapnya
pages-search = Cari

# The pages of users.
panel-save = Simpan
widget-unanswered = Tidak ada jawaban. Silakan coba lagi.
widget-wait = Ini perlu sedikit lebih lama, tetapi akan dikerjakan.
