voice-cannot-read-video-note = Videoberichten kan ik nog niet beluisteren: mijn beheerder moet TRANSCRIPTION_MODEL instellen. Schrijf tot die tijd je vraag of stuur een foto.
voice-cannot-read-voice = Spraakberichten kan ik nog niet beluisteren: mijn beheerder moet TRANSCRIPTION_MODEL instellen. Schrijf tot die tijd je vraag; de microfoon van je toetsenbord kan die voor je typen.
voice-cannot-read-audio = Audio kan ik nog niet beluisteren: mijn beheerder moet TRANSCRIPTION_MODEL instellen. Schrijf me tot die tijd wat je erover wilt weten.
voice-more = De rest staat in de tekst.
voice-silent = Ik hoorde geen woorden in deze opname. Neem hem opnieuw op, of schrijf me.
voice-refused = Sorry, de server die opnames uitschrijft accepteerde deze niet. Schrijf me liever. Mijn beheerder vindt de reden in het logboek.
voice-unheard = Sorry, ik kon niet luisteren: de server die opnames uitschrijft antwoordde niet. Stuur hem over een paar minuten opnieuw, of schrijf me.
command-voice = Kiezen welke antwoorden ik voorlees
voice = Welke antwoorden moet ik voorlezen? Ze worden altijd ook geschreven.
voice-off = Geen
voice-in-kind = Op spraakberichten
voice-always = Alle
voice-chosen =
    { $mode ->
        [off] Vanaf nu schrijf ik alleen.
        [in_kind] Ik spreek als je me een spraakbericht stuurt.
       *[other] Vanaf nu lees ik elk antwoord voor.
    }
voice-unknown = Stuur /voice off, /voice in kind of /voice always.
voice-none = Ik heb geen stem: mijn beheerder moet SPEECH_MODEL instellen.

# The pages of users.
voice-page = Stem
