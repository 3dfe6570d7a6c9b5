tool-query_tables = Calcular con tus tablas
doing-query_tables = Calculando con tus tablas…
tables-computed =
    🧮 { $words } ({ $files }, { $count ->
        [one] { $count } fila
       *[other] { $count } filas
    })
