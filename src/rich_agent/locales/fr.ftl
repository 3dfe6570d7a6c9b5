# The turn
greeting = Bonjour ! Posez-moi une question sur mes documents ou envoyez-moi une photo. /help montre ce que je sais faire.
greeting-named = Bonjour { $name } ! Posez-moi une question sur mes documents ou envoyez-moi une photo. /help montre ce que je sais faire.
thanks-reply = Avec plaisir !
farewell-reply = Au revoir ! Écrivez-moi quand vous voulez.
help-reply = Posez-moi une question complète, par exemple « Quelles sont vos sources ? », ou envoyez-moi une photo en disant ce que vous voulez savoir. /help énumère tout ce que je sais faire.
laughter-reply = 😄
nothing-said = Ce message ne contient aucun mot. Posez-moi une question ou envoyez une photo.
nothing-found = Je n’ai rien trouvé dans mes documents.
nothing-found-files = Je n’ai rien trouvé dans vos fichiers.
nothing-found-answer = Je n’ai rien trouvé à ce sujet dans mes documents. Essayez avec d’autres mots, ou demandez « Quelles sont vos sources ? » pour voir de quoi ils parlent.
no-sources-yet = Je n’ai pas encore de documents, je n’ai donc rien trouvé. Mon opérateur peut en ajouter avec `ingest add-source`.
question-shortened = Votre message était trop long pour être lu en entier ; j’en ai lu le début et la fin.
look-left-out = Je n’ai cherché qu’une fois dans mes documents, car une autre recherche aurait pris trop de temps.
nothing-cited-web = Aucun résultat du web ne confirme cela.
unchecked = Je n’ai pas pu vérifier cela dans les sources. J’ai lu : { $sources }
refused-rag = Rien dans mes documents ne répond à cela. J’ai consulté :
refused-files = Rien dans vos fichiers ne répond à cela. J’ai consulté :
refused-web = Les résultats du web ne répondent pas à cela. J’ai consulté :
refused-rag-web = Ni mes documents ni le web ne répondent à cela. J’ai consulté :
unsupported = Absent des sources, à vérifier : { $claims }
contradicted = Les sources disent autre chose : { $claims }
unjudged = Je n’ai pas pu vérifier cette réponse dans ses sources.
unjudged-claims = Non vérifié dans les sources : { $claims }
uncomputed = Non calculé à partir de toutes les lignes du tableau, à vérifier : { $claims }
catalogue-title = Mes documents
catalogue-counts =
    { $sources ->
        [one] Une source
       *[other] { $sources } sources
    }, { $documents ->
        [one] un document
       *[other] { $documents } documents
    }. Titres affichés ici : { $shown }.
catalogue-sources = Sources
catalogue-source =
    { $name } : { $documents ->
        [one] un document
       *[other] { $documents } documents
    }
catalogue-source-internal =
    { $name } (sur cet assistant) : { $documents ->
        [one] un document
       *[other] { $documents } documents
    }
catalogue-matching = Documents correspondant à votre question
catalogue-others = Autres documents
your-photo = Votre photo
web-unavailable = Je n’ai pas pu chercher sur le web.
look-failed = Je n’ai pas pu regarder l’image de plus près ; ceci repose sur mon premier coup d’œil.
stopped = (arrêté)
early-end-length = La réponse est devenue trop longue et s’arrête ici.
early-end-filtered = Le filtre de contenu du serveur du modèle a arrêté cette réponse. Essayez de poser la question autrement.
early-end-refused = Le modèle de langage a refusé de répondre à cela.
early-end-repeated = Le modèle de langage se répétait sans cesse, je l’ai donc arrêté.
early-end-deadline = Cela a pris plus de temps que je ne peux en consacrer à un message, je me suis donc arrêté ici.
answer-in-file = Cette réponse est longue. Le début se trouve ci-dessus, le fichier ci-dessous la contient en entier.
continue-button = Continuer
continue-wish = Continuez votre réponse là où elle s’est arrêtée.
stopped-at-once = Arrêté avant que j’aie écrit quoi que ce soit.
web-nothing-found = La recherche sur le web n’a rien trouvé à ce sujet.
ask-about-image =
    Voici ce que je vois : { $seen }

    Que souhaitez-vous savoir à ce sujet ?

image-topic-describe = Décrire l’image
image-topic-text = Lire le texte de l’image
image-topic-table = Expliquer le tableau de l’image
image-topic-search = Rechercher ce que montre l’image

# Telegram
status-reading = Je lis votre fichier…
status-looking = Je regarde votre photo…
status-thinking = Je réfléchis…
status-searching = Je cherche…
status-searching-web = Je cherche sur le web…
status-drafting = Je rédige…
status-busy = Le modèle de langage est occupé. Je l’attends, une minute au plus…
status-held = Le serveur du modèle n’accepte plus de requêtes pour l’instant. Je réessaierai { $at } ({ $wait }) et répondrai ici : inutile de reposer la question. Si vous envoyez d’autres messages, j’y répondrai ensuite.
status-queued = Bien reçu. J’y répondrai dès que j’aurai répondu à votre message précédent.
status-queued-elsewhere = Bien reçu. Je vous réponds encore sur le web ou dans un autre programme ; je répondrai à ceci ensuite.
status-crowd = Bien reçu. Beaucoup de personnes m’écrivent en ce moment. Votre place dans la file : environ { $place }. Je répondrai dès que ce sera votre tour.
button-stop = Arrêter
stopping = J’arrête…
stopped-by-command = Arrêté.
question-dropped = D’accord, vous n’avez pas à répondre à ma question.
nothing-to-stop = Je n’écris rien en ce moment.
stop-too-late = Cette réponse est déjà terminée.
too-many = Vous avez envoyé beaucoup de messages à la fois. Je réponds d’abord aux précédents. Renvoyez celui-ci et les suivants quand j’aurai terminé.
sources-heading = Sources
source-web = { $label } (web)
sent-again = (Renvoyé : Telegram n’avait pas confirmé le premier essai.)
start = Bonjour ! Je réponds aux questions à partir de mes documents et je montre d’où vient chaque réponse. Vous pouvez aussi m’envoyer une photo et m’interroger à son sujet, ou me dire ce que vous avez à faire. /help en dit plus.
start-named = Bonjour { $name } ! Je réponds aux questions à partir de mes documents et je montre d’où vient chaque réponse. Vous pouvez aussi m’envoyer une photo et m’interroger à son sujet, ou me dire ce que vous avez à faire. /help en dit plus.
start-examples = Touchez un sujet pour essayer :
help-heading = Ce que je sais faire
help =
    • Répondre à une question à partir de mes documents, avec des sources numérotées que vous pouvez ouvrir.
    • Chercher sur le web quand mes documents en disent trop peu ou que la question porte sur l’actualité.
    • Lire les fichiers que vous envoyez (PDF, Word, Excel, PowerPoint, CSV et autres) et les pages de vos liens. /files en donne la liste.
    • Regarder une photo, un album ou un fichier image. Vous pouvez aussi répondre à une photo par une question.
    • Retenir ce que vous me dites de vous. Les autres utilisateurs ne le voient jamais.
