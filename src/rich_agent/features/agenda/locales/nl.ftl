command-tasks = Je taken
command-today = Wat er vandaag moet gebeuren
command-notes = Je notities
agenda-help = • Je taken, notities en agenda bijhouden: vertel me wat je moet doen. /today laat zien wat er vandaag is.

# Tools: what each is for, and what is happening while it runs.
tool-get_tasks = Je taken
tool-get_task_details = Een taak in detail
tool-create_task = Een taak toevoegen
tool-update_task = Een taak wijzigen
tool-delete_task = Een taak verwijderen
tool-get_projects = Je projecten
tool-create_project = Een project toevoegen
tool-update_project = Een project wijzigen
tool-get_goals = Je doelen
tool-create_goal = Een doel toevoegen
tool-update_goal = Een doel wijzigen
tool-get_daily_schedule = Je agenda
tool-create_schedule_block = Aan je agenda toevoegen
tool-get_recent_notes = Je notities
tool-create_note = Een notitie schrijven
doing-get_tasks = Ik bekijk je taken…
doing-get_task_details = Ik bekijk een taak…
doing-create_task = Ik voeg een taak toe…
doing-update_task = Ik wijzig een taak…
doing-delete_task = Ik verwijder een taak…
doing-get_projects = Ik bekijk je projecten…
doing-create_project = Ik voeg een project toe…
doing-update_project = Ik wijzig een project…
doing-get_goals = Ik bekijk je doelen…
doing-create_goal = Ik voeg een doel toe…
doing-update_goal = Ik wijzig een doel…
doing-get_daily_schedule = Ik bekijk je agenda…
doing-create_schedule_block = Ik zet het in je agenda…
doing-get_recent_notes = Ik bekijk je notities…
doing-create_note = Ik schrijf een notitie…

# Arguments of the tools, and values of arguments.
argument-title = Titel
argument-description = Beschrijving
argument-project_id = Project
argument-priority = Prioriteit
argument-due_date = Deadline
argument-estimated_minutes = Duur in minuten
argument-task_type = Soort taak
argument-parent_id = Deel van de taak
argument-recurrence = Herhaling
argument-task_id = Taak
argument-status = Status
argument-is_archived = Gearchiveerd
argument-reason = Reden
argument-name = Naam
argument-importance = Belang
argument-action_plan = Plan
argument-goal_id = Doel
argument-timeframe = Periode
argument-target_date = Streefdatum
argument-progress = Voortgang in procenten
argument-date = Dag
argument-start_time = Begint om
argument-duration_minutes = Minuten
argument-block_type = Soort blok
argument-content = Tekst
argument-folder_id = Map
value-low = laag
value-medium = gemiddeld
value-high = hoog
value-urgent = dringend
value-today = vandaag
value-next-actions = volgende acties
value-someday-maybe = ooit misschien
value-wait-for = wacht op anderen
value-routine = routine
value-daily = dagelijks
value-weekly = wekelijks
value-monthly = maandelijks
value-quarterly = per kwartaal
value-yearly = jaarlijks
value-work = werk
value-break = pauze
value-meeting = afspraak
value-personal = privé
value-todo = open
value-in-progress = bezig
value-blocked = geblokkeerd
value-done = gedaan

# What was done to tasks, projects, goals, notes and the schedule, and what was undone.
agenda-task-created = Taak “{ $title }” toegevoegd.
agenda-task-create-undone = Taak “{ $title }” weer verwijderd.
agenda-task-updated = Taak “{ $title }” gewijzigd.
agenda-task-done = Gedaan: “{ $title }”.
agenda-task-done-again = Gedaan: “{ $title }”. Volgende keer: { $date }.
agenda-task-update-undone = De taak “{ $title }” is weer zoals eerst.
agenda-task-changed-since = De taak “{ $title }” is intussen opnieuw gewijzigd en blijft dus zoals hij is.
agenda-task-deleted = Taak “{ $title }” verwijderd.
agenda-task-delete-undone = De taak “{ $title }” staat weer op je lijst.
agenda-project-created = Project “{ $name }” gestart.
agenda-project-updated = Project “{ $name }” gewijzigd.
agenda-project-update-undone = Het project “{ $name }” is weer zoals eerst.
agenda-project-changed-since = Het project “{ $name }” is intussen opnieuw gewijzigd en blijft dus zoals het is.
agenda-project-create-undone = Project “{ $name }” weer verwijderd.
agenda-goal-created = Doel “{ $title }” gesteld.
agenda-goal-create-undone = Doel “{ $title }” weer verwijderd.
agenda-goal-updated = Doel “{ $title }” gewijzigd: { $progress } %.
agenda-goal-update-undone = Het doel “{ $title }” is weer zoals eerst.
agenda-goal-changed-since = Het doel “{ $title }” is intussen opnieuw gewijzigd en blijft dus zoals het is.
agenda-note-created = Notitie “{ $title }” geschreven.
agenda-note-create-undone = Notitie “{ $title }” weer verwijderd.
agenda-block-created = Aan je agenda toegevoegd: { $span } { $title }.
agenda-block-create-undone = Uit je agenda verwijderd: { $span } { $title }.

# The lists of /tasks, /today and /notes.
agenda-tasks-all =
    { $count ->
        [one] 1 open taak
       *[other] { $count } open taken
    }
agenda-tasks-today =
    { $count ->
        [one] 1 taak voor vandaag
       *[other] { $count } taken voor vandaag
    }
agenda-tasks-schedule = Agenda
agenda-timeline-button = Als afbeelding
agenda-timeline-empty = Voor deze dag staat niets meer gepland.
agenda-tasks-all-empty = Je hebt geen open taken. Schrijf “ik moet …”, dan voeg ik er een toe.
agenda-tasks-today-empty = Vandaag staat er niets. /tasks toont al je taken.
agenda-task-due = uiterlijk { $date }
agenda-task-overdue = te laat sinds { $date }
agenda-task-high = belangrijk
agenda-task-urgent = dringend
agenda-task-in-progress = bezig
agenda-task-blocked = geblokkeerd
agenda-task-tomorrow = Morgen { $number }
agenda-task-unchanged = Deze taak staat niet meer op je lijst.
agenda-notes-heading =
    { $count ->
        [one] 1 notitie
       *[other] { $count } notities
    }
agenda-notes-empty = Je hebt geen notities. Schrijf “noteer dat …”, dan schrijf ik er een.
agenda-notes-folder-empty = De map “{ $folder }” is leeg. Vraag me er een notitie in te schrijven.
agenda-notes-all = Alle notities
agenda-notes-back = Terug
agenda-note-delete = Verwijderen
agenda-note-deleted = Notitie “{ $title }” verwijderd.
agenda-note-gone = Deze notitie bestaat niet meer.

# The pages of users.
agenda-page-today = Vandaag
agenda-page-tasks = Taken
agenda-page-notes = Notities
agenda-block-earlier = Eerder
agenda-block-later = Later
agenda-block-move = Verplaatsen
agenda-block-moved = “{ $title }” is nu { $span }.
agenda-block-overlaps = Deze tijd is bezet: { $blocks }. Kies een vrije tijd.
tool-update_note = Een notitie wijzigen
agenda-note-updated = Notitie “{ $title }” gewijzigd.
agenda-note-update-undone = De notitie “{ $title }” is weer zoals daarvoor.
agenda-note-changed-since = De notitie “{ $title }” is intussen opnieuw gewijzigd en blijft zoals ze is.
agenda-note-delete-undone = De notitie “{ $title }” is terug.
