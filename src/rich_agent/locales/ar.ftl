# The turn
greeting = مرحبًا! يمكنك سؤالي عن أي شيء في مستنداتي أو إرسال صورة. لمعرفة ما أستطيع فعله: /help
greeting-named = مرحبًا { $name }! يمكنك سؤالي عن أي شيء في مستنداتي أو إرسال صورة. لمعرفة ما أستطيع فعله: /help
thanks-reply = على الرحب والسعة!
farewell-reply = إلى اللقاء! تسرّني رسائلك في أي وقت.
help-reply = يُرجى طرح سؤال كامل، مثل «ما مصادرك؟»، أو إرسال صورة مع كتابة ما المطلوب معرفته. قائمة بكل ما أستطيع فعله: /help
laughter-reply = 😄
nothing-said = لم أجد كلمات في هذه الرسالة. يُرجى طرح سؤال أو إرسال صورة.
nothing-found = لم يُعثر على شيء في المصادر المسجّلة.
nothing-found-files = لم يُعثر على شيء في ملفاتك.
nothing-found-answer = لم يُعثر على شيء عن هذا في المصادر المسجّلة. يمكن تجربة كلمات أخرى، أو السؤال «ما مصادرك؟» لمعرفة ما تغطيه.
no-sources-yet = لم يُعثر على شيء: لا مصادر مسجّلة بعد. يستطيع مشغّلي إضافتها بالأمر `ingest add-source`.
question-shortened = رسالتك أطول من أن أقرأها كاملة، فقرأت أولها وآخرها.
look-left-out = بحثت في مستنداتي مرة واحدة فقط، لأن بحثًا آخر كان سيستغرق وقتًا طويلًا.
nothing-cited-web = لا نتيجة من الويب تؤيد هذا.
unchecked = لم أتمكن من التحقق من هذا في المصادر. قرأت: { $sources }
refused-rag = لا إجابة عن هذا في المصادر المسجّلة. بحثت في:
refused-files = لا إجابة عن هذا في ملفاتك. بحثت في:
refused-web = نتائج الويب لا تجيب عن هذا. بحثت في:
refused-rag-web = لا إجابة عن هذا في المصادر المسجّلة ولا على الويب. بحثت في:
unsupported = غير وارد في المصادر، يُرجى التحقق: { $claims }
contradicted = المصادر تقول غير ذلك: { $claims }
unjudged = لم أتمكن من مقارنة هذا الجواب بمصادره.
unjudged-claims = لم يُقارن بالمصادر: { $claims }
uncomputed = لم يُحسب من كل صفوف الجدول، يُرجى التحقق: { $claims }
catalogue-title = المستندات المسجّلة
catalogue-counts =
    { $sources ->
        [zero] لا مصادر
        [one] مصدر واحد
        [two] مصدران
        [few] { $sources } مصادر
        [many] { $sources } مصدرًا
       *[other] { $sources } مصدر
    }، { $documents ->
        [zero] لا مستندات
        [one] مستند واحد
        [two] مستندان
        [few] { $documents } مستندات
        [many] { $documents } مستندًا
       *[other] { $documents } مستند
    }. عدد العناوين المذكورة هنا: { $shown }.
catalogue-sources = المصادر
catalogue-source =
    { $name }: { $documents ->
        [zero] لا مستندات
        [one] مستند واحد
        [two] مستندان
        [few] { $documents } مستندات
        [many] { $documents } مستندًا
       *[other] { $documents } مستند
    }
catalogue-source-internal =
    { $name } (عن هذا المساعد): { $documents ->
        [zero] لا مستندات
        [one] مستند واحد
        [two] مستندان
        [few] { $documents } مستندات
        [many] { $documents } مستندًا
       *[other] { $documents } مستند
    }
catalogue-matching = مستندات توافق سؤالك
catalogue-others = مستندات أخرى
your-photo = صورتك
web-unavailable = تعذّر البحث في الويب.
look-failed = لم أتمكن من تفحّص الصورة عن قرب، فهذا مبني على نظرتي الأولى إليها.
stopped = (أُوقف)
early-end-length = طال الجواب أكثر من اللازم وينتهي هنا.
early-end-filtered = أوقف مرشّح المحتوى في خادم النموذج هذا الجواب. يمكن السؤال بكلمات أخرى.
early-end-refused = رفض النموذج اللغوي الإجابة عن هذا.
early-end-repeated = كان نموذج اللغة يكرر نفسه بلا نهاية، لذلك أوقفته.
early-end-deadline = استغرق هذا وقتًا أطول مما يمكنني أن أخصصه لرسالة واحدة، لذلك توقفت هنا.
answer-in-file = هذه الإجابة طويلة. أعلاه بدايتها، والملف أدناه يحتوي عليها كاملة.
continue-button = متابعة
continue-wish = تابع جوابك من حيث توقف.
stopped-at-once = أُوقف قبل أن أكتب شيئًا.
web-nothing-found = لم يجد البحث في الويب شيئًا عن هذا.
ask-about-image =
    أرى هذا: { $seen }

    ما المطلوب معرفته عنه؟
image-topic-describe = صِف الصورة
image-topic-text = اقرأ النص في الصورة
image-topic-table = اشرح الجدول في الصورة
image-topic-search = ابحث عمّا في الصورة

# Telegram
status-reading = أقرأ ملفك…
status-looking = أنظر إلى صورتك…
status-thinking = أفكّر…
status-searching = أبحث…
status-searching-web = أبحث في الويب…
status-drafting = أكتب…
status-busy = النموذج اللغوي مشغول. أنتظره دقيقة على الأكثر…
status-held = خادم النموذج لا يقبل طلبات الآن. سأحاول مجددًا { $at } ({ $wait }) وأجيب هنا، فلا حاجة إلى تكرار السؤال. أي رسائل أخرى سأجيب عنها بعد ذلك.
status-queued = وصلت رسالتك. سأجيب عنها فور الانتهاء من الرسالة التي قبلها.
status-queued-elsewhere = وصلت رسالتك. ما زلت أجيبك على الويب أو في برنامج آخر، وسأجيب عن هذه بعد ذلك.
status-crowd = وصلت رسالتك. يكتب لي الآن كثير من الناس. ترتيبك في قائمة الانتظار: { $place } تقريبًا. سأجيبك فور أن يحين دورك.
button-stop = إيقاف
stopping = جارٍ الإيقاف…
stopped-by-command = أُوقف.
question-dropped = حسنًا، لا حاجة إلى الرد على سؤالي.
nothing-to-stop = لا أكتب شيئًا الآن.
stop-too-late = هذا الجواب مكتمل بالفعل.
too-many = وصلتني منك رسائل كثيرة دفعة واحدة. سأجيب عن الأقدم أولًا. يُرجى إعادة إرسال هذه الرسالة وما بعدها حين أنتهي من السابقة.
sources-heading = المصادر
source-web = { $label } (الويب)
sent-again = (أُعيد الإرسال: لم يؤكد تيليجرام المحاولة الأولى.)
start = مرحبًا! أجيب عن الأسئلة من مستنداتي وأبيّن مصدر كل جواب. يمكنك أيضًا إرسال صورة والسؤال عنها، أو إخباري بما عليك إنجازه. للمزيد: /help
start-named = مرحبًا { $name }! أجيب عن الأسئلة من مستنداتي وأبيّن مصدر كل جواب. يمكنك أيضًا إرسال صورة والسؤال عنها، أو إخباري بما عليك إنجازه. للمزيد: /help
start-examples = للتجربة، يكفي الضغط على موضوع:
help-heading = ما أستطيع فعله
help =
    • الإجابة عن الأسئلة من مستنداتي، مع مصادر مرقّمة يمكن فتحها.
    • البحث في الويب حين لا تكفي مستنداتي أو حين يكون السؤال عن أمور راهنة.
    • قراءة الملفات التي تصلني منك (PDF وWord وExcel وPowerPoint وCSV وغيرها) والصفحات التي يصلني رابطها. قائمتها: /files
    • النظر إلى صورة أو ألبوم أو ملف صورة. ويمكن الرد على صورة بسؤال.
    • تذكّر ما أعرفه عنك من رسائلك. لا يراه المستخدمون الآخرون أبدًا.
