# The turn
greeting = سلام! هرچه می‌خواهید دربارهٔ سندهای من بپرسید یا عکسی بفرستید. /help نشان می‌دهد چه کارهایی از من برمی‌آید.
greeting-named = سلام { $name }! هرچه می‌خواهید دربارهٔ سندهای من بپرسید یا عکسی بفرستید. /help نشان می‌دهد چه کارهایی از من برمی‌آید.
thanks-reply = خواهش می‌کنم!
farewell-reply = خدانگهدار! هر وقت خواستید بنویسید.
help-reply = سؤال کاملی بپرسید، مثلاً «منابعت چیست؟»، یا عکسی بفرستید و بنویسید چه می‌خواهید بدانید. /help همهٔ کارهایی را که می‌توانم انجام دهم فهرست می‌کند.
laughter-reply = 😄
nothing-said = در این پیام کلمه‌ای پیدا نکردم. سؤالی بپرسید یا عکسی بفرستید.
nothing-found = در منابع ثبت‌شده چیزی پیدا نشد.
nothing-found-files = در فایل‌های شما چیزی پیدا نشد.
nothing-found-answer = در منابع ثبت‌شده چیزی دربارهٔ این پیدا نشد. با کلمه‌های دیگری امتحان کنید یا بپرسید «منابعت چیست؟» تا ببینید دربارهٔ چه هستند.
no-sources-yet = چیزی پیدا نشد: هنوز منبعی ثبت نشده است. گردانندهٔ من می‌تواند با `ingest add-source` منبع اضافه کند.
question-shortened = پیامتان آن‌قدر بلند بود که نتوانستم همه‌اش را بخوانم؛ فقط ابتدا و انتهایش را خواندم.
look-left-out = اسناد خود را فقط یک بار جست‌وجو کردم، چون جست‌وجوی دوباره خیلی طول می‌کشید.
nothing-cited-web = هیچ نتیجه‌ای از وب این را تأیید نمی‌کند.
unchecked = نتوانستم این را با منابع بسنجم. این‌ها را خواندم: { $sources }
refused-rag = در منابع ثبت‌شده پاسخی برای این نیست. این‌ها را دیدم:
refused-files = در فایل‌های شما پاسخی برای این نیست. این‌ها را دیدم:
refused-web = نتایج وب به این پاسخ نمی‌دهند. این‌ها را دیدم:
refused-rag-web = نه در منابع ثبت‌شده پاسخی برای این هست و نه در وب. این‌ها را دیدم:
unsupported = در منابع نیست، لطفاً بررسی کنید: { $claims }
contradicted = منابع چیز دیگری می‌گویند: { $claims }
unjudged = نتوانستم این پاسخ را با منابعش بسنجم.
unjudged-claims = با منابع سنجیده نشد: { $claims }
uncomputed = از همهٔ ردیف‌های جدول حساب نشده است، لطفاً بررسی کنید: { $claims }
catalogue-title = سندهای ثبت‌شده
catalogue-counts = { $sources } منبع، { $documents } سند. تعداد عنوان‌های فهرست‌شده در اینجا: { $shown }.
catalogue-sources = منابع
catalogue-source = { $name }: { $documents } سند
catalogue-source-internal = { $name } (دربارهٔ این دستیار): { $documents } سند
catalogue-matching = سندهای مرتبط با سؤال شما
catalogue-others = سندهای دیگر
your-photo = عکس شما
web-unavailable = جست‌وجو در وب ممکن نشد.
look-failed = نتوانستم تصویر را دقیق‌تر ببینم؛ این پاسخ بر پایهٔ نگاه اول من است.
stopped = (متوقف شد)
early-end-length = پاسخ بیش از حد طولانی شد و همین‌جا تمام می‌شود.
early-end-filtered = پالایهٔ محتوای سرور مدل این پاسخ را متوقف کرد. با کلمه‌های دیگری بپرسید.
early-end-refused = مدل زبانی از پاسخ دادن به این خودداری کرد.
early-end-repeated = مدل زبانی بی‌پایان خودش را تکرار می‌کرد، بنابراین متوقفش کردم.
early-end-deadline = این کار بیشتر از زمانی که می‌توانم برای یک پیام صرف کنم طول کشید، بنابراین همین‌جا متوقف شدم.
answer-in-file = این پاسخ طولانی است. بالا آغاز آن آمده و پروندهٔ زیر همه‌اش را دارد.
continue-button = ادامه
continue-wish = پاسخت را از همان‌جا که ماند ادامه بده.
stopped-at-once = پیش از آنکه چیزی بنویسم متوقف شد.
web-nothing-found = جست‌وجوی وب چیزی دربارهٔ این پیدا نکرد.
ask-about-image =
    چیزی که می‌بینم: { $seen }

    دربارهٔ آن چه می‌خواهید بدانید؟
image-topic-describe = تصویر را توصیف کن
image-topic-text = متن تصویر را بخوان
image-topic-table = جدول تصویر را توضیح بده
image-topic-search = ببین در تصویر چیست

# Telegram
status-reading = فایل شما را می‌خوانم…
status-looking = عکس شما را نگاه می‌کنم…
status-thinking = فکر می‌کنم…
status-searching = جست‌وجو می‌کنم…
status-searching-web = در وب جست‌وجو می‌کنم…
status-drafting = می‌نویسم…
status-busy = مدل زبانی مشغول است. حداکثر یک دقیقه منتظرش می‌مانم…
status-held = سرور مدل فعلاً درخواست نمی‌پذیرد. { $at } ({ $wait }) دوباره امتحان می‌کنم و همین‌جا پاسخ می‌دهم؛ لازم نیست دوباره بپرسید. پیام‌های بعدی‌تان را پس از آن پاسخ می‌دهم.
status-queued = دریافت شد. همین که پیام قبلی تمام شود به این پاسخ می‌دهم.
status-queued-elsewhere = دریافت شد. هنوز دارم در وب یا برنامهٔ دیگری به شما پاسخ می‌دهم و پس از آن به این پاسخ می‌دهم.
status-crowd = دریافت شد. همین حالا افراد زیادی به من پیام می‌دهند. جایگاه شما در صف: حدود { $place }. همین که نوبت شما برسد پاسخ می‌دهم.
button-stop = توقف
stopping = در حال توقف…
stopped-by-command = متوقف شد.
question-dropped = باشد، لازم نیست به سؤال من پاسخ دهید.
nothing-to-stop = الان چیزی نمی‌نویسم.
stop-too-late = این پاسخ دیگر کامل شده است.
too-many = پیام‌های زیادی را یک‌جا فرستادید. اول به قبلی‌ها پاسخ می‌دهم. لطفاً این پیام و پیام‌های بعدی را وقتی به آن‌ها رسیدم دوباره بفرستید.
sources-heading = منابع
source-web = { $label } (وب)
sent-again = (دوباره فرستاده شد: تلگرام بار اول را تأیید نکرده بود.)
start = سلام! من از روی سندهایم به سؤال‌ها پاسخ می‌دهم و نشان می‌دهم هر پاسخ از کجا آمده است. می‌توانید عکس هم بفرستید و درباره‌اش بپرسید، یا بگویید چه کارهایی دارید. /help بیشتر توضیح می‌دهد.
start-named = سلام { $name }! من از روی سندهایم به سؤال‌ها پاسخ می‌دهم و نشان می‌دهم هر پاسخ از کجا آمده است. می‌توانید عکس هم بفرستید و درباره‌اش بپرسید، یا بگویید چه کارهایی دارید. /help بیشتر توضیح می‌دهد.
start-examples = برای امتحان، یک موضوع را بزنید:
help-heading = کارهایی که از من برمی‌آید
help =
    • از روی سندهایم به سؤال‌ها پاسخ می‌دهم، با منابع شماره‌دار که می‌توانید باز کنید.
    • وقتی سندهایم کم می‌گویند یا دربارهٔ رویدادهای روز می‌پرسید، در وب جست‌وجو می‌کنم.
    • فایل‌هایی را که می‌فرستید (PDF، Word، Excel، PowerPoint، CSV و جز این‌ها) و صفحه‌هایی را که پیوندشان را می‌دهید می‌خوانم. فهرستشان: /files
    • عکس، آلبوم یا فایل تصویر را نگاه می‌کنم. می‌توانید با سؤال به یک عکس پاسخ هم بدهید.
    • آنچه دربارهٔ خودتان می‌گویید به یاد می‌سپارم. کاربران دیگر هرگز آن را نمی‌بینند.
