# The turn
greeting = Hallo! Frag mich etwas zu meinen Dokumenten oder schick mir ein Foto. Was ich kann, zeigt /help.
greeting-named = Hallo { $name }! Frag mich etwas zu meinen Dokumenten oder schick mir ein Foto. Was ich kann, zeigt /help.
thanks-reply = Gern geschehen!
farewell-reply = Tschüss! Schreib mir jederzeit.
help-reply = Stell mir eine ganze Frage, zum Beispiel „Was sind deine Quellen?“, oder schick mir ein Foto und schreib, was du wissen willst. /help zeigt alles, was ich kann.
laughter-reply = 😄
nothing-said = In dieser Nachricht stehen keine Worte. Stell mir eine Frage oder schick ein Foto.
nothing-found = In meinen Dokumenten habe ich dazu nichts gefunden.
nothing-found-files = In deinen Dateien habe ich dazu nichts gefunden.
nothing-found-answer = Dazu habe ich in meinen Dokumenten nichts gefunden. Versuch es mit anderen Worten, oder frag „Was sind deine Quellen?“, um zu sehen, wovon sie handeln.
no-sources-yet = Ich habe noch keine Dokumente, deshalb habe ich nichts gefunden. Mein Betreiber kann mit `ingest add-source` welche hinzufügen.
question-shortened = Deine Nachricht war zu lang, um sie ganz zu lesen. Ich habe den Anfang und das Ende gelesen.
look-left-out = Ich habe meine Dokumente nur einmal durchsucht, weil eine weitere Suche zu lange gedauert hätte.
nothing-cited-web = Kein Ergebnis aus dem Web belegt das.
unchecked = Das konnte ich nicht mit den Quellen abgleichen. Gelesen habe ich: { $sources }
refused-rag = Nichts in meinen Dokumenten beantwortet das. Ich habe nachgesehen in:
refused-files = Nichts in deinen Dateien beantwortet das. Ich habe nachgesehen in:
refused-web = Die Ergebnisse aus dem Web beantworten das nicht. Ich habe nachgesehen in:
refused-rag-web = Weder meine Dokumente noch das Web beantworten das. Ich habe nachgesehen in:
unsupported = Steht nicht in den Quellen, bitte prüfen: { $claims }
contradicted = Die Quellen sagen etwas anderes: { $claims }
unjudged = Diese Antwort konnte ich nicht mit ihren Quellen abgleichen.
unjudged-claims = Nicht mit den Quellen abgeglichen: { $claims }
uncomputed = Nicht aus allen Zeilen der Tabelle berechnet, bitte prüfen: { $claims }
catalogue-title = Meine Dokumente
catalogue-counts =
    { $sources ->
        [one] Eine Quelle
       *[other] { $sources } Quellen
    }, { $documents ->
        [one] ein Dokument
       *[other] { $documents } Dokumente
    }. Hier aufgeführte Titel: { $shown }.
catalogue-sources = Quellen
catalogue-source =
    { $name }: { $documents ->
        [one] ein Dokument
       *[other] { $documents } Dokumente
    }
catalogue-source-internal =
    { $name } (über diesen Assistenten): { $documents ->
        [one] ein Dokument
       *[other] { $documents } Dokumente
    }
catalogue-matching = Dokumente, die zu deiner Frage passen
catalogue-others = Andere Dokumente
your-photo = Dein Foto
web-unavailable = Das Web konnte nicht durchsucht werden.
look-failed = Ich konnte das Bild nicht genauer ansehen, daher beruht das auf meinem ersten Blick.
stopped = (abgebrochen)
early-end-length = Die Antwort wurde zu lang und endet hier.
early-end-filtered = Der Inhaltsfilter des Modellservers hat diese Antwort abgebrochen. Versuch es mit anderen Worten.
early-end-refused = Das Sprachmodell hat es abgelehnt, das zu beantworten.
early-end-repeated = Das Sprachmodell hat sich endlos wiederholt, deshalb habe ich es angehalten.
early-end-deadline = Das hat länger gedauert, als ich für eine Nachricht aufwenden darf, deshalb habe ich hier aufgehört.
answer-in-file = Diese Antwort ist lang. Oben steht ihr Anfang, die Datei darunter enthält sie ganz.
continue-button = Weiter
continue-wish = Setz deine Antwort dort fort, wo sie aufgehört hat.
stopped-at-once = Abgebrochen, bevor ich etwas geschrieben habe.
web-nothing-found = Die Websuche hat dazu nichts gefunden.
ask-about-image =
    Ich sehe das: { $seen }

    Was möchtest du darüber wissen?

image-topic-describe = Das Bild beschreiben
image-topic-text = Den Text im Bild lesen
image-topic-table = Die Tabelle im Bild erklären
image-topic-search = Nachschlagen, was das Bild zeigt

# Telegram
status-reading = Ich lese deine Datei…
status-looking = Ich sehe mir dein Foto an…
status-thinking = Ich denke nach…
status-searching = Ich suche…
status-searching-web = Ich suche im Web…
status-drafting = Ich schreibe…
status-busy = Das Sprachmodell ist ausgelastet. Ich warte darauf, höchstens eine Minute…
status-held = Der Modellserver nimmt vorerst keine Anfragen mehr an. Ich versuche es { $at } ({ $wait }) noch einmal und antworte hier; du musst nicht noch einmal fragen. Weitere Nachrichten beantworte ich danach.
status-queued = Angekommen. Ich antworte darauf, sobald deine vorige Nachricht beantwortet ist.
status-queued-elsewhere = Angekommen. Ich antworte dir noch im Web oder in einem anderen Programm; danach kommt das hier.
status-crowd = Angekommen. Gerade schreiben mir viele Leute. Dein Platz in der Warteschlange: etwa { $place }. Ich antworte, sobald du an der Reihe bist.
button-stop = Stopp
stopping = Ich höre auf…
stopped-by-command = Abgebrochen.
question-dropped = In Ordnung, du musst meine Frage nicht beantworten.
nothing-to-stop = Ich schreibe gerade nichts.
stop-too-late = Diese Antwort ist schon fertig.
too-many = Du hast viele Nachrichten auf einmal geschickt. Ich beantworte zuerst die früheren. Bitte schick diese und alle danach noch einmal, wenn ich damit fertig bin.
sources-heading = Quellen
source-web = { $label } (web)
sent-again = (Noch einmal gesendet: Telegram hat den ersten Versuch nicht bestätigt.)
start = Hallo! Ich beantworte Fragen aus meinen Dokumenten und zeige, woher jede Antwort kommt. Du kannst mir auch ein Foto schicken und etwas dazu fragen, oder mir sagen, was du zu tun hast. Mehr zeigt /help.
start-named = Hallo { $name }! Ich beantworte Fragen aus meinen Dokumenten und zeige, woher jede Antwort kommt. Du kannst mir auch ein Foto schicken und etwas dazu fragen, oder mir sagen, was du zu tun hast. Mehr zeigt /help.
start-examples = Tippe auf ein Thema, um es auszuprobieren:
help-heading = Was ich kann
help =
    • Eine Frage aus meinen Dokumenten beantworten, mit nummerierten Quellen zum Öffnen.
    • Im Web suchen, wenn meine Dokumente zu wenig sagen oder du nach Aktuellem fragst.
    • Dateien lesen, die du schickst (PDF, Word, Excel, PowerPoint, CSV und andere), und Seiten, die du verlinkst. /files listet sie auf.
    • Ein Foto, ein Album oder eine Bilddatei ansehen. Du kannst auf ein Foto auch mit einer Frage antworten.
    • Mir merken, was du mir über dich erzählst. Andere Nutzer sehen es nie.
