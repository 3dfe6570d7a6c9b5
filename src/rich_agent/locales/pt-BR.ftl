# The turn
greeting = Oi! Pergunte o que quiser sobre meus documentos ou envie uma foto. /help mostra o que eu sei fazer.
greeting-named = Oi, { $name }! Pergunte o que quiser sobre meus documentos ou envie uma foto. /help mostra o que eu sei fazer.
thanks-reply = De nada!
farewell-reply = Até logo! Escreva quando quiser.
help-reply = Faça uma pergunta completa, como “Quais são as suas fontes?”, ou envie uma foto e diga o que quer saber. /help lista tudo o que eu sei fazer.
laughter-reply = 😄
nothing-said = Esta mensagem não tem nenhuma palavra. Faça uma pergunta ou envie uma foto.
nothing-found = Não encontrei nada nos meus documentos.
nothing-found-files = Não encontrei nada nos seus arquivos.
nothing-found-answer = Não encontrei nada sobre isso nos meus documentos. Tente outras palavras ou pergunte “Quais são as suas fontes?” para ver do que eles tratam.
no-sources-yet = Ainda não tenho documentos, por isso não encontrei nada. Meu operador pode adicioná-los com `ingest add-source`.
question-shortened = Sua mensagem era longa demais para ler inteira, então li o começo e o fim.
look-left-out = Pesquisei meus documentos só uma vez, porque outra pesquisa demoraria demais.
nothing-cited-web = Nenhum resultado da web confirma isso.
unchecked = Não consegui conferir isto nas fontes. Li: { $sources }
refused-rag = Nada nos meus documentos responde a isso. Consultei:
refused-files = Nada nos seus arquivos responde a isso. Consultei:
refused-web = Os resultados da web não respondem a isso. Consultei:
refused-rag-web = Nem meus documentos nem a web respondem a isso. Consultei:
unsupported = Não está nas fontes; confira, por favor: { $claims }
contradicted = As fontes dizem outra coisa: { $claims }
unjudged = Não consegui conferir esta resposta com as fontes dela.
unjudged-claims = Não conferido nas fontes: { $claims }
uncomputed = Não calculado com todas as linhas da tabela, confira: { $claims }
catalogue-title = Meus documentos
catalogue-counts =
    { $sources ->
        [one] Uma fonte
       *[other] { $sources } fontes
    }, { $documents ->
        [one] um documento
       *[other] { $documents } documentos
    }. Títulos listados aqui: { $shown }.
catalogue-sources = Fontes
catalogue-source =
    { $name }: { $documents ->
        [one] um documento
       *[other] { $documents } documentos
    }
catalogue-source-internal =
    { $name } (sobre este assistente): { $documents ->
        [one] um documento
       *[other] { $documents } documentos
    }
catalogue-matching = Documentos que combinam com a sua pergunta
catalogue-others = Outros documentos
your-photo = Sua foto
web-unavailable = Não foi possível pesquisar na web.
look-failed = Não consegui olhar a imagem mais de perto, então isto se baseia na minha primeira olhada.
stopped = (interrompido)
early-end-length = A resposta ficou longa demais e termina aqui.
early-end-filtered = O filtro de conteúdo do servidor do modelo interrompeu esta resposta. Tente perguntar com outras palavras.
early-end-refused = O modelo de linguagem se recusou a responder a isso.
early-end-repeated = O modelo de linguagem se repetia sem parar, então eu o interrompi.
early-end-deadline = Isto demorou mais do que posso gastar com uma mensagem, então parei aqui.
answer-in-file = Esta resposta é longa. Acima está o começo; o arquivo abaixo contém a resposta inteira.
continue-button = Continuar
continue-wish = Continue sua resposta de onde parou.
stopped-at-once = Parei antes de escrever qualquer coisa.
web-nothing-found = A pesquisa na web não encontrou nada sobre isso.
ask-about-image =
    Vejo isto: { $seen }

    O que você gostaria de saber?

image-topic-describe = Descrever a imagem
image-topic-text = Ler o texto da imagem
image-topic-table = Explicar a tabela da imagem
image-topic-search = Pesquisar o que a imagem mostra

# Telegram
status-reading = Lendo seu arquivo…
status-looking = Olhando sua foto…
status-thinking = Pensando…
status-searching = Procurando…
status-searching-web = Pesquisando na web…
status-drafting = Escrevendo…
status-busy = O modelo de linguagem está ocupado. Vou esperar até um minuto…
status-held = O servidor do modelo não aceita mais pedidos por enquanto. Vou tentar de novo { $at } ({ $wait }) e responder aqui, então você não precisa perguntar outra vez. Se enviar mais mensagens, respondo a elas depois.
status-queued = Recebido. Respondo assim que terminar a mensagem anterior.
status-queued-elsewhere = Recebido. Ainda estou respondendo a você na web ou em outro programa; depois respondo a isto.
status-crowd = Recebido. Muita gente está me escrevendo agora. Seu lugar na fila: cerca de { $place }. Respondo assim que chegar a sua vez.
button-stop = Parar
stopping = Parando…
stopped-by-command = Parei.
question-dropped = Tudo bem, você não precisa responder à minha pergunta.
nothing-to-stop = Não estou escrevendo nada no momento.
stop-too-late = Esta resposta já está pronta.
too-many = Você enviou muitas mensagens de uma vez. Vou responder às anteriores primeiro. Quando eu terminar, envie de novo esta e as seguintes.
sources-heading = Fontes
source-web = { $label } (web)
sent-again = (Enviado de novo: o Telegram não confirmou a primeira tentativa.)
start = Oi! Respondo a perguntas com base nos meus documentos e mostro de onde vem cada resposta. Você também pode enviar uma foto e perguntar sobre ela, ou me contar o que tem para fazer. /help mostra mais.
start-named = Oi, { $name }! Respondo a perguntas com base nos meus documentos e mostro de onde vem cada resposta. Você também pode enviar uma foto e perguntar sobre ela, ou me contar o que tem para fazer. /help mostra mais.
start-examples = Toque em um assunto para experimentar:
help-heading = O que eu sei fazer
help =
    • Responder a perguntas com meus documentos, com fontes numeradas que você pode abrir.
    • Pesquisar na web quando meus documentos dizem pouco ou você pergunta sobre algo atual.
    • Ler arquivos que você envia (PDF, Word, Excel, PowerPoint, CSV e outros) e as páginas dos seus links. /files mostra a lista.
    • Olhar uma foto, um álbum ou um arquivo de imagem. Você também pode responder a uma foto com uma pergunta.
    • Lembrar o que você me conta sobre você. Outros usuários nunca veem isso.