help-end = فقط با زبان خودتان برایم بنویسید.
help-commands = فرمان‌ها
unknown-command = فرمان { $command } وجود ندارد. /help نشان می‌دهد چه کارهایی از من برمی‌آید.
unknown-command-near = فرمان { $command } وجود ندارد. منظورتان /{ $near } بود؟ /help همهٔ فرمان‌ها را فهرست می‌کند.
button-outdated = این دکمه دیگر کار نمی‌کند.
cannot-read = هنوز نمی‌توانم این نوع پیام را بخوانم. متن، عکس یا فایل تصویر بفرستید.
cannot-read-sticker =
    { $detail ->
        [blank] نمی‌توانم ببینم روی استیکر چیست.
       *[other] { $detail } – چه خوب! ولی نمی‌توانم ببینم روی استیکر چیست.
    } با کلمه‌ها بگویید یا عکسی بفرستید.
cannot-read-dice = { $detail } من بازی نمی‌کنم، ولی به سؤال‌ها پاسخ می‌دهم: کافی است بنویسید.
cannot-read-animation = نمی‌توانم گیف تماشا کنم. تصویر ثابتی بفرستید یا با کلمه‌ها بپرسید.
cannot-read-video = نمی‌توانم ویدیو تماشا کنم. از لحظه‌ای که منظورتان است نماگرفتی بفرستید یا با کلمه‌ها بپرسید.
cannot-read-location = نمی‌توانم به نقشه نگاه کنم. نام مکان را بنویسید و اینکه چه می‌خواهید درباره‌اش بدانید.
cannot-read-venue = نمی‌توانم مکانی را روی نقشه پیدا کنم. نامش را بنویسید و اینکه چه می‌خواهید درباره‌اش بدانید.
cannot-read-contact = از مخاطب استفاده نمی‌کنم و این یکی را هم نگه نداشتم. بنویسید چه لازم دارید.
cannot-read-poll = نمی‌توانم در نظرسنجی رأی بدهم. سؤال را به‌صورت متن بنویسید تا پاسخ بدهم.
cannot-read-story = نمی‌توانم استوری ببینم. نماگرفتی از آن بفرستید یا با کلمه‌ها بپرسید.
unread-note = این‌ها را نتوانستم ببینم: { $things }.
unread-animation = گیف
unread-audio = فایل صوتی
unread-checklist = چک‌لیست
unread-contact = مخاطب
unread-dice = تاس
unread-game = بازی
unread-giveaway = قرعه‌کشی
unread-giveaway-winners = قرعه‌کشی
unread-invoice = صورت‌حساب
unread-live-photo = عکس زنده
unread-long-text = متن شما پس از ۱۶٬۰۰۰ نویسهٔ اول
unread-location = موقعیت مکانی
unread-paid-media = رسانهٔ پولی
unread-photo = عکس
unread-poll = نظرسنجی
unread-rich-message = پیام قالب‌بندی‌شده
unread-sticker = استیکر
unread-story = استوری
unread-venue = مکان
unread-video = ویدیو
unread-video-note = پیام ویدیویی
unread-voice = پیام صوتی
edit-too-late = فقط به ویرایش آخرین سؤالتان پاسخ می‌دهم. لطفاً سؤال تغییریافته را در پیامی تازه بفرستید.
replaced = (جایگزین شد)
not-allowed = این بات خصوصی است. برای گرفتن دسترسی، این شماره را برای گردانندهٔ آن بفرستید: { $user_id }
apology-unavailable = متأسفم، چند بار امتحان کردم و به مدل زبانی نرسیدم. لطفاً چند دقیقهٔ دیگر دوباره بپرسید.
apology-download = متأسفم، چند بار امتحان کردم و نتوانستم فایلتان را از تلگرام بگیرم. لطفاً چند دقیقهٔ دیگر دوباره بفرستید.
apology-credit = اعتبار گردانندهٔ من در سرور مدل تمام شده و نمی‌توانم پاسخ بدهم. فقط او می‌تواند این را درست کند. بعداً /retry را بفرستید تا به این سؤال پاسخ بدهم.
apology-key = سرور مدل کلید گردانندهٔ مرا نمی‌پذیرد و نمی‌توانم پاسخ بدهم. فقط او می‌تواند این را درست کند. بعداً /retry را بفرستید تا به این سؤال پاسخ بدهم.
model-away = سرور مدل تا { $at } درخواست نمی‌پذیرد. این برای انتظار بیش از حد طولانی است. لطفاً پس از آن /retry را بفرستید تا به این سؤال پاسخ بدهم.
apology-refused = متأسفم، مدل زبانی درخواست را نپذیرفت. گردانندهٔ من علت را در گزارش سیستم پیدا می‌کند.
apology-malformed = متأسفم، پاسخ مدل زبانی قابل استفاده نبود. لطفاً دوباره بپرسید، شاید با کلمه‌های دیگر.
apology-spent = متأسفم، بیش از یک بار کوشیدم به این پاسخ بدهم و هر بار گیر کردم. آن را برای گرداننده‌ام کنار گذاشتم. ایراد از من است، نه از کلمه‌های شما.
aside-lesson = متأسفم، چند بار کوشیدم از یکی از پیام‌های قبلی‌تان چیزی به خاطر بسپارم و گیر کردم. آن را برای گرداننده‌ام کنار گذاشتم.
aside-stream = این پاسخ را نمی‌توان به شکل معمول نشان داد. متن ساده‌اش این است:
apology-internal = متأسفم، از سمت من مشکلی پیش آمد که در گزارش سیستم ثبت شده است. لطفاً دوباره امتحان کنید.
limit-tokens = به سقف امروزتان رسیده‌اید ({ $limit } توکن). { $at } ({ $wait }) دوباره می‌توانم پاسخ بدهم. تا آن زمان فرمان‌هایی مثل /status و /sources و /memory کار می‌کنند.
limit-images = به سقف امروزتان رسیده‌اید ({ $limit } تصویر)، برای همین همهٔ آنچه را فرستادید ندیدم. { $at } ({ $wait }) دوباره می‌توانم تصویر ببینم.
limit-searches = به سقف امروزتان رسیده‌اید ({ $limit } جست‌وجوی وب)، برای همین در وب جست‌وجو نکردم. { $at } ({ $wait }) دوباره می‌توانم جست‌وجو کنم.
limit-audio_seconds = به سقف امروزتان رسیده‌اید ({ $limit } ثانیه صدا)، برای همین گوش ندادم. { $at } ({ $wait }) دوباره می‌توانم گوش بدهم. تا آن زمان لطفاً برایم بنویسید.
limit-wait = { $duration } دیگر
day-yesterday = دیروز
day-today = امروز
day-tomorrow = فردا
media-too-large = صدای ضبط‌شده بیش از حد بزرگ است: فایل‌های تا ۲۰ مگابایت را می‌پذیرم.
media-unreadable = نتوانستم این صدا را بخوانم؛ شاید خراب باشد. لطفاً دوباره بفرستید.
image-empty = تصویر خالی است. لطفاً دوباره بفرستید.
image-too-large = تصویر بیش از حد بزرگ است: فایل‌های تا ۲۰ مگابایت را می‌پذیرم.
image-too-many-pixels = پیکسل‌های تصویر بیش از حد زیاد است. لطفاً نسخهٔ کوچک‌تری بفرستید.
image-unreadable = نتوانستم تصویر را بخوانم؛ شاید خراب باشد. لطفاً دوباره بفرستید.
image-format = نمی‌توانم این قالب تصویر را بخوانم. لطفاً JPEG یا PNG یا WebP بفرستید.
image-heif = نمی‌توانم فایل‌های HEIC و AVIF را بخوانم. تصویر را نه به‌صورت فایل، بلکه به‌صورت عکس بفرستید تا تلگرام آن را تبدیل کند.
image-animated = نمی‌توانم تصویر متحرک ببینم. لطفاً تصویر ثابتی بفرستید.
image-refused = نتوانستم از این تصویر استفاده کنم. لطفاً تصویر دیگری بفرستید.

