tool-query_tables = Calcolare con le tue tabelle
doing-query_tables = Calcolo con le tue tabelle…
tables-computed =
    🧮 { $words } ({ $files }, { $count ->
        [one] { $count } riga
       *[other] { $count } righe
    })
