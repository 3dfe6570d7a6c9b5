# The turn
greeting = Hoi! Vraag me iets over mijn documenten of stuur me een foto. /help laat zien wat ik kan.
greeting-named = Hoi { $name }! Vraag me iets over mijn documenten of stuur me een foto. /help laat zien wat ik kan.
thanks-reply = Graag gedaan!
farewell-reply = Tot ziens! Je kunt me altijd schrijven.
help-reply = Stel me een hele vraag, zoals “Wat zijn je bronnen?”, of stuur me een foto en zeg wat je wilt weten. /help noemt alles wat ik kan.
laughter-reply = 😄
nothing-said = In dit bericht staan geen woorden. Stel me een vraag of stuur een foto.
nothing-found = Ik heb niets gevonden in mijn documenten.
nothing-found-files = Ik heb niets gevonden in je bestanden.
nothing-found-answer = Hierover heb ik niets gevonden in mijn documenten. Probeer andere woorden, of vraag “Wat zijn je bronnen?” om te zien waar ze over gaan.
no-sources-yet = Ik heb nog geen documenten, dus heb ik niets gevonden. Mijn beheerder kan ze met `ingest add-source` toevoegen.
question-shortened = Je bericht was te lang om helemaal te lezen, dus heb ik het begin en het einde gelezen.
look-left-out = Ik heb mijn documenten maar één keer doorzocht, omdat nog een keer zoeken te lang zou duren.
nothing-cited-web = Geen enkel webresultaat bevestigt dit.
unchecked = Dit kon ik niet met de bronnen vergelijken. Gelezen heb ik: { $sources }
refused-rag = Niets in mijn documenten geeft hier antwoord op. Ik heb gekeken in:
refused-files = Niets in je bestanden geeft hier antwoord op. Ik heb gekeken in:
refused-web = De webresultaten geven hier geen antwoord op. Ik heb gekeken in:
refused-rag-web = Noch mijn documenten, noch het web geeft hier antwoord op. Ik heb gekeken in:
unsupported = Staat niet in de bronnen, controleer dit zelf: { $claims }
contradicted = De bronnen zeggen iets anders: { $claims }
unjudged = Dit antwoord kon ik niet met de bronnen vergelijken.
unjudged-claims = Niet met de bronnen vergeleken: { $claims }
uncomputed = Niet uit alle rijen van de tabel berekend, controleer dit: { $claims }
catalogue-title = Mijn documenten
catalogue-counts =
    { $sources ->
        [one] Eén bron
       *[other] { $sources } bronnen
    }, { $documents ->
        [one] één document
       *[other] { $documents } documenten
    }. Titels die hier staan: { $shown }.
catalogue-sources = Bronnen
catalogue-source =
    { $name }: { $documents ->
        [one] één document
       *[other] { $documents } documenten
    }
catalogue-source-internal =
    { $name } (over deze assistent): { $documents ->
        [one] één document
       *[other] { $documents } documenten
    }
catalogue-matching = Documenten die bij je vraag passen
catalogue-others = Andere documenten
your-photo = Je foto
web-unavailable = Ik kon niet op het web zoeken.
look-failed = Ik kon de afbeelding niet beter bekijken, dus dit antwoord steunt op mijn eerste indruk.
stopped = (gestopt)
early-end-length = Het antwoord werd te lang en eindigt hier.
early-end-filtered = Het inhoudsfilter van de modelserver heeft dit antwoord gestopt. Probeer het met andere woorden.
early-end-refused = Het taalmodel weigerde hierop te antwoorden.
early-end-repeated = Het taalmodel herhaalde zich eindeloos, dus heb ik het gestopt.
early-end-deadline = Dit duurde langer dan ik aan één bericht mag besteden, dus ben ik hier gestopt.
answer-in-file = Dit antwoord is lang. Hierboven staat het begin; het bestand hieronder bevat het hele antwoord.
continue-button = Ga verder
continue-wish = Ga verder met je antwoord waar het stopte.
stopped-at-once = Gestopt voordat ik iets had geschreven.
web-nothing-found = Op het web heb ik hierover niets gevonden.
ask-about-image =
    Ik zie dit: { $seen }

    Wat wil je erover weten?

image-topic-describe = Beschrijf de afbeelding
image-topic-text = Lees de tekst in de afbeelding
image-topic-table = Leg de tabel in de afbeelding uit
image-topic-search = Zoek op wat de afbeelding toont

# Telegram
status-reading = Ik lees je bestand…
status-looking = Ik bekijk je foto…
status-thinking = Ik denk na…
status-searching = Ik zoek…
status-searching-web = Ik zoek op het web…
status-drafting = Ik schrijf…
status-busy = Het taalmodel is bezet. Ik wacht erop, hooguit een minuut…
status-held = De modelserver neemt voorlopig geen verzoeken meer aan. Ik probeer het { $at } ({ $wait }) opnieuw en antwoord hier; je hoeft het niet nog eens te vragen. Stuur je meer berichten, dan beantwoord ik die daarna.
status-queued = Ontvangen. Ik beantwoord dit zodra het bericht ervoor klaar is.
status-queued-elsewhere = Ontvangen. Ik ben op het web of in een ander programma nog met een antwoord voor je bezig; daarna beantwoord ik dit.
status-crowd = Ontvangen. Op dit moment schrijven veel mensen me. Je plaats in de rij: ongeveer { $place }. Ik antwoord zodra je aan de beurt bent.
button-stop = Stop
stopping = Ik stop…
stopped-by-command = Gestopt.
question-dropped = Goed, je hoeft mijn vraag niet te beantwoorden.
nothing-to-stop = Ik ben nu niets aan het schrijven.
stop-too-late = Dit antwoord is al klaar.
too-many = Je hebt veel berichten tegelijk gestuurd. Ik beantwoord eerst de eerdere. Stuur dit bericht en de volgende opnieuw als ik daarmee klaar ben.
sources-heading = Bronnen
source-web = { $label } (web)
sent-again = (Opnieuw verstuurd: Telegram had de eerste poging niet bevestigd.)
start = Hoi! Ik beantwoord vragen uit mijn documenten en laat zien waar elk antwoord vandaan komt. Je kunt me ook een foto sturen en er iets over vragen, of me vertellen wat je moet doen. /help laat meer zien.
start-named = Hoi { $name }! Ik beantwoord vragen uit mijn documenten en laat zien waar elk antwoord vandaan komt. Je kunt me ook een foto sturen en er iets over vragen, of me vertellen wat je moet doen. /help laat meer zien.
start-examples = Tik op een onderwerp om het te proberen:
help-heading = Wat ik kan
help =
    • Een vraag beantwoorden uit mijn documenten, met genummerde bronnen die je kunt openen.
    • Op het web zoeken als mijn documenten te weinig zeggen of je naar iets actueels vraagt.
    • Bestanden lezen die je stuurt (PDF, Word, Excel, PowerPoint, CSV en meer) en pagina’s achter je links. /files toont ze.
    • Een foto, een album of een afbeeldingsbestand bekijken. Je kunt ook met een vraag op een foto antwoorden.
    • Onthouden wat je me over jezelf vertelt. Andere gebruikers zien dat nooit.
