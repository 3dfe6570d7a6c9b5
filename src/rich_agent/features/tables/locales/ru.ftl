tool-query_tables = Расчёты по вашим таблицам
doing-query_tables = Считаю по вашим таблицам…
tables-computed =
    🧮 { $words } ({ $files }, { $count ->
        [one] { $count } строка
        [few] { $count } строки
        [many] { $count } строк
       *[other] { $count } строки
    })
