tool-query_tables = الحساب في جداولك
doing-query_tables = أحسب في جداولك…
tables-computed =
    🧮 { $words } ({ $files }، { $count ->
        [zero] لا صفوف
        [one] صف واحد
        [two] صفّان
        [few] { $count } صفوف
        [many] { $count } صفًا
       *[other] { $count } صف
    })
