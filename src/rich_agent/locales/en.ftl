# The turn
greeting = Hi! Ask me anything about my documents, or send me a photo. /help shows what I can do.
greeting-named = Hi { $name }! Ask me anything about my documents, or send me a photo. /help shows what I can do.
thanks-reply = You're welcome!
farewell-reply = Goodbye! Write to me any time.
help-reply = Ask me a whole question, such as “What are your sources?”, or send me a photo and say what you want to know. /help lists everything that I can do.
laughter-reply = 😄
nothing-said = There are no words in that message. Ask me a question, or send a photo.
nothing-found = Nothing found in my documents.
nothing-found-files = Nothing found in your files.
nothing-found-answer = Nothing found in my documents about this. Try other words, or ask “What are your sources?” to see what they cover.
no-sources-yet = I have no documents yet, so I found nothing. My operator can add some with `ingest add-source`.
question-shortened = Your message was too long to read in full, so I read its beginning and its end.
look-left-out = I searched my documents only once, because another search would have taken too long.
nothing-cited-web = No web result supports this.
unchecked = I could not check this against the sources. I read: { $sources }
refused-rag = Nothing in my documents answers this. I looked at:
refused-files = Nothing in your files answers this. I looked at:
refused-web = The web results do not answer this. I looked at:
refused-rag-web = Nothing in my documents or on the web answers this. I looked at:
unsupported = Not in the sources, please check: { $claims }
contradicted = The sources say otherwise: { $claims }
unjudged = I could not check this answer against its sources.
unjudged-claims = Could not be checked against the sources: { $claims }
uncomputed = Not computed from all rows of the table, please check: { $claims }
catalogue-title = My documents
catalogue-counts =
    { $sources ->
        [one] One source
       *[other] { $sources } sources
    }, { $documents ->
        [one] one document
       *[other] { $documents } documents
    }. The titles listed here: { $shown }.
catalogue-sources = Sources
catalogue-source =
    { $name }: { $documents ->
        [one] one document
       *[other] { $documents } documents
    }
catalogue-source-internal =
    { $name } (about this assistant): { $documents ->
        [one] one document
       *[other] { $documents } documents
    }
catalogue-matching = Documents that match your question
catalogue-others = Other documents
your-photo = Your photo
web-unavailable = The web could not be searched.
look-failed = I could not look at the picture more closely, so this is based on my first look at it.
stopped = (stopped)
early-end-length = The answer became too long and ends here.
early-end-filtered = The content filter of the model server stopped this answer. Try asking in other words.
early-end-refused = The language model declined to answer this.
early-end-repeated = The language model repeated itself without end, so I stopped it.
early-end-deadline = This took longer than I may spend on one message, so I stopped here.
answer-in-file = This answer is long. The message above is its beginning; the file below has all of it.
continue-button = Continue
continue-wish = Continue your answer where it stopped.
stopped-at-once = Stopped before I wrote anything.
web-nothing-found = The web search found nothing about this.
ask-about-image =
    I see this: { $seen }

    What would you like to know about it?
image-topic-describe = Describe the picture
image-topic-text = Read the text in the picture
image-topic-table = Explain the table in the picture
image-topic-search = Look up what the picture shows

# Telegram
status-reading = Reading your file…
status-looking = Looking at your photo…
status-thinking = Thinking…
status-searching = Searching…
status-searching-web = Searching the web…
status-drafting = Drafting…
status-busy = The language model is busy. I am waiting for it, up to a minute…
status-held = The model server takes no more requests for now. I will try again { $at } ({ $wait }) and answer here, so you do not have to ask again. If you send more messages, I will answer them after that.
status-queued = Got it. I will answer this after your earlier message.
status-queued-elsewhere = Got it. I am still answering you on the web or in another program, and will answer this after that.
status-crowd = Got it. Many people are writing to me right now. Your place in the queue: about { $place }. I will answer as soon as it is your turn.
button-stop = Stop
stopping = Stopping…
stopped-by-command = Stopped.
question-dropped = All right, you do not have to answer my question.
nothing-to-stop = I am not writing anything just now.
stop-too-late = This answer is already finished.
too-many = You sent many messages at once. I will answer the earlier ones first. Please send this one, and any after it, again when I have caught up.
sources-heading = Sources
source-web = { $label } (web)
sent-again = (Sent again: Telegram had not confirmed the first try.)
start = Hi! I answer questions from my documents and show where each answer comes from. You can also send me a photo and ask about it, or tell me what you have to do. /help shows more.
start-named = Hi { $name }! I answer questions from my documents and show where each answer comes from. You can also send me a photo and ask about it, or tell me what you have to do. /help shows more.
start-examples = Tap a subject to try it:
help-heading = What I can do
help =
    • Answer a question from my documents, with numbered sources that you can open.
    • Search the web when my documents say too little, or when you ask about current things.
    • Read files that you send (PDF, Word, Excel, PowerPoint, CSV and more) and pages that you link to. /files lists them.
    • Look at a photo, an album or an image file. You can also reply to a photo with a question.
    • Remember what you tell me about yourself. Other users never see it.
