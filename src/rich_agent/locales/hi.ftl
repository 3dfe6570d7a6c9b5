# The turn
greeting = नमस्ते! मेरे दस्तावेज़ों के बारे में कुछ भी पूछें, या कोई फ़ोटो भेजें। /help में देखें कि मैं क्या-क्या कर सकता हूँ।
greeting-named = नमस्ते { $name }! मेरे दस्तावेज़ों के बारे में कुछ भी पूछें, या कोई फ़ोटो भेजें। /help में देखें कि मैं क्या-क्या कर सकता हूँ।
thanks-reply = कोई बात नहीं!
farewell-reply = फिर मिलेंगे! जब चाहें लिखें।
help-reply = पूरा सवाल लिखें, जैसे “आपके स्रोत कौन-से हैं?”, या फ़ोटो भेजकर बताएँ कि क्या जानना है। /help में मेरे सारे काम लिखे हैं।
laughter-reply = 😄
nothing-said = इस संदेश में मुझे कोई शब्द नहीं मिला। सवाल लिखें या फ़ोटो भेजें।
nothing-found = मेरे दस्तावेज़ों में कुछ नहीं मिला।
nothing-found-files = आपकी फ़ाइलों में कुछ नहीं मिला।
nothing-found-answer = मेरे दस्तावेज़ों में इस बारे में कुछ नहीं मिला। दूसरे शब्दों में पूछें, या “आपके स्रोत कौन-से हैं?” पूछकर देखें कि उनमें क्या है।
no-sources-yet = मेरे पास अभी कोई दस्तावेज़ नहीं है, इसलिए कुछ नहीं मिला। मेरे संचालक `ingest add-source` से दस्तावेज़ जोड़ सकते हैं।
question-shortened = आपका संदेश पूरा पढ़ने के लिए बहुत लंबा था, इसलिए मैंने उसका आरंभ और अंत पढ़ा।
look-left-out = मैंने अपने दस्तावेज़ों में केवल एक बार खोजा, क्योंकि दोबारा खोजने में बहुत समय लगता।
nothing-cited-web = वेब का कोई परिणाम इसकी पुष्टि नहीं करता।
unchecked = मैं इसे स्रोतों से मिलाकर जाँच नहीं सका। मैंने पढ़ा: { $sources }
refused-rag = मेरे दस्तावेज़ों में इसका उत्तर नहीं मिला। मैंने यह देखा:
refused-files = आपकी फ़ाइलों में इसका उत्तर नहीं मिला। मैंने यह देखा:
refused-web = वेब के परिणामों में इसका उत्तर नहीं है। मैंने यह देखा:
refused-rag-web = न मेरे दस्तावेज़ों में इसका उत्तर मिला, न वेब पर। मैंने यह देखा:
unsupported = स्रोतों में नहीं है, कृपया जाँच लें: { $claims }
contradicted = स्रोत कुछ और कहते हैं: { $claims }
unjudged = मैं इस उत्तर को इसके स्रोतों से नहीं मिला सका।
unjudged-claims = स्रोतों से नहीं मिलाया जा सका: { $claims }
uncomputed = तालिका की सभी पंक्तियों से नहीं निकाला गया, कृपया जाँच लें: { $claims }
catalogue-title = मेरे दस्तावेज़
catalogue-counts = { $sources } स्रोत, { $documents } दस्तावेज़। यहाँ दिए गए शीर्षक: { $shown }।
catalogue-sources = स्रोत
catalogue-source = { $name }: { $documents } दस्तावेज़
catalogue-source-internal = { $name } (इस सहायक के बारे में): { $documents } दस्तावेज़
catalogue-matching = आपके सवाल से मेल खाते दस्तावेज़
catalogue-others = अन्य दस्तावेज़
your-photo = आपकी फ़ोटो
web-unavailable = वेब पर खोज नहीं हो सकी।
look-failed = मैं चित्र को और ध्यान से नहीं देख सका, इसलिए यह उत्तर पहली बार देखने पर आधारित है।
stopped = (रोका गया)
early-end-length = उत्तर बहुत लंबा हो गया, इसलिए यहीं समाप्त होता है।
early-end-filtered = मॉडल सर्वर के सामग्री फ़िल्टर ने यह उत्तर रोक दिया। दूसरे शब्दों में पूछकर देखें।
early-end-refused = भाषा मॉडल ने इसका उत्तर देने से मना कर दिया।
early-end-repeated = भाषा मॉडल लगातार एक ही बात दोहरा रहा था, इसलिए उसे रोक दिया गया।
early-end-deadline = इसमें एक संदेश के लिए तय समय से ज़्यादा लग गया, इसलिए यहीं रोक दिया गया।
answer-in-file = यह उत्तर लंबा है। ऊपर उसकी शुरुआत है; नीचे की फ़ाइल में पूरा उत्तर है।
continue-button = जारी रखें
continue-wish = अपना उत्तर वहीं से जारी रखें जहाँ रुका था।
stopped-at-once = कुछ लिखने से पहले ही रोक दिया गया।
web-nothing-found = वेब खोज में इस बारे में कुछ नहीं मिला।
ask-about-image =
    मुझे यह दिख रहा है: { $seen }

    आप इसके बारे में क्या जानना चाहते हैं?
image-topic-describe = चित्र का वर्णन करें
image-topic-text = चित्र में लिखा हुआ पढ़ें
image-topic-table = चित्र की तालिका समझाएँ
image-topic-search = चित्र में जो है उसके बारे में खोजें

# Telegram
status-reading = आपकी फ़ाइल पढ़ रहा हूँ…
status-looking = आपकी फ़ोटो देख रहा हूँ…
status-thinking = सोच रहा हूँ…
status-searching = खोज रहा हूँ…
status-searching-web = वेब पर खोज रहा हूँ…
status-drafting = लिख रहा हूँ…
status-busy = भाषा मॉडल व्यस्त है। एक मिनट तक प्रतीक्षा कर रहा हूँ…
status-held = मॉडल सर्वर अभी और अनुरोध नहीं ले रहा। मैं { $at } ({ $wait }) फिर कोशिश करूँगा और यहीं उत्तर दूँगा, आपको दोबारा पूछने की ज़रूरत नहीं। इस बीच भेजे गए संदेशों का उत्तर उसके बाद दूँगा।
status-queued = मिल गया। आपके पिछले संदेश का उत्तर देते ही इसका उत्तर दूँगा।
status-queued-elsewhere = मिल गया। मैं अभी वेब पर या किसी दूसरे प्रोग्राम में आपको उत्तर दे रहा हूँ, उसके बाद इसका उत्तर दूँगा।
status-crowd = मिल गया। अभी बहुत से लोग मुझे लिख रहे हैं। कतार में आपका स्थान: लगभग { $place }। आपकी बारी आते ही उत्तर दूँगा।
button-stop = रोकें
stopping = रोक रहा हूँ…
stopped-by-command = रोक दिया।
question-dropped = ठीक है, मेरे सवाल का जवाब देना ज़रूरी नहीं।
nothing-to-stop = अभी मैं कुछ नहीं लिख रहा हूँ।
stop-too-late = यह उत्तर पूरा हो चुका है।
too-many = आपने एक साथ बहुत-से संदेश भेजे। पहले वालों का उत्तर पहले दूँगा। जब मैं उन्हें पूरा कर लूँ, तब यह संदेश और इसके बाद वाले फिर भेजें।
sources-heading = स्रोत
source-web = { $label } (वेब)
sent-again = (दोबारा भेजा गया: Telegram ने पहली बार की पुष्टि नहीं की थी।)
start = नमस्ते! मैं अपने दस्तावेज़ों से सवालों के जवाब देता हूँ और बताता हूँ कि हर जवाब कहाँ से आया। आप फ़ोटो भेजकर उसके बारे में पूछ सकते हैं, या बता सकते हैं कि आपको क्या करना है। और जानने के लिए /help।
start-named = नमस्ते { $name }! मैं अपने दस्तावेज़ों से सवालों के जवाब देता हूँ और बताता हूँ कि हर जवाब कहाँ से आया। आप फ़ोटो भेजकर उसके बारे में पूछ सकते हैं, या बता सकते हैं कि आपको क्या करना है। और जानने के लिए /help।
start-examples = आज़माने के लिए कोई विषय चुनें:
help-heading = मैं क्या-क्या कर सकता हूँ
help =
    • अपने दस्तावेज़ों से सवालों के जवाब देना, क्रमांकित स्रोतों के साथ, जिन्हें आप खोल सकते हैं।
    • दस्तावेज़ों में कम जानकारी हो, या आप ताज़ा बात पूछें, तो वेब पर खोजना।
    • फ़ोटो, एल्बम या चित्र फ़ाइल देखना। आप किसी फ़ोटो के जवाब में भी सवाल पूछ सकते हैं।
    • आपकी भेजी फ़ाइलें (PDF, Word, Excel, PowerPoint, CSV और अन्य) और आपके दिए लिंक के पेज पढ़ना। /files में उनकी सूची है।
    • आप अपने बारे में जो बताएँ, उसे याद रखना। दूसरे उपयोगकर्ता इसे नहीं देखते।
