command-tasks = Tus tareas
command-today = Lo que toca hoy
command-notes = Tus notas
agenda-help = • Llevar tus tareas, notas y agenda: dime qué tienes que hacer. /today muestra lo que toca hoy.

# Tools: what each is for, and what is happening while it runs.
tool-get_tasks = Tus tareas
tool-get_task_details = Una tarea en detalle
tool-create_task = Añadir una tarea
tool-update_task = Cambiar una tarea
tool-delete_task = Borrar una tarea
tool-get_projects = Tus proyectos
tool-create_project = Añadir un proyecto
tool-update_project = Cambiar un proyecto
tool-get_goals = Tus metas
tool-create_goal = Añadir una meta
tool-update_goal = Cambiar una meta
tool-get_daily_schedule = Tu agenda
tool-create_schedule_block = Añadir a tu agenda
tool-get_recent_notes = Tus notas
tool-create_note = Escribir una nota
doing-get_tasks = Mirando tus tareas…
doing-get_task_details = Mirando una tarea…
doing-create_task = Añadiendo una tarea…
doing-update_task = Cambiando una tarea…
doing-delete_task = Borrando una tarea…
doing-get_projects = Mirando tus proyectos…
doing-create_project = Añadiendo un proyecto…
doing-update_project = Cambiando un proyecto…
doing-get_goals = Mirando tus metas…
doing-create_goal = Añadiendo una meta…
doing-update_goal = Cambiando una meta…
doing-get_daily_schedule = Mirando tu agenda…
doing-create_schedule_block = Añadiendo a tu agenda…
doing-get_recent_notes = Mirando tus notas…
doing-create_note = Escribiendo una nota…

# Arguments of the tools, and values of arguments.
argument-title = Título
argument-description = Descripción
argument-project_id = Proyecto
argument-priority = Prioridad
argument-due_date = Vence
argument-estimated_minutes = Minutos que lleva
argument-task_type = Tipo de tarea
argument-parent_id = Parte de la tarea
argument-recurrence = Se repite
argument-task_id = Tarea
argument-status = Estado
argument-is_archived = Archivado
argument-reason = Motivo
argument-name = Nombre
argument-importance = Importancia
argument-action_plan = Plan
argument-goal_id = Meta
argument-timeframe = Plazo
argument-target_date = Fecha objetivo
argument-progress = Progreso en porcentaje
argument-date = Día
argument-start_time = Empieza
argument-duration_minutes = Minutos
argument-block_type = Tipo de bloque
argument-content = Texto
argument-folder_id = Carpeta
value-low = baja
value-medium = media
value-high = alta
value-urgent = urgente
value-today = hoy
value-next-actions = próximas acciones
value-someday-maybe = algún día
value-wait-for = a la espera de otros
value-routine = rutina
value-daily = diario
value-weekly = semanal
value-monthly = mensual
value-quarterly = trimestral
value-yearly = anual
value-work = trabajo
value-break = descanso
value-meeting = reunión
value-personal = personal
value-todo = abierta
value-in-progress = en curso
value-blocked = bloqueada
value-done = hecha

# What was done to tasks, projects, goals, notes and the schedule, and what was undone.
agenda-task-created = Tarea «{ $title }» añadida.
agenda-task-create-undone = Tarea «{ $title }» eliminada.
agenda-task-updated = Tarea «{ $title }» cambiada.
agenda-task-done = Hecho: «{ $title }».
agenda-task-done-again = Hecho: «{ $title }». Próxima vez: { $date }.
agenda-task-update-undone = La tarea «{ $title }» está como antes.
agenda-task-changed-since = La tarea «{ $title }» se cambió otra vez entretanto, así que se queda como está.
agenda-task-deleted = Tarea «{ $title }» borrada.
agenda-task-delete-undone = La tarea «{ $title }» está de nuevo en tu lista.
agenda-project-created = Proyecto «{ $name }» creado.
agenda-project-updated = Proyecto «{ $name }» cambiado.
agenda-project-update-undone = El proyecto «{ $name }» está como antes.
agenda-project-changed-since = El proyecto «{ $name }» se cambió otra vez entretanto, así que se queda como está.
agenda-project-create-undone = Proyecto «{ $name }» eliminado.
agenda-goal-created = Meta «{ $title }» fijada.
agenda-goal-create-undone = Meta «{ $title }» eliminada.
agenda-goal-updated = Meta «{ $title }» cambiada: { $progress } %.
agenda-goal-update-undone = La meta «{ $title }» está como antes.
agenda-goal-changed-since = La meta «{ $title }» se cambió otra vez entretanto, así que se queda como está.
agenda-note-created = Nota «{ $title }» escrita.
agenda-note-create-undone = Nota «{ $title }» eliminada.
agenda-block-created = Añadido a tu agenda: { $span } { $title }.
agenda-block-create-undone = Quitado de tu agenda: { $span } { $title }.

# The lists of /tasks, /today and /notes.
agenda-tasks-all =
    { $count ->
        [one] 1 tarea abierta
       *[other] { $count } tareas abiertas
    }
agenda-tasks-today =
    { $count ->
        [one] 1 tarea para hoy
       *[other] { $count } tareas para hoy
    }
agenda-tasks-schedule = Agenda
agenda-timeline-button = Como imagen
agenda-timeline-empty = Ya no hay nada previsto para este día.
agenda-tasks-all-empty = No tienes tareas abiertas. Escribe «tengo que…» y añadiré una.
agenda-tasks-today-empty = Hoy no toca nada. /tasks muestra todas tus tareas.
agenda-task-due = para: { $date }
agenda-task-overdue = atrasada ({ $date })
agenda-task-high = importante
agenda-task-urgent = urgente
agenda-task-in-progress = en curso
agenda-task-blocked = bloqueada
agenda-task-tomorrow = Mañana { $number }
agenda-task-unchanged = Esta tarea ya no está en tu lista.
agenda-notes-heading =
    { $count ->
        [one] 1 nota
       *[other] { $count } notas
    }
agenda-notes-empty = No tienes notas. Escribe «anota que…» y escribiré una.
agenda-notes-folder-empty = La carpeta «{ $folder }» está vacía. Pídeme que escriba una nota en ella.
agenda-notes-all = Todas las notas
agenda-notes-back = Volver
agenda-note-delete = Borrar
agenda-note-deleted = Nota «{ $title }» borrada.
agenda-note-gone = Esta nota ya no existe.

# The pages of users.
agenda-page-today = Hoy
agenda-page-tasks = Tareas
agenda-page-notes = Notas
agenda-block-earlier = Antes
agenda-block-later = Después
agenda-block-move = Mover
agenda-block-moved = «{ $title }» es ahora { $span }.
agenda-block-overlaps = Ese tiempo está ocupado: { $blocks }. Elige uno libre.
tool-update_note = Cambiar una nota
agenda-note-updated = Nota cambiada: «{ $title }».
agenda-note-update-undone = La nota «{ $title }» está como antes.
agenda-note-changed-since = La nota «{ $title }» volvió a cambiar entretanto, así que se queda como está.
agenda-note-delete-undone = La nota «{ $title }» ha vuelto.