# Commands
command-start = شروع از اینجا
command-help = کارهایی که از من برمی‌آید
command-new = شروع گفت‌وگوی تازه
command-stop = توقف پاسخی که می‌نویسم
command-retry = پاسخ دوباره به آخرین سؤال شما
command-sources = آنچه می‌دانم
command-spaces = فضاهایی که در آن‌ها می‌گردم
command-why = آخرین پاسخم چگونه به دست آمد
command-status = الان برای شما چه می‌کنم
command-language = انتخاب زبان منوها
command-privacy = آنچه دربارهٔ شما نگه می‌دارم
command-memory = آنچه دربارهٔ شما به یاد دارم
command-export = داده‌های شما در یک فایل
command-forget = حذف همه‌چیز دربارهٔ شما
command-stats = آمار استفاده
command-approvals = پاسخ‌های در انتظار تأیید
admins-only = این فرمان فقط برای مدیران است.
database-away = پایگاه دادهٔ من فعلاً در دسترس نیست. لطفاً یک دقیقهٔ دیگر دوباره امتحان کنید.
button-not-yours = این دکمه مال شخص دیگری است.
never = هنوز نه
and-more = … و { $count } مورد دیگر
privacy-heading = آنچه دربارهٔ شما نگه می‌دارم
privacy =
    این‌ها را در پایگاه دادهٔ شخص یا شرکتی نگه می‌دارم که گردانندهٔ من است:
    • شناسه و نام شما در تلگرام، پیام‌های شما و پاسخ‌های من
    • آنچه دربارهٔ شما به یاد دارم، و کارها، یادداشت‌ها و برنامه‌هایتان
    • اطلاعات ورود به فهرست کارهایتان، به‌صورت رمزگذاری‌شده، اگر آن را وصل کنید
    • اثر انگشت و توصیف هر عکس، ولی خود عکس هرگز
    • متن فایل‌ها، صفحه‌ها و صداهای ضبط‌شده‌ای که می‌فرستید، ولی خود صدا هرگز
    • اینکه دربارهٔ هر پاسخ چگونه تصمیم گرفتم، و 👍 یا 👎 شما
    • مصرف روزانهٔ شما: توکن، تصویر و جست‌وجو

    برای پاسخ دادن، پیام شما، گفت‌وگو و بخش‌هایی را که پیدا کرده‌ام برای مدل زبانی‌ای می‌فرستم که گرداننده‌ام انتخاب کرده است. کاربران دیگر هرگز هیچ‌کدام از این‌ها را نمی‌بینند.
new-conversation = گفت‌وگوی تازه‌ای را شروع می‌کنیم. دیگر از حرف‌های قبلی استفاده نمی‌کنم، ولی آنچه را دربارهٔ خودتان گفتید هنوز به یاد دارم.
language = منوها و راهنما به چه زبانی باشند؟ پاسخ‌هایم به زبان سؤال شما هستند.
language-auto = خودکار
language-chosen =
    { $chosen ->
        [auto] منوها و اعلان‌هایم به زبان تلگرام شما و پیام‌هایتان خواهند بود.
       *[other] از این پس منوها و اعلان‌هایم فارسی هستند. پاسخ‌هایم همچنان به زبان سؤال شما هستند.
    }
language-not-spoken = هنوز به این زبان حرف نمی‌زنم. یکی از این‌ها را انتخاب کنید یا /language را با نام زبان بفرستید.
status-sound = ثانیه‌های صدای شنیده‌شده و گفته‌شدهٔ امروز: { $seconds }.
sources-none = هنوز سندی ندارم. گردانندهٔ من می‌تواند با `ingest add-source` سند اضافه کند.
spaces = این فضاهای اسناد من برای شما باز هستند. در فضاهای دارای ✓ می‌گردم و در بقیه فقط اگر نامشان را ببرید. برای تغییر، یکی را لمس کنید.
spaces-none = هر چه برای شما در آن می‌گردم، برای همهٔ کسانی که می‌توانند از من استفاده کنند باز است.
sources-known = من { $sources } منبع با { $documents } سند می‌شناسم ({ $passages } بخش):
sources-line = • { $name }: { $documents } سند، { $passages } بخش، آخرین همگام‌سازی: { $synced }
sources-line-internal = • { $name } (دربارهٔ من): { $documents } سند، { $passages } بخش، آخرین همگام‌سازی: { $synced }
passage-gone = این بخش دیگر در سندهای من نیست.
passage-read = خواندن این بخش
why-button = چرا؟
why-nothing = هنوز به چیزی پاسخ نداده‌ام. اول سؤالی بپرسید.
why-no-answer = سابقه‌ای از چگونگی آن پیام ندارم. با /why به یکی از پاسخ‌های من پاسخ دهید.
why-heading = این پاسخ چگونه به دست آمد
why-done-direct = مستقیم و بدون جست‌وجو پاسخ دادم.
why-done-rag =
    { $read ->
        [0] در سندهایم جست‌وجو کردم و چیزی دربارهٔ این پیدا نکردم.
       *[other] در سندهایم جست‌وجو کردم: { $read } بخش خواندم و به { $cited } مورد استناد کردم.
    }
why-done-web =
    { $read ->
        [0] در وب جست‌وجو کردم و چیزی دربارهٔ این پیدا نکردم.
       *[other] در وب جست‌وجو کردم: { $read } نتیجه خواندم و به { $cited } مورد استناد کردم.
    }
why-done-rag-web =
    { $read ->
        [0] در سندهایم و سپس در وب جست‌وجو کردم و چیزی دربارهٔ این پیدا نکردم.
       *[other] در سندهایم و سپس در وب جست‌وجو کردم: { $read } بخش خواندم و به { $cited } مورد استناد کردم.
    }