help-end = É só escrever com as suas palavras.
help-commands = Comandos
unknown-command = O comando { $command } não existe. /help mostra o que eu sei fazer.
unknown-command-near = O comando { $command } não existe. Você quis dizer /{ $near }? /help lista todos os comandos.
button-outdated = Este botão não funciona mais.
cannot-read = Ainda não consigo ler esse tipo de mensagem. Envie um texto, uma foto ou um arquivo de imagem.
cannot-read-sticker =
    { $detail ->
        [blank] Não consigo ver o que há em uma figurinha.
       *[other] { $detail } – que legal! Mas não consigo ver o que há em uma figurinha.
    } Diga em palavras ou envie uma foto.
cannot-read-dice = { $detail } Eu não jogo, mas respondo a perguntas: é só escrever uma.
cannot-read-animation = Não consigo ver GIFs. Envie uma imagem parada ou pergunte em palavras.
cannot-read-video = Não consigo ver vídeos. Envie uma captura do momento em questão ou pergunte em palavras.
cannot-read-location = Não consigo olhar um mapa. Escreva o nome do lugar e o que quer saber sobre ele.
cannot-read-venue = Não consigo procurar um lugar no mapa. Escreva o nome dele e o que quer saber.
cannot-read-contact = Não consigo usar contatos e não guardei este. Escreva o que precisa.
cannot-read-poll = Não consigo votar em enquetes. Escreva a pergunta como texto e eu respondo.
cannot-read-story = Não consigo ver stories. Envie uma captura de tela ou pergunte em palavras.
unread-note = Não consegui ver: { $things }.
unread-animation = o GIF
unread-audio = o áudio
unread-checklist = a lista
unread-contact = o contato
unread-dice = o dado
unread-game = o jogo
unread-giveaway = o sorteio
unread-giveaway-winners = o sorteio
unread-invoice = a fatura
unread-live-photo = a foto ao vivo
unread-long-text = seu texto depois dos primeiros 16.000 caracteres
unread-location = a localização
unread-paid-media = a mídia paga
unread-photo = a foto
unread-poll = a enquete
unread-rich-message = a mensagem formatada
unread-sticker = a figurinha
unread-story = o story
unread-venue = o lugar
unread-video = o vídeo
unread-video-note = a mensagem de vídeo
unread-voice = a mensagem de voz
edit-too-late = Só respondo a edições da sua última pergunta. Envie a pergunta alterada como uma nova mensagem.
replaced = (substituída)
not-allowed = Este bot é privado. Para pedir acesso, envie este número ao operador dele: { $user_id }
apology-unavailable = Desculpe, tentei várias vezes e não consegui falar com o modelo de linguagem. Pergunte de novo em alguns minutos.
apology-download = Desculpe, tentei várias vezes e não consegui baixar seu arquivo do Telegram. Envie de novo em alguns minutos.
apology-credit = A conta do operador no servidor do modelo está sem crédito, então não posso responder. Só meu operador pode resolver. Envie /retry mais tarde e eu respondo a esta pergunta.
apology-key = O servidor do modelo não aceita a chave do meu operador, então não posso responder. Só meu operador pode resolver. Envie /retry mais tarde e eu respondo a esta pergunta.
model-away = O servidor do modelo não aceita mais pedidos até { $at }. Não posso esperar tanto. Envie /retry depois disso e eu respondo a esta pergunta.
apology-refused = Desculpe, o modelo de linguagem não aceitou o pedido. Meu operador pode ver o motivo no log.
apology-malformed = Desculpe, o modelo de linguagem deu uma resposta que não pude usar. Pergunte de novo, talvez com outras palavras.
apology-spent = Desculpe, tentei responder várias vezes e travei em todas. Deixei a pergunta separada para meu operador. A falha é minha, não das suas palavras.
aside-lesson = Desculpe, tentei várias vezes guardar na memória algo de uma mensagem anterior sua e travei. Deixei isso separado para meu operador.
aside-stream = Esta resposta não pode ser mostrada como de costume. Aqui está o texto sem formatação:
apology-internal = Desculpe, algo deu errado do meu lado e ficou registrado no log. Tente de novo.
limit-tokens = Você atingiu seu limite de hoje ({ $limit } tokens). Posso responder de novo { $at } ({ $wait }). Até lá, comandos como /status, /sources e /memory continuam funcionando.
limit-images =
    Você atingiu seu limite de hoje ({ $limit ->
        [one] 1 imagem
       *[other] { $limit } imagens
    }), então não olhei tudo o que enviou. Posso olhar imagens de novo { $at } ({ $wait }).
limit-searches =
    Você atingiu seu limite de hoje ({ $limit ->
        [one] 1 pesquisa na web
       *[other] { $limit } pesquisas na web
    }), então não pesquisei na web. Posso pesquisar de novo { $at } ({ $wait }).
limit-audio_seconds =
    Você atingiu seu limite de hoje ({ $limit ->
        [one] 1 segundo
       *[other] { $limit } segundos
    } de áudio), então não ouvi. Posso ouvir de novo { $at } ({ $wait }). Até lá, escreva para mim.