help-end = Schrijf me gewoon in je eigen woorden.
help-commands = Opdrachten
unknown-command = De opdracht { $command } bestaat niet. /help laat zien wat ik kan.
unknown-command-near = De opdracht { $command } bestaat niet. Bedoelde je /{ $near }? /help noemt alle opdrachten.
button-outdated = Deze knop werkt niet meer.
cannot-read = Dit soort bericht kan ik nog niet lezen. Stuur me een tekst, een foto of een afbeeldingsbestand.
cannot-read-sticker =
    { $detail ->
        [blank] Ik kan niet zien wat er op een sticker staat.
       *[other] { $detail } – leuk! Maar ik kan niet zien wat er op een sticker staat.
    } Zeg het in woorden of stuur een foto.
cannot-read-dice = { $detail } Ik speel geen spelletjes, maar ik beantwoord vragen: schrijf er gewoon een.
cannot-read-animation = Gifs kan ik niet bekijken. Stuur me een stilstaand beeld of vraag het in woorden.
cannot-read-video = Video’s kan ik niet bekijken. Stuur me een schermafbeelding van het moment dat je bedoelt of vraag het in woorden.
cannot-read-location = Ik kan niet op een kaart kijken. Schrijf de naam van de plek en wat je erover wilt weten.
cannot-read-venue = Ik kan geen plek op de kaart opzoeken. Schrijf de naam en wat je erover wilt weten.
cannot-read-contact = Ik kan niets met contacten en heb dit niet bewaard. Schrijf me wat je nodig hebt.
cannot-read-poll = Ik kan niet stemmen in polls. Schrijf de vraag als tekst, dan beantwoord ik die.
cannot-read-story = Verhalen kan ik niet zien. Stuur me een schermafbeelding of vraag het in woorden.
unread-note = Ik kon niet bekijken: { $things }.
unread-animation = de gif
unread-audio = de audio
unread-checklist = de checklist
unread-contact = het contact
unread-dice = de dobbelsteen
unread-game = het spel
unread-giveaway = de weggeefactie
unread-giveaway-winners = de weggeefactie
unread-invoice = de factuur
unread-live-photo = de livefoto
unread-long-text = je tekst na de eerste 16.000 tekens
unread-location = de locatie
unread-paid-media = de betaalde media
unread-photo = de foto
unread-poll = de poll
unread-rich-message = het opgemaakte bericht
unread-sticker = de sticker
unread-story = het verhaal
unread-venue = de plek
unread-video = de video
unread-video-note = het videobericht
unread-voice = het spraakbericht
edit-too-late = Ik reageer alleen op wijzigingen van je laatste vraag. Stuur de gewijzigde vraag als nieuw bericht.
replaced = (vervangen)
not-allowed = Deze bot is privé. Wil je toegang, stuur dan dit nummer naar de beheerder: { $user_id }
apology-unavailable = Sorry, ik heb het meerdere keren geprobeerd en kon het taalmodel niet bereiken. Vraag het over een paar minuten opnieuw.
apology-download = Sorry, ik heb het meerdere keren geprobeerd en kon je bestand niet bij Telegram ophalen. Stuur het over een paar minuten opnieuw.
apology-credit = Het tegoed van de beheerder bij de modelserver is op, dus ik kan niet antwoorden. Alleen mijn beheerder kan dit oplossen. Stuur later /retry, dan beantwoord ik deze vraag.
apology-key = De modelserver accepteert de sleutel van mijn beheerder niet, dus ik kan niet antwoorden. Alleen mijn beheerder kan dit oplossen. Stuur later /retry, dan beantwoord ik deze vraag.
model-away = De modelserver neemt tot { $at } geen verzoeken meer aan. Zo lang kan ik niet wachten. Stuur daarna /retry, dan beantwoord ik deze vraag.
apology-refused = Sorry, het taalmodel accepteerde het verzoek niet. Mijn beheerder vindt de reden in het logboek.
apology-malformed = Sorry, het taalmodel gaf een antwoord waar ik niets mee kon. Vraag het opnieuw, misschien in andere woorden.
apology-spent = Sorry, ik heb meer dan eens geprobeerd te antwoorden en liep steeds vast. Ik heb je vraag apart gezet voor mijn beheerder. De fout ligt bij mij, niet bij jou.
aside-lesson = Sorry, ik wilde iets uit een eerder bericht van je onthouden en liep meerdere keren vast. Ik heb het apart gezet voor mijn beheerder.
aside-stream = Dit antwoord kan niet op de gewone manier worden getoond. Hier is de tekst zonder opmaak:
apology-internal = Sorry, er ging bij mij iets mis; het staat in het logboek. Probeer het opnieuw.
limit-tokens = Je hebt je limiet voor vandaag bereikt ({ $limit } tokens). Ik kan { $at } weer antwoorden ({ $wait }). Tot dan werken opdrachten als /status, /sources en /memory nog.
limit-images =
    Je hebt je limiet voor vandaag bereikt ({ $limit ->
        [one] 1 afbeelding
       *[other] { $limit } afbeeldingen
    }), dus ik heb niet alles bekeken wat je stuurde. Ik kan { $at } weer afbeeldingen bekijken ({ $wait }).
limit-searches =
    Je hebt je limiet voor vandaag bereikt ({ $limit ->
        [one] 1 zoekopdracht op het web
       *[other] { $limit } zoekopdrachten op het web
    }), dus ik heb niet op het web gezocht. Ik kan { $at } weer zoeken ({ $wait }).
limit-audio_seconds =
    Je hebt je limiet voor vandaag bereikt ({ $limit ->
        [one] 1 seconde
       *[other] { $limit } seconden
    } geluid), dus ik heb niet geluisterd. Ik kan { $at } weer luisteren ({ $wait }). Schrijf me tot dan.