help-end = Schreib mir einfach in deinen eigenen Worten.
help-commands = Befehle
unknown-command = Den Befehl { $command } gibt es nicht. Was ich kann, zeigt /help.
unknown-command-near = Den Befehl { $command } gibt es nicht. Meintest du /{ $near }? /help zeigt alle Befehle.
button-outdated = Dieser Knopf funktioniert nicht mehr.
cannot-read = Nachrichten dieser Art kann ich noch nicht lesen. Schick mir einen Text, ein Foto oder eine Bilddatei.
cannot-read-sticker =
    { $detail ->
        [blank] Ich kann nicht sehen, was auf einem Sticker ist.
       *[other] { $detail } – schön! Aber ich kann nicht sehen, was auf einem Sticker ist.
    } Sag es mir in Worten oder schick ein Foto.
cannot-read-dice = { $detail } Ich spiele nicht, aber ich beantworte Fragen: Schreib einfach eine.
cannot-read-animation = GIFs kann ich nicht ansehen. Schick mir ein Standbild oder frag in Worten.
cannot-read-video = Videos kann ich nicht ansehen. Schick mir einen Screenshot der Stelle, die du meinst, oder frag in Worten.
cannot-read-location = Auf eine Karte kann ich nicht sehen. Schreib den Namen des Ortes und was du darüber wissen willst.
cannot-read-venue = Ich kann keinen Ort auf der Karte nachschlagen. Schreib seinen Namen und was du darüber wissen willst.
cannot-read-contact = Mit Kontakten kann ich nichts anfangen, und ich habe diesen nicht behalten. Schreib mir, was du brauchst.
cannot-read-poll = Bei Umfragen kann ich nicht abstimmen. Schreib die Frage als Text, dann beantworte ich sie.
cannot-read-story = Storys kann ich nicht sehen. Schick mir einen Screenshot davon oder frag in Worten.
unread-note = Nicht ansehen konnte ich: { $things }.
unread-animation = das GIF
unread-audio = die Audiodatei
unread-checklist = die Checkliste
unread-contact = den Kontakt
unread-dice = den Würfel
unread-game = das Spiel
unread-giveaway = die Verlosung
unread-giveaway-winners = die Verlosung
unread-invoice = die Rechnung
unread-live-photo = das Live-Foto
unread-long-text = deinen Text nach den ersten 16.000 Zeichen
unread-location = den Standort
unread-paid-media = den bezahlten Inhalt
unread-photo = das Foto
unread-poll = die Umfrage
unread-rich-message = die formatierte Nachricht
unread-sticker = den Sticker
unread-story = die Story
unread-venue = den Ort
unread-video = das Video
unread-video-note = die Videonachricht
unread-voice = die Sprachnachricht
edit-too-late = Ich beantworte nur Änderungen deiner letzten Frage. Bitte schick die geänderte Frage als neue Nachricht.
replaced = (ersetzt)
not-allowed = Dieser Bot ist privat. Um Zugang zu bekommen, schick seinem Betreiber diese Nummer: { $user_id }
apology-unavailable = Tut mir leid, ich habe es mehrmals versucht und das Sprachmodell nicht erreicht. Bitte frag in ein paar Minuten noch einmal.
apology-download = Tut mir leid, ich habe es mehrmals versucht und konnte deine Datei nicht von Telegram holen. Bitte schick sie in ein paar Minuten noch einmal.
apology-credit = Das Konto des Betreibers beim Modellserver hat kein Guthaben mehr, deshalb kann ich nicht antworten. Das kann nur mein Betreiber beheben. Schick später /retry, dann beantworte ich diese Frage.
apology-key = Der Modellserver nimmt den Schlüssel meines Betreibers nicht an, deshalb kann ich nicht antworten. Das kann nur mein Betreiber beheben. Schick später /retry, dann beantworte ich diese Frage.
model-away = Der Modellserver nimmt bis { $at } keine Anfragen mehr an. So lange kann ich nicht warten. Bitte schick danach /retry, dann beantworte ich diese Frage.
apology-refused = Tut mir leid, das Sprachmodell hat die Anfrage nicht angenommen. Mein Betreiber findet den Grund im Protokoll.
apology-malformed = Tut mir leid, mit der Antwort des Sprachmodells konnte ich nichts anfangen. Bitte frag noch einmal, vielleicht in anderen Worten.
apology-spent = Tut mir leid, ich habe mehr als einmal versucht zu antworten und blieb jedes Mal hängen. Ich habe es für meinen Betreiber zurückgelegt. Der Fehler liegt bei mir, nicht an deinen Worten.
aside-lesson = Tut mir leid, ich wollte mir aus einer früheren Nachricht von dir etwas merken und bin mehrmals hängen geblieben. Ich habe sie für meinen Betreiber zurückgelegt.
aside-stream = Diese Antwort lässt sich nicht wie gewohnt anzeigen. Hier ist ihr reiner Text:
apology-internal = Tut mir leid, bei mir ist etwas schiefgegangen; es steht im Protokoll. Bitte versuch es noch einmal.
limit-tokens = Du hast dein Limit für heute erreicht ({ $limit } Tokens). Ich kann { $at } wieder antworten ({ $wait }). Bis dahin gehen Befehle wie /status, /sources und /memory weiterhin.
limit-images =
    Du hast dein Limit für heute erreicht ({ $limit ->
        [one] 1 Bild
       *[other] { $limit } Bilder
    }), deshalb habe ich nicht alles angesehen, was du geschickt hast. Bilder kann ich { $at } wieder ansehen ({ $wait }).
limit-searches =
    Du hast dein Limit für heute erreicht ({ $limit ->
        [one] 1 Websuche
       *[other] { $limit } Websuchen
    }), deshalb habe ich nicht im Web gesucht. Ich kann { $at } wieder suchen ({ $wait }).
limit-audio_seconds =
    Du hast dein Limit für heute erreicht ({ $limit ->
        [one] 1 Sekunde
       *[other] { $limit } Sekunden
    } Ton), deshalb habe ich nicht zugehört. Ich kann { $at } wieder zuhören ({ $wait }). Bis dahin schreib mir bitte.