help-end = Just write to me in your own words.
help-commands = Commands
unknown-command = There is no command { $command }. /help shows what I can do.
unknown-command-near = There is no command { $command }. Did you mean /{ $near }? /help lists all commands.
button-outdated = This button no longer works.
cannot-read = I cannot read this kind of message yet. Send me a text, a photo or an image file.
cannot-read-sticker =
    { $detail ->
        [blank] I cannot see what is on a sticker.
       *[other] { $detail } – nice! I cannot see what is on a sticker, though.
    } Tell me in words, or send a photo.
cannot-read-dice = { $detail } I do not play games, but I answer questions: just write one.
cannot-read-animation = I cannot watch GIFs. Send me a still picture, or ask in words.
cannot-read-video = I cannot watch videos. Send me a screenshot of the moment that you mean, or ask in words.
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
unread-game = the game
unread-giveaway = the giveaway
unread-giveaway-winners = the giveaway
unread-invoice = the invoice
unread-live-photo = the live photo
unread-long-text = your text after its first 16,000 characters
unread-location = the location
unread-paid-media = the paid media
unread-photo = the photo
unread-poll = the poll
unread-rich-message = the formatted message
unread-sticker = the sticker
unread-story = the story
unread-venue = the place
unread-video = the video
unread-video-note = the video message
unread-voice = the voice message
edit-too-late = I only answer edits of your latest question. Please send the changed question as a new message.
replaced = (replaced)
not-allowed = This bot is private. To ask for access, send this number to its operator: { $user_id }
apology-unavailable = Sorry, I tried several times and could not reach the language model. Please ask again in a few minutes.
apology-download = Sorry, I tried several times and could not fetch your file from Telegram. Please send it again in a few minutes.
apology-credit = The operator's account with the model server has no credit left, so I cannot answer. Only my operator can fix this. Send /retry later, and I will answer this question.
apology-key = The model server does not accept my operator's key, so I cannot answer. Only my operator can fix this. Send /retry later, and I will answer this question.
model-away = The model server takes no more requests until { $at }. That is too long to wait. Please send /retry after that, and I will answer this question.
apology-refused = Sorry, the language model did not accept the request. My operator can find the reason in the log.
apology-malformed = Sorry, the language model gave an answer that I could not use. Please ask again, perhaps in other words.
apology-spent = Sorry, I tried to answer this more than once and got stuck each time. I have set it aside for my operator. The fault is mine, not in your words.
aside-lesson = Sorry, I tried several times to update my memory from an earlier message of yours and got stuck. I have set it aside for my operator.
aside-stream = This answer cannot be shown in the usual way. Here is its plain text:
apology-internal = Sorry, something went wrong on my side, and it is in the log. Please try again.
limit-tokens = You have reached your limit for today ({ $limit } tokens). I can answer again { $at } ({ $wait }). Until then, commands such as /status, /sources and /memory still work.
limit-images =
    You have reached your limit for today ({ $limit ->
        [one] 1 image
       *[other] { $limit } images
    }), so I did not look at everything you sent. I can look at images again { $at } ({ $wait }).
limit-searches =
    You have reached your limit for today ({ $limit ->
        [one] 1 web search
       *[other] { $limit } web searches
    }), so I did not search the web. I can search again { $at } ({ $wait }).
limit-audio_seconds =
    You have reached your limit for today ({ $limit ->
        [one] 1 second
       *[other] { $limit } seconds
    } of sound), so I did not listen. I can listen again { $at } ({ $wait }). Until then, please write to me.
limit-wait = in { $duration }
day-yesterday = yesterday
day-today = today
day-tomorrow = tomorrow
media-too-large = The recording is too large: I can take files up to 20 MB.
media-unreadable = I could not read this recording; it may be damaged. Please send it again.
image-empty = The image is empty. Please send it again.
image-too-large = The image is too large: I can take files up to 20 MB.
image-too-many-pixels = The image has too many pixels. Please send a smaller version.
image-unreadable = I could not read the image; it may be damaged. Please send it again.
image-format = I cannot read this image format. Please send JPEG, PNG or WebP.
image-heif = I cannot read HEIC and AVIF files. Send the picture as a photo, not as a file: Telegram then converts it.
image-animated = I cannot look at animated images. Please send a still picture.
image-refused = I could not use this image. Please send another one.