help-end = Écrivez-moi simplement, avec vos mots.
help-commands = Commandes
unknown-command = La commande { $command } n’existe pas. /help montre ce que je sais faire.
unknown-command-near = La commande { $command } n’existe pas. Vouliez-vous dire /{ $near } ? /help énumère toutes les commandes.
button-outdated = Ce bouton ne fonctionne plus.
cannot-read = Je ne sais pas encore lire ce type de message. Envoyez-moi un texte, une photo ou un fichier image.
cannot-read-sticker =
    { $detail ->
        [blank] Je ne vois pas ce qu’il y a sur un autocollant.
       *[other] { $detail } – joli ! Mais je ne vois pas ce qu’il y a sur un autocollant.
    } Dites-le avec des mots ou envoyez une photo.
cannot-read-dice = { $detail } Je ne joue pas, mais je réponds aux questions : écrivez-en une.
cannot-read-animation = Je ne peux pas regarder les GIF. Envoyez-moi une image fixe ou posez la question avec des mots.
cannot-read-video = Je ne peux pas regarder les vidéos. Envoyez-moi une capture du moment en question ou posez la question avec des mots.
cannot-read-location = Je ne peux pas regarder une carte. Écrivez le nom du lieu et ce que vous voulez en savoir.
cannot-read-venue = Je ne peux pas chercher un lieu sur la carte. Écrivez son nom et ce que vous voulez en savoir.
cannot-read-contact = Je ne peux pas utiliser les contacts et n’ai pas gardé celui-ci. Écrivez-moi ce qu’il vous faut.
cannot-read-poll = Je ne peux pas voter dans les sondages. Écrivez la question en texte et j’y répondrai.
cannot-read-story = Je ne peux pas voir les stories. Envoyez-moi une capture d’écran ou posez la question avec des mots.
unread-note = Je n’ai pas pu regarder : { $things }.
unread-animation = le GIF
unread-audio = l’audio
unread-checklist = la liste
unread-contact = le contact
unread-dice = le dé
unread-game = le jeu
unread-giveaway = le concours
unread-giveaway-winners = le concours
unread-invoice = la facture
unread-live-photo = la photo animée
unread-long-text = votre texte au-delà des 16 000 premiers caractères
unread-location = la position
unread-paid-media = le média payant
unread-photo = la photo
unread-poll = le sondage
unread-rich-message = le message mis en forme
unread-sticker = l’autocollant
unread-story = la story
unread-venue = le lieu
unread-video = la vidéo
unread-video-note = le message vidéo
unread-voice = le message vocal
edit-too-late = Je ne réponds qu’aux modifications de votre dernière question. Envoyez la question modifiée dans un nouveau message.
replaced = (remplacée)
not-allowed = Ce bot est privé. Pour demander l’accès, envoyez ce numéro à son opérateur : { $user_id }
apology-unavailable = Désolé, j’ai essayé plusieurs fois sans pouvoir joindre le modèle de langage. Reposez la question dans quelques minutes.
apology-download = Désolé, j’ai essayé plusieurs fois sans pouvoir récupérer votre fichier auprès de Telegram. Renvoyez-le dans quelques minutes.
apology-credit = Le compte de l’opérateur auprès du serveur du modèle n’a plus de crédit, je ne peux donc pas répondre. Seul mon opérateur peut y remédier. Envoyez /retry plus tard et je répondrai à cette question.
apology-key = Le serveur du modèle n’accepte pas la clé de mon opérateur, je ne peux donc pas répondre. Seul mon opérateur peut y remédier. Envoyez /retry plus tard et je répondrai à cette question.
model-away = Le serveur du modèle n’accepte plus de requêtes jusqu’à { $at }. Je ne peux pas attendre aussi longtemps. Envoyez /retry après, et je répondrai à cette question.
apology-refused = Désolé, le modèle de langage n’a pas accepté la requête. Mon opérateur en trouvera la raison dans le journal.
apology-malformed = Désolé, le modèle de langage a donné une réponse inutilisable. Reposez la question, peut-être autrement.
apology-spent = Désolé, j’ai essayé plusieurs fois de répondre et je suis resté bloqué. J’ai mis la question de côté pour mon opérateur. La faute vient de moi, pas de votre message.
aside-lesson = Désolé, j’ai voulu retenir quelque chose d’un de vos messages précédents et je suis resté bloqué plusieurs fois. Je l’ai mis de côté pour mon opérateur.
aside-stream = Cette réponse ne peut pas être affichée comme d’habitude. Voici son texte brut :
apology-internal = Désolé, une erreur s’est produite de mon côté ; elle est notée dans le journal. Réessayez.
limit-tokens = Vous avez atteint votre limite du jour ({ $limit } jetons). Je pourrai de nouveau répondre { $at } ({ $wait }). D’ici là, les commandes comme /status, /sources et /memory fonctionnent toujours.
limit-images =
    Vous avez atteint votre limite du jour ({ $limit ->
        [one] { $limit } image
       *[other] { $limit } images
    }), je n’ai donc pas regardé tout ce que vous avez envoyé. Je pourrai de nouveau regarder des images { $at } ({ $wait }).
limit-searches =
    Vous avez atteint votre limite du jour ({ $limit ->
        [one] { $limit } recherche web
       *[other] { $limit } recherches web
    }), je n’ai donc pas cherché sur le web. Je pourrai de nouveau chercher { $at } ({ $wait }).
limit-audio_seconds =
    Vous avez atteint votre limite du jour ({ $limit ->
        [one] { $limit } seconde
       *[other] { $limit } secondes
    } de son), je n’ai donc pas écouté. Je pourrai de nouveau écouter { $at } ({ $wait }). D’ici là, écrivez-moi.
