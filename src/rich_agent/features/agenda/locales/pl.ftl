command-tasks = Twoje zadania
command-today = Co jest na dziś
command-notes = Twoje notatki
agenda-help = • Prowadzę Twoje zadania, notatki i plan dnia: napisz, co masz do zrobienia. /today pokazuje, co jest na dziś.

# Tools: what each is for, and what is happening while it runs.
tool-get_tasks = Twoje zadania
tool-get_task_details = Szczegóły zadania
tool-create_task = Dodanie zadania
tool-update_task = Zmiana zadania
tool-delete_task = Usunięcie zadania
tool-get_projects = Twoje projekty
tool-create_project = Dodanie projektu
tool-update_project = Zmiana projektu
tool-get_goals = Twoje cele
tool-create_goal = Dodanie celu
tool-update_goal = Zmiana celu
tool-get_daily_schedule = Twój plan dnia
tool-create_schedule_block = Wpis w planie dnia
tool-get_recent_notes = Twoje notatki
tool-create_note = Nowa notatka
doing-get_tasks = Przeglądam Twoje zadania…
doing-get_task_details = Sprawdzam zadanie…
doing-create_task = Dodaję zadanie…
doing-update_task = Zmieniam zadanie…
doing-delete_task = Usuwam zadanie…
doing-get_projects = Przeglądam Twoje projekty…
doing-create_project = Dodaję projekt…
doing-update_project = Zmieniam projekt…
doing-get_goals = Przeglądam Twoje cele…
doing-create_goal = Dodaję cel…
doing-update_goal = Zmieniam cel…
doing-get_daily_schedule = Sprawdzam Twój plan dnia…
doing-create_schedule_block = Dodaję do planu dnia…
doing-get_recent_notes = Przeglądam Twoje notatki…
doing-create_note = Piszę notatkę…

# Arguments of the tools, and values of arguments.
argument-title = Tytuł
argument-description = Opis
argument-project_id = Projekt
argument-priority = Priorytet
argument-due_date = Termin
argument-estimated_minutes = Czas w minutach
argument-task_type = Rodzaj zadania
argument-parent_id = Część zadania
argument-recurrence = Powtarzanie
argument-task_id = Zadanie
argument-status = Stan
argument-is_archived = W archiwum
argument-reason = Powód
argument-name = Nazwa
argument-importance = Ważność
argument-action_plan = Plan
argument-goal_id = Cel
argument-timeframe = Okres
argument-target_date = Data docelowa
argument-progress = Postęp w procentach
argument-date = Dzień
argument-start_time = Początek
argument-duration_minutes = Minuty
argument-block_type = Rodzaj bloku
argument-content = Treść
argument-folder_id = Folder
value-low = niski
value-medium = średni
value-high = wysoki
value-urgent = pilny
value-today = dzisiaj
value-next-actions = następne działania
value-someday-maybe = kiedyś, być może
value-wait-for = czeka na innych
value-routine = rutyna
value-daily = codziennie
value-weekly = co tydzień
value-monthly = co miesiąc
value-quarterly = co kwartał
value-yearly = co rok
value-work = praca
value-break = przerwa
value-meeting = spotkanie
value-personal = prywatne
value-todo = otwarte
value-in-progress = w toku
value-blocked = zablokowane
value-done = zrobione