limit-wait = daqui a { $duration }
day-yesterday = ontem
day-today = hoje
day-tomorrow = amanhã
media-too-large = A gravação é grande demais: aceito arquivos de até 20 MB.
media-unreadable = Não consegui ler esta gravação; ela pode estar danificada. Envie de novo.
image-empty = A imagem está vazia. Envie de novo.
image-too-large = A imagem é grande demais: aceito arquivos de até 20 MB.
image-too-many-pixels = A imagem tem pixels demais. Envie uma versão menor.
image-unreadable = Não consegui ler a imagem; ela pode estar danificada. Envie de novo.
image-format = Não consigo ler esse formato de imagem. Envie JPEG, PNG ou WebP.
image-heif = Não consigo ler arquivos HEIC e AVIF. Envie a imagem como foto, não como arquivo: assim o Telegram converte.
image-animated = Não consigo ver imagens animadas. Envie uma imagem parada.
image-refused = Não consegui usar esta imagem. Envie outra.

# Commands
command-start = Comece aqui
command-help = O que eu sei fazer
command-new = Começar uma nova conversa
command-stop = Parar a resposta que estou escrevendo
command-retry = Responder de novo à sua última pergunta
command-sources = O que eu conheço
command-spaces = Espaços em que procuro
command-why = Como cheguei à última resposta
command-status = O que estou fazendo para você
command-language = Escolher o idioma dos meus menus
command-privacy = O que guardo sobre você
command-memory = O que lembro sobre você
command-export = Seus dados em um arquivo
command-forget = Apagar tudo sobre você
command-stats = Estatísticas de uso
command-approvals = Respostas que esperam aprovação
admins-only = Este comando é só para administradores.
database-away = Não consigo acessar meu banco de dados no momento. Tente de novo em um minuto.
button-not-yours = Este botão é de outra pessoa.
never = nunca
and-more = … e mais { $count }
privacy-heading = O que guardo sobre você
privacy =
    Guardo isto no banco de dados do meu operador, a pessoa ou empresa que me mantém no ar:
    • seu ID e nome do Telegram, suas mensagens e minhas respostas
    • o que lembro sobre você, e suas tarefas, notas e planos
    • o acesso à sua lista de tarefas, criptografado, se você conectar uma
    • uma impressão digital e uma descrição de cada foto, nunca a própria foto
    • o texto de arquivos, páginas e gravações que você envia, nunca o som
    • como decidi cada resposta, e seu 👍 ou 👎
    • quanto você usa por dia: tokens, imagens e pesquisas

    Para responder, envio sua mensagem, a conversa e os trechos que encontrei ao modelo de linguagem que meu operador escolheu. Outros usuários nunca veem nada disso.

new-conversation = Começamos uma nova conversa. Não uso mais o que conversamos antes, mas ainda lembro o que você me contou sobre você.
language = Em que idioma devem estar os menus e a ajuda? Minhas respostas seguem o idioma da sua pergunta.
language-auto = Automático
language-chosen =
    { $chosen ->
        [auto] Meus menus e avisos seguem o idioma do seu aplicativo do Telegram e das suas mensagens.
       *[other] A partir de agora meus menus e avisos estão em português. Minhas respostas continuam seguindo o idioma da sua pergunta.
    }
language-not-spoken = Ainda não falo esse idioma. Escolha um destes ou envie /language com o nome dele.
status-sound = Segundos de áudio ouvidos e falados hoje: { $seconds }.
sources-none = Ainda não tenho documentos. Meu operador pode adicioná-los com `ingest add-source`.
spaces = Você tem acesso a estes espaços dos meus documentos. Procuro nos que têm ✓; nos outros, só se você os citar. Toque em um para mudar isso.
spaces-none = Tudo o que consulto está disponível para todos que podem me usar.
sources-known =
    { $sources ->
        [one] Conheço 1 fonte
       *[other] Conheço { $sources } fontes
    } com { $documents ->
        [one] 1 documento
       *[other] { $documents } documentos
    } ({ $passages ->
        [one] 1 trecho
       *[other] { $passages } trechos
    }):
sources-line =
    • { $name }: { $documents ->
        [one] 1 documento
       *[other] { $documents } documentos
    }, { $passages ->
        [one] 1 trecho
       *[other] { $passages } trechos
    }, última sincronização: { $synced }
sources-line-internal =
    • { $name } (sobre mim): { $documents ->
        [one] 1 documento
       *[other] { $documents } documentos
    }, { $passages ->
        [one] 1 trecho
       *[other] { $passages } trechos
    }, última sincronização: { $synced }
passage-gone = Este trecho não está mais nos meus documentos.
passage-read = Ler o trecho
why-button = Por quê?
why-nothing = Ainda não respondi nada. Pergunte algo primeiro.
why-no-answer = Não sei como essa mensagem surgiu. Responda com /why a uma das minhas respostas.
why-heading = Como cheguei a esta resposta
why-done-direct = Respondi diretamente, sem consultar nada.
why-done-rag =
    { $read ->
        [0] Procurei nos meus documentos e não encontrei nada sobre isso.
        [one] Procurei nos meus documentos: li 1 trecho e citei { $cited }.
       *[other] Procurei nos meus documentos: li { $read } trechos e citei { $cited }.
    }
why-done-web =
    { $read ->
        [0] Pesquisei na web e não encontrei nada sobre isso.
        [one] Pesquisei na web: li 1 resultado e citei { $cited }.
       *[other] Pesquisei na web: li { $read } resultados e citei { $cited }.
    }
why-done-rag-web =
    { $read ->
        [0] Procurei nos meus documentos e depois na web, e não encontrei nada sobre isso.
        [one] Procurei nos meus documentos e depois na web: li 1 trecho e citei { $cited }.
       *[other] Procurei nos meus documentos e depois na web: li { $read } trechos e citei { $cited }.
    }
why-web-failed =
    { $read ->
        [0] Não consegui pesquisar na web.
        [one] Não consegui pesquisar na web; dos meus documentos li 1 trecho e citei { $cited }.
       *[other] Não consegui pesquisar na web; dos meus documentos li { $read } trechos e citei { $cited }.
    }
why-reason = O motivo: { $reason }
looked-for = Procurei: “{ $query }”
why-further-queries = Depois procurei: “{ $query }”
why-photo = Foto: olhei a foto
why-photo-asked = Foto: olhei de novo, com a sua pergunta
why-memory =
    Da memória: { $count ->
        [one] 1 coisa sobre você
       *[other] { $count } coisas sobre você
    } (veja /memory)
