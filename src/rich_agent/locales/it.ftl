# The turn
greeting = Ciao! Chiedimi quello che vuoi sui miei documenti o mandami una foto. /help mostra cosa so fare.
greeting-named = Ciao { $name }! Chiedimi quello che vuoi sui miei documenti o mandami una foto. /help mostra cosa so fare.
thanks-reply = Prego!
farewell-reply = A presto! Scrivimi quando vuoi.
help-reply = Fammi una domanda completa, per esempio «Quali sono le tue fonti?», oppure mandami una foto e dimmi cosa vuoi sapere. /help elenca tutto quello che so fare.
laughter-reply = 😄
nothing-said = In questo messaggio non ci sono parole. Fammi una domanda o manda una foto.
nothing-found = Non ho trovato nulla nei miei documenti.
nothing-found-files = Non ho trovato nulla nei tuoi file.
nothing-found-answer = Non ho trovato nulla su questo nei miei documenti. Prova con altre parole o chiedi «Quali sono le tue fonti?» per vedere di cosa trattano.
no-sources-yet = Non ho ancora documenti, quindi non ho trovato nulla. Il mio gestore può aggiungerne con `ingest add-source`.
question-shortened = Il tuo messaggio era troppo lungo per leggerlo tutto, quindi ne ho letto l’inizio e la fine.
look-left-out = Ho cercato nei miei documenti una volta sola, perché un’altra ricerca avrebbe richiesto troppo tempo.
nothing-cited-web = Nessun risultato del web lo conferma.
unchecked = Non ho potuto verificarlo nelle fonti. Ho letto: { $sources }
refused-rag = Niente nei miei documenti risponde a questo. Ho consultato:
refused-files = Niente nei tuoi file risponde a questo. Ho consultato:
refused-web = I risultati del web non rispondono a questo. Ho consultato:
refused-rag-web = Né i miei documenti né il web rispondono a questo. Ho consultato:
unsupported = Non è nelle fonti, da verificare: { $claims }
contradicted = Le fonti dicono altro: { $claims }
unjudged = Non ho potuto verificare questa risposta nelle sue fonti.
unjudged-claims = Non verificato nelle fonti: { $claims }
uncomputed = Non calcolato su tutte le righe della tabella, da verificare: { $claims }
catalogue-title = I miei documenti
catalogue-counts =
    { $sources ->
        [one] Una fonte
       *[other] { $sources } fonti
    }, { $documents ->
        [one] un documento
       *[other] { $documents } documenti
    }. Titoli elencati qui: { $shown }.
catalogue-sources = Fonti
catalogue-source =
    { $name }: { $documents ->
        [one] un documento
       *[other] { $documents } documenti
    }
catalogue-source-internal =
    { $name } (su questo assistente): { $documents ->
        [one] un documento
       *[other] { $documents } documenti
    }
catalogue-matching = Documenti che corrispondono alla tua domanda
catalogue-others = Altri documenti
your-photo = La tua foto
web-unavailable = Non è stato possibile cercare sul web.
look-failed = Non ho potuto guardare meglio l’immagine, quindi mi baso sulla prima occhiata.
stopped = (interrotto)
early-end-length = La risposta è diventata troppo lunga e finisce qui.
early-end-filtered = Il filtro dei contenuti del server del modello ha fermato questa risposta. Prova a chiedere con altre parole.
early-end-refused = Il modello linguistico si è rifiutato di rispondere.
early-end-repeated = Il modello linguistico si ripeteva all’infinito, quindi l’ho fermato.
early-end-deadline = Ci è voluto più tempo di quanto ne possa dedicare a un messaggio, quindi mi sono fermato qui.
answer-in-file = Questa risposta è lunga. Qui sopra c’è l’inizio; il file qui sotto la contiene tutta.
continue-button = Continua
continue-wish = Continua la risposta da dove si è fermata.
stopped-at-once = Interrotto prima che scrivessi qualcosa.
web-nothing-found = La ricerca sul web non ha trovato nulla in proposito.
ask-about-image =
    Vedo questo: { $seen }

    Cosa vorresti sapere?

image-topic-describe = Descrivi l’immagine
image-topic-text = Leggi il testo nell’immagine
image-topic-table = Spiega la tabella nell’immagine
image-topic-search = Cerca ciò che mostra l’immagine

# Telegram
status-reading = Leggo il tuo file…
status-looking = Guardo la tua foto…
status-thinking = Sto pensando…
status-searching = Sto cercando…
status-searching-web = Sto cercando sul web…
status-drafting = Sto scrivendo…
status-busy = Il modello linguistico è occupato. Lo aspetto, al massimo un minuto…
status-held = Il server del modello per ora non accetta altre richieste. Riproverò { $at } ({ $wait }) e risponderò qui: non serve chiedere di nuovo. Se mandi altri messaggi, risponderò dopo.
status-queued = Ricevuto. Ti risponderò appena avrò finito con il tuo messaggio precedente.
status-queued-elsewhere = Ricevuto. Ti sto ancora rispondendo sul web o in un altro programma; poi risponderò a questo.
status-crowd = Ricevuto. In questo momento mi scrivono in tanti. Il tuo posto in coda: circa { $place }. Risponderò appena arriva il tuo turno.
button-stop = Ferma
stopping = Mi fermo…
stopped-by-command = Interrotto.
question-dropped = Va bene, non devi rispondere alla mia domanda.
nothing-to-stop = In questo momento non sto scrivendo nulla.
stop-too-late = Questa risposta è già finita.
too-many = Hai mandato molti messaggi insieme. Prima rispondo ai precedenti. Quando ho finito, manda di nuovo questo e i successivi.
sources-heading = Fonti
source-web = { $label } (web)
sent-again = (Inviato di nuovo: Telegram non aveva confermato il primo tentativo.)
start = Ciao! Rispondo alle domande in base ai miei documenti e mostro da dove viene ogni risposta. Puoi anche mandarmi una foto e farmi domande, o dirmi cosa devi fare. /help mostra di più.
start-named = Ciao { $name }! Rispondo alle domande in base ai miei documenti e mostro da dove viene ogni risposta. Puoi anche mandarmi una foto e farmi domande, o dirmi cosa devi fare. /help mostra di più.
start-examples = Tocca un argomento per provare:
help-heading = Cosa so fare
help =
    • Rispondere a una domanda in base ai miei documenti, con fonti numerate che puoi aprire.
    • Cercare sul web quando i miei documenti dicono troppo poco o chiedi cose attuali.
    • Leggere i file che mandi (PDF, Word, Excel, PowerPoint, CSV e altri) e le pagine dei tuoi link. /files li elenca.
    • Guardare una foto, un album o un file immagine. Puoi anche rispondere a una foto con una domanda.
    • Ricordare quello che mi dici di te. Gli altri utenti non lo vedono mai.
