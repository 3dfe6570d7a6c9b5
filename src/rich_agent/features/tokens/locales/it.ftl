command-tokens = Permetti ad altri programmi di farmi domande a tuo nome
tokens-none = Con un token un altro programma può farmi domande a tuo nome via HTTP. Non ce n’è ancora nessuno.
tokens-about = Con un token un altro programma può farmi domande a tuo nome via HTTP. ✕ revoca subito un token.
tokens-open = I tuoi token
tokens-unreachable = Qui gli altri programmi non possono raggiungermi, quindi non creo token. Prima il mio gestore deve impostare PUBLIC_URL.
tokens-make = Nuovo token
tokens-make-named = Nuovo token «{ $name }»
tokens-name = Telegram
tokens-made = Questo è il nuovo token. Lo mostro solo adesso. Copialo nel tuo programma e poi nascondilo. Chi ce l’ha può farmi domande a tuo nome, finché non lo revochi. Il mio indirizzo per i programmi è { $address }
tokens-hide = Nascondi il token
tokens-revoked = Il token è revocato e non funziona più.
tokens-too-many = Hai { $most } token, che è il massimo. Prima revocane uno.
tokens-made-on = creato: { $day }
tokens-used-on = ultimo uso: { $day }
tokens-unused = non ancora usato
tokens-ends-on = scade: { $day }

# The pages of users.
tokens-revoke = Revoca
tokens-name-label = Nome
