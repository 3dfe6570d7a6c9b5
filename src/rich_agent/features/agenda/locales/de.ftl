command-tasks = Deine Aufgaben
command-today = Was heute ansteht
command-notes = Deine Notizen
agenda-help = • Deine Aufgaben, Notizen und Termine führen: Sag mir, was du zu tun hast. /today zeigt, was heute ansteht.

# Tools: what each is for, and what is happening while it runs.
tool-get_tasks = Deine Aufgaben
tool-get_task_details = Eine Aufgabe im Einzelnen
tool-create_task = Eine Aufgabe hinzufügen
tool-update_task = Eine Aufgabe ändern
tool-delete_task = Eine Aufgabe löschen
tool-get_projects = Deine Projekte
tool-create_project = Ein Projekt hinzufügen
tool-update_project = Ein Projekt ändern
tool-get_goals = Deine Ziele
tool-create_goal = Ein Ziel hinzufügen
tool-update_goal = Ein Ziel ändern
tool-get_daily_schedule = Dein Tagesplan
tool-create_schedule_block = In deinen Tagesplan eintragen
tool-get_recent_notes = Deine Notizen
tool-create_note = Eine Notiz schreiben
doing-get_tasks = Ich sehe deine Aufgaben durch…
doing-get_task_details = Ich sehe mir eine Aufgabe an…
doing-create_task = Ich füge eine Aufgabe hinzu…
doing-update_task = Ich ändere eine Aufgabe…
doing-delete_task = Ich lösche eine Aufgabe…
doing-get_projects = Ich sehe deine Projekte durch…
doing-create_project = Ich füge ein Projekt hinzu…
doing-update_project = Ich ändere ein Projekt…
doing-get_goals = Ich sehe deine Ziele durch…
doing-create_goal = Ich füge ein Ziel hinzu…
doing-update_goal = Ich ändere ein Ziel…
doing-get_daily_schedule = Ich sehe mir deinen Tagesplan an…
doing-create_schedule_block = Ich trage es in deinen Tagesplan ein…
doing-get_recent_notes = Ich sehe deine Notizen durch…
doing-create_note = Ich schreibe eine Notiz…

# Arguments of the tools, and values of arguments.
argument-title = Titel
argument-description = Beschreibung
argument-project_id = Projekt
argument-priority = Priorität
argument-due_date = Fällig
argument-estimated_minutes = Dauer in Minuten
argument-task_type = Art der Aufgabe
argument-parent_id = Teil der Aufgabe
argument-recurrence = Wiederholung
argument-task_id = Aufgabe
argument-status = Status
argument-is_archived = Archiviert
argument-reason = Grund
argument-name = Name
argument-importance = Wichtigkeit
argument-action_plan = Plan
argument-goal_id = Ziel
argument-timeframe = Zeitraum
argument-target_date = Zieldatum
argument-progress = Fortschritt in Prozent
argument-date = Tag
argument-start_time = Beginn
argument-duration_minutes = Minuten
argument-block_type = Art des Blocks
argument-content = Text
argument-folder_id = Ordner
value-low = niedrig
value-medium = mittel
value-high = hoch
value-urgent = dringend
value-today = heute
value-next-actions = als Nächstes
value-someday-maybe = irgendwann
value-wait-for = wartet auf andere
value-routine = Routine
value-daily = täglich
value-weekly = wöchentlich
value-monthly = monatlich
value-quarterly = vierteljährlich
value-yearly = jährlich
value-work = Arbeit
value-break = Pause
value-meeting = Besprechung
value-personal = privat
value-todo = offen
value-in-progress = in Arbeit
value-blocked = blockiert
value-done = erledigt

