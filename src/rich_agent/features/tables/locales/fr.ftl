tool-query_tables = Calculs sur vos tableaux
doing-query_tables = Je calcule sur vos tableaux…
tables-computed =
    🧮 { $words } ({ $files }, { $count ->
        [one] { $count } ligne
       *[other] { $count } lignes
    })
