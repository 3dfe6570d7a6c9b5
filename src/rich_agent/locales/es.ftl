# The turn
greeting = ¡Hola! Pregúntame lo que quieras sobre mis documentos o envíame una foto. En /help ves lo que sé hacer.
greeting-named = ¡Hola, { $name }! Pregúntame lo que quieras sobre mis documentos o envíame una foto. En /help ves lo que sé hacer.
thanks-reply = ¡De nada!
farewell-reply = ¡Hasta luego! Escríbeme cuando quieras.
help-reply = Hazme una pregunta completa, por ejemplo «¿Cuáles son tus fuentes?», o envíame una foto y dime qué quieres saber. /help enumera todo lo que sé hacer.
laughter-reply = 😄
nothing-said = En este mensaje no hay palabras. Hazme una pregunta o envíame una foto.
nothing-found = No encontré nada en mis documentos.
nothing-found-files = No encontré nada en tus archivos.
nothing-found-answer = No encontré nada sobre esto en mis documentos. Prueba con otras palabras o pregunta «¿Cuáles son tus fuentes?» para ver de qué tratan.
no-sources-yet = Todavía no tengo documentos, así que no encontré nada. Mi operador puede añadirlos con `ingest add-source`.
question-shortened = Tu mensaje era demasiado largo para leerlo entero, así que leí el principio y el final.
look-left-out = Solo busqué una vez en mis documentos, porque otra búsqueda habría tardado demasiado.
nothing-cited-web = Ningún resultado de la web respalda esto.
unchecked = No he podido comprobar esto con las fuentes. He leído: { $sources }
refused-rag = Nada de lo que hay en mis documentos responde a esto. Consulté:
refused-files = Nada de lo que hay en tus archivos responde a esto. Consulté:
refused-web = Los resultados de la web no responden a esto. Consulté:
refused-rag-web = Ni mis documentos ni la web responden a esto. Consulté:
unsupported = No está en las fuentes; compruébalo, por favor: { $claims }
contradicted = Las fuentes dicen otra cosa: { $claims }
unjudged = No he podido comprobar esta respuesta con sus fuentes.
unjudged-claims = Sin comprobar con las fuentes: { $claims }
uncomputed = No se ha calculado con todas las filas de la tabla, compruébalo: { $claims }
catalogue-title = Mis documentos
catalogue-counts =
    { $sources ->
        [one] Una fuente
       *[other] { $sources } fuentes
    }, { $documents ->
        [one] un documento
       *[other] { $documents } documentos
    }. Títulos que se muestran aquí: { $shown }.
catalogue-sources = Fuentes
catalogue-source =
    { $name }: { $documents ->
        [one] un documento
       *[other] { $documents } documentos
    }
catalogue-source-internal =
    { $name } (sobre este asistente): { $documents ->
        [one] un documento
       *[other] { $documents } documentos
    }
catalogue-matching = Documentos que encajan con tu pregunta
catalogue-others = Otros documentos
your-photo = Tu foto
web-unavailable = No se pudo buscar en la web.
look-failed = No pude mirar la imagen más de cerca, así que esto se basa en mi primer vistazo.
stopped = (detenido)
early-end-length = La respuesta se hizo demasiado larga y termina aquí.
early-end-filtered = El filtro de contenido del servidor del modelo detuvo esta respuesta. Prueba a preguntarlo con otras palabras.
early-end-refused = El modelo de lenguaje se negó a responder a esto.
early-end-repeated = El modelo de lenguaje se repetía sin parar, así que lo detuve.
early-end-deadline = Esto ha tardado más de lo que puedo dedicar a un mensaje, así que me detuve aquí.
answer-in-file = Esta respuesta es larga. Arriba está el principio; el archivo de abajo la contiene entera.
continue-button = Continuar
continue-wish = Continúa tu respuesta donde se quedó.
stopped-at-once = Me detuve antes de escribir nada.
web-nothing-found = La búsqueda en la web no encontró nada sobre esto.
ask-about-image =
    Veo esto: { $seen }

    ¿Qué te gustaría saber?

image-topic-describe = Describir la imagen
image-topic-text = Leer el texto de la imagen
image-topic-table = Explicar la tabla de la imagen
image-topic-search = Buscar información sobre lo que muestra la imagen

# Telegram
status-reading = Leyendo tu archivo…
status-looking = Mirando tu foto…
status-thinking = Pensando…
status-searching = Buscando…
status-searching-web = Buscando en la web…
status-drafting = Escribiendo…
status-busy = El modelo de lenguaje está ocupado. Lo espero, hasta un minuto…
status-held = El servidor del modelo no acepta más peticiones por ahora. Volveré a intentarlo { $at } ({ $wait }) y responderé aquí, así que no hace falta que preguntes otra vez. Si envías más mensajes, los responderé después.
status-queued = Recibido. Te responderé en cuanto termine con tu mensaje anterior.
status-queued-elsewhere = Recibido. Todavía te estoy respondiendo en la web o en otro programa; después responderé a esto.
status-crowd = Recibido. Ahora mismo me escribe mucha gente. Tu puesto en la cola: { $place }, más o menos. Responderé en cuanto llegue tu turno.
button-stop = Detener
stopping = Deteniendo…
stopped-by-command = Detenido.
question-dropped = De acuerdo, no hace falta que respondas a mi pregunta.
nothing-to-stop = Ahora mismo no estoy escribiendo nada.
stop-too-late = Esta respuesta ya está terminada.
too-many = Enviaste muchos mensajes a la vez. Primero responderé a los anteriores. Cuando termine, vuelve a enviar este y los siguientes.
sources-heading = Fuentes
source-web = { $label } (web)
sent-again = (Enviado de nuevo: Telegram no confirmó el primer intento.)
start = ¡Hola! Respondo preguntas a partir de mis documentos y muestro de dónde sale cada respuesta. También puedes enviarme una foto y preguntarme por ella, o contarme qué tienes que hacer. En /help hay más.
start-named = ¡Hola, { $name }! Respondo preguntas a partir de mis documentos y muestro de dónde sale cada respuesta. También puedes enviarme una foto y preguntarme por ella, o contarme qué tienes que hacer. En /help hay más.
start-examples = Toca un tema para probarlo:
help-heading = Lo que sé hacer
help =
    • Responder preguntas con mis documentos, con fuentes numeradas que puedes abrir.
    • Buscar en la web cuando mis documentos dicen poco o preguntas por algo actual.
    • Leer los archivos que envías (PDF, Word, Excel, PowerPoint, CSV y otros) y las páginas que enlazas. /files los muestra.
    • Mirar una foto, un álbum o un archivo de imagen. También puedes responder a una foto con una pregunta.
    • Recordar lo que me cuentas de ti. Otros usuarios nunca lo ven.