help-end = बस अपने शब्दों में लिखें।
help-commands = कमांड
unknown-command = { $command } नाम का कोई कमांड नहीं है। /help में देखें कि मैं क्या-क्या कर सकता हूँ।
unknown-command-near = { $command } नाम का कोई कमांड नहीं है। क्या आपका मतलब /{ $near } था? /help में सारे कमांड हैं।
button-outdated = यह बटन अब काम नहीं करता।
cannot-read = इस तरह का संदेश मैं अभी नहीं पढ़ सकता। टेक्स्ट, फ़ोटो या चित्र फ़ाइल भेजें।
cannot-read-sticker =
    { $detail ->
        [blank] स्टिकर पर क्या है, मैं नहीं देख सकता।
       *[other] { $detail } – बढ़िया! पर स्टिकर पर क्या है, मैं नहीं देख सकता।
    } शब्दों में लिखें, या फ़ोटो भेजें।
cannot-read-dice = { $detail } मैं खेलता नहीं, पर सवालों के जवाब देता हूँ: बस लिख दें।
cannot-read-animation = मैं GIF नहीं देख सकता। स्थिर चित्र भेजें, या शब्दों में पूछें।
cannot-read-video = मैं वीडियो नहीं देख सकता। उस क्षण का स्क्रीनशॉट भेजें, या शब्दों में पूछें।
cannot-read-location = मैं नक्शा नहीं देख सकता। जगह का नाम लिखें और बताएँ कि क्या जानना है।
cannot-read-venue = मैं नक्शे पर जगह नहीं ढूँढ सकता। उसका नाम लिखें और बताएँ कि क्या जानना है।
cannot-read-contact = मैं संपर्कों का उपयोग नहीं कर सकता, और इसे मैंने सहेजा नहीं है। लिखें कि आपको क्या चाहिए।
cannot-read-poll = मैं मतदान में भाग नहीं ले सकता। सवाल को टेक्स्ट में लिखें, मैं जवाब दूँगा।
cannot-read-story = मैं स्टोरी नहीं देख सकता। उसका स्क्रीनशॉट भेजें, या शब्दों में पूछें।
unread-note = मैं यह नहीं देख सका: { $things }।
unread-animation = GIF
unread-audio = ऑडियो
unread-checklist = चेकलिस्ट
unread-contact = संपर्क
unread-dice = पासा
unread-game = खेल
unread-giveaway = गिवअवे
unread-giveaway-winners = गिवअवे
unread-invoice = बिल
unread-live-photo = लाइव फ़ोटो
unread-long-text = आपके टेक्स्ट का पहले 16,000 अक्षरों के बाद का हिस्सा
unread-location = स्थान
unread-paid-media = सशुल्क मीडिया
unread-photo = फ़ोटो
unread-poll = मतदान
unread-rich-message = फ़ॉर्मैट किया गया संदेश
unread-sticker = स्टिकर
unread-story = स्टोरी
unread-venue = जगह
unread-video = वीडियो
unread-video-note = वीडियो संदेश
unread-voice = वॉइस संदेश
edit-too-late = मैं केवल आपके सबसे नए सवाल के बदलाव का जवाब देता हूँ। बदला हुआ सवाल नए संदेश में भेजें।
replaced = (बदल दिया गया)
not-allowed = यह बॉट निजी है। उपयोग की अनुमति के लिए यह संख्या इसके संचालक को भेजें: { $user_id }
apology-unavailable = माफ़ करें, कई बार कोशिश करने पर भी भाषा मॉडल से संपर्क नहीं हुआ। कुछ मिनट बाद फिर पूछें।
apology-download = माफ़ करें, कई बार कोशिश करने पर भी Telegram से आपकी फ़ाइल नहीं मिली। कुछ मिनट बाद फिर भेजें।
apology-credit = मॉडल सर्वर पर संचालक के खाते में राशि नहीं बची, इसलिए मैं जवाब नहीं दे सकता। इसे केवल संचालक ठीक कर सकते हैं। बाद में /retry भेजें, मैं इस सवाल का जवाब दूँगा।
apology-key = मॉडल सर्वर संचालक की कुंजी स्वीकार नहीं कर रहा, इसलिए मैं जवाब नहीं दे सकता। इसे केवल संचालक ठीक कर सकते हैं। बाद में /retry भेजें, मैं इस सवाल का जवाब दूँगा।
model-away = मॉडल सर्वर { $at } तक अनुरोध नहीं लेगा। मैं इतनी देर प्रतीक्षा नहीं कर सकता। उसके बाद /retry भेजें, मैं इस सवाल का जवाब दूँगा।
apology-refused = माफ़ करें, भाषा मॉडल ने अनुरोध स्वीकार नहीं किया। संचालक को कारण लॉग में मिल सकता है।
apology-malformed = माफ़ करें, भाषा मॉडल का उत्तर उपयोग लायक नहीं था। फिर पूछें, हो सके तो दूसरे शब्दों में।
apology-spent = माफ़ करें, मैंने एक से ज़्यादा बार कोशिश की और हर बार अटक गया। इसे संचालक के लिए अलग रख दिया है। गड़बड़ी मुझमें है, आपके शब्दों में नहीं।
aside-lesson = माफ़ करें, मैंने आपके एक पुराने संदेश से कुछ याद रखने की कई बार कोशिश की और अटक गया। इसे संचालक के लिए अलग रख दिया है।
aside-stream = यह उत्तर सामान्य ढंग से नहीं दिखाया जा सकता। यह रहा उसका सादा टेक्स्ट:
apology-internal = माफ़ करें, मेरी ओर से कुछ गड़बड़ हुई और वह लॉग में दर्ज है। फिर कोशिश करें।
limit-tokens = आप आज की सीमा ({ $limit } टोकन) तक पहुँच गए हैं। मैं { $at } से ({ $wait }) फिर जवाब दे सकूँगा। तब तक /status, /sources और /memory जैसे कमांड चलते रहेंगे।
limit-images = आप आज की सीमा ({ $limit } चित्र) तक पहुँच गए हैं, इसलिए मैंने आपका भेजा सब कुछ नहीं देखा। मैं { $at } से ({ $wait }) फिर चित्र देख सकूँगा।
limit-searches = आप आज की सीमा ({ $limit } वेब खोज) तक पहुँच गए हैं, इसलिए मैंने वेब पर नहीं खोजा। मैं { $at } से ({ $wait }) फिर खोज सकूँगा।
limit-audio_seconds = आप आज की सीमा ({ $limit } सेकंड ध्वनि) तक पहुँच गए हैं, इसलिए मैंने नहीं सुना। मैं { $at } से ({ $wait }) फिर सुन सकूँगा। तब तक लिखकर भेजें।
limit-wait = { $duration } बाद
day-yesterday = बीता कल
day-today = आज
day-tomorrow = कल
media-too-large = रिकॉर्डिंग बहुत बड़ी है: मैं 20 MB तक की फ़ाइलें ले सकता हूँ।
media-unreadable = मैं यह रिकॉर्डिंग नहीं पढ़ सका; शायद वह ख़राब है। फिर भेजें।
image-empty = चित्र खाली है। फिर भेजें।
image-too-large = चित्र बहुत बड़ा है: मैं 20 MB तक की फ़ाइलें ले सकता हूँ।
image-too-many-pixels = चित्र में बहुत ज़्यादा पिक्सेल हैं। छोटा चित्र भेजें।
image-unreadable = मैं चित्र नहीं पढ़ सका; शायद वह ख़राब है। फिर भेजें।
image-format = मैं यह चित्र प्रारूप नहीं पढ़ सकता। JPEG, PNG या WebP भेजें।
image-heif = मैं HEIC और AVIF फ़ाइलें नहीं पढ़ सकता। इसे फ़ाइल नहीं, फ़ोटो के रूप में भेजें: तब Telegram इसे बदल देता है।
image-animated = मैं चलते चित्र नहीं देख सकता। स्थिर चित्र भेजें।
image-refused = मैं इस चित्र का उपयोग नहीं कर सका। कोई दूसरा भेजें।

