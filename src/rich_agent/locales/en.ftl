# The turn
greeting = Hi! Ask me anything about my documents, or send me a photo. /help shows what I can do.
greeting-named = Hi { $name }! Ask me anything about my documents, or send me a photo. /help shows what I can do.
thanks-reply = You're welcome!
nothing-said = I could not find any words in that. Ask me a question, or send a photo.
nothing-found = Nothing found in the registered sources.
nothing-found-answer = Nothing found in the registered sources about this. Try other words, or ask for what the sources cover: “what are your sources?”
no-sources-yet = Nothing found in the registered sources: none is registered yet. Whoever runs me can add some with `ingest add-source`.
nothing-cited-web = No web result supports this.
web-unavailable = The web could not be searched.
stopped = (stopped)
stopped-at-once = Stopped before I wrote anything.
web-nothing-found = The web search found nothing about this.

# Telegram
status-looking = Looking at your photo…
status-searching = Searching…
status-searching-web = Searching the web…
status-drafting = Drafting…
status-queued = Got it. I will answer this as soon as the message before it is done.
button-stop = Stop
stopping = Stopping…
stopped-by-command = Stopped.
nothing-to-stop = I am not writing anything just now.
stop-too-late = This answer is finished already.
too-many = That is more than I can keep in line. I will answer what came before, one by one; please send this message and those after it again once I have caught up.
sources-heading = Sources
sent-again = (Sent again: Telegram had not confirmed the first try.)
start = Hi! I answer questions from documents that were given to me, and say where each answer comes from. You can also send me a photo and ask about it. /help shows more.
start-named = Hi { $name }! I answer questions from documents that were given to me, and say where each answer comes from. You can also send me a photo and ask about it. /help shows more.
help =
    What I can do:
    • Answer a question from my documents, with numbered sources that you can open.
    • Search the web when my documents say too little, or when you ask about now.
    • Look at a photo, an album or an image file. You can also reply to a photo with a question.
    • Remember what you tell me about yourself. Nobody else sees it.

    Just write to me in your own words.

    Commands:
    { $commands }
command-start = Start, and what I am
command-help = What I can do
command-stop = Stop the answer that I am writing
unknown-command = I do not know the command { $command }. /help shows what I can do.
button-outdated = This button is out of date.
cannot-read = I cannot read this kind of message yet. Send me a text, a photo or an image file.
cannot-read-sticker =
    { $detail ->
        [blank] I cannot see what is on a sticker.
       *[other] { $detail } – nice! I cannot see what is on a sticker, though.
    } Tell me in words, or send a photo.
cannot-read-dice = { $detail } I do not play, but I answer questions: just write one.
cannot-read-animation = I cannot watch GIFs. Send me a still picture, or ask in words.
cannot-read-video = I cannot watch videos. Send me a screenshot of the moment that you mean, or ask in words.
cannot-read-video-note = I cannot watch video messages. Please write your question, or send a photo.
cannot-read-voice = I cannot listen to voice messages. Please write your question; the microphone of your keyboard can type it for you.
cannot-read-audio = I cannot listen to audio. Tell me in words what you want to know about it.
cannot-read-document =
    { $detail ->
        [blank] I cannot open this kind of file, only images.
       *[other] I cannot open “{ $detail }”: of files I read images only.
    } Copy the part that matters into a message, or ask whoever runs me to add the document to my sources.
cannot-read-location = I cannot look at a map. Write the name of the place, and what you want to know about it.
cannot-read-venue = I cannot look up a place on the map. Write its name, and what you want to know about it.
cannot-read-contact = I cannot use contacts, and I have not kept this one. Write to me what you need.
cannot-read-poll = I cannot vote in polls. Write the question as a text, and I will answer it.
cannot-read-story = I cannot see stories. Send me a screenshot of it, or ask in words.
unread-note = I could not look at: { $things }.
unread-animation = the GIF
unread-audio = the audio
unread-checklist = the checklist
unread-contact = the contact
unread-dice = the dice
unread-document = the file
unread-game = the game
unread-giveaway = the giveaway
unread-giveaway-winners = the giveaway
unread-invoice = the invoice
unread-live-photo = the live photo
unread-location = the location
unread-paid-media = the paid media
unread-poll = the poll
unread-rich-message = the formatted message
unread-sticker = the sticker
unread-story = the story
unread-venue = the place
unread-video = the video
unread-video-note = the video message
unread-voice = the voice message
edit-too-late = I answer again only when you edit your latest question. Please send the changed one as a new message.
replaced = (replaced)
not-allowed = This bot is private. If you should have access, give this number to whoever runs it: { $user_id }
apology-unavailable = Sorry, I could not reach the language model, also after several tries. Please ask again in a few minutes.
apology-busy = Sorry, too many requests at the moment. Please ask again in a few minutes.
apology-refused = Sorry, the language model did not accept the request. Whoever runs me can find the reason in the log.
apology-malformed = Sorry, the language model gave an answer that I could not use. Please ask again, perhaps in other words.
apology-internal = Sorry, something went wrong on my side, and it is in the log. Please try again.
image-empty = The image is empty. Please send it again.
image-too-large = The image is too large: I can take files up to 20 MB.
image-too-many-pixels = The image has too many pixels. Please send a smaller version.
image-unreadable = I could not read the image; it may be damaged. Please send it again.
image-format = I do not know this image format. Please send JPEG, PNG or WebP.
image-heif = I cannot read HEIC and AVIF files. Send the picture as a photo, not as a file: Telegram then converts it.
image-animated = I cannot look at animated images. Please send a still one.
image-refused = I could not use this image. Please send another one.