help-end = Escríbeme con tus propias palabras.
help-commands = Comandos
unknown-command = El comando { $command } no existe. /help muestra lo que sé hacer.
unknown-command-near = El comando { $command } no existe. ¿Querías decir /{ $near }? /help enumera todos los comandos.
button-outdated = Este botón ya no funciona.
cannot-read = Todavía no puedo leer este tipo de mensaje. Envíame un texto, una foto o un archivo de imagen.
cannot-read-sticker =
    { $detail ->
        [blank] No puedo ver lo que hay en un sticker.
       *[other] { $detail } – ¡qué bonito! Pero no puedo ver lo que hay en un sticker.
    } Dímelo con palabras o envíame una foto.
cannot-read-dice = { $detail } No juego, pero respondo preguntas: escribe una.
cannot-read-animation = No puedo ver archivos GIF. Envíame una imagen fija o pregúntamelo con palabras.
cannot-read-video = No puedo ver vídeos. Envíame una captura del momento al que te refieres o pregúntamelo con palabras.
cannot-read-location = No puedo mirar un mapa. Escribe el nombre del lugar y qué quieres saber de él.
cannot-read-venue = No puedo buscar un lugar en el mapa. Escribe su nombre y qué quieres saber de él.
cannot-read-contact = No puedo usar contactos y no he guardado este. Escríbeme qué necesitas.
cannot-read-poll = No puedo votar en encuestas. Escribe la pregunta como texto y la responderé.
cannot-read-story = No puedo ver historias. Envíame una captura o pregúntamelo con palabras.
unread-note = No pude mirar: { $things }.
unread-animation = el GIF
unread-audio = el audio
unread-checklist = la lista
unread-contact = el contacto
unread-dice = el dado
unread-game = el juego
unread-giveaway = el sorteo
unread-giveaway-winners = el sorteo
unread-invoice = la factura
unread-live-photo = la foto en vivo
unread-long-text = tu texto a partir de los primeros 16 000 caracteres
unread-location = la ubicación
unread-paid-media = el contenido de pago
unread-photo = la foto
unread-poll = la encuesta
unread-rich-message = el mensaje con formato
unread-sticker = el sticker
unread-story = la historia
unread-venue = el lugar
unread-video = el vídeo
unread-video-note = el videomensaje
unread-voice = el mensaje de voz
edit-too-late = Solo respondo a ediciones de tu última pregunta. Envía la pregunta cambiada como mensaje nuevo.
replaced = (sustituida)
not-allowed = Este bot es privado. Para pedir acceso, envía este número a su operador: { $user_id }
apology-unavailable = Lo siento, lo intenté varias veces y no pude contactar con el modelo de lenguaje. Vuelve a preguntar dentro de unos minutos.
apology-download = Lo siento, lo intenté varias veces y no pude descargar tu archivo de Telegram. Vuelve a enviarlo dentro de unos minutos.
apology-credit = La cuenta del operador en el servidor del modelo no tiene saldo, así que no puedo responder. Solo mi operador puede arreglarlo. Envía /retry más tarde y responderé a esta pregunta.
apology-key = El servidor del modelo no acepta la clave de mi operador, así que no puedo responder. Solo mi operador puede arreglarlo. Envía /retry más tarde y responderé a esta pregunta.
model-away = El servidor del modelo no acepta más peticiones hasta { $at }. No puedo esperar tanto. Envía /retry después y responderé a esta pregunta.
apology-refused = Lo siento, el modelo de lenguaje no aceptó la petición. Mi operador puede ver el motivo en el registro.
apology-malformed = Lo siento, el modelo de lenguaje dio una respuesta que no pude usar. Vuelve a preguntar, quizá con otras palabras.
apology-spent = Lo siento, intenté responder varias veces y siempre me atasqué. Se lo he dejado a mi operador. El fallo es mío, no de tus palabras.
aside-lesson = Lo siento, quise recordar algo de un mensaje tuyo anterior y me atasqué varias veces. Se lo he dejado a mi operador.
aside-stream = Esta respuesta no se puede mostrar como siempre. Este es su texto sin formato:
apology-internal = Lo siento, algo falló por mi parte y ha quedado en el registro. Inténtalo de nuevo.
limit-tokens = Has alcanzado tu límite de hoy ({ $limit } tokens). Podré responder de nuevo { $at } ({ $wait }). Hasta entonces, los comandos como /status, /sources y /memory siguen funcionando.
limit-images =
    Has alcanzado tu límite de hoy ({ $limit ->
        [one] 1 imagen
       *[other] { $limit } imágenes
    }), así que no miré todo lo que enviaste. Podré mirar imágenes de nuevo { $at } ({ $wait }).
limit-searches =
    Has alcanzado tu límite de hoy ({ $limit ->
        [one] 1 búsqueda web
       *[other] { $limit } búsquedas web
    }), así que no busqué en la web. Podré buscar de nuevo { $at } ({ $wait }).
limit-audio_seconds =
    Has alcanzado tu límite de hoy ({ $limit ->
        [one] 1 segundo
       *[other] { $limit } segundos
    } de audio), así que no escuché. Podré escuchar de nuevo { $at } ({ $wait }). Hasta entonces, escríbeme.