why-recalled = • { $text }
why-summary = Da memória: um resumo do que conversamos antes
why-past = De mensagens anteriores da nossa conversa:
why-past-turn = • { $date }: “{ $text }”
why-read-document =
    Documentos: { $read ->
        [0] nada encontrado
        [one] 1 trecho lido
       *[other] { $read } trechos lidos
    }
why-read-web =
    Web: { $read ->
        [0] nada encontrado
        [one] 1 resultado lido
       *[other] { $read } resultados lidos
    }
why-doubted =
    Verificação: { $count ->
        [one] 1 frase parecia duvidosa
       *[other] { $count } frases pareciam duvidosas
    }
why-planned = Ações pedidas diretamente na sua mensagem: { $count }
why-repaired = Verificação: a primeira versão não citava nada ou tinha uma frase sem fonte, então pedi ao modelo que escrevesse de novo
why-permitted = Ações feitas sem perguntar porque você sempre as permite (/tools): { $count }
why-unsupported =
    Verificação: { $count ->
        [one] 1 frase não tem
       *[other] { $count } frases não têm
    } fonte, como diz a resposta
why-contradicted =
    Verificação: { $count ->
        [one] 1 frase contradiz
       *[other] { $count } frases contradizem
    } as fontes, como diz a resposta
why-judged = Verificação: frases comparadas com as fontes: { $count }
why-unjudged = Verificação: frases que não puderam ser comparadas, como diz a resposta: { $count }
why-unsampled = Verificação: frases não comparadas, porque só uma parte das respostas é verificada: { $count }
why-second_look_failed = Problema: o modelo de planejamento não conseguiu verificar a resposta
why-check-left-out = Sem verificação por um modelo, porque demoraria demais
why-refused = Verificação: nada do que li confirma o que o modelo escreveu, então não mostrei
why-planner_failed = Problema: o modelo de planejamento não deu nenhum plano, então só procurei nos meus documentos
why-further_search_failed = Problema: o modelo de planejamento não conseguiu dizer o que ainda faltava
why-look-left-out = Sem outra pesquisa, porque demoraria demais
why-embedding_failed = Problema: só consegui pesquisar por palavras, não por significado
why-rerank_failed = Problema: a ordenação dos trechos falhou ou demorou demais, então eles ficaram na ordem da busca
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, citado)
why-models = Modelo: { $models }
why-calls = Chamadas ao modelo: { $calls }, das quais em sequência antes da primeira palavra: { $before }. Tokens lidos: { $read }, dos quais reaproveitados pelo servidor: { $cached }
why-times =
    { $steps ->
        [blank] Tempo: { $total } s
       *[other] Tempo: { $total } s ({ $steps })
    }
why-reference = Referência para o operador: { $request_id }
step-N1_ingest_input = leitura { $seconds }
step-N2_load_long_term_memory = memória { $seconds }
step-N13_read_files = leitura de arquivos { $seconds }
step-N3_vision_summarize = exame da imagem { $seconds }
step-N4_build_effective_query = planejamento { $seconds }
step-N5_retrieve = busca nos documentos { $seconds }
step-N14_search_further = mais busca { $seconds }
step-N8_web_search = pesquisa na web { $seconds }
step-N6_synthesize = redação { $seconds }
step-N7_persist = salvamento { $seconds }
step-N9_ask_back = pedido de esclarecimento { $seconds }
step-N10_take_answer = leitura da sua resposta { $seconds }
step-N11_request_approval = pedido de aprovação { $seconds }
rated = Obrigado pela sua opinião.
rated-down = Obrigado. Meu operador agora pode ler esta pergunta e a resposta.
rating-withdrawn = Removi sua opinião.
status-answering =
    Estou escrevendo uma resposta para você. { $waiting ->
        [0] Nenhuma outra mensagem está esperando.
        [one] Mais 1 mensagem está esperando.
       *[other] Mais { $waiting } mensagens estão esperando.
    }
status-waiting =
    { $waiting ->
        [0] Todas as suas mensagens foram respondidas.
        [one] 1 das suas mensagens espera resposta.
       *[other] { $waiting } das suas mensagens esperam resposta.
    }
status-use = Usado hoje: tokens { $tokens }, imagens { $images }, pesquisas na web { $searches }, chamadas de ferramentas conectadas { $tool_calls }. Um novo dia começa { $at } ({ $wait }).
use-free = { $used }
use-limited = { $used } de { $limit }
status-documents =
    Documentos: { $documents }, em { $passages ->
        [one] 1 trecho
       *[other] { $passages } trechos
    }; última sincronização: { $synced }
status-documents-away = Documentos: o banco de dados deles está inacessível no momento.
status-out-of-reach = ⚠️ Sem conexão ({ $duration }): { $problem }
status-models = Modelos: { $chat } escreve, { $vision } olha as imagens
status-version = rich-agent { $version }
memory-empty = Ainda não lembro nada sobre você. Conte algo sobre você e eu vou lembrar.
memory-known =
    { $count ->
        [one] Lembro de 1 coisa sobre você. Toque no número para eu esquecer.
       *[other] Lembro de { $count } coisas sobre você. Toque em um número para eu esquecer essa.
    }
memory-facts = Fatos
memory-preferences = Preferências
memory-tasks = Tarefas
memory-past = no passado
memory-planned = planejado
memory-item = { $text } ({ $told })
memory-item-due = { $text } – até { $due } ({ $told })
memory-deleted = Esquecido. As mensagens em que você me contou isso continuam na nossa conversa. Escreva “esqueça…” para apagá-las também.
forgetting-told = Devo esquecer isto?
forgetting-everything =
    Devo esquecer tudo o que você me contou e o que conversamos? São { $memory ->
        [one] 1 coisa que lembro
       *[other] { $memory } coisas que lembro
    } e { $messages ->
        [one] 1 mensagem com a resposta.
       *[other] { $messages } mensagens com as respostas.
    }