# Commands
command-start = यहाँ से शुरू करें
command-help = मैं क्या-क्या कर सकता हूँ
command-new = नई बातचीत शुरू करें
command-stop = लिखा जा रहा उत्तर रोकें
command-retry = पिछले सवाल का फिर जवाब दें
command-sources = मैं क्या जानता हूँ
command-spaces = वे स्पेस जिनमें मैं देखता हूँ
command-why = पिछला उत्तर कैसे बना
command-status = मैं आपके लिए क्या कर रहा हूँ
command-language = मेनू की भाषा चुनें
command-privacy = मैं आपके बारे में क्या रखता हूँ
command-memory = मुझे आपके बारे में क्या याद है
command-export = आपका डेटा फ़ाइल के रूप में
command-forget = अपने बारे में सब कुछ मिटाएँ
command-stats = उपयोग के आँकड़े
command-approvals = स्वीकृति की प्रतीक्षा में उत्तर
admins-only = यह कमांड केवल एडमिन के लिए है।
database-away = अभी मेरे डेटाबेस से संपर्क नहीं हो रहा। एक मिनट बाद फिर कोशिश करें।
button-not-yours = यह बटन किसी और का है।
never = कभी नहीं
and-more = … और { $count } अन्य
privacy-heading = मैं आपके बारे में क्या रखता हूँ
privacy =
    मैं अपने संचालक (मुझे चलाने वाले व्यक्ति या कंपनी) के डेटाबेस में यह रखता हूँ:
    • आपकी Telegram आईडी और नाम, आपके संदेश और मेरे उत्तर
    • आपके बारे में जो मुझे याद है, और आपके काम, नोट और योजनाएँ
    • आपकी कार्य-सूची का लॉगिन, एन्क्रिप्ट करके, यदि आप उसे जोड़ें
    • हर फ़ोटो की पहचान-छाप और विवरण, फ़ोटो कभी नहीं
    • आपकी भेजी फ़ाइलों, पेजों और रिकॉर्डिंग का टेक्स्ट, ध्वनि कभी नहीं
    • हर उत्तर मैंने कैसे तय किया, और आपका 👍 या 👎
    • आप हर दिन कितना उपयोग करते हैं: टोकन, चित्र और खोज

    उत्तर देने के लिए मैं आपका संदेश, बातचीत और मिले हुए अंश संचालक के चुने भाषा मॉडल को भेजता हूँ। दूसरे उपयोगकर्ता इनमें से कुछ नहीं देखते।
new-conversation = हम नई बातचीत शुरू करते हैं। पहले की बातों का अब उपयोग नहीं करूँगा, पर आपने अपने बारे में जो बताया वह याद रहेगा।
language = मेनू और सहायता किस भाषा में हों? मेरे उत्तर आपके सवाल की भाषा में होते हैं।
language-auto = अपने-आप
language-chosen =
    { $chosen ->
        [auto] मेनू और सूचनाएँ आपके Telegram ऐप और आपके संदेशों की भाषा के अनुसार होंगी।
       *[other] अब से मेनू और सूचनाएँ हिन्दी में होंगी। मेरे उत्तर अब भी आपके सवाल की भाषा में होंगे।
    }
language-not-spoken = मैं वह भाषा अभी नहीं बोलता। इनमें से कोई चुनें, या /language के साथ उसका नाम भेजें।
status-sound = आज सुनी और बोली गई ध्वनि के सेकंड: { $seconds }।
sources-none = मेरे पास अभी कोई दस्तावेज़ नहीं है। मेरे संचालक `ingest add-source` से जोड़ सकते हैं।
spaces = मेरे दस्तावेज़ों के ये स्पेस आपके लिए खुले हैं। जिन पर ✓ है, मैं उनमें देखता हूँ; बाक़ी में तभी, जब आप उनका नाम लें। बदलने के लिए किसी पर टैप करें।
spaces-none = मैं जिन दस्तावेज़ों में देखता हूँ, वे सब उन सभी के लिए खुले हैं जो मेरा उपयोग कर सकते हैं।
sources-known = मुझे { $sources } स्रोत और { $documents } दस्तावेज़ पता हैं ({ $passages } अंश):
sources-line = • { $name }: { $documents } दस्तावेज़, { $passages } अंश, पिछला सिंक: { $synced }
sources-line-internal = • { $name } (मेरे बारे में): { $documents } दस्तावेज़, { $passages } अंश, पिछला सिंक: { $synced }
passage-gone = यह अंश अब मेरे दस्तावेज़ों में नहीं है।
passage-read = अंश पढ़ें
why-button = क्यों?
why-nothing = मैंने अभी कोई उत्तर नहीं दिया है। पहले कुछ पूछें।
why-no-answer = मुझे नहीं पता कि वह संदेश कैसे बना। मेरे किसी उत्तर के जवाब में /why लिखें।
why-heading = यह उत्तर कैसे बना
why-done-direct = मैंने सीधे उत्तर दिया, कुछ खोजा नहीं।
why-done-rag =
    { $read ->
        [0] मैंने अपने दस्तावेज़ों में खोजा और इस बारे में कुछ नहीं मिला।
       *[other] मैंने अपने दस्तावेज़ों में खोजा: { $read } अंश पढ़े और { $cited } का हवाला दिया।
    }
why-done-web =
    { $read ->
        [0] मैंने वेब पर खोजा और इस बारे में कुछ नहीं मिला।
       *[other] मैंने वेब पर खोजा: { $read } परिणाम पढ़े और { $cited } का हवाला दिया।
    }
why-done-rag-web =
    { $read ->
        [0] मैंने पहले दस्तावेज़ों में, फिर वेब पर खोजा, और इस बारे में कुछ नहीं मिला।
       *[other] मैंने पहले दस्तावेज़ों में, फिर वेब पर खोजा: { $read } अंश पढ़े और { $cited } का हवाला दिया।
    }
why-web-failed =
    { $read ->
        [0] मैं वेब पर नहीं खोज सका।
       *[other] मैं वेब पर नहीं खोज सका; दस्तावेज़ों से { $read } अंश पढ़े और { $cited } का हवाला दिया।
    }
why-reason = कारण: { $reason }
looked-for = खोजा गया: “{ $query }”
why-further-queries = फिर खोजा गया: “{ $query }”
why-photo = फ़ोटो: मैंने देखी
why-photo-asked = फ़ोटो: आपके सवाल के साथ फिर देखी
why-memory =
    याद आया: आपके बारे में { $count ->
        [1] 1 बात
       *[other] { $count } बातें
    } (देखें /memory)