limit-wait = over { $duration }
day-yesterday = gisteren
day-today = vandaag
day-tomorrow = morgen
media-too-large = De opname is te groot: ik kan bestanden tot 20 MB aan.
media-unreadable = Ik kon deze opname niet lezen; misschien is hij beschadigd. Stuur hem opnieuw.
image-empty = De afbeelding is leeg. Stuur hem opnieuw.
image-too-large = De afbeelding is te groot: ik kan bestanden tot 20 MB aan.
image-too-many-pixels = De afbeelding heeft te veel pixels. Stuur een kleinere versie.
image-unreadable = Ik kon de afbeelding niet lezen; misschien is hij beschadigd. Stuur hem opnieuw.
image-format = Dit afbeeldingsformaat kan ik niet lezen. Stuur JPEG, PNG of WebP.
image-heif = HEIC- en AVIF-bestanden kan ik niet lezen. Stuur de afbeelding als foto, niet als bestand: dan zet Telegram hem om.
image-animated = Bewegende afbeeldingen kan ik niet bekijken. Stuur een stilstaand beeld.
image-refused = Met deze afbeelding kon ik niets. Stuur een andere.

# Commands
command-start = Begin hier
command-help = Wat ik kan
command-new = Een nieuw gesprek beginnen
command-stop = Het antwoord stoppen dat ik schrijf
command-retry = Je laatste vraag opnieuw beantwoorden
command-sources = Wat ik ken
command-spaces = Ruimtes waarin ik zoek
command-why = Hoe mijn laatste antwoord tot stand kwam
command-status = Wat ik voor je aan het doen ben
command-language = De taal van mijn menu’s kiezen
command-privacy = Wat ik over je bewaar
command-memory = Wat ik over je onthoud
command-export = Je gegevens als bestand
command-forget = Alles over jou verwijderen
command-stats = Gebruiksstatistieken
command-approvals = Antwoorden die op goedkeuring wachten
admins-only = Deze opdracht is alleen voor admins.
database-away = Mijn database is nu niet bereikbaar. Probeer het over een minuut opnieuw.
button-not-yours = Deze knop is van iemand anders.
never = nooit
and-more = … en nog { $count }
privacy-heading = Wat ik over je bewaar
privacy =
    Dit bewaar ik in de database van mijn beheerder, de persoon of het bedrijf dat mij draait:
    • je Telegram-id en naam, je berichten en mijn antwoorden
    • wat ik over je onthoud, en je taken, notities en plannen
    • de inloggegevens van je takenlijst, versleuteld, als je er een koppelt
    • een vingerafdruk en een beschrijving van elke foto, nooit de foto zelf
    • de tekst van bestanden, pagina’s en opnames die je stuurt, nooit het geluid
    • hoe ik tot elk antwoord kwam, en je 👍 of 👎
    • hoeveel je per dag gebruikt: tokens, afbeeldingen en zoekopdrachten

    Om te antwoorden stuur ik je bericht, het gesprek en de gevonden passages naar het taalmodel dat mijn beheerder heeft gekozen. Andere gebruikers zien daar nooit iets van.

new-conversation = We beginnen een nieuw gesprek. Wat we eerder bespraken gebruik ik niet meer, maar wat je me over jezelf vertelde weet ik nog.
language = In welke taal wil je de menu’s en de hulp? Mijn antwoorden volgen de taal van je vraag.
language-auto = Automatisch
language-chosen =
    { $chosen ->
        [auto] Mijn menu’s en meldingen volgen de taal van je Telegram-app en van je berichten.
       *[other] Mijn menu’s en meldingen zijn vanaf nu in het Nederlands. Mijn antwoorden volgen nog steeds de taal van je vraag.
    }
language-not-spoken = Die taal spreek ik nog niet. Kies er een van deze, of stuur /language met de naam.
status-sound = Seconden geluid die ik vandaag hoorde en sprak: { $seconds }.
sources-none = Ik heb nog geen documenten. Mijn beheerder kan ze met `ingest add-source` toevoegen.
spaces = Je hebt toegang tot deze ruimtes van mijn documenten. Ik zoek in die met een ✓; in de andere alleen als je ze noemt. Tik op een ruimte om dat te wijzigen.
spaces-none = Alles waarin ik zoek, is toegankelijk voor iedereen die mij mag gebruiken.
sources-known =
    { $sources ->
        [one] Ik ken 1 bron
       *[other] Ik ken { $sources } bronnen
    } met { $documents ->
        [one] 1 document
       *[other] { $documents } documenten
    } ({ $passages ->
        [one] 1 passage
       *[other] { $passages } passages
    }):
sources-line =
    • { $name }: { $documents ->
        [one] 1 document
       *[other] { $documents } documenten
    }, { $passages ->
        [one] 1 passage
       *[other] { $passages } passages
    }, laatst bijgewerkt: { $synced }
sources-line-internal =
    • { $name } (over mij): { $documents ->
        [one] 1 document
       *[other] { $documents } documenten
    }, { $passages ->
        [one] 1 passage
       *[other] { $passages } passages
    }, laatst bijgewerkt: { $synced }
passage-gone = Deze passage staat niet meer in mijn documenten.
passage-read = Passage lezen
why-button = Waarom?
why-nothing = Ik heb nog niets beantwoord. Vraag me eerst iets.
why-no-answer = Ik weet niet hoe dat bericht tot stand kwam. Beantwoord een van mijn antwoorden met /why.
why-heading = Hoe dit antwoord tot stand kwam
why-done-direct = Ik heb direct geantwoord en niets opgezocht.
why-done-rag =
    { $read ->
        [0] Ik heb in mijn documenten gezocht en hierover niets gevonden.
        [one] Ik heb in mijn documenten gezocht: 1 passage gelezen, { $cited } aangehaald.
       *[other] Ik heb in mijn documenten gezocht: { $read } passages gelezen, { $cited } aangehaald.
    }
why-done-web =
    { $read ->
        [0] Ik heb op het web gezocht en hierover niets gevonden.
        [one] Ik heb op het web gezocht: 1 resultaat gelezen, { $cited } aangehaald.
       *[other] Ik heb op het web gezocht: { $read } resultaten gelezen, { $cited } aangehaald.
    }
why-done-rag-web =
    { $read ->
        [0] Ik heb in mijn documenten en daarna op het web gezocht en hierover niets gevonden.
        [one] Ik heb in mijn documenten en daarna op het web gezocht: 1 passage gelezen, { $cited } aangehaald.
       *[other] Ik heb in mijn documenten en daarna op het web gezocht: { $read } passages gelezen, { $cited } aangehaald.
    }
why-web-failed =
    { $read ->
        [0] Ik kon niet op het web zoeken.
        [one] Ik kon niet op het web zoeken; uit mijn documenten 1 passage gelezen, { $cited } aangehaald.
       *[other] Ik kon niet op het web zoeken; uit mijn documenten { $read } passages gelezen, { $cited } aangehaald.
    }