limit-wait = dentro de { $duration }
day-yesterday = ayer
day-today = hoy
day-tomorrow = mañana
media-too-large = La grabación es demasiado grande: admito archivos de hasta 20 MB.
media-unreadable = No pude leer esta grabación; puede estar dañada. Vuelve a enviarla.
image-empty = La imagen está vacía. Vuelve a enviarla.
image-too-large = La imagen es demasiado grande: admito archivos de hasta 20 MB.
image-too-many-pixels = La imagen tiene demasiados píxeles. Envía una versión más pequeña.
image-unreadable = No pude leer la imagen; puede estar dañada. Vuelve a enviarla.
image-format = No puedo leer este formato de imagen. Envía JPEG, PNG o WebP.
image-heif = No puedo leer archivos HEIC ni AVIF. Envía la imagen como foto, no como archivo: así Telegram la convierte.
image-animated = No puedo mirar imágenes animadas. Envía una imagen fija.
image-refused = No pude usar esta imagen. Envía otra.

# Commands
command-start = Empieza aquí
command-help = Lo que sé hacer
command-new = Empezar una conversación nueva
command-stop = Detener la respuesta que estoy escribiendo
command-retry = Responder otra vez a tu última pregunta
command-sources = Lo que conozco
command-spaces = Espacios en los que busco
command-why = Cómo llegué a mi última respuesta
command-status = Lo que estoy haciendo para ti
command-language = Elegir el idioma de mis menús
command-privacy = Lo que guardo sobre ti
command-memory = Lo que recuerdo de ti
command-export = Tus datos en un archivo
command-forget = Borrar todo sobre ti
command-stats = Estadísticas de uso
command-approvals = Respuestas que esperan aprobación
admins-only = Este comando es solo para administradores.
database-away = Ahora mismo no puedo acceder a mi base de datos. Inténtalo de nuevo en un minuto.
button-not-yours = Este botón es de otra persona.
never = nunca
and-more = … y { $count } más
privacy-heading = Lo que guardo sobre ti
privacy =
    Guardo esto en la base de datos de mi operador, la persona o empresa que me mantiene en marcha:
    • tu ID y nombre de Telegram, tus mensajes y mis respuestas
    • lo que recuerdo de ti, y tus tareas, notas y planes
    • el acceso a tu lista de tareas, cifrado, si conectas una
    • una huella y una descripción de cada foto, nunca la foto misma
    • el texto de los archivos, páginas y grabaciones que envías, nunca el sonido
    • cómo decidí cada respuesta, y tu 👍 o 👎
    • cuánto usas cada día: tokens, imágenes y búsquedas

    Para responder envío tu mensaje, la conversación y los pasajes que encontré al modelo de lenguaje que eligió mi operador. Otros usuarios nunca ven nada de eso.

new-conversation = Empezamos una conversación nueva. Ya no uso lo que dijimos antes, pero sigo recordando lo que me contaste de ti.
language = ¿En qué idioma quieres los menús y la ayuda? Mis respuestas siguen el idioma de tu pregunta.
language-auto = Automático
language-chosen =
    { $chosen ->
        [auto] Mis menús y avisos siguen el idioma de tu aplicación de Telegram y de tus mensajes.
       *[other] Desde ahora mis menús y avisos están en español. Mis respuestas siguen el idioma de tu pregunta.
    }
language-not-spoken = Todavía no hablo ese idioma. Elige uno de estos o envía /language con su nombre.
status-sound = Segundos de audio escuchados y hablados hoy: { $seconds }.
sources-none = Todavía no tengo documentos. Mi operador puede añadirlos con `ingest add-source`.
spaces = Estos espacios de mis documentos están disponibles para ti. Busco en los que tienen ✓; en los demás, solo si los nombras. Toca uno para cambiarlo.
spaces-none = Todo lo que consulto está disponible para todas las personas que pueden usarme.
sources-known =
    { $sources ->
        [one] Conozco 1 fuente
       *[other] Conozco { $sources } fuentes
    } con { $documents ->
        [one] 1 documento
       *[other] { $documents } documentos
    } ({ $passages ->
        [one] 1 pasaje
       *[other] { $passages } pasajes
    }):
sources-line =
    • { $name }: { $documents ->
        [one] 1 documento
       *[other] { $documents } documentos
    }, { $passages ->
        [one] 1 pasaje
       *[other] { $passages } pasajes
    }, última sincronización: { $synced }
sources-line-internal =
    • { $name } (sobre mí): { $documents ->
        [one] 1 documento
       *[other] { $documents } documentos
    }, { $passages ->
        [one] 1 pasaje
       *[other] { $passages } pasajes
    }, última sincronización: { $synced }
passage-gone = Este pasaje ya no está en mis documentos.
passage-read = Leer el pasaje
why-button = ¿Por qué?
why-nothing = Todavía no he respondido nada. Pregúntame algo primero.
why-no-answer = No sé cómo surgió ese mensaje. Responde con /why a una de mis respuestas.
why-heading = Cómo surgió esta respuesta
why-done-direct = Respondí directamente, sin consultar nada.
why-done-rag =
    { $read ->
        [0] Busqué en mis documentos y no encontré nada sobre esto.
        [one] Busqué en mis documentos: leí 1 pasaje y cité { $cited }.
       *[other] Busqué en mis documentos: leí { $read } pasajes y cité { $cited }.
    }
why-done-web =
    { $read ->
        [0] Busqué en la web y no encontré nada sobre esto.
        [one] Busqué en la web: leí 1 resultado y cité { $cited }.
       *[other] Busqué en la web: leí { $read } resultados y cité { $cited }.
    }
why-done-rag-web =
    { $read ->
        [0] Busqué en mis documentos y luego en la web, y no encontré nada sobre esto.
        [one] Busqué en mis documentos y luego en la web: leí 1 pasaje y cité { $cited }.
       *[other] Busqué en mis documentos y luego en la web: leí { $read } pasajes y cité { $cited }.
    }
why-web-failed =
    { $read ->
        [0] No pude buscar en la web.
        [one] No pude buscar en la web; de mis documentos leí 1 pasaje y cité { $cited }.
       *[other] No pude buscar en la web; de mis documentos leí { $read } pasajes y cité { $cited }.
    }
why-reason = El motivo: { $reason }
looked-for = Busqué: «{ $query }»
why-further-queries = Después busqué: «{ $query }»
why-photo = Foto: la miré
why-photo-asked = Foto: la miré de nuevo con tu pregunta
why-memory =
    Recordado: { $count ->
        [one] 1 cosa sobre ti
       *[other] { $count } cosas sobre ti
    } (mira /memory)