limit-wait = dans { $duration }
day-yesterday = hier
day-today = aujourd’hui
day-tomorrow = demain
media-too-large = L’enregistrement est trop lourd : j’accepte les fichiers jusqu’à 20 Mo.
media-unreadable = Je n’ai pas pu lire cet enregistrement ; il est peut-être endommagé. Renvoyez-le.
image-empty = L’image est vide. Renvoyez-la.
image-too-large = L’image est trop lourde : j’accepte les fichiers jusqu’à 20 Mo.
image-too-many-pixels = L’image a trop de pixels. Envoyez-en une version plus petite.
image-unreadable = Je n’ai pas pu lire l’image ; elle est peut-être endommagée. Renvoyez-la.
image-format = Je ne sais pas lire ce format d’image. Envoyez du JPEG, du PNG ou du WebP.
image-heif = Je ne sais pas lire les fichiers HEIC et AVIF. Envoyez l’image comme photo, pas comme fichier : Telegram la convertit alors.
image-animated = Je ne peux pas regarder les images animées. Envoyez une image fixe.
image-refused = Je n’ai pas pu utiliser cette image. Envoyez-en une autre.

# Commands
command-start = Commencer ici
command-help = Ce que je sais faire
command-new = Commencer une nouvelle conversation
command-stop = Arrêter la réponse en cours
command-retry = Répondre de nouveau à votre dernière question
command-sources = Ce que je connais
command-spaces = Espaces que je consulte
command-why = Comment j’ai trouvé ma dernière réponse
command-status = Ce que je fais pour vous
command-language = Choisir la langue de mes menus
command-privacy = Ce que je garde sur vous
command-memory = Ce que je retiens de vous
command-export = Vos données dans un fichier
command-forget = Supprimer tout ce qui vous concerne
command-stats = Statistiques d’utilisation
command-approvals = Réponses en attente d’approbation
admins-only = Cette commande est réservée aux administrateurs.
database-away = Ma base de données est injoignable pour le moment. Réessayez dans une minute.
button-not-yours = Ce bouton n’est pas pour vous.
never = jamais
and-more = … et { $count } de plus
privacy-heading = Ce que je garde sur vous
privacy =
    Je garde ceci dans la base de données de mon opérateur, la personne ou l’entreprise qui me fait fonctionner :
    • votre identifiant et votre nom Telegram, vos messages et mes réponses
    • ce que je retiens de vous, ainsi que vos tâches, notes et plans
    • l’accès à votre liste de tâches, chiffré, si vous en connectez une
    • une empreinte et une description de chaque photo, jamais la photo elle-même
    • le texte des fichiers, pages et enregistrements que vous envoyez, jamais le son
    • comment j’ai décidé de chaque réponse, et votre 👍 ou 👎
    • ce que vous utilisez chaque jour : jetons, images et recherches

    Pour répondre, j’envoie votre message, la conversation et les passages trouvés au modèle de langage choisi par mon opérateur. Les autres utilisateurs n’en voient jamais rien.

new-conversation = Nous commençons une nouvelle conversation. Je n’utilise plus ce que nous avons dit avant, mais je me souviens toujours de ce que vous m’avez dit de vous.
language = Quelle langue pour les menus et l’aide ? Mes réponses suivent la langue de votre question.
language-auto = Automatique
language-chosen =
    { $chosen ->
        [auto] Mes menus et avis suivent la langue de votre application Telegram et de vos messages.
       *[other] Mes menus et avis sont désormais en français. Mes réponses suivent toujours la langue de votre question.
    }
language-not-spoken = Je ne parle pas encore cette langue. Choisissez-en une ici, ou envoyez /language avec son nom.
status-sound = Secondes de son écoutées et dites aujourd’hui : { $seconds }.
sources-none = Je n’ai pas encore de documents. Mon opérateur peut en ajouter avec `ingest add-source`.
spaces = Ces espaces de mes documents vous sont ouverts. Je cherche dans ceux qui sont marqués ✓ ; dans les autres, seulement si vous les nommez. Touchez un espace pour changer cela.
spaces-none = Tout ce que je consulte est accessible à toutes les personnes qui peuvent m’utiliser.
sources-known =
    { $sources ->
        [one] Je connais { $sources } source
       *[other] Je connais { $sources } sources
    } avec { $documents ->
        [one] { $documents } document
       *[other] { $documents } documents
    } ({ $passages ->
        [one] { $passages } passage
       *[other] { $passages } passages
    }) :
sources-line =
    • { $name } : { $documents ->
        [one] { $documents } document
       *[other] { $documents } documents
    }, { $passages ->
        [one] { $passages } passage
       *[other] { $passages } passages
    }, dernière synchronisation : { $synced }
sources-line-internal =
    • { $name } (à mon sujet) : { $documents ->
        [one] { $documents } document
       *[other] { $documents } documents
    }, { $passages ->
        [one] { $passages } passage
       *[other] { $passages } passages
    }, dernière synchronisation : { $synced }
passage-gone = Ce passage n’est plus dans mes documents.
passage-read = Lire le passage
why-button = Pourquoi ?
why-nothing = Je n’ai encore répondu à rien. Posez-moi d’abord une question.
why-no-answer = Je ne sais pas d’où vient ce message. Répondez par /why à l’une de mes réponses.
why-heading = Comment j’ai trouvé cette réponse
why-done-direct = J’ai répondu directement, sans rien consulter.
why-done-rag =
    { $read ->
        [0] J’ai cherché dans mes documents sans rien trouver à ce sujet.
        [one] J’ai cherché dans mes documents : { $read } passage lu, { $cited } cité.
       *[other] J’ai cherché dans mes documents : { $read } passages lus, { $cited } cités.
    }
why-done-web =
    { $read ->
        [0] J’ai cherché sur le web sans rien trouver à ce sujet.
        [one] J’ai cherché sur le web : { $read } résultat lu, { $cited } cité.
       *[other] J’ai cherché sur le web : { $read } résultats lus, { $cited } cités.
    }
why-done-rag-web =
    { $read ->
        [0] J’ai cherché dans mes documents, puis sur le web, sans rien trouver à ce sujet.
        [one] J’ai cherché dans mes documents, puis sur le web : { $read } passage lu, { $cited } cité.
       *[other] J’ai cherché dans mes documents, puis sur le web : { $read } passages lus, { $cited } cités.
    }
why-web-failed =
    { $read ->
        [0] Je n’ai pas pu chercher sur le web.
        [one] Je n’ai pas pu chercher sur le web ; dans mes documents : { $read } passage lu, { $cited } cité.
       *[other] Je n’ai pas pu chercher sur le web ; dans mes documents : { $read } passages lus, { $cited } cités.
    }
