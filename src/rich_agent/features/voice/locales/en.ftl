voice-cannot-read-video-note = I cannot listen to video messages yet: my operator has to set TRANSCRIPTION_MODEL. Until then, please write your question, or send a photo.
voice-cannot-read-voice = I cannot listen to voice messages yet: my operator has to set TRANSCRIPTION_MODEL. Until then, please write your question; the microphone of your keyboard can type it for you.
voice-cannot-read-audio = I cannot listen to audio yet: my operator has to set TRANSCRIPTION_MODEL. Until then, write to me what you want to know about it.
voice-more = The rest is in the text.
voice-silent = I heard no words in this recording. Please record it again, or write to me.
voice-refused = Sorry, the server that writes down recordings did not accept this one. Please write to me instead. My operator can find the reason in the log.
voice-unheard = Sorry, I could not listen: the server that writes down recordings did not answer. Please send it again in a few minutes, or write to me.
command-voice = Choose which answers I speak
voice = Which answers should I speak? They are always written too.
voice-off = None
voice-in-kind = Those to voice messages
voice-always = Always
voice-chosen =
    { $mode ->
        [off] I only write from now on.
        [in_kind] I speak when you send me a voice message.
       *[always] I speak every answer from now on.
    }
voice-unknown = Send /voice off, /voice in kind or /voice always.
voice-none = I have no voice: my operator has to set SPEECH_MODEL.

# The pages of users.
voice-page = Voice