why-recalled = • { $text }
why-summary = याद आया: पहले की बातचीत का सार
why-past = हमारी पहले की बातचीत से:
why-past-turn = • { $date }: “{ $text }”
why-read-document =
    दस्तावेज़: { $read ->
        [0] कुछ नहीं मिला
       *[other] { $read } अंश पढ़े
    }
why-read-web =
    वेब: { $read ->
        [0] कुछ नहीं मिला
       *[other] { $read } परिणाम पढ़े
    }
why-doubted = जाँच: संदिग्ध वाक्य: { $count }
why-planned = आपके संदेश में ही माँगे गए काम: { $count }
why-repaired = जाँच: पहले रूप में कोई हवाला नहीं था, या कोई वाक्य बिना स्रोत का था, इसलिए मॉडल से फिर लिखवाया
why-permitted = बिना पूछे किए गए काम, क्योंकि आप इनकी हमेशा अनुमति देते हैं (/tools): { $count }
why-unsupported = जाँच: बिना स्रोत के वाक्य, जैसा उत्तर में लिखा है: { $count }
why-contradicted = जाँच: स्रोतों से मेल न खाने वाले वाक्य, जैसा उत्तर में लिखा है: { $count }
why-judged = जाँच: स्रोतों से मिलाए गए वाक्य: { $count }
why-unjudged = जाँच: वाक्य जिन्हें मिलाया नहीं जा सका, जैसा उत्तर में लिखा है: { $count }
why-unsampled = जाँच: वाक्य जिन्हें नहीं मिलाया गया, क्योंकि केवल कुछ उत्तरों की जाँच होती है: { $count }
why-second_look_failed = समस्या: योजना मॉडल उत्तर की जाँच नहीं कर सका
why-check-left-out = मॉडल से जाँच नहीं कराई गई, क्योंकि उसमें बहुत समय लगता
why-refused = जाँच: मैंने जो पढ़ा उसमें मॉडल के लिखे की पुष्टि नहीं थी, इसलिए उसे नहीं दिखाया
why-planner_failed = समस्या: योजना मॉडल ने कोई योजना नहीं दी, इसलिए केवल मेरे दस्तावेज़ों में खोजा
why-further_search_failed = समस्या: योजना मॉडल नहीं बता सका कि अब भी क्या बाकी है
why-look-left-out = आगे खोज नहीं की गई, क्योंकि उसमें बहुत समय लगता
why-embedding_failed = समस्या: मैं केवल शब्दों से खोज सका, अर्थ से नहीं
why-rerank_failed = समस्या: मिले हुए अंशों को क्रम में रखना विफल रहा या उसमें बहुत समय लगा, इसलिए वे खोज के क्रम में ही रहे
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, हवाला दिया)
why-models = मॉडल: { $models }
why-calls = मॉडल को कॉल: { $calls }, इनमें पहले शब्द से पहले एक के बाद एक: { $before }। पढ़े गए टोकन: { $read }, इनमें सर्वर ने दोबारा इस्तेमाल किए: { $cached }
why-times =
    { $steps ->
        [blank] समय: { $total } से.
       *[other] समय: { $total } से. ({ $steps })
    }
why-reference = संचालक के लिए संदर्भ: { $request_id }
step-N1_ingest_input = पढ़ना { $seconds }
step-N2_load_long_term_memory = याद करना { $seconds }
step-N13_read_files = फ़ाइलें पढ़ना { $seconds }
step-N3_vision_summarize = देखना { $seconds }
step-N4_build_effective_query = योजना { $seconds }
step-N5_retrieve = दस्तावेज़ों में खोज { $seconds }
step-N14_search_further = आगे की खोज { $seconds }
step-N8_web_search = वेब पर खोज { $seconds }
step-N6_synthesize = लिखना { $seconds }
step-N7_persist = सहेजना { $seconds }
step-N9_ask_back = आपसे पूछना { $seconds }
step-N10_take_answer = आपका जवाब पढ़ना { $seconds }
step-N11_request_approval = स्वीकृति माँगना { $seconds }
rated = प्रतिक्रिया के लिए धन्यवाद।
rated-down = धन्यवाद। मेरा संचालक अब यह प्रश्न और इसका उत्तर पढ़ सकता है।
rating-withdrawn = मैंने आपकी प्रतिक्रिया हटा दी है।
status-answering =
    मैं आपके लिए उत्तर लिख रहा हूँ। { $waiting ->
        [0] कोई और संदेश प्रतीक्षा में नहीं है।
       *[other] प्रतीक्षा में और संदेश: { $waiting }।
    }
status-waiting =
    { $waiting ->
        [0] आपके सभी संदेशों के उत्तर दिए जा चुके हैं।
       *[other] उत्तर की प्रतीक्षा में आपके संदेश: { $waiting }।
    }
status-use = आज का उपयोग: टोकन { $tokens }, चित्र { $images }, वेब खोज { $searches }, जुड़े टूल के उपयोग { $tool_calls }। नया दिन { $at } ({ $wait }) शुरू होगा।
use-free = { $used }
use-limited = { $limit } में से { $used }
status-documents =
    दस्तावेज़: { $documents }, { $passages ->
        [1] 1 अंश
       *[other] { $passages } अंशों
    } में; पिछला सिंक: { $synced }
status-documents-away = दस्तावेज़: अभी उनके डेटाबेस से संपर्क नहीं हो रहा।
status-out-of-reach = ⚠️ संपर्क नहीं हो रहा ({ $duration }): { $problem }
status-models = मॉडल: { $chat } लिखता है, { $vision } चित्र देखता है
status-version = rich-agent { $version }
memory-empty = मुझे अभी आपके बारे में कुछ याद नहीं है। अपने बारे में कुछ बताएँ, मैं याद रखूँगा।
memory-known =
    { $count ->
        [1] मुझे आपके बारे में 1 बात याद है। उसे भुलाने के लिए उसकी संख्या दबाएँ।
       *[other] मुझे आपके बारे में { $count } बातें याद हैं। किसी को भुलाने के लिए उसकी संख्या दबाएँ।
    }
memory-facts = तथ्य
memory-preferences = पसंद
memory-tasks = काम
memory-past = पहले
memory-planned = नियोजित
memory-item = { $text } ({ $told })
memory-item-due = { $text } – नियत तिथि: { $due } ({ $told })
memory-deleted = भुला दिया। जिन संदेशों में आपने यह बताया था, वे बातचीत में बने हुए हैं। उन्हें भी मिटाने के लिए “… भूल जाएँ” लिखें।
forgetting-told = क्या मैं इसे भूल जाऊँ?
forgetting-everything =
    क्या मैं आपकी बताई हर बात और हमारी पूरी बातचीत भूल जाऊँ? यानी याद रखी हुई { $memory ->
        [1] 1 बात
       *[other] { $memory } बातें
    }, और { $messages ->
        [1] 1 संदेश अपने उत्तर सहित।
       *[other] { $messages } संदेश अपने उत्तरों सहित।
    }
forgetting-named = इनमें इसका केवल ज़िक्र है। ये बने रहेंगे, जब तक आप इन्हें भी भुलाने को न कहें:
forgetting-only-named = मुझे ऐसा कुछ नहीं मिला जो साफ़ तौर पर इसी के बारे में हो। क्या मैं यह भूल जाऊँ, जिसमें इसका केवल ज़िक्र है?
forgetting-of-memory = मुझे जो याद है:
forgetting-of-thing = आपके काम, नोट और योजनाएँ:
forgetting-of-file = आपकी फ़ाइलें:
forgetting-of-message = आपके संदेश, मेरे उत्तरों सहित:
forgetting-of-summary = पहले की बातचीत के सार में:
forgetting-more = … और { $count } अन्य।
forgetting-final = यह वापस नहीं लिया जा सकता। कोई बटन दबाएँ।
forgetting-yes = भूल जाएँ
forgetting-yes-all = यह सब भूल जाएँ
forgetting-no = सब रखें
forgetting-done =
    भुला दिया: याद रखी हुई { $memory ->
        [1] 1 बात
       *[other] { $memory } बातें
    }, और { $messages ->
        [1] 1 संदेश अपने उत्तर सहित
       *[other] { $messages } संदेश अपने उत्तरों सहित
    }। ये मेरी याददाश्त, हमारी बातचीत, उसके सार, संग्रह और /export में दिखने वाले रिकॉर्ड से हट गए हैं। इस चैट में जो दिखता है, वह तब तक रहेगा जब तक आप उसे Telegram में न मिटाएँ।