why-reason = De reden: { $reason }
looked-for = Gezocht naar: “{ $query }”
why-further-queries = Daarna gezocht naar: “{ $query }”
why-photo = Foto: bekeken
why-photo-asked = Foto: opnieuw bekeken met je vraag
why-memory =
    Uit mijn geheugen: { $count ->
        [one] 1 ding over jou
       *[other] { $count } dingen over jou
    } (zie /memory)
why-recalled = • { $text }
why-summary = Uit mijn geheugen: een samenvatting van wat we eerder bespraken
why-past = Eerder in ons gesprek:
why-past-turn = • { $date }: “{ $text }”
why-read-document =
    Documenten: { $read ->
        [0] niets gevonden
        [one] 1 passage gelezen
       *[other] { $read } passages gelezen
    }
why-read-web =
    Web: { $read ->
        [0] niets gevonden
        [one] 1 resultaat gelezen
       *[other] { $read } resultaten gelezen
    }
why-doubted =
    Controle: { $count ->
        [one] 1 zin leek twijfelachtig
       *[other] { $count } zinnen leken twijfelachtig
    }
why-planned = Acties waar je bericht zelf om vraagt: { $count }
why-repaired = Controle: de eerste versie haalde niets aan of had een zin zonder bron, dus liet ik het model opnieuw schrijven
why-permitted = Acties die ik zonder vragen uitvoerde, omdat je ze altijd toestaat (/tools): { $count }
why-unsupported =
    Controle: { $count ->
        [one] 1 zin heeft
       *[other] { $count } zinnen hebben
    } geen bron, zoals het antwoord zegt
why-contradicted =
    Controle: { $count ->
        [one] 1 zin spreekt
       *[other] { $count } zinnen spreken
    } de bronnen tegen, zoals het antwoord zegt
why-judged = Controle: met de bronnen vergeleken zinnen: { $count }
why-unjudged = Controle: zinnen die niet vergeleken konden worden, zoals het antwoord zegt: { $count }
why-unsampled = Controle: zinnen die niet vergeleken zijn, omdat maar een deel van de antwoorden wordt gecontroleerd: { $count }
why-second_look_failed = Probleem: het planningsmodel kon het antwoord niet controleren
why-check-left-out = Niet gecontroleerd door een model, omdat dat te lang zou duren
why-refused = Controle: niets van wat ik las bevestigt wat het model schreef, dus heb ik het niet getoond
why-planner_failed = Probleem: het planningsmodel gaf geen plan, dus is alleen in mijn documenten gezocht
why-further_search_failed = Probleem: het planningsmodel kon niet zeggen wat er nog ontbrak
why-look-left-out = Niet verder gezocht, omdat dat te lang zou duren
why-embedding_failed = Probleem: ik kon alleen op woorden zoeken, niet op betekenis
why-rerank_failed = Probleem: het ordenen van de passages mislukte of duurde te lang, dus bleef de volgorde van de zoekopdracht staan
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, aangehaald)
why-models = Model: { $models }
why-calls = Modelaanroepen: { $calls }, waarvan na elkaar vóór het eerste woord: { $before }. Gelezen tokens: { $read }, waarvan door de server hergebruikt: { $cached }
why-times =
    { $steps ->
        [blank] Tijd: { $total } s
       *[other] Tijd: { $total } s ({ $steps })
    }
why-reference = Kenmerk voor de beheerder: { $request_id }
step-N1_ingest_input = lezen { $seconds }
step-N2_load_long_term_memory = herinneren { $seconds }
step-N13_read_files = bestanden lezen { $seconds }
step-N3_vision_summarize = kijken { $seconds }
step-N4_build_effective_query = plannen { $seconds }
step-N5_retrieve = zoeken in documenten { $seconds }
step-N14_search_further = verder zoeken { $seconds }
step-N8_web_search = zoeken op het web { $seconds }
step-N6_synthesize = schrijven { $seconds }
step-N7_persist = opslaan { $seconds }
step-N9_ask_back = vraag aan jou { $seconds }
step-N10_take_answer = je antwoord lezen { $seconds }
step-N11_request_approval = goedkeuring vragen { $seconds }
rated = Bedankt voor je feedback.
rated-down = Bedankt. Mijn beheerder kan deze vraag en het antwoord nu lezen.
rating-withdrawn = Ik heb je feedback verwijderd.
status-answering =
    Ik schrijf een antwoord voor je. { $waiting ->
        [0] Er wacht geen ander bericht.
        [one] Er wacht nog 1 bericht.
       *[other] Er wachten nog { $waiting } berichten.
    }
status-waiting =
    { $waiting ->
        [0] Al je berichten zijn beantwoord.
        [one] 1 van je berichten wacht op een antwoord.
       *[other] { $waiting } van je berichten wachten op een antwoord.
    }
status-use = Vandaag gebruikt: tokens { $tokens }, afbeeldingen { $images }, zoekopdrachten op het web { $searches }, aanroepen van gekoppelde hulpmiddelen { $tool_calls }. Een nieuwe dag begint { $at } ({ $wait }).
use-free = { $used }
use-limited = { $used } van { $limit }
status-documents =
    Documenten: { $documents }, in { $passages ->
        [one] 1 passage
       *[other] { $passages } passages
    }; laatst bijgewerkt: { $synced }
status-documents-away = Documenten: hun database is nu niet bereikbaar.
status-out-of-reach = ⚠️ Niet bereikbaar ({ $duration }): { $problem }
status-models = Modellen: { $chat } schrijft, { $vision } bekijkt afbeeldingen
status-version = rich-agent { $version }
memory-empty = Ik weet nog niets over je. Vertel me iets over jezelf, dan onthoud ik het.
memory-known =
    { $count ->
        [one] Ik onthoud 1 ding over je. Tik op het nummer om het me te laten vergeten.
       *[other] Ik onthoud { $count } dingen over je. Tik op een nummer om dat ene te laten vergeten.
    }
memory-facts = Feiten
memory-preferences = Voorkeuren
memory-tasks = Taken
memory-past = vroeger
memory-planned = gepland
memory-item = { $text } ({ $told })
memory-item-due = { $text } – uiterlijk { $due } ({ $told })
memory-deleted = Vergeten. De berichten waarin je me dit vertelde blijven in ons gesprek. Schrijf “vergeet …” om ook die te verwijderen.
forgetting-told = Zal ik dit vergeten?
forgetting-everything =
    Zal ik alles vergeten wat je me vertelde en wat we bespraken? Dat zijn { $memory ->
        [one] 1 ding dat ik onthoud
       *[other] { $memory } dingen die ik onthoud
    } en { $messages ->
        [one] 1 bericht met het antwoord.
       *[other] { $messages } berichten met hun antwoorden.
    }
