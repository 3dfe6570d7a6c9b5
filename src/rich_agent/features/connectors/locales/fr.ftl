connectors-source-away = ⚠️ Les documents de { $source } ne peuvent pas être lus pour le moment : { $problem }. Je continue à répondre avec ce que j’ai et je réessaie de moi-même. Je vous préviendrai quand cela fonctionnera de nouveau.
connectors-source-back = ✅ Les documents de { $source } peuvent de nouveau être lus.