help-end = تكفي الكتابة إليّ بكلماتك.
help-commands = الأوامر
unknown-command = لا يوجد أمر { $command }. لمعرفة ما أستطيع فعله: /help
unknown-command-near = لا يوجد أمر { $command }. هل المقصود /{ $near }؟ جميع الأوامر: /help
button-outdated = لم يعد هذا الزر يعمل.
cannot-read = لا أستطيع قراءة هذا النوع من الرسائل بعد. يُرجى إرسال نص أو صورة أو ملف صورة.
cannot-read-sticker =
    { $detail ->
        [blank] لا أرى ما على الملصق.
       *[other] { $detail } – جميل! لكني لا أرى ما على الملصق.
    } يُرجى التعبير بالكلمات أو إرسال صورة.
cannot-read-dice = { $detail } لا ألعب، لكني أجيب عن الأسئلة: يكفي كتابة سؤال.
cannot-read-animation = لا أستطيع مشاهدة صور GIF. يُرجى إرسال صورة ثابتة أو السؤال بالكلمات.
cannot-read-video = لا أستطيع مشاهدة الفيديو. يُرجى إرسال لقطة شاشة من اللحظة المقصودة أو السؤال بالكلمات.
cannot-read-location = لا أستطيع النظر إلى خريطة. يُرجى كتابة اسم المكان وما المطلوب معرفته عنه.
cannot-read-venue = لا أستطيع البحث عن مكان على الخريطة. يُرجى كتابة اسمه وما المطلوب معرفته عنه.
cannot-read-contact = لا أستخدم جهات الاتصال، ولم أحتفظ بهذه. يُرجى كتابة المطلوب.
cannot-read-poll = لا أستطيع التصويت في الاستطلاعات. يُرجى كتابة السؤال نصًا لأجيب عنه.
cannot-read-story = لا أرى القصص. يُرجى إرسال لقطة شاشة أو السؤال بالكلمات.
unread-note = لم أتمكن من الاطلاع على: { $things }.
unread-animation = صورة GIF
unread-audio = المقطع الصوتي
unread-checklist = قائمة التحقق
unread-contact = جهة الاتصال
unread-dice = النرد
unread-game = اللعبة
unread-giveaway = السحب
unread-giveaway-winners = السحب
unread-invoice = الفاتورة
unread-live-photo = الصورة الحية
unread-long-text = نصك بعد أول 16,000 حرف
unread-location = الموقع
unread-paid-media = الوسائط المدفوعة
unread-photo = الصورة
unread-poll = الاستطلاع
unread-rich-message = الرسالة المنسّقة
unread-sticker = الملصق
unread-story = القصة
unread-venue = المكان
unread-video = الفيديو
unread-video-note = رسالة الفيديو
unread-voice = الرسالة الصوتية
edit-too-late = لا أجيب إلا عن تعديلات سؤالك الأخير. يُرجى إرسال السؤال المعدّل في رسالة جديدة.
replaced = (استُبدل)
not-allowed = هذا البوت خاص. لطلب الدخول، يُرجى إرسال هذا الرقم إلى مشغّله: { $user_id }
apology-unavailable = عذرًا، حاولت عدة مرات ولم أصل إلى النموذج اللغوي. يُرجى السؤال مجددًا بعد بضع دقائق.
apology-download = عذرًا، حاولت عدة مرات ولم أتمكن من جلب ملفك من تيليجرام. يُرجى إعادة إرساله بعد بضع دقائق.
apology-credit = نفد رصيد مشغّلي لدى خادم النموذج، فلا أستطيع الإجابة. مشغّلي وحده يستطيع إصلاح ذلك. يُرجى إرسال /retry لاحقًا وسأجيب عن هذا السؤال.
apology-key = خادم النموذج لا يقبل مفتاح مشغّلي، فلا أستطيع الإجابة. مشغّلي وحده يستطيع إصلاح ذلك. يُرجى إرسال /retry لاحقًا وسأجيب عن هذا السؤال.
model-away = خادم النموذج لا يقبل طلبات حتى { $at }. هذا أطول من أن ننتظره. يُرجى إرسال /retry بعد ذلك وسأجيب عن هذا السؤال.
apology-refused = عذرًا، لم يقبل النموذج اللغوي الطلب. يمكن لمشغّلي معرفة السبب من السجل.
apology-malformed = عذرًا، أعطى النموذج اللغوي جوابًا لا يصلح للاستخدام. يُرجى السؤال مجددًا، وربما بكلمات أخرى.
apology-spent = عذرًا، حاولت الإجابة عن هذا أكثر من مرة وتعثّرت كل مرة. تركته لمشغّلي. الخلل عندي وليس في كلماتك.
aside-lesson = عذرًا، حاولت أكثر من مرة تحديث ذاكرتي من رسالة سابقة لك وتعثّرت. تركتها لمشغّلي.
aside-stream = لا يمكن عرض هذه الإجابة بالطريقة المعتادة. هذا نصها المجرد:
apology-internal = عذرًا، حدث خطأ من جانبي وهو مدوّن في السجل. يُرجى المحاولة مجددًا.
limit-tokens = اكتمل حدّ اليوم (عدد الرموز: { $limit }). يمكنني الإجابة مجددًا { $at } ({ $wait }). وحتى ذلك الحين تعمل أوامر مثل /status و /sources و /memory.
limit-images =
    اكتمل حدّ اليوم ({ $limit ->
        [zero] لا صور
        [one] صورة واحدة
        [two] صورتان
        [few] { $limit } صور
        [many] { $limit } صورة
       *[other] { $limit } صورة
    })، فلم أنظر إلى كل ما وصل منك. يمكنني النظر إلى الصور مجددًا { $at } ({ $wait }).
limit-searches =
    اكتمل حدّ اليوم ({ $limit ->
        [zero] لا عمليات بحث في الويب
        [one] عملية بحث واحدة في الويب
        [two] عمليتا بحث في الويب
        [few] { $limit } عمليات بحث في الويب
        [many] { $limit } عملية بحث في الويب
       *[other] { $limit } عملية بحث في الويب
    })، فلم أبحث في الويب. يمكنني البحث مجددًا { $at } ({ $wait }).
limit-audio_seconds =
    اكتمل حدّ اليوم ({ $limit ->
        [zero] لا ثواني صوت
        [one] ثانية صوت واحدة
        [two] ثانيتا صوت
        [few] { $limit } ثوانٍ من الصوت
        [many] { $limit } ثانية من الصوت
       *[other] { $limit } ثانية من الصوت
    })، فلم أستمع. يمكنني الاستماع مجددًا { $at } ({ $wait }). وحتى ذلك الحين يُرجى الكتابة إليّ.
limit-wait = بعد { $duration }
day-yesterday = أمس
day-today = اليوم
day-tomorrow = غدًا
media-too-large = التسجيل كبير جدًا: أقبل الملفات حتى 20 ميغابايت.
media-unreadable = تعذّرت قراءة هذا التسجيل، فقد يكون تالفًا. يُرجى إعادة إرساله.
image-empty = الصورة فارغة. يُرجى إعادة إرسالها.
image-too-large = الصورة كبيرة جدًا: أقبل الملفات حتى 20 ميغابايت.
image-too-many-pixels = في الصورة بكسلات أكثر مما أقبل. يُرجى إرسال نسخة أصغر.
image-unreadable = تعذّرت قراءة الصورة، فقد تكون تالفة. يُرجى إعادة إرسالها.
image-format = لا أستطيع قراءة صيغة هذه الصورة. يُرجى إرسال JPEG أو PNG أو WebP.
image-heif = لا أستطيع قراءة ملفات HEIC وAVIF. يُرجى إرسالها صورةً لا ملفًا، فيحوّلها تيليجرام.
image-animated = لا أستطيع النظر إلى صور متحركة. يُرجى إرسال صورة ثابتة.
image-refused = لم أتمكن من استخدام هذه الصورة. يُرجى إرسال صورة أخرى.