limit-wait = in { $duration }
day-yesterday = gestern
day-today = heute
day-tomorrow = morgen
media-too-large = Die Aufnahme ist zu groß: Ich nehme Dateien bis 20 MB.
media-unreadable = Ich konnte diese Aufnahme nicht lesen; vielleicht ist sie beschädigt. Bitte schick sie noch einmal.
image-empty = Das Bild ist leer. Bitte schick es noch einmal.
image-too-large = Das Bild ist zu groß: Ich nehme Dateien bis 20 MB.
image-too-many-pixels = Das Bild hat zu viele Pixel. Bitte schick eine kleinere Fassung.
image-unreadable = Ich konnte das Bild nicht lesen; vielleicht ist es beschädigt. Bitte schick es noch einmal.
image-format = Dieses Bildformat kann ich nicht lesen. Bitte schick JPEG, PNG oder WebP.
image-heif = HEIC- und AVIF-Dateien kann ich nicht lesen. Schick das Bild als Foto, nicht als Datei: Dann wandelt Telegram es um.
image-animated = Animierte Bilder kann ich nicht ansehen. Bitte schick ein Standbild.
image-refused = Mit diesem Bild konnte ich nichts anfangen. Bitte schick ein anderes.

# Commands
command-start = Hier anfangen
command-help = Was ich kann
command-new = Ein neues Gespräch beginnen
command-stop = Die Antwort abbrechen, die ich schreibe
command-retry = Deine letzte Frage noch einmal beantworten
command-sources = Was ich kenne
command-spaces = Bereiche, in denen ich nachsehe
command-why = Wie meine letzte Antwort zustande kam
command-status = Was ich gerade für dich tue
command-language = Die Sprache meiner Menüs wählen
command-privacy = Was ich über dich speichere
command-memory = Was ich mir über dich merke
command-export = Deine Daten als Datei
command-forget = Alles über dich löschen
command-stats = Nutzungsstatistik
command-approvals = Antworten, die auf Freigabe warten
admins-only = Dieser Befehl ist nur für Admins.
database-away = Meine Datenbank ist gerade nicht erreichbar. Bitte versuch es in einer Minute noch einmal.
button-not-yours = Dieser Knopf gehört jemand anderem.
never = nie
and-more = … und { $count } weitere
privacy-heading = Was ich über dich speichere
privacy =
    Das speichere ich in der Datenbank meines Betreibers, also der Person oder Firma, die mich betreibt:
    • deine Telegram-ID und deinen Namen, deine Nachrichten und meine Antworten
    • was ich mir über dich merke, und deine Aufgaben, Notizen und Pläne
    • die Anmeldung bei deiner Aufgabenliste, verschlüsselt, falls du eine verbindest
    • einen Fingerabdruck und eine Beschreibung jedes Fotos, nie das Foto selbst
    • den Text von Dateien, Seiten und Aufnahmen, die du schickst, nie den Ton
    • wie ich über jede Antwort entschieden habe, und dein 👍 oder 👎
    • wie viel du jeden Tag nutzt: Tokens, Bilder und Suchen

    Um zu antworten, schicke ich deine Nachricht, das Gespräch und die gefundenen Textstellen an das Sprachmodell, das mein Betreiber gewählt hat. Andere Nutzer sehen nie etwas davon.

new-conversation = Wir beginnen ein neues Gespräch. Was wir vorher gesagt haben, nutze ich nicht mehr, aber was du mir über dich erzählt hast, weiß ich noch.
language = In welcher Sprache sollen Menüs und Hilfe sein? Meine Antworten folgen der Sprache deiner Frage.
language-auto = Automatisch
language-chosen =
    { $chosen ->
        [auto] Meine Menüs und Hinweise folgen der Sprache deiner Telegram-App und deiner Nachrichten.
       *[other] Meine Menüs und Hinweise sind ab jetzt auf Deutsch. Meine Antworten folgen weiterhin der Sprache deiner Frage.
    }
language-not-spoken = Diese Sprache spreche ich noch nicht. Wähl eine von diesen, oder schick /language mit ihrem Namen.
status-sound = Heute gehörte und gesprochene Sekunden Ton: { $seconds }.
sources-none = Ich habe noch keine Dokumente. Mein Betreiber kann mit `ingest add-source` welche hinzufügen.
spaces = Diese Bereiche meiner Dokumente sind für dich offen. Ich sehe in denen mit ✓ nach; in den anderen nur, wenn du sie nennst. Tippe auf einen, um das zu ändern.
spaces-none = Für dich gibt es keine eigenen Bereiche in meinen Dokumenten. Ich sehe in denen nach, die alle hier lesen dürfen.
sources-known =
    { $sources ->
        [one] Ich kenne 1 Quelle
       *[other] Ich kenne { $sources } Quellen
    } mit { $documents ->
        [one] 1 Dokument
       *[other] { $documents } Dokumenten
    } ({ $passages ->
        [one] 1 Textstelle
       *[other] { $passages } Textstellen
    }):
sources-line =
    • { $name }: { $documents ->
        [one] 1 Dokument
       *[other] { $documents } Dokumente
    }, { $passages ->
        [one] 1 Textstelle
       *[other] { $passages } Textstellen
    }, zuletzt abgeglichen: { $synced }
sources-line-internal =
    • { $name } (über mich): { $documents ->
        [one] 1 Dokument
       *[other] { $documents } Dokumente
    }, { $passages ->
        [one] 1 Textstelle
       *[other] { $passages } Textstellen
    }, zuletzt abgeglichen: { $synced }
passage-gone = Diese Textstelle ist nicht mehr in meinen Dokumenten.
passage-read = Textstelle lesen
why-button = Warum?
why-nothing = Ich habe noch nichts beantwortet. Frag mich erst etwas.
why-no-answer = Wie diese Nachricht zustande kam, habe ich nicht aufgezeichnet. Antworte mit /why auf eine meiner Antworten.
why-heading = Wie diese Antwort zustande kam
why-done-direct = Ich habe direkt geantwortet und nichts nachgeschlagen.
why-done-rag =
    { $read ->
        [0] Ich habe meine Dokumente durchsucht und dazu nichts gefunden.
        [one] Ich habe meine Dokumente durchsucht: 1 Textstelle gelesen, { $cited } zitiert.
       *[other] Ich habe meine Dokumente durchsucht: { $read } Textstellen gelesen, { $cited } zitiert.
    }
why-done-web =
    { $read ->
        [0] Ich habe im Web gesucht und dazu nichts gefunden.
        [one] Ich habe im Web gesucht: 1 Ergebnis gelesen, { $cited } zitiert.
       *[other] Ich habe im Web gesucht: { $read } Ergebnisse gelesen, { $cited } zitiert.
    }
why-done-rag-web =
    { $read ->
        [0] Ich habe meine Dokumente und dann das Web durchsucht und dazu nichts gefunden.
        [one] Ich habe meine Dokumente und dann das Web durchsucht: 1 Textstelle gelesen, { $cited } zitiert.
       *[other] Ich habe meine Dokumente und dann das Web durchsucht: { $read } Textstellen gelesen, { $cited } zitiert.
    }
why-web-failed =
    { $read ->
        [0] Ich konnte nicht im Web suchen.
        [one] Ich konnte nicht im Web suchen; aus meinen Dokumenten 1 Textstelle gelesen, { $cited } zitiert.
       *[other] Ich konnte nicht im Web suchen; aus meinen Dokumenten { $read } Textstellen gelesen, { $cited } zitiert.
    }
