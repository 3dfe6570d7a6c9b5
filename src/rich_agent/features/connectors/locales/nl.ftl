connectors-source-away = ⚠️ De documenten van { $source } kunnen nu niet worden gelezen: { $problem }. Ik blijf antwoorden met wat ik heb en probeer het vanzelf opnieuw. Ik laat het weten zodra het weer werkt.
connectors-source-back = ✅ De documenten van { $source } kunnen weer worden gelezen.
