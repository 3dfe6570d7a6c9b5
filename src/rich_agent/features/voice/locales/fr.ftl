voice-cannot-read-video-note = Je ne peux pas encore écouter les messages vidéo : mon opérateur doit définir TRANSCRIPTION_MODEL. D’ici là, écrivez votre question ou envoyez une photo.
voice-cannot-read-voice = Je ne peux pas encore écouter les messages vocaux : mon opérateur doit définir TRANSCRIPTION_MODEL. D’ici là, écrivez votre question ; le micro de votre clavier peut la saisir pour vous.
voice-cannot-read-audio = Je ne peux pas encore écouter d’audio : mon opérateur doit définir TRANSCRIPTION_MODEL. D’ici là, écrivez-moi ce que vous voulez en savoir.
voice-more = La suite est dans le texte.
voice-silent = Je n’ai entendu aucun mot dans cet enregistrement. Recommencez, ou écrivez-moi.
voice-refused = Désolé, le serveur qui transcrit les enregistrements n’a pas accepté celui-ci. Écrivez-moi plutôt. Mon opérateur en trouvera la raison dans le journal.
voice-unheard = Désolé, je n’ai pas pu écouter : le serveur qui transcrit les enregistrements n’a pas répondu. Renvoyez-le dans quelques minutes, ou écrivez-moi.
command-voice = Choisir les réponses que je lis à voix haute
voice = Quelles réponses dois-je lire à voix haute ? Elles sont toujours écrites aussi.
voice-off = Aucune
voice-in-kind = Aux messages vocaux
voice-always = Toutes
voice-chosen =
    { $mode ->
        [off] Désormais, j’écris seulement.
        [in_kind] Je parle quand vous m’envoyez un message vocal.
       *[other] Désormais, je lis toutes les réponses à voix haute.
    }
voice-unknown = Envoyez /voice off, /voice in kind ou /voice always.
voice-none = Je n’ai pas de voix : mon opérateur doit définir SPEECH_MODEL.

# The pages of users.
voice-page = Voix