why-reason = Der Grund: { $reason }
looked-for = Gesucht nach: „{ $query }“
why-further-queries = Dann gesucht nach: „{ $query }“
why-photo = Foto: Ich habe es angesehen
why-photo-asked = Foto: Ich habe es mit deiner Frage noch einmal angesehen
why-memory =
    Gemerkt: { $count ->
        [one] 1 Sache über dich
       *[other] { $count } Dinge über dich
    } (siehe /memory)
why-recalled = • { $text }
why-summary = Gemerkt: eine Zusammenfassung unseres bisherigen Gesprächs
why-past = Aus unserem früheren Gespräch:
why-past-turn = • { $date }: „{ $text }“
why-read-document =
    Dokumente: { $read ->
        [0] nichts gefunden
        [one] 1 Textstelle gelesen
       *[other] { $read } Textstellen gelesen
    }
why-read-web =
    Web: { $read ->
        [0] nichts gefunden
        [one] 1 Ergebnis gelesen
       *[other] { $read } Ergebnisse gelesen
    }
why-doubted =
    Prüfung: { $count ->
        [one] 1 Satz sah zweifelhaft aus
       *[other] { $count } Sätze sahen zweifelhaft aus
    }
why-planned = Aktionen, die deine Nachricht von sich aus verlangt: { $count }
why-repaired = Prüfung: Die erste Fassung zitierte nichts oder hatte einen Satz ohne Quelle, also ließ ich das Modell neu schreiben
why-permitted = Aktionen ohne Nachfrage, weil du sie immer erlaubst (/tools): { $count }
why-unsupported =
    Prüfung: { $count ->
        [one] 1 Satz hat
       *[other] { $count } Sätze haben
    } keine Quelle, wie die Antwort sagt
why-contradicted =
    Prüfung: { $count ->
        [one] 1 Satz widerspricht
       *[other] { $count } Sätze widersprechen
    } den Quellen, wie die Antwort sagt
why-judged = Prüfung: mit den Quellen verglichene Sätze: { $count }
why-unjudged = Prüfung: Sätze, die nicht verglichen werden konnten, wie die Antwort sagt: { $count }
why-unsampled = Prüfung: nicht verglichene Sätze, weil nur ein Teil der Antworten geprüft wird: { $count }
why-second_look_failed = Problem: Das Planungsmodell konnte die Antwort nicht prüfen
why-check-left-out = Keine Prüfung durch ein Modell, weil sie zu lange gedauert hätte
why-refused = Prüfung: Nichts, was ich gelesen habe, belegt, was das Modell schrieb, also habe ich es nicht gezeigt
why-planner_failed = Problem: Das Planungsmodell lieferte keinen Plan, deshalb habe ich nur meine Dokumente durchsucht
why-further_search_failed = Problem: Das Planungsmodell konnte nicht sagen, was noch fehlt
why-look-left-out = Keine weitere Suche, weil sie zu lange gedauert hätte
why-embedding_failed = Problem: Ich konnte nur nach Wörtern suchen, nicht nach Bedeutung
why-rerank_failed = Problem: Das Ordnen der Textstellen ist fehlgeschlagen oder hat zu lange gedauert, daher blieb die Reihenfolge der Suche
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, zitiert)
why-models = Modell: { $models }
why-calls = Modellaufrufe: { $calls }, davon nacheinander vor dem ersten Wort: { $before }. Gelesene Token: { $read }, davon vom Server wiederverwendet: { $cached }
why-times =
    { $steps ->
        [blank] Zeit: { $total } s
       *[other] Zeit: { $total } s ({ $steps })
    }
why-reference = Kennung für den Betreiber: { $request_id }
step-N1_ingest_input = Lesen { $seconds }
step-N2_load_long_term_memory = Erinnern { $seconds }
step-N13_read_files = Dateien lesen { $seconds }
step-N3_vision_summarize = Ansehen { $seconds }
step-N4_build_effective_query = Planen { $seconds }
step-N5_retrieve = Dokumente durchsuchen { $seconds }
step-N14_search_further = weiter suchen { $seconds }
step-N8_web_search = Websuche { $seconds }
step-N6_synthesize = Schreiben { $seconds }
step-N7_persist = Speichern { $seconds }
step-N9_ask_back = Rückfrage { $seconds }
step-N10_take_answer = deine Antwort lesen { $seconds }
step-N11_request_approval = um Freigabe bitten { $seconds }
rated = Danke für deine Rückmeldung.
rated-down = Danke. Mein Betreiber kann diese Frage und ihre Antwort jetzt lesen.
rating-withdrawn = Ich habe deine Rückmeldung entfernt.
status-answering =
    Ich schreibe dir gerade eine Antwort. { $waiting ->
        [0] Sonst wartet keine Nachricht.
        [one] 1 weitere Nachricht wartet.
       *[other] { $waiting } weitere Nachrichten warten.
    }
status-waiting =
    { $waiting ->
        [0] Alle deine Nachrichten sind beantwortet.
        [one] 1 deiner Nachrichten wartet auf eine Antwort.
       *[other] { $waiting } deiner Nachrichten warten auf eine Antwort.
    }
status-use = Heute verbraucht: Tokens { $tokens }, Bilder { $images }, Websuchen { $searches }, Aufrufe verbundener Werkzeuge { $tool_calls }. Ein neuer Tag beginnt { $at } ({ $wait }).
use-free = { $used }
use-limited = { $used } von { $limit }
status-documents =
    Dokumente: { $documents }, in { $passages ->
        [one] 1 Textstelle
       *[other] { $passages } Textstellen
    }; zuletzt abgeglichen: { $synced }
status-documents-away = Dokumente: Ihre Datenbank ist gerade nicht erreichbar.
status-out-of-reach = ⚠️ Nicht erreichbar ({ $duration }): { $problem }
status-models = Modelle: { $chat } schreibt, { $vision } sieht Bilder an
status-version = rich-agent { $version }
memory-empty = Ich weiß noch nichts über dich. Erzähl mir etwas von dir, dann merke ich es mir.
memory-known =
    { $count ->
        [one] Ich habe mir 1 Sache über dich gemerkt. Tippe auf ihre Nummer, damit ich sie vergesse.
       *[other] Ich habe mir { $count } Dinge über dich gemerkt. Tippe auf eine Nummer, damit ich das vergesse.
    }
memory-facts = Fakten
memory-preferences = Vorlieben
memory-tasks = Aufgaben
memory-past = früher
memory-planned = geplant
memory-item = { $text } ({ $told })
memory-item-due = { $text } – fällig: { $due } ({ $told })
memory-deleted = Vergessen. Die Nachrichten, in denen du es mir erzählt hast, bleiben in unserem Gespräch. Schreib „vergiss …“, um auch sie zu löschen.
forgetting-told = Soll ich das vergessen?
forgetting-everything =
    Soll ich alles vergessen, was du mir erzählt hast und was wir gesagt haben? Das sind { $memory ->
        [one] 1 gemerkte Sache
       *[other] { $memory } gemerkte Dinge
    } und { $messages ->
        [one] 1 Nachricht mit ihrer Antwort.
       *[other] { $messages } Nachrichten mit ihren Antworten.
    }