help-end = Scrivimi semplicemente con parole tue.
help-commands = Comandi
unknown-command = Il comando { $command } non esiste. /help mostra cosa so fare.
unknown-command-near = Il comando { $command } non esiste. Intendevi /{ $near }? /help elenca tutti i comandi.
button-outdated = Questo pulsante non funziona più.
cannot-read = Non so ancora leggere questo tipo di messaggio. Mandami un testo, una foto o un file immagine.
cannot-read-sticker =
    { $detail ->
        [blank] Non vedo cosa c’è su uno sticker.
       *[other] { $detail } – carino! Però non vedo cosa c’è su uno sticker.
    } Dimmelo a parole o manda una foto.
cannot-read-dice = { $detail } Non gioco, ma rispondo alle domande: scrivine una.
cannot-read-animation = Non posso guardare le GIF. Mandami un’immagine fissa o chiedi a parole.
cannot-read-video = Non posso guardare i video. Mandami uno screenshot del momento che intendi o chiedi a parole.
cannot-read-location = Non posso guardare una mappa. Scrivi il nome del luogo e cosa vuoi saperne.
cannot-read-venue = Non posso cercare un luogo sulla mappa. Scrivi il suo nome e cosa vuoi saperne.
cannot-read-contact = Non so usare i contatti e non ho conservato questo. Scrivimi che cosa ti serve.
cannot-read-poll = Non posso votare nei sondaggi. Scrivi la domanda come testo e ti risponderò.
cannot-read-story = Non posso vedere le storie. Mandami uno screenshot o chiedi a parole.
unread-note = Non ho potuto guardare: { $things }.
unread-animation = la GIF
unread-audio = l’audio
unread-checklist = la lista
unread-contact = il contatto
unread-dice = il dado
unread-game = il gioco
unread-giveaway = il giveaway
unread-giveaway-winners = il giveaway
unread-invoice = la fattura
unread-live-photo = la foto live
unread-long-text = il tuo testo dopo i primi 16.000 caratteri
unread-location = la posizione
unread-paid-media = il contenuto a pagamento
unread-photo = la foto
unread-poll = il sondaggio
unread-rich-message = il messaggio formattato
unread-sticker = lo sticker
unread-story = la storia
unread-venue = il luogo
unread-video = il video
unread-video-note = il videomessaggio
unread-voice = il messaggio vocale
edit-too-late = Rispondo solo alle modifiche dell’ultima domanda. Manda la domanda modificata come nuovo messaggio.
replaced = (sostituita)
not-allowed = Questo bot è privato. Per chiedere l’accesso, manda questo numero al suo gestore: { $user_id }
apology-unavailable = Mi dispiace, ho provato più volte e non sono riuscito a raggiungere il modello linguistico. Chiedi di nuovo tra qualche minuto.
apology-download = Mi dispiace, ho provato più volte e non sono riuscito a scaricare il file da Telegram. Rimandalo tra qualche minuto.
apology-credit = L’account del gestore presso il server del modello ha finito il credito, quindi non posso rispondere. Solo il mio gestore può rimediare. Manda /retry più tardi e risponderò a questa domanda.
apology-key = Il server del modello non accetta la chiave del mio gestore, quindi non posso rispondere. Solo il mio gestore può rimediare. Manda /retry più tardi e risponderò a questa domanda.
model-away = Il server del modello non accetta altre richieste fino a { $at }. Non posso aspettare così a lungo. Manda /retry dopo quell’ora e risponderò a questa domanda.
apology-refused = Mi dispiace, il modello linguistico non ha accettato la richiesta. Il mio gestore ne trova il motivo nel log.
apology-malformed = Mi dispiace, il modello linguistico ha dato una risposta che non ho potuto usare. Chiedi di nuovo, magari con altre parole.
apology-spent = Mi dispiace, ho provato più volte a rispondere e mi sono sempre bloccato. Ho messo la domanda da parte per il mio gestore. Il problema è mio, non del tuo messaggio.
aside-lesson = Mi dispiace, volevo ricordare qualcosa di un tuo messaggio precedente e mi sono bloccato più volte. L’ho messo da parte per il mio gestore.
aside-stream = Questa risposta non si può mostrare come al solito. Ecco il suo testo senza formattazione:
apology-internal = Mi dispiace, qualcosa è andato storto da parte mia; è annotato nel log. Riprova.
limit-tokens = Hai raggiunto il limite di oggi ({ $limit } token). Potrò rispondere di nuovo { $at } ({ $wait }). Fino ad allora comandi come /status, /sources e /memory funzionano ancora.
limit-images =
    Hai raggiunto il limite di oggi ({ $limit ->
        [one] 1 immagine
       *[other] { $limit } immagini
    }), quindi non ho guardato tutto quello che hai mandato. Potrò guardare di nuovo immagini { $at } ({ $wait }).
limit-searches =
    Hai raggiunto il limite di oggi ({ $limit ->
        [one] 1 ricerca sul web
       *[other] { $limit } ricerche sul web
    }), quindi non ho cercato sul web. Potrò cercare di nuovo { $at } ({ $wait }).
limit-audio_seconds =
    Hai raggiunto il limite di oggi ({ $limit ->
        [one] 1 secondo
       *[other] { $limit } secondi
    } di audio), quindi non ho ascoltato. Potrò ascoltare di nuovo { $at } ({ $wait }). Fino ad allora scrivimi.