forgetting-named = Deze noemen het alleen. Ze blijven, tenzij je wilt dat ik ze ook vergeet:
forgetting-only-named = Ik vond niets wat er duidelijk over gaat. Zal ik het volgende vergeten, waarin het alleen wordt genoemd?
forgetting-of-memory = Wat ik onthoud:
forgetting-of-thing = Je taken, notities en plannen:
forgetting-of-file = Je bestanden:
forgetting-of-message = Je berichten, met mijn antwoorden:
forgetting-of-summary = In de samenvatting van wat we eerder bespraken:
forgetting-more =
    { $count ->
        [one] … en nog 1.
       *[other] … en nog { $count }.
    }
forgetting-final = Dit kan niet ongedaan worden gemaakt. Tik op een knop.
forgetting-yes = Vergeten
forgetting-yes-all = Dit alles vergeten
forgetting-no = Alles bewaren
forgetting-done =
    Vergeten: { $memory ->
        [one] 1 ding dat ik onthield
       *[other] { $memory } dingen die ik onthield
    } en { $messages ->
        [one] 1 bericht met het antwoord
       *[other] { $messages } berichten met hun antwoorden
    }. Ze zijn weg uit mijn geheugen, ons gesprek, de samenvatting ervan, het archief en het overzicht dat /export toont. Wat je in deze chat ziet blijft staan tot je het in Telegram verwijdert.
forgetting-left =
    { $count ->
        [one] 1 ding dat het alleen noemt blijft, zoals je koos.
       *[other] { $count } dingen die het alleen noemen blijven, zoals je koos.
    }
forgetting-done-everything = Je instellingen, je feedback en het overzicht van je gebruik blijven; /forget verwijdert die ook.
forgetting-nothing = Ik vond hier niets over, niet in wat ik onthoud en niet in ons gesprek, dus is er niets verwijderd. /memory toont wat ik over je onthoud.
forgetting-failed = Ik kon niet achterhalen wat ik moet vergeten, omdat er iets misging met mijn model. Er is niets verwijderd. Probeer het later opnieuw, of gebruik /memory en /forget.
forgetting-kept = Er is niets verwijderd.
forgetting-wish = (Een verzoek om iets te vergeten. De woorden worden niet bewaard.)
planner-failed-note = Er ging iets mis met mijn planningsmodel. Als je me vroeg iets te doen of te vergeten, is er niets gedaan of verwijderd: vraag het opnieuw, of gebruik /memory en /forget.
planner-failed-still = Er is niets gedaan of verwijderd.
exported =
    Dit is alles wat ik over je bewaar: { $messages ->
        [one] 1 bericht
       *[other] { $messages } berichten
    }, { $decisions ->
        [one] 1 beslissing
       *[other] { $decisions } beslissingen
    }{ $images ->
        [0] {""}
        [one] , 1 samenvatting van een afbeelding
       *[other] , { $images } samenvattingen van afbeeldingen
    }, wat ik onthoud, en je taken, notities en plannen. Het bestand is JSON.
forget-confirm =
    Wil je dat ik alles verwijder wat ik over je bewaar? Dat is ons gesprek, wat ik over je onthoud, je taken, notities en plannen, hoe ik tot elk antwoord kwam, je feedback, de beschrijvingen van je foto’s, de tekst van je bestanden en opnames en je instellingen.

    Dit kan niet ongedaan worden gemaakt. De berichten in deze chat blijven tot je ze in Telegram verwijdert. Wil je een kopie van je gegevens, stuur dan eerst /export.

forget-yes = Ja, alles verwijderen
forget-no = Nee, bewaren
forget-wish = Vergeet wat ik over { $what } heb gezegd
command-alone = Ik heb niets gedaan: { $command } stuur je zonder tekst erachter. Stuur alleen de opdracht als je die bedoelt.
secret-delete-yourself = Ik kon je bericht niet verwijderen. Je wachtwoord staat erin, dus verwijder het zelf.
forget-kept = Er is niets verwijderd.
forgotten = Alles wat ik over je bewaarde is verwijderd. Als je weer schrijft, beginnen we opnieuw.
confirmation-over = Deze vraag is verlopen. Stuur de opdracht opnieuw.
nothing-to-retry = Er is geen vraag om opnieuw te beantwoorden. Vraag me eerst iets.
stats-heading = Statistieken
stats-users = Gebruikers: { $known }; { $day } de afgelopen dag, { $week } in 7 dagen; { $blocking } hebben me geblokkeerd
stats-turns = Antwoorden: { $day } de afgelopen dag, { $week } in 7 dagen
stats-plans = Plannen, 7 dagen: { $plans }
stats-plan-direct = direct { $count }
stats-plan-rag = documenten { $count }
stats-plan-web = web { $count }
stats-plan-rag-web = documenten en web { $count }
stats-times = Tijd van een antwoord, 7 dagen: p50 { $p50 } s, p95 { $p95 } s
stats-failures = Fouten: { $broken } afgebroken antwoorden en { $undelivered } niet bezorgde berichten in 7 dagen, { $dead } opgegeven updates
stats-feedback = Feedback: 👍 { $up }, 👎 { $down }
stats-use-day = Vandaag gebruikt (UTC): tokens { $tokens }, afbeeldingen { $images }, zoekopdrachten op het web { $searches }; { $cost }
stats-use-week = Gebruikt, 7 dagen: tokens { $tokens }, afbeeldingen { $images }, zoekopdrachten op het web { $searches }; { $cost }
stats-cached = Van de gelezen tokens had de server al eerder gelezen: { $share } %
stats-cost = kosten { $cost }
stats-cost-partly = kosten { $cost }, zonder { $models } (geen prijs ingesteld)
stats-cost-unknown = geen prijs ingesteld (MODEL_PRICES)
stats-price-table = Prijzen die niet in MODEL_PRICES staan: { $table }
stats-top-users = Meeste tokens, 7 dagen: { $users }
stats-inbox = Wachtende updates: { $pending }
stats-approvals = Wachten op goedkeuring: { $count } (/approvals)

# Approval
approval-waiting = Iemand leest dit soort antwoorden voordat ik ze stuur. Dat van jou wordt nagekeken, en ik stuur het zodra het is goedgekeurd. Je kunt intussen doorschrijven.
approval-review =
    Antwoord { $number } wacht op je goedkeuring.
    Van: { $user }
    Soort: { $intent }
    Vraag: { $question }

    Het concept staat hieronder. Beantwoord het met een verbeterde tekst, of gebruik de knoppen.

