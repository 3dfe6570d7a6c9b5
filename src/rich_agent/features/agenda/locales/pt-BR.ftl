command-tasks = Suas tarefas
command-today = O que é para hoje
command-notes = Suas notas
agenda-help = • Cuidar das suas tarefas, notas e agenda: diga o que tem para fazer. /today mostra o que é para hoje.

# Tools: what each is for, and what is happening while it runs.
tool-get_tasks = Suas tarefas
tool-get_task_details = Uma tarefa em detalhe
tool-create_task = Adicionar uma tarefa
tool-update_task = Alterar uma tarefa
tool-delete_task = Apagar uma tarefa
tool-get_projects = Seus projetos
tool-create_project = Adicionar um projeto
tool-update_project = Alterar um projeto
tool-get_goals = Suas metas
tool-create_goal = Adicionar uma meta
tool-update_goal = Alterar uma meta
tool-get_daily_schedule = Sua agenda
tool-create_schedule_block = Adicionar à sua agenda
tool-get_recent_notes = Suas notas
tool-create_note = Escrever uma nota
doing-get_tasks = Olhando suas tarefas…
doing-get_task_details = Olhando uma tarefa…
doing-create_task = Adicionando uma tarefa…
doing-update_task = Alterando uma tarefa…
doing-delete_task = Apagando uma tarefa…
doing-get_projects = Olhando seus projetos…
doing-create_project = Adicionando um projeto…
doing-update_project = Alterando um projeto…
doing-get_goals = Olhando suas metas…
doing-create_goal = Adicionando uma meta…
doing-update_goal = Alterando uma meta…
doing-get_daily_schedule = Olhando sua agenda…
doing-create_schedule_block = Adicionando à sua agenda…
doing-get_recent_notes = Olhando suas notas…
doing-create_note = Escrevendo uma nota…

# Arguments of the tools, and values of arguments.
argument-title = Título
argument-description = Descrição
argument-project_id = Projeto
argument-priority = Prioridade
argument-due_date = Prazo
argument-estimated_minutes = Duração em minutos
argument-task_type = Tipo de tarefa
argument-parent_id = Parte da tarefa
argument-recurrence = Repetição
argument-task_id = Tarefa
argument-status = Estado
argument-is_archived = Arquivado
argument-reason = Motivo
argument-name = Nome
argument-importance = Importância
argument-action_plan = Plano
argument-goal_id = Meta
argument-timeframe = Período
argument-target_date = Data prevista
argument-progress = Progresso em porcentagem
argument-date = Dia
argument-start_time = Início
argument-duration_minutes = Minutos
argument-block_type = Tipo de bloco
argument-content = Texto
argument-folder_id = Pasta
value-low = baixa
value-medium = média
value-high = alta
value-urgent = urgente
value-today = hoje
value-next-actions = próximas ações
value-someday-maybe = algum dia
value-wait-for = aguardando outros
value-routine = rotina
value-daily = diário
value-weekly = semanal
value-monthly = mensal
value-quarterly = trimestral
value-yearly = anual
value-work = trabalho
value-break = pausa
value-meeting = reunião
value-personal = pessoal
value-todo = aberta
value-in-progress = em andamento
value-blocked = bloqueada
value-done = feita

# What was done to tasks, projects, goals, notes and the schedule, and what was undone.
agenda-task-created = Tarefa “{ $title }” adicionada.
agenda-task-create-undone = Tarefa “{ $title }” removida.
agenda-task-updated = Tarefa “{ $title }” alterada.
agenda-task-done = Feito: “{ $title }”.
agenda-task-done-again = Feito: “{ $title }”. O próximo prazo é { $date }.
agenda-task-update-undone = A tarefa “{ $title }” está como antes.
agenda-task-changed-since = A tarefa “{ $title }” foi alterada de novo nesse meio-tempo, então fica como está.
agenda-task-deleted = Tarefa “{ $title }” apagada.
agenda-task-delete-undone = A tarefa “{ $title }” voltou para a sua lista.
agenda-project-created = Projeto “{ $name }” criado.
agenda-project-updated = Projeto “{ $name }” alterado.
agenda-project-update-undone = O projeto “{ $name }” está como antes.
agenda-project-changed-since = O projeto “{ $name }” foi alterado de novo nesse meio-tempo, então fica como está.
agenda-project-create-undone = Projeto “{ $name }” removido.
agenda-goal-created = Meta “{ $title }” definida.
agenda-goal-create-undone = Meta “{ $title }” removida.
agenda-goal-updated = Meta “{ $title }” alterada: { $progress } %.
agenda-goal-update-undone = A meta “{ $title }” está como antes.
agenda-goal-changed-since = A meta “{ $title }” foi alterada de novo nesse meio-tempo, então fica como está.
agenda-note-created = Nota “{ $title }” escrita.
agenda-note-create-undone = Nota “{ $title }” removida.
agenda-block-created = Adicionado à sua agenda: { $span } { $title }.
agenda-block-create-undone = Removido da sua agenda: { $span } { $title }.

# The lists of /tasks, /today and /notes.
agenda-tasks-all =
    { $count ->
        [one] 1 tarefa aberta
       *[other] { $count } tarefas abertas
    }
agenda-tasks-today =
    { $count ->
        [one] 1 tarefa para hoje
       *[other] { $count } tarefas para hoje
    }
agenda-tasks-schedule = Agenda
agenda-timeline-button = Como imagem
agenda-timeline-empty = Não há mais nada marcado para este dia.
agenda-tasks-all-empty = Você não tem tarefas abertas. Escreva “tenho que…” e eu adiciono uma.
agenda-tasks-today-empty = Nada para hoje. /tasks mostra todas as suas tarefas.
agenda-task-due = até { $date }
agenda-task-overdue = atrasada desde { $date }
agenda-task-high = importante
agenda-task-urgent = urgente
agenda-task-in-progress = em andamento
agenda-task-blocked = bloqueada
agenda-task-tomorrow = Amanhã { $number }
agenda-task-unchanged = Esta tarefa não está mais na sua lista.
agenda-notes-heading =
    { $count ->
        [one] 1 nota
       *[other] { $count } notas
    }
agenda-notes-empty = Você não tem notas. Escreva “anote que…” e eu escrevo uma.
agenda-notes-folder-empty = A pasta “{ $folder }” está vazia. Peça que eu escreva uma nota nela.
agenda-notes-all = Todas as notas
agenda-notes-back = Voltar
agenda-note-delete = Apagar
agenda-note-deleted = Nota “{ $title }” apagada.
agenda-note-gone = Esta nota não existe mais.

# The pages of users.
agenda-page-today = Hoje
agenda-page-tasks = Tarefas
agenda-page-notes = Notas
agenda-block-earlier = Mais cedo
agenda-block-later = Mais tarde
agenda-block-move = Mover
agenda-block-moved = “{ $title }” agora é { $span }.
agenda-block-overlaps = Este horário está ocupado: { $blocks }. Escolha um livre.
tool-update_note = Alterar uma nota
agenda-note-updated = Nota “{ $title }” alterada.
agenda-note-update-undone = A nota “{ $title }” está como antes.
agenda-note-changed-since = A nota “{ $title }” foi alterada de novo nesse meio-tempo e fica como está.
agenda-note-delete-undone = A nota “{ $title }” voltou.
