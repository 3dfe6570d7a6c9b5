command-tokens = Laisser d’autres programmes m’interroger en votre nom
tokens-none = Avec un jeton, un autre programme peut m’interroger en votre nom par HTTP. Il n’y en a pas encore.
tokens-about = Avec un jeton, un autre programme peut m’interroger en votre nom par HTTP. ✕ révoque un jeton aussitôt.
tokens-open = Vos jetons
tokens-unreachable = D’autres programmes ne peuvent pas me joindre ici, je ne crée donc pas de jeton. Mon opérateur doit d’abord définir PUBLIC_URL.
tokens-make = Nouveau jeton
tokens-make-named = Nouveau jeton « { $name } »
tokens-name = Telegram
tokens-made = Voici le nouveau jeton. Je ne le montre que maintenant. Copiez-le dans votre programme, puis masquez-le. Quiconque le détient peut m’interroger en votre nom, jusqu’à ce que vous le révoquiez. Mon adresse pour les programmes est { $address }
tokens-hide = Masquer le jeton
tokens-revoked = Le jeton est révoqué et ne fonctionne plus.
tokens-too-many = Vous avez { $most } jetons, c’est le maximum. Révoquez-en d’abord un.
tokens-made-on = créé : { $day }
tokens-used-on = dernière utilisation : { $day }
tokens-unused = pas encore utilisé
tokens-ends-on = expire : { $day }

# The pages of users.
tokens-revoke = Révoquer
tokens-name-label = Nom