forgetting-left =
    { $count ->
        [1] आपके चुनाव के अनुसार 1 बात बनी रही, जिसमें इसका केवल ज़िक्र है।
       *[other] आपके चुनाव के अनुसार { $count } बातें बनी रहीं, जिनमें इसका केवल ज़िक्र है।
    }
forgetting-done-everything = आपकी सेटिंग, प्रतिक्रिया और उपयोग का रिकॉर्ड बना रहेगा; /forget उन्हें भी मिटाता है।
forgetting-nothing = न मेरी याददाश्त में, न हमारी बातचीत में इस बारे में कुछ मिला, इसलिए कुछ नहीं मिटाया। /memory में दिखता है कि मुझे आपके बारे में क्या याद है।
forgetting-failed = मॉडल में गड़बड़ी के कारण मैं समझ नहीं सका कि आप क्या भुलाना चाहते हैं। कुछ नहीं मिटाया गया। बाद में फिर कोशिश करें, या /memory और /forget का उपयोग करें।
forgetting-kept = कुछ नहीं मिटाया गया।
forgetting-wish = (कुछ भुलाने का अनुरोध। उसके शब्द नहीं रखे जाते।)
planner-failed-note = मेरा योजना मॉडल विफल रहा। यदि आपने कुछ करने या भुलाने को कहा था, तो न कुछ किया गया, न कुछ मिटाया गया: फिर कहें, या /memory और /forget का उपयोग करें।
planner-failed-still = न कुछ किया गया, न कुछ मिटाया गया।
exported =
    आपके बारे में मैं जो कुछ रखता हूँ, वह सब यह है: { $messages } संदेश, { $decisions } निर्णय{ $images ->
        [0] {""}
       *[other] , { $images } चित्र-विवरण
    }, जो मुझे याद है, और आपके काम, नोट और योजनाएँ। फ़ाइल JSON में है।
forget-confirm =
    क्या मैं आपके बारे में रखा सब कुछ मिटा दूँ? यानी हमारी बातचीत, आपके बारे में जो मुझे याद है, आपके काम, नोट और योजनाएँ, हर उत्तर कैसे तय हुआ, आपकी प्रतिक्रिया, आपकी फ़ोटो के विवरण, आपकी फ़ाइलों और रिकॉर्डिंग का टेक्स्ट, और आपकी सेटिंग।

    यह वापस नहीं लिया जा सकता। इस चैट के संदेश तब तक रहेंगे जब तक आप उन्हें Telegram में न मिटाएँ। अपने डेटा की प्रति के लिए पहले /export भेजें।
forget-yes = हाँ, सब मिटाएँ
forget-no = नहीं, रखें
forget-wish = { $what } के बारे में मैंने जो कहा उसे भूल जाएँ
command-alone = मैंने कुछ नहीं किया: { $command } के बाद कुछ नहीं लिखा जाता। यदि यही चाहते हैं, तो केवल कमांड भेजें।
secret-delete-yourself = मैं आपका संदेश नहीं मिटा सका। उसमें आपका पासवर्ड है, इसलिए उसे स्वयं मिटाएँ।
forget-kept = कुछ नहीं मिटाया गया।
forgotten = आपके बारे में मैंने जो कुछ रखा था, सब मिटा दिया गया है। फिर लिखेंगे तो हम नए सिरे से शुरू करेंगे।
confirmation-over = इस सवाल का समय बीत गया। कमांड फिर भेजें।
nothing-to-retry = फिर से जवाब देने के लिए कोई सवाल नहीं है। पहले कुछ पूछें।
stats-heading = आँकड़े
stats-users = उपयोगकर्ता: { $known }; पिछले दिन { $day }, 7 दिनों में { $week }; { $blocking } ने मुझे ब्लॉक किया है
stats-turns = उत्तर: पिछले दिन { $day }, 7 दिनों में { $week }
stats-plans = योजनाएँ, 7 दिन: { $plans }
stats-plan-direct = सीधे { $count }
stats-plan-rag = दस्तावेज़ { $count }
stats-plan-web = वेब { $count }
stats-plan-rag-web = दस्तावेज़ और वेब { $count }
stats-times = उत्तर का समय, 7 दिन: p50 { $p50 } से., p95 { $p95 } से.
stats-failures = विफलताएँ: 7 दिनों में { $broken } उत्तर अधूरे रहे और { $undelivered } संदेश नहीं पहुँचे, { $dead } अपडेट छोड़े गए
stats-feedback = प्रतिक्रिया: 👍 { $up }, 👎 { $down }
stats-use-day = आज का उपयोग (UTC): टोकन { $tokens }, चित्र { $images }, वेब खोज { $searches }; { $cost }
stats-use-week = उपयोग, 7 दिन: टोकन { $tokens }, चित्र { $images }, वेब खोज { $searches }; { $cost }
stats-cached = पढ़े गए टोकन में से सर्वर पहले ही पढ़ चुका था: { $share } %
stats-cost = लागत { $cost }
stats-cost-partly = लागत { $cost }, { $models } के बिना (मूल्य तय नहीं)
stats-cost-unknown = मूल्य तय नहीं (MODEL_PRICES)
stats-price-table = MODEL_PRICES में न दिए गए मूल्य: { $table }
stats-top-users = सबसे ज़्यादा टोकन, 7 दिन: { $users }
stats-inbox = प्रतीक्षा में अपडेट: { $pending }
stats-approvals = स्वीकृति की प्रतीक्षा में: { $count } (/approvals)

# Approval
approval-waiting = ऐसे उत्तर भेजने से पहले कोई व्यक्ति उन्हें पढ़ता है। आपका उत्तर जाँचा जा रहा है, स्वीकृत होते ही भेज दूँगा। इस बीच आप लिखते रह सकते हैं।
approval-review =
    उत्तर { $number } आपकी स्वीकृति की प्रतीक्षा में है।
    प्रेषक: { $user }
    प्रकार: { $intent }
    सवाल: { $question }

    मसौदा नीचे है। उसके जवाब में सुधारा हुआ टेक्स्ट भेजें, या बटन का उपयोग करें।
button-approve = स्वीकृत करें
button-correct = सुधारें
button-reject = अस्वीकार करें
approval-correction = उत्तर { $number }: इस संदेश के जवाब में सुधारा हुआ टेक्स्ट भेजें। उपयोगकर्ता उसे ज्यों का त्यों पढ़ेगा।
approval-reason = उत्तर { $number }: इस संदेश के जवाब में अस्वीकार करने का कारण लिखें। उपयोगकर्ता उसे पढ़ेगा।
approval-words-missing = मुझे यह टेक्स्ट में चाहिए। उसी संदेश का फिर जवाब दें।
approval-is-approved =
    { $by ->
        [you] ✓ आपने स्वीकृत किया।
       *[other] ✓ { $admin } ने स्वीकृत किया।
    }
approval-is-corrected =
    { $by ->
        [you] ✎ आपके टेक्स्ट के साथ भेजा गया।
       *[other] ✎ { $admin } के टेक्स्ट के साथ भेजा गया।
    }
approval-is-rejected =
    { $by ->
        [you] ✗ आपने अस्वीकार किया।
       *[other] ✗ { $admin } ने अस्वीकार किया।
    }
