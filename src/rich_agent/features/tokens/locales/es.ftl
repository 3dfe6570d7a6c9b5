command-tokens = Dejar que otros programas me pregunten en tu nombre
tokens-none = Con un token, otro programa puede preguntarme en tu nombre por HTTP. Todavía no hay ninguno.
tokens-about = Con un token, otro programa puede preguntarme en tu nombre por HTTP. ✕ revoca un token al instante.
tokens-open = Tus tokens
tokens-unreachable = Otros programas no pueden llegar a mí aquí, así que no creo ningún token. Antes, mi operador tiene que definir PUBLIC_URL.
tokens-make = Token nuevo
tokens-make-named = Token nuevo «{ $name }»
tokens-name = Telegram
tokens-made = Este es el token nuevo. Solo lo muestro ahora. Cópialo en tu programa y después ocúltalo. Quien lo tenga puede preguntarme en tu nombre hasta que lo revoques. Mi dirección para programas es { $address }
tokens-hide = Ocultar el token
tokens-revoked = El token está revocado y ya no funciona.
tokens-too-many = Tienes { $most } tokens, que es el máximo. Revoca uno primero.
tokens-made-on = creado: { $day }
tokens-used-on = último uso: { $day }
tokens-unused = sin usar todavía
tokens-ends-on = caduca: { $day }

# The pages of users.
tokens-revoke = Revocar
tokens-name-label = Nombre
