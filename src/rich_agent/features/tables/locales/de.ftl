tool-query_tables = Mit deinen Tabellen rechnen
doing-query_tables = Ich rechne mit deinen Tabellen…
tables-computed =
    🧮 { $words } ({ $files }, { $count ->
        [one] { $count } Zeile
       *[other] { $count } Zeilen
    })