# Commands
command-start = البداية من هنا
command-help = ما أستطيع فعله
command-new = بدء محادثة جديدة
command-stop = إيقاف الجواب الذي أكتبه
command-retry = الإجابة مجددًا عن آخر سؤال
command-sources = ما أعرفه
command-spaces = المساحات التي أبحث فيها
command-why = كيف وصلت إلى جوابي الأخير
command-status = ما أفعله لك الآن
command-language = اختيار لغة القوائم
command-privacy = ما أحتفظ به عنك
command-memory = ما أتذكره عنك
command-export = بياناتك في ملف
command-forget = حذف كل شيء عنك
command-stats = إحصاءات الاستخدام
command-approvals = أجوبة تنتظر الموافقة
admins-only = هذا الأمر للمشرفين فقط.
database-away = تعذّر الوصول إلى قاعدة بياناتي حاليًا. يُرجى المحاولة مجددًا بعد دقيقة.
button-not-yours = هذا الزر يخصّ شخصًا آخر.
never = لم تحدث بعد
and-more = … و{ $count } أخرى
privacy-heading = ما أحتفظ به عنك
privacy =
    أحتفظ بما يلي في قاعدة بيانات الشخص أو الشركة التي تشغّلني:
    • معرّفك واسمك في تيليجرام، ورسائلك وأجوبتي
    • ما أتذكره عنك، ومهامك وملاحظاتك وخططك
    • بيانات الدخول إلى قائمة مهامك، مشفّرةً، إن رُبطت
    • بصمة كل صورة ووصفها، لا الصورة نفسها
    • نص ما يُرسَل من ملفات وصفحات وتسجيلات، لا الصوت نفسه
    • كيف قرّرت بشأن كل جواب، وتقييمك 👍 أو 👎
    • مقدار استخدامك كل يوم: الرموز والصور وعمليات البحث

    لكي أجيب، أرسل رسالتك والمحادثة والمقاطع التي وجدتها إلى النموذج اللغوي الذي اختاره مشغّلي. لا يرى المستخدمون الآخرون شيئًا من ذلك أبدًا.
new-conversation = نبدأ محادثة جديدة. لم أعد أستخدم ما قلناه من قبل، لكني ما زلت أتذكر ما أخبرتني به عن نفسك.
language = بأي لغة تكون القوائم والمساعدة؟ أما أجوبتي فتتبع لغة سؤالك.
language-auto = تلقائي
language-chosen =
    { $chosen ->
        [auto] تتبع قوائمي وإشعاراتي لغة تطبيق تيليجرام لديك ولغة رسائلك.
       *[other] قوائمي وإشعاراتي بالعربية من الآن. أما أجوبتي فتبقى بلغة سؤالك.
    }
language-not-spoken = لا أتحدث هذه اللغة بعد. يُرجى اختيار إحدى هذه، أو إرسال /language مع اسم اللغة.
status-sound = ثواني الصوت المسموعة والمنطوقة اليوم: { $seconds }.
sources-none = لا مستندات لديّ بعد. يستطيع مشغّلي إضافتها بالأمر `ingest add-source`.
spaces = هذه المساحات من مستنداتي متاحة لك. أبحث في المساحات ذات العلامة ✓، وفي غيرها فقط إذا ذكرتها. اضغط على مساحة لتغيير ذلك.
spaces-none = كل ما أبحث فيه من أجلك متاح لكل من يحق له استخدامي.
sources-known =
    ما أعرفه: { $sources ->
        [zero] لا مصادر
        [one] مصدر واحد
        [two] مصدران
        [few] { $sources } مصادر
        [many] { $sources } مصدرًا
       *[other] { $sources } مصدر
    }، { $documents ->
        [zero] لا مستندات
        [one] مستند واحد
        [two] مستندان
        [few] { $documents } مستندات
        [many] { $documents } مستندًا
       *[other] { $documents } مستند
    } ({ $passages ->
        [zero] لا مقاطع
        [one] مقطع واحد
        [two] مقطعان
        [few] { $passages } مقاطع
        [many] { $passages } مقطعًا
       *[other] { $passages } مقطع
    }):
sources-line =
    • { $name }: { $documents ->
        [zero] لا مستندات
        [one] مستند واحد
        [two] مستندان
        [few] { $documents } مستندات
        [many] { $documents } مستندًا
       *[other] { $documents } مستند
    }، { $passages ->
        [zero] لا مقاطع
        [one] مقطع واحد
        [two] مقطعان
        [few] { $passages } مقاطع
        [many] { $passages } مقطعًا
       *[other] { $passages } مقطع
    }، آخر مزامنة: { $synced }
sources-line-internal =
    • { $name } (عني): { $documents ->
        [zero] لا مستندات
        [one] مستند واحد
        [two] مستندان
        [few] { $documents } مستندات
        [many] { $documents } مستندًا
       *[other] { $documents } مستند
    }، { $passages ->
        [zero] لا مقاطع
        [one] مقطع واحد
        [two] مقطعان
        [few] { $passages } مقاطع
        [many] { $passages } مقطعًا
       *[other] { $passages } مقطع
    }، آخر مزامنة: { $synced }
passage-gone = لم يعد هذا المقطع في مستنداتي.
passage-read = قراءة المقطع
why-button = لماذا؟
why-nothing = لم أجب عن شيء بعد. يُرجى طرح سؤال أولًا.
why-no-answer = لا سجل لديّ عن كيفية إعداد تلك الرسالة. يُرجى الرد بالأمر /why على أحد أجوبتي.
why-heading = كيف وصلت إلى هذا الجواب
why-done-direct = أجبت مباشرة دون بحث.
why-done-rag =
    { $read ->
        [0] بحثت في مستنداتي ولم أجد شيئًا عن هذا.
        [one] بحثت في مستنداتي: قرأت مقطعًا واحدًا، والمستشهد به { $cited }.
        [two] بحثت في مستنداتي: قرأت مقطعين، والمستشهد به { $cited }.
        [few] بحثت في مستنداتي: قرأت { $read } مقاطع، والمستشهد به { $cited }.
        [many] بحثت في مستنداتي: قرأت { $read } مقطعًا، والمستشهد به { $cited }.
       *[other] بحثت في مستنداتي: قرأت { $read } مقطع، والمستشهد به { $cited }.
    }
why-done-web =
    { $read ->
        [0] بحثت في الويب ولم أجد شيئًا عن هذا.
        [one] بحثت في الويب: قرأت نتيجة واحدة، والمستشهد به { $cited }.
        [two] بحثت في الويب: قرأت نتيجتين، والمستشهد به { $cited }.
        [few] بحثت في الويب: قرأت { $read } نتائج، والمستشهد به { $cited }.
        [many] بحثت في الويب: قرأت { $read } نتيجة، والمستشهد به { $cited }.
       *[other] بحثت في الويب: قرأت { $read } نتيجة، والمستشهد به { $cited }.
    }
why-done-rag-web =
    { $read ->
        [0] بحثت في مستنداتي ثم في الويب ولم أجد شيئًا عن هذا.
        [one] بحثت في مستنداتي ثم في الويب: قرأت مقطعًا واحدًا، والمستشهد به { $cited }.
        [two] بحثت في مستنداتي ثم في الويب: قرأت مقطعين، والمستشهد به { $cited }.
        [few] بحثت في مستنداتي ثم في الويب: قرأت { $read } مقاطع، والمستشهد به { $cited }.
        [many] بحثت في مستنداتي ثم في الويب: قرأت { $read } مقطعًا، والمستشهد به { $cited }.
       *[other] بحثت في مستنداتي ثم في الويب: قرأت { $read } مقطع، والمستشهد به { $cited }.
    }
why-web-failed =
    { $read ->
        [0] تعذّر عليّ البحث في الويب.
        [one] تعذّر عليّ البحث في الويب؛ ومن مستنداتي قرأت مقطعًا واحدًا، والمستشهد به { $cited }.
        [two] تعذّر عليّ البحث في الويب؛ ومن مستنداتي قرأت مقطعين، والمستشهد به { $cited }.
        [few] تعذّر عليّ البحث في الويب؛ ومن مستنداتي قرأت { $read } مقاطع، والمستشهد به { $cited }.
        [many] تعذّر عليّ البحث في الويب؛ ومن مستنداتي قرأت { $read } مقطعًا، والمستشهد به { $cited }.
       *[other] تعذّر عليّ البحث في الويب؛ ومن مستنداتي قرأت { $read } مقطع، والمستشهد به { $cited }.
    }