limit-wait = tra { $duration }
day-yesterday = ieri
day-today = oggi
day-tomorrow = domani
media-too-large = La registrazione è troppo grande: accetto file fino a 20 MB.
media-unreadable = Non sono riuscito a leggere questa registrazione; forse è danneggiata. Mandala di nuovo.
image-empty = L’immagine è vuota. Mandala di nuovo.
image-too-large = L’immagine è troppo grande: accetto file fino a 20 MB.
image-too-many-pixels = L’immagine ha troppi pixel. Mandane una versione più piccola.
image-unreadable = Non sono riuscito a leggere l’immagine; forse è danneggiata. Mandala di nuovo.
image-format = Non so leggere questo formato di immagine. Manda JPEG, PNG o WebP.
image-heif = Non so leggere i file HEIC e AVIF. Manda l’immagine come foto, non come file: così Telegram la converte.
image-animated = Non posso guardare immagini animate. Manda un’immagine fissa.
image-refused = Non ho potuto usare questa immagine. Mandane un’altra.

# Commands
command-start = Inizia qui
command-help = Cosa so fare
command-new = Inizia una nuova conversazione
command-stop = Ferma la risposta che sto scrivendo
command-retry = Rispondi di nuovo alla tua ultima domanda
command-sources = Cosa conosco
command-spaces = Spazi in cui cerco
command-why = Come sono arrivato alla mia ultima risposta
command-status = Cosa sto facendo per te
command-language = Scegli la lingua dei miei menu
command-privacy = Cosa conservo di te
command-memory = Cosa ricordo di te
command-export = I tuoi dati in un file
command-forget = Cancella tutto su di te
command-stats = Statistiche d’uso
command-approvals = Risposte in attesa di approvazione
admins-only = Questo comando è solo per gli amministratori.
database-away = In questo momento il mio database non è raggiungibile. Riprova tra un minuto.
button-not-yours = Questo pulsante è di qualcun altro.
never = mai
and-more = … e altri { $count }
privacy-heading = Cosa conservo di te
privacy =
    Conservo questo nel database del mio gestore, cioè la persona o l’azienda che mi fa funzionare:
    • il tuo ID e il tuo nome di Telegram, i tuoi messaggi e le mie risposte
    • quello che ricordo di te, e le tue attività, note e piani
    • l’accesso alla tua lista di attività, cifrato, se ne colleghi una
    • un’impronta e una descrizione di ogni foto, mai la foto stessa
    • il testo di file, pagine e registrazioni che mandi, mai il suono
    • come ho deciso ogni risposta, e il tuo 👍 o 👎
    • quanto usi ogni giorno: token, immagini e ricerche

    Per rispondere mando il tuo messaggio, la conversazione e i brani trovati al modello linguistico scelto dal mio gestore. Gli altri utenti non ne vedono mai nulla.

new-conversation = Iniziamo una nuova conversazione. Non uso più quello che ci siamo detti, ma ricordo ancora quello che mi hai detto di te.
language = In che lingua vuoi i menu e l’aiuto? Le mie risposte seguono la lingua della tua domanda.
language-auto = Automatico
language-chosen =
    { $chosen ->
        [auto] I miei menu e avvisi seguono la lingua della tua app Telegram e dei tuoi messaggi.
       *[other] Da ora i miei menu e avvisi sono in italiano. Le mie risposte seguono sempre la lingua della tua domanda.
    }
language-not-spoken = Non parlo ancora questa lingua. Scegline una di queste o manda /language con il suo nome.
status-sound = Secondi di audio ascoltati e detti oggi: { $seconds }.
sources-none = Non ho ancora documenti. Il mio gestore può aggiungerne con `ingest add-source`.
spaces = Puoi accedere a questi spazi dei miei documenti. Cerco in quelli con ✓; negli altri solo se li nomini. Tocca uno spazio per cambiarlo.
spaces-none = Tutto ciò che consulto è accessibile a chiunque possa usarmi.
sources-known =
    { $sources ->
        [one] Conosco 1 fonte
       *[other] Conosco { $sources } fonti
    } con { $documents ->
        [one] 1 documento
       *[other] { $documents } documenti
    } ({ $passages ->
        [one] 1 brano
       *[other] { $passages } brani
    }):
sources-line =
    • { $name }: { $documents ->
        [one] 1 documento
       *[other] { $documents } documenti
    }, { $passages ->
        [one] 1 brano
       *[other] { $passages } brani
    }, ultima sincronizzazione: { $synced }
sources-line-internal =
    • { $name } (su di me): { $documents ->
        [one] 1 documento
       *[other] { $documents } documenti
    }, { $passages ->
        [one] 1 brano
       *[other] { $passages } brani
    }, ultima sincronizzazione: { $synced }
passage-gone = Questo brano non è più nei miei documenti.
passage-read = Leggi il brano
why-button = Perché?
why-nothing = Non ho ancora risposto a nulla. Prima chiedimi qualcosa.
why-no-answer = Non so come è nato quel messaggio. Rispondi con /why a una delle mie risposte.
why-heading = Come sono arrivato a questa risposta
why-done-direct = Ho risposto direttamente, senza cercare nulla.
why-done-rag =
    { $read ->
        [0] Ho cercato nei miei documenti e non ho trovato nulla in proposito.
        [one] Ho cercato nei miei documenti: ho letto 1 brano (citati: { $cited }).
       *[other] Ho cercato nei miei documenti: ho letto { $read } brani e ne ho citati { $cited }.
    }
why-done-web =
    { $read ->
        [0] Ho cercato sul web e non ho trovato nulla in proposito.
        [one] Ho cercato sul web: ho letto 1 risultato (citati: { $cited }).
       *[other] Ho cercato sul web: ho letto { $read } risultati e ne ho citati { $cited }.
    }
why-done-rag-web =
    { $read ->
        [0] Ho cercato nei miei documenti, poi sul web, e non ho trovato nulla in proposito.
        [one] Ho cercato nei miei documenti, poi sul web: ho letto 1 brano (citati: { $cited }).
       *[other] Ho cercato nei miei documenti, poi sul web: ho letto { $read } brani e ne ho citati { $cited }.
    }
why-web-failed =
    { $read ->
        [0] Non ho potuto cercare sul web.
        [one] Non ho potuto cercare sul web; dei miei documenti ho letto 1 brano (citati: { $cited }).
       *[other] Non ho potuto cercare sul web; dei miei documenti ho letto { $read } brani e ne ho citati { $cited }.
    }
why-reason = Il motivo: { $reason }
looked-for = Ho cercato: «{ $query }»
why-further-queries = Poi ho cercato: «{ $query }»
why-photo = Foto: l’ho guardata
why-photo-asked = Foto: l’ho riguardata con la tua domanda
why-memory =
    Dalla memoria: { $count ->
        [one] 1 cosa su di te
       *[other] { $count } cose su di te
    } (vedi /memory)
