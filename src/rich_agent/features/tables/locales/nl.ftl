tool-query_tables = Rekenen met je tabellen
doing-query_tables = Ik reken met je tabellen…
tables-computed =
    🧮 { $words } ({ $files }, { $count ->
        [one] { $count } rij
       *[other] { $count } rijen
    })