why-web-failed =
    { $read ->
        [0] نتوانستم در وب جست‌وجو کنم.
       *[other] نتوانستم در وب جست‌وجو کنم؛ از سندهایم { $read } بخش خواندم و به { $cited } مورد استناد کردم.
    }
why-reason = دلیل: { $reason }
looked-for = دنبال این گشتم: «{ $query }»
why-further-queries = بعد دنبال این گشتم: «{ $query }»
why-photo = عکس: آن را دیدم
why-photo-asked = عکس: با توجه به سؤالتان دوباره آن را دیدم
why-memory = به یاد آوردم: { $count } مورد دربارهٔ شما (/memory را ببینید)
why-recalled = • { $text }
why-summary = به یاد آوردم: خلاصهٔ حرف‌های قبلی ما
why-past = از گفت‌وگوی پیشین ما:
why-past-turn = • { $date }: «{ $text }»
why-read-document =
    سندها: { $read ->
        [0] چیزی پیدا نشد
       *[other] { $read } بخش خوانده شد
    }
why-read-web =
    وب: { $read ->
        [0] چیزی پیدا نشد
       *[other] { $read } نتیجه خوانده شد
    }
why-doubted = بررسی: { $count } جمله مشکوک به نظر رسید
why-planned = کارهایی که پیام شما به‌تنهایی می‌خواهد: { $count }
why-repaired = بررسی: نسخهٔ اول به چیزی استناد نکرده بود یا جمله‌ای بدون منبع داشت، برای همین از مدل خواستم دوباره بنویسد
why-permitted = فراخوانی‌هایی که بدون پرسش اجرا شدند چون همیشه اجازه داده‌اید (/tools): { $count }
why-unsupported = بررسی: { $count } جمله منبع ندارد، چنان‌که در پاسخ آمده است
why-contradicted = بررسی: { $count } جمله با منابع نمی‌خواند، چنان‌که در پاسخ آمده است
why-judged = بررسی: تعداد جمله‌هایی که با منابع سنجیده شد: { $count }
why-unjudged = بررسی: تعداد جمله‌هایی که سنجیدنشان ممکن نشد، چنان‌که در پاسخ آمده است: { $count }
why-unsampled = بررسی: تعداد جمله‌هایی که سنجیده نشد، چون فقط بخشی از پاسخ‌ها سنجیده می‌شود: { $count }
why-second_look_failed = مشکل: مدل برنامه‌ریز نتوانست پاسخ را بررسی کند
why-check-left-out = مدلی پاسخ را بررسی نکرد، چون خیلی طول می‌کشید
why-refused = بررسی: هیچ‌یک از چیزهایی که خواندم نوشتهٔ مدل را تأیید نمی‌کند، برای همین نشانش ندادم
why-planner_failed = مشکل: مدل برنامه‌ریز برنامه‌ای نداد، برای همین فقط سندهای ثبت‌شده جست‌وجو شدند
why-further_search_failed = مشکل: مدل برنامه‌ریز نتوانست بگوید چه چیزی هنوز کم است
why-look-left-out = جست‌وجوی بیشتری انجام نشد، چون خیلی طول می‌کشید
why-embedding_failed = مشکل: فقط توانستم بر اساس کلمه‌ها جست‌وجو کنم، نه معنا
why-rerank_failed = مشکل: مرتب‌سازی بخش‌های پیداشده ناموفق بود یا بیش از حد طول کشید، پس به همان ترتیب جست‌وجو ماندند
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }، استنادشده)
why-models = مدل: { $models }
why-calls = فراخوانی‌های مدل: { $calls }، از این میان پشت سر هم پیش از نخستین واژه: { $before }. توکن‌های خوانده‌شده: { $read }، از این میان استفادهٔ دوباره در سرور: { $cached }
why-times =
    { $steps ->
        [blank] زمان: { $total } ثانیه
       *[other] زمان: { $total } ثانیه ({ $steps })
    }
why-reference = شمارهٔ پیگیری برای گرداننده: { $request_id }
step-N1_ingest_input = خواندن { $seconds }
step-N2_load_long_term_memory = به یاد آوردن { $seconds }
step-N13_read_files = خواندن فایل‌ها { $seconds }
step-N3_vision_summarize = دیدن { $seconds }
step-N4_build_effective_query = برنامه‌ریزی { $seconds }
step-N5_retrieve = جست‌وجو در سندها { $seconds }
step-N14_search_further = ادامهٔ جست‌وجو { $seconds }
step-N8_web_search = جست‌وجو در وب { $seconds }
step-N6_synthesize = نوشتن { $seconds }
step-N7_persist = ذخیره { $seconds }
step-N9_ask_back = پرسیدن از شما { $seconds }
step-N10_take_answer = خواندن پاسخ شما { $seconds }
step-N11_request_approval = درخواست تأیید { $seconds }
rated = از بازخوردتان سپاسگزارم.
rated-down = سپاسگزارم. گردانندهٔ من اکنون می‌تواند این پرسش و پاسخش را بخواند.
rating-withdrawn = بازخوردتان را حذف کردم.
status-answering =
    دارم برایتان پاسخ می‌نویسم. { $waiting ->
        [0] پیام دیگری در انتظار نیست.
       *[other] { $waiting } پیام دیگر در انتظار است.
    }
status-waiting =
    { $waiting ->
        [0] به همهٔ پیام‌هایتان پاسخ داده‌ام.
       *[other] { $waiting } پیام شما منتظر پاسخ است.
    }
status-use = مصرف امروز: توکن { $tokens }، تصویر { $images }، جست‌وجوی وب { $searches }، فراخوانی ابزارهای متصل { $tool_calls }. روز تازه { $at } ({ $wait }) شروع می‌شود.
use-free = { $used }
use-limited = { $used } از { $limit }
status-documents = سندها: { $documents }، در { $passages } بخش؛ آخرین همگام‌سازی: { $synced }
status-documents-away = سندها: پایگاه داده‌شان فعلاً در دسترس نیست.
status-out-of-reach = ⚠️ خارج از دسترس ({ $duration }): { $problem }
status-models = مدل‌ها: { $chat } می‌نویسد، { $vision } تصویرها را می‌بیند
status-version = rich-agent { $version }
memory-empty = هنوز چیزی دربارهٔ شما به یاد ندارم. از خودتان بگویید تا به یاد بسپارم.
memory-known =
    { $count ->
        [1] یک مورد دربارهٔ شما به یاد دارم. شماره‌اش را بزنید تا فراموشش کنم.
       *[other] { $count } مورد دربارهٔ شما به یاد دارم. شمارهٔ هرکدام را بزنید تا فراموشش کنم.
    }