why-recalled = • { $text }
why-summary = Dalla memoria: un riassunto di quello che ci siamo detti
why-past = Da messaggi precedenti della nostra conversazione:
why-past-turn = • { $date }: «{ $text }»
why-read-document =
    Documenti: { $read ->
        [0] nessun brano trovato
        [one] 1 brano letto
       *[other] { $read } brani letti
    }
why-read-web =
    Web: { $read ->
        [0] nessun risultato
        [one] 1 risultato letto
       *[other] { $read } risultati letti
    }
why-doubted =
    Controllo: { $count ->
        [one] 1 frase sembrava dubbia
       *[other] { $count } frasi sembravano dubbie
    }
why-planned = Azioni richieste direttamente dal tuo messaggio: { $count }
why-repaired = Controllo: la prima versione non citava nulla o aveva una frase senza fonte, quindi ho chiesto al modello di riscriverla
why-permitted = Azioni eseguite senza chiederti conferma, perché le permetti sempre (/tools): { $count }
why-unsupported =
    Controllo: { $count ->
        [one] 1 frase non ha
       *[other] { $count } frasi non hanno
    } fonti, come dice la risposta
why-contradicted =
    Controllo: { $count ->
        [one] 1 frase contraddice
       *[other] { $count } frasi contraddicono
    } le fonti, come dice la risposta
why-judged = Controllo: frasi confrontate con le fonti: { $count }
why-unjudged = Controllo: frasi che non è stato possibile confrontare, come dice la risposta: { $count }
why-unsampled = Controllo: frasi non confrontate, perché si controlla solo una parte delle risposte: { $count }
why-second_look_failed = Problema: il modello di pianificazione non ha potuto controllare la risposta
why-check-left-out = Nessun controllo da parte di un modello, perché avrebbe richiesto troppo tempo
why-refused = Controllo: niente di quello che ho letto conferma ciò che ha scritto il modello, quindi non l’ho mostrato
why-planner_failed = Problema: il modello di pianificazione non ha dato un piano, quindi ho cercato solo nei miei documenti
why-further_search_failed = Problema: il modello di pianificazione non ha saputo dire che cosa mancava ancora
why-look-left-out = Nessun’altra ricerca, perché avrebbe richiesto troppo tempo
why-embedding_failed = Problema: ho potuto cercare solo per parole, non per significato
why-rerank_failed = Problema: l’ordinamento dei brani non è riuscito o ha richiesto troppo tempo, perciò sono rimasti nell’ordine della ricerca
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, citato)
why-models = Modello: { $models }
why-calls = Chiamate al modello: { $calls }, di cui in sequenza prima della prima parola: { $before }. Token letti: { $read }, di cui riutilizzati dal server: { $cached }
why-times =
    { $steps ->
        [blank] Tempo: { $total } s
       *[other] Tempo: { $total } s ({ $steps })
    }
why-reference = Riferimento per il gestore: { $request_id }
step-N1_ingest_input = lettura { $seconds }
step-N2_load_long_term_memory = memoria { $seconds }
step-N13_read_files = lettura dei file { $seconds }
step-N3_vision_summarize = esame dell’immagine { $seconds }
step-N4_build_effective_query = pianificazione { $seconds }
step-N5_retrieve = ricerca nei documenti { $seconds }
step-N14_search_further = altra ricerca { $seconds }
step-N8_web_search = ricerca sul web { $seconds }
step-N6_synthesize = scrittura { $seconds }
step-N7_persist = salvataggio { $seconds }
step-N9_ask_back = richiesta di chiarimento { $seconds }
step-N10_take_answer = lettura della tua risposta { $seconds }
step-N11_request_approval = richiesta di approvazione { $seconds }
rated = Grazie per il tuo parere.
rated-down = Grazie. Ora il mio gestore può leggere questa domanda e la risposta.
rating-withdrawn = Ho rimosso il tuo parere.
status-answering =
    Ti sto scrivendo una risposta. { $waiting ->
        [0] Nessun altro messaggio è in attesa.
        [one] 1 altro messaggio è in attesa.
       *[other] Altri { $waiting } messaggi sono in attesa.
    }
status-waiting =
    { $waiting ->
        [0] Tutti i tuoi messaggi hanno avuto risposta.
        [one] 1 dei tuoi messaggi aspetta una risposta.
       *[other] { $waiting } dei tuoi messaggi aspettano una risposta.
    }
status-use = Usato oggi: token { $tokens }, immagini { $images }, ricerche sul web { $searches }, chiamate a strumenti collegati { $tool_calls }. Il nuovo giorno comincia { $at } ({ $wait }).
use-free = { $used }
use-limited = { $used } di { $limit }
status-documents =
    Documenti: { $documents }, in { $passages ->
        [one] 1 brano
       *[other] { $passages } brani
    }; ultima sincronizzazione: { $synced }
status-documents-away = Documenti: in questo momento il loro database non è raggiungibile.
status-out-of-reach = ⚠️ Non raggiungibile ({ $duration }): { $problem }
status-models = Modelli: { $chat } scrive, { $vision } guarda le immagini
status-version = rich-agent { $version }
memory-empty = Non ricordo ancora nulla di te. Raccontami qualcosa di te e lo ricorderò.
memory-known =
    { $count ->
        [one] Ricordo 1 cosa su di te. Tocca il suo numero per farmela dimenticare.
       *[other] Ricordo { $count } cose su di te. Tocca un numero per farmi dimenticare quella cosa.
    }
memory-facts = Fatti
memory-preferences = Preferenze
memory-tasks = Attività
memory-past = in passato
memory-planned = previsto
memory-item = { $text } ({ $told })
memory-item-due = { $text } – scadenza: { $due } ({ $told })
memory-deleted = Dimenticato. I messaggi in cui me l’hai detto restano nella nostra conversazione. Scrivi «dimentica…» per cancellare anche quelli.
forgetting-told = Devo dimenticare questo?
forgetting-everything =
    Devo dimenticare tutto quello che mi hai detto e che ci siamo detti? Sono { $memory ->
        [one] 1 cosa che ricordo
       *[other] { $memory } cose che ricordo
    } e { $messages ->
        [one] 1 messaggio con la sua risposta.
       *[other] { $messages } messaggi con le loro risposte.
    }
