command-users = Beni kimler kullanıyor
command-allow = Birine izin verin: /allow ID
command-deny = Birinin iznini kaldırın: /deny ID
people-known =
    { $count ->
        [0] Bana henüz kimse yazmadı.
       *[other] { $count } kullanıcı:
    }
people-line = { $user_id } · { $name } · { $state } · son görülme: { $seen }
people-state-admin = yönetici
people-state-allowed = izinli
people-state-denied = izinsiz
people-state-blocking = beni engelledi
people-usage = Kullanıcının numarasını ekleyin: { $command } 123456789. Tanıdığım kullanıcılar /users listesinde. Geri çevirdiğim kişiler kendi numaralarını görür.
people-let-in = { $user_id } artık beni kullanabilir.
people-let-in-anyway = { $user_id } beni kullanabilir. İznini kaldırdıklarınız dışında herkes de öyle, çünkü ALLOWED_USERS değeri *.
people-kept-out = { $user_id } artık beni kullanamaz.
people-is-admin = { $user_id } bir yönetici. Önce numarayı ADMIN_USERS listesinden çıkarın.