button-approve = Goedkeuren
button-correct = Bewerken
button-reject = Afwijzen
approval-correction = Antwoord { $number }: beantwoord dit bericht met de verbeterde tekst. De gebruiker leest die precies zo.
approval-reason = Antwoord { $number }: beantwoord dit bericht met de reden van de afwijzing. De gebruiker leest die.
approval-words-missing = Dat heb ik als tekst nodig. Beantwoord hetzelfde bericht nog eens.
approval-is-approved =
    { $by ->
        [you] ✓ Goedgekeurd door jou.
       *[other] ✓ Goedgekeurd door { $admin }.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ Verstuurd met jouw tekst.
       *[other] ✎ Verstuurd met de tekst van { $admin }.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ Afgewezen door jou.
       *[other] ✗ Afgewezen door { $admin }.
    }
approval-is-expired = Er kwam niet op tijd een beslissing. Ik heb het de gebruiker verteld.
approval-is-withdrawn = De gebruiker heeft de vraag gewijzigd, dus dit concept is niet meer nodig.
approval-approved = Dit antwoord is nagekeken en goedgekeurd.
approval-corrected = Dit antwoord is nagekeken en verbeterd.
approval-rejected = Sorry, hier kan ik je geen antwoord op geven. De reden: { $reason }
approval-expired = Sorry, mijn antwoord is niet op tijd nagekeken. Vraag het later opnieuw.
approvals-known =
    { $count ->
        [0] Er wachten geen antwoorden op goedkeuring.
        [one] 1 antwoord wacht op goedkeuring:
       *[other] { $count } antwoorden wachten op goedkeuring:
    }
approvals-line = • { $number }, sinds { $since }, van { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = zoals gepland
reason-greeting = een groet
reason-farewell = een afscheid
reason-thanks = een bedankje
reason-help = een vraag om hulp
reason-laughter = gelach
reason-reaction = een emoji
reason-silence = het bericht bevat geen woorden om op te zoeken
reason-number = een getal of een berekening
reason-known_word = een woord dat in mijn documenten voorkomt
reason-forget_wish = een verzoek om iets te vergeten
reason-stopped = je stopte het voordat het was gepland
reason-no_web = zoeken op het web is niet ingesteld
reason-no_plan = het planningsmodel gaf geen plan, dus is in mijn documenten gezocht en niet op het web
reason-file_read = het bericht gaat over een bestand dat je stuurde
reason-file_refused = geen van de bestanden die je stuurde is leesbaar
reason-about_bot = vragen over mij beantwoord ik uit mijn eigen handleiding
reason-about_now = het antwoord hangt af van wat er nu speelt, dus is op het web gezocht
reason-documents_first = mijn documenten gaan voor het web
reason-documents_may_say = mijn documenten kunnen het beantwoorden
reason-documents_wanted = je vroeg wat de documenten zeggen
reason-web_ruled_out = het bericht is misschien privé, dus is niet op het web gezocht
reason-say_little = mijn documenten zeggen er weinig over, dus is ook op het web gezocht
reason-say_little_on = mijn documenten zeggen weinig over “{ $subject }”, dus is ook op het web gezocht

# Alerts for admins
alert-credit = ⚠️ Het tegoed bij de modelserver is op ({ $service }), dus ik kan niemand antwoorden. { $hint } Voer daarna `rich-agent inbox replay --all` uit om de gemiste vragen te laten beantwoorden. Ik stuur dit hooguit eens per uur.
alert-key = ⚠️ De modelserver accepteert de sleutel niet ({ $service }), dus ik kan niemand antwoorden. { $hint } Voer daarna `rich-agent inbox replay --all` uit om de gemiste vragen te laten beantwoorden. Ik stuur dit hooguit eens per uur.
alert-away = ⚠️ De modelserver ({ $service }) neemt tot { $at } geen verzoeken meer aan. Gebruikers krijgen te horen dat ze het daarna opnieuw moeten vragen. Verhoog de limiet of gebruik een andere server om dit te voorkomen. Ik stuur dit hooguit eens per uur.
alert-lesson = ⚠️ Ik heb dagenlang geprobeerd het geheugen van een gebruiker bij te werken met een bericht en heb het opgegeven. De reden staat in het logboek. Ik stuur dit hooguit eens per uur.
alert-refused = ⚠️ De modelserver weigert een van mijn verzoeken: { $problem } { $hint } Ik ga zo goed mogelijk verder zonder. Ik stuur dit hooguit eens per uur.

# Tools: what each is for, and what is happening while it runs.
status-acting = Ik gebruik { $tool }…
tool-list_files = Je bestanden
tool-undo_last_change = De laatste wijziging ongedaan maken
tool-search_documents = Documenten
tool-search_web = Zoeken op het web
tool-request_more_information = Een vraag aan jou
doing-list_files = Ik bekijk je bestanden…
doing-undo_last_change = Ik maak de laatste wijziging ongedaan…
doing-search_documents = Ik zoek in de documenten…
doing-search_web = Ik zoek op het web…
approve-calls = Dit wil ik graag doen. Zal ik?
approve-not-planned = Hier heb je in je bericht niet om gevraagd. Kijk er goed naar.
approve-yes = Goedkeuren
approve-no = Annuleren
approve-words-yes = ja|oké|ok|doe maar
approve-words-no = nee|annuleren
card-labelled = { $label }: { $text }
card-not-done = Niet gedaan.
approve-adjust = Aanpassen
approve-how-to-adjust = Schrijf wat er anders moet, dan stel ik het opnieuw voor.
approve-always = Hiervoor altijd
approve-always-same = “{ $always }” keurt het goed, en dezelfde aanroep gaat daarna door zonder dat ik het vraag. Met /tools trek je dat in.
approve-always-alike = “{ $always }” keurt het goed, en aanroepen met dezelfde { $fixed } gaan daarna door zonder dat ik het vraag, wat er verder ook in staat. Met /tools trek je dat in.
web-approve-in-words = Antwoord met “{ $yes }” of “{ $no }”, of schrijf wat er anders moet.
card-characters-left-out = Meer tekens: { $count }
card-arguments-left-out = Meer gegevens: { $count }
card-in-file = Niet alles past hier. Het bestand “approval.txt” bevat de hele tekst. Lees die voordat je beslist.
card-copied-from = Overgenomen uit: { $sources }
copied-user = je bericht
copied-memory = wat ik voor je bewaar
copied-assistant = een eerder antwoord
copied-operator = de beheerder van de bot
copied-document = document
copied-page = webpagina
copied-file = bestand
copied-server = ander programma
copied-other = iemand anders
card-takes-back = Maakt ongedaan
argument-duration = Duur
argument-yes = ja
argument-no = nee
argument-none = geen
approve-cancelled = Geannuleerd. Er is niets gewijzigd.
acting-limit-calls = Ik heb de grens van 10 acties per bericht bereikt. Schrijf “ga door” als er nog iets te doen is.
acting-limit-errors = Er ging iets drie keer achter elkaar mis, dus ik ben gestopt. Verder is er niets gewijzigd.
undo-button = Ongedaan maken
undo-done = Ongedaan gemaakt:
undo-too-late = Dit kan niet meer ongedaan worden gemaakt.
step-N12_act = handelen { $seconds }

reason-in_group = in groepen antwoord ik alleen uit mijn documenten
reason-link_ignored = je wilde niet dat ik de link las
reason-link_kept = je wilde dat ik de pagina onthield
reason-link_read = de pagina achter je link is gelezen
reason-in_session = dit bericht hoort bij een begeleide sessie
reason-session_left = je wilde de begeleide sessie beëindigen

timeline-left-out =
    { $count ->
        [one] en nog 1
       *[other] en nog { $count }
    }
command-timezone = Je tijdzone kiezen
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [one] elk uur
           *[other] elke { $count } uur
        }
        [daily] { $count ->
            [one] elke dag
           *[other] elke { $count } dagen
        }
        [weekly] { $count ->
            [one] elke week
           *[other] elke { $count } weken
        }
        [monthly] { $count ->
            [one] elke maand
           *[other] elke { $count } maanden
        }
       *[yearly] { $count ->
            [one] elk jaar
           *[other] elke { $count } jaar
        }
    }