forgetting-named = Questi lo menzionano soltanto. Restano, a meno che tu non voglia che dimentichi anche questi:
forgetting-only-named = Non ho trovato nulla che ne parli chiaramente. Devo dimenticare quanto segue, che lo menziona soltanto?
forgetting-of-memory = Quello che ricordo:
forgetting-of-thing = Le tue attività, note e piani:
forgetting-of-file = I tuoi file:
forgetting-of-message = I tuoi messaggi, con le mie risposte:
forgetting-of-summary = Nel riassunto di quello che ci siamo detti:
forgetting-more =
    { $count ->
        [one] … e 1 altro.
       *[other] … e altri { $count }.
    }
forgetting-final = Non si può annullare. Tocca un pulsante.
forgetting-yes = Dimentica
forgetting-yes-all = Dimentica tutto questo
forgetting-no = Conserva tutto
forgetting-done =
    Dimenticato: { $memory ->
        [one] 1 cosa ricordata
       *[other] { $memory } cose ricordate
    } e { $messages ->
        [one] 1 messaggio con la sua risposta
       *[other] { $messages } messaggi con le loro risposte
    }. Non sono più nella mia memoria, nella nostra conversazione, nel suo riassunto, nell’archivio e nel registro che mostra /export. Quello che vedi in questa chat resta finché non lo cancelli in Telegram.
forgetting-left =
    { $count ->
        [one] 1 cosa che lo menziona soltanto resta, come hai scelto.
       *[other] { $count } cose che lo menzionano soltanto restano, come hai scelto.
    }
forgetting-done-everything = Le tue impostazioni, i tuoi pareri e il registro del tuo uso restano; /forget cancella anche quelli.
forgetting-nothing = Non ho trovato nulla in proposito, né in quello che ricordo né nella nostra conversazione, quindi non ho cancellato niente. /memory mostra cosa ricordo di te.
forgetting-failed = Non sono riuscito a capire cosa vuoi che dimentichi, perché il mio modello non ha funzionato. Non è stato cancellato nulla. Riprova più tardi o usa /memory e /forget.
forgetting-kept = Non è stato cancellato nulla.
forgetting-wish = (Una richiesta di dimenticare qualcosa. Le sue parole non vengono conservate.)
planner-failed-note = Il mio modello di pianificazione non ha funzionato. Se mi hai chiesto di fare o dimenticare qualcosa, non è stato fatto né cancellato nulla: chiedilo di nuovo o usa /memory e /forget.
planner-failed-still = Non è stato fatto né cancellato nulla.
exported =
    Questo è tutto quello che conservo di te: { $messages ->
        [one] 1 messaggio
       *[other] { $messages } messaggi
    }, { $decisions ->
        [one] 1 decisione
       *[other] { $decisions } decisioni
    }{ $images ->
        [0] {""}
        [one] , 1 riassunto di immagine
       *[other] , { $images } riassunti di immagini
    }, quello che ricordo, e le tue attività, note e piani. Il file è in JSON.
forget-confirm =
    Vuoi che cancelli tutto quello che conservo di te? Cioè la nostra conversazione, quello che ricordo di te, le tue attività, note e piani, come ho deciso ogni risposta, i tuoi pareri, le descrizioni delle tue foto, il testo dei tuoi file e delle tue registrazioni e le tue impostazioni.

    Non si può annullare. I messaggi di questa chat restano finché non li cancelli in Telegram. Per una copia dei tuoi dati, manda prima /export.

forget-yes = Sì, cancella tutto
forget-no = No, conserva
forget-wish = Dimentica quello che ho detto su { $what }
command-alone = Non ho fatto nulla: { $command } va mandato senza altro testo. Se è questo che vuoi, manda il comando da solo.
secret-delete-yourself = Non ho potuto cancellare il tuo messaggio. Contiene la tua password, quindi cancellalo tu.
forget-kept = Non è stato cancellato nulla.
forgotten = Tutto quello che conservavo di te è cancellato. Se scrivi ancora, ricominciamo da zero.
confirmation-over = Questa domanda è scaduta. Manda di nuovo il comando.
nothing-to-retry = Non c’è nessuna domanda a cui rispondere di nuovo. Prima chiedimi qualcosa.
stats-heading = Statistiche
stats-users = Utenti: { $known }; { $day } nell’ultimo giorno, { $week } in 7 giorni; { $blocking } mi hanno bloccato
stats-turns = Risposte: { $day } nell’ultimo giorno, { $week } in 7 giorni
stats-plans = Piani, 7 giorni: { $plans }
stats-plan-direct = diretto { $count }
stats-plan-rag = documenti { $count }
stats-plan-web = web { $count }
stats-plan-rag-web = documenti e web { $count }
stats-times = Tempo di una risposta, 7 giorni: p50 { $p50 } s, p95 { $p95 } s
stats-failures = Errori: { $broken } risposte interrotte e { $undelivered } messaggi non consegnati in 7 giorni, { $dead } aggiornamenti abbandonati
stats-feedback = Pareri: 👍 { $up }, 👎 { $down }
stats-use-day = Usato oggi (UTC): token { $tokens }, immagini { $images }, ricerche sul web { $searches }; { $cost }
stats-use-week = Usato, 7 giorni: token { $tokens }, immagini { $images }, ricerche sul web { $searches }; { $cost }
stats-cached = Dei token letti, il server ne aveva già letti: { $share } %
stats-cost = costo { $cost }
stats-cost-partly = costo { $cost }, senza { $models } (nessun prezzo impostato)
stats-cost-unknown = nessun prezzo impostato (MODEL_PRICES)
stats-price-table = Prezzi non impostati in MODEL_PRICES: { $table }
stats-top-users = Più token, 7 giorni: { $users }
stats-inbox = Aggiornamenti in attesa: { $pending }
stats-approvals = In attesa di approvazione: { $count } (/approvals)

# Approval
approval-waiting = Una persona legge le risposte di questo tipo prima che io le mandi. La tua è in revisione e te la mando appena è approvata. Intanto puoi continuare a scrivere.
approval-review =
    La risposta { $number } aspetta la tua approvazione.
    Da: { $user }
    Tipo: { $intent }
    Domanda: { $question }

    La bozza è qui sotto. Rispondile con un testo corretto o usa i suoi pulsanti.