forgetting-named = Estes só mencionam isso. Ficam, a menos que você queira que eu os esqueça também:
forgetting-only-named = Não encontrei nada que seja claramente sobre isso. Devo esquecer o que segue, que só menciona isso?
forgetting-of-memory = O que lembro:
forgetting-of-thing = Suas tarefas, notas e planos:
forgetting-of-file = Seus arquivos:
forgetting-of-message = Suas mensagens, com minhas respostas:
forgetting-of-summary = No resumo do que conversamos antes:
forgetting-more =
    { $count ->
        [one] … e mais 1.
       *[other] … e mais { $count }.
    }
forgetting-final = Isto não pode ser desfeito. Toque em um botão.
forgetting-yes = Esquecer
forgetting-yes-all = Esquecer tudo isto
forgetting-no = Manter tudo
forgetting-done =
    Esquecido: { $memory ->
        [one] 1 coisa de que eu me lembrava
       *[other] { $memory } coisas de que eu me lembrava
    } e { $messages ->
        [one] 1 mensagem com a resposta
       *[other] { $messages } mensagens com as respostas
    }. Saíram da minha memória, da nossa conversa, do resumo dela, do histórico arquivado e do registro que /export mostra. O que você vê neste chat fica até você apagar no Telegram.
forgetting-left =
    { $count ->
        [one] 1 coisa que só menciona isso fica, como você escolheu.
       *[other] { $count } coisas que só mencionam isso ficam, como você escolheu.
    }
forgetting-done-everything = Suas configurações, suas opiniões e o registro do seu uso ficam; /forget também os apaga.
forgetting-nothing = Não encontrei nada sobre isso, nem no que lembro nem na nossa conversa, então nada foi apagado. /memory mostra o que lembro sobre você.
forgetting-failed = Não consegui descobrir o que você quer que eu esqueça, porque meu modelo falhou. Nada foi apagado. Tente mais tarde ou use /memory e /forget.
forgetting-kept = Nada foi apagado.
forgetting-wish = (Um pedido para esquecer algo. As palavras não são guardadas.)
planner-failed-note = Meu modelo de planejamento falhou. Se você pediu para fazer ou esquecer algo, nada foi feito nem apagado: peça de novo ou use /memory e /forget.
planner-failed-still = Nada foi feito nem apagado.
exported =
    Isto é tudo o que guardo sobre você: { $messages ->
        [one] 1 mensagem
       *[other] { $messages } mensagens
    }, { $decisions ->
        [one] 1 decisão
       *[other] { $decisions } decisões
    }{ $images ->
        [0] {""}
        [one] , 1 resumo de imagem
       *[other] , { $images } resumos de imagens
    }, o que lembro, e suas tarefas, notas e planos. O arquivo é JSON.
forget-confirm =
    Quer que eu apague tudo o que guardo sobre você? Isso inclui nossa conversa, o que lembro sobre você, suas tarefas, notas e planos, como decidi cada resposta, suas opiniões, as descrições das suas fotos, o texto dos seus arquivos e gravações e suas configurações.

    Isto não pode ser desfeito. As mensagens deste chat ficam até você apagá-las no Telegram. Para ter uma cópia dos seus dados, envie /export antes.

forget-yes = Sim, apagar tudo
forget-no = Não, manter
forget-wish = Esqueça o que eu disse sobre { $what }
command-alone = Não fiz nada: { $command } não aceita texto depois. Se é isso que você quer, envie só o comando.
secret-delete-yourself = Não consegui apagar sua mensagem. Ela contém sua senha, então apague a mensagem, por favor.
forget-kept = Nada foi apagado.
forgotten = Tudo o que eu guardava sobre você foi apagado. Se escrever de novo, começamos do zero.
confirmation-over = Esta pergunta expirou. Envie o comando de novo.
nothing-to-retry = Não há pergunta para responder de novo. Pergunte algo primeiro.
stats-heading = Estatísticas
stats-users = Usuários: { $known }; { $day } no último dia, { $week } em 7 dias; { $blocking } me bloquearam
stats-turns = Respostas: { $day } no último dia, { $week } em 7 dias
stats-plans = Planos, 7 dias: { $plans }
stats-plan-direct = direto { $count }
stats-plan-rag = documentos { $count }
stats-plan-web = web { $count }
stats-plan-rag-web = documentos e web { $count }
stats-times = Tempo de uma resposta, 7 dias: p50 { $p50 } s, p95 { $p95 } s
stats-failures = Falhas: { $broken } respostas interrompidas e { $undelivered } mensagens não entregues em 7 dias, { $dead } atualizações abandonadas
stats-feedback = Opiniões: 👍 { $up }, 👎 { $down }
stats-use-day = Usado hoje (UTC): tokens { $tokens }, imagens { $images }, pesquisas na web { $searches }; { $cost }
stats-use-week = Usado, 7 dias: tokens { $tokens }, imagens { $images }, pesquisas na web { $searches }; { $cost }
stats-cached = Dos tokens lidos, o servidor já tinha lido: { $share } %
stats-cost = custo { $cost }
stats-cost-partly = custo { $cost }, sem { $models } (nenhum preço definido)
stats-cost-unknown = nenhum preço definido (MODEL_PRICES)
stats-price-table = Preços não definidos em MODEL_PRICES: { $table }
stats-top-users = Mais tokens, 7 dias: { $users }
stats-inbox = Atualizações em espera: { $pending }
stats-approvals = Esperando aprovação: { $count } (/approvals)

# Approval
approval-waiting = Uma pessoa lê respostas deste tipo antes de eu enviar. A sua está em análise, e eu envio assim que for aprovada. Enquanto isso, você pode continuar escrevendo.
approval-review =
    A resposta { $number } espera sua aprovação.
    De: { $user }
    Tipo: { $intent }
    Pergunta: { $question }

    O rascunho está abaixo. Responda a ele com um texto corrigido ou use os botões.

button-approve = Aprovar
button-correct = Editar
button-reject = Rejeitar
approval-correction = Resposta { $number }: responda a esta mensagem com o texto corrigido. O usuário vai lê-lo como está.
approval-reason = Resposta { $number }: responda a esta mensagem com o motivo da rejeição. O usuário vai ler.
approval-words-missing = Preciso disso em texto. Responda de novo à mesma mensagem.
approval-is-approved =
    { $by ->
        [you] ✓ Aprovada por você.
       *[other] ✓ Aprovada por { $admin }.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ Enviada com o seu texto.
       *[other] ✎ Enviada com o texto de { $admin }.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ Rejeitada por você.
       *[other] ✗ Rejeitada por { $admin }.
    }