# Commands
command-start = Start here
command-help = What I can do
command-new = Begin a new conversation
command-stop = Stop the answer that I am writing
command-retry = Answer my last question again
command-sources = What I know
command-spaces = Spaces that I look in
command-why = How my last answer came about
command-status = What I am doing for you
command-language = Choose the language of my menus
command-privacy = What I keep about you
command-memory = What I remember about you
command-export = Your data as a file
command-forget = Delete everything about you
command-stats = Usage statistics
command-approvals = Answers that wait for approval
admins-only = This command is for admins only.
database-away = My database cannot be reached at the moment. Please try again in a minute.
button-not-yours = This button belongs to somebody else.
never = never
and-more = … and { $count } more
privacy-heading = What I keep about you
privacy =
    I keep this in the database of my operator, the person or company that runs me:
    • your Telegram id and name, your messages and my answers
    • what I remember about you, and your tasks, notes and plans
    • the login of your task list, encrypted, if you connect one
    • a fingerprint and a description of each photo, never the photo itself
    • the text of files, pages and recordings that you send, never the sound
    • how I decided on each answer, and your 👍 or 👎
    • how much you use each day: tokens, images and searches

    To answer, I send your message, the conversation and the passages that I found to the language model that my operator chose. Other users never see any of it.
new-conversation = We start a new conversation. I no longer use what we said before, but I still remember what you told me about yourself.
language = Which language should menus and help use? My answers follow the language of your question.
language-auto = Automatic
language-chosen =
    { $chosen ->
        [auto] My menus and notices follow the language of your Telegram app and of your messages.
       *[other] My menus and notices are in English from now on. My answers still follow the language of your question.
    }
language-not-spoken = I do not speak that language yet. Choose one of these, or send /language with its name.
status-sound = Seconds of sound heard and spoken today: { $seconds }.
sources-none = I have no documents yet. My operator can add some with `ingest add-source`.
spaces = These parts of my documents are open to you. I look things up in the ones with a ✓; in the others only if you name them. Tap one to change it.
spaces-none = My documents have no separate areas for you. I look in those that everybody here may read.
sources-known =
    { $sources ->
        [one] I know 1 source
       *[other] I know { $sources } sources
    } with { $documents ->
        [one] 1 document
       *[other] { $documents } documents
    } ({ $passages ->
        [one] 1 passage
       *[other] { $passages } passages
    }):
sources-line =
    • { $name }: { $documents ->
        [one] 1 document
       *[other] { $documents } documents
    }, { $passages ->
        [one] 1 passage
       *[other] { $passages } passages
    }, last synced: { $synced }
sources-line-internal =
    • { $name } (about me): { $documents ->
        [one] 1 document
       *[other] { $documents } documents
    }, { $passages ->
        [one] 1 passage
       *[other] { $passages } passages
    }, last synced: { $synced }
passage-gone = This passage is no longer in my documents.
passage-read = Read the passage
why-button = Why?
why-nothing = I have not answered anything yet. Ask me something first.
why-no-answer = I have no record of how that message came about. Reply with /why to one of my answers.
why-heading = How this answer came about
why-done-direct = I answered directly and looked nothing up.
why-done-rag =
    { $read ->
        [0] I searched my documents and found nothing on this.
        [one] I searched my documents: I read 1 passage and cited { $cited }.
       *[other] I searched my documents: I read { $read } passages and cited { $cited }.
    }
why-done-web =
    { $read ->
        [0] I searched the web and found nothing on this.
        [one] I searched the web: I read 1 result and cited { $cited }.
       *[other] I searched the web: I read { $read } results and cited { $cited }.
    }
why-done-rag-web =
    { $read ->
        [0] I searched my documents, then the web, and found nothing on this.
        [one] I searched my documents, then the web: I read 1 passage and cited { $cited }.
       *[other] I searched my documents, then the web: I read { $read } passages and cited { $cited }.
    }
why-web-failed =
    { $read ->
        [0] I could not search the web.
        [one] I could not search the web; of my documents I read 1 passage and cited { $cited }.
       *[other] I could not search the web; of my documents I read { $read } passages and cited { $cited }.
    }
why-reason = The reason: { $reason }
looked-for = Looked for: “{ $query }”
why-further-queries = Then looked for: “{ $query }”
why-photo = Photo: I looked at it
why-photo-asked = Photo: I looked at it again with your question
why-memory = Remembered: { $count ->
        [one] 1 thing about you
       *[other] { $count } things about you
    } (see /memory)
why-recalled = • { $text }
why-summary = Remembered: a summary of what we said before
why-past = From earlier in our conversation:
why-past-turn = • { $date }: “{ $text }”
why-read-document =
    Documents: { $read ->
        [0] nothing found
        [one] 1 passage read
       *[other] { $read } passages read
    }
why-read-web =
    Web: { $read ->
        [0] nothing found
        [one] 1 result read
       *[other] { $read } results read
    }
why-doubted = Check: { $count ->
        [one] 1 sentence
       *[other] { $count } sentences
    } looked doubtful
why-planned = Actions that your message asks for by itself: { $count }
why-repaired = Check: the first version cited nothing, or had a sentence without a source, so I asked the model to write it again
why-permitted = Actions that ran without asking because you always allow them (/tools): { $count }
why-unsupported = Check: { $count ->
        [one] 1 sentence has
       *[other] { $count } sentences have
    } no source, as the answer says
