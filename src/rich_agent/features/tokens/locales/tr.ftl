command-tokens = Diğer programlar sizin adınıza bana soru sorsun
tokens-none = Token ile başka bir program HTTP üzerinden sizin adınıza bana soru sorabilir. Henüz token yok.
tokens-about = Token ile başka bir program HTTP üzerinden sizin adınıza bana soru sorabilir. ✕ bir token’ı anında iptal eder.
tokens-open = Token’larınız
tokens-unreachable = Diğer programlar burada bana ulaşamadığı için token oluşturmuyorum. Beni yöneten kişinin önce PUBLIC_URL ayarını yapması gerekiyor.
tokens-make = Yeni token
tokens-make-named = Yeni token “{ $name }”
tokens-name = Telegram
tokens-made = Yeni token bu. Yalnızca şimdi gösteriyorum. Programınıza kopyalayın, sonra gizleyin. Siz iptal edene kadar token kimdeyse sizin adınıza bana soru sorabilir. Programlar için adresim: { $address }
tokens-hide = Token’ı gizle
tokens-revoked = Token iptal edildi. Artık hiçbir şey açmıyor.
tokens-too-many = { $most } token’ınız var, daha fazlası olmuyor. Önce birini iptal edin.
tokens-made-on = oluşturuldu { $day }
tokens-used-on = son kullanım { $day }
tokens-unused = henüz kullanılmadı
tokens-ends-on = bitiş { $day }

# The pages of users.
tokens-revoke = İptal et
tokens-name-label = Ad