forgetting-named = Diese erwähnen es nur. Sie bleiben, außer du willst sie auch vergessen:
forgetting-only-named = Ich habe nichts gefunden, was eindeutig davon handelt. Soll ich das vergessen, was es nur erwähnt?
forgetting-of-memory = Was ich mir gemerkt habe:
forgetting-of-thing = Deine Aufgaben, Notizen und Pläne:
forgetting-of-file = Deine Dateien:
forgetting-of-message = Deine Nachrichten mit meinen Antworten:
forgetting-of-summary = In der Zusammenfassung unseres früheren Gesprächs:
forgetting-more =
    { $count ->
        [one] … und 1 weiteres.
       *[other] … und { $count } weitere.
    }
forgetting-final = Das lässt sich nicht rückgängig machen. Bitte tippe auf einen Knopf.
forgetting-yes = Vergessen
forgetting-yes-all = All das vergessen
forgetting-no = Alles behalten
forgetting-done =
    Vergessen: { $memory ->
        [one] 1 gemerkte Sache
       *[other] { $memory } gemerkte Dinge
    } und { $messages ->
        [one] 1 Nachricht mit ihrer Antwort
       *[other] { $messages } Nachrichten mit ihren Antworten
    }. Sie sind aus meinem Gedächtnis, unserem Gespräch, seiner Zusammenfassung, dem Archiv und der Aufzeichnung verschwunden, die /export zeigt. Was du in diesem Chat siehst, bleibt, bis du es in Telegram löschst.
forgetting-left =
    { $count ->
        [one] 1 Sache, die es nur erwähnt, bleibt, wie du wolltest.
       *[other] { $count } Dinge, die es nur erwähnen, bleiben, wie du wolltest.
    }
forgetting-done-everything = Deine Einstellungen, deine Rückmeldungen und die Aufzeichnung deiner Nutzung bleiben; /forget löscht auch sie.
forgetting-nothing = Dazu habe ich nichts gefunden, weder in dem, was ich mir gemerkt habe, noch in unserem Gespräch. Es wurde also nichts gelöscht. /memory zeigt, was ich mir über dich merke.
forgetting-failed = Ich konnte nicht herausfinden, was ich vergessen soll, weil mein Modell versagt hat. Es wurde nichts gelöscht. Bitte versuch es später noch einmal, oder nutze /memory und /forget.
forgetting-kept = Es wurde nichts gelöscht.
forgetting-wish = (Eine Bitte, etwas zu vergessen. Ihr Wortlaut wird nicht gespeichert.)
planner-failed-note = Mein Planungsmodell hat versagt. Falls ich etwas tun oder vergessen sollte, wurde nichts getan und nichts gelöscht: Bitte sag es noch einmal, oder nutze /memory und /forget.
planner-failed-still = Nichts wurde getan oder gelöscht.
exported =
    Das ist alles, was ich über dich speichere: { $messages ->
        [one] 1 Nachricht
       *[other] { $messages } Nachrichten
    }, { $decisions ->
        [one] 1 Entscheidung
       *[other] { $decisions } Entscheidungen
    }{ $images ->
        [0] {""}
        [one] , 1 Bildbeschreibung
       *[other] , { $images } Bildbeschreibungen
    }, was ich mir gemerkt habe, und deine Aufgaben, Notizen und Pläne. Die Datei ist JSON.
forget-confirm =
    Soll ich alles löschen, was ich über dich speichere? Das heißt: unser Gespräch, was ich mir über dich merke, deine Aufgaben, Notizen und Pläne, wie ich über jede Antwort entschieden habe, deine Rückmeldungen, die Beschreibungen deiner Fotos, den Text deiner Dateien und Aufnahmen und deine Einstellungen.

    Das lässt sich nicht rückgängig machen. Die Nachrichten in diesem Chat bleiben, bis du sie in Telegram löschst. Für eine Kopie deiner Daten schick zuerst /export.

forget-yes = Ja, alles löschen
forget-no = Nein, behalten
forget-wish = Vergiss, was ich über { $what } gesagt habe
command-alone = Ich habe nichts getan: Hinter { $command } gehören keine Wörter. Schick den Befehl allein, wenn du ihn meinst.
secret-delete-yourself = Ich konnte deine Nachricht nicht löschen. Sie enthält dein Passwort, bitte lösch sie selbst.
forget-kept = Es wurde nichts gelöscht.
forgotten = Alles, was ich über dich gespeichert hatte, ist gelöscht. Wenn du wieder schreibst, fangen wir von vorn an.
confirmation-over = Diese Frage ist abgelaufen. Bitte schick den Befehl noch einmal.
nothing-to-retry = Es gibt keine Frage, die ich noch einmal beantworten könnte. Frag mich erst etwas.
stats-heading = Statistik
stats-users = Nutzer: { $known }; { $day } am letzten Tag, { $week } in 7 Tagen; { $blocking } haben mich blockiert
stats-turns = Antworten: { $day } am letzten Tag, { $week } in 7 Tagen
stats-plans = Pläne, 7 Tage: { $plans }
stats-plan-direct = direkt { $count }
stats-plan-rag = Dokumente { $count }
stats-plan-web = Web { $count }
stats-plan-rag-web = Dokumente und Web { $count }
stats-times = Dauer einer Antwort, 7 Tage: p50 { $p50 } s, p95 { $p95 } s
stats-failures = Fehler: { $broken } abgebrochene Antworten und { $undelivered } nicht zugestellte Nachrichten in 7 Tagen, { $dead } aufgegebene Updates
stats-feedback = Rückmeldungen: 👍 { $up }, 👎 { $down }
stats-use-day = Heute verbraucht (UTC): Tokens { $tokens }, Bilder { $images }, Websuchen { $searches }; { $cost }
stats-use-week = Verbraucht, 7 Tage: Tokens { $tokens }, Bilder { $images }, Websuchen { $searches }; { $cost }
stats-cached = Von den gelesenen Tokens kannte der Server bereits: { $share } %
stats-cost = Kosten { $cost }
stats-cost-partly = Kosten { $cost }, ohne { $models } (kein Preis gesetzt)
stats-cost-unknown = kein Preis gesetzt (MODEL_PRICES)
stats-price-table = Preise, die MODEL_PRICES nicht nennt: { $table }
stats-top-users = Meiste Tokens, 7 Tage: { $users }
stats-inbox = Wartende Updates: { $pending }
stats-approvals = Warten auf Freigabe: { $count } (/approvals)

# Approval
approval-waiting = Antworten dieser Art liest ein Mensch, bevor ich sie schicke. Deine wird gerade geprüft, und ich schicke sie, sobald sie freigegeben ist. Du kannst inzwischen weiterschreiben.
approval-review =
    Antwort { $number } wartet auf deine Freigabe.
    Von: { $user }
    Art: { $intent }
    Frage: { $question }

    Der Entwurf steht unten. Antworte darauf mit einem korrigierten Text, oder nutze seine Knöpfe.

