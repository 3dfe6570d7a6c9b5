voice-cannot-read-video-note = Non posso ancora ascoltare i videomessaggi: il mio gestore deve impostare TRANSCRIPTION_MODEL. Nel frattempo scrivi la tua domanda o manda una foto.
voice-cannot-read-voice = Non posso ancora ascoltare i messaggi vocali: il mio gestore deve impostare TRANSCRIPTION_MODEL. Nel frattempo scrivi la tua domanda; il microfono della tastiera può scriverla per te.
voice-cannot-read-audio = Non posso ancora ascoltare l’audio: il mio gestore deve impostare TRANSCRIPTION_MODEL. Nel frattempo scrivimi cosa vuoi sapere.
voice-more = Il resto è nel testo.
voice-silent = In questa registrazione non ho sentito parole. Registrala di nuovo o scrivimi.
voice-refused = Mi dispiace, il server che trascrive le registrazioni non ha accettato questa. Scrivimi, per favore. Il mio gestore ne trova il motivo nel log.
voice-unheard = Mi dispiace, non ho potuto ascoltare: il server che trascrive le registrazioni non ha risposto. Rimandala tra qualche minuto o scrivimi.
command-voice = Scegli quali risposte leggo ad alta voce
voice = Quali risposte devo leggere ad alta voce? Sono sempre anche scritte.
voice-off = Nessuna
voice-in-kind = Ai messaggi vocali
voice-always = Tutte
voice-chosen =
    { $mode ->
        [off] Da ora scrivo soltanto.
        [in_kind] Parlo quando mi mandi un messaggio vocale.
       *[other] Da ora leggo ad alta voce tutte le risposte.
    }
voice-unknown = Manda /voice off, /voice in kind o /voice always.
voice-none = Non ho voce: il mio gestore deve impostare SPEECH_MODEL.

# The pages of users.
voice-page = Voce
