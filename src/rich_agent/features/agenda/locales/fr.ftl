command-tasks = Vos tâches
command-today = Ce qui est prévu aujourd’hui
command-notes = Vos notes
agenda-help = • Tenir vos tâches, vos notes et votre agenda : dites-moi ce que vous avez à faire. /today montre ce qui est prévu aujourd’hui.

# Tools: what each is for, and what is happening while it runs.
tool-get_tasks = Vos tâches
tool-get_task_details = Une tâche en détail
tool-create_task = Ajouter une tâche
tool-update_task = Modifier une tâche
tool-delete_task = Supprimer une tâche
tool-get_projects = Vos projets
tool-create_project = Ajouter un projet
tool-update_project = Modifier un projet
tool-get_goals = Vos objectifs
tool-create_goal = Ajouter un objectif
tool-update_goal = Modifier un objectif
tool-get_daily_schedule = Votre agenda
tool-create_schedule_block = Ajouter à votre agenda
tool-get_recent_notes = Vos notes
tool-create_note = Écrire une note
doing-get_tasks = Je parcours vos tâches…
doing-get_task_details = Je regarde une tâche…
doing-create_task = J’ajoute une tâche…
doing-update_task = Je modifie une tâche…
doing-delete_task = Je supprime une tâche…
doing-get_projects = Je parcours vos projets…
doing-create_project = J’ajoute un projet…
doing-update_project = Je modifie un projet…
doing-get_goals = Je parcours vos objectifs…
doing-create_goal = J’ajoute un objectif…
doing-update_goal = Je modifie un objectif…
doing-get_daily_schedule = Je regarde votre agenda…
doing-create_schedule_block = J’ajoute à votre agenda…
doing-get_recent_notes = Je parcours vos notes…
doing-create_note = J’écris une note…

# Arguments of the tools, and values of arguments.
argument-title = Titre
argument-description = Description
argument-project_id = Projet
argument-priority = Priorité
argument-due_date = Échéance
argument-estimated_minutes = Durée en minutes
argument-task_type = Type de tâche
argument-parent_id = Fait partie de la tâche
argument-recurrence = Répétition
argument-task_id = Tâche
argument-status = État
argument-is_archived = Archivé
argument-reason = Motif
argument-name = Nom
argument-importance = Importance
argument-action_plan = Plan
argument-goal_id = Objectif
argument-timeframe = Période
argument-target_date = Date visée
argument-progress = Progression en pour cent
argument-date = Jour
argument-start_time = Début
argument-duration_minutes = Minutes
argument-block_type = Type de créneau
argument-content = Texte
argument-folder_id = Dossier
value-low = basse
value-medium = moyenne
value-high = haute
value-urgent = urgente
value-today = aujourd’hui
value-next-actions = prochaines actions
value-someday-maybe = un jour peut-être
value-wait-for = en attente d’autrui
value-routine = routine
value-daily = quotidien
value-weekly = hebdomadaire
value-monthly = mensuel
value-quarterly = trimestriel
value-yearly = annuel
value-work = travail
value-break = pause
value-meeting = réunion
value-personal = personnel
value-todo = ouverte
value-in-progress = en cours
value-blocked = bloquée
value-done = faite

# What was done to tasks, projects, goals, notes and the schedule, and what was undone.
agenda-task-created = Tâche « { $title } » ajoutée.
agenda-task-create-undone = Tâche « { $title } » supprimée.
agenda-task-updated = Tâche « { $title } » modifiée.
agenda-task-done = Fait : « { $title } ».
agenda-task-done-again = Fait : « { $title } ». Prochaine échéance : { $date }.
agenda-task-update-undone = La tâche « { $title } » est redevenue comme avant.
agenda-task-changed-since = La tâche « { $title } » a encore été modifiée entre-temps ; elle reste telle quelle.
agenda-task-deleted = Tâche « { $title } » supprimée.
agenda-task-delete-undone = La tâche « { $title } » est de nouveau dans votre liste.
agenda-project-created = Projet « { $name } » créé.
agenda-project-updated = Projet « { $name } » modifié.
agenda-project-update-undone = Le projet « { $name } » est redevenu comme avant.
agenda-project-changed-since = Le projet « { $name } » a encore été modifié entre-temps ; il reste tel quel.
agenda-project-create-undone = Projet « { $name } » supprimé.
agenda-goal-created = Objectif « { $title } » fixé.
agenda-goal-create-undone = Objectif « { $title } » supprimé.
agenda-goal-updated = Objectif « { $title } » modifié : { $progress } %.
agenda-goal-update-undone = L’objectif « { $title } » est redevenu comme avant.
agenda-goal-changed-since = L’objectif « { $title } » a encore été modifié entre-temps ; il reste tel quel.
agenda-note-created = Note « { $title } » écrite.
agenda-note-create-undone = Note « { $title } » supprimée.
agenda-block-created = Ajouté à votre agenda : { $span } { $title }.
agenda-block-create-undone = Retiré de votre agenda : { $span } { $title }.

# The lists of /tasks, /today and /notes.
agenda-tasks-all =
    { $count ->
        [one] { $count } tâche ouverte
       *[other] { $count } tâches ouvertes
    }
agenda-tasks-today =
    { $count ->
        [one] { $count } tâche pour aujourd’hui
       *[other] { $count } tâches pour aujourd’hui
    }
agenda-tasks-schedule = Agenda
agenda-timeline-button = En image
agenda-timeline-empty = Plus rien n’est prévu ce jour-là.
agenda-tasks-all-empty = Vous n’avez aucune tâche ouverte. Écrivez « je dois… », et j’en ajouterai une.
agenda-tasks-today-empty = Rien n’est prévu aujourd’hui. /tasks montre toutes vos tâches.
agenda-task-due = échéance : { $date }
agenda-task-overdue = en retard ({ $date })
agenda-task-high = importante
agenda-task-urgent = urgente
agenda-task-in-progress = en cours
agenda-task-blocked = bloquée
agenda-task-tomorrow = Demain { $number }
agenda-task-unchanged = Cette tâche n’est plus dans votre liste.
agenda-notes-heading =
    { $count ->
        [one] { $count } note
       *[other] { $count } notes
    }
agenda-notes-empty = Vous n’avez aucune note. Écrivez « note que… », et j’en écrirai une.
agenda-notes-folder-empty = Le dossier « { $folder } » est vide. Demandez-moi d’y écrire une note.
agenda-notes-all = Toutes les notes
agenda-notes-back = Retour
agenda-note-delete = Supprimer
agenda-note-deleted = Note « { $title } » supprimée.
agenda-note-gone = Cette note n’existe plus.

# The pages of users.
agenda-page-today = Aujourd’hui
agenda-page-tasks = Tâches
agenda-page-notes = Notes
agenda-block-earlier = Plus tôt
agenda-block-later = Plus tard
agenda-block-move = Déplacer
agenda-block-moved = « { $title } » est maintenant prévu { $span }.
agenda-block-overlaps = Cet horaire est pris : { $blocks }. Choisissez-en un qui soit libre.
tool-update_note = Modifier une note
agenda-note-updated = Note « { $title } » modifiée.
agenda-note-update-undone = La note « { $title } » est redevenue comme avant.
agenda-note-changed-since = La note « { $title } » a été modifiée entre-temps, elle reste donc telle quelle.
agenda-note-delete-undone = La note « { $title } » est de retour.