why-recalled = • { $text }
why-summary = Recordado: un resumen de lo que dijimos antes
why-past = De antes en nuestra conversación:
why-past-turn = • { $date }: «{ $text }»
why-read-document =
    Documentos: { $read ->
        [0] no encontré nada
        [one] 1 pasaje leído
       *[other] { $read } pasajes leídos
    }
why-read-web =
    Web: { $read ->
        [0] no encontré nada
        [one] 1 resultado leído
       *[other] { $read } resultados leídos
    }
why-doubted =
    Comprobación: { $count ->
        [one] 1 frase parecía dudosa
       *[other] { $count } frases parecían dudosas
    }
why-planned = Acciones que tu propio mensaje pide: { $count }
why-repaired = Comprobación: la primera versión no citaba nada o tenía una frase sin fuente, así que pedí al modelo que la escribiera de nuevo
why-permitted = Llamadas hechas sin preguntar porque siempre las permites (/tools): { $count }
why-unsupported =
    Comprobación: { $count ->
        [one] 1 frase no tiene
       *[other] { $count } frases no tienen
    } fuente, como dice la respuesta
why-contradicted =
    Comprobación: { $count ->
        [one] 1 frase contradice
       *[other] { $count } frases contradicen
    } las fuentes, como dice la respuesta
why-judged = Comprobación: frases comparadas con las fuentes: { $count }
why-unjudged = Comprobación: frases que no se han podido comparar, como dice la respuesta: { $count }
why-unsampled = Comprobación: frases sin comparar, porque solo se revisa una parte de las respuestas: { $count }
why-second_look_failed = Problema: el modelo de planificación no pudo comprobar la respuesta
why-check-left-out = Sin comprobación por un modelo, porque habría tardado demasiado
why-refused = Comprobación: nada de lo que leí respalda lo que escribió el modelo, así que no lo mostré
why-planner_failed = Problema: el modelo de planificación no dio ningún plan, así que solo busqué en mis documentos
why-further_search_failed = Problema: el modelo de planificación no pudo decir qué faltaba todavía
why-look-left-out = Sin más búsquedas, porque habrían tardado demasiado
why-embedding_failed = Problema: solo pude buscar por palabras, no por significado
why-rerank_failed = Problema: la ordenación de los pasajes falló o tardó demasiado, así que quedaron en el orden de la búsqueda
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, citado)
why-models = Modelo: { $models }
why-calls = Llamadas al modelo: { $calls }; seguidas, antes de la primera palabra: { $before }. Tokens leídos: { $read }; de ellos, reutilizados por el servidor: { $cached }
why-times =
    { $steps ->
        [blank] Tiempo: { $total } s
       *[other] Tiempo: { $total } s ({ $steps })
    }
why-reference = Referencia para el operador: { $request_id }
step-N1_ingest_input = lectura { $seconds }
step-N2_load_long_term_memory = memoria { $seconds }
step-N13_read_files = lectura de archivos { $seconds }
step-N3_vision_summarize = análisis de imágenes { $seconds }
step-N4_build_effective_query = planificación { $seconds }
step-N5_retrieve = búsqueda en documentos { $seconds }
step-N14_search_further = más búsqueda { $seconds }
step-N8_web_search = búsqueda en la web { $seconds }
step-N6_synthesize = redacción { $seconds }
step-N7_persist = guardado { $seconds }
step-N9_ask_back = pregunta para ti { $seconds }
step-N10_take_answer = lectura de tu respuesta { $seconds }
step-N11_request_approval = petición de aprobación { $seconds }
rated = Gracias por tu opinión.
rated-down = Gracias. Mi operador ya puede leer esta pregunta y su respuesta.
rating-withdrawn = He quitado tu opinión.
status-answering =
    Te estoy escribiendo una respuesta. { $waiting ->
        [0] No espera ningún otro mensaje.
        [one] 1 mensaje más está esperando.
       *[other] { $waiting } mensajes más están esperando.
    }
status-waiting =
    { $waiting ->
        [0] Todos tus mensajes tienen respuesta.
        [one] 1 de tus mensajes espera respuesta.
       *[other] { $waiting } de tus mensajes esperan respuesta.
    }
status-use = Usado hoy: tokens { $tokens }, imágenes { $images }, búsquedas web { $searches }, llamadas a herramientas conectadas { $tool_calls }. El nuevo día empieza { $at } ({ $wait }).
use-free = { $used }
use-limited = { $used } de { $limit }
status-documents =
    Documentos: { $documents }, en { $passages ->
        [one] 1 pasaje
       *[other] { $passages } pasajes
    }; última sincronización: { $synced }
status-documents-away = Documentos: ahora mismo no se puede acceder a su base de datos.
status-out-of-reach = ⚠️ Sin conexión ({ $duration }): { $problem }
status-models = Modelos: { $chat } escribe, { $vision } mira las imágenes
status-version = rich-agent { $version }
memory-empty = Todavía no recuerdo nada de ti. Cuéntame algo sobre ti y lo recordaré.
memory-known =
    { $count ->
        [one] Recuerdo 1 cosa sobre ti. Toca su número para que la olvide.
       *[other] Recuerdo { $count } cosas sobre ti. Toca un número para que olvide esa.
    }
memory-facts = Datos
memory-preferences = Preferencias
memory-tasks = Tareas
memory-past = en el pasado
memory-planned = previsto
memory-item = { $text } ({ $told })
memory-item-due = { $text } – fecha límite: { $due } ({ $told })
memory-deleted = Olvidado. Los mensajes en los que me lo contaste siguen en nuestra conversación. Escribe «olvida…» para borrarlos también.
forgetting-told = ¿Olvido esto?
forgetting-everything =
    ¿Olvido todo lo que me contaste y lo que dijimos? Son { $memory ->
        [one] 1 cosa que recuerdo
       *[other] { $memory } cosas que recuerdo
    } y { $messages ->
        [one] 1 mensaje con su respuesta.
       *[other] { $messages } mensajes con sus respuestas.
    }