time-zone-none = Ik ken je tijdzone nog niet. Kies die hier, of stuur /timezone met een naam zoals Europe/Amsterdam.
time-zone = Je tijdzone is { $zone }. Daar is het nu { $now }. Stuur /timezone met een andere naam om die te wijzigen.
time-zone-chosen = Je tijdzone is { $zone }. Daar is het nu { $now }. Herhaalde herinneringen volgen die.
time-zone-near = De tijdzone { $name } ken ik niet. Bedoelde je een van deze?
time-zone-which = Bij { $name } horen meerdere tijdzones. Welke is de jouwe?
time-zone-unknown = De tijdzone { $name } ken ik niet. De naam bestaat uit een regio en een stad, zoals Europe/Amsterdam.

# The page of a passage.
passage-place = { $source } · passage { $position } van { $count }
passage-before = ← Vorige
passage-after = Volgende →

# The page of a browser while the bot starts.
bot-starting = De bot wordt gestart…

# Calls that a user permitted for good (/tools).
command-tools = Zien wat ik mag doen zonder het je te vragen
tools-none = Je hebt nog geen actie toegestaan zonder dat ik het vraag. Als ik vóór een actie om toestemming vraag, staat “Hiervoor altijd” die voortaan toe, waar dat veilig is.
tools-about = Deze acties voer ik uit zonder het je te vragen. ✕ trekt een toestemming in, en /tools met het nummer ook.
tools-given-on = toegestaan: { $day }
tools-used = gebruikt: { $count }
tools-any = maakt niet uit
tools-changed = Het hulpmiddel is sindsdien veranderd, dus ik vraag het je weer.
tools-take-all-back = Alles intrekken
tools-taken-back = Ingetrokken. Vóór zo’n actie vraag ik het je weer.

# Outside Telegram.
only-in-telegram = Dit werkt alleen in Telegram volledig: stuur { $command } daar.

run-not-latest = Alleen de nieuwste vraag van een gesprek kan opnieuw worden beantwoord.

# What is asked in groups.

guest-user-limit = Je vragen in groepen zijn voor vandaag op. Vraag het me in een privéchat.
guest-group-limit = Deze groep heeft het afgelopen uur veel gevraagd. Probeer het later, of vraag het me in een privéchat.
guest-withheld = Dit kan ik in een groep niet beantwoorden. Vraag het me in een privéchat.
guest-answer-cut = Dit is het begin van een langer antwoord. Vraag het me in een privéchat voor het hele antwoord.
guest-answered-privately = Ik heb je in onze privéchat geantwoord.
## Files

file-page = pagina { $number }
file-sheet-named = blad { $heading }
file-sheet-numbered = blad { $number }
file-slide-named = dia { $number }: { $heading }
file-slide-numbered = dia { $number }
ask-about-files =
    { $count ->
        [one] Ik heb { $names } gelezen. Wat wil je erover weten?
       *[other] Ik heb { $names } gelezen. Wat wil je over deze bestanden weten?
    }
file-topic-summary = Vat het samen
file-topic-points = Noem de hoofdpunten
file-read-whole = Ik heb { $name } helemaal gelezen.
file-macros = De macro’s in { $name } zijn niet uitgevoerd.
file-read-in-parts =
    Ik heb { $name } helemaal gelezen, in { $parts ->
        [one] één deel
       *[other] { $parts } delen
    }.
file-read-partly = { $name } is lang: ik heb { $read } van de { $units } delen gelezen. Vraag naar de rest, of naar één deel.
file-searched = { $name } is lang: ik heb erin gezocht naar wat je vraagt en niet alles gelezen.
file-parts-unread = { $parts } in { $name } kan ik niet lezen.
file-part-attachment =
    { $count ->
        [one] { $count } bijlage
       *[other] { $count } bijlagen
    }
file-part-chart =
    { $count ->
        [one] { $count } grafiek
       *[other] { $count } grafieken
    }
file-part-diagram =
    { $count ->
        [one] { $count } schema
       *[other] { $count } schema’s
    }
file-part-drawing =
    { $count ->
        [one] { $count } tekening
       *[other] { $count } tekeningen
    }
file-part-equation =
    { $count ->
        [one] { $count } vergelijking
       *[other] { $count } vergelijkingen
    }
file-part-field =
    { $count ->
        [one] { $count } formulierveld
       *[other] { $count } formuliervelden
    }
file-part-file =
    { $count ->
        [one] { $count } bestand
       *[other] { $count } bestanden
    }
file-part-formula =
    { $count ->
        [one] { $count } formule zonder opgeslagen uitkomst
       *[other] { $count } formules zonder opgeslagen uitkomst
    }
file-part-letter =
    { $count ->
        [one] { $count } teken
       *[other] { $count } tekens
    }
file-part-object =
    { $count ->
        [one] { $count } ingesloten object
       *[other] { $count } ingesloten objecten
    }
file-part-page =
    { $count ->
        [one] { $count } pagina zonder tekst
       *[other] { $count } pagina’s zonder tekst
    }
file-part-picture =
    { $count ->
        [one] { $count } afbeelding
       *[other] { $count } afbeeldingen
    }
file-part-remark =
    { $count ->
        [one] { $count } opmerking
       *[other] { $count } opmerkingen
    }
file-part-row =
    { $count ->
        [one] { $count } rij
       *[other] { $count } rijen
    }
file-part-sheet =
    { $count ->
        [one] { $count } werkblad
       *[other] { $count } werkbladen
    }
