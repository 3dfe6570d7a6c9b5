tool-query_tables = Obliczenia na Twoich tabelach
doing-query_tables = Liczę na Twoich tabelach…
tables-computed =
    🧮 { $words } ({ $files }, { $count ->
        [one] { $count } wiersz
        [few] { $count } wiersze
        [many] { $count } wierszy
       *[other] { $count } wiersza
    })