forgetting-named = Estos solo lo mencionan. Se quedan, salvo que elijas olvidarlos también:
forgetting-only-named = No encontré nada que trate claramente de eso. ¿Olvido esto, que solo lo menciona?
forgetting-of-memory = Lo que recuerdo:
forgetting-of-thing = Tus tareas, notas y planes:
forgetting-of-file = Tus archivos:
forgetting-of-message = Tus mensajes, con mis respuestas:
forgetting-of-summary = En el resumen de lo que dijimos antes:
forgetting-more =
    { $count ->
        [one] … y 1 más.
       *[other] … y { $count } más.
    }
forgetting-final = Esto no se puede deshacer. Toca un botón.
forgetting-yes = Olvidarlo
forgetting-yes-all = Olvidar todo esto
forgetting-no = Conservar todo
forgetting-done =
    Olvidado: { $memory ->
        [one] 1 cosa recordada
       *[other] { $memory } cosas recordadas
    } y { $messages ->
        [one] 1 mensaje con su respuesta
       *[other] { $messages } mensajes con sus respuestas
    }. Ya no están en mi memoria, en nuestra conversación, en su resumen, en el archivo ni en el registro que muestra /export. Lo que ves en este chat se queda hasta que lo borres en Telegram.
forgetting-left =
    { $count ->
        [one] 1 cosa que solo lo menciona se queda, como elegiste.
       *[other] { $count } cosas que solo lo mencionan se quedan, como elegiste.
    }
forgetting-done-everything = Tus ajustes, tus opiniones y el registro de tu uso se quedan; /forget también los borra.
forgetting-nothing = No encontré nada sobre eso, ni en lo que recuerdo ni en nuestra conversación, así que no borré nada. /memory muestra lo que recuerdo de ti.
forgetting-failed = No pude averiguar qué quieres que olvide porque mi modelo falló. No se borró nada. Inténtalo más tarde o usa /memory y /forget.
forgetting-kept = No se borró nada.
forgetting-wish = (Una petición de olvidar algo. Sus palabras no se guardan.)
planner-failed-note = Mi modelo de planificación falló. Si me pediste hacer u olvidar algo, no se hizo ni se borró nada: pídelo de nuevo o usa /memory y /forget.
planner-failed-still = No se hizo ni se borró nada.
exported =
    Esto es todo lo que guardo sobre ti: { $messages ->
        [one] 1 mensaje
       *[other] { $messages } mensajes
    }, { $decisions ->
        [one] 1 decisión
       *[other] { $decisions } decisiones
    }{ $images ->
        [0] {""}
        [one] , 1 resumen de imagen
       *[other] , { $images } resúmenes de imágenes
    }, lo que recuerdo, y tus tareas, notas y planes. El archivo es JSON.
forget-confirm =
    ¿Quieres que borre todo lo que guardo sobre ti? Es decir: nuestra conversación, lo que recuerdo de ti, tus tareas, notas y planes, cómo decidí cada respuesta, tus opiniones, las descripciones de tus fotos, el texto de tus archivos y grabaciones, y tus ajustes.

    Esto no se puede deshacer. Los mensajes de este chat se quedan hasta que los borres en Telegram. Si quieres una copia de tus datos, envía antes /export.

forget-yes = Sí, borrar todo
forget-no = No, conservarlo
forget-wish = Olvida lo que dije sobre { $what }
command-alone = No he hecho nada: { $command } no admite texto detrás. Si es lo que quieres, envía solo el comando.
secret-delete-yourself = No pude borrar tu mensaje. Contiene tu contraseña, así que bórralo tú.
forget-kept = No se borró nada.
forgotten = Todo lo que guardaba sobre ti está borrado. Si vuelves a escribir, empezamos de cero.
confirmation-over = Esta pregunta ha caducado. Vuelve a enviar el comando.
nothing-to-retry = No hay ninguna pregunta que responder otra vez. Pregúntame algo primero.
stats-heading = Estadísticas
stats-users = Usuarios: { $known }; { $day } en el último día, { $week } en 7 días; { $blocking } me han bloqueado
stats-turns = Respuestas: { $day } en el último día, { $week } en 7 días
stats-plans = Planes, 7 días: { $plans }
stats-plan-direct = directo { $count }
stats-plan-rag = documentos { $count }
stats-plan-web = web { $count }
stats-plan-rag-web = documentos y web { $count }
stats-times = Tiempo de una respuesta, 7 días: p50 { $p50 } s, p95 { $p95 } s
stats-failures = Errores: { $broken } respuestas interrumpidas y { $undelivered } mensajes no entregados en 7 días, { $dead } actualizaciones abandonadas
stats-feedback = Opiniones: 👍 { $up }, 👎 { $down }
stats-use-day = Usado hoy (UTC): tokens { $tokens }, imágenes { $images }, búsquedas web { $searches }; { $cost }
stats-use-week = Usado, 7 días: tokens { $tokens }, imágenes { $images }, búsquedas web { $searches }; { $cost }
stats-cached = De los tokens leídos, el servidor ya había leído: { $share } %
stats-cost = coste { $cost }
stats-cost-partly = coste { $cost }, sin { $models } (sin precio definido)
stats-cost-unknown = sin precio definido (MODEL_PRICES)
stats-price-table = Precios no definidos en MODEL_PRICES: { $table }
stats-top-users = Más tokens, 7 días: { $users }
stats-inbox = Actualizaciones en espera: { $pending }
stats-approvals = Esperan aprobación: { $count } (/approvals)

# Approval
approval-waiting = Una persona lee las respuestas de este tipo antes de que las envíe. La tuya está en revisión y la enviaré en cuanto se apruebe. Mientras tanto puedes seguir escribiendo.
approval-review =
    La respuesta { $number } espera tu aprobación.
    De: { $user }
    Tipo: { $intent }
    Pregunta: { $question }

    El borrador está abajo. Responde a él con un texto corregido o usa sus botones.