file-part-slide =
    { $count ->
        [one] { $count } dia zonder tekst
       *[other] { $count } dia’s zonder tekst
    }
file-refused-too-large = “{ $name }” is groter dan 20 MB, meer dan Telegram me laat downloaden. Stuur een kleiner bestand, of splits het.
file-refused-too-long = “{ $name }” is te lang om te lezen. Stuur het deel waar het om gaat als apart bestand.
file-refused-unsupported = Ik kan “{ $name }” niet lezen. Ik lees PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, EML, MSG, MHTML, ZIP en platte tekst. Sla het in een van deze formaten op en stuur het opnieuw.
file-refused-old-office = “{ $name }” heeft een oud Office-formaat. Sla het op als DOCX, XLSX, PPTX of PDF en stuur het opnieuw.
file-refused-archive = “{ $name }” is zo ingepakt dat ik het niet kan openen. Stuur het als ZIP, of stuur de bestanden erin.
file-refused-encrypted = “{ $name }” is met een wachtwoord beveiligd. Sla het zonder wachtwoord op en stuur het opnieuw.
file-refused-empty = Ik vond geen tekst in “{ $name }”. Staat er wel iets in, stuur het dan als PDF of als foto’s.
file-refused-damaged = “{ $name }” is beschadigd, of niet wat de naam zegt. Open het, sla het opnieuw op en stuur me de nieuwe kopie.
file-refused-gone = Ik kon “{ $name }” niet ophalen: het is niet meer beschikbaar. Stuur het opnieuw.
file-keep-button = Onthouden
file-only-here-button = Alleen hier
file-kept =
    { $count ->
        [one] Ik onthoud dit bestand. /files toont het.
       *[other] Ik onthoud deze bestanden. /files toont ze.
    }
file-not-kept =
    { $count ->
        [one] Ik vergeet dit bestand met dit gesprek (/new).
       *[other] Ik vergeet deze bestanden met dit gesprek (/new).
    }
file-forgotten = Vergeten.
files-none = Je hebt hier geen bestanden. Stuur er een: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV of tekst.
files-title =
    { $count ->
        [one] Je bestand:
       *[other] Je { $count } bestanden:
    }
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, onthouden
files-line-unread = Niet gelezen: { $parts }.
files-hint = 📌 bewaart een bestand ook na dit gesprek, of niet meer. 🗑 verwijdert het.
command-files = Je bestanden: tonen, onthouden, vergeten

# Links.

ask-about-links =
    { $count ->
        [one] Wat zal ik met deze link doen? { $links }
       *[other] Wat zal ik met deze links doen? { $links }
    }
link-wish-summary = Samenvatten
link-wish-keep = Onthouden
link-wish-ignore = Negeren
link-ignored = Goed, ik laat hem ongelezen.
link-kept =
    { $count ->
        [one] Ik heb “{ $names }” gelezen en onthoud het. Je kunt er altijd naar vragen; /files toont het.
       *[other] Gelezen en onthouden: { $names }. Je kunt er altijd naar vragen; /files toont ze.
    }
page-refused-private = Ik lees { $name } niet: het leidt naar een privénetwerk.
page-refused-robots = Ik mag { $name } niet lezen: de site staat daar geen programma’s toe. Stuur me de tekst, of de pagina als bestand.
page-refused-closed = { $name } is alleen open voor wie is ingelogd. Stuur me de tekst, of de pagina als bestand.
page-refused-gone = Er is geen pagina op { $name }. Is het adres volledig?
page-refused-too-large = De pagina { $name } is te groot voor me. Stuur me het deel waar het om gaat.
page-refused-too-long = De pagina { $name } is te lang voor me. Stuur me het deel waar het om gaat.
page-refused-slow = { $name } antwoordt te langzaam. Probeer het later opnieuw.
page-refused-away = Ik kon { $name } niet ophalen: de site heeft problemen of is onbereikbaar. Probeer het later opnieuw.
page-refused-empty = Ik vond geen tekst op { $name }. Misschien toont de pagina die alleen aan mensen, of na inloggen. Stuur me de tekst.
page-refused-made-by-scripts = Ik zie geen tekst op { $name }: de pagina wordt pas in een browser gevuld. Stuur me de tekst, of sla de pagina op in een browser en stuur het bestand.
page-refused-consent = Op { $name } zie ik alleen een vraag met knoppen, zoals om toestemming, en niet de pagina erachter. Stuur me de tekst, of de pagina als bestand.
page-refused-unsupported = { $name } is geen pagina of document dat ik kan lezen.
page-refused-old-office = Het bestand op { $name } heeft een oud Office-formaat dat ik niet kan lezen.
page-refused-archive = Het bestand op { $name } is zo ingepakt dat ik het niet kan openen.
page-refused-encrypted = Het bestand op { $name } is met een wachtwoord beveiligd.
page-refused-damaged = Het bestand op { $name } is beschadigd, of niet wat de naam zegt.
page-refused-too-many-links = Ik heb { $name } niet gelezen: dit zijn meer links dan ik per bericht lees.

# The demo.
demo-about-stand-in = Dit is een demo op je computer. De bot is echt; Telegram en het taalmodel zijn nagebootst, en dit model kan alleen citeren. Voor een echt model: “Model verbinden”, of OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = Dit is een demo op je computer. De bot en het taalmodel ({ $model }) zijn echt; Telegram is nagebootst.
demo-about-operator = Je schrijft als Ada, die deze bot beheert: /help toont ook wat beheerders kunnen.
pages-skip = Naar de inhoud
pages-elsewhere = Andere pagina’s
pages-sign-in = Meld je aan
pages-from-elsewhere = Een link op een andere site heeft je hierheen gebracht.
pages-open = Pagina openen
pages-not-for-you = Je mag deze pagina niet zien. Vraag de eigenaar van de bot om een rol.
pages-problem = Dat is niet gelukt
pages-problem-back = Ga terug; wat je invulde staat er nog.
pages-gone = Niet gevonden
pages-gone-how = Hier is niets, of niet meer.
pages-later = De bot kan op dit moment niet antwoorden. Probeer het zo nog eens.
pages-unsent = Er is niets verzonden: de bot is onbereikbaar. Probeer het opnieuw.
pages-as-table = Als tabel
pages-cancel = Annuleren
pages-copy = Kopiëren
pages-copied = Gekopieerd
pages-pages = Pagina’s van de lijst
pages-first = Naar het begin
pages-next = Meer
pages-search = Zoeken

# The pages of users.
panel-save = Opslaan
widget-unanswered = Er kwam geen antwoord. Probeer het opnieuw.
widget-wait = Dit duurt iets langer. Het wordt gedaan.