memory-facts = دانسته‌ها
memory-preferences = ترجیح‌ها
memory-tasks = کارها
memory-past = در گذشته
memory-planned = برنامه‌ریزی‌شده
memory-item = { $text } ({ $told })
memory-item-due = { $text } – موعد { $due } ({ $told })
memory-deleted = فراموش شد. پیام‌هایی که در آن‌ها این را گفتید در گفت‌وگویمان می‌مانند. برای حذف آن‌ها هم بنویسید «… را فراموش کن».
forgetting-told = این را فراموش کنم؟
forgetting-everything = هرچه به من گفتید و هرچه با هم گفتیم فراموش کنم؟ یعنی { $memory } مورد که به یاد دارم و { $messages } پیام با پاسخشان.
forgetting-named = این‌ها فقط از آن نام می‌برند. می‌مانند، مگر اینکه بخواهید این‌ها را هم فراموش کنم:
forgetting-only-named = چیزی که آشکارا دربارهٔ آن باشد پیدا نکردم. این‌ها را که فقط از آن نام می‌برند فراموش کنم؟
forgetting-of-memory = آنچه به یاد دارم:
forgetting-of-thing = کارها، یادداشت‌ها و برنامه‌های شما:
forgetting-of-file = فایل‌های شما:
forgetting-of-message = پیام‌های شما، با پاسخ‌های من:
forgetting-of-summary = در خلاصهٔ حرف‌های قبلی ما:
forgetting-more = … و { $count } مورد دیگر.
forgetting-final = این کار برگشت‌پذیر نیست. لطفاً یکی از دکمه‌ها را بزنید.
forgetting-yes = فراموش کن
forgetting-yes-all = همه را فراموش کن
forgetting-no = همه را نگه دار
forgetting-done = فراموش شد: { $memory } مورد از یادم و { $messages } پیام با پاسخشان. دیگر در حافظه‌ام، گفت‌وگویمان، خلاصهٔ آن، بایگانی و سابقه‌ای که /export نشان می‌دهد نیستند. آنچه در این چت می‌بینید می‌ماند تا آن را در تلگرام حذف کنید.
forgetting-left = { $count } مورد که فقط از آن نام می‌برد، همان‌طور که خواستید می‌ماند.
forgetting-done-everything = تنظیمات، بازخوردها و سابقهٔ مصرفتان می‌مانند؛ /forget آن‌ها را هم حذف می‌کند.
forgetting-nothing = چیزی دربارهٔ آن پیدا نکردم، نه در آنچه به یاد دارم و نه در گفت‌وگویمان؛ پس چیزی حذف نشد. /memory نشان می‌دهد چه چیزی دربارهٔ شما به یاد دارم.
forgetting-failed = مدلم خطا داد و نفهمیدم چه چیزی را باید فراموش کنم. چیزی حذف نشد. لطفاً بعداً دوباره امتحان کنید یا از /memory و /forget استفاده کنید.
forgetting-kept = چیزی حذف نشد.
forgetting-wish = (درخواست فراموش کردن چیزی. متن آن نگه داشته نمی‌شود.)
planner-failed-note = مدل برنامه‌ریز من خطا داد. اگر خواسته بودید کاری انجام دهم یا چیزی را فراموش کنم، نه کاری انجام شد و نه چیزی حذف شد: لطفاً دوباره بخواهید یا از /memory و /forget استفاده کنید.
planner-failed-still = نه کاری انجام شد و نه چیزی حذف شد.
exported =
    این همهٔ چیزی است که دربارهٔ شما نگه می‌دارم: { $messages } پیام، { $decisions } تصمیم{ $images ->
        [0] {""}
       *[other] ، { $images } خلاصهٔ تصویر
    }، آنچه به یاد دارم، و کارها، یادداشت‌ها و برنامه‌هایتان. قالب فایل JSON است.
forget-confirm =
    می‌خواهید هرچه دربارهٔ شما نگه می‌دارم حذف کنم؟ یعنی گفت‌وگویمان، آنچه دربارهٔ شما به یاد دارم، کارها، یادداشت‌ها و برنامه‌هایتان، چگونگی تصمیم دربارهٔ هر پاسخ، بازخوردهایتان، توصیف عکس‌هایتان، متن فایل‌ها و صداهای ضبط‌شده‌تان و تنظیماتتان.

    این کار برگشت‌پذیر نیست. پیام‌های این چت می‌مانند تا آن‌ها را در تلگرام حذف کنید. برای داشتن نسخه‌ای از داده‌هایتان، اول /export را بفرستید.
forget-yes = بله، همه را حذف کن
forget-no = نه، نگه دار
forget-wish = آنچه دربارهٔ { $what } گفتم را فراموش کن
command-alone = کاری نکردم: پس از { $command } واژه‌ای نمی‌آید. اگر همین را می‌خواهید، آن را تنها بفرستید.
secret-delete-yourself = نتوانستم پیامتان را حذف کنم. رمزتان در آن است، پس لطفاً خودتان حذفش کنید.
forget-kept = چیزی حذف نشد.
forgotten = هرچه دربارهٔ شما نگه می‌داشتم حذف شد. اگر دوباره بنویسید، از نو شروع می‌کنیم.
confirmation-over = مهلت این سؤال گذشته است. لطفاً فرمان را دوباره بفرستید.
nothing-to-retry = سؤالی نیست که دوباره پاسخ بدهم. اول سؤالی بپرسید.
stats-heading = آمار
stats-users = کاربران: { $known }؛ در یک روز گذشته { $day }، در ۷ روز { $week }؛ کسانی که مرا مسدود کرده‌اند: { $blocking }
stats-turns = پاسخ‌ها: در یک روز گذشته { $day }، در ۷ روز { $week }
stats-plans = برنامه‌ها، ۷ روز: { $plans }
stats-plan-direct = مستقیم { $count }
stats-plan-rag = سندها { $count }
stats-plan-web = وب { $count }
stats-plan-rag-web = سندها و وب { $count }
stats-times = زمان پاسخ، ۷ روز: p50 { $p50 } ثانیه، p95 { $p95 } ثانیه
stats-failures = خطاها در ۷ روز: پاسخ نیمه‌کاره { $broken }، پیام نرسیده { $undelivered }؛ به‌روزرسانی رهاشده { $dead }
stats-feedback = بازخورد: 👍 { $up }، 👎 { $down }
stats-use-day = مصرف امروز (UTC): توکن { $tokens }، تصویر { $images }، جست‌وجوی وب { $searches }؛ { $cost }
stats-use-week = مصرف، ۷ روز: توکن { $tokens }، تصویر { $images }، جست‌وجوی وب { $searches }؛ { $cost }
stats-cached = سهم توکن‌هایی که سرور پیش‌تر خوانده بود: { $share } ٪
stats-cost = هزینه { $cost }
stats-cost-partly = هزینه { $cost }، بدون { $models } (قیمت تعیین نشده)
stats-cost-unknown = قیمتی تعیین نشده (MODEL_PRICES)
stats-price-table = قیمت‌هایی که در MODEL_PRICES نیست: { $table }
stats-top-users = بیشترین توکن، ۷ روز: { $users }
stats-inbox = به‌روزرسانی‌های در انتظار: { $pending }
stats-approvals = در انتظار تأیید: { $count } (/approvals)

# Approval
approval-waiting = پاسخ‌هایی از این نوع را پیش از فرستادن یک نفر می‌خواند. پاسخ شما در حال بررسی است و همین که تأیید شود می‌فرستم. در این فاصله می‌توانید به نوشتن ادامه دهید.
approval-review =
    پاسخ { $number } منتظر تأیید شماست.
    از: { $user }
    نوع: { $intent }
    سؤال: { $question }

    پیش‌نویس در زیر آمده است. با متن اصلاح‌شده به آن پاسخ دهید یا از دکمه‌هایش استفاده کنید.