button-approve = Approva
button-correct = Modifica
button-reject = Rifiuta
approval-correction = Risposta { $number }: rispondi a questo messaggio con il testo corretto. L’utente lo leggerà così com’è.
approval-reason = Risposta { $number }: rispondi a questo messaggio con il motivo del rifiuto. L’utente lo leggerà.
approval-words-missing = Mi serve come testo. Rispondi di nuovo allo stesso messaggio.
approval-is-approved =
    { $by ->
        [you] ✓ Approvata da te.
       *[other] ✓ Approvata da { $admin }.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ Inviata con il tuo testo.
       *[other] ✎ Inviata con il testo di { $admin }.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ Rifiutata da te.
       *[other] ✗ Rifiutata da { $admin }.
    }
approval-is-expired = Non c’è stata una decisione in tempo. Ho avvisato l’utente.
approval-is-withdrawn = L’utente ha cambiato la domanda, quindi questa bozza non serve più.
approval-approved = Questa risposta è stata rivista e approvata.
approval-corrected = Questa risposta è stata rivista e corretta.
approval-rejected = Mi dispiace, non posso darti una risposta. Il motivo: { $reason }
approval-expired = Mi dispiace, la mia risposta non è stata rivista in tempo. Chiedi di nuovo più tardi.
approvals-known =
    { $count ->
        [0] Nessuna risposta è in attesa di approvazione.
        [one] 1 risposta è in attesa di approvazione:
       *[other] { $count } risposte sono in attesa di approvazione:
    }
approvals-line = • { $number }, { $since }, di { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = come previsto
reason-greeting = un saluto
reason-farewell = un congedo
reason-thanks = un ringraziamento
reason-help = una richiesta di aiuto
reason-laughter = una risata
reason-reaction = un’emoji
reason-silence = il messaggio non contiene parole da cercare
reason-number = un numero o un calcolo
reason-known_word = una parola che compare nei miei documenti
reason-forget_wish = una richiesta di dimenticare qualcosa
reason-stopped = l’hai fermato prima che fosse pianificato
reason-no_web = non è configurata nessuna ricerca sul web
reason-no_plan = il modello di pianificazione non ha dato un piano, quindi ho cercato nei miei documenti e non sul web
reason-file_read = il messaggio riguarda un file che hai mandato
reason-file_refused = nessuno dei file che hai mandato si può leggere
reason-about_bot = alle domande su di me rispondo con il mio manuale
reason-about_now = la risposta dipende dal presente, quindi ho cercato sul web
reason-documents_first = i miei documenti vengono prima del web
reason-documents_may_say = i miei documenti possono rispondere
reason-documents_wanted = hai chiesto cosa dicono i documenti
reason-web_ruled_out = il messaggio può essere privato, quindi non ho cercato sul web
reason-say_little = i miei documenti ne dicono poco, quindi ho cercato anche sul web
reason-say_little_on = i miei documenti dicono poco su «{ $subject }», quindi ho cercato anche sul web

# Alerts for admins
alert-credit = ⚠️ L’account presso il server del modello ha finito il credito ({ $service }), quindi non posso rispondere a nessuno. { $hint } Poi esegui `rich-agent inbox replay --all` per rispondere alle domande rimaste senza risposta. Mando questo avviso al massimo una volta all’ora.
alert-key = ⚠️ Il server del modello non accetta la chiave ({ $service }), quindi non posso rispondere a nessuno. { $hint } Poi esegui `rich-agent inbox replay --all` per rispondere alle domande rimaste senza risposta. Mando questo avviso al massimo una volta all’ora.
alert-away = ⚠️ Il server del modello ({ $service }) non accetta altre richieste fino a { $at }. Agli utenti viene detto di chiedere dopo. Per evitarlo, alza il limite o usa un altro server. Mando questo avviso al massimo una volta all’ora.
alert-lesson = ⚠️ Ho provato per giorni ad aggiornare la memoria di un utente da un messaggio e ho rinunciato. Il log dice perché. Mando questo avviso al massimo una volta all’ora.
alert-refused = ⚠️ Il server del modello rifiuta una mia richiesta: { $problem } { $hint } Continuo come posso senza di essa. Mando questo avviso al massimo una volta all’ora.

# Tools: what each is for, and what is happening while it runs.
status-acting = Uso { $tool }…
tool-list_files = I tuoi file
tool-undo_last_change = Annullare l’ultima modifica
tool-search_documents = Documenti
tool-search_web = Ricerca sul web
tool-request_more_information = Una domanda per te
doing-list_files = Guardo i tuoi file…
doing-undo_last_change = Annullo l’ultima modifica…
doing-search_documents = Cerco nei documenti…
doing-search_web = Cerco sul web…
approve-calls = Vorrei fare questo. Procedo?
approve-not-planned = Nel tuo messaggio non l’hai chiesto. Controlla bene.
approve-yes = Approva
approve-no = Annulla
approve-words-yes = sì|si|ok|va bene
approve-words-no = no|annulla
card-labelled = { $label }: { $text }
card-not-done = Non eseguito.
approve-adjust = Modifica
approve-how-to-adjust = Scrivi cosa cambiare e lo proporrò di nuovo.
approve-always = Sempre per questo
approve-always-same = «{ $always }» lo approva, e da allora la stessa chiamata parte senza chiederti conferma. Con /tools puoi revocarlo.
approve-always-alike = «{ $always }» lo approva, e da allora le chiamate con gli stessi valori di { $fixed } partono senza chiederti conferma, qualunque sia il resto. Con /tools puoi revocarlo.
web-approve-in-words = Rispondi con «{ $yes }» o «{ $no }», oppure scrivi cosa cambiare.
card-characters-left-out = Altri caratteri: { $count }
card-arguments-left-out = Altri dati: { $count }
card-in-file = Qui non ci sta tutto. Il file «approval.txt» contiene il testo intero. Leggilo prima di decidere.
card-copied-from = Copiato da: { $sources }
copied-user = il tuo messaggio
copied-memory = ciò che conservo per te
copied-assistant = una risposta precedente
copied-operator = il gestore del bot
copied-document = documento
copied-page = pagina web
copied-file = file
copied-server = altro programma
copied-other = un’altra persona
card-takes-back = Annulla
argument-duration = Durata
argument-yes = sì
argument-no = no
argument-none = nessuno
approve-cancelled = Annullato. Non è stato cambiato nulla.
acting-limit-calls = Ho raggiunto il limite di 10 azioni per messaggio. Scrivi «continua» se resta qualcosa da fare.
acting-limit-errors = Qualcosa è fallito tre volte di fila, quindi mi sono fermato. Non è stato cambiato altro.
undo-button = Annulla
undo-done = Annullato:
undo-too-late = Non si può più annullare.
step-N12_act = azione { $seconds }

reason-in_group = nei gruppi rispondo solo con i miei documenti
reason-link_ignored = hai voluto che il link non venisse letto
reason-link_kept = hai voluto che ricordassi la pagina
reason-link_read = la pagina del tuo link è stata letta
reason-in_session = questo messaggio fa parte di una sessione guidata
reason-session_left = volevi terminare la sessione guidata

timeline-left-out =
    { $count ->
        [one] e un altro
       *[other] e altri { $count }
    }
command-timezone = Scegli il tuo fuso orario
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [one] ogni ora
           *[other] ogni { $count } ore
        }
        [daily] { $count ->
            [one] ogni giorno
           *[other] ogni { $count } giorni
        }
        [weekly] { $count ->
            [one] ogni settimana
           *[other] ogni { $count } settimane
        }
        [monthly] { $count ->
            [one] ogni mese
           *[other] ogni { $count } mesi
        }
       *[yearly] { $count ->
            [one] ogni anno
           *[other] ogni { $count } anni
        }
    }