why-contradicted = Check: { $count ->
        [one] 1 sentence contradicts
       *[other] { $count } sentences contradict
    } the sources, as the answer says
why-judged = Check: sentences compared with the sources: { $count }
why-unjudged = Check: sentences that could not be compared, as the answer says: { $count }
why-unsampled = Check: sentences that were not compared, because only a share of the answers is: { $count }
why-second_look_failed = Problem: the planning model could not check the answer
why-check-left-out = No check by a model, because it would have taken too long
why-refused = Check: nothing that I read supports what the model wrote, so I did not show it
why-planner_failed = Problem: the planning model gave no plan, so I searched only my documents
why-further_search_failed = Problem: the planning model could not say what was still missing
why-look-left-out = No further search, because it would have taken too long
why-embedding_failed = Problem: I could only search by words, not by meaning
why-rerank_failed = Problem: ranking the passages failed or took too long, so they stayed in the order of the search
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, cited)
why-models = Model: { $models }
why-calls = Model calls: { $calls }, of which one after another before the first word: { $before }. Tokens read: { $read }, of which reused by the server: { $cached }
why-times =
    { $steps ->
        [blank] Time: { $total } s
       *[other] Time: { $total } s ({ $steps })
    }
why-reference = Reference for the operator: { $request_id }
step-N1_ingest_input = reading { $seconds }
step-N2_load_long_term_memory = remembering { $seconds }
step-N13_read_files = reading files { $seconds }
step-N3_vision_summarize = looking { $seconds }
step-N4_build_effective_query = planning { $seconds }
step-N5_retrieve = searching documents { $seconds }
step-N14_search_further = searching further { $seconds }
step-N8_web_search = searching the web { $seconds }
step-N6_synthesize = writing { $seconds }
step-N7_persist = saving { $seconds }
step-N9_ask_back = asking back { $seconds }
step-N10_take_answer = reading your answer { $seconds }
step-N11_request_approval = asking for approval { $seconds }
rated = Thank you for the feedback.
rated-down = Thank you. My operator can now read this question and its answer.
rating-withdrawn = I have removed your feedback.
status-answering =
    I am writing an answer for you. { $waiting ->
        [0] No other message is waiting.
        [one] 1 more message is waiting.
       *[other] { $waiting } more messages are waiting.
    }
status-waiting =
    { $waiting ->
        [0] All your messages are answered.
        [one] 1 of your messages is waiting for an answer.
       *[other] { $waiting } of your messages are waiting for an answer.
    }
status-use = Used today: tokens { $tokens }, images { $images }, web searches { $searches }, calls of connected tools { $tool_calls }. A new day begins { $at } ({ $wait }).
use-free = { $used }
use-limited = { $used } of { $limit }
status-documents =
    Documents: { $documents }, in { $passages ->
        [one] 1 passage
       *[other] { $passages } passages
    }; last synced: { $synced }
status-documents-away = Documents: their database cannot be reached at the moment.
status-out-of-reach = ⚠️ Out of reach ({ $duration }): { $problem }
status-models = Models: { $chat } writes, { $vision } looks at images
status-version = rich-agent { $version }
memory-empty = I remember nothing about you yet. Tell me something about yourself, and I will.
memory-known =
    { $count ->
        [one] I remember 1 thing about you. Tap its number to make me forget it.
       *[other] I remember { $count } things about you. Tap a number to make me forget that one.
    }
memory-facts = Facts
memory-preferences = Preferences
memory-tasks = Tasks
memory-past = in the past
memory-planned = planned
memory-item = { $text } ({ $told })
memory-item-due = { $text } – due { $due } ({ $told })
memory-deleted = Forgotten. The messages in which you told me this stay in our conversation. Write “forget …” to delete them too.
forgetting-told = Shall I forget this?
forgetting-everything =
    Shall I forget everything that you told me and that we said? That is { $memory ->
        [one] 1 thing that I remember
       *[other] { $memory } things that I remember
    } and { $messages ->
        [one] 1 message with its answer.
       *[other] { $messages } messages with their answers.
    }
forgetting-named = These only mention it. They stay, unless you choose to forget them too:
forgetting-only-named = I found nothing that is clearly about it. Shall I forget this, which only mentions it?
forgetting-of-memory = What I remember:
forgetting-of-thing = Your tasks, notes and plans:
forgetting-of-file = Your files:
forgetting-of-message = Your messages, with my answers:
forgetting-of-summary = In the summary of what we said earlier:
forgetting-more =
    { $count ->
        [one] … and 1 more.
       *[other] … and { $count } more.
    }
forgetting-final = This cannot be undone. Please tap a button.
forgetting-yes = Forget it
forgetting-yes-all = Forget all of this
forgetting-no = Keep everything
forgetting-done =
    Forgotten: { $memory ->
        [one] 1 remembered thing
       *[other] { $memory } remembered things
    } and { $messages ->
        [one] 1 message with its answer
       *[other] { $messages } messages with their answers
    }. They are gone from my memory, our conversation, its summary, the archive and the record that /export shows. What you see in this chat stays until you delete it in Telegram.
