voice-cannot-read-video-note = Todavía no puedo escuchar videomensajes: mi operador tiene que definir TRANSCRIPTION_MODEL. Mientras tanto, escribe tu pregunta o envía una foto.
voice-cannot-read-voice = Todavía no puedo escuchar mensajes de voz: mi operador tiene que definir TRANSCRIPTION_MODEL. Mientras tanto, escribe tu pregunta; el micrófono de tu teclado puede escribirla por ti.
voice-cannot-read-audio = Todavía no puedo escuchar audio: mi operador tiene que definir TRANSCRIPTION_MODEL. Mientras tanto, escríbeme qué quieres saber.
voice-more = El resto está en el texto.
voice-silent = No oí ninguna palabra en esta grabación. Grábala de nuevo o escríbeme.
voice-refused = Lo siento, el servidor que transcribe las grabaciones no aceptó esta. Escríbeme, por favor. Mi operador puede ver el motivo en el registro.
voice-unheard = Lo siento, no pude escuchar la grabación: el servidor que las transcribe no respondió. Vuelve a enviarla en unos minutos o escríbeme.
command-voice = Elegir qué respuestas leo en voz alta
voice = ¿Qué respuestas leo en voz alta? Siempre van también por escrito.
voice-off = Ninguna
voice-in-kind = A mensajes de voz
voice-always = Todas
voice-chosen =
    { $mode ->
        [off] Desde ahora solo escribo.
        [in_kind] Hablo cuando me envías un mensaje de voz.
       *[other] Desde ahora leo en voz alta todas las respuestas.
    }
voice-unknown = Envía /voice off, /voice in kind o /voice always.
voice-none = No tengo voz: mi operador tiene que definir SPEECH_MODEL.

# The pages of users.
voice-page = Voz