approval-is-expired = समय पर निर्णय नहीं हुआ। मैंने उपयोगकर्ता को बता दिया है।
approval-is-withdrawn = उपयोगकर्ता ने सवाल बदल दिया, इसलिए इस मसौदे की अब ज़रूरत नहीं।
approval-approved = यह उत्तर जाँचकर स्वीकृत किया गया है।
approval-corrected = यह उत्तर जाँचकर सुधारा गया है।
approval-rejected = माफ़ करें, मैं इसका उत्तर नहीं दे सकता। कारण: { $reason }
approval-expired = माफ़ करें, मेरा उत्तर समय पर नहीं जाँचा गया। बाद में फिर पूछें।
approvals-known =
    { $count ->
        [0] स्वीकृति की प्रतीक्षा में कोई उत्तर नहीं है।
       *[other] स्वीकृति की प्रतीक्षा में उत्तर ({ $count }):
    }
approvals-line = • { $number }, { $since } से, { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = योजना के अनुसार
reason-greeting = अभिवादन
reason-farewell = विदाई
reason-thanks = धन्यवाद
reason-help = सहायता का अनुरोध
reason-laughter = हँसी
reason-reaction = इमोजी
reason-silence = संदेश में खोजने लायक कोई शब्द नहीं है
reason-number = संख्या या गणना
reason-known_word = मेरे दस्तावेज़ों में आने वाला शब्द
reason-forget_wish = कुछ भुलाने का अनुरोध
reason-stopped = आपने योजना बनने से पहले रोक दिया
reason-no_web = वेब खोज चालू नहीं है
reason-no_plan = योजना मॉडल ने कोई योजना नहीं दी, इसलिए मेरे दस्तावेज़ों में खोजा, वेब पर नहीं
reason-file_read = संदेश आपकी भेजी फ़ाइल के बारे में है
reason-file_refused = आपकी भेजी कोई भी फ़ाइल पढ़ी नहीं जा सकती
reason-about_bot = मेरे बारे में सवालों के जवाब मेरे अपने मैनुअल से दिए जाते हैं
reason-about_now = उत्तर वर्तमान पर निर्भर है, इसलिए वेब पर खोजा
reason-documents_first = मेरे दस्तावेज़ वेब से पहले आते हैं
reason-documents_may_say = मेरे दस्तावेज़ों में इसका उत्तर हो सकता है
reason-documents_wanted = आपने पूछा कि दस्तावेज़ क्या कहते हैं
reason-web_ruled_out = संदेश निजी हो सकता है, इसलिए वेब पर नहीं खोजा
reason-say_little = मेरे दस्तावेज़ों में इस बारे में कम है, इसलिए वेब पर भी खोजा
reason-say_little_on = मेरे दस्तावेज़ों में “{ $subject }” के बारे में कम है, इसलिए वेब पर भी खोजा

# Alerts for admins
alert-credit = ⚠️ मॉडल सर्वर के खाते में राशि नहीं बची ({ $service }), इसलिए मैं किसी को जवाब नहीं दे सकता। { $hint } फिर छूटे सवालों के जवाब दिलाने के लिए `rich-agent inbox replay --all` चलाएँ। यह सूचना घंटे में ज़्यादा से ज़्यादा एक बार भेजता हूँ।
alert-key = ⚠️ मॉडल सर्वर कुंजी स्वीकार नहीं कर रहा ({ $service }), इसलिए मैं किसी को जवाब नहीं दे सकता। { $hint } फिर छूटे सवालों के जवाब दिलाने के लिए `rich-agent inbox replay --all` चलाएँ। यह सूचना घंटे में ज़्यादा से ज़्यादा एक बार भेजता हूँ।
alert-away = ⚠️ मॉडल सर्वर ({ $service }) { $at } तक अनुरोध नहीं लेगा। उपयोगकर्ताओं से उसके बाद फिर पूछने को कहा जा रहा है। इससे बचने के लिए सीमा बढ़ाएँ या दूसरा सर्वर लें। यह सूचना घंटे में ज़्यादा से ज़्यादा एक बार भेजता हूँ।
alert-lesson = ⚠️ मैंने कई दिन तक एक संदेश से किसी उपयोगकर्ता की याददाश्त अपडेट करने की कोशिश की, फिर छोड़ दिया। कारण लॉग में है। यह सूचना घंटे में ज़्यादा से ज़्यादा एक बार भेजता हूँ।
alert-refused = ⚠️ मॉडल सर्वर मेरा एक अनुरोध अस्वीकार कर रहा है: { $problem } { $hint } उसके बिना जितना हो सके, काम जारी है। यह संदेश घंटे में ज़्यादा से ज़्यादा एक बार भेजा जाता है।

# Tools: what each is for, and what is happening while it runs.
status-acting = { $tool } का उपयोग कर रहा हूँ…
tool-list_files = आपकी फ़ाइलें
tool-undo_last_change = पिछला बदलाव वापस लेना
tool-search_documents = दस्तावेज़
tool-search_web = वेब खोज
tool-request_more_information = आपसे एक सवाल
doing-list_files = आपकी फ़ाइलें देख रहा हूँ…
doing-undo_last_change = पिछला बदलाव वापस ले रहा हूँ…
doing-search_documents = दस्तावेज़ों में खोज रहा हूँ…
doing-search_web = वेब पर खोज रहा हूँ…
approve-calls = मैं यह करना चाहता हूँ। करूँ?
approve-not-planned = आपने अपने संदेश में यह नहीं माँगा था। ध्यान से देख लें।
approve-yes = स्वीकृत करें
approve-no = रद्द करें
approve-words-yes = हाँ|हां|जी हाँ|जी हां|ठीक है
approve-words-no = नहीं|रद्द करें
card-labelled = { $label }: { $text }
card-not-done = नहीं किया गया।
approve-adjust = बदलें
approve-how-to-adjust = लिखें कि क्या बदलना है, मैं फिर से सुझाऊँगा।
approve-always = इसके लिए हमेशा
approve-always-same = “{ $always }” से यह स्वीकृत होता है, और आगे यही कार्रवाई बिना पूछे होगी। /tools से इसे वापस ले सकते हैं।
approve-always-alike = “{ $always }” से यह स्वीकृत होता है, और आगे उसी { $fixed } वाली कार्रवाइयाँ बिना पूछे होंगी, बाकी उनमें कुछ भी हो। /tools से इसे वापस ले सकते हैं।
web-approve-in-words = “{ $yes }” या “{ $no }” लिखकर जवाब दें, या लिखें कि क्या बदलना है।
card-characters-left-out = और अक्षर: { $count }
card-arguments-left-out = और जानकारियाँ: { $count }
card-in-file = यहाँ सब कुछ नहीं आता। पूरा टेक्स्ट “approval.txt” फ़ाइल में है। फ़ैसला करने से पहले उसे पढ़ लें।
card-copied-from = स्रोत: { $sources }
copied-user = आपका संदेश
copied-memory = जो मैं आपके लिए रखता हूँ
copied-assistant = पहले का एक उत्तर
copied-operator = बॉट का संचालक
copied-document = दस्तावेज़
copied-page = वेब पेज
copied-file = फ़ाइल
copied-server = दूसरा प्रोग्राम
copied-other = कोई और व्यक्ति
card-takes-back = जो वापस लिया जाएगा
argument-duration = अवधि
argument-yes = हाँ
argument-no = नहीं
argument-none = कुछ नहीं
approve-cancelled = रद्द किया गया। कुछ नहीं बदला।
acting-limit-calls = एक संदेश में 10 कार्यों की सीमा पूरी हो गई। कुछ बाकी हो तो “जारी रखें” लिखें।
acting-limit-errors = लगातार तीन बार गड़बड़ हुई, इसलिए मैं रुक गया। और कुछ नहीं बदला।
undo-button = वापस लें
undo-done = वापस लिया गया:
undo-too-late = इसे अब वापस नहीं लिया जा सकता।
step-N12_act = कार्य { $seconds }

reason-in_group = समूहों में मैं केवल अपने दस्तावेज़ों से उत्तर देता हूँ
reason-link_ignored = आप चाहते थे कि लिंक न पढ़ा जाए
reason-link_kept = आप चाहते थे कि पेज याद रखा जाए
reason-link_read = आपके दिए लिंक का पेज पढ़ा गया
reason-in_session = यह संदेश एक निर्देशित सत्र का हिस्सा है
reason-session_left = आप निर्देशित सत्र समाप्त करना चाहते थे

timeline-left-out = और { $count } अन्य
command-timezone = अपना समय क्षेत्र चुनें
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [1] हर घंटे
           *[other] हर { $count } घंटे
        }
        [daily] { $count ->
            [1] हर दिन
           *[other] हर { $count } दिन
        }
        [weekly] { $count ->
            [1] हर सप्ताह
           *[other] हर { $count } सप्ताह
        }
        [monthly] { $count ->
            [1] हर महीने
           *[other] हर { $count } महीने
        }
       *[yearly] { $count ->
            [1] हर साल
           *[other] हर { $count } साल
        }
    }