forgetting-left =
    { $count ->
        [one] 1 thing that only mentions it stays, as you chose.
       *[other] { $count } things that only mention it stay, as you chose.
    }
forgetting-done-everything = Your settings, your feedback and the record of your use stay; /forget deletes them too.
forgetting-nothing = I found nothing about that, neither in what I remember nor in our conversation, so nothing was deleted. /memory shows what I remember about you.
forgetting-failed = I could not find out what you want forgotten, because my model failed. Nothing was deleted. Please try again later, or use /memory and /forget.
forgetting-kept = Nothing was deleted.
forgetting-wish = (A request to forget something. Its words are not kept.)
planner-failed-note = My planning model failed. If you asked me to do or forget something, nothing was done or deleted: please ask again, or use /memory and /forget.
planner-failed-still = Nothing was done or deleted.
exported =
    This is everything that I keep about you: { $messages ->
        [one] 1 message
       *[other] { $messages } messages
    }, { $decisions ->
        [one] 1 decision
       *[other] { $decisions } decisions
    }{ $images ->
        [0] {""}
        [one] , 1 image summary
       *[other] , { $images } image summaries
    }, what I remember, and your tasks, notes and plans. The file is JSON.
forget-confirm =
    Do you want me to delete everything that I keep about you? That means our conversation, what I remember about you, your tasks, notes and plans, how I decided on each answer, your feedback, the descriptions of your photos, the text of your files and recordings, and your settings.

    This cannot be undone. The messages in this chat stay until you delete them in Telegram. For a copy of your data, send /export first.
forget-yes = Yes, delete everything
forget-no = No, keep it
forget-wish = Forget what I said about { $what }
command-alone = I did nothing: { $command } works without words behind it. Send it alone if you mean it.
secret-delete-yourself = I could not delete your message. It holds your password, so please delete it yourself.
forget-kept = Nothing was deleted.
forgotten = Everything that I kept about you is deleted. If you write again, we start from scratch.
confirmation-over = This question has expired. Please send the command again.
nothing-to-retry = There is no question to answer again. Ask me something first.
stats-heading = Statistics
stats-users = Users: { $known }; { $day } in the last day, { $week } in 7 days; { $blocking } have blocked me
stats-turns = Answers: { $day } in the last day, { $week } in 7 days
stats-plans = Plans, 7 days: { $plans }
stats-plan-direct = direct { $count }
stats-plan-rag = documents { $count }
stats-plan-web = web { $count }
stats-plan-rag-web = documents and web { $count }
stats-times = Time of an answer, 7 days: p50 { $p50 } s, p95 { $p95 } s
stats-failures = Failures: { $broken } answers broken off and { $undelivered } messages not delivered in 7 days, { $dead } updates given up
stats-feedback = Feedback: 👍 { $up }, 👎 { $down }
stats-use-day = Used today (UTC): tokens { $tokens }, images { $images }, web searches { $searches }; { $cost }
stats-use-week = Used, 7 days: tokens { $tokens }, images { $images }, web searches { $searches }; { $cost }
stats-cached = Of the tokens read, the server had read before: { $share } %
stats-cost = cost { $cost }
stats-cost-partly = cost { $cost }, without { $models } (no price set)
stats-cost-unknown = no price set (MODEL_PRICES)
stats-price-table = Prices that MODEL_PRICES does not set: { $table }
stats-top-users = Most tokens, 7 days: { $users }
stats-inbox = Updates waiting: { $pending }
stats-approvals = Waiting for approval: { $count } (/approvals)

# Approval
approval-waiting = A person reads answers of this kind before I send them. Yours is being reviewed, and I will send it as soon as it is approved. You can keep writing in the meantime.
approval-review =
    Answer { $number } is waiting for your approval.
    From: { $user }
    Kind: { $intent }
    Question: { $question }

    The draft is below. Reply to it with a corrected text, or use its buttons.
button-approve = Approve
button-correct = Edit
button-reject = Reject
approval-correction = Answer { $number }: reply to this message with the corrected text. The user will read it as it is.
approval-reason = Answer { $number }: reply to this message with the reason for the rejection. The user will read it.
approval-words-missing = I need that as text. Please reply to the same message again.
approval-is-approved =
    { $by ->
        [you] ✓ Approved by you.
       *[other] ✓ Approved by { $admin }.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ Sent with your text.
       *[other] ✎ Sent with the text of { $admin }.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ Rejected by you.
       *[other] ✗ Rejected by { $admin }.
    }
