command-users = मेरा उपयोग कौन करता है
command-allow = किसी को अनुमति दें: /allow ID
command-deny = किसी को रोकें: /deny ID
people-known =
    { $count ->
        [0] अभी तक किसी ने मुझे नहीं लिखा।
       *[other] { $count } उपयोगकर्ता:
    }
people-line = { $user_id } · { $name } · { $state } · पिछली बार: { $seen }
people-state-admin = एडमिन
people-state-allowed = अनुमति है
people-state-denied = अनुमति नहीं
people-state-blocking = मुझे ब्लॉक किया है
people-usage = उपयोगकर्ता की संख्या जोड़ें: { $command } 123456789। /users में वे उपयोगकर्ता हैं जिन्हें मैं जानता हूँ। जिन्हें मैं मना करता हूँ, उन्हें अपनी संख्या दिखती है।
people-let-in = अब से { $user_id } मेरा उपयोग कर सकते हैं।
people-let-in-anyway = { $user_id } मेरा उपयोग कर सकते हैं। ALLOWED_USERS * है, इसलिए जिन्हें आपने रोका है उन्हें छोड़कर बाकी सब भी कर सकते हैं।
people-kept-out = { $user_id } अब मेरा उपयोग नहीं कर सकते।
people-is-admin = { $user_id } एडमिन हैं। पहले यह संख्या ADMIN_USERS से हटाएँ।