button-approve = Freigeben
button-correct = Bearbeiten
button-reject = Ablehnen
approval-correction = Antwort { $number }: Antworte auf diese Nachricht mit dem korrigierten Text. Der Nutzer liest ihn genau so.
approval-reason = Antwort { $number }: Antworte auf diese Nachricht mit dem Grund der Ablehnung. Der Nutzer liest ihn.
approval-words-missing = Das brauche ich als Text. Bitte antworte noch einmal auf dieselbe Nachricht.
approval-is-approved =
    { $by ->
        [you] ✓ Von dir freigegeben.
       *[other] ✓ Freigegeben von { $admin }.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ Mit deinem Text gesendet.
       *[other] ✎ Mit dem Text von { $admin } gesendet.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ Von dir abgelehnt.
       *[other] ✗ Abgelehnt von { $admin }.
    }
approval-is-expired = Es gab rechtzeitig keine Entscheidung. Ich habe es dem Nutzer gesagt.
approval-is-withdrawn = Der Nutzer hat die Frage geändert, dieser Entwurf wird nicht mehr gebraucht.
approval-approved = Diese Antwort wurde geprüft und freigegeben.
approval-corrected = Diese Antwort wurde geprüft und korrigiert.
approval-rejected = Tut mir leid, darauf kann ich dir keine Antwort geben. Der Grund: { $reason }
approval-expired = Tut mir leid, meine Antwort wurde nicht rechtzeitig geprüft. Bitte frag später noch einmal.
approvals-known =
    { $count ->
        [0] Keine Antwort wartet auf Freigabe.
        [one] 1 Antwort wartet auf Freigabe:
       *[other] { $count } Antworten warten auf Freigabe:
    }
approvals-line = • { $number }, seit { $since }, von { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = wie geplant
reason-greeting = ein Gruß
reason-farewell = ein Abschied
reason-thanks = ein Dank
reason-help = eine Bitte um Hilfe
reason-laughter = ein Lachen
reason-reaction = ein Emoji
reason-silence = die Nachricht enthält keine Wörter zum Nachschlagen
reason-number = eine Zahl oder eine Rechnung
reason-known_word = ein Wort, das in meinen Dokumenten vorkommt
reason-forget_wish = eine Bitte, etwas zu vergessen
reason-stopped = du hast es vor der Planung abgebrochen
reason-no_web = es ist keine Websuche eingerichtet
reason-no_plan = das Planungsmodell lieferte keinen Plan, deshalb wurden meine Dokumente durchsucht, das Web nicht
reason-file_read = in der Nachricht geht es um eine Datei, die du geschickt hast
reason-file_refused = keine der Dateien, die du geschickt hast, lässt sich lesen
reason-about_bot = Fragen über mich beantworte ich aus meiner eigenen Anleitung
reason-about_now = die Antwort hängt von der Gegenwart ab, deshalb wurde im Web gesucht
reason-documents_first = meine Dokumente kommen vor dem Web
reason-documents_may_say = meine Dokumente können es beantworten
reason-documents_wanted = du hast gefragt, was die Dokumente sagen
reason-web_ruled_out = die Nachricht ist vielleicht privat, deshalb wurde nicht im Web gesucht
reason-say_little = meine Dokumente sagen wenig darüber, deshalb wurde auch im Web gesucht
reason-say_little_on = meine Dokumente sagen wenig über „{ $subject }“, deshalb wurde auch im Web gesucht

# Alerts for admins
alert-credit = ⚠️ Das Konto beim Modellserver hat kein Guthaben mehr ({ $service }), deshalb kann ich niemandem antworten. { $hint } Führ danach `rich-agent inbox replay --all` aus, damit die verpassten Fragen beantwortet werden. Ich schicke das höchstens einmal pro Stunde.
alert-key = ⚠️ Der Modellserver nimmt den Schlüssel nicht an ({ $service }), deshalb kann ich niemandem antworten. { $hint } Führ danach `rich-agent inbox replay --all` aus, damit die verpassten Fragen beantwortet werden. Ich schicke das höchstens einmal pro Stunde.
alert-away = ⚠️ Der Modellserver ({ $service }) nimmt bis { $at } keine Anfragen mehr an. Nutzer werden gebeten, danach noch einmal zu fragen. Um das zu vermeiden, erhöhe das Limit oder nimm einen anderen Server. Ich schicke das höchstens einmal pro Stunde.
alert-lesson = ⚠️ Ich habe tagelang versucht, das Gedächtnis über einen Nutzer aus einer Nachricht zu ergänzen, und aufgegeben. Das Protokoll sagt, warum. Ich schicke das höchstens einmal pro Stunde.
alert-refused = ⚠️ Der Modellserver lehnt eine meiner Anfragen ab: { $problem } { $hint } Ich mache weiter, so gut es ohne sie geht. Ich schicke das höchstens einmal pro Stunde.

# Tools: what each is for, and what is happening while it runs.
status-acting = Ich nutze { $tool }…
tool-list_files = Deine Dateien
tool-undo_last_change = Letzte Änderung rückgängig machen
tool-search_documents = Dokumente
tool-search_web = Websuche
tool-request_more_information = Eine Frage an dich
doing-list_files = Ich sehe deine Dateien durch…
doing-undo_last_change = Ich mache die letzte Änderung rückgängig…
doing-search_documents = Ich durchsuche die Dokumente…
doing-search_web = Ich suche im Web…
approve-calls = Das würde ich gern tun. Soll ich?
approve-not-planned = Darum hast du in deiner Nachricht nicht gebeten. Sieh bitte genau hin.
approve-yes = Ja, mach das
approve-no = Abbrechen
approve-words-yes = ja|ok|okay|ja bitte|mach das|mach es
approve-words-no = nein|abbrechen
card-labelled = { $label }: { $text }
card-not-done = Nicht ausgeführt.
approve-adjust = Anpassen
approve-how-to-adjust = Schreib, was sich ändern soll, dann schlage ich es neu vor.
approve-always = Dafür immer
approve-always-same = „{ $always }“ erlaubt es, und derselbe Aufruf läuft künftig ohne Nachfrage. /tools nimmt das zurück.
approve-always-alike = „{ $always }“ erlaubt es, und Aufrufe mit denselben Angaben ({ $fixed }) laufen künftig ohne Nachfrage, was auch sonst darin steht. /tools nimmt das zurück.
web-approve-in-words = Antworte mit „{ $yes }“ oder „{ $no }“, oder schreib, was sich ändern soll.
card-characters-left-out = Weitere Zeichen: { $count }
card-arguments-left-out = Weitere Angaben: { $count }
card-in-file = Nicht alles passt hierher. Die Datei „approval.txt“ enthält den ganzen Text. Lies ihn bitte, bevor du entscheidest.
card-copied-from = Herkunft: { $sources }
copied-user = deine Nachricht
copied-memory = was ich für dich aufbewahre
copied-assistant = eine frühere Antwort
copied-operator = Betreiber des Bots
copied-document = Dokument
copied-page = Webseite
copied-file = Datei
copied-server = anderes Programm
copied-other = andere Person
card-takes-back = Macht rückgängig
argument-duration = Dauer
argument-yes = ja
argument-no = nein
argument-none = keine Angabe
approve-cancelled = Abgebrochen. Es wurde nichts geändert.
acting-limit-calls = Ich habe die Grenze von 10 Aktionen pro Nachricht erreicht. Schreib „weiter“, wenn noch etwas zu tun ist.
acting-limit-errors = Etwas ist dreimal hintereinander schiefgegangen, deshalb habe ich aufgehört. Mehr wurde nicht geändert.
undo-button = Rückgängig
undo-done = Rückgängig gemacht:
undo-too-late = Das lässt sich nicht mehr rückgängig machen.
step-N12_act = Handeln { $seconds }

reason-in_group = in Gruppen antworte ich nur aus meinen Dokumenten
reason-link_ignored = du wolltest, dass der Link ungelesen bleibt
reason-link_kept = du wolltest, dass ich mir die Seite merke
reason-link_read = die verlinkte Seite wurde gelesen
reason-in_session = diese Nachricht gehört zu einer geführten Sitzung
reason-session_left = du wolltest die geführte Sitzung abbrechen

timeline-left-out =
    { $count ->
        [one] und 1 weiterer
       *[other] und { $count } weitere
    }
command-timezone = Deine Zeitzone wählen
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [one] jede Stunde
           *[other] alle { $count } Stunden
        }
        [daily] { $count ->
            [one] jeden Tag
           *[other] alle { $count } Tage
        }
        [weekly] { $count ->
            [one] jede Woche
           *[other] alle { $count } Wochen
        }
        [monthly] { $count ->
            [one] jeden Monat
           *[other] alle { $count } Monate
        }
       *[yearly] { $count ->
            [one] jedes Jahr
           *[other] alle { $count } Jahre
        }
    }