time-zone-none = Non conosco ancora il tuo fuso orario. Sceglilo qui o manda /timezone con un nome come Europe/Rome.
time-zone = Il tuo fuso orario è { $zone }. Lì adesso: { $now }. Per cambiarlo, manda /timezone con un altro nome.
time-zone-chosen = Il tuo fuso orario è { $zone }. Lì adesso: { $now }. I promemoria ripetuti lo seguono.
time-zone-near = Non conosco il fuso orario { $name }. Intendevi uno di questi?
time-zone-which = { $name } ha più fusi orari. Qual è il tuo?
time-zone-unknown = Non conosco il fuso orario { $name }. Il nome ha una regione e una città, come Europe/Rome.

# The page of a passage.
passage-place = { $source } · brano { $position } di { $count }
passage-before = ← Precedente
passage-after = Successivo →

# The page of a browser while the bot starts.
bot-starting = Il bot si sta avviando…

# Calls that a user permitted for good (/tools).
command-tools = Vedi cosa posso fare senza chiederti conferma
tools-none = Non hai ancora permesso nessuna azione senza conferma. Quando chiedo conferma prima di un’azione, «Sempre per questo» la permette da allora in poi, dove è sicuro.
tools-about = Queste azioni partono senza chiederti conferma. ✕ revoca un permesso, e così fa /tools con il suo numero.
tools-given-on = permesso: { $day }
tools-used = usi: { $count }
tools-any = qualsiasi
tools-changed = Da allora lo strumento è cambiato, quindi ti chiederò di nuovo conferma.
tools-take-all-back = Revoca tutti
tools-taken-back = Revocato. Prima di un’azione così ti chiederò di nuovo conferma.

# Outside Telegram.
only-in-telegram = Questo funziona del tutto solo in Telegram: manda { $command } lì.

run-not-latest = Si può rispondere di nuovo solo all’ultima domanda di una conversazione.

# What is asked in groups.

guest-user-limit = Hai finito le tue domande nei gruppi per oggi. Chiedimi in una chat privata.
guest-group-limit = Questo gruppo ha fatto molte domande nell’ultima ora. Riprova più tardi o chiedimi in una chat privata.
guest-withheld = A questo non posso rispondere in un gruppo. Chiedimi in una chat privata.
guest-answer-cut = Questo è l’inizio di una risposta più lunga. Per leggerla tutta, chiedimi in una chat privata.
guest-answered-privately = Ti ho risposto nella nostra chat privata.
## Files

file-page = pagina { $number }
file-sheet-named = foglio { $heading }
file-sheet-numbered = foglio { $number }
file-slide-named = diapositiva { $number }: { $heading }
file-slide-numbered = diapositiva { $number }
ask-about-files =
    { $count ->
        [one] Ho letto { $names }. Cosa vorresti sapere?
       *[other] Ho letto { $names }. Cosa vorresti sapere di questi file?
    }
file-topic-summary = Riassumi
file-topic-points = Elenca i punti principali
file-read-whole = Ho letto { $name } per intero.
file-macros = Le macro di { $name } non sono state eseguite.
file-read-in-parts =
    Ho letto { $name } per intero, in { $parts ->
        [one] una parte
       *[other] { $parts } parti
    }.
file-read-partly = { $name } è lungo: ho letto { $read } delle sue { $units } parti. Chiedi del resto o di una parte.
file-searched = { $name } è lungo: vi ho cercato quello che chiedi e non l’ho letto tutto.
file-parts-unread = Non riesco a leggere { $parts } in { $name }.
file-part-attachment =
    { $count ->
        [one] { $count } allegato
       *[other] { $count } allegati
    }
file-part-chart =
    { $count ->
        [one] { $count } grafico
       *[other] { $count } grafici
    }
file-part-diagram =
    { $count ->
        [one] { $count } schema
       *[other] { $count } schemi
    }
file-part-drawing =
    { $count ->
        [one] { $count } disegno
       *[other] { $count } disegni
    }
file-part-equation =
    { $count ->
        [one] { $count } equazione
       *[other] { $count } equazioni
    }
file-part-field =
    { $count ->
        [one] { $count } campo del modulo
       *[other] { $count } campi del modulo
    }
file-part-file = { $count } file
file-part-formula =
    { $count ->
        [one] { $count } formula senza risultato salvato
       *[other] { $count } formule senza risultato salvato
    }
file-part-letter =
    { $count ->
        [one] { $count } carattere
       *[other] { $count } caratteri
    }
file-part-object =
    { $count ->
        [one] { $count } oggetto incorporato
       *[other] { $count } oggetti incorporati
    }
file-part-page =
    { $count ->
        [one] { $count } pagina senza testo
       *[other] { $count } pagine senza testo
    }
file-part-picture =
    { $count ->
        [one] { $count } immagine
       *[other] { $count } immagini
    }
file-part-remark =
    { $count ->
        [one] { $count } commento
       *[other] { $count } commenti
    }
file-part-row =
    { $count ->
        [one] { $count } riga
       *[other] { $count } righe
    }
