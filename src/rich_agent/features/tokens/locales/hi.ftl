command-tokens = दूसरे प्रोग्राम आपके नाम से मुझसे पूछें
tokens-none = टोकन से कोई दूसरा प्रोग्राम HTTP पर आपके नाम से मुझसे पूछ सकता है। अभी कोई टोकन नहीं है।
tokens-about = टोकन से कोई दूसरा प्रोग्राम HTTP पर आपके नाम से मुझसे पूछ सकता है। ✕ से टोकन तुरंत रद्द होता है।
tokens-open = आपके टोकन
tokens-unreachable = दूसरे प्रोग्राम यहाँ मुझ तक नहीं पहुँच सकते, इसलिए मैं टोकन नहीं बनाता। पहले मेरे संचालक को PUBLIC_URL तय करना होगा।
tokens-make = नया टोकन
tokens-make-named = नया टोकन “{ $name }”
tokens-name = Telegram
tokens-made = यह नया टोकन है। मैं इसे केवल अभी दिखा रहा हूँ। इसे अपने प्रोग्राम में कॉपी करें, फिर छिपा दें। जिसके पास यह है वह आपके नाम से मुझसे पूछ सकता है, जब तक आप इसे रद्द न करें। प्रोग्रामों के लिए मेरा पता { $address } है
tokens-hide = टोकन छिपाएँ
tokens-revoked = टोकन रद्द हुआ। वह अब काम नहीं करता।
tokens-too-many = आपके पास { $most } टोकन हैं, यही सीमा है। पहले एक रद्द करें।
tokens-made-on = बना: { $day }
tokens-used-on = पिछला उपयोग { $day }
tokens-unused = अभी उपयोग नहीं हुआ
tokens-ends-on = समाप्ति: { $day }

# The pages of users.
tokens-revoke = रद्द करें
tokens-name-label = नाम
