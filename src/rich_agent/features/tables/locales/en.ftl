tool-query_tables = Computing over your tables
doing-query_tables = Computing over your tables…
tables-computed = 🧮 { $words } ({ $files }, { $count ->
    [one] { $count } row
   *[other] { $count } rows
})