button-approve = Aprobar
button-correct = Editar
button-reject = Rechazar
approval-correction = Respuesta { $number }: responde a este mensaje con el texto corregido. El usuario lo leerá tal cual.
approval-reason = Respuesta { $number }: responde a este mensaje con el motivo del rechazo. El usuario lo leerá.
approval-words-missing = Lo necesito como texto. Responde otra vez al mismo mensaje.
approval-is-approved =
    { $by ->
        [you] ✓ Aprobada por ti.
       *[other] ✓ Aprobada por { $admin }.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ Enviada con tu texto.
       *[other] ✎ Enviada con el texto de { $admin }.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ Rechazada por ti.
       *[other] ✗ Rechazada por { $admin }.
    }
approval-is-expired = No hubo decisión a tiempo. Se lo he dicho al usuario.
approval-is-withdrawn = El usuario cambió la pregunta, así que este borrador ya no hace falta.
approval-approved = Esta respuesta fue revisada y aprobada.
approval-corrected = Esta respuesta fue revisada y corregida.
approval-rejected = Lo siento, no puedo darte una respuesta a esto. El motivo: { $reason }
approval-expired = Lo siento, mi respuesta no se revisó a tiempo. Vuelve a preguntar más tarde.
approvals-known =
    { $count ->
        [0] Ninguna respuesta espera aprobación.
        [one] 1 respuesta espera aprobación:
       *[other] { $count } respuestas esperan aprobación:
    }
approvals-line = • { $number }, desde { $since }, de { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = según lo planeado
reason-greeting = un saludo
reason-farewell = una despedida
reason-thanks = un agradecimiento
reason-help = una petición de ayuda
reason-laughter = una risa
reason-reaction = un emoji
reason-silence = el mensaje no contiene palabras que buscar
reason-number = un número o un cálculo
reason-known_word = una palabra que aparece en mis documentos
reason-forget_wish = una petición de olvidar algo
reason-stopped = lo detuviste antes de que se planificara
reason-no_web = no hay búsqueda web configurada
reason-no_plan = el modelo de planificación no dio ningún plan, así que se buscó en mis documentos y no en la web
reason-file_read = el mensaje trata de un archivo que enviaste
reason-file_refused = ninguno de los archivos que enviaste se puede leer
reason-about_bot = las preguntas sobre mí se responden con mis propios documentos
reason-about_now = la respuesta depende del presente, así que se buscó en la web
reason-documents_first = mis documentos van antes que la web
reason-documents_may_say = mis documentos pueden responderlo
reason-documents_wanted = preguntaste qué dicen los documentos
reason-web_ruled_out = el mensaje puede ser privado, así que no se buscó en la web
reason-say_little = mis documentos dicen poco sobre esto, así que también se buscó en la web
reason-say_little_on = mis documentos dicen poco sobre «{ $subject }», así que también se buscó en la web

# Alerts for admins
alert-credit = ⚠️ La cuenta en el servidor del modelo no tiene saldo ({ $service }), así que no puedo responder a nadie. { $hint } Después ejecuta `rich-agent inbox replay --all` para que se respondan las preguntas perdidas. Envío esto como mucho una vez por hora.
alert-key = ⚠️ El servidor del modelo no acepta la clave ({ $service }), así que no puedo responder a nadie. { $hint } Después ejecuta `rich-agent inbox replay --all` para que se respondan las preguntas perdidas. Envío esto como mucho una vez por hora.
alert-away = ⚠️ El servidor del modelo ({ $service }) no acepta más peticiones hasta { $at }. A los usuarios se les dice que pregunten después. Para evitarlo, sube el límite o usa otro servidor. Envío esto como mucho una vez por hora.
alert-lesson = ⚠️ Durante días intenté actualizar la memoria de un usuario a partir de un mensaje y desistí. El registro dice por qué. Envío esto como mucho una vez por hora.
alert-refused = ⚠️ El servidor del modelo rechaza una de mis peticiones: { $problem } { $hint } Sigo lo mejor que puedo sin ella. Envío esto como mucho una vez por hora.

# Tools: what each is for, and what is happening while it runs.
status-acting = Usando { $tool }…
tool-list_files = Tus archivos
tool-undo_last_change = Deshacer el último cambio
tool-search_documents = Documentos
tool-search_web = Búsqueda web
tool-request_more_information = Una pregunta para ti
doing-list_files = Mirando tus archivos…
doing-undo_last_change = Deshaciendo el último cambio…
doing-search_documents = Buscando en los documentos…
doing-search_web = Buscando en la web…
approve-calls = Me gustaría hacer esto. ¿Lo hago?
approve-not-planned = Tu mensaje por sí solo no pide esto. Revísalo con atención.
approve-yes = Aprobar
approve-no = Cancelar
approve-words-yes = sí|si|vale|ok|adelante
approve-words-no = no|cancelar
card-labelled = { $label }: { $text }
card-not-done = No se ha hecho.
approve-adjust = Ajustar
approve-how-to-adjust = Escribe qué hay que cambiar y lo propondré de nuevo.
approve-always = Siempre para esto
approve-always-same = «{ $always }» lo aprueba, y desde entonces la misma llamada se hace sin preguntar. Con /tools puedes retirarlo.
approve-always-alike = «{ $always }» lo aprueba, y desde entonces las llamadas con los mismos valores de { $fixed } se hacen sin preguntar, sea cual sea el resto. Con /tools puedes retirarlo.
web-approve-in-words = Responde con «{ $yes }» o «{ $no }», o escribe qué hay que cambiar.
card-characters-left-out = Más caracteres: { $count }
card-arguments-left-out = Más datos: { $count }
card-in-file = No cabe todo aquí. El archivo «approval.txt» tiene el texto completo. Léelo antes de decidir, por favor.
card-copied-from = Copiado de: { $sources }
copied-user = tu mensaje
copied-memory = lo que guardo para ti
copied-assistant = una respuesta anterior
copied-operator = quien gestiona el bot
copied-document = documento
copied-page = página web
copied-file = archivo
copied-server = otro programa
copied-other = otra persona
card-takes-back = Deshace
argument-duration = Duración
argument-yes = sí
argument-no = no
argument-none = ninguno
approve-cancelled = Cancelado. No se cambió nada.
acting-limit-calls = He llegado al límite de 10 acciones por mensaje. Escribe «sigue» si queda algo por hacer.
acting-limit-errors = Algo falló tres veces seguidas, así que me detuve. No se cambió nada más.
undo-button = Deshacer
undo-done = Deshecho:
undo-too-late = Esto ya no se puede deshacer.
step-N12_act = acción { $seconds }

reason-in_group = en los grupos solo respondo con mis documentos
reason-link_ignored = no querías que leyera el enlace
reason-link_kept = querías que recordara la página
reason-link_read = se leyó la página que enlazaste
reason-in_session = este mensaje pertenece a una sesión guiada
reason-session_left = querías terminar la sesión guiada

timeline-left-out =
    { $count ->
        [one] y uno más
       *[other] y { $count } más
    }
command-timezone = Elegir tu zona horaria
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [one] cada hora
           *[other] cada { $count } horas
        }
        [daily] { $count ->
            [one] cada día
           *[other] cada { $count } días
        }
        [weekly] { $count ->
            [one] cada semana
           *[other] cada { $count } semanas
        }
        [monthly] { $count ->
            [one] cada mes
           *[other] cada { $count } meses
        }
       *[yearly] { $count ->
            [one] cada año
           *[other] cada { $count } años
        }
    }