button-approve = تأیید
button-correct = ویرایش
button-reject = رد
approval-correction = پاسخ { $number }: با متن اصلاح‌شده به این پیام پاسخ دهید. کاربر آن را همان‌طور که هست می‌خواند.
approval-reason = پاسخ { $number }: با دلیل رد به این پیام پاسخ دهید. کاربر آن را می‌خواند.
approval-words-missing = آن را به‌صورت متن لازم دارم. لطفاً دوباره به همان پیام پاسخ دهید.
approval-is-approved =
    { $by ->
        [you] ✓ شما تأیید کردید.
       *[other] ✓ { $admin } تأیید کرد.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ با متن شما فرستاده شد.
       *[other] ✎ با متن { $admin } فرستاده شد.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ شما رد کردید.
       *[other] ✗ { $admin } رد کرد.
    }
approval-is-expired = تصمیم به‌موقع گرفته نشد. به کاربر خبر دادم.
approval-is-withdrawn = کاربر سؤال را تغییر داد و این پیش‌نویس دیگر لازم نیست.
approval-approved = این پاسخ بررسی و تأیید شده است.
approval-corrected = این پاسخ بررسی و اصلاح شده است.
approval-rejected = متأسفم، نمی‌توانم به این پاسخ بدهم. دلیل: { $reason }
approval-expired = متأسفم، پاسخم به‌موقع بررسی نشد. لطفاً بعداً دوباره بپرسید.
approvals-known =
    { $count ->
        [0] هیچ پاسخی منتظر تأیید نیست.
       *[other] { $count } پاسخ منتظر تأیید است:
    }
approvals-line = • { $number }، از { $since }، کاربر { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = طبق برنامه
reason-greeting = احوال‌پرسی
reason-farewell = خداحافظی
reason-thanks = تشکر
reason-help = درخواست راهنمایی
reason-laughter = خنده
reason-reaction = شکلک
reason-silence = پیام کلمه‌ای برای جست‌وجو ندارد
reason-number = یک عدد یا محاسبه
reason-known_word = کلمه‌ای که در سندهای ثبت‌شده آمده است
reason-forget_wish = درخواست فراموش کردن چیزی
reason-stopped = پیش از برنامه‌ریزی متوقفش کردید
reason-no_web = جست‌وجوی وب راه‌اندازی نشده است
reason-no_plan = مدل برنامه‌ریز برنامه‌ای نداد، برای همین سندهای ثبت‌شده جست‌وجو شدند و وب نه
reason-file_read = پیام دربارهٔ فایلی است که فرستادید
reason-file_refused = هیچ‌یک از فایل‌هایی که فرستادید خواندنی نیست
reason-about_bot = به سؤال‌های دربارهٔ من از سندهای خودم پاسخ می‌دهم
reason-about_now = پاسخ به وضع کنونی بستگی دارد، برای همین وب جست‌وجو شد
reason-documents_first = سندهای ثبت‌شده بر وب مقدم‌اند
reason-documents_may_say = شاید پاسخ در سندهای ثبت‌شده باشد
reason-documents_wanted = پرسیدید سندها چه می‌گویند
reason-web_ruled_out = شاید پیام خصوصی باشد، برای همین وب جست‌وجو نشد
reason-say_little = سندهای ثبت‌شده دربارهٔ آن کم می‌گویند، برای همین وب هم جست‌وجو شد
reason-say_little_on = سندهای ثبت‌شده دربارهٔ «{ $subject }» کم می‌گویند، برای همین وب هم جست‌وجو شد

# Alerts for admins
alert-credit = ⚠️ اعتبار حساب در سرور مدل تمام شده است ({ $service }) و نمی‌توانم به کسی پاسخ بدهم. { $hint } سپس `rich-agent inbox replay --all` را اجرا کنید تا به سؤال‌های ازدست‌رفته پاسخ داده شود. این را حداکثر ساعتی یک بار می‌فرستم.
alert-key = ⚠️ سرور مدل کلید را نمی‌پذیرد ({ $service }) و نمی‌توانم به کسی پاسخ بدهم. { $hint } سپس `rich-agent inbox replay --all` را اجرا کنید تا به سؤال‌های ازدست‌رفته پاسخ داده شود. این را حداکثر ساعتی یک بار می‌فرستم.
alert-away = ⚠️ سرور مدل ({ $service }) تا { $at } درخواست نمی‌پذیرد. از کاربران می‌خواهم پس از آن دوباره بپرسند. برای پیشگیری، سقف را بالا ببرید یا از سرور دیگری استفاده کنید. این را حداکثر ساعتی یک بار می‌فرستم.
alert-lesson = ⚠️ چند روز کوشیدم حافظهٔ کاربری را از روی پیامی به‌روز کنم و سرانجام دست کشیدم. علت در گزارش سیستم است. این را حداکثر ساعتی یک بار می‌فرستم.
alert-refused = ⚠️ سرور مدل یکی از درخواست‌های من را رد می‌کند: { $problem } { $hint } تا جایی که بتوانم بدون آن ادامه می‌دهم. این را حداکثر ساعتی یک بار می‌فرستم.

# Tools: what each is for, and what is happening while it runs.
status-acting = در حال استفاده از { $tool }…
tool-list_files = فایل‌های شما
tool-undo_last_change = برگرداندن آخرین تغییر
tool-search_documents = سندها
tool-search_web = جست‌وجوی وب
tool-request_more_information = سؤالی از شما
doing-list_files = فایل‌هایتان را مرور می‌کنم…
doing-undo_last_change = آخرین تغییر را برمی‌گردانم…
doing-search_documents = در سندها جست‌وجو می‌کنم…
doing-search_web = در وب جست‌وجو می‌کنم…
approve-calls = می‌خواهم این کار را بکنم. انجام بدهم؟
approve-not-planned = پیام شما به‌تنهایی این را نمی‌خواهد. با دقت بررسی کنید.
approve-yes = تأیید
approve-no = لغو
approve-words-yes = بله|آره|باشه|اوکی
approve-words-no = نه|خیر|لغو
card-labelled = { $label }: { $text }
card-not-done = انجام نشد.
approve-adjust = تغییر
approve-how-to-adjust = بنویسید چه چیزی عوض شود تا دوباره پیشنهاد بدهم.
approve-always = همیشه برای این
approve-always-same = «{ $always }» آن را تأیید می‌کند و از آن پس همین فراخوانی بدون پرسش اجرا می‌شود. با /tools پس گرفته می‌شود.
approve-always-alike = «{ $always }» آن را تأیید می‌کند و از آن پس فراخوانی‌هایی با همان { $fixed } بدون پرسش اجرا می‌شوند، هر چه جز آن در آن‌ها باشد. با /tools پس گرفته می‌شود.
web-approve-in-words = با «{ $yes }» یا «{ $no }» پاسخ دهید، یا بنویسید چه چیزی عوض شود.
card-characters-left-out = نویسه‌های دیگر: { $count }
card-arguments-left-out = داده‌های دیگر: { $count }
card-in-file = همه‌اش اینجا جا نمی‌شود. متن کامل در پرونده «approval.txt» است. لطفاً پیش از تصمیم آن را بخوانید.
card-copied-from = برگرفته از: { $sources }
copied-user = پیام شما
copied-memory = آنچه برایتان نگه می‌دارم
copied-assistant = یکی از پاسخ‌های پیشین
copied-operator = گردانندهٔ ربات
copied-document = سند
copied-page = صفحهٔ وب
copied-file = فایل
copied-server = برنامه‌ای دیگر
copied-other = شخصی دیگر
card-takes-back = آنچه برگردانده می‌شود
argument-duration = مدت
argument-yes = بله
argument-no = خیر
argument-none = هیچ
approve-cancelled = لغو شد. چیزی تغییر نکرد.
acting-limit-calls = به سقف ۱۰ کار برای یک پیام رسیدم. اگر چیزی مانده است، بنویسید «ادامه بده».
acting-limit-errors = سه بار پشت سر هم خطایی پیش آمد و دست نگه داشتم. چیز دیگری تغییر نکرد.
undo-button = برگرداندن
undo-done = برگردانده شد:
undo-too-late = دیگر نمی‌شود این را برگرداند.
step-N12_act = انجام کارها { $seconds }

reason-in_group = در گروه‌ها فقط از روی سندهای ثبت‌شده پاسخ می‌دهم
reason-link_ignored = خواستید پیوند نخوانده بماند
reason-link_kept = خواستید صفحه به یاد سپرده شود
reason-link_read = صفحه‌ای که پیوندش را فرستادید خوانده شد
reason-in_session = این پیام بخشی از یک جلسهٔ گام‌به‌گام است
reason-session_left = خواستید جلسهٔ گام‌به‌گام را پایان دهید

timeline-left-out = و { $count } مورد دیگر
command-timezone = انتخاب منطقهٔ زمانی
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [one] هر ساعت
           *[other] هر { $count } ساعت
        }
        [daily] { $count ->
            [one] هر روز
           *[other] هر { $count } روز
        }
        [weekly] { $count ->
            [one] هر هفته
           *[other] هر { $count } هفته
        }
        [monthly] { $count ->
            [one] هر ماه
           *[other] هر { $count } ماه
        }
       *[yearly] { $count ->
           [one] هر سال
          *[other] هر { $count } سال
       }
    }