why-reason = La raison : { $reason }
looked-for = J’ai cherché : « { $query } »
why-further-queries = Puis j’ai cherché : « { $query } »
why-photo = Photo : je l’ai regardée
why-photo-asked = Photo : je l’ai regardée à nouveau avec votre question
why-memory =
    Souvenirs : { $count ->
        [one] { $count } chose sur vous
       *[other] { $count } choses sur vous
    } (voir /memory)
why-recalled = • { $text }
why-summary = Souvenirs : un résumé de ce que nous avons dit avant
why-past = Plus tôt dans notre conversation :
why-past-turn = • { $date } : « { $text } »
why-read-document =
    Documents : { $read ->
        [0] rien trouvé
        [one] { $read } passage lu
       *[other] { $read } passages lus
    }
why-read-web =
    Web : { $read ->
        [0] rien trouvé
        [one] { $read } résultat lu
       *[other] { $read } résultats lus
    }
why-doubted =
    Vérification : { $count ->
        [one] { $count } phrase semblait douteuse
       *[other] { $count } phrases semblaient douteuses
    }
why-planned = Actions que votre message demande de lui-même : { $count }
why-repaired = Vérification : la première version ne citait rien ou avait une phrase sans source ; j’ai demandé au modèle de la réécrire
why-permitted = Actions faites sans question parce que vous les autorisez toujours (/tools) : { $count }
why-unsupported =
    Vérification : { $count ->
        [one] { $count } phrase n’a pas
       *[other] { $count } phrases n’ont pas
    } de source, comme le dit la réponse
why-contradicted =
    Vérification : { $count ->
        [one] { $count } phrase contredit
       *[other] { $count } phrases contredisent
    } les sources, comme le dit la réponse
why-judged = Vérification : phrases comparées aux sources : { $count }
why-unjudged = Vérification : phrases qui n’ont pas pu être comparées, comme le dit la réponse : { $count }
why-unsampled = Vérification : phrases non comparées, car seule une partie des réponses l’est : { $count }
why-second_look_failed = Problème : le modèle de planification n’a pas pu vérifier la réponse
why-check-left-out = Pas de vérification par un modèle, car elle aurait pris trop de temps
why-refused = Vérification : rien de ce que j’ai lu ne confirme ce que le modèle a écrit ; je ne l’ai donc pas montré
why-planner_failed = Problème : le modèle de planification n’a donné aucun plan ; seuls mes documents ont été consultés
why-further_search_failed = Problème : le modèle de planification n’a pas pu dire ce qui manquait encore
why-look-left-out = Pas d’autre recherche, car elle aurait pris trop de temps
why-embedding_failed = Problème : je n’ai pu chercher que par mots, pas par sens
why-rerank_failed = Problème : le classement des passages a échoué ou a pris trop de temps, ils sont donc restés dans l’ordre de la recherche
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, cité)
why-models = Modèle : { $models }
why-calls = Appels au modèle : { $calls }, dont successifs avant le premier mot : { $before }. Jetons lus : { $read }, dont réutilisés par le serveur : { $cached }
why-times =
    { $steps ->
        [blank] Temps : { $total } s
       *[other] Temps : { $total } s ({ $steps })
    }
why-reference = Référence pour l’opérateur : { $request_id }
step-N1_ingest_input = lecture { $seconds }
step-N2_load_long_term_memory = mémoire { $seconds }
step-N13_read_files = lecture des fichiers { $seconds }
step-N3_vision_summarize = regard { $seconds }
step-N4_build_effective_query = planification { $seconds }
step-N5_retrieve = recherche dans les documents { $seconds }
step-N14_search_further = suite de la recherche { $seconds }
step-N8_web_search = recherche web { $seconds }
step-N6_synthesize = rédaction { $seconds }
step-N7_persist = enregistrement { $seconds }
step-N9_ask_back = question en retour { $seconds }
step-N10_take_answer = lecture de votre réponse { $seconds }
step-N11_request_approval = demande d’approbation { $seconds }
rated = Merci de votre avis.
rated-down = Merci. Mon opérateur peut maintenant lire cette question et sa réponse.
rating-withdrawn = J’ai retiré votre avis.
status-answering =
    Je vous écris une réponse. { $waiting ->
        [0] Aucun autre message n’attend.
        [one] { $waiting } autre message attend.
       *[other] { $waiting } autres messages attendent.
    }
status-waiting =
    { $waiting ->
        [0] Tous vos messages ont reçu une réponse.
        [one] { $waiting } de vos messages attend une réponse.
       *[other] { $waiting } de vos messages attendent une réponse.
    }
status-use = Utilisé aujourd’hui : jetons { $tokens }, images { $images }, recherches web { $searches }, appels d’outils connectés { $tool_calls }. La nouvelle journée commence { $at } ({ $wait }).
use-free = { $used }
use-limited = { $used } sur { $limit }
status-documents =
    Documents : { $documents }, en { $passages ->
        [one] { $passages } passage
       *[other] { $passages } passages
    } ; dernière synchronisation : { $synced }
status-documents-away = Documents : leur base de données est injoignable pour le moment.
status-out-of-reach = ⚠️ Injoignable ({ $duration }) : { $problem }
status-models = Modèles : { $chat } écrit, { $vision } regarde les images
status-version = rich-agent { $version }
memory-empty = Je ne retiens encore rien de vous. Parlez-moi de vous, et je m’en souviendrai.
memory-known =
    { $count ->
        [one] Je retiens { $count } chose sur vous. Touchez son numéro pour que je l’oublie.
       *[other] Je retiens { $count } choses sur vous. Touchez un numéro pour que j’oublie celle-là.
    }
memory-facts = Faits
memory-preferences = Préférences
memory-tasks = Tâches
memory-past = dans le passé
memory-planned = prévu
memory-item = { $text } ({ $told })
memory-item-due = { $text } – échéance : { $due } ({ $told })
memory-deleted = Oublié. Les messages où vous me l’avez dit restent dans notre conversation. Écrivez « oublie… » pour les supprimer aussi.
forgetting-told = Dois-je oublier ceci ?
forgetting-everything =
    Dois-je oublier tout ce que vous m’avez dit et tout notre échange ? Cela fait { $memory ->
        [one] { $memory } chose retenue
       *[other] { $memory } choses retenues
    } et { $messages ->
        [one] { $messages } message avec sa réponse.
       *[other] { $messages } messages avec leurs réponses.
    }
