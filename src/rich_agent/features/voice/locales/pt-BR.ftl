voice-cannot-read-video-note = Ainda não consigo ouvir mensagens de vídeo: meu operador precisa definir TRANSCRIPTION_MODEL. Até lá, escreva sua pergunta ou envie uma foto.
voice-cannot-read-voice = Ainda não consigo ouvir mensagens de voz: meu operador precisa definir TRANSCRIPTION_MODEL. Até lá, escreva sua pergunta; o microfone do teclado pode digitá-la para você.
voice-cannot-read-audio = Ainda não consigo ouvir áudio: meu operador precisa definir TRANSCRIPTION_MODEL. Até lá, escreva o que quer saber sobre ele.
voice-more = O resto está no texto.
voice-silent = Não ouvi palavras nesta gravação. Grave de novo ou escreva para mim.
voice-refused = Desculpe, o servidor que transcreve gravações não aceitou esta. Escreva para mim, por favor. Meu operador pode ver o motivo no log.
voice-unheard = Desculpe, não consegui ouvir: o servidor que transcreve gravações não respondeu. Envie de novo em alguns minutos ou escreva para mim.
command-voice = Escolher quais respostas leio em voz alta
voice = Quais respostas devo ler em voz alta? Elas sempre vêm por escrito também.
voice-off = Nenhuma
voice-in-kind = A mensagens de voz
voice-always = Todas
voice-chosen =
    { $mode ->
        [off] A partir de agora só escrevo.
        [in_kind] Falo quando você me envia uma mensagem de voz.
       *[other] A partir de agora leio todas as respostas em voz alta.
    }
voice-unknown = Envie /voice off, /voice in kind ou /voice always.
voice-none = Não tenho voz: meu operador precisa definir SPEECH_MODEL.

# The pages of users.
voice-page = Voz