why-reason = السبب: { $reason }
looked-for = بحثت عن: «{ $query }»
why-further-queries = ثم بحثت عن: «{ $query }»
why-photo = الصورة: نظرت إليها
why-photo-asked = الصورة: نظرت إليها مجددًا في ضوء سؤالك
why-memory =
    من الذاكرة: { $count ->
        [zero] لا معلومات عنك
        [one] معلومة واحدة عنك
        [two] معلومتان عنك
        [few] { $count } معلومات عنك
        [many] { $count } معلومة عنك
       *[other] { $count } معلومة عنك
    } (انظر /memory)
why-recalled = • { $text }
why-summary = من الذاكرة: ملخّص ما قلناه سابقًا
why-past = من حديثنا السابق:
why-past-turn = • { $date }: «{ $text }»
why-read-document =
    المستندات: { $read ->
        [0] لم يُعثر على شيء
        [one] قُرئ مقطع واحد
        [two] قُرئ مقطعان
        [few] قُرئت { $read } مقاطع
        [many] قُرئ { $read } مقطعًا
       *[other] قُرئ { $read } مقطع
    }
why-read-web =
    الويب: { $read ->
        [0] لم يُعثر على شيء
        [one] قُرئت نتيجة واحدة
        [two] قُرئت نتيجتان
        [few] قُرئت { $read } نتائج
        [many] قُرئت { $read } نتيجة
       *[other] قُرئت { $read } نتيجة
    }
why-doubted =
    التحقق: { $count ->
        [one] جملة واحدة بدت مشكوكًا فيها
        [two] جملتان بدتا مشكوكًا فيهما
        [few] { $count } جمل بدت مشكوكًا فيها
        [many] { $count } جملة بدت مشكوكًا فيها
       *[other] { $count } جملة بدت مشكوكًا فيها
    }
why-planned = الإجراءات التي تطلبها رسالتك وحدها: { $count }
why-repaired = التحقق: لم تستشهد الصيغة الأولى بشيء، أو كانت فيها جملة بلا مصدر، فطلبت من النموذج كتابتها من جديد
why-permitted = استدعاءات نُفّذت دون سؤال لأنك تسمح بها دائمًا (/tools): { $count }
why-unsupported =
    التحقق: { $count ->
        [one] جملة واحدة بلا مصدر
        [two] جملتان بلا مصدر
        [few] { $count } جمل بلا مصدر
        [many] { $count } جملة بلا مصدر
       *[other] { $count } جملة بلا مصدر
    }، كما يذكر الجواب
why-contradicted =
    التحقق: { $count ->
        [one] جملة واحدة تخالف المصادر
        [two] جملتان تخالفان المصادر
        [few] { $count } جمل تخالف المصادر
        [many] { $count } جملة تخالف المصادر
       *[other] { $count } جملة تخالف المصادر
    }، كما هو مذكور في الإجابة
why-judged = التحقق: عدد الجمل التي قورنت بالمصادر: { $count }
why-unjudged = التحقق: عدد الجمل التي تعذرت مقارنتها، كما يذكر الجواب: { $count }
why-unsampled = التحقق: عدد الجمل التي لم تُقارن لأن التحقق يشمل جزءًا من الأجوبة فقط: { $count }
why-second_look_failed = مشكلة: لم يتمكن نموذج التخطيط من التحقق من الإجابة
why-check-left-out = لم يتحقق نموذج من الإجابة، لأن ذلك كان سيستغرق وقتًا طويلًا
why-refused = التحقق: لا شيء مما قرأته يؤيد ما كتبه النموذج، فلم أعرضه
why-planner_failed = مشكلة: لم يعطِ نموذج التخطيط خطة، فاقتصر البحث على المستندات المسجّلة
why-further_search_failed = مشكلة: لم يستطع نموذج التخطيط أن يحدّد ما الذي بقي ناقصًا
why-look-left-out = لا بحث إضافي، لأنه كان سيستغرق وقتًا طويلًا
why-embedding_failed = مشكلة: أمكنني البحث بالكلمات فقط، لا بالمعنى
why-rerank_failed = مشكلة: تعذّر ترتيب المقاطع أو استغرق وقتًا طويلًا، فبقيت بترتيب البحث
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }، استُشهد به)
why-models = النموذج: { $models }
why-calls = استدعاءات النموذج: { $calls }، منها على التوالي قبل الكلمة الأولى: { $before }. الرموز المقروءة: { $read }، منها ما أعاد الخادم استخدامه: { $cached }
why-times =
    { $steps ->
        [blank] الوقت: { $total } ث
       *[other] الوقت: { $total } ث ({ $steps })
    }
why-reference = الرقم المرجعي للمشغّل: { $request_id }
step-N1_ingest_input = القراءة { $seconds }
step-N2_load_long_term_memory = التذكّر { $seconds }
step-N13_read_files = قراءة الملفات { $seconds }
step-N3_vision_summarize = النظر { $seconds }
step-N4_build_effective_query = التخطيط { $seconds }
step-N5_retrieve = البحث في المستندات { $seconds }
step-N14_search_further = مواصلة البحث { $seconds }
step-N8_web_search = البحث في الويب { $seconds }
step-N6_synthesize = الكتابة { $seconds }
step-N7_persist = الحفظ { $seconds }
step-N9_ask_back = الاستيضاح { $seconds }
step-N10_take_answer = قراءة ردّك { $seconds }
step-N11_request_approval = طلب الموافقة { $seconds }
rated = شكرًا على رأيك.
rated-down = شكرًا. يمكن لمشغّلي الآن قراءة هذا السؤال وجوابه.
rating-withdrawn = حذفت رأيك.
status-answering =
    أكتب لك جوابًا. { $waiting ->
        [0] لا رسائل أخرى تنتظر.
        [one] وتنتظر رسالة أخرى.
        [two] وتنتظر رسالتان أخريان.
        [few] وتنتظر { $waiting } رسائل أخرى.
        [many] وتنتظر { $waiting } رسالة أخرى.
       *[other] وتنتظر { $waiting } رسالة أخرى.
    }
status-waiting =
    { $waiting ->
        [0] أجبت عن جميع رسائلك.
        [one] رسالة واحدة منك تنتظر الجواب.
        [two] رسالتان منك تنتظران الجواب.
       *[other] { $waiting } من رسائلك تنتظر الجواب.
    }
status-use = استخدام اليوم: الرموز { $tokens }، الصور { $images }، عمليات البحث في الويب { $searches }، استدعاءات الأدوات المتصلة { $tool_calls }. يبدأ يوم جديد { $at } ({ $wait }).
use-free = { $used }
use-limited = { $used } من { $limit }
status-documents =
    المستندات: { $documents }، وفيها { $passages ->
        [zero] لا مقاطع
        [one] مقطع واحد
        [two] مقطعان
        [few] { $passages } مقاطع
        [many] { $passages } مقطعًا
       *[other] { $passages } مقطع
    }؛ آخر مزامنة: { $synced }
status-documents-away = المستندات: تعذّر الوصول إلى قاعدة بياناتها حاليًا.
status-out-of-reach = ⚠️ تعذّر الوصول ({ $duration }): { $problem }
status-models = النماذج: { $chat } يكتب، و{ $vision } ينظر إلى الصور
status-version = rich-agent { $version }
memory-empty = لا أتذكر شيئًا عنك بعد. يمكنك إخباري بشيء عن نفسك لأتذكره.
memory-known =
    { $count ->
        [one] أتذكر شيئًا واحدًا عنك. يكفي الضغط على رقمه لأنساه.
        [two] أتذكر شيئين عنك. يكفي الضغط على رقم أحدهما لأنساه.
        [few] أتذكر { $count } أشياء عنك. يكفي الضغط على رقم أحدها لأنساه.
        [many] أتذكر { $count } شيئًا عنك. يكفي الضغط على رقم أحدها لأنساه.
       *[other] أتذكر { $count } شيء عنك. يكفي الضغط على رقم أحدها لأنساه.
    }