file-part-sheet =
    { $count ->
        [one] { $count } foglio
       *[other] { $count } fogli
    }
file-part-slide =
    { $count ->
        [one] { $count } diapositiva senza testo
       *[other] { $count } diapositive senza testo
    }
file-refused-too-large = «{ $name }» supera i 20 MB, più di quanto Telegram mi lasci scaricare. Manda un file più piccolo o dividilo.
file-refused-too-long = «{ $name }» è troppo lungo da leggere. Manda la parte che conta come file a sé.
file-refused-unsupported = Non posso leggere «{ $name }». Leggo PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, EML, MSG, MHTML, ZIP e testo semplice. Salvalo in uno di questi formati e rimandalo.
file-refused-old-office = «{ $name }» è in un vecchio formato di Office. Salvalo come DOCX, XLSX, PPTX o PDF e rimandalo.
file-refused-archive = «{ $name }» è compresso in un modo che non so aprire. Mandalo come ZIP o manda i file che contiene.
file-refused-encrypted = «{ $name }» è protetto da password. Salvalo senza password e rimandalo.
file-refused-empty = Non ho trovato testo in «{ $name }». Se contiene qualcosa, mandalo come PDF o come foto.
file-refused-damaged = «{ $name }» è danneggiato o non è quello che dice il nome. Aprilo, salvalo di nuovo e mandami la nuova copia.
file-refused-gone = Non ho potuto prendere «{ $name }»: non è più disponibile. Mandalo di nuovo.
file-keep-button = Ricorda
file-only-here-button = Solo qui
file-kept =
    { $count ->
        [one] Ricorderò questo file. /files lo mostra.
       *[other] Ricorderò questi file. /files li mostra.
    }
file-not-kept =
    { $count ->
        [one] Dimenticherò questo file con questa conversazione (/new).
       *[other] Dimenticherò questi file con questa conversazione (/new).
    }
file-forgotten = Dimenticato.
files-none = Qui non hai file. Mandamene uno: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV o testo.
files-title =
    { $count ->
        [one] Il tuo file:
       *[other] I tuoi { $count } file:
    }
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, ricordato
files-line-unread = Non letto: { $parts }.
files-hint = 📌 conserva un file oltre questa conversazione, o smette di farlo. 🗑 lo cancella.
command-files = I tuoi file: elenca, ricorda, dimentica

# Links.

ask-about-links =
    { $count ->
        [one] Cosa faccio con questo link? { $links }
       *[other] Cosa faccio con questi link? { $links }
    }
link-wish-summary = Riassumi
link-wish-keep = Ricorda
link-wish-ignore = Ignora
link-ignored = Va bene, non lo leggo.
link-kept =
    { $count ->
        [one] Ho letto e ricordo «{ $names }». Chiedimi quando vuoi; /files lo mostra.
       *[other] Ho letto e ricordo: { $names }. Chiedimi quando vuoi; /files li mostra.
    }
page-refused-private = Non leggo { $name }: porta a una rete privata.
page-refused-robots = Non posso leggere { $name }: il sito lì non ammette programmi. Mandami il testo o la pagina come file.
page-refused-closed = { $name } è aperta solo a chi ha effettuato l’accesso. Mandami il testo o la pagina come file.
page-refused-gone = A { $name } non c’è nessuna pagina. L’indirizzo è completo?
page-refused-too-large = La pagina { $name } è troppo pesante per me. Mandami la parte che conta.
page-refused-too-long = La pagina { $name } è troppo lunga per me. Mandami la parte che conta.
page-refused-slow = { $name } impiega troppo a rispondere. Riprova più tardi.
page-refused-away = Non ho potuto aprire { $name }: il sito ha problemi o non è raggiungibile. Riprova più tardi.
page-refused-empty = A { $name } non ho trovato testo. Forse la pagina lo mostra solo alle persone o dopo l’accesso. Mandami il testo.
page-refused-made-by-scripts = A { $name } non vedo testo: la pagina si riempie solo nel browser. Mandami il testo, oppure salva la pagina nel browser e manda il file.
page-refused-consent = A { $name } vedo solo una domanda con pulsanti, per esempio per il consenso, e non la pagina dietro. Mandami il testo o la pagina come file.
page-refused-unsupported = { $name } non è una pagina né un documento che so leggere.
page-refused-old-office = Il file a { $name } è in un vecchio formato di Office che non so leggere.
page-refused-archive = Il file all’indirizzo { $name } è compresso in un modo che non so aprire.
page-refused-encrypted = Il file a { $name } è protetto da password.
page-refused-damaged = Il file a { $name } è danneggiato o non è quello che dice il nome.
page-refused-too-many-links = Non ho letto { $name }: ci sono più link di quanti ne legga per un messaggio.

# The demo.
demo-about-stand-in = Questa è una demo sul tuo computer. Il bot è quello vero; Telegram e il modello linguistico sono simulati, e questo modello sa solo citare. Per usarne uno vero: «Collega un modello», oppure OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = Questa è una demo sul tuo computer. Il bot e il suo modello linguistico ({ $model }) sono veri; Telegram è simulato.
demo-about-operator = Scrivi come Ada, che gestisce questo bot: /help mostra anche che cosa può fare un gestore.
pages-skip = Vai al contenuto
pages-elsewhere = Altre pagine
pages-sign-in = Accedi
pages-from-elsewhere = Un link di un altro sito ti ha portato qui.
pages-open = Apri la pagina
pages-not-for-you = Non puoi vedere questa pagina. Chiedi un ruolo al proprietario del bot.
pages-problem = Non ha funzionato
pages-problem-back = Torna indietro; ciò che hai scritto è ancora lì.
pages-gone = Non trovato
pages-gone-how = Qui non c’è nulla, o non c’è più.
pages-later = Il bot non può rispondere in questo momento. Riprova tra poco.
pages-unsent = Non è stato inviato nulla: il bot non è raggiungibile. Riprova.
pages-as-table = Come tabella
pages-cancel = Annulla
pages-copy = Copia
pages-copied = Copiato
pages-pages = Pagine dell’elenco
pages-first = All’inizio
pages-next = Altro
pages-search = Cerca

# The pages of users.
panel-save = Salva
widget-unanswered = Nessuna risposta. Riprova.
widget-wait = Ci vuole un po’ di più. Verrà fatto.
