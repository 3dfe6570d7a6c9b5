command-broadcast = Escribir a todos: /broadcast TEXTO
broadcast-usage = Escribe el texto después del comando, por ejemplo: /broadcast A mediodía estaré fuera de servicio. Te preguntaré antes de enviar nada.
broadcast-confirm =
    { $count ->
        [one] ¿Enviar este texto a 1 usuario?
       *[other] ¿Enviar este texto a { $count } usuarios?
    }
broadcast-send = Enviar
broadcast-drop = No enviar
broadcast-dropped = No se envió nada.
broadcast-sending = Lo estoy enviando. Te diré el resultado aquí.
broadcast-cancel = Cancelar
broadcast-cancelling = No enviaré más copias.
broadcast-done = El envío ha terminado. Enviados: { $sent }, bloqueados: { $blocked }, fallidos: { $failed }, desconocidos: { $unknown }, en espera: { $pending }.
broadcast-cancelled = El envío se canceló. Enviados: { $sent }, bloqueados: { $blocked }, fallidos: { $failed }, desconocidos: { $unknown }, sin enviar: { $pending }.