approval-is-expired = Não houve decisão a tempo. Avisei o usuário.
approval-is-withdrawn = O usuário mudou a pergunta, então este rascunho não é mais necessário.
approval-approved = Esta resposta foi revisada e aprovada.
approval-corrected = Esta resposta foi revisada e corrigida.
approval-rejected = Desculpe, não posso dar uma resposta a isso. O motivo: { $reason }
approval-expired = Desculpe, minha resposta não foi revisada a tempo. Pergunte de novo mais tarde.
approvals-known =
    { $count ->
        [0] Nenhuma resposta espera aprovação.
        [one] 1 resposta espera aprovação:
       *[other] { $count } respostas esperam aprovação:
    }
approvals-line = • { $number }, desde { $since }, de { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = como planejado
reason-greeting = uma saudação
reason-farewell = uma despedida
reason-thanks = um agradecimento
reason-help = um pedido de ajuda
reason-laughter = uma risada
reason-reaction = um emoji
reason-silence = a mensagem não tem palavras para pesquisar
reason-number = um número ou um cálculo
reason-known_word = uma palavra que aparece nos meus documentos
reason-forget_wish = um pedido para esquecer algo
reason-stopped = você interrompeu antes do planejamento
reason-no_web = nenhuma pesquisa na web está configurada
reason-no_plan = o modelo de planejamento não deu nenhum plano, então procurei nos meus documentos e não na web
reason-file_read = a mensagem é sobre um arquivo que você enviou
reason-file_refused = nenhum dos arquivos que você enviou pode ser lido
reason-about_bot = perguntas sobre mim são respondidas com o meu próprio manual
reason-about_now = a resposta depende do momento atual, então pesquisei na web
reason-documents_first = meus documentos vêm antes da web
reason-documents_may_say = meus documentos podem responder
reason-documents_wanted = você perguntou o que os documentos dizem
reason-web_ruled_out = a mensagem pode ser particular, então não pesquisei na web
reason-say_little = meus documentos dizem pouco sobre isso, então pesquisei também na web
reason-say_little_on = meus documentos dizem pouco sobre “{ $subject }”, então pesquisei também na web

# Alerts for admins
alert-credit = ⚠️ A conta no servidor do modelo está sem crédito ({ $service }), então não posso responder a ninguém. { $hint } Depois execute `rich-agent inbox replay --all` para que as perguntas perdidas sejam respondidas. Envio este aviso no máximo uma vez por hora.
alert-key = ⚠️ O servidor do modelo não aceita a chave ({ $service }), então não posso responder a ninguém. { $hint } Depois execute `rich-agent inbox replay --all` para que as perguntas perdidas sejam respondidas. Envio este aviso no máximo uma vez por hora.
alert-away = ⚠️ O servidor do modelo ({ $service }) não aceita mais pedidos até { $at }. Os usuários são avisados para perguntar depois disso. Para evitar, aumente o limite ou use outro servidor. Envio este aviso no máximo uma vez por hora.
alert-lesson = ⚠️ Tentei por dias atualizar a memória de um usuário a partir de uma mensagem e desisti. O log diz por quê. Envio este aviso no máximo uma vez por hora.
alert-refused = ⚠️ O servidor do modelo recusa um dos meus pedidos: { $problem } { $hint } Continuo da melhor forma possível sem ele. Envio este aviso no máximo uma vez por hora.

# Tools: what each is for, and what is happening while it runs.
status-acting = Usando { $tool }…
tool-list_files = Seus arquivos
tool-undo_last_change = Desfazer a última alteração
tool-search_documents = Documentos
tool-search_web = Pesquisa na web
tool-request_more_information = Uma pergunta para você
doing-list_files = Olhando seus arquivos…
doing-undo_last_change = Desfazendo a última alteração…
doing-search_documents = Procurando nos documentos…
doing-search_web = Pesquisando na web…
approve-calls = Eu gostaria de fazer isto. Posso?
approve-not-planned = Você não pediu isto na sua mensagem. Confira com atenção.
approve-yes = Aprovar
approve-no = Cancelar
approve-words-yes = sim|ok|pode|pode fazer
approve-words-no = não|nao|cancelar
card-labelled = { $label }: { $text }
card-not-done = Não foi feito.
approve-adjust = Ajustar
approve-how-to-adjust = Escreva o que mudar e eu proponho de novo.
approve-always = Sempre para isto
approve-always-same = “{ $always }” aprova, e daí em diante a mesma chamada é feita sem perguntar. Com /tools você desfaz isso.
approve-always-alike = “{ $always }” aprova, e daí em diante as chamadas com os mesmos valores de { $fixed } são feitas sem perguntar, seja qual for o resto. Com /tools você desfaz isso.
web-approve-in-words = Responda com “{ $yes }” ou “{ $no }”, ou escreva o que mudar.
card-characters-left-out = Mais caracteres: { $count }
card-arguments-left-out = Mais dados: { $count }
card-in-file = Nem tudo cabe aqui. O arquivo “approval.txt” tem o texto inteiro. Leia-o antes de decidir.
card-copied-from = Copiado de: { $sources }
copied-user = sua mensagem
copied-memory = o que guardo para você
copied-assistant = uma resposta anterior
copied-operator = quem administra o bot
copied-document = documento
copied-page = página da web
copied-file = arquivo
copied-server = outro programa
copied-other = outra pessoa
card-takes-back = Desfaz
argument-duration = Duração
argument-yes = sim
argument-no = não
argument-none = nenhum
approve-cancelled = Cancelado. Nada foi alterado.
acting-limit-calls = Cheguei ao limite de 10 ações por mensagem. Escreva “continue” se faltar algo.
acting-limit-errors = Algo falhou três vezes seguidas, então parei. Nada mais foi alterado.
undo-button = Desfazer
undo-done = Desfeito:
undo-too-late = Isto não pode mais ser desfeito.
step-N12_act = ação { $seconds }

reason-in_group = em grupos só respondo com meus documentos
reason-link_ignored = você não queria que eu lesse o link
reason-link_kept = você queria que eu guardasse a página
reason-link_read = a página do seu link foi lida
reason-in_session = esta mensagem pertence a uma sessão guiada
reason-session_left = você quis encerrar a sessão guiada

timeline-left-out =
    { $count ->
        [one] e mais um
       *[other] e mais { $count }
    }
command-timezone = Escolher seu fuso horário
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [one] a cada hora
           *[other] a cada { $count } horas
        }
        [daily] { $count ->
            [one] todo dia
           *[other] a cada { $count } dias
        }
        [weekly] { $count ->
            [one] toda semana
           *[other] a cada { $count } semanas
        }
        [monthly] { $count ->
            [one] todo mês
           *[other] a cada { $count } meses
        }
       *[yearly] { $count ->
            [one] todo ano
           *[other] a cada { $count } anos
        }
    }