memory-facts = حقائق
memory-preferences = تفضيلات
memory-tasks = مهام
memory-past = في الماضي
memory-planned = مخطط له
memory-item = { $text } ({ $told })
memory-item-due = { $text } – الموعد { $due } ({ $told })
memory-deleted = نسيته. تبقى الرسائل التي أخبرتني فيها بهذا في محادثتنا. لحذفها أيضًا تكفي كتابة «انسَ …».
forgetting-told = هل أنسى هذا؟
forgetting-everything = هل أنسى كل ما أخبرتني به وما قلناه؟ ما أتذكره: { $memory }، والرسائل مع أجوبتها: { $messages }.
forgetting-named = هذه تذكره فقط. ستبقى ما لم يقع اختيارك على نسيانها أيضًا:
forgetting-only-named = لم أجد شيئًا يخصّه بوضوح. هل أنسى ما يلي، وهو يذكره فقط؟
forgetting-of-memory = ما أتذكره:
forgetting-of-thing = مهامك وملاحظاتك وخططك:
forgetting-of-file = ملفاتك:
forgetting-of-message = رسائلك مع أجوبتي:
forgetting-of-summary = في ملخّص ما قلناه سابقًا:
forgetting-more =
    { $count ->
        [one] … وواحدة أخرى.
        [two] … واثنتان أخريان.
       *[other] … و{ $count } أخرى.
    }
forgetting-final = لا يمكن التراجع عن هذا. يُرجى الضغط على زر.
forgetting-yes = نسيان هذا
forgetting-yes-all = نسيان كل هذا
forgetting-no = إبقاء كل شيء
forgetting-done = نسيت ما يلي: من ذاكرتي { $memory }، ومن الرسائل مع أجوبتها { $messages }. لم يبقَ لها أثر في ذاكرتي ولا في محادثتنا وملخّصها ولا في الأرشيف ولا في السجل الذي يعرضه /export. وما يظهر في هذه المحادثة يبقى حتى حذفه في تيليجرام.
forgetting-left =
    { $count ->
        [one] يبقى شيء واحد يذكره فقط، كما اخترت.
        [two] يبقى شيئان يذكرانه فقط، كما اخترت.
        [few] تبقى { $count } أشياء تذكره فقط، كما اخترت.
        [many] يبقى { $count } شيئًا يذكره فقط، كما اخترت.
       *[other] يبقى { $count } شيء يذكره فقط، كما اخترت.
    }
forgetting-done-everything = تبقى إعداداتك وآراؤك وسجل استخدامك؛ ويحذفها أيضًا الأمر /forget.
forgetting-nothing = لم أجد شيئًا عن ذلك، لا فيما أتذكره ولا في محادثتنا، فلم يُحذف شيء. ما أتذكره عنك: /memory
forgetting-failed = لم أتمكن من معرفة المطلوب نسيانه لأن نموذجي أخفق. لم يُحذف شيء. يُرجى المحاولة لاحقًا، أو استخدام /memory و /forget.
forgetting-kept = لم يُحذف شيء.
forgetting-wish = (طلب نسيان شيء. لا تُحفظ كلماته.)
planner-failed-note = أخفق نموذج التخطيط. إن كان المطلوب فعل شيء أو نسيانه، فلم يُنفَّذ شيء ولم يُحذف شيء: يُرجى تكرار الطلب، أو استخدام /memory و /forget.
planner-failed-still = لم يُنفَّذ شيء ولم يُحذف شيء.
exported =
    هذا كل ما أحتفظ به عنك: { $messages ->
        [zero] لا رسائل
        [one] رسالة واحدة
        [two] رسالتان
        [few] { $messages } رسائل
        [many] { $messages } رسالة
       *[other] { $messages } رسالة
    }، { $decisions ->
        [zero] لا قرارات
        [one] قرار واحد
        [two] قراران
        [few] { $decisions } قرارات
        [many] { $decisions } قرارًا
       *[other] { $decisions } قرار
    }{ $images ->
        [0] {""}
        [one] ، ملخّص صورة واحدة
        [two] ، ملخّصا صورتين
        [few] ، { $images } ملخّصات صور
        [many] ، { $images } ملخّص صورة
       *[other] ، { $images } ملخّص صورة
    }، وما أتذكره، ومهامك وملاحظاتك وخططك. صيغة الملف JSON.
forget-confirm =
    هل أحذف كل ما أحتفظ به عنك؟ أي محادثتنا، وما أتذكره عنك، ومهامك وملاحظاتك وخططك، وكيف قرّرت بشأن كل جواب، وآراءك، وأوصاف صورك، ونص ملفاتك وتسجيلاتك، وإعداداتك.

    لا يمكن التراجع عن هذا. تبقى الرسائل في هذه المحادثة حتى حذفها في تيليجرام. للحصول على نسخة من بياناتك، يُرجى إرسال /export أولًا.
forget-yes = نعم، حذف كل شيء
forget-no = لا، إبقاؤه
forget-wish = انسَ ما قلته عن { $what }
command-alone = لم أفعل شيئًا: لا تُكتب كلمات بعد { $command }. أرسله وحده إن كنت تقصده.
secret-delete-yourself = لم أتمكن من حذف رسالتك. فيها كلمة مرورك، فيُرجى حذفها يدويًا.
forget-kept = لم يُحذف شيء.
forgotten = حُذف كل ما كنت أحتفظ به عنك. إن وصلتني رسالة منك مجددًا فسنبدأ من الصفر.
confirmation-over = انتهت صلاحية هذا السؤال. يُرجى إرسال الأمر مجددًا.
nothing-to-retry = لا سؤال لأجيب عنه مجددًا. يُرجى طرح سؤال أولًا.
stats-heading = الإحصاءات
stats-users = المستخدمون: { $known }؛ في آخر يوم { $day }، وفي 7 أيام { $week }؛ عدد من حظروني: { $blocking }
stats-turns = الأجوبة: في آخر يوم { $day }، وفي 7 أيام { $week }
stats-plans = الخطط، 7 أيام: { $plans }
stats-plan-direct = مباشر { $count }
stats-plan-rag = المستندات { $count }
stats-plan-web = الويب { $count }
stats-plan-rag-web = المستندات والويب { $count }
stats-times = زمن الجواب، 7 أيام: p50 { $p50 } ث، p95 { $p95 } ث
stats-failures = الإخفاقات في 7 أيام: أجوبة انقطعت { $broken }، رسائل لم تصل { $undelivered }؛ تحديثات تُركت { $dead }
stats-feedback = الآراء: 👍 { $up }، 👎 { $down }
stats-use-day = استخدام اليوم (UTC): الرموز { $tokens }، الصور { $images }، عمليات البحث في الويب { $searches }؛ { $cost }
stats-use-week = الاستخدام في 7 أيام: الرموز { $tokens }، الصور { $images }، عمليات البحث في الويب { $searches }؛ { $cost }
stats-cached = نسبة ما سبق أن قرأه الخادم من الرموز المقروءة: { $share } %
stats-cost = التكلفة { $cost }
stats-cost-partly = التكلفة { $cost }، دون { $models } (لم يُحدَّد سعر)
stats-cost-unknown = لم تُحدَّد أسعار (MODEL_PRICES)
stats-price-table = الأسعار غير المحدَّدة في MODEL_PRICES: { $table }
stats-top-users = الأكثر رموزًا، 7 أيام: { $users }
stats-inbox = تحديثات تنتظر: { $pending }
stats-approvals = تنتظر الموافقة: { $count } (/approvals)

# Approval
approval-waiting = يقرأ شخصٌ أجوبة من هذا النوع قبل أن أرسلها. جوابك قيد المراجعة، وسأرسله فور الموافقة عليه. يمكنك مواصلة الكتابة في هذه الأثناء.
approval-review =
    الجواب { $number } ينتظر موافقتك.
    من: { $user }
    النوع: { $intent }
    السؤال: { $question }

    المسودة أدناه. يمكن الرد عليها بنص مصحَّح أو استخدام أزرارها.
button-approve = موافقة
button-correct = تعديل
button-reject = رفض
approval-correction = الجواب { $number }: يُرجى الرد على هذه الرسالة بالنص المصحَّح. سيقرؤه المستخدم كما هو.
approval-reason = الجواب { $number }: يُرجى الرد على هذه الرسالة بسبب الرفض. سيقرؤه المستخدم.
approval-words-missing = أحتاج إلى ذلك نصًا. يُرجى الرد على الرسالة نفسها مجددًا.
approval-is-approved =
    { $by ->
        [you] ✓ تمت موافقتك.
       *[other] ✓ وافق { $admin }.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ أُرسل بنصّك.
       *[other] ✎ أُرسل بنص { $admin }.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ تم رفضك له.
       *[other] ✗ رفضه { $admin }.
    }