# What was done to tasks, projects, goals, notes and the schedule, and what was undone.
agenda-task-created = Dodano zadanie „{ $title }”.
agenda-task-create-undone = Usunięto zadanie „{ $title }”.
agenda-task-updated = Zmieniono zadanie „{ $title }”.
agenda-task-done = Zrobione: „{ $title }”.
agenda-task-done-again = Zrobione: „{ $title }”. Następny termin: { $date }.
agenda-task-update-undone = Przywrócono poprzedni stan zadania „{ $title }”.
agenda-task-changed-since = Zadanie „{ $title }” zostało w międzyczasie zmienione, więc zostaje, jak jest.
agenda-task-deleted = Usunięto zadanie „{ $title }”.
agenda-task-delete-undone = Przywrócono zadanie „{ $title }”.
agenda-project-created = Utworzono projekt „{ $name }”.
agenda-project-updated = Zmieniono projekt „{ $name }”.
agenda-project-update-undone = Przywrócono poprzedni stan projektu „{ $name }”.
agenda-project-changed-since = Projekt „{ $name }” został w międzyczasie zmieniony, więc zostaje, jak jest.
agenda-project-create-undone = Usunięto projekt „{ $name }”.
agenda-goal-created = Ustawiono cel „{ $title }”.
agenda-goal-create-undone = Usunięto cel „{ $title }”.
agenda-goal-updated = Zmieniono cel „{ $title }”: { $progress }%.
agenda-goal-update-undone = Przywrócono poprzedni stan celu „{ $title }”.
agenda-goal-changed-since = Cel „{ $title }” został w międzyczasie zmieniony, więc zostaje, jak jest.
agenda-note-created = Zapisano notatkę „{ $title }”.
agenda-note-create-undone = Usunięto notatkę „{ $title }”.
agenda-block-created = Dodano do planu dnia: { $span } { $title }.
agenda-block-create-undone = Usunięto z planu dnia: { $span } { $title }.

# The lists of /tasks, /today and /notes.
agenda-tasks-all =
    { $count ->
        [one] 1 otwarte zadanie
        [few] { $count } otwarte zadania
        [many] { $count } otwartych zadań
       *[other] { $count } otwartego zadania
    }
agenda-tasks-today =
    { $count ->
        [one] 1 zadanie na dziś
        [few] { $count } zadania na dziś
        [many] { $count } zadań na dziś
       *[other] { $count } zadania na dziś
    }
agenda-tasks-schedule = Plan dnia
agenda-timeline-button = Jako obraz
agenda-timeline-empty = Na ten dzień nie ma już nic w planie.
agenda-tasks-all-empty = Nie masz otwartych zadań. Napisz „muszę …”, a dodam zadanie.
agenda-tasks-today-empty = Na dziś nie ma nic. /tasks pokazuje wszystkie Twoje zadania.
agenda-task-due = termin { $date }
agenda-task-overdue = po terminie ({ $date })
agenda-task-high = ważne
agenda-task-urgent = pilne
agenda-task-in-progress = w toku
agenda-task-blocked = zablokowane
agenda-task-tomorrow = Jutro { $number }
agenda-task-unchanged = Tego zadania nie ma już na liście.
agenda-notes-heading =
    { $count ->
        [one] 1 notatka
        [few] { $count } notatki
        [many] { $count } notatek
       *[other] { $count } notatki
    }
agenda-notes-empty = Nie masz notatek. Napisz „zanotuj, że …”, a utworzę notatkę.
agenda-notes-folder-empty = Folder „{ $folder }” jest pusty. Poproś mnie, żebym zapisał w nim notatkę.
agenda-notes-all = Wszystkie notatki
agenda-notes-back = Wstecz
agenda-note-delete = Usuń
agenda-note-deleted = Usunięto notatkę „{ $title }”.
agenda-note-gone = Ta notatka już nie istnieje.

# The pages of users.
agenda-page-today = Dzisiaj
agenda-page-tasks = Zadania
agenda-page-notes = Notatki
agenda-block-earlier = Wcześniej
agenda-block-later = Później
agenda-block-move = Przenieś
agenda-block-moved = „{ $title }” jest teraz: { $span }.
agenda-block-overlaps = Ten czas jest zajęty: { $blocks }. Wybierz wolny.
tool-update_note = Zmień notatkę
agenda-note-updated = Zmieniono notatkę „{ $title }”.
agenda-note-update-undone = Notatka „{ $title }” jest taka jak przedtem.
agenda-note-changed-since = Notatka „{ $title }” została w międzyczasie zmieniona, więc pozostaje bez zmian.
agenda-note-delete-undone = Notatka „{ $title }” wróciła.