time-zone-none = Ainda não sei qual é o seu fuso horário. Escolha aqui ou envie /timezone com um nome como America/Sao_Paulo.
time-zone = Seu fuso horário é { $zone }. Hora local: { $now }. Para mudar, envie /timezone com outro nome.
time-zone-chosen = Seu fuso horário é { $zone }. Hora local: { $now }. Os lembretes repetidos seguem esse fuso.
time-zone-near = Não conheço o fuso horário { $name }. Você quis dizer um destes?
time-zone-which = { $name } tem vários fusos horários. Qual é o seu?
time-zone-unknown = Não conheço o fuso horário { $name }. O nome tem uma região e uma cidade, como America/Sao_Paulo.

# The page of a passage.
passage-place = { $source } · trecho { $position } de { $count }
passage-before = ← Anterior
passage-after = Próximo →

# The page of a browser while the bot starts.
bot-starting = O bot está iniciando…

# Calls that a user permitted for good (/tools).
command-tools = Ver o que posso fazer sem perguntar a você
tools-none = Você ainda não permitiu nenhuma ação sem confirmação. Quando eu pedir confirmação antes de uma ação, “Sempre para isto” passa a permiti-la, onde for seguro.
tools-about = Estas ações são feitas sem perguntar a você. ✕ retira uma permissão, e /tools com o número dela também.
tools-given-on = permitido: { $day }
tools-used = usos: { $count }
tools-any = qualquer
tools-changed = A ferramenta mudou desde então, por isso vou perguntar de novo.
tools-take-all-back = Retirar todas
tools-taken-back = Permissão retirada. Antes de uma ação dessas, vou perguntar de novo.

# Outside Telegram.
only-in-telegram = Isso só funciona por inteiro no Telegram: envie { $command } lá.

run-not-latest = Só a pergunta mais recente de uma conversa pode ser respondida de novo.

# What is asked in groups.

guest-user-limit = Você usou todas as suas perguntas em grupos por hoje. Pergunte em um chat privado.
guest-group-limit = Este grupo fez muitas perguntas na última hora. Tente mais tarde ou pergunte em um chat privado.
guest-withheld = Não posso responder a isso em um grupo. Pergunte em um chat privado.
guest-answer-cut = Este é o começo de uma resposta mais longa. Para ler tudo, pergunte em um chat privado.
guest-answered-privately = Respondi a você no nosso chat privado.
## Files

file-page = página { $number }
file-sheet-named = planilha { $heading }
file-sheet-numbered = planilha { $number }
file-slide-named = slide { $number }: { $heading }
file-slide-numbered = slide { $number }
ask-about-files =
    { $count ->
        [one] Li { $names }. O que você gostaria de saber?
       *[other] Li { $names }. O que você gostaria de saber sobre esses arquivos?
    }
file-topic-summary = Resumir
file-topic-points = Listar os pontos principais
file-read-whole = Li { $name } por inteiro.
file-macros = As macros de { $name } não foram executadas.
file-read-in-parts =
    Li { $name } por inteiro, em { $parts ->
        [one] uma parte
       *[other] { $parts } partes
    }.
file-read-partly = { $name } é longo: li { $read } das { $units } partes. Pergunte sobre o resto ou sobre uma parte.
file-searched = { $name } é longo: procurei nele o que você perguntou e não li tudo.
file-parts-unread = Não consigo ler { $parts } de { $name }.
file-part-attachment =
    { $count ->
        [one] { $count } anexo
       *[other] { $count } anexos
    }
file-part-chart =
    { $count ->
        [one] { $count } gráfico
       *[other] { $count } gráficos
    }
file-part-diagram =
    { $count ->
        [one] { $count } diagrama
       *[other] { $count } diagramas
    }
file-part-drawing =
    { $count ->
        [one] { $count } desenho
       *[other] { $count } desenhos
    }
file-part-equation =
    { $count ->
        [one] { $count } equação
       *[other] { $count } equações
    }
file-part-field =
    { $count ->
        [one] { $count } campo de formulário
       *[other] { $count } campos de formulário
    }
file-part-file =
    { $count ->
        [one] { $count } arquivo
       *[other] { $count } arquivos
    }
file-part-formula =
    { $count ->
        [one] { $count } fórmula sem resultado salvo
       *[other] { $count } fórmulas sem resultado salvo
    }
file-part-letter =
    { $count ->
        [one] { $count } caractere
       *[other] { $count } caracteres
    }
file-part-object =
    { $count ->
        [one] { $count } objeto incorporado
       *[other] { $count } objetos incorporados
    }
file-part-page =
    { $count ->
        [one] { $count } página sem texto
       *[other] { $count } páginas sem texto
    }
file-part-picture =
    { $count ->
        [one] { $count } imagem
       *[other] { $count } imagens
    }
file-part-remark =
    { $count ->
        [one] { $count } comentário
       *[other] { $count } comentários
    }
file-part-row =
    { $count ->
        [one] { $count } linha
       *[other] { $count } linhas
    }
