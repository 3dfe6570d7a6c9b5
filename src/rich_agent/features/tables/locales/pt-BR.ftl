tool-query_tables = Calcular com suas tabelas
doing-query_tables = Calculando com suas tabelas…
tables-computed =
    🧮 { $words } ({ $files }, { $count ->
        [one] { $count } linha
       *[other] { $count } linhas
    })
