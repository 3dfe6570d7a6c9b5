command-tasks = Le tue attività
command-today = Cosa c’è per oggi
command-notes = Le tue note
agenda-help = • Tenere le tue attività, le note e gli impegni: dimmi cosa devi fare. /today mostra cosa c’è per oggi.

# Tools: what each is for, and what is happening while it runs.
tool-get_tasks = Le tue attività
tool-get_task_details = Un’attività in dettaglio
tool-create_task = Aggiungere un’attività
tool-update_task = Modificare un’attività
tool-delete_task = Cancellare un’attività
tool-get_projects = I tuoi progetti
tool-create_project = Aggiungere un progetto
tool-update_project = Modificare un progetto
tool-get_goals = I tuoi obiettivi
tool-create_goal = Aggiungere un obiettivo
tool-update_goal = Modificare un obiettivo
tool-get_daily_schedule = I tuoi impegni
tool-create_schedule_block = Aggiungere ai tuoi impegni
tool-get_recent_notes = Le tue note
tool-create_note = Scrivere una nota
doing-get_tasks = Guardo le tue attività…
doing-get_task_details = Guardo un’attività…
doing-create_task = Aggiungo un’attività…
doing-update_task = Modifico un’attività…
doing-delete_task = Cancello un’attività…
doing-get_projects = Guardo i tuoi progetti…
doing-create_project = Aggiungo un progetto…
doing-update_project = Modifico un progetto…
doing-get_goals = Guardo i tuoi obiettivi…
doing-create_goal = Aggiungo un obiettivo…
doing-update_goal = Modifico un obiettivo…
doing-get_daily_schedule = Guardo i tuoi impegni…
doing-create_schedule_block = Aggiungo ai tuoi impegni…
doing-get_recent_notes = Guardo le tue note…
doing-create_note = Scrivo una nota…

# Arguments of the tools, and values of arguments.
argument-title = Titolo
argument-description = Descrizione
argument-project_id = Progetto
argument-priority = Priorità
argument-due_date = Scadenza
argument-estimated_minutes = Durata in minuti
argument-task_type = Tipo di attività
argument-parent_id = Parte dell’attività
argument-recurrence = Ripetizione
argument-task_id = Attività
argument-status = Stato
argument-is_archived = Archiviato
argument-reason = Motivo
argument-name = Nome
argument-importance = Importanza
argument-action_plan = Piano
argument-goal_id = Obiettivo
argument-timeframe = Periodo
argument-target_date = Data prevista
argument-progress = Avanzamento in percentuale
argument-date = Giorno
argument-start_time = Inizio
argument-duration_minutes = Minuti
argument-block_type = Tipo di blocco
argument-content = Testo
argument-folder_id = Cartella
value-low = bassa
value-medium = media
value-high = alta
value-urgent = urgente
value-today = oggi
value-next-actions = prossime azioni
value-someday-maybe = un giorno, forse
value-wait-for = in attesa di altri
value-routine = routine
value-daily = giornaliero
value-weekly = settimanale
value-monthly = mensile
value-quarterly = trimestrale
value-yearly = annuale
value-work = lavoro
value-break = pausa
value-meeting = riunione
value-personal = personale
value-todo = aperta
value-in-progress = in corso
value-blocked = bloccata
value-done = fatta

# What was done to tasks, projects, goals, notes and the schedule, and what was undone.
agenda-task-created = Attività «{ $title }» aggiunta.
agenda-task-create-undone = Attività «{ $title }» tolta.
agenda-task-updated = Attività «{ $title }» modificata.
agenda-task-done = Fatto: «{ $title }».
agenda-task-done-again = Fatto: «{ $title }». Prossima scadenza: { $date }.
agenda-task-update-undone = L’attività «{ $title }» è tornata come prima.
agenda-task-changed-since = L’attività «{ $title }» nel frattempo è stata modificata di nuovo, quindi resta com’è.
agenda-task-deleted = Attività «{ $title }» cancellata.
agenda-task-delete-undone = L’attività «{ $title }» è di nuovo qui.
agenda-project-created = Progetto «{ $name }» avviato.
agenda-project-updated = Progetto «{ $name }» modificato.
agenda-project-update-undone = Il progetto «{ $name }» è tornato come prima.
agenda-project-changed-since = Il progetto «{ $name }» nel frattempo è stato modificato di nuovo, quindi resta com’è.
agenda-project-create-undone = Progetto «{ $name }» tolto.
agenda-goal-created = Obiettivo «{ $title }» fissato.
agenda-goal-create-undone = Obiettivo «{ $title }» tolto.
agenda-goal-updated = Obiettivo «{ $title }» modificato: { $progress } %.
agenda-goal-update-undone = L’obiettivo «{ $title }» è tornato come prima.
agenda-goal-changed-since = L’obiettivo «{ $title }» nel frattempo è stato modificato di nuovo, quindi resta com’è.
agenda-note-created = Nota «{ $title }» scritta.
agenda-note-create-undone = Nota «{ $title }» eliminata.
agenda-block-created = Aggiunto ai tuoi impegni: { $span } { $title }.
agenda-block-create-undone = Tolto dai tuoi impegni: { $span } { $title }.

# The lists of /tasks, /today and /notes.
agenda-tasks-all =
    { $count ->
        [one] 1 attività aperta
       *[other] { $count } attività aperte
    }
agenda-tasks-today =
    { $count ->
        [one] 1 attività per oggi
       *[other] { $count } attività per oggi
    }
agenda-tasks-schedule = Impegni
agenda-timeline-button = Come immagine
agenda-timeline-empty = Per questo giorno non c’è più nulla in programma.
agenda-tasks-all-empty = Non hai attività aperte. Scrivi «devo…» e ne aggiungerò una.
agenda-tasks-today-empty = Per oggi non c’è nulla. /tasks mostra tutte le tue attività.
agenda-task-due = scadenza: { $date }
agenda-task-overdue = in ritardo ({ $date })
agenda-task-high = importante
agenda-task-urgent = urgente
agenda-task-in-progress = in corso
agenda-task-blocked = bloccata
agenda-task-tomorrow = Domani { $number }
agenda-task-unchanged = Questa attività non è più nella tua lista.
agenda-notes-heading =
    { $count ->
        [one] 1 nota
       *[other] { $count } note
    }
agenda-notes-empty = Non hai note. Scrivi «annota che…» e ne scriverò una.
agenda-notes-folder-empty = La cartella «{ $folder }» è vuota. Chiedimi di scriverci una nota.
agenda-notes-all = Tutte le note
agenda-notes-back = Indietro
agenda-note-delete = Cancella
agenda-note-deleted = Nota «{ $title }» cancellata.
agenda-note-gone = Questa nota non esiste più.

# The pages of users.
agenda-page-today = Oggi
agenda-page-tasks = Attività
agenda-page-notes = Note
agenda-block-earlier = Prima
agenda-block-later = Dopo
agenda-block-move = Sposta
agenda-block-moved = “{ $title }” è ora { $span }.
agenda-block-overlaps = Questo orario è occupato: { $blocks }. Scegline uno libero.
tool-update_note = Modifica una nota
agenda-note-updated = Nota “{ $title }” modificata.
agenda-note-update-undone = La nota “{ $title }” è di nuovo com’era.
agenda-note-changed-since = La nota “{ $title }” è stata modificata di nuovo nel frattempo, quindi resta com’è.
agenda-note-delete-undone = La nota “{ $title }” è tornata.
