command-tokens = Andere Programme in deinem Namen fragen lassen
tokens-none = Mit einem Token kann mich ein anderes Programm über HTTP in deinem Namen fragen. Noch gibt es keins.
tokens-about = Mit einem Token kann mich ein anderes Programm über HTTP in deinem Namen fragen. ✕ widerruft ein Token sofort.
tokens-open = Deine Tokens
tokens-unreachable = Andere Programme erreichen mich hier nicht, deshalb erstelle ich kein Token. Mein Betreiber muss erst PUBLIC_URL setzen.
tokens-make = Neues Token
tokens-make-named = Neues Token „{ $name }“
tokens-name = Telegram
tokens-made = Das ist das neue Token. Ich zeige es nur jetzt. Kopier es in dein Programm und verbirg es dann. Wer es hat, kann mich in deinem Namen fragen, bis du es widerrufst. Meine Adresse für Programme ist { $address }
tokens-hide = Token verbergen
tokens-revoked = Das Token ist widerrufen. Es funktioniert nicht mehr.
tokens-too-many = Du hast { $most } Tokens, mehr gehen nicht. Widerrufe zuerst eins.
tokens-made-on = erstellt: { $day }
tokens-used-on = zuletzt benutzt: { $day }
tokens-unused = noch nicht benutzt
tokens-ends-on = endet: { $day }

# The pages of users.
tokens-revoke = Widerrufen
tokens-name-label = Name