forgetting-named = Ceux-ci ne font que le mentionner. Ils restent, sauf si vous choisissez de les oublier aussi :
forgetting-only-named = Je n’ai rien trouvé qui porte clairement là-dessus. Dois-je oublier ceci, qui ne fait que le mentionner ?
forgetting-of-memory = Ce que je retiens :
forgetting-of-thing = Vos tâches, notes et plans :
forgetting-of-file = Vos fichiers :
forgetting-of-message = Vos messages, avec mes réponses :
forgetting-of-summary = Dans le résumé de ce que nous avons dit avant :
forgetting-more =
    { $count ->
        [one] … et { $count } de plus.
       *[other] … et { $count } de plus.
    }
forgetting-final = C’est irréversible. Touchez un bouton.
forgetting-yes = Oublier
forgetting-yes-all = Oublier tout cela
forgetting-no = Tout garder
forgetting-done =
    Oublié : { $memory ->
        [one] { $memory } chose retenue
       *[other] { $memory } choses retenues
    } et { $messages ->
        [one] { $messages } message avec sa réponse
       *[other] { $messages } messages avec leurs réponses
    }. Tout a disparu de ma mémoire, de notre conversation, de son résumé, de l’archive et du relevé que montre /export. Ce que vous voyez dans ce chat reste jusqu’à ce que vous le supprimiez dans Telegram.
forgetting-left =
    { $count ->
        [one] { $count } chose qui ne fait que le mentionner reste, comme vous l’avez choisi.
       *[other] { $count } choses qui ne font que le mentionner restent, comme vous l’avez choisi.
    }
forgetting-done-everything = Vos réglages, vos avis et le relevé de votre utilisation restent ; /forget les supprime aussi.
forgetting-nothing = Je n’ai rien trouvé à ce sujet, ni dans ce que je retiens ni dans notre conversation ; rien n’a donc été supprimé. /memory montre ce que je retiens de vous.
forgetting-failed = Je n’ai pas pu savoir ce que vous voulez me faire oublier, car mon modèle a échoué. Rien n’a été supprimé. Réessayez plus tard, ou utilisez /memory et /forget.
forgetting-kept = Rien n’a été supprimé.
forgetting-wish = (Une demande d’oubli. Ses mots ne sont pas conservés.)
planner-failed-note = Mon modèle de planification a échoué. Si vous m’avez demandé de faire ou d’oublier quelque chose, rien n’a été fait ni supprimé : redemandez-le, ou utilisez /memory et /forget.
planner-failed-still = Rien n’a été fait ni supprimé.
exported =
    Voici tout ce que je garde sur vous : { $messages ->
        [one] { $messages } message
       *[other] { $messages } messages
    }, { $decisions ->
        [one] { $decisions } décision
       *[other] { $decisions } décisions
    }{ $images ->
        [0] {""}
        [one] , { $images } résumé d’image
       *[other] , { $images } résumés d’images
    }, ce que je retiens, ainsi que vos tâches, notes et plans. Le fichier est en JSON.
forget-confirm =
    Voulez-vous que je supprime tout ce que je garde sur vous ? C’est-à-dire notre conversation, ce que je retiens de vous, vos tâches, notes et plans, comment j’ai décidé de chaque réponse, vos avis, les descriptions de vos photos, le texte de vos fichiers et enregistrements, et vos réglages.

    C’est irréversible. Les messages de ce chat restent jusqu’à ce que vous les supprimiez dans Telegram. Pour une copie de vos données, envoyez d’abord /export.

forget-yes = Oui, tout supprimer
forget-no = Non, tout garder
forget-wish = Oublie ce que j’ai dit sur { $what }
command-alone = Je n’ai rien fait : { $command } s’envoie sans texte. Si c’est ce que vous voulez, envoyez la commande seule.
secret-delete-yourself = Je n’ai pas pu supprimer votre message. Il contient votre mot de passe : supprimez-le vous-même.
forget-kept = Rien n’a été supprimé.
forgotten = Tout ce que je gardais sur vous est supprimé. Si vous écrivez de nouveau, nous repartons de zéro.
confirmation-over = Cette question a expiré. Renvoyez la commande.
nothing-to-retry = Il n’y a pas de question à laquelle répondre de nouveau. Posez-m’en d’abord une.
stats-heading = Statistiques
stats-users = Utilisateurs : { $known } ; { $day } au cours du dernier jour, { $week } en 7 jours ; { $blocking } m’ont bloqué
stats-turns = Réponses : { $day } au cours du dernier jour, { $week } en 7 jours
stats-plans = Plans, 7 jours : { $plans }
stats-plan-direct = direct { $count }
stats-plan-rag = documents { $count }
stats-plan-web = web { $count }
stats-plan-rag-web = documents et web { $count }
stats-times = Durée d’une réponse, 7 jours : p50 { $p50 } s, p95 { $p95 } s
stats-failures = Échecs : { $broken } réponses interrompues et { $undelivered } messages non remis en 7 jours, { $dead } mises à jour abandonnées
stats-feedback = Avis : 👍 { $up }, 👎 { $down }
stats-use-day = Utilisé aujourd’hui (UTC) : jetons { $tokens }, images { $images }, recherches web { $searches } ; { $cost }
stats-use-week = Utilisé, 7 jours : jetons { $tokens }, images { $images }, recherches web { $searches } ; { $cost }
stats-cached = Parmi les jetons lus, le serveur en avait déjà lu : { $share } %
stats-cost = coût { $cost }
stats-cost-partly = coût { $cost }, sans { $models } (aucun prix défini)
stats-cost-unknown = aucun prix défini (MODEL_PRICES)
stats-price-table = Prix non définis dans MODEL_PRICES : { $table }
stats-top-users = Le plus de jetons, 7 jours : { $users }
stats-inbox = Mises à jour en attente : { $pending }
stats-approvals = En attente d’approbation : { $count } (/approvals)

# Approval
approval-waiting = Une personne lit les réponses de ce type avant que je les envoie. La vôtre est en cours de relecture et je l’enverrai dès qu’elle sera approuvée. Vous pouvez continuer à écrire entre-temps.
approval-review =
    La réponse { $number } attend votre approbation.
    De : { $user }
    Type : { $intent }
    Question : { $question }

    Le brouillon est ci-dessous. Répondez-y avec un texte corrigé, ou utilisez ses boutons.

button-approve = Approuver
button-correct = Modifier
button-reject = Rejeter
approval-correction = Réponse { $number } : répondez à ce message avec le texte corrigé. L’utilisateur le lira tel quel.
approval-reason = Réponse { $number } : répondez à ce message avec la raison du rejet. L’utilisateur la lira.
approval-words-missing = Il me le faut sous forme de texte. Répondez de nouveau au même message.
approval-is-approved =
    { $by ->
        [you] ✓ Approuvée par vous.
       *[other] ✓ Approuvée par { $admin }.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ Envoyée avec votre texte.
       *[other] ✎ Envoyée avec le texte de { $admin }.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ Rejetée par vous.
       *[other] ✗ Rejetée par { $admin }.
    }
