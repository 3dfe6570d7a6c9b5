command-tokens = Pozwól innym programom pytać w Twoim imieniu
tokens-none = Z tokenem inny program może pytać mnie w Twoim imieniu przez HTTP. Nie ma jeszcze żadnego tokenu.
tokens-about = Z tokenem inny program może pytać mnie w Twoim imieniu przez HTTP. ✕ od razu unieważnia token.
tokens-open = Twoje tokeny
tokens-unreachable = Inne programy nie mogą się tu ze mną połączyć, więc nie tworzę tokenu. Mój operator musi najpierw ustawić PUBLIC_URL.
tokens-make = Nowy token
tokens-make-named = Nowy token „{ $name }”
tokens-name = Telegram
tokens-made = Oto nowy token. Pokazuję go tylko teraz. Skopiuj go do swojego programu, a potem go ukryj. Kto go ma, może pytać mnie w Twoim imieniu, dopóki go nie unieważnisz. Mój adres dla programów to { $address }
tokens-hide = Ukryj token
tokens-revoked = Token jest unieważniony. Niczego już nie otwiera.
tokens-too-many = Masz już { $most } tokenów, więcej mieć nie można. Najpierw unieważnij jeden z nich.
tokens-made-on = utworzono { $day }
tokens-used-on = ostatnio użyto { $day }
tokens-unused = jeszcze nieużywany
tokens-ends-on = wygasa { $day }

# The pages of users.
tokens-revoke = Unieważnij
tokens-name-label = Nazwa
