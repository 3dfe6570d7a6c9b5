command-tokens = Andere programma’s mij namens jou vragen laten stellen
tokens-none = Met een token kan een ander programma me namens jou over HTTP vragen stellen. Er is nog geen token.
tokens-about = Met een token kan een ander programma me namens jou over HTTP vragen stellen. ✕ trekt een token meteen in.
tokens-open = Je tokens
tokens-unreachable = Andere programma’s kunnen me hier niet bereiken, dus maak ik geen token. Mijn beheerder moet eerst PUBLIC_URL instellen.
tokens-make = Nieuw token
tokens-make-named = Nieuw token “{ $name }”
tokens-name = Telegram
tokens-made = Dit is het nieuwe token. Ik toon het alleen nu. Kopieer het naar je programma en verberg het dan. Wie het heeft kan me namens jou vragen stellen, tot je het intrekt. Mijn adres voor programma’s is { $address }
tokens-hide = Token verbergen
tokens-revoked = Het token is ingetrokken en werkt niet meer.
tokens-too-many = Je hebt { $most } tokens, meer kan niet. Trek er eerst een in.
tokens-made-on = gemaakt: { $day }
tokens-used-on = laatst gebruikt: { $day }
tokens-unused = nog niet gebruikt
tokens-ends-on = vervalt: { $day }

# The pages of users.
tokens-revoke = Intrekken
tokens-name-label = Naam