approval-is-expired = Aucune décision n’a été prise à temps. J’ai prévenu l’utilisateur.
approval-is-withdrawn = L’utilisateur a modifié la question ; ce brouillon n’est plus utile.
approval-approved = Cette réponse a été relue et approuvée.
approval-corrected = Cette réponse a été relue et corrigée.
approval-rejected = Désolé, je ne peux pas vous donner de réponse à cela. La raison : { $reason }
approval-expired = Désolé, ma réponse n’a pas été relue à temps. Reposez la question plus tard.
approvals-known =
    { $count ->
        [0] Aucune réponse n’attend d’approbation.
        [one] { $count } réponse attend une approbation :
       *[other] { $count } réponses attendent une approbation :
    }
approvals-line = • { $number }, depuis { $since }, de { $user } : { $question }

# Why a turn is answered as it is
reason-as_planned = comme prévu
reason-greeting = une salutation
reason-farewell = un au revoir
reason-thanks = un remerciement
reason-help = une demande d’aide
reason-laughter = un rire
reason-reaction = un emoji
reason-silence = le message ne contient aucun mot à rechercher
reason-number = un nombre ou un calcul
reason-known_word = un mot qui figure dans mes documents
reason-forget_wish = une demande d’oubli
reason-stopped = vous l’avez arrêté avant la planification
reason-no_web = aucune recherche web n’est configurée
reason-no_plan = le modèle de planification n’a donné aucun plan ; mes documents ont été consultés, pas le web
reason-file_read = le message porte sur un fichier que vous avez envoyé
reason-file_refused = aucun des fichiers que vous avez envoyés n’est lisible
reason-about_bot = les questions à mon sujet trouvent réponse dans mes propres documents
reason-about_now = la réponse dépend du présent, le web a donc été consulté
reason-documents_first = mes documents passent avant le web
reason-documents_may_say = mes documents peuvent y répondre
reason-documents_wanted = vous avez demandé ce que disent les documents
reason-web_ruled_out = le message est peut-être privé, le web n’a donc pas été consulté
reason-say_little = mes documents en disent peu, le web a donc aussi été consulté
reason-say_little_on = mes documents disent peu sur « { $subject } », le web a donc aussi été consulté

# Alerts for admins
alert-credit = ⚠️ Le compte auprès du serveur du modèle n’a plus de crédit ({ $service }), je ne peux donc répondre à personne. { $hint } Lancez ensuite `rich-agent inbox replay --all` pour que les questions manquées reçoivent une réponse. J’envoie ceci au plus une fois par heure.
alert-key = ⚠️ Le serveur du modèle n’accepte pas la clé ({ $service }), je ne peux donc répondre à personne. { $hint } Lancez ensuite `rich-agent inbox replay --all` pour que les questions manquées reçoivent une réponse. J’envoie ceci au plus une fois par heure.
alert-away = ⚠️ Le serveur du modèle ({ $service }) n’accepte plus de requêtes jusqu’à { $at }. Les utilisateurs sont invités à redemander ensuite. Pour l’éviter, relevez la limite ou utilisez un autre serveur. J’envoie ceci au plus une fois par heure.
alert-lesson = ⚠️ J’ai essayé pendant des jours de mettre à jour la mémoire d’un utilisateur à partir d’un message, et j’ai renoncé. Le journal dit pourquoi. J’envoie ceci au plus une fois par heure.
alert-refused = ⚠️ Le serveur de modèles refuse une de mes requêtes : { $problem } { $hint } Je continue du mieux possible sans elle. J’envoie ceci au plus une fois par heure.

# Tools: what each is for, and what is happening while it runs.
status-acting = J’utilise { $tool }…
tool-list_files = Vos fichiers
tool-undo_last_change = Annuler la dernière modification
tool-search_documents = Documents
tool-search_web = Recherche web
tool-request_more_information = Une question pour vous
doing-list_files = Je parcours vos fichiers…
doing-undo_last_change = J’annule la dernière modification…
doing-search_documents = Je cherche dans les documents…
doing-search_web = Je cherche sur le web…
approve-calls = J’aimerais faire ceci. D’accord ?
approve-not-planned = Votre message, à lui seul, ne demande pas cela. Vérifiez bien.
approve-yes = Approuver
approve-no = Annuler
approve-words-yes = oui|ok|d’accord|d'accord|vas-y
approve-words-no = non|annuler
card-labelled = { $label } : { $text }
card-not-done = Pas fait.
approve-adjust = Ajuster
approve-how-to-adjust = Écrivez ce qu’il faut changer, et je referai une proposition.
approve-always = Toujours pour ceci
approve-always-same = « { $always } » l’approuve, et le même appel se fera ensuite sans question. /tools permet de revenir en arrière.
approve-always-alike = « { $always } » l’approuve, et les appels avec les mêmes valeurs de { $fixed } se feront ensuite sans question, quel que soit le reste. /tools permet de revenir en arrière.
web-approve-in-words = Répondez « { $yes } » ou « { $no } », ou écrivez ce qu’il faut changer.
card-characters-left-out = Caractères en plus : { $count }
card-arguments-left-out = Données en plus : { $count }
card-in-file = Tout ne tient pas ici. Le fichier « approval.txt » contient le texte entier. Lisez-le avant de décider, s’il vous plaît.
card-copied-from = Copié de : { $sources }
copied-user = votre message
copied-memory = ce que je garde pour vous
copied-assistant = une réponse précédente
copied-operator = l’exploitant du bot
copied-document = document
copied-page = page web
copied-file = fichier
copied-server = autre programme
copied-other = une autre personne
card-takes-back = Annule
argument-duration = Durée
argument-yes = oui
argument-no = non
argument-none = aucun
approve-cancelled = Annulé. Rien n’a été modifié.
acting-limit-calls = J’ai atteint la limite de 10 actions par message. Écrivez « continue » s’il reste quelque chose à faire.
acting-limit-errors = Quelque chose a échoué trois fois de suite, je me suis donc arrêté. Rien d’autre n’a été modifié.
undo-button = Annuler
undo-done = Annulé :
undo-too-late = Il n’est plus possible d’annuler cela.
step-N12_act = action { $seconds }