time-zone-none = Ich kenne deine Zeitzone noch nicht. Wähl sie hier, oder schick /timezone mit einem Namen wie Europe/Berlin.
time-zone = Deine Zeitzone ist { $zone }. Dort ist es jetzt { $now }. Um sie zu ändern, schick /timezone mit einem anderen Namen.
time-zone-chosen = Deine Zeitzone ist { $zone }. Dort ist es jetzt { $now }. Wiederkehrende Erinnerungen richten sich danach.
time-zone-near = Die Zeitzone { $name } kenne ich nicht. Meintest du eine von diesen?
time-zone-which = Zu { $name } passen mehrere Zeitzonen. Welche ist deine?
time-zone-unknown = Die Zeitzone { $name } kenne ich nicht. Ihr Name besteht aus Region und Stadt, wie Europe/Berlin.

# The page of a passage.
passage-place = { $source } · Textstelle { $position } von { $count }
passage-before = ← Davor
passage-after = Danach →

# The page of a browser while the bot starts.
bot-starting = Der Bot startet …

# Calls that a user permitted for good (/tools).
command-tools = Zeigen, was ohne Nachfrage laufen darf
tools-none = Noch läuft nichts ohne Nachfrage, weil du es erlaubt hast. Wenn ich vor einer Aktion frage, erlaubt „Dafür immer“ sie auch künftig, wo das sicher ist.
tools-about = Diese Aktionen laufen, ohne dass ich dich frage. ✕ nimmt eine Erlaubnis zurück, ebenso /tools mit ihrer Nummer.
tools-given-on = erlaubt: { $day }
tools-used = Aufrufe: { $count }
tools-any = beliebig
tools-changed = Das Werkzeug hat sich seither geändert, deshalb frage ich dich wieder.
tools-take-all-back = Alle zurücknehmen
tools-taken-back = Zurückgenommen. Vor einer solchen Aktion frage ich dich wieder.

# Outside Telegram.
only-in-telegram = Einen Teil davon gibt es nur in Telegram. Für alles schick dort { $command }.

run-not-latest = Nur die neueste Frage eines Gesprächs kann noch einmal beantwortet werden.

# What is asked in groups.

guest-user-limit = Deine Fragen in Gruppen sind für heute aufgebraucht. Frag mich in einem privaten Chat.
guest-group-limit = Diese Gruppe hat in der letzten Stunde viel gefragt. Versuch es später, oder frag mich in einem privaten Chat.
guest-withheld = Das kann ich in einer Gruppe nicht beantworten. Frag mich in einem privaten Chat.
guest-answer-cut = Das ist der Anfang einer längeren Antwort. Die ganze bekommst du in einem privaten Chat.
guest-answered-privately = Ich habe dir in unserem privaten Chat geantwortet.
## Files

file-page = Seite { $number }
file-sheet-named = Blatt { $heading }
file-sheet-numbered = Blatt { $number }
file-slide-named = Folie { $number }: { $heading }
file-slide-numbered = Folie { $number }
ask-about-files =
    { $count ->
        [one] Ich habe { $names } gelesen. Was möchtest du darüber wissen?
       *[other] Ich habe { $names } gelesen. Was möchtest du über diese Dateien wissen?
    }
file-topic-summary = Zusammenfassen
file-topic-points = Die wichtigsten Punkte nennen
file-read-whole = Ich habe { $name } ganz gelesen.
file-macros = Die Makros in { $name } wurden nicht ausgeführt.
file-read-in-parts =
    Ich habe { $name } ganz gelesen, in { $parts ->
        [one] einem Teil
       *[other] { $parts } Teilen
    }.
file-read-partly = { $name } ist lang: Ich habe { $read } von { $units } Teilen gelesen. Frag nach dem Rest oder nach einem Teil.
file-searched = { $name } ist lang: Ich habe darin nach deiner Frage gesucht und nicht alles gelesen.
file-parts-unread = { $parts } in { $name } kann ich nicht lesen.
file-part-attachment =
    { $count ->
        [one] { $count } Anhang
       *[other] { $count } Anhänge
    }
file-part-chart =
    { $count ->
        [one] { $count } Diagramm
       *[other] { $count } Diagramme
    }
file-part-diagram =
    { $count ->
        [one] { $count } Schaubild
       *[other] { $count } Schaubilder
    }
file-part-drawing =
    { $count ->
        [one] { $count } Zeichnung
       *[other] { $count } Zeichnungen
    }
file-part-equation =
    { $count ->
        [one] { $count } Gleichung
       *[other] { $count } Gleichungen
    }
file-part-field =
    { $count ->
        [one] { $count } Formularfeld
       *[other] { $count } Formularfelder
    }
file-part-file =
    { $count ->
        [one] { $count } Datei
       *[other] { $count } Dateien
    }
file-part-formula =
    { $count ->
        [one] { $count } Formel ohne gespeichertes Ergebnis
       *[other] { $count } Formeln ohne gespeichertes Ergebnis
    }
file-part-letter = { $count } Zeichen
file-part-object =
    { $count ->
        [one] { $count } eingebettetes Objekt
       *[other] { $count } eingebettete Objekte
    }
file-part-page =
    { $count ->
        [one] { $count } Seite ohne Text
       *[other] { $count } Seiten ohne Text
    }
file-part-picture =
    { $count ->
        [one] { $count } Bild
       *[other] { $count } Bilder
    }
file-part-remark =
    { $count ->
        [one] { $count } Kommentar
       *[other] { $count } Kommentare
    }
file-part-row =
    { $count ->
        [one] { $count } Zeile
       *[other] { $count } Zeilen
    }
file-part-sheet =
    { $count ->
        [one] { $count } Tabellenblatt
       *[other] { $count } Tabellenblätter
    }