approval-is-expired = لم يُتخذ قرار في الوقت المحدد. أخبرت المستخدم.
approval-is-withdrawn = غيّر المستخدم السؤال، فلم تعد هذه المسودة لازمة.
approval-approved = رُوجع هذا الجواب وتمت الموافقة عليه.
approval-corrected = رُوجع هذا الجواب وصُحّح.
approval-rejected = آسف، لا أستطيع الإجابة عن هذا. السبب: { $reason }
approval-expired = آسف، لم يُراجَع جوابي في الوقت المحدد. يُرجى السؤال مجددًا لاحقًا.
approvals-known =
    { $count ->
        [0] لا أجوبة تنتظر الموافقة.
        [one] جواب واحد ينتظر الموافقة:
        [two] جوابان ينتظران الموافقة:
        [few] { $count } أجوبة تنتظر الموافقة:
        [many] { $count } جوابًا ينتظر الموافقة:
       *[other] { $count } جواب ينتظر الموافقة:
    }
approvals-line = • { $number }، { $since }، من { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = وفق الخطة
reason-greeting = تحية
reason-farewell = وداع
reason-thanks = كلمة شكر
reason-help = طلب مساعدة
reason-laughter = ضحك
reason-reaction = رمز تعبيري
reason-silence = لا كلمات في الرسالة للبحث عنها
reason-number = عدد أو عملية حسابية
reason-known_word = كلمة ترد في المستندات المسجّلة
reason-forget_wish = طلب نسيان شيء
reason-stopped = أُوقف من جانبك قبل التخطيط له
reason-no_web = البحث في الويب غير مُعدّ
reason-no_plan = لم يعطِ نموذج التخطيط خطة، فجرى البحث في المستندات المسجّلة دون الويب
reason-file_read = الرسالة عن ملف وصل منك
reason-file_refused = لا يمكن قراءة أي من الملفات التي وصلت منك
reason-about_bot = الأسئلة عني أجيب عنها من مستنداتي
reason-about_now = يتوقف الجواب على الوضع الراهن، فجرى البحث في الويب
reason-documents_first = المستندات المسجّلة مقدّمة على الويب
reason-documents_may_say = قد تجيب عنه المستندات المسجّلة
reason-documents_wanted = سؤالك عمّا تقوله المستندات
reason-web_ruled_out = قد تكون الرسالة خاصة، فلم يجرِ البحث في الويب
reason-say_little = ما في المستندات المسجّلة عنه قليل، فجرى البحث في الويب أيضًا
reason-say_little_on = ما في المستندات المسجّلة عن «{ $subject }» قليل، فجرى البحث في الويب أيضًا

# Alerts for admins
alert-credit = ⚠️ نفد رصيد الحساب لدى خادم النموذج ({ $service })، فلا أستطيع إجابة أحد. { $hint } بعد ذلك يُرجى تشغيل `rich-agent inbox replay --all` للإجابة عن الأسئلة الفائتة. أرسل هذا مرة في الساعة على الأكثر.
alert-key = ⚠️ خادم النموذج لا يقبل المفتاح ({ $service })، فلا أستطيع إجابة أحد. { $hint } بعد ذلك يُرجى تشغيل `rich-agent inbox replay --all` للإجابة عن الأسئلة الفائتة. أرسل هذا مرة في الساعة على الأكثر.
alert-away = ⚠️ خادم النموذج ({ $service }) لا يقبل طلبات حتى { $at }. أطلب من المستخدمين السؤال مجددًا بعد ذلك. لتجنب هذا، يُرجى رفع الحد أو استخدام خادم آخر. أرسل هذا مرة في الساعة على الأكثر.
alert-lesson = ⚠️ حاولت أيامًا تحديث ذاكرة مستخدم من رسالة ثم توقفت. السبب في السجل. أرسل هذا مرة في الساعة على الأكثر.
alert-refused = ⚠️ يرفض خادم النماذج أحد طلباتي: { $problem } { $hint } أواصل العمل بدونه قدر الإمكان. أرسل هذا مرة واحدة في الساعة على الأكثر.

# Tools: what each is for, and what is happening while it runs.
status-acting = قيد الاستخدام: { $tool }…
tool-list_files = ملفاتك
tool-undo_last_change = التراجع عن آخر تغيير
tool-search_documents = المستندات
tool-search_web = البحث في الويب
tool-request_more_information = سؤال لك
doing-list_files = أراجع ملفاتك…
doing-undo_last_change = أتراجع عن آخر تغيير…
doing-search_documents = أبحث في المستندات…
doing-search_web = أبحث في الويب…
approve-calls = أودّ أن أفعل هذا. هل أمضي؟
approve-not-planned = رسالتك وحدها لا تطلب هذا. تحقّق جيدًا.
approve-yes = موافقة
approve-no = إلغاء
approve-words-yes = نعم|اجل|أجل|حسنا|حسنًا|موافق
approve-words-no = لا|إلغاء
card-labelled = { $label }: { $text }
card-not-done = لم يُنفَّذ.
approve-adjust = تعديل
approve-how-to-adjust = يُرجى كتابة المطلوب تغييره، وسأقترحه من جديد.
approve-always = دائمًا لهذا
approve-always-same = «{ $always }» توافق عليه، وبعدها يُنفَّذ الاستدعاء نفسه دون سؤال. يمكن سحب ذلك في /tools.
approve-always-alike = «{ $always }» توافق عليه، وبعدها تُنفَّذ الاستدعاءات التي لها قيمة { $fixed } نفسها دون سؤال، أيًّا كان باقيها. يمكن سحب ذلك في /tools.
web-approve-in-words = يمكن الرد بـ«{ $yes }» أو «{ $no }»، أو كتابة المطلوب تغييره.
card-characters-left-out = أحرف أخرى: { $count }
card-arguments-left-out = بيانات أخرى: { $count }
card-in-file = لا يتسع المكان هنا لكل شيء. الملف «approval.txt» فيه النص كاملًا. يرجى قراءته قبل أن تقرر.
card-copied-from = منسوخ من: { $sources }
copied-user = رسالتك
copied-memory = ما أحتفظ به لك
copied-assistant = إجابة سابقة
copied-operator = مشغّل البوت
copied-document = مستند
copied-page = صفحة ويب
copied-file = ملف
copied-server = برنامج آخر
copied-other = شخص آخر
card-takes-back = ما سيُتراجع عنه
argument-duration = المدة
argument-yes = نعم
argument-no = لا
argument-none = لا شيء
approve-cancelled = أُلغي. لم يتغيّر شيء.
acting-limit-calls = بلغت حدّ 10 إجراءات لرسالة واحدة. إن بقي شيء، تكفي كتابة «تابع».
acting-limit-errors = أخفق شيء ثلاث مرات متتالية فتوقفت. لم يتغيّر شيء آخر.
undo-button = تراجع
undo-done = تم التراجع عن:
undo-too-late = لم يعد التراجع عن هذا ممكنًا.
step-N12_act = التنفيذ { $seconds }

reason-in_group = في المجموعات أجيب من المستندات المسجّلة فقط
reason-link_ignored = كان طلبك ترك الرابط دون قراءة
reason-link_kept = كان طلبك تذكّر الصفحة
reason-link_read = قُرئت الصفحة التي وصل رابطها منك
reason-in_session = هذه الرسالة جزء من جلسة موجّهة
reason-session_left = طُلب إنهاء الجلسة الموجّهة

timeline-left-out =
    { $count ->
        [one] وواحد آخر
        [two] واثنان آخران
       *[other] و{ $count } أخرى
    }
command-timezone = اختيار المنطقة الزمنية
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [one] كل ساعة
            [two] كل ساعتين
            [few] كل { $count } ساعات
            [many] كل { $count } ساعة
           *[other] كل { $count } ساعة
        }
        [daily] { $count ->
            [one] كل يوم
            [two] كل يومين
            [few] كل { $count } أيام
            [many] كل { $count } يومًا
           *[other] كل { $count } يوم
        }
        [weekly] { $count ->
            [one] كل أسبوع
            [two] كل أسبوعين
            [few] كل { $count } أسابيع
            [many] كل { $count } أسبوعًا
           *[other] كل { $count } أسبوع
        }
        [monthly] { $count ->
            [one] كل شهر
            [two] كل شهرين
            [few] كل { $count } أشهر
            [many] كل { $count } شهرًا
           *[other] كل { $count } شهر
        }
       *[yearly] { $count ->
           [one] كل سنة
           [two] كل سنتين
           [few] كل { $count } سنوات
           [many] كل { $count } سنة
          *[other] كل { $count } سنة
       }
    }
