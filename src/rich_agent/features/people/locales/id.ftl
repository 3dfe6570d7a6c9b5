command-users = Siapa yang memakai saya
command-allow = Izinkan seseorang: /allow ID
command-deny = Larang seseorang: /deny ID
people-known =
    { $count ->
        [0] Belum ada yang menulis kepada saya.
       *[other] { $count } pengguna:
    }
people-line = { $user_id } · { $name } · { $state } · terakhir terlihat: { $seen }
people-state-admin = admin
people-state-allowed = diizinkan
people-state-denied = tidak diizinkan
people-state-blocking = memblokir saya
people-usage = Tambahkan nomor pengguna: { $command } 123456789. /users menampilkan pengguna yang saya kenal. Orang yang saya tolak melihat nomornya sendiri.
people-let-in = Mulai sekarang { $user_id } boleh memakai saya.
people-let-in-anyway = { $user_id } boleh memakai saya. Begitu juga semua orang kecuali yang kamu larang, karena ALLOWED_USERS berisi *.
people-kept-out = { $user_id } tidak boleh memakai saya lagi.
people-is-admin = { $user_id } adalah admin. Hapus dulu nomornya dari ADMIN_USERS.