file-part-slide =
    { $count ->
        [one] { $count } Folie ohne Text
       *[other] { $count } Folien ohne Text
    }
file-refused-too-large = „{ $name }“ ist größer als 20 MB, mehr lässt mich Telegram nicht herunterladen. Schick eine kleinere Datei, oder teil sie auf.
file-refused-too-long = „{ $name }“ ist zu lang zum Lesen. Schick den wichtigen Teil als eigene Datei.
file-refused-unsupported = „{ $name }“ kann ich nicht lesen. Ich lese PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, EML, MSG, MHTML, ZIP und reinen Text. Speichere die Datei in einem dieser Formate und schick sie noch einmal.
file-refused-old-office = „{ $name }“ ist in einem alten Office-Format. Speichere die Datei als DOCX, XLSX, PPTX oder PDF und schick sie noch einmal.
file-refused-archive = „{ $name }“ ist so gepackt, dass ich es nicht öffnen kann. Schick es als ZIP, oder schick die Dateien darin.
file-refused-encrypted = „{ $name }“ ist mit einem Passwort geschützt. Speichere die Datei ohne und schick sie noch einmal.
file-refused-empty = In „{ $name }“ habe ich keinen Text gefunden. Wenn etwas darin ist, schick es als PDF oder als Fotos.
file-refused-damaged = „{ $name }“ ist beschädigt oder nicht das, was der Name sagt. Öffne die Datei, speichere sie neu und schick mir die neue Kopie.
file-refused-gone = „{ $name }“ konnte ich nicht holen: Die Datei ist nicht mehr verfügbar. Schick sie noch einmal.
file-keep-button = Merken
file-only-here-button = Nur hier
file-kept =
    { $count ->
        [one] Ich merke mir diese Datei. /files zeigt sie.
       *[other] Ich merke mir diese Dateien. /files zeigt sie.
    }
file-not-kept =
    { $count ->
        [one] Diese Datei vergesse ich mit diesem Gespräch (/new).
       *[other] Diese Dateien vergesse ich mit diesem Gespräch (/new).
    }
file-forgotten = Vergessen.
files-none = Du hast hier keine Dateien. Schick mir eine: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV oder Text.
files-title =
    { $count ->
        [one] Deine Datei:
       *[other] Deine { $count } Dateien:
    }
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, gemerkt
files-line-unread = Nicht gelesen: { $parts }.
files-hint = 📌 merkt sich eine Datei über dieses Gespräch hinaus, oder nicht mehr. 🗑 vergisst sie.
command-files = Deine Dateien: ansehen, merken, vergessen

# Links.

ask-about-links =
    { $count ->
        [one] Was soll ich mit diesem Link tun? { $links }
       *[other] Was soll ich mit diesen Links tun? { $links }
    }
link-wish-summary = Zusammenfassen
link-wish-keep = Merken
link-wish-ignore = Ignorieren
link-ignored = In Ordnung, ich lasse ihn ungelesen.
link-kept =
    { $count ->
        [one] Ich habe „{ $names }“ gelesen und merke es mir. Frag mich jederzeit danach; /files zeigt es.
       *[other] Gelesen und gemerkt: { $names }. Frag mich jederzeit danach; /files zeigt sie.
    }
page-refused-private = { $name } lese ich nicht: Die Adresse führt in ein privates Netz.
page-refused-robots = { $name } darf ich nicht lesen: Die Website lässt dort keine Programme zu. Schick mir den Text oder die Seite als Datei.
page-refused-closed = { $name } ist nur für Angemeldete offen. Schick mir den Text oder die Seite als Datei.
page-refused-gone = Unter { $name } gibt es keine Seite. Ist die Adresse vollständig?
page-refused-too-large = Die Seite { $name } ist mir zu groß. Schick mir den wichtigen Teil.
page-refused-too-long = Die Seite { $name } ist mir zu lang. Schick mir den wichtigen Teil.
page-refused-slow = { $name } braucht zu lange für eine Antwort. Versuch es später noch einmal.
page-refused-away = { $name } konnte ich nicht laden: Die Website hat Probleme oder ist nicht erreichbar. Versuch es später noch einmal.
page-refused-empty = Unter { $name } habe ich keinen Text gefunden. Vielleicht zeigt die Seite ihn nur Menschen oder nach der Anmeldung. Schick mir den Text.
page-refused-made-by-scripts = Unter { $name } sehe ich keinen Text: Die Seite füllt sich erst im Browser. Schick mir den Text, oder speichere die Seite im Browser und schick die Datei.
page-refused-consent = Unter { $name } sehe ich nur eine Frage mit Schaltflächen, etwa nach einer Einwilligung, nicht die Seite dahinter. Schick mir den Text oder die Seite als Datei.
page-refused-unsupported = { $name } ist keine Seite und kein Dokument, das ich lesen kann.
page-refused-old-office = Die Datei unter { $name } ist in einem alten Office-Format, das ich nicht lesen kann.
page-refused-archive = Die Datei unter { $name } ist so gepackt, dass ich sie nicht öffnen kann.
page-refused-encrypted = Die Datei unter { $name } ist mit einem Passwort geschützt.
page-refused-damaged = Die Datei unter { $name } ist beschädigt oder nicht das, was der Name sagt.
page-refused-too-many-links = { $name } habe ich nicht gelesen: Das sind mehr Links, als ich pro Nachricht lese.

# The demo.
demo-about-stand-in = Das ist eine Demo auf deinem Rechner. Der Bot ist der echte; Telegram und das Sprachmodell sind nachgestellt, und dieses Modell kann nur zitieren. Für ein echtes: „Modell verbinden“ oder OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = Das ist eine Demo auf deinem Rechner. Der Bot und sein Sprachmodell ({ $model }) sind echt; Telegram ist nachgestellt.
demo-about-operator = Du schreibst als Ada, die diesen Bot betreibt: /help zeigt auch, was Betreiber können.
pages-skip = Zum Inhalt springen
pages-elsewhere = Weitere Seiten
pages-sign-in = Bitte melde dich an
pages-from-elsewhere = Ein Link auf einer anderen Website hat dich hierher geführt.
pages-open = Seite öffnen
pages-not-for-you = Du darfst diese Seite nicht sehen. Bitte die Person, der der Bot gehört, um eine Rolle.
pages-problem = Das hat nicht geklappt
pages-problem-back = Geh zurück; deine Eingaben sind noch da.
pages-gone = Nicht gefunden
pages-gone-how = Hier ist nichts, oder nicht mehr.
pages-later = Der Bot kann gerade nicht antworten. Versuch es gleich noch einmal.
pages-unsent = Nichts wurde gesendet: Der Bot ist nicht erreichbar. Versuch es noch einmal.
pages-as-table = Als Tabelle
pages-cancel = Abbrechen
pages-copy = Kopieren
pages-copied = Kopiert
pages-pages = Seiten der Liste
pages-first = Zum Anfang
pages-next = Mehr
pages-search = Suchen

# The pages of users.
panel-save = Speichern
widget-unanswered = Es kam keine Antwort. Bitte versuch es noch einmal.
widget-wait = Das dauert etwas länger. Es wird erledigt.