time-zone-none = Todavía no sé cuál es tu zona horaria. Elígela aquí o envía /timezone con un nombre como Europe/Madrid.
time-zone = Tu zona horaria es { $zone }. Hora local: { $now }. Para cambiarla, envía /timezone con otro nombre.
time-zone-chosen = Tu zona horaria es { $zone }. Hora local: { $now }. Los recordatorios repetidos se rigen por ella.
time-zone-near = No conozco la zona horaria { $name }. ¿Querías decir una de estas?
time-zone-which = { $name } tiene varias zonas horarias. ¿Cuál es la tuya?
time-zone-unknown = No conozco la zona horaria { $name }. El nombre lleva una región y una ciudad, como Europe/Madrid.

# The page of a passage.
passage-place = { $source } · pasaje { $position } de { $count }
passage-before = ← Anterior
passage-after = Siguiente →

# The page of a browser while the bot starts.
bot-starting = El bot se está iniciando…

# Calls that a user permitted for good (/tools).
command-tools = Ver qué se puede hacer sin preguntarte
tools-none = Todavía no has permitido que nada se haga siempre sin preguntar. Donde es seguro, la pregunta antes de una acción ofrece «Siempre para esto».
tools-about = Estas acciones se hacen sin preguntarte. ✕ retira un permiso, y también /tools con su número.
tools-given-on = permitido: { $day }
tools-used = usos: { $count }
tools-any = cualquiera
tools-changed = La herramienta ha cambiado desde entonces, así que volverá a preguntarte.
tools-take-all-back = Retirar todos
tools-taken-back = Retirado. Esa acción volverá a preguntarte.

# Outside Telegram.
only-in-telegram = Esto solo funciona del todo en Telegram: envía { $command } allí.

run-not-latest = Solo se puede volver a responder la última pregunta de una conversación.

# What is asked in groups.

guest-user-limit = Has agotado tus preguntas en grupos por hoy. Pregúntame en un chat privado.
guest-group-limit = Este grupo ha preguntado mucho en la última hora. Prueba más tarde o pregúntame en un chat privado.
guest-withheld = No puedo responder a esto en un grupo. Pregúntame en un chat privado.
guest-answer-cut = Este es el comienzo de una respuesta más larga. Para leerla entera, pregúntame en un chat privado.
guest-answered-privately = Te he respondido en nuestro chat privado.
## Files

file-page = página { $number }
file-sheet-named = hoja { $heading }
file-sheet-numbered = hoja { $number }
file-slide-named = diapositiva { $number }: { $heading }
file-slide-numbered = diapositiva { $number }
ask-about-files =
    { $count ->
        [one] He leído { $names }. ¿Qué te gustaría saber?
       *[other] He leído { $names }. ¿Qué te gustaría saber de estos archivos?
    }
file-topic-summary = Resumirlo
file-topic-points = Enumerar los puntos clave
file-read-whole = Leí { $name } entero.
file-macros = No se han ejecutado las macros de { $name }.
file-read-in-parts =
    Leí { $name } entero, en { $parts ->
        [one] una parte
       *[other] { $parts } partes
    }.
file-read-partly = { $name } es largo: leí { $read } de sus { $units } partes. Pregunta por el resto o por una parte.
file-searched = { $name } es largo: busqué en él lo que preguntas y no lo leí entero.
file-parts-unread = No puedo leer { $parts } de { $name }.
file-part-attachment =
    { $count ->
        [one] { $count } archivo adjunto
       *[other] { $count } archivos adjuntos
    }
file-part-chart =
    { $count ->
        [one] { $count } gráfico
       *[other] { $count } gráficos
    }
file-part-diagram =
    { $count ->
        [one] { $count } esquema
       *[other] { $count } esquemas
    }
file-part-drawing =
    { $count ->
        [one] { $count } dibujo
       *[other] { $count } dibujos
    }
file-part-equation =
    { $count ->
        [one] { $count } ecuación
       *[other] { $count } ecuaciones
    }
file-part-field =
    { $count ->
        [one] { $count } campo de formulario
       *[other] { $count } campos de formulario
    }
file-part-file =
    { $count ->
        [one] { $count } archivo
       *[other] { $count } archivos
    }
file-part-formula =
    { $count ->
        [one] { $count } fórmula sin resultado guardado
       *[other] { $count } fórmulas sin resultado guardado
    }
file-part-letter =
    { $count ->
        [one] { $count } carácter
       *[other] { $count } caracteres
    }
file-part-object =
    { $count ->
        [one] { $count } objeto incrustado
       *[other] { $count } objetos incrustados
    }
file-part-page =
    { $count ->
        [one] { $count } página sin texto
       *[other] { $count } páginas sin texto
    }
file-part-picture =
    { $count ->
        [one] { $count } imagen
       *[other] { $count } imágenes
    }
file-part-remark =
    { $count ->
        [one] { $count } comentario
       *[other] { $count } comentarios
    }
file-part-row =
    { $count ->
        [one] { $count } fila
       *[other] { $count } filas
    }
file-part-sheet =
    { $count ->
        [one] { $count } hoja
       *[other] { $count } hojas
    }