# What was done to tasks, projects, goals, notes and the schedule, and what was undone.
agenda-task-created = Aufgabe „{ $title }“ hinzugefügt.
agenda-task-create-undone = Aufgabe „{ $title }“ wieder entfernt.
agenda-task-updated = Aufgabe „{ $title }“ geändert.
agenda-task-done = Erledigt: „{ $title }“.
agenda-task-done-again = Erledigt: „{ $title }“. Wieder fällig: { $date }.
agenda-task-update-undone = Die Aufgabe „{ $title }“ ist wieder wie zuvor.
agenda-task-changed-since = Die Aufgabe „{ $title }“ wurde inzwischen noch einmal geändert, sie bleibt daher, wie sie ist.
agenda-task-deleted = Aufgabe „{ $title }“ gelöscht.
agenda-task-delete-undone = Die Aufgabe „{ $title }“ ist wieder da.
agenda-project-created = Projekt „{ $name }“ begonnen.
agenda-project-updated = Projekt „{ $name }“ geändert.
agenda-project-update-undone = Das Projekt „{ $name }“ ist wieder wie zuvor.
agenda-project-changed-since = Das Projekt „{ $name }“ wurde inzwischen noch einmal geändert, es bleibt daher, wie es ist.
agenda-project-create-undone = Projekt „{ $name }“ wieder entfernt.
agenda-goal-created = Ziel „{ $title }“ gesetzt.
agenda-goal-create-undone = Ziel „{ $title }“ wieder entfernt.
agenda-goal-updated = Ziel „{ $title }“ geändert: { $progress } %.
agenda-goal-update-undone = Das Ziel „{ $title }“ ist wieder wie zuvor.
agenda-goal-changed-since = Das Ziel „{ $title }“ wurde inzwischen noch einmal geändert, es bleibt daher, wie es ist.
agenda-note-created = Notiz „{ $title }“ geschrieben.
agenda-note-create-undone = Notiz „{ $title }“ wieder entfernt.
agenda-block-created = In deinen Tagesplan eingetragen: { $span } { $title }.
agenda-block-create-undone = Aus deinem Tagesplan entfernt: { $span } { $title }.

# The lists of /tasks, /today and /notes.
agenda-tasks-all =
    { $count ->
        [one] 1 offene Aufgabe
       *[other] { $count } offene Aufgaben
    }
agenda-tasks-today =
    { $count ->
        [one] 1 Aufgabe für heute
       *[other] { $count } Aufgaben für heute
    }
agenda-tasks-schedule = Tagesplan
agenda-timeline-button = Als Bild
agenda-timeline-empty = An diesem Tag ist nichts mehr geplant.
agenda-tasks-all-empty = Du hast keine offenen Aufgaben. Schreib „ich muss …“, dann füge ich eine hinzu.
agenda-tasks-today-empty = Heute steht nichts an. /tasks zeigt alle deine Aufgaben.
agenda-task-due = fällig: { $date }
agenda-task-overdue = überfällig seit { $date }
agenda-task-high = wichtig
agenda-task-urgent = dringend
agenda-task-in-progress = in Arbeit
agenda-task-blocked = blockiert
agenda-task-tomorrow = Morgen { $number }
agenda-task-unchanged = Diese Aufgabe steht nicht mehr auf deiner Liste.
agenda-notes-heading =
    { $count ->
        [one] 1 Notiz
       *[other] { $count } Notizen
    }
agenda-notes-empty = Du hast keine Notizen. Schreib „notiere, dass …“, dann lege ich eine an.
agenda-notes-folder-empty = Der Ordner „{ $folder }“ ist leer. Bitte mich, eine Notiz hineinzuschreiben.
agenda-notes-all = Alle Notizen
agenda-notes-back = Zurück
agenda-note-delete = Löschen
agenda-note-deleted = Notiz „{ $title }“ gelöscht.
agenda-note-gone = Diese Notiz gibt es nicht mehr.

# The pages of users.
agenda-page-today = Heute
agenda-page-tasks = Aufgaben
agenda-page-notes = Notizen
agenda-block-earlier = Früher
agenda-block-later = Später
agenda-block-move = Verschieben
agenda-block-moved = „{ $title }“ ist jetzt { $span }.
agenda-block-overlaps = Diese Zeit ist belegt: { $blocks }. Wähle eine freie Zeit.
tool-update_note = Eine Notiz ändern
agenda-note-updated = Notiz „{ $title }“ geändert.
agenda-note-update-undone = Die Notiz „{ $title }“ ist wieder wie vorher.
agenda-note-changed-since = Die Notiz „{ $title }“ wurde inzwischen noch einmal geändert und bleibt, wie sie ist.
agenda-note-delete-undone = Die Notiz „{ $title }“ ist wieder da.