reason-in_group = dans les groupes, je ne réponds qu’à partir de mes documents
reason-link_ignored = vous ne vouliez pas que je lise le lien
reason-link_kept = vous vouliez que je retienne la page
reason-link_read = la page de votre lien a été lue
reason-in_session = ce message fait partie d’une session guidée
reason-session_left = vous vouliez terminer la session guidée

timeline-left-out =
    { $count ->
        [one] et { $count } de plus
       *[other] et { $count } de plus
    }
command-timezone = Choisir votre fuseau horaire
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [one] toutes les heures
           *[other] toutes les { $count } heures
        }
        [daily] { $count ->
            [one] tous les jours
           *[other] tous les { $count } jours
        }
        [weekly] { $count ->
            [one] toutes les semaines
           *[other] toutes les { $count } semaines
        }
        [monthly] { $count ->
            [one] tous les mois
           *[other] tous les { $count } mois
        }
       *[yearly] { $count ->
            [one] tous les ans
           *[other] tous les { $count } ans
        }
    }
time-zone-none = Je ne connais pas encore votre fuseau horaire. Choisissez-le ici, ou envoyez /timezone avec un nom comme Europe/Paris.
time-zone = Votre fuseau horaire est { $zone }. Heure actuelle là-bas : { $now }. Pour en changer, envoyez /timezone avec un autre nom.
time-zone-chosen = Votre fuseau horaire est { $zone }. Heure actuelle là-bas : { $now }. Les rappels répétés le suivent.
time-zone-near = Je ne connais pas le fuseau horaire { $name }. Vouliez-vous dire l’un de ceux-ci ?
time-zone-which = { $name } compte plusieurs fuseaux horaires. Lequel est le vôtre ?
time-zone-unknown = Je ne connais pas le fuseau horaire { $name }. Son nom comporte une région et une ville, comme Europe/Paris.

# The page of a passage.
passage-place = { $source } · passage { $position } sur { $count }
passage-before = ← Précédent
passage-after = Suivant →

# The page of a browser while the bot starts.
bot-starting = Le bot démarre…

# Calls that a user permitted for good (/tools).
command-tools = Voir ce qui peut se faire sans vous demander
tools-none = Vous n’avez encore rien autorisé pour toujours. Là où c’est sûr, la question avant une action propose « Toujours pour ceci ».
tools-about = Ces actions se font sans vous demander. ✕ retire une autorisation, de même que /tools suivi de son numéro.
tools-given-on = autorisé : { $day }
tools-used = utilisations : { $count }
tools-any = peu importe
tools-changed = L’outil a changé depuis ; il vous demandera de nouveau.
tools-take-all-back = Tout retirer
tools-taken-back = Retiré. Cette action vous sera de nouveau demandée.

# Outside Telegram.
only-in-telegram = Cela ne fonctionne complètement que dans Telegram : envoyez-y { $command }.

run-not-latest = Seule la dernière question d’une conversation peut recevoir une nouvelle réponse.

# What is asked in groups.

guest-user-limit = Vous avez épuisé vos questions en groupe pour aujourd’hui. Posez-moi la question en privé.
guest-group-limit = Ce groupe a posé beaucoup de questions depuis une heure. Réessayez plus tard, ou posez-moi la question en privé.
guest-withheld = Je ne peux pas répondre à cela dans un groupe. Posez-moi la question en privé.
guest-answer-cut = Ceci est le début d’une réponse plus longue. Pour tout lire, posez-moi la question en privé.
guest-answered-privately = Je vous ai répondu dans notre discussion privée.
## Files

file-page = page { $number }
file-sheet-named = feuille { $heading }
file-sheet-numbered = feuille { $number }
file-slide-named = diapositive { $number } : { $heading }
file-slide-numbered = diapositive { $number }
ask-about-files =
    { $count ->
        [one] J’ai lu { $names }. Que souhaitez-vous savoir ?
       *[other] J’ai lu { $names }. Que souhaitez-vous savoir sur ces fichiers ?
    }
file-topic-summary = Résumer
file-topic-points = Lister les points clés
file-read-whole = J’ai lu { $name } en entier.
file-macros = Les macros de { $name } n’ont pas été exécutées.
file-read-in-parts =
    J’ai lu { $name } en entier, en { $parts ->
        [one] une partie
       *[other] { $parts } parties
    }.
file-read-partly = { $name } est long : j’ai lu { $read } de ses { $units } parties. Interrogez-moi sur le reste, ou sur une partie.
file-searched = { $name } est long : j’y ai cherché la réponse à votre question, sans tout lire.
file-parts-unread = Dans { $name }, je ne peux pas lire { $parts }.
file-part-attachment =
    { $count ->
        [one] { $count } pièce jointe
       *[other] { $count } pièces jointes
    }
file-part-chart =
    { $count ->
        [one] { $count } graphique
       *[other] { $count } graphiques
    }
file-part-diagram =
    { $count ->
        [one] { $count } schéma
       *[other] { $count } schémas
    }
file-part-drawing =
    { $count ->
        [one] { $count } dessin
       *[other] { $count } dessins
    }
file-part-equation =
    { $count ->
        [one] { $count } équation
       *[other] { $count } équations
    }
file-part-field =
    { $count ->
        [one] { $count } champ de formulaire
       *[other] { $count } champs de formulaire
    }
file-part-file =
    { $count ->
        [one] { $count } fichier
       *[other] { $count } fichiers
    }
file-part-formula =
    { $count ->
        [one] { $count } formule sans résultat enregistré
       *[other] { $count } formules sans résultat enregistré
    }
file-part-letter =
    { $count ->
        [one] { $count } caractère
       *[other] { $count } caractères
    }
file-part-object =
    { $count ->
        [one] { $count } objet incorporé
       *[other] { $count } objets incorporés
    }
file-part-page =
    { $count ->
        [one] { $count } page sans texte
       *[other] { $count } pages sans texte
    }
file-part-picture =
    { $count ->
        [one] { $count } image
       *[other] { $count } images
    }
file-part-remark =
    { $count ->
        [one] { $count } commentaire
       *[other] { $count } commentaires
    }
file-part-row =
    { $count ->
        [one] { $count } ligne
       *[other] { $count } lignes
    }
file-part-sheet =
    { $count ->
        [one] { $count } feuille
       *[other] { $count } feuilles
    }
file-part-slide =
    { $count ->
        [one] { $count } diapositive sans texte
       *[other] { $count } diapositives sans texte
    }
