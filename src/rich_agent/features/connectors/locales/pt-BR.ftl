connectors-source-away = ⚠️ Não é possível ler agora os documentos de { $source }: { $problem }. Continuo respondendo com o que tenho e tento de novo sozinho. Aviso quando voltar a funcionar.
connectors-source-back = ✅ Os documentos de { $source } podem ser lidos novamente.