file-part-slide =
    { $count ->
        [one] { $count } diapositiva sin texto
       *[other] { $count } diapositivas sin texto
    }
file-refused-too-large = «{ $name }» ocupa más de 20 MB, más de lo que Telegram me deja descargar. Envía un archivo más pequeño o divídelo.
file-refused-too-long = «{ $name }» es demasiado largo para leerlo. Envía la parte importante como archivo aparte.
file-refused-unsupported = No puedo leer «{ $name }». Leo PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, EML, MSG, MHTML, ZIP y texto simple. Guárdalo en uno de esos formatos y envíalo de nuevo.
file-refused-old-office = «{ $name }» está en un formato antiguo de Office. Guárdalo como DOCX, XLSX, PPTX o PDF y envíalo de nuevo.
file-refused-archive = «{ $name }» está comprimido de una forma que no puedo abrir. Envíalo como ZIP o envía los archivos que contiene.
file-refused-encrypted = «{ $name }» está protegido con contraseña. Guárdalo sin ella y envíalo de nuevo.
file-refused-empty = No encontré texto en «{ $name }». Si contiene algo, envíalo como PDF o como fotos.
file-refused-damaged = «{ $name }» está dañado o no es lo que dice su nombre. Ábrelo, guárdalo otra vez y envíame la copia nueva.
file-refused-gone = No pude obtener «{ $name }»: ya no está disponible. Envíalo de nuevo.
file-keep-button = Recordar
file-only-here-button = Solo aquí
file-kept =
    { $count ->
        [one] Recordaré este archivo. /files lo muestra.
       *[other] Recordaré estos archivos. /files los muestra.
    }
file-not-kept =
    { $count ->
        [one] Olvidaré este archivo con esta conversación (/new).
       *[other] Olvidaré estos archivos con esta conversación (/new).
    }
file-forgotten = Olvidado.
files-none = Aquí no tienes archivos. Envíame uno: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV o texto.
files-title =
    { $count ->
        [one] Tu archivo:
       *[other] Tus { $count } archivos:
    }
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, recordado
files-line-unread = Sin leer: { $parts }.
files-hint = 📌 conserva un archivo más allá de esta conversación o deja de hacerlo. 🗑 lo borra.
command-files = Tus archivos: ver, recordar, olvidar

# Links.

ask-about-links =
    { $count ->
        [one] ¿Qué hago con este enlace? { $links }
       *[other] ¿Qué hago con estos enlaces? { $links }
    }
link-wish-summary = Resumir
link-wish-keep = Recordar
link-wish-ignore = Ignorar
link-ignored = De acuerdo, lo dejo sin leer.
link-kept =
    { $count ->
        [one] He leído «{ $names }» y lo recuerdo. Pregúntame cuando quieras; /files lo muestra.
       *[other] He leído y recuerdo: { $names }. Pregúntame cuando quieras; /files los muestra.
    }
page-refused-private = No leo { $name }: lleva a una red privada.
page-refused-robots = No puedo leer { $name }: el sitio no admite programas ahí. Envíame su texto o la página como archivo.
page-refused-closed = { $name } solo está abierta a quien ha iniciado sesión. Envíame su texto o la página como archivo.
page-refused-gone = No hay ninguna página en { $name }. ¿Está completa la dirección?
page-refused-too-large = La página { $name } es demasiado grande para mí. Envíame la parte importante.
page-refused-too-long = La página { $name } es demasiado larga para mí. Envíame la parte importante.
page-refused-slow = { $name } tarda demasiado en responder. Prueba más tarde.
page-refused-away = No pude obtener { $name }: el sitio tiene problemas o no responde. Prueba más tarde.
page-refused-empty = No encontré texto en { $name }. Quizá la página solo lo muestra a personas o tras iniciar sesión. Envíame su texto.
page-refused-made-by-scripts = No veo texto en { $name }: la página solo se completa en un navegador. Envíame su texto, o guarda la página en un navegador y envía el archivo.
page-refused-consent = En { $name } solo veo una pregunta con botones, como la del consentimiento, y no la página que hay detrás. Envíame su texto o la página como archivo.
page-refused-unsupported = { $name } no es una página ni un documento que yo pueda leer.
page-refused-old-office = El archivo de { $name } está en un formato antiguo de Office que no puedo leer.
page-refused-archive = El archivo en { $name } está comprimido de una forma que no puedo abrir.
page-refused-encrypted = El archivo de { $name } está protegido con contraseña.
page-refused-damaged = El archivo de { $name } está dañado o no es lo que dice su nombre.
page-refused-too-many-links = No leí { $name }: este mensaje tiene más enlaces de los que puedo leer.

# The demo.
demo-about-stand-in = Esto es una demo en tu equipo. El bot es el de verdad; Telegram y el modelo de lenguaje son simulados, y este modelo solo puede citar. Para usar uno real: «Conectar un modelo», o OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = Esto es una demo en tu equipo. El bot y su modelo de lenguaje ({ $model }) son reales; Telegram es simulado.
demo-about-operator = Escribes como Ada, la operadora de este bot: /help muestra también lo que puede hacer un operador.
pages-skip = Ir al contenido
pages-elsewhere = Otras páginas
pages-sign-in = Inicia sesión
pages-from-elsewhere = Un enlace de otro sitio te ha traído aquí.
pages-open = Abrir la página
pages-not-for-you = No puedes ver esta página. Pide un rol al propietario del bot.
pages-problem = No ha funcionado
pages-problem-back = Vuelve atrás; lo que escribiste sigue ahí.
pages-gone = No encontrado
pages-gone-how = Aquí no hay nada, o ya no.
pages-later = El bot no puede responder en este momento. Vuelve a intentarlo en breve.
pages-unsent = No se ha enviado nada: no se puede acceder al bot. Inténtalo de nuevo.
pages-as-table = Como tabla
pages-cancel = Cancelar
pages-copy = Copiar
pages-copied = Copiado
pages-pages = Páginas de la lista
pages-first = Al principio
pages-next = Más
pages-search = Buscar

# The pages of users.
panel-save = Guardar
widget-unanswered = No llegó respuesta. Inténtalo de nuevo.
widget-wait = Tarda un poco más. Se hará.
