voice-cannot-read-video-note = Videonachrichten kann ich noch nicht anhören: Mein Betreiber muss TRANSCRIPTION_MODEL setzen. Schreib bis dahin bitte deine Frage, oder schick ein Foto.
voice-cannot-read-voice = Sprachnachrichten kann ich noch nicht anhören: Mein Betreiber muss TRANSCRIPTION_MODEL setzen. Schreib bis dahin bitte deine Frage; das Mikrofon deiner Tastatur kann sie für dich tippen.
voice-cannot-read-audio = Audio kann ich noch nicht anhören: Mein Betreiber muss TRANSCRIPTION_MODEL setzen. Schreib mir bis dahin, was du darüber wissen willst.
voice-more = Der Rest steht im Text.
voice-silent = In dieser Aufnahme habe ich keine Worte gehört. Nimm sie noch einmal auf, oder schreib mir.
voice-refused = Tut mir leid, der Server, der Aufnahmen verschriftet, hat diese nicht angenommen. Bitte schreib mir stattdessen. Mein Betreiber findet den Grund im Protokoll.
voice-unheard = Tut mir leid, ich konnte nicht zuhören: Der Server, der Aufnahmen verschriftet, hat nicht geantwortet. Schick sie in ein paar Minuten noch einmal, oder schreib mir.
command-voice = Wählen, welche Antworten ich spreche
voice = Welche Antworten soll ich sprechen? Geschrieben werden sie immer auch.
voice-off = Keine
voice-in-kind = Auf Sprachnachrichten
voice-always = Immer
voice-chosen =
    { $mode ->
        [off] Ab jetzt schreibe ich nur.
        [in_kind] Ich spreche, wenn du mir eine Sprachnachricht schickst.
       *[other] Ab jetzt spreche ich jede Antwort.
    }
voice-unknown = Schick /voice off, /voice in kind oder /voice always.
voice-none = Ich habe keine Stimme: Mein Betreiber muss SPEECH_MODEL setzen.

# The pages of users.
voice-page = Stimme