file-part-sheet =
    { $count ->
        [one] { $count } planilha
       *[other] { $count } planilhas
    }
file-part-slide =
    { $count ->
        [one] { $count } slide sem texto
       *[other] { $count } slides sem texto
    }
file-refused-too-large = “{ $name }” tem mais de 20 MB, mais do que o Telegram me deixa baixar. Envie um arquivo menor ou divida-o.
file-refused-too-long = “{ $name }” é longo demais para ler. Envie a parte importante como um arquivo separado.
file-refused-unsupported = Não consigo ler “{ $name }”. Leio PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, EML, MSG, MHTML, ZIP e texto simples. Salve em um desses formatos e envie de novo.
file-refused-old-office = “{ $name }” está em um formato antigo do Office. Salve como DOCX, XLSX, PPTX ou PDF e envie de novo.
file-refused-archive = “{ $name }” está compactado de um jeito que não consigo abrir. Envie como ZIP ou envie os arquivos que estão nele.
file-refused-encrypted = “{ $name }” está protegido com senha. Salve sem senha e envie de novo.
file-refused-empty = Não encontrei texto em “{ $name }”. Se há algo nele, envie como PDF ou como fotos.
file-refused-damaged = “{ $name }” está danificado ou não é o que o nome diz. Abra, salve de novo e envie a nova cópia.
file-refused-gone = Não consegui obter “{ $name }”: não está mais disponível. Envie de novo.
file-keep-button = Lembrar
file-only-here-button = Só aqui
file-kept =
    { $count ->
        [one] Vou lembrar deste arquivo. /files o mostra.
       *[other] Vou lembrar destes arquivos. /files os mostra.
    }
file-not-kept =
    { $count ->
        [one] Vou esquecer este arquivo com esta conversa (/new).
       *[other] Vou esquecer estes arquivos com esta conversa (/new).
    }
file-forgotten = Esquecido.
files-none = Você não tem arquivos aqui. Envie um: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV ou texto.
files-title =
    { $count ->
        [one] Seu arquivo:
       *[other] Seus { $count } arquivos:
    }
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, lembrado
files-line-unread = Não lido: { $parts }.
files-hint = 📌 guarda um arquivo para além desta conversa, ou deixa de guardar. 🗑 apaga.
command-files = Seus arquivos: ver, lembrar, esquecer

# Links.

ask-about-links =
    { $count ->
        [one] O que faço com este link? { $links }
       *[other] O que faço com estes links? { $links }
    }
link-wish-summary = Resumir
link-wish-keep = Lembrar
link-wish-ignore = Ignorar
link-ignored = Tudo bem, deixo sem ler.
link-kept =
    { $count ->
        [one] Li “{ $names }” e vou lembrar. Pergunte quando quiser; /files mostra.
       *[other] Li e vou lembrar: { $names }. Pergunte quando quiser; /files mostra.
    }
page-refused-private = Não leio { $name }: leva a uma rede privada.
page-refused-robots = Não posso ler { $name }: o site não permite programas ali. Envie o texto ou a página como arquivo.
page-refused-closed = { $name } só está aberta a quem fez login. Envie o texto ou a página como arquivo.
page-refused-gone = Não há página em { $name }. O endereço está completo?
page-refused-too-large = A página { $name } é grande demais para mim. Envie a parte importante.
page-refused-too-long = A página { $name } é longa demais para mim. Envie a parte importante.
page-refused-slow = { $name } demora demais para responder. Tente mais tarde.
page-refused-away = Não consegui abrir { $name }: o site está com problemas ou fora do ar. Tente mais tarde.
page-refused-empty = Não encontrei texto em { $name }. Talvez a página só o mostre a pessoas ou depois do login. Envie o texto.
page-refused-made-by-scripts = Não vejo texto em { $name }: a página só se completa no navegador. Envie o texto, ou salve a página no navegador e envie o arquivo.
page-refused-consent = Em { $name } vejo só uma pergunta com botões, como a de consentimento, e não a página por trás. Envie o texto ou a página como arquivo.
page-refused-unsupported = { $name } não é uma página ou um documento que eu consiga ler.
page-refused-old-office = O arquivo em { $name } está em um formato antigo do Office, que não consigo ler.
page-refused-archive = O arquivo em { $name } está compactado de um jeito que não consigo abrir.
page-refused-encrypted = O arquivo em { $name } está protegido com senha.
page-refused-damaged = O arquivo em { $name } está danificado ou não é o que o nome diz.
page-refused-too-many-links = Não li { $name }: são mais links do que leio por mensagem.

# The demo.
demo-about-stand-in = Esta é uma demonstração no seu computador. O bot é o verdadeiro; o Telegram e o modelo de linguagem são simulados, e este modelo só sabe citar. Para usar um de verdade: “Conectar um modelo”, ou OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = Esta é uma demonstração no seu computador. O bot e o modelo de linguagem dele ({ $model }) são de verdade; o Telegram é simulado.
demo-about-operator = Você escreve como Ada, a operadora deste bot: /help mostra também o que um operador pode fazer.
pages-skip = Ir para o conteúdo
pages-elsewhere = Outras páginas
pages-sign-in = Entre na sua conta
pages-from-elsewhere = Um link de outro site trouxe você até aqui.
pages-open = Abrir a página
pages-not-for-you = Você não pode ver esta página. Peça uma função ao dono do bot.
pages-problem = Não deu certo
pages-problem-back = Volte; o que você digitou continua lá.
pages-gone = Não encontrado
pages-gone-how = Não há nada aqui, ou não há mais.
pages-later = O bot não pode responder no momento. Tente de novo em instantes.
pages-unsent = Nada foi enviado: o bot está fora de alcance. Tente de novo.
pages-as-table = Como tabela
pages-cancel = Cancelar
pages-copy = Copiar
pages-copied = Copiado
pages-pages = Páginas da lista
pages-first = Ao início
pages-next = Mais
pages-search = Buscar

# The pages of users.
panel-save = Salvar
widget-unanswered = Não houve resposta. Tente de novo.
widget-wait = Isto demora um pouco mais. Será feito.
