command-tokens = Izinkan program lain bertanya atas namamu
tokens-none = Dengan token, program lain bisa bertanya kepada saya atas namamu lewat HTTP. Belum ada token.
tokens-about = Dengan token, program lain bisa bertanya kepada saya atas namamu lewat HTTP. ✕ langsung mencabut token.
tokens-open = Tokenmu
tokens-unreachable = Program lain tidak bisa menghubungi saya di sini, jadi saya tidak membuat token. Pengelola harus mengatur PUBLIC_URL dulu.
tokens-make = Token baru
tokens-make-named = Token baru “{ $name }”
tokens-name = Telegram
tokens-made = Ini token barunya. Hanya saya tampilkan sekarang. Salin ke programmu, lalu sembunyikan. Siapa pun yang memilikinya bisa bertanya atas namamu, sampai kamu mencabutnya. Alamat saya untuk program adalah { $address }
tokens-hide = Sembunyikan token
tokens-revoked = Token sudah dicabut dan tidak membuka apa pun lagi.
tokens-too-many = Kamu punya { $most } token, jumlah terbanyak yang boleh. Cabut satu dulu.
tokens-made-on = dibuat { $day }
tokens-used-on = terakhir dipakai { $day }
tokens-unused = belum dipakai
tokens-ends-on = berakhir { $day }

# The pages of users.
tokens-revoke = Cabut
tokens-name-label = Nama