approval-is-expired = There was no decision in time. I have told the user.
approval-is-withdrawn = The user changed the question, so this draft is no longer needed.
approval-approved = This answer was reviewed and approved.
approval-corrected = This answer was reviewed and corrected.
approval-rejected = I am sorry, I cannot give you an answer to this. The reason: { $reason }
approval-expired = I am sorry, my answer was not reviewed in time. Please ask again later.
approvals-known =
    { $count ->
        [0] No answers are waiting for approval.
        [one] 1 answer is waiting for approval:
       *[other] { $count } answers are waiting for approval:
    }
approvals-line = • { $number }, since { $since }, from { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = as planned
reason-greeting = a greeting
reason-farewell = a farewell
reason-thanks = a word of thanks
reason-help = a request for help
reason-laughter = laughter
reason-reaction = an emoji
reason-silence = the message contains no words to look up
reason-number = a number or a sum
reason-known_word = a word that appears in my documents
reason-forget_wish = a request to forget something
reason-stopped = you stopped it before it was planned
reason-no_web = no web search is set up
reason-no_plan = the planning model gave no plan, so my documents were searched and the web was not
reason-file_read = the message is about a file that you sent
reason-file_refused = none of the files that you sent can be read
reason-about_bot = questions about me are answered from my own manual
reason-about_now = the answer depends on the present, so the web was searched
reason-documents_first = my documents come before the web
reason-documents_may_say = my documents may answer it
reason-documents_wanted = you asked what the documents say
reason-web_ruled_out = the message may be private, so the web was not searched
reason-say_little = my documents say little about it, so the web was searched too
reason-say_little_on = my documents say little about “{ $subject }”, so the web was searched too

# Alerts for admins
alert-credit = ⚠️ The account with the model server has no credit left ({ $service }), so I cannot answer anyone. { $hint } Then run `rich-agent inbox replay --all` to have the missed questions answered. I send this at most once an hour.
alert-key = ⚠️ The model server does not accept the key ({ $service }), so I cannot answer anyone. { $hint } Then run `rich-agent inbox replay --all` to have the missed questions answered. I send this at most once an hour.
alert-away = ⚠️ The model server ({ $service }) takes no more requests until { $at }. Users are told to ask again after that. To avoid this, raise the limit or use another server. I send this at most once an hour.
alert-lesson = ⚠️ I tried for days to update a user's memory from a message, and gave up. The log says why. I send this at most once an hour.
alert-refused = ⚠️ The model server refuses a request of mine: { $problem } { $hint } I go on as well as I can without it. I send this at most once an hour.

# Tools: what each is for, and what is happening while it runs.
status-acting = Using { $tool }…
tool-list_files = Your files
tool-undo_last_change = Undo the last change
tool-search_documents = Documents
tool-search_web = Web search
tool-request_more_information = A question to you
doing-list_files = Looking through your files…
doing-undo_last_change = Undoing the last change…
doing-search_documents = Searching the documents…
doing-search_web = Searching the web…
approve-calls = I would like to do this. Shall I?
approve-not-planned = You did not ask for this in your message. Please check it closely.
approve-yes = Approve
approve-no = Cancel
approve-words-yes = yes|ok|okay|approve|go ahead
approve-words-no = no|cancel
card-labelled = { $label }: { $text }
card-not-done = Not done.
approve-adjust = Adjust
approve-how-to-adjust = Write what to change, and I will suggest it again.
approve-always = Always for this
approve-always-same = “{ $always }” approves it, and the same call runs without asking from then on. /tools takes that back.
approve-always-alike = “{ $always }” approves it, and calls with the same { $fixed } run without asking from then on, whatever else is in them. /tools takes that back.
web-approve-in-words = Reply with “{ $yes }” or “{ $no }”, or write what to change.
card-characters-left-out = More characters: { $count }
card-arguments-left-out = More arguments: { $count }
card-in-file = Not all of it fits here. The file “approval.txt” has the whole text. Please read it before you decide.
card-copied-from = Copied from: { $sources }
copied-user = your message
copied-memory = what I keep for you
copied-assistant = an earlier answer
copied-operator = the bot's operator
copied-document = document
copied-page = web page
copied-file = file
copied-server = other program
copied-other = another person
card-takes-back = Takes back
argument-duration = Duration
argument-yes = yes
argument-no = no
argument-none = none
approve-cancelled = Cancelled. Nothing was changed.
acting-limit-calls = I have reached the limit of 10 actions for one message. Write “go on” if something is left to do.
acting-limit-errors = Something failed three times in a row, so I stopped. Nothing more was changed.
undo-button = Undo
undo-done = Undone:
undo-too-late = This can no longer be undone.
step-N12_act = acting { $seconds }

reason-in_group = in groups I answer from my documents only
reason-link_ignored = you wanted the link left unread
reason-link_kept = you wanted the page remembered
reason-link_read = the page that you linked to was read
reason-in_session = this message belongs to a guided session
reason-session_left = you wanted to cancel the guided session

timeline-left-out = { $count ->
    [one] and one more
   *[other] and { $count } more
}
command-timezone = Choose your time zone
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [one] every hour
           *[other] every { $count } hours
        }
        [daily] { $count ->
            [one] every day
           *[other] every { $count } days
        }
        [weekly] { $count ->
            [one] every week
           *[other] every { $count } weeks
        }
        [monthly] { $count ->
            [one] every month
           *[other] every { $count } months
        }
       *[yearly] { $count ->
            [one] every year
           *[other] every { $count } years
        }
    }