time-zone-none = هنوز منطقهٔ زمانی شما را نمی‌دانم. همین‌جا انتخاب کنید یا /timezone را با نامی مثل Asia/Tehran بفرستید.
time-zone = منطقهٔ زمانی شما { $zone } است. الان آنجا { $now } است. برای تغییر آن، /timezone را با نام دیگری بفرستید.
time-zone-chosen = منطقهٔ زمانی شما { $zone } است. الان آنجا { $now } است. یادآورهای تکرارشونده از آن پیروی می‌کنند.
time-zone-near = منطقهٔ زمانی { $name } را نمی‌شناسم. منظورتان یکی از این‌ها بود؟
time-zone-which = برای { $name } چند منطقهٔ زمانی هست. کدام مال شماست؟
time-zone-unknown = منطقهٔ زمانی { $name } را نمی‌شناسم. نام آن از ناحیه و شهر تشکیل می‌شود، مثل Asia/Tehran.

# The page of a passage.
passage-place = { $source } · بخش { $position } از { $count }
passage-before = → قبلی
passage-after = بعدی ←

# The page of a browser while the bot starts.
bot-starting = ربات در حال راه‌اندازی است…

# Calls that a user permitted for good (/tools).
command-tools = دیدن آنچه بدون پرسش اجرا می‌شود
tools-none = هنوز هیچ فراخوانی را برای همیشه مجاز نکرده‌اید. هر جا امن باشد، پرسش پیش از فراخوانی «همیشه برای این» را پیشنهاد می‌کند.
tools-about = این فراخوانی‌ها بدون پرسش از شما اجرا می‌شوند. ✕ اجازه را پس می‌گیرد، و همین‌طور /tools با شمارهٔ آن.
tools-given-on = مجاز از { $day }
tools-used = فراخوانی‌ها: { $count }
tools-any = هر مقدار
tools-changed = ابزار از آن زمان تغییر کرده است، پس چنین فراخوانی دوباره می‌پرسد.
tools-take-all-back = پس گرفتن همه
tools-taken-back = پس گرفته شد. چنین فراخوانی دوباره از شما می‌پرسد.

# Outside Telegram.
only-in-telegram = این کار فقط در تلگرام به‌طور کامل انجام می‌شود: { $command } را آنجا بفرستید.

run-not-latest = فقط به تازه‌ترین پرسش یک گفت‌وگو می‌توان دوباره پاسخ داد.

# What is asked in groups.

guest-user-limit = سهم امروز شما از سؤال در گروه‌ها تمام شده است. در چت خصوصی از من بپرسید.
guest-group-limit = این گروه در یک ساعت گذشته زیاد پرسیده است. بعداً امتحان کنید یا در چت خصوصی از من بپرسید.
guest-withheld = نمی‌توانم در گروه به این پاسخ بدهم. در چت خصوصی از من بپرسید.
guest-answer-cut = این آغاز پاسخی بلندتر است. برای همهٔ آن، در چت خصوصی از من بپرسید.
guest-answered-privately = در چت خصوصی‌مان به شما پاسخ دادم.
## Files

file-page = صفحهٔ { $number }
file-sheet-named = برگهٔ { $heading }
file-sheet-numbered = برگهٔ { $number }
file-slide-named = اسلاید { $number }: { $heading }
file-slide-numbered = اسلاید { $number }
ask-about-files =
    { $count ->
        [one] این را خواندم: { $names }. چه می‌خواهید درباره‌اش بدانید؟
       *[other] این‌ها را خواندم: { $names }. چه می‌خواهید درباره‌شان بدانید؟
    }
file-topic-summary = خلاصه کن
file-topic-points = نکته‌های اصلی را بگو
file-read-whole = کامل خواندم: { $name }.
file-macros = ماکروهای { $name } اجرا نشدند.
file-read-in-parts = کامل خواندم: { $name }، در { $parts } بخش.
file-read-partly = فایل { $name } طولانی است: از { $units } بخش آن { $read } بخش را خواندم. دربارهٔ بقیه یا یک بخش بپرسید.
file-searched = فایل { $name } طولانی است: برای سؤالتان در آن جست‌وجو کردم و همه‌اش را نخواندم.
file-parts-unread = از { $name } این‌ها را نمی‌توانم بخوانم: { $parts }.
file-part-attachment = { $count } پیوست
file-part-chart = { $count } نمودار
file-part-diagram = { $count } دیاگرام
file-part-drawing = { $count } طرح
file-part-equation = { $count } معادله
file-part-field = { $count } فیلد فرم
file-part-file = { $count } پرونده
file-part-formula = { $count } فرمول بدون نتیجهٔ ذخیره‌شده
file-part-letter = { $count } نویسه
file-part-object = { $count } شیء جاسازی‌شده
file-part-page = { $count } صفحهٔ بدون متن
file-part-picture = { $count } تصویر
file-part-remark = { $count } یادداشت
file-part-row = { $count } ردیف
file-part-sheet = { $count } کاربرگ
file-part-slide = { $count } اسلاید بدون متن
file-refused-too-large = حجم «{ $name }» بیش از ۲۰ مگابایت است و تلگرام اجازهٔ دریافت بیشتر از این را نمی‌دهد. فایل کوچک‌تری بفرستید یا آن را تقسیم کنید.
file-refused-too-long = «{ $name }» بیش از آن طولانی است که خوانده شود. بخش مهم را در فایل جداگانه‌ای بفرستید.
file-refused-unsupported = نمی‌توانم «{ $name }» را بخوانم. PDF، Word، Excel، PowerPoint، OpenDocument، EPUB، RTF، HTML، Markdown، CSV، EML، MSG، MHTML، ZIP و متن ساده می‌خوانم. آن را با یکی از این قالب‌ها ذخیره کنید و دوباره بفرستید.
file-refused-old-office = «{ $name }» در قالب قدیمی Office است. آن را به‌صورت DOCX یا XLSX یا PPTX یا PDF ذخیره کنید و دوباره بفرستید.
file-refused-archive = «{ $name }» به شکلی فشرده شده است که نمی‌توانم باز کنم. آن را به‌صورت ZIP بفرستید یا فایل‌های درون آن را بفرستید.
file-refused-encrypted = «{ $name }» با رمز محافظت شده است. آن را بدون رمز ذخیره کنید و دوباره بفرستید.
file-refused-empty = در «{ $name }» متنی پیدا نکردم. اگر چیزی در آن هست، به‌صورت PDF یا عکس بفرستید.
file-refused-damaged = «{ $name }» خراب است یا آن نیست که نامش می‌گوید. بازش کنید، دوباره ذخیره کنید و نسخهٔ تازه را بفرستید.
file-refused-gone = نتوانستم «{ $name }» را بگیرم: دیگر در دسترس نیست. دوباره بفرستید.
file-keep-button = به خاطر بسپار
file-only-here-button = فقط همین‌جا
file-kept =
    { $count ->
        [one] این فایل را به یاد می‌سپارم. /files آن را نشان می‌دهد.
       *[other] این فایل‌ها را به یاد می‌سپارم. /files آن‌ها را نشان می‌دهد.
    }