time-zone-none = मुझे अभी आपका समय क्षेत्र नहीं पता। यहाँ चुनें, या /timezone के साथ Asia/Kolkata जैसा नाम भेजें।
time-zone = आपका समय क्षेत्र { $zone } है। वहाँ अभी { $now } है। बदलने के लिए /timezone के साथ दूसरा नाम भेजें।
time-zone-chosen = आपका समय क्षेत्र { $zone } है। वहाँ अभी { $now } है। दोहराए जाने वाले रिमाइंडर इसी के अनुसार आएँगे।
time-zone-near = मैं { $name } नाम का समय क्षेत्र नहीं जानता। क्या आपका मतलब इनमें से कोई था?
time-zone-which = { $name } के कई समय क्षेत्र हैं। आपका कौन-सा है?
time-zone-unknown = मैं { $name } नाम का समय क्षेत्र नहीं जानता। नाम में क्षेत्र और शहर होता है, जैसे Asia/Kolkata।

# The page of a passage.
passage-place = { $source } · { $count } में से अंश { $position }
passage-before = ← पिछला
passage-after = अगला →

# The page of a browser while the bot starts.
bot-starting = बॉट शुरू हो रहा है…

# Calls that a user permitted for good (/tools).
command-tools = देखें कि मैं आपसे पूछे बिना क्या कर सकता हूँ
tools-none = आपने अभी किसी कार्रवाई को बिना पूछे करने की अनुमति नहीं दी है। जब मैं किसी कार्रवाई से पहले पूछूँ, तो “इसके लिए हमेशा” चुनने से वह आगे भी स्वीकृत रहेगी, जहाँ यह सुरक्षित हो।
tools-about = ये कार्रवाइयाँ आपसे पूछे बिना होती हैं। ✕ से अनुमति वापस ली जाती है, और /tools के साथ उसकी संख्या भेजकर भी।
tools-given-on = अनुमति: { $day }
tools-used = उपयोग: { $count }
tools-any = कुछ भी
tools-changed = तब से टूल बदल गया है, इसलिए मैं आपसे फिर पूछूँगा।
tools-take-all-back = सब वापस लें
tools-taken-back = अनुमति वापस ले ली गई। ऐसी कार्रवाई से पहले मैं आपसे फिर पूछूँगा।

# Outside Telegram.
only-in-telegram = यह पूरी तरह केवल Telegram में काम करता है: वहाँ { $command } भेजें।

run-not-latest = बातचीत के केवल सबसे नए सवाल का उत्तर दोबारा दिया जा सकता है।

# What is asked in groups.
guest-user-limit = आज के लिए समूहों में आपके सवाल पूरे हो गए। मुझसे निजी चैट में पूछें।
guest-group-limit = इस समूह ने पिछले एक घंटे में बहुत पूछा है। बाद में फिर कोशिश करें, या निजी चैट में पूछें।
guest-withheld = मैं इसका उत्तर समूह में नहीं दे सकता। निजी चैट में पूछें।
guest-answer-cut = यह एक लंबे उत्तर का आरंभ है। पूरे उत्तर के लिए निजी चैट में पूछें।
guest-answered-privately = मैंने आपको हमारी निजी चैट में उत्तर दे दिया है।

## Files
file-page = पृष्ठ { $number }
file-sheet-named = शीट { $heading }
file-sheet-numbered = शीट { $number }
file-slide-named = स्लाइड { $number }: { $heading }
file-slide-numbered = स्लाइड { $number }
ask-about-files =
    { $count ->
        [one] मैंने { $names } पढ़ ली है। आप इसके बारे में क्या जानना चाहते हैं?
       *[other] मैंने { $names } पढ़ ली हैं। आप इनके बारे में क्या जानना चाहते हैं?
    }
file-topic-summary = सार बताएँ
file-topic-points = मुख्य बातें बताएँ
file-read-whole = मैंने पूरी { $name } पढ़ी।
file-macros = { $name } के मैक्रो नहीं चलाए गए।
file-read-in-parts =
    मैंने पूरी { $name } { $parts ->
        [1] एक भाग
       *[other] { $parts } भागों
    } में पढ़ी।
file-read-partly = { $name } लंबी है: मैंने { $units } में से { $read } भाग पढ़े। बाकी के बारे में, या किसी एक भाग के बारे में पूछें।
file-searched = { $name } लंबी है: मैंने आपके सवाल के लिए उसमें खोजा, पूरी नहीं पढ़ी।
file-parts-unread = { $name } में यह पढ़ा नहीं जा सका: { $parts }।
file-part-attachment =
    { $count ->
        [1] { $count } संलग्न फ़ाइल
       *[other] { $count } संलग्न फ़ाइलें
    }
file-part-chart = { $count } चार्ट
file-part-diagram = { $count } आरेख
file-part-drawing = { $count } रेखाचित्र
file-part-equation = { $count } समीकरण
file-part-field = { $count } फ़ॉर्म फ़ील्ड
file-part-file =
    { $count ->
        [1] { $count } फ़ाइल
       *[other] { $count } फ़ाइलें
    }
file-part-formula =
    { $count ->
        [1] { $count } सूत्र जिसका परिणाम सहेजा नहीं गया
       *[other] { $count } सूत्र जिनके परिणाम सहेजे नहीं गए
    }
file-part-letter = { $count } अक्षर
file-part-object =
    { $count ->
        [1] { $count } एम्बेड किया गया ऑब्जेक्ट
       *[other] { $count } एम्बेड किए गए ऑब्जेक्ट
    }
file-part-page =
    { $count ->
        [1] { $count } बिना टेक्स्ट का पृष्ठ
       *[other] { $count } बिना टेक्स्ट के पृष्ठ
    }
file-part-picture = { $count } चित्र
file-part-remark =
    { $count ->
        [1] { $count } टिप्पणी
       *[other] { $count } टिप्पणियाँ
    }
file-part-row =
    { $count ->
        [1] { $count } पंक्ति
       *[other] { $count } पंक्तियाँ
    }
file-part-sheet = { $count } शीट
file-part-slide =
    { $count ->
        [1] { $count } बिना टेक्स्ट की स्लाइड
       *[other] { $count } बिना टेक्स्ट की स्लाइडें
    }
