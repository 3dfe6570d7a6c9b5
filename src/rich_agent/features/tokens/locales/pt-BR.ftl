command-tokens = Deixar outros programas me fazerem perguntas em seu nome
tokens-none = Com um token, outro programa pode me fazer perguntas em seu nome por HTTP. Ainda não há nenhum.
tokens-about = Com um token, outro programa pode me fazer perguntas em seu nome por HTTP. ✕ revoga um token na hora.
tokens-open = Seus tokens
tokens-unreachable = Outros programas não conseguem me alcançar aqui, então não crio token. Antes, meu operador precisa definir PUBLIC_URL.
tokens-make = Novo token
tokens-make-named = Novo token “{ $name }”
tokens-name = Telegram
tokens-made = Este é o novo token. Só mostro agora. Copie para o seu programa e depois oculte. Quem o tiver pode me fazer perguntas em seu nome, até você revogá-lo. Meu endereço para programas é { $address }
tokens-hide = Ocultar o token
tokens-revoked = O token foi revogado e não funciona mais.
tokens-too-many = Você tem { $most } tokens, que é o máximo. Revogue um primeiro.
tokens-made-on = criado: { $day }
tokens-used-on = último uso: { $day }
tokens-unused = ainda não usado
tokens-ends-on = vence: { $day }

# The pages of users.
tokens-revoke = Revogar
tokens-name-label = Nome