file-refused-too-large = « { $name } » dépasse 20 Mo, plus que ce que Telegram me laisse télécharger. Envoyez un fichier plus petit, ou divisez-le.
file-refused-too-long = « { $name } » est trop long pour être lu. Envoyez la partie utile dans un fichier à part.
file-refused-unsupported = Je ne peux pas lire « { $name } ». Je lis PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, EML, MSG, MHTML, ZIP et texte brut. Enregistrez-le dans l’un de ces formats et renvoyez-le.
file-refused-old-office = « { $name } » est dans un ancien format Office. Enregistrez-le en DOCX, XLSX, PPTX ou PDF et renvoyez-le.
file-refused-archive = « { $name } » est compressé d’une façon que je ne sais pas ouvrir. Envoyez-le en ZIP, ou envoyez les fichiers qu’il contient.
file-refused-encrypted = « { $name } » est protégé par un mot de passe. Enregistrez-le sans mot de passe et renvoyez-le.
file-refused-empty = Je n’ai trouvé aucun texte dans « { $name } ». S’il contient quelque chose, envoyez-le en PDF ou en photos.
file-refused-damaged = « { $name } » est endommagé, ou n’est pas ce que dit son nom. Ouvrez-le, enregistrez-le de nouveau et envoyez-moi la nouvelle copie.
file-refused-gone = Je n’ai pas pu récupérer « { $name } » : il n’est plus disponible. Renvoyez-le.
file-keep-button = Retenir
file-only-here-button = Seulement ici
file-kept =
    { $count ->
        [one] Je retiendrai ce fichier. /files le montre.
       *[other] Je retiendrai ces fichiers. /files les montre.
    }
file-not-kept =
    { $count ->
        [one] J’oublierai ce fichier avec cette conversation (/new).
       *[other] J’oublierai ces fichiers avec cette conversation (/new).
    }
file-forgotten = Oublié.
files-none = Vous n’avez aucun fichier ici. Envoyez-m’en un : PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV ou texte.
files-title =
    { $count ->
        [one] Votre fichier :
       *[other] Vos { $count } fichiers :
    }
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, retenu
files-line-unread = Non lu : { $parts }.
files-hint = 📌 conserve un fichier au-delà de cette conversation, ou cesse de le faire. 🗑 le supprime.
command-files = Vos fichiers : voir, retenir, oublier

# Links.

ask-about-links =
    { $count ->
        [one] Que dois-je faire de ce lien ? { $links }
       *[other] Que dois-je faire de ces liens ? { $links }
    }
link-wish-summary = Résumer
link-wish-keep = Retenir
link-wish-ignore = Ignorer
link-ignored = D’accord, je ne le lis pas.
link-kept =
    { $count ->
        [one] J’ai lu et je retiens « { $names } ». Interrogez-moi quand vous voulez ; /files le montre.
       *[other] J’ai lu et je retiens : { $names }. Interrogez-moi quand vous voulez ; /files les montre.
    }
page-refused-private = Je ne lis pas { $name } : l’adresse mène à un réseau privé.
page-refused-robots = Je n’ai pas le droit de lire { $name } : le site n’y autorise pas les programmes. Envoyez-moi le texte, ou la page en fichier.
page-refused-closed = { $name } n’est accessible qu’aux personnes connectées. Envoyez-moi le texte, ou la page en fichier.
page-refused-gone = Il n’y a pas de page à { $name }. L’adresse est-elle complète ?
page-refused-too-large = La page { $name } est trop lourde pour moi. Envoyez-moi la partie utile.
page-refused-too-long = La page { $name } est trop longue pour moi. Envoyez-moi la partie utile.
page-refused-slow = { $name } met trop de temps à répondre. Réessayez plus tard.
page-refused-away = Je n’ai pas pu récupérer { $name } : le site a un problème ou est injoignable. Réessayez plus tard.
page-refused-empty = Je n’ai trouvé aucun texte à { $name }. Peut-être la page ne le montre-t-elle qu’aux personnes, ou après connexion. Envoyez-moi le texte.
page-refused-made-by-scripts = Je ne vois aucun texte à { $name } : la page ne se remplit que dans un navigateur. Envoyez-moi le texte, ou enregistrez la page dans un navigateur et envoyez le fichier.
page-refused-consent = À { $name }, je ne vois qu’une question avec des boutons, par exemple un consentement, et pas la page derrière. Envoyez-moi le texte, ou la page en fichier.
page-refused-unsupported = { $name } n’est ni une page ni un document que je sache lire.
page-refused-old-office = Le fichier à { $name } est dans un ancien format Office que je ne sais pas lire.
page-refused-archive = Le fichier à { $name } est compressé d’une façon que je ne sais pas ouvrir.
page-refused-encrypted = Le fichier à { $name } est protégé par un mot de passe.
page-refused-damaged = Le fichier à { $name } est endommagé, ou n’est pas ce que dit son nom.
page-refused-too-many-links = Je n’ai pas lu { $name } : il y a plus de liens que je n’en lis par message.

# The demo.
demo-about-stand-in = Ceci est une démo sur votre machine. Le bot est le vrai ; Telegram et le modèle de langage sont simulés, et ce modèle ne sait que citer. Pour un vrai : « Connecter un modèle », ou OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = Ceci est une démo sur votre machine. Le bot et son modèle de langage ({ $model }) sont réels ; Telegram est simulé.
demo-about-operator = Vous écrivez en tant qu’Ada, l’opératrice de ce bot : /help montre aussi ce que peut faire un opérateur.
pages-skip = Aller au contenu
pages-elsewhere = Autres pages
pages-sign-in = Veuillez vous connecter
pages-from-elsewhere = Un lien d’un autre site vous a amené ici.
pages-open = Ouvrir la page
pages-not-for-you = Vous ne pouvez pas voir cette page. Demandez un rôle au propriétaire du bot.
pages-problem = Cela n’a pas marché
pages-problem-back = Revenez en arrière ; votre saisie est toujours là.
pages-gone = Introuvable
pages-gone-how = Il n’y a rien ici, ou plus rien.
pages-later = Le bot ne peut pas répondre pour le moment. Réessayez dans un instant.
pages-unsent = Rien n’a été envoyé : le bot est injoignable. Réessayez.
pages-as-table = Sous forme de tableau
pages-cancel = Annuler
pages-copy = Copier
pages-copied = Copié
pages-pages = Pages de la liste
pages-first = Au début
pages-next = Plus
pages-search = Rechercher

# The pages of users.
panel-save = Enregistrer
widget-unanswered = Aucune réponse. Veuillez réessayer.
widget-wait = Cela prend un peu plus de temps. Ce sera fait.