file-refused-too-large = “{ $name }” 20 MB से बड़ी है, इतनी Telegram मुझे डाउनलोड नहीं करने देता। छोटी फ़ाइल भेजें, या उसे बाँट दें।
file-refused-too-long = “{ $name }” पढ़ने के लिए बहुत लंबी है। ज़रूरी हिस्सा अलग फ़ाइल में भेजें।
file-refused-unsupported = मैं “{ $name }” नहीं पढ़ सकता। मैं PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, EML, MSG, MHTML, ZIP और सादा टेक्स्ट पढ़ता हूँ। इनमें से किसी में सहेजकर फिर भेजें।
file-refused-old-office = “{ $name }” पुराने Office प्रारूप में है। DOCX, XLSX, PPTX या PDF में सहेजकर फिर भेजें।
file-refused-archive = “{ $name }” ऐसे तरीके से पैक है जिसे मैं खोल नहीं सकता। इसे ZIP के रूप में भेजें, या इसके अंदर की फ़ाइलें भेजें।
file-refused-encrypted = “{ $name }” पर पासवर्ड लगा है। बिना पासवर्ड के सहेजकर फिर भेजें।
file-refused-empty = मुझे “{ $name }” में कोई टेक्स्ट नहीं मिला। उसमें कुछ है तो PDF या फ़ोटो के रूप में भेजें।
file-refused-damaged = “{ $name }” ख़राब है, या वैसी नहीं है जैसा उसका नाम कहता है। उसे खोलें, फिर से सहेजें और नई प्रति भेजें।
file-refused-gone = मैं “{ $name }” नहीं ला सका: वह अब उपलब्ध नहीं है। फिर भेजें।
file-keep-button = याद रखें
file-only-here-button = केवल यहाँ
file-kept =
    { $count ->
        [one] मैं यह फ़ाइल याद रखूँगा। /files में दिखती है।
       *[other] मैं ये फ़ाइलें याद रखूँगा। /files में दिखती हैं।
    }
file-not-kept =
    { $count ->
        [one] मैं यह फ़ाइल इस बातचीत के साथ भूल जाऊँगा (/new)।
       *[other] मैं ये फ़ाइलें इस बातचीत के साथ भूल जाऊँगा (/new)।
    }
file-forgotten = भुला दिया।
files-none = यहाँ आपकी कोई फ़ाइल नहीं है। एक भेजें: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV या टेक्स्ट।
files-title =
    { $count ->
        [one] आपकी फ़ाइल:
       *[other] आपकी { $count } फ़ाइलें:
    }
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, याद है
files-line-unread = नहीं पढ़ा गया: { $parts }।
files-hint = 📌 फ़ाइल को इस बातचीत के बाद भी याद रखता है, या अब नहीं। 🗑 उसे भुलाता है।
command-files = आपकी फ़ाइलें: देखें, याद रखें, भुलाएँ

# Links.
ask-about-links =
    { $count ->
        [1] मैं इस लिंक का क्या करूँ? { $links }
       *[other] मैं इन लिंक का क्या करूँ? { $links }
    }
link-wish-summary = सार बताएँ
link-wish-keep = याद रखें
link-wish-ignore = छोड़ दें
link-ignored = ठीक है, इसे नहीं पढ़ूँगा।
link-kept =
    { $count ->
        [1] मैंने “{ $names }” पढ़ लिया है और याद रखूँगा। जब चाहें इसके बारे में पूछें; /files में दिखता है।
       *[other] मैंने पढ़ लिए हैं और याद रखूँगा: { $names }। जब चाहें इनके बारे में पूछें; /files में दिखते हैं।
    }
page-refused-private = मैं { $name } नहीं पढ़ता: यह निजी नेटवर्क में ले जाता है।
page-refused-robots = मुझे { $name } पढ़ने की अनुमति नहीं: वह साइट प्रोग्रामों को नहीं आने देती। उसका टेक्स्ट भेजें, या पेज को फ़ाइल के रूप में भेजें।
page-refused-closed = { $name } केवल लॉग इन किए लोगों के लिए खुला है। उसका टेक्स्ट भेजें, या पेज को फ़ाइल के रूप में भेजें।
page-refused-gone = { $name } पर कोई पेज नहीं है। क्या पता पूरा है?
page-refused-too-large = पेज { $name } मेरे लिए बहुत बड़ा है। ज़रूरी हिस्सा भेजें।
page-refused-too-long = पेज { $name } मेरे लिए बहुत लंबा है। ज़रूरी हिस्सा भेजें।
page-refused-slow = { $name } जवाब देने में बहुत देर लगाता है। बाद में फिर कोशिश करें।
page-refused-away = मैं { $name } नहीं ला सका: साइट में दिक़्क़त है, या उस तक पहुँचा नहीं जा सकता। बाद में फिर कोशिश करें।
page-refused-empty = मुझे { $name } पर कोई टेक्स्ट नहीं मिला। शायद पेज केवल लोगों को, या लॉग इन के बाद दिखता है। उसका टेक्स्ट भेजें।
page-refused-made-by-scripts = मुझे { $name } पर कोई टेक्स्ट नहीं दिखता: पेज केवल ब्राउज़र में भरता है। उसका टेक्स्ट भेजें, या पेज को ब्राउज़र में सहेजकर फ़ाइल भेजें।
page-refused-consent = { $name } पर मुझे केवल बटनों वाला एक सवाल दिखता है, जैसे सहमति का, उसके पीछे का पेज नहीं। उसका टेक्स्ट भेजें, या पेज को फ़ाइल के रूप में भेजें।
page-refused-unsupported = { $name } ऐसा पेज या दस्तावेज़ नहीं है जिसे मैं पढ़ सकूँ।
page-refused-old-office = { $name } की फ़ाइल पुराने Office प्रारूप में है, जिसे मैं नहीं पढ़ सकता।
page-refused-archive = { $name } पर मौजूद फ़ाइल ऐसे तरीके से पैक है जिसे मैं खोल नहीं सकता।
page-refused-encrypted = { $name } की फ़ाइल पर पासवर्ड लगा है।
page-refused-damaged = { $name } की फ़ाइल ख़राब है, या वैसी नहीं है जैसा उसका नाम कहता है।
page-refused-too-many-links = मैंने { $name } नहीं पढ़ा: यह उतने लिंक से ज़्यादा है जितने मैं एक संदेश में पढ़ता हूँ।

# The demo.
demo-about-stand-in = यह आपके कंप्यूटर पर चलने वाला डेमो है। बॉट असली है; Telegram और भाषा मॉडल की जगह नकली साधन हैं, और यह मॉडल केवल उद्धरण दे सकता है। असली मॉडल के लिए: “मॉडल जोड़ें”, या OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = यह आपके कंप्यूटर पर चलने वाला डेमो है। बॉट और उसका भाषा मॉडल ({ $model }) असली हैं; Telegram की जगह नकली साधन है।
demo-about-operator = आप Ada के नाम से लिख रहे हैं, जो इस बॉट की संचालक हैं: /help में संचालक के काम भी दिखते हैं।
pages-skip = सामग्री पर जाएँ
pages-elsewhere = अन्य पृष्ठ
pages-sign-in = कृपया साइन इन करें
pages-from-elsewhere = किसी दूसरी साइट का लिंक आपको यहाँ लाया।
pages-open = पृष्ठ खोलें
pages-not-for-you = आप यह पृष्ठ नहीं देख सकते। बॉट के मालिक से भूमिका माँगें।
pages-problem = यह नहीं हो सका
pages-problem-back = वापस जाएँ; आपका लिखा अब भी वहाँ है।
pages-gone = नहीं मिला
pages-gone-how = यहाँ कुछ नहीं है, या अब नहीं है।
pages-later = बॉट अभी जवाब नहीं दे सकता। थोड़ी देर में फिर कोशिश करें।
pages-unsent = कुछ नहीं भेजा गया: बॉट तक पहुँच नहीं है। फिर कोशिश करें।
pages-as-table = तालिका के रूप में
pages-cancel = रद्द करें
pages-copy = कॉपी करें
pages-copied = कॉपी हो गया
pages-pages = सूची के पृष्ठ
pages-first = शुरुआत पर
pages-next = और
pages-search = खोजें

# The pages of users.
panel-save = सहेजें
widget-unanswered = कोई उत्तर नहीं आया। कृपया फिर कोशिश करें।
widget-wait = इसमें थोड़ा और समय लगेगा। यह हो जाएगा।