time-zone-none = I do not know your time zone yet. Choose it here, or send /timezone with a name such as Europe/Berlin.
time-zone = Your time zone is { $zone }. It is { $now } there now. To change it, send /timezone with another name.
time-zone-chosen = Your time zone is { $zone }. It is { $now } there now. Repeated reminders follow it.
time-zone-near = I know no time zone { $name }. Did you mean one of these?
time-zone-which = Several time zones fit { $name }. Which one is yours?
time-zone-unknown = I know no time zone { $name }. Its name has a region and a city, such as Europe/Berlin.

# The page of a passage.
passage-place = { $source } · passage { $position } of { $count }
passage-before = ← Before
passage-after = After →

# The page of a browser while the bot starts.
bot-starting = The bot is starting…

# Calls that a user permitted for good (/tools).
command-tools = See what I may do without asking you
tools-none = You have not allowed any action to run without asking. When I ask you before an action, “Always for this” allows it from then on, where that is safe.
tools-about = These actions run without asking you. ✕ takes a permission back, and so does /tools with its number.
tools-given-on = allowed { $day }
tools-used = calls: { $count }
tools-any = any
tools-changed = The tool has changed since then, so I will ask you again.
tools-take-all-back = Take all back
tools-taken-back = Taken back. I will ask you again before such an action.

# Outside Telegram.
only-in-telegram = Some of this works only in Telegram. For all of it, send { $command } there.

run-not-latest = Only the newest question of a conversation can be answered again.

# What is asked in groups.

guest-user-limit = You have used up your questions in groups for today. Ask me in a private chat.
guest-group-limit = This group has asked a lot in the last hour. Try again later, or ask me in a private chat.
guest-withheld = I cannot answer this in a group. Ask me in a private chat.
guest-answer-cut = This is the beginning of a longer answer. For all of it, ask me in a private chat.
guest-answered-privately = I answered you in our private chat.
## Files

file-page = page { $number }
file-sheet-named = sheet { $heading }
file-sheet-numbered = sheet { $number }
file-slide-named = slide { $number }: { $heading }
file-slide-numbered = slide { $number }
ask-about-files =
    { $count ->
        [one] I have read { $names }. What would you like to know about it?
       *[other] I have read { $names }. What would you like to know about them?
    }
file-topic-summary = Summarise it
file-topic-points = List the key points
file-read-whole = I read all of { $name }.
file-macros = The macros in { $name } were not run.
file-read-in-parts =
    I read all of { $name }, in { $parts ->
        [one] one part
       *[other] { $parts } parts
    }.
file-read-partly = { $name } is long: I read { $read } of its { $units } parts. Ask about the rest, or about one part.
file-searched = { $name } is long: I searched it for your question and did not read all of it.
file-parts-unread = I cannot read { $parts } of { $name }.
file-part-attachment =
    { $count ->
        [one] { $count } attachment
       *[other] { $count } attachments
    }
file-part-chart =
    { $count ->
        [one] { $count } chart
       *[other] { $count } charts
    }
file-part-diagram =
    { $count ->
        [one] { $count } diagram
       *[other] { $count } diagrams
    }
file-part-drawing =
    { $count ->
        [one] { $count } drawing
       *[other] { $count } drawings
    }
file-part-equation =
    { $count ->
        [one] { $count } equation
       *[other] { $count } equations
    }
file-part-field =
    { $count ->
        [one] { $count } form field
       *[other] { $count } form fields
    }
file-part-file =
    { $count ->
        [one] { $count } file
       *[other] { $count } files
    }
file-part-formula =
    { $count ->
        [one] { $count } formula without a saved result
       *[other] { $count } formulas without saved results
    }
file-part-letter =
    { $count ->
        [one] { $count } character
       *[other] { $count } characters
    }
file-part-object =
    { $count ->
        [one] { $count } embedded object
       *[other] { $count } embedded objects
    }
file-part-page =
    { $count ->
        [one] { $count } page without text
       *[other] { $count } pages without text
    }
file-part-picture =
    { $count ->
        [one] { $count } picture
       *[other] { $count } pictures
    }
file-part-remark =
    { $count ->
        [one] { $count } comment
       *[other] { $count } comments
    }
file-part-row =
    { $count ->
        [one] { $count } row
       *[other] { $count } rows
    }
file-part-sheet =
    { $count ->
        [one] { $count } sheet
       *[other] { $count } sheets
    }
file-part-slide =
    { $count ->
        [one] { $count } slide without text
       *[other] { $count } slides without text
    }