time-zone-none = لا أعرف منطقتك الزمنية بعد. يمكن اختيارها هنا، أو إرسال /timezone مع اسم مثل Asia/Riyadh.
time-zone = منطقتك الزمنية { $zone }. الوقت هناك الآن { $now }. لتغييرها، يُرجى إرسال /timezone مع اسم آخر.
time-zone-chosen = منطقتك الزمنية { $zone }. الوقت هناك الآن { $now }. تتبعها التذكيرات المتكررة.
time-zone-near = لا أعرف منطقة زمنية باسم { $name }. هل المقصود إحدى هذه؟
time-zone-which = هناك عدة مناطق زمنية تناسب { $name }. أيها منطقتك؟
time-zone-unknown = لا أعرف منطقة زمنية باسم { $name }. يتكوّن الاسم من إقليم ومدينة، مثل Asia/Riyadh.

# The page of a passage.
passage-place = { $source } · المقطع { $position } من { $count }
passage-before = → السابق
passage-after = التالي ←

# The page of a browser while the bot starts.
bot-starting = يجري تشغيل البوت…

# Calls that a user permitted for good (/tools).
command-tools = عرض ما يمكن تنفيذه دون سؤالك
tools-none = لا توجد أذون دائمة بعد. حيث يكون ذلك آمنًا، يعرض السؤال قبل الاستدعاء «دائمًا لهذا».
tools-about = تُنفَّذ هذه الاستدعاءات دون سؤالك. ✕ يسحب الإذن، وكذلك /tools مع رقمه.
tools-given-on = سُمح به { $day }
tools-used = الاستدعاءات: { $count }
tools-any = أي قيمة
tools-changed = تغيّرت الأداة منذ ذلك الحين، لذا أسألك من جديد قبل هذا الاستدعاء.
tools-take-all-back = سحب الكل
tools-taken-back = سُحب الإذن. سأسألك من جديد قبل هذا الاستدعاء.

# Outside Telegram.
only-in-telegram = يعمل هذا كاملًا في تيليجرام فقط: أرسل { $command } هناك.

run-not-latest = لا يمكن إعادة الإجابة إلا عن أحدث سؤال في المحادثة.

# What is asked in groups.

guest-user-limit = اكتمل عدد أسئلتك في المجموعات لهذا اليوم. يمكنك سؤالي في محادثة خاصة.
guest-group-limit = كثرت أسئلة هذه المجموعة في الساعة الأخيرة. يُرجى المحاولة لاحقًا أو السؤال في محادثة خاصة.
guest-withheld = لا أستطيع الإجابة عن هذا في مجموعة. يمكنك سؤالي في محادثة خاصة.
guest-answer-cut = هذه بداية جواب أطول. للحصول عليه كاملًا، يمكنك سؤالي في محادثة خاصة.
guest-answered-privately = أجبتك في محادثتنا الخاصة.
## Files

file-page = الصفحة { $number }
file-sheet-named = ورقة { $heading }
file-sheet-numbered = الورقة { $number }
file-slide-named = الشريحة { $number }: { $heading }
file-slide-numbered = الشريحة { $number }
ask-about-files =
    { $count ->
        [one] قرأت { $names }. ما المطلوب معرفته عنه؟
        [two] قرأت { $names }. ما المطلوب معرفته عنهما؟
       *[other] قرأت { $names }. ما المطلوب معرفته عنها؟
    }
file-topic-summary = لخّصه
file-topic-points = اذكر النقاط الرئيسية
file-read-whole = قرأته كاملًا: { $name }.
file-macros = لم تُشغَّل وحدات الماكرو في { $name }.
file-read-in-parts =
    قرأته كاملًا: { $name }، { $parts ->
        [one] في جزء واحد
        [two] في جزأين
        [few] في { $parts } أجزاء
        [many] في { $parts } جزءًا
       *[other] في { $parts } جزء
    }.
file-read-partly = ملف طويل: { $name }. قرأت من أجزائه { $read } من { $units }. يمكن السؤال عن الباقي أو عن جزء واحد.
file-searched = ملف طويل: { $name }. بحثت فيه عن سؤالك ولم أقرأه كله.
file-parts-unread = لم أستطع أن أقرأ من { $name } ما يلي: { $parts }.
file-part-attachment =
    { $count ->
        [one] مرفق واحد
        [two] مرفقان
        [few] { $count } مرفقات
        [many] { $count } مرفقًا
       *[other] { $count } مرفق
    }
file-part-chart =
    { $count ->
        [one] مخطط بياني واحد
        [two] مخططان بيانيان
        [few] { $count } مخططات بيانية
        [many] { $count } مخططًا بيانيًا
       *[other] { $count } مخطط بياني
    }
file-part-diagram =
    { $count ->
        [one] رسم تخطيطي واحد
        [two] رسمان تخطيطيان
        [few] { $count } رسوم تخطيطية
        [many] { $count } رسمًا تخطيطيًا
       *[other] { $count } رسم تخطيطي
    }
file-part-drawing =
    { $count ->
        [one] رسم واحد
        [two] رسمان
        [few] { $count } رسوم
        [many] { $count } رسمًا
       *[other] { $count } رسم
    }
file-part-equation =
    { $count ->
        [one] معادلة واحدة
        [two] معادلتان
        [few] { $count } معادلات
        [many] { $count } معادلة
       *[other] { $count } معادلة
    }
file-part-field =
    { $count ->
        [one] حقل واحد في نموذج
        [two] حقلان في نموذج
        [few] { $count } حقول في نموذج
        [many] { $count } حقلًا في نموذج
       *[other] { $count } حقل في نموذج
    }
file-part-file =
    { $count ->
        [one] ملف واحد
        [two] ملفان
        [few] { $count } ملفات
        [many] { $count } ملفًا
       *[other] { $count } ملف
    }
file-part-formula =
    { $count ->
        [one] صيغة واحدة بلا نتيجة محفوظة
        [two] صيغتان بلا نتيجة محفوظة
        [few] { $count } صيغ بلا نتيجة محفوظة
        [many] { $count } صيغة بلا نتيجة محفوظة
       *[other] { $count } صيغة بلا نتيجة محفوظة
    }
file-part-letter =
    { $count ->
        [one] حرف واحد
        [two] حرفان
        [few] { $count } أحرف
        [many] { $count } حرفًا
       *[other] { $count } حرف
    }
file-part-object =
    { $count ->
        [one] كائن مضمّن واحد
        [two] كائنان مضمّنان
        [few] { $count } كائنات مضمّنة
        [many] { $count } كائنًا مضمّنًا
       *[other] { $count } كائن مضمّن
    }
file-part-page =
    { $count ->
        [one] صفحة واحدة بلا نص
        [two] صفحتان بلا نص
        [few] { $count } صفحات بلا نص
        [many] { $count } صفحة بلا نص
       *[other] { $count } صفحة بلا نص
    }
file-part-picture =
    { $count ->
        [one] صورة واحدة
        [two] صورتان
        [few] { $count } صور
        [many] { $count } صورة
       *[other] { $count } صورة
    }
file-part-remark =
    { $count ->
        [one] تعليق واحد
        [two] تعليقان
        [few] { $count } تعليقات
        [many] { $count } تعليقًا
       *[other] { $count } تعليق
    }
file-part-row =
    { $count ->
        [one] صف واحد
        [two] صفان
        [few] { $count } صفوف
        [many] { $count } صفًا
       *[other] { $count } صف
    }
file-part-sheet =
    { $count ->
        [one] ورقة عمل واحدة
        [two] ورقتا عمل
        [few] { $count } أوراق عمل
        [many] { $count } ورقة عمل
       *[other] { $count } ورقة عمل
    }