file-not-kept =
    { $count ->
        [one] این فایل را همراه این گفت‌وگو فراموش می‌کنم (/new).
       *[other] این فایل‌ها را همراه این گفت‌وگو فراموش می‌کنم (/new).
    }
file-forgotten = فراموش شد.
files-none = اینجا فایلی ندارید. فایلی برایم بفرستید: PDF، Word، Excel، PowerPoint، OpenDocument، EPUB، CSV یا متن.
files-title =
    { $count ->
        [one] فایل شما:
       *[other] { $count } فایل شما:
    }
files-line = { $number }. { $name }، { $sent }
files-line-kept = { $number }. { $name }، { $sent }، به یاد سپرده
files-line-unread = خوانده نشد: { $parts }.
files-hint = دکمهٔ 📌 فایل را پس از این گفت‌وگو هم نگه می‌دارد یا دیگر نگه نمی‌دارد. دکمهٔ 🗑 فراموشش می‌کند.
command-files = فایل‌های شما: فهرست، به خاطر سپردن، فراموشی

# Links.

ask-about-links =
    { $count ->
        [one] با این پیوند چه کنم؟ { $links }
       *[other] با این پیوندها چه کنم؟ { $links }
    }
link-wish-summary = خلاصه کن
link-wish-keep = به خاطر بسپار
link-wish-ignore = نادیده بگیر
link-ignored = باشد، نخوانده می‌گذارم.
link-kept =
    { $count ->
        [one] «{ $names }» را خواندم و به یاد سپردم. هر وقت خواستید درباره‌اش بپرسید؛ در فهرست /files هست.
       *[other] این‌ها را خواندم و به یاد سپردم: { $names }. هر وقت خواستید درباره‌شان بپرسید؛ در فهرست /files هستند.
    }
page-refused-private = { $name } را نمی‌خوانم: به شبکه‌ای خصوصی می‌رسد.
page-refused-robots = اجازهٔ خواندن { $name } را ندارم: سایت آنجا به برنامه‌ها اجازه نمی‌دهد. متن آن یا خود صفحه را به‌صورت فایل بفرستید.
page-refused-closed = صفحهٔ { $name } فقط برای کسانی باز است که وارد شده‌اند. متن آن یا خود صفحه را به‌صورت فایل بفرستید.
page-refused-gone = در { $name } صفحه‌ای نیست. نشانی کامل است؟
page-refused-too-large = صفحهٔ { $name } برایم بیش از حد بزرگ است. بخش مهم را بفرستید.
page-refused-too-long = صفحهٔ { $name } برایم بیش از حد طولانی است. بخش مهم را بفرستید.
page-refused-slow = { $name } خیلی دیر پاسخ می‌دهد. بعداً امتحان کنید.
page-refused-away = نتوانستم { $name } را بگیرم: سایت مشکل دارد یا در دسترس نیست. بعداً امتحان کنید.
page-refused-empty = در { $name } متنی پیدا نکردم. شاید صفحه آن را فقط به انسان‌ها یا پس از ورود نشان می‌دهد. متن آن را بفرستید.
page-refused-made-by-scripts = در { $name } متنی نمی‌بینم: صفحه فقط در مرورگر پر می‌شود. متن آن را بفرستید، یا صفحه را در مرورگر ذخیره کنید و فایل را بفرستید.
page-refused-consent = در { $name } فقط پرسشی با چند دکمه می‌بینم، مثلاً برای رضایت، نه صفحهٔ پشت آن را. متن آن یا خود صفحه را به‌صورت فایل بفرستید.
page-refused-unsupported = { $name } صفحه یا سندی نیست که بتوانم بخوانم.
page-refused-old-office = فایل { $name } در قالب قدیمی Office است که نمی‌توانم بخوانم.
page-refused-archive = فایل { $name } به شکلی فشرده شده است که نمی‌توانم باز کنم.
page-refused-encrypted = فایل { $name } با رمز محافظت شده است.
page-refused-damaged = فایل { $name } خراب است یا آن نیست که نامش می‌گوید.
page-refused-too-many-links = { $name } را نخواندم: پیوندها بیش از آن است که برای یک پیام می‌خوانم.

# The demo.
demo-about-stand-in = این یک نسخهٔ نمایشی روی دستگاه شماست. ربات واقعی است؛ تلگرام و مدل زبانی شبیه‌سازی شده‌اند و این مدل فقط می‌تواند نقل کند. برای یک مدل واقعی: «اتصال یک مدل»، یا OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = این یک نسخهٔ نمایشی روی دستگاه شماست. ربات و مدل زبانی آن ({ $model }) واقعی‌اند؛ تلگرام شبیه‌سازی شده است.
demo-about-operator = شما به نام Ada، گردانندهٔ این ربات، می‌نویسید: /help کارهای گرداننده را هم نشان می‌دهد.
pages-skip = رفتن به محتوا
pages-elsewhere = صفحه‌های دیگر
pages-sign-in = لطفاً وارد شوید
pages-from-elsewhere = پیوندی در سایتی دیگر شما را به اینجا آورد.
pages-open = باز کردن صفحه
pages-not-for-you = اجازهٔ دیدن این صفحه را ندارید. از صاحب ربات نقشی بخواهید.
pages-problem = انجام نشد
pages-problem-back = برگردید؛ آنچه وارد کردید هنوز آنجاست.
pages-gone = پیدا نشد
pages-gone-how = اینجا چیزی نیست، یا دیگر نیست.
pages-later = ربات اکنون نمی‌تواند پاسخ دهد. کمی بعد دوباره امتحان کنید.
pages-unsent = چیزی فرستاده نشد: ربات در دسترس نیست. دوباره بکوشید.
pages-as-table = به‌صورت جدول
pages-cancel = انصراف
pages-copy = کپی
pages-copied = کپی شد
pages-pages = صفحه‌های فهرست
pages-first = به آغاز
pages-next = بیشتر
pages-search = جستجو

# The pages of users.
panel-save = ذخیره
widget-unanswered = پاسخی نرسید. لطفاً دوباره امتحان کنید.
widget-wait = کمی بیشتر طول می‌کشد. انجام خواهد شد.