file-refused-too-large = “{ $name }” is larger than 20 MB, more than Telegram lets me download. Send a smaller file, or split it.
file-refused-too-long = “{ $name }” is too long to be read. Send the part that matters as a file of its own.
file-refused-unsupported = I cannot read “{ $name }”. I read PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, EML, MSG, MHTML, ZIP and plain text. Save it as one of these and send it again.
file-refused-old-office = “{ $name }” is in an old Office format. Save it as DOCX, XLSX, PPTX or PDF and send it again.
file-refused-archive = “{ $name }” is packed in a way that I cannot open. Send it as a ZIP, or send the files in it.
file-refused-encrypted = “{ $name }” is protected with a password. Save it without one and send it again.
file-refused-empty = I found no text in “{ $name }”. If something is in it, send it as a PDF or as photos.
file-refused-damaged = “{ $name }” is damaged, or not what its name says. Open it, save it again and send me the new copy.
file-refused-gone = I could not get “{ $name }”: it is no longer available. Send it again.
file-keep-button = Remember
file-only-here-button = Only here
file-kept =
    { $count ->
        [one] I will remember this file. /files shows it.
       *[other] I will remember these files. /files shows them.
    }
file-not-kept =
    { $count ->
        [one] I will forget this file with this conversation (/new).
       *[other] I will forget these files with this conversation (/new).
    }
file-forgotten = Forgotten.
files-none = You have no files here. Send me one: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV or text.
files-title =
    { $count ->
        [one] Your file:
       *[other] Your { $count } files:
    }
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, remembered
files-line-unread = Not read: { $parts }.
files-hint = 📌 remembers a file beyond this conversation, or no longer. 🗑 forgets it.
command-files = Your files: list, remember, forget

# Links.

ask-about-links =
    { $count ->
        [one] What shall I do with this link? { $links }
       *[other] What shall I do with these links? { $links }
    }
link-wish-summary = Summarise
link-wish-keep = Remember
link-wish-ignore = Ignore
link-ignored = All right, I leave it unread.
link-kept =
    { $count ->
        [one] I read and remember “{ $names }”. Ask me about it at any time; /files lists it.
       *[other] I read and remember: { $names }. Ask me about them at any time; /files lists them.
    }
page-refused-private = I do not read { $name }: it leads to a private network.
page-refused-robots = I may not read { $name }: the site does not allow programs there. Send me its text, or the page as a file.
page-refused-closed = { $name } is open only to people who are signed in. Send me its text, or the page as a file.
page-refused-gone = There is no page at { $name }. Is the address complete?
page-refused-too-large = The page { $name } is too large for me. Send me the part that matters.
page-refused-too-long = The page { $name } is too long for me. Send me the part that matters.
page-refused-slow = { $name } takes too long to answer. Try again later.
page-refused-away = I could not get { $name }: the site has trouble, or cannot be reached. Try again later.
page-refused-empty = I found no text at { $name }. Perhaps the page shows it only to people, or after signing in. Send me its text.
page-refused-made-by-scripts = I see no text at { $name }: the page is filled only in a browser. Send me its text, or save the page in a browser and send the file.
page-refused-consent = At { $name } I see only a question with buttons, such as for consent, and not the page behind it. Send me its text, or the page as a file.
page-refused-unsupported = { $name } is not a page or document that I can read.
page-refused-old-office = The file at { $name } is in an old Office format, which I cannot read.
page-refused-archive = The file at { $name } is packed in a way that I cannot open.
page-refused-encrypted = The file at { $name } is protected with a password.
page-refused-damaged = The file at { $name } is damaged, or not what its name says.
page-refused-too-many-links = I did not read { $name }: that is more links than I read for one message.

# The demo.
demo-about-stand-in = This is a demo on your machine. The bot is the real one; Telegram and the language model are stand-ins, and this model can only quote. For a real one: “Connect a model”, or OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = This is a demo on your machine. The bot and its language model ({ $model }) are real; Telegram is a stand-in.
demo-about-operator = You write as Ada, who runs this bot: /help shows what an operator can do, too.
pages-skip = Skip to the content
pages-elsewhere = Other pages
pages-sign-in = Please sign in
pages-from-elsewhere = A link on another site led you here.
pages-open = Open the page
pages-not-for-you = You may not see this page. Ask the owner of the bot for a role.
pages-problem = That did not work
pages-problem-back = Go back; what you entered is still there.
pages-gone = Not found
pages-gone-how = There is nothing here, or not any more.
pages-later = The bot cannot answer at the moment. Try again shortly.
pages-unsent = Nothing was sent: the bot cannot be reached. Try again.
pages-as-table = As a table
pages-cancel = Cancel
pages-copy = Copy
pages-copied = Copied
pages-pages = Pages of the list
pages-first = To the beginning
pages-next = More
pages-search = Search

# The pages of users.
panel-save = Save
widget-unanswered = No answer came. Please try again.
widget-wait = This takes a little longer. It will be done.