file-part-slide =
    { $count ->
        [one] شريحة واحدة بلا نص
        [two] شريحتان بلا نص
        [few] { $count } شرائح بلا نص
        [many] { $count } شريحة بلا نص
       *[other] { $count } شريحة بلا نص
    }
file-refused-too-large = حجم «{ $name }» يفوق 20 ميغابايت، وهو أكثر مما يسمح لي تيليجرام بتنزيله. يُرجى إرسال ملف أصغر أو تقسيمه.
file-refused-too-long = الملف «{ $name }» أطول من أن يُقرأ. يُرجى إرسال الجزء المهم في ملف مستقل.
file-refused-unsupported = لا أستطيع قراءة «{ $name }». أقرأ PDF وWord وExcel وPowerPoint وOpenDocument وEPUB وRTF وHTML وMarkdown وCSV وEML وMSG وMHTML وZIP والنص العادي. يُرجى حفظه بإحدى هذه الصيغ وإعادة إرساله.
file-refused-old-office = الملف «{ $name }» بصيغة Office قديمة. يُرجى حفظه بصيغة DOCX أو XLSX أو PPTX أو PDF وإعادة إرساله.
file-refused-archive = الملف «{ $name }» مضغوط بصيغة لا أستطيع فتحها. يُرجى إرساله بصيغة ZIP أو إرسال الملفات التي بداخله.
file-refused-encrypted = الملف «{ $name }» محمي بكلمة مرور. يُرجى حفظه بدونها وإعادة إرساله.
file-refused-empty = لم أجد نصًا في «{ $name }». إن كان فيه شيء، فيُرجى إرساله بصيغة PDF أو صورًا.
file-refused-damaged = الملف «{ $name }» تالف أو ليس كما يدل اسمه. يُرجى فتحه وحفظه من جديد وإرسال النسخة الجديدة.
file-refused-gone = تعذّر جلب «{ $name }»: لم يعد متاحًا. يُرجى إعادة إرساله.
file-keep-button = تذكّر
file-only-here-button = هنا فقط
file-kept =
    { $count ->
        [one] سأتذكر هذا الملف. يعرضه الأمر /files.
        [two] سأتذكر هذين الملفين. يعرضهما الأمر /files.
       *[other] سأتذكر هذه الملفات. يعرضها الأمر /files.
    }
file-not-kept =
    { $count ->
        [one] سأنسى هذا الملف مع هذه المحادثة (/new).
        [two] سأنسى هذين الملفين مع هذه المحادثة (/new).
       *[other] سأنسى هذه الملفات مع هذه المحادثة (/new).
    }
file-forgotten = نسيته.
files-none = لا ملفات لك هنا. يمكنك إرسال ملف: PDF أو Word أو Excel أو PowerPoint أو OpenDocument أو EPUB أو CSV أو نص.
files-title =
    { $count ->
        [one] ملفك:
        [two] ملفّاك:
       *[other] ملفاتك ({ $count }):
    }
files-line = { $number }. { $name }، { $sent }
files-line-kept = { $number }. { $name }، { $sent }، محفوظ في الذاكرة
files-line-unread = لم يُقرأ: { $parts }.
files-hint = زر 📌 لتذكّر ملف بعد هذه المحادثة أو للعدول عن ذلك. وزر 🗑 لنسيانه.
command-files = ملفاتك: القائمة والتذكّر والنسيان

# Links.

ask-about-links =
    { $count ->
        [one] ماذا أفعل بهذا الرابط؟ { $links }
        [two] ماذا أفعل بهذين الرابطين؟ { $links }
       *[other] ماذا أفعل بهذه الروابط؟ { $links }
    }
link-wish-summary = تلخيص
link-wish-keep = تذكّر
link-wish-ignore = تجاهل
link-ignored = حسنًا، أتركه دون قراءة.
link-kept =
    { $count ->
        [one] قرأت «{ $names }» وسأتذكره. يمكن السؤال عنه في أي وقت؛ وهو في قائمة /files.
       *[other] قرأت ما يلي وسأتذكره: { $names }. يمكن السؤال عنه في أي وقت؛ وهو في قائمة /files.
    }
page-refused-private = لا أقرأ { $name }: فهو يقود إلى شبكة خاصة.
page-refused-robots = لا يُسمح لي بقراءة { $name }: فالموقع لا يسمح بالبرامج هناك. يُرجى إرسال نصها أو الصفحة في ملف.
page-refused-closed = الصفحة { $name } متاحة لمن سجّلوا الدخول فقط. يُرجى إرسال نصها أو الصفحة في ملف.
page-refused-gone = لا صفحة على { $name }. هل العنوان كامل؟
page-refused-too-large = الصفحة { $name } أكبر مما أقبل. يُرجى إرسال الجزء المهم.
page-refused-too-long = الصفحة { $name } أطول مما أقبل. يُرجى إرسال الجزء المهم.
page-refused-slow = يتأخر { $name } كثيرًا في الاستجابة. يُرجى المحاولة لاحقًا.
page-refused-away = تعذّر جلب { $name }: في الموقع عطل أو لا يمكن الوصول إليه. يُرجى المحاولة لاحقًا.
page-refused-empty = لم أجد نصًا على { $name }. ربما لا تعرضه الصفحة إلا للبشر أو بعد تسجيل الدخول. يُرجى إرسال نصها.
page-refused-made-by-scripts = لا أرى نصًا على { $name }: لا تمتلئ الصفحة إلا داخل المتصفح. يُرجى إرسال نصها، أو حفظ الصفحة من المتصفح وإرسال الملف.
page-refused-consent = لا أرى على { $name } سوى سؤال بأزرار، كطلب الموافقة، ولا أرى الصفحة التي خلفه. يُرجى إرسال نصها أو الصفحة في ملف.
page-refused-unsupported = ليس { $name } صفحة أو مستندًا أستطيع قراءته.
page-refused-old-office = الملف على { $name } بصيغة Office قديمة لا أستطيع قراءتها.
page-refused-archive = الملف على { $name } مضغوط بصيغة لا أستطيع فتحها.
page-refused-encrypted = الملف على { $name } محمي بكلمة مرور.
page-refused-damaged = الملف على { $name } تالف أو ليس كما يدل اسمه.
page-refused-too-many-links = لم أقرأ { $name }: فالروابط أكثر مما أقرؤه لرسالة واحدة.

# The demo.
demo-about-stand-in = هذا عرض تجريبي على جهازك. البوت حقيقي، أما تيليجرام ونموذج اللغة فبديلان للتجربة، وهذا النموذج لا يستطيع إلا الاقتباس. لاستخدام نموذج حقيقي: «ربط نموذج»، أو OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = هذا عرض تجريبي على جهازك. البوت ونموذجه اللغوي ({ $model }) حقيقيان، أما تيليجرام فبديل للتجربة.
demo-about-operator = أنت تكتب باسم Ada، مشغّلة هذا البوت: يعرض /help أيضًا ما يستطيعه المشغّل.
pages-skip = تخطَّ إلى المحتوى
pages-elsewhere = صفحات أخرى
pages-sign-in = سجّل الدخول من فضلك
pages-from-elsewhere = قادك إلى هنا رابط في موقع آخر.
pages-open = افتح الصفحة
pages-not-for-you = لا يحق لك رؤية هذه الصفحة. اطلب من مالك البوت دورًا.
pages-problem = لم ينجح ذلك
pages-problem-back = ارجع؛ ما أدخلته ما زال هناك.
pages-gone = غير موجود
pages-gone-how = لا شيء هنا، أو لم يعد هنا شيء.
pages-later = لا يستطيع البوت الرد الآن. حاول مجددًا بعد قليل.
pages-unsent = لم يُرسل شيء: يتعذر الوصول إلى البوت. حاول مجددًا.
pages-as-table = كجدول
pages-cancel = إلغاء
pages-copy = نسخ
pages-copied = تم النسخ
pages-pages = صفحات القائمة
pages-first = إلى البداية
pages-next = المزيد
pages-search = بحث

# The pages of users.
panel-save = حفظ
widget-unanswered = لم يصل رد. حاول مجددًا من فضلك.
widget-wait = يستغرق هذا وقتًا أطول قليلًا، وسيتم.
