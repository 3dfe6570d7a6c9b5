tool-query_tables = Обчислення за вашими таблицями
doing-query_tables = Рахую за вашими таблицями…
tables-computed =
    🧮 { $words } ({ $files }, { $count ->
        [one] { $count } рядок
        [few] { $count } рядки
        [many] { $count } рядків
       *[other] { $count } рядка
    })
