command-reminders = Vos rappels, heures calmes et résumé du jour
reminder-help = • Vous faire des rappels quand vous le demandez : /reminders.
tool-remind = Créer un rappel
tool-list_reminders = Vos rappels
tool-cancel_reminder = Annuler un rappel
tool-snooze_reminder = Reporter un rappel
doing-remind = Je crée un rappel…
doing-list_reminders = Je parcours vos rappels…
doing-cancel_reminder = J’annule un rappel…
doing-snooze_reminder = Je reporte un rappel…
argument-text = Texte
argument-when = Quand
argument-time_zone = Fuseau horaire
argument-kind = Type
argument-schedule_id = Rappel
argument-until = Jusqu’à
value-reminder = rappel
value-prompt = question à laquelle je répondrai alors
reminder-came = ⏰ { $text }
reminder-delayed = (en retard, prévu : { $at })
reminder-snoozed = Je vous le rappellerai : { $at }
reminder-done = ✓ { $text }
reminder-next = Prochaine fois : { $at }
reminder-set = Rappel : { $text } – { $at }
reminder-cancelled = Rappel annulé : { $text }
reminder-put-off = Rappel reporté : { $text } – { $at }
reminder-line =
    { $at }{ $repeats ->
        [once] {""}
       *[other] {" "}· { $repeats }
    }{ $status ->
        [snoozed] {" "}· reporté
        [paused] {" "}· en pause
       *[other] {""}
    }
reminders-known =
    { $count ->
        [0] Vous n’avez aucun rappel. Écrivez-moi ce que je dois vous rappeler, et quand.
        [one] Vous avez { $count } rappel :
       *[other] Vous avez { $count } rappels :
    }
reminders-usage =
    /reminders – ce qui est à venir
    /reminders quiet 22:00-07:00 – aucun rappel pendant ces heures ; /reminders quiet off
    /reminders digest 08:00 – le programme du jour, chaque jour ; /reminders digest off
reminder-button-done = ✓ Fait
reminder-button-snooze-10m = 10 min
reminder-button-snooze-1h = 1 h
reminder-button-snooze-1d = Demain
reminder-button-quiet =
    { $hours ->
        [none] 🌙 Heures calmes : non
       *[other] 🌙 { $hours }
    }
reminder-button-digest =
    { $clock ->
        [none] ☀️ Résumé du jour : non
       *[other] ☀️ { $clock }
    }
reminder-quiet-hours =
    { $hours ->
        [none] Il n’y a plus d’heures calmes.
       *[other] Les rappels prévus entre { $hours } attendront la fin de ces heures.
    }
reminder-digest-time =
    { $clock ->
        [none] Vous ne recevrez plus de résumé du jour.
       *[other] Vous recevrez un résumé chaque jour à { $clock }.
    }
reminder-digest-request =
    Rédige mon résumé d’aujourd’hui, { $day } : ce qui est prévu, les échéances et ce que je ne dois pas oublier. { $count ->
        [0] Il n’y a aucun rappel aujourd’hui.
       *[other] Mes rappels d’aujourd’hui :
    }
reminder-set-aside = Désolé, l’heure de quelque chose que vous aviez programmé était venue, mais je suis resté bloqué plusieurs fois. Je l’ai mis de côté pour mon opérateur.
reminder-ask-time-zone = Pour vous le rappeler à l’heure, je dois connaître votre fuseau horaire. Dans quelle ville êtes-vous ?
reminder-time-zone-needed = Je ne connais pas encore votre fuseau horaire. Choisissez-le d’abord avec /timezone.

# The pages of users.
reminder-page = Rappels
reminder-quiet-and-digest = Heures calmes et résumé quotidien
reminder-quiet-from = Calme à partir de
reminder-quiet-until = Calme jusqu’à
reminder-digest-at = Résumé quotidien à (vide : aucun)
reminder-repeats = Répétition
reminder-once = une fois
reminder-workdays = les jours ouvrés (lun.–ven.)
