command-broadcast = Escrever para todos: /broadcast TEXTO
broadcast-usage = Escreva o texto depois do comando, por exemplo: /broadcast Vou ficar fora do ar ao meio-dia. Vou perguntar antes de enviar qualquer coisa.
broadcast-confirm =
    { $count ->
        [one] Enviar este texto a 1 usuário?
       *[other] Enviar este texto a { $count } usuários?
    }
broadcast-send = Enviar
broadcast-drop = Não enviar
broadcast-dropped = Nada foi enviado.
broadcast-sending = Estou enviando. O resultado vai aparecer aqui.
broadcast-cancel = Cancelar
broadcast-cancelling = Não vou enviar mais cópias.
broadcast-done = O envio terminou. Enviadas: { $sent }, bloqueadas: { $blocked }, com falha: { $failed }, de resultado incerto: { $unknown }, em espera: { $pending }.
broadcast-cancelled = O envio foi cancelado. Enviadas: { $sent }, bloqueadas: { $blocked }, com falha: { $failed }, de resultado incerto: { $unknown }, não enviadas: { $pending }.
