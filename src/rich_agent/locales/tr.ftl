# The turn
greeting = Merhaba! Belgelerimle ilgili istediğinizi sorun ya da bir fotoğraf gönderin. Neler yapabildiğimi /help ile görebilirsiniz.
greeting-named = Merhaba { $name }! Belgelerimle ilgili istediğinizi sorun ya da bir fotoğraf gönderin. Neler yapabildiğimi /help ile görebilirsiniz.
thanks-reply = Rica ederim!
farewell-reply = Hoşça kalın! Ne zaman isterseniz yazın.
help-reply = “Kaynakların neler?” gibi tam bir soru sorun ya da bir fotoğraf gönderip ne öğrenmek istediğinizi yazın. Yapabildiğim her şey /help listesinde.
laughter-reply = 😄
nothing-said = Bu mesajda okuyabileceğim bir söz yok. Bir soru sorun ya da fotoğraf gönderin.
nothing-found = Kayıtlı kaynaklarda hiçbir şey bulunamadı.
nothing-found-files = Dosyalarınızda hiçbir şey bulunamadı.
nothing-found-answer = Kayıtlı kaynaklarda bununla ilgili bir şey bulunamadı. Başka sözcüklerle deneyin ya da neleri kapsadıklarını görmek için “Kaynakların neler?” diye sorun.
no-sources-yet = Hiçbir şey bulunamadı: henüz kayıtlı kaynak yok. Beni yöneten kişi `ingest add-source` ile kaynak ekleyebilir.
question-shortened = Mesaj tamamını okuyamayacağım kadar uzundu; yalnızca başını ve sonunu okudum.
look-left-out = Belgelerimde yalnızca bir kez arama yaptım, çünkü yeni bir arama çok uzun sürerdi.
nothing-cited-web = Hiçbir web sonucu bunu desteklemiyor.
unchecked = Bunu kaynaklarla karşılaştıramadım. Okuduklarım: { $sources }
refused-rag = Kayıtlı kaynaklarda bunun yanıtı yok. Baktığım yerler:
refused-files = Dosyalarınızda bunun yanıtı yok. Baktığım yerler:
refused-web = Web sonuçlarında bunun yanıtı yok. Baktığım yerler:
refused-rag-web = Bunun yanıtı ne kayıtlı kaynaklarda ne de web’de var. Baktığım yerler:
unsupported = Kaynaklarda yok, lütfen kontrol edin: { $claims }
contradicted = Kaynaklar başka bir şey söylüyor: { $claims }
unjudged = Bu yanıtı kaynaklarıyla karşılaştıramadım.
unjudged-claims = Kaynaklarla karşılaştırılamadı: { $claims }
uncomputed = Tablonun tüm satırlarından hesaplanmadı, lütfen kontrol edin: { $claims }
catalogue-title = Kayıtlı belgeler
catalogue-counts = { $sources } kaynak, { $documents } belge. Burada listelenen başlık sayısı: { $shown }.
catalogue-sources = Kaynaklar
catalogue-source = { $name }: { $documents } belge
catalogue-source-internal = { $name } (bu asistan hakkında): { $documents } belge
catalogue-matching = Sorunuzla eşleşen belgeler
catalogue-others = Diğer belgeler
your-photo = Fotoğrafınız
web-unavailable = Web’de arama yapılamadı.
look-failed = Görsele daha yakından bakamadım, bu yüzden yanıt ilk bakışıma dayanıyor.
stopped = (durduruldu)
early-end-length = Yanıt çok uzadı ve burada bitiyor.
early-end-filtered = Model sunucusunun içerik filtresi bu yanıtı durdurdu. Başka sözcüklerle sormayı deneyin.
early-end-refused = Dil modeli bunu yanıtlamayı reddetti.
early-end-repeated = Dil modeli durmadan kendini tekrarladı, bu yüzden onu durdurdum.
early-end-deadline = Bu, tek bir mesaja ayırabileceğim süreden uzun sürdü, bu yüzden burada durdum.
answer-in-file = Bu yanıt uzun. Yukarıda başlangıcı var; tamamı aşağıdaki dosyada.
continue-button = Devam et
continue-wish = Yanıtına kaldığın yerden devam et.
stopped-at-once = Henüz bir şey yazmadan durduruldu.
web-nothing-found = Web aramasında bununla ilgili bir şey bulunamadı.
ask-about-image =
    Gördüğüm: { $seen }

    Bununla ilgili ne öğrenmek istersiniz?
image-topic-describe = Görseli anlat
image-topic-text = Görseldeki yazıyı oku
image-topic-table = Görseldeki tabloyu açıkla
image-topic-search = Görseldekini araştır

# Telegram
status-reading = Dosyanızı okuyorum…
status-looking = Fotoğrafa bakıyorum…
status-thinking = Düşünüyorum…
status-searching = Arıyorum…
status-searching-web = Web’de arıyorum…
status-drafting = Yazıyorum…
status-busy = Dil modeli meşgul. En çok bir dakika bekleyeceğim…
status-held = Model sunucusu şu anda istek almıyor. Yeniden deneyeceğim: { $at } ({ $wait }). Yanıtı buraya yazacağım, tekrar sormanıza gerek yok. Yeni mesaj gönderirseniz onları da ondan sonra yanıtlarım.
status-queued = Aldım. Önceki mesaj biter bitmez bunu yanıtlayacağım.
status-queued-elsewhere = Aldım. Size hâlâ web’de ya da başka bir programda yanıt veriyorum; bunu ondan sonra yanıtlayacağım.
status-crowd = Aldım. Şu anda bana çok kişi yazıyor. Sıradaki yeriniz: yaklaşık { $place }. Sıra size gelir gelmez yanıtlayacağım.
button-stop = Durdur
stopping = Durduruyorum…
stopped-by-command = Durduruldu.
question-dropped = Tamam, sorumu yanıtlamanıza gerek yok.
nothing-to-stop = Şu anda bir şey yazmıyorum.
stop-too-late = Bu yanıt zaten tamamlandı.
too-many = Bir anda çok sayıda mesaj gönderdiniz. Önce öncekileri yanıtlayacağım. Bunu ve sonrakileri, ben yetiştikten sonra lütfen yeniden gönderin.
sources-heading = Kaynaklar
source-web = { $label } (web)
sent-again = (Yeniden gönderildi: Telegram ilk denemeyi onaylamamıştı.)
start = Merhaba! Soruları belgelerimden yanıtlar, her yanıtın nereden geldiğini gösteririm. Fotoğraf gönderip onunla ilgili soru sorabilir ya da yapacaklarınızı bana yazabilirsiniz. Daha fazlası /help içinde.
start-named = Merhaba { $name }! Soruları belgelerimden yanıtlar, her yanıtın nereden geldiğini gösteririm. Fotoğraf gönderip onunla ilgili soru sorabilir ya da yapacaklarınızı bana yazabilirsiniz. Daha fazlası /help içinde.
start-examples = Denemek için bir konuya dokunun:
help-heading = Yapabildiklerim
help =
    • Soruları belgelerimden yanıtlarım; numaralı kaynakları açıp bakabilirsiniz.
    • Belgelerim yetmediğinde ya da güncel konular sorulduğunda web’de ararım.
    • Gönderdiğiniz dosyaları (PDF, Word, Excel, PowerPoint, CSV ve başkaları) ve bağlantısını verdiğiniz sayfaları okurum. Listesi: /files.
    • Fotoğraflara, albümlere ve görsel dosyalarına bakarım. Bir fotoğrafı soruyla da yanıtlayabilirsiniz.
    • Kendinizle ilgili anlattıklarınızı hatırlarım. Diğer kullanıcılar bunları hiç görmez.
help-end = Bana kendi sözlerinizle yazın.
help-commands = Komutlar
unknown-command = { $command } diye bir komut yok. Neler yapabildiğimi /help ile görebilirsiniz.
unknown-command-near = { $command } diye bir komut yok. Şunu mu demek istediniz: /{ $near }? Tüm komutlar /help listesinde.
button-outdated = Bu düğme artık çalışmıyor.
cannot-read = Bu tür mesajları henüz okuyamıyorum. Metin, fotoğraf ya da görsel dosyası gönderin.
cannot-read-sticker =
    { $detail ->
        [blank] Çıkartmada ne olduğunu göremiyorum.
       *[other] { $detail } – güzel! Ama çıkartmada ne olduğunu göremiyorum.
    } Sözle anlatın ya da fotoğraf gönderin.
cannot-read-dice = { $detail } Oyun oynamıyorum ama soruları yanıtlıyorum: yazmanız yeter.
cannot-read-animation = GIF izleyemiyorum. Durağan bir görsel gönderin ya da yazarak sorun.
cannot-read-video = Video izleyemiyorum. İlgili anın ekran görüntüsünü gönderin ya da yazarak sorun.
cannot-read-location = Haritaya bakamıyorum. Yerin adını ve ne öğrenmek istediğinizi yazın.
cannot-read-venue = Bir yeri haritada bulamıyorum. Adını ve ne öğrenmek istediğinizi yazın.
cannot-read-contact = Kişi kartlarını kullanamıyorum, bunu da saklamadım. Neye ihtiyacınız olduğunu yazın.
cannot-read-poll = Anketlerde oy kullanamıyorum. Soruyu metin olarak yazın, yanıtlayayım.
cannot-read-story = Hikâyeleri göremiyorum. Ekran görüntüsünü gönderin ya da yazarak sorun.
unread-note = Bakamadıklarım: { $things }.
unread-animation = GIF
unread-audio = ses kaydı
unread-checklist = kontrol listesi
unread-contact = kişi kartı
unread-dice = zar
unread-game = oyun
unread-giveaway = çekiliş
unread-giveaway-winners = çekiliş
unread-invoice = fatura
unread-live-photo = canlı fotoğraf
unread-long-text = metninizin ilk 16.000 karakterinden sonrası
unread-location = konum
unread-paid-media = ücretli medya
unread-photo = fotoğraf
unread-poll = anket
unread-rich-message = biçimlendirilmiş mesaj
unread-sticker = çıkartma
unread-story = hikâye
unread-venue = yer
unread-video = video
unread-video-note = video mesajı
unread-voice = sesli mesaj
edit-too-late = Yalnızca son sorunuzdaki düzeltmeleri yanıtlıyorum. Değişen soruyu lütfen yeni bir mesaj olarak gönderin.
replaced = (değiştirildi)
not-allowed = Bu bot herkese açık değil. Erişim istemek için bu numarayı botu yöneten kişiye gönderin: { $user_id }
apology-unavailable = Üzgünüm, birkaç kez denedim ama dil modeline ulaşamadım. Lütfen birkaç dakika sonra yeniden sorun.
apology-download = Üzgünüm, birkaç kez denedim ama dosyanızı Telegram’dan alamadım. Lütfen birkaç dakika sonra yeniden gönderin.
apology-credit = Beni yöneten kişinin model sunucusundaki bakiyesi bittiği için yanıt veremiyorum. Bunu yalnızca o düzeltebilir. Daha sonra /retry gönderin, bu soruyu yanıtlayayım.
apology-key = Model sunucusu beni yöneten kişinin anahtarını kabul etmediği için yanıt veremiyorum. Bunu yalnızca o düzeltebilir. Daha sonra /retry gönderin, bu soruyu yanıtlayayım.
model-away = Model sunucusu şu zamana kadar istek almıyor: { $at }. Bu, beklemek için fazla uzun. Lütfen o zaman /retry gönderin, bu soruyu yanıtlayayım.
apology-refused = Üzgünüm, dil modeli isteği kabul etmedi. Beni yöneten kişi nedenini günlükte bulabilir.
apology-malformed = Üzgünüm, dil modelinin verdiği yanıt kullanılamaz durumdaydı. Lütfen yeniden, mümkünse başka sözcüklerle sorun.
apology-spent = Üzgünüm, bunu yanıtlamayı birkaç kez denedim ve her seferinde takıldım. Soruyu beni yöneten kişi için ayırdım. Sorun bende, sözlerinizde değil.
aside-lesson = Üzgünüm, belleğimi önceki bir mesajınızla güncellemeyi birkaç kez denedim ve takıldım. Onu beni yöneten kişi için ayırdım.
aside-stream = Bu yanıt her zamanki gibi gösterilemiyor. Düz metni şöyle:
apology-internal = Üzgünüm, bende bir şeyler ters gitti; günlüğe kaydedildi. Lütfen yeniden deneyin.
limit-tokens = Bugünkü sınırınıza ulaştınız ({ $limit } token). Yeniden yanıt verebileceğim zaman: { $at } ({ $wait }). O zamana kadar /status, /sources ve /memory gibi komutlar çalışır.
limit-images = Bugünkü sınırınıza ulaştınız ({ $limit } görsel), bu yüzden gönderdiklerinizin hepsine bakmadım. Görsellere yeniden bakabileceğim zaman: { $at } ({ $wait }).
limit-searches = Bugünkü sınırınıza ulaştınız ({ $limit } web araması), bu yüzden web’de aramadım. Yeniden arayabileceğim zaman: { $at } ({ $wait }).
limit-audio_seconds = Bugünkü sınırınıza ulaştınız ({ $limit } saniye ses), bu yüzden dinlemedim. Yeniden dinleyebileceğim zaman: { $at } ({ $wait }). O zamana kadar lütfen bana yazın.
limit-wait = { $duration } sonra
day-yesterday = dün
day-today = bugün
day-tomorrow = yarın
media-too-large = Kayıt çok büyük: en fazla 20 MB’lık dosya alabiliyorum.
media-unreadable = Bu kaydı okuyamadım, bozuk olabilir. Lütfen yeniden gönderin.
image-empty = Görsel boş. Lütfen yeniden gönderin.
image-too-large = Görsel çok büyük: en fazla 20 MB’lık dosya alabiliyorum.
image-too-many-pixels = Görselin piksel sayısı çok fazla. Lütfen daha küçük bir sürümünü gönderin.
image-unreadable = Görseli okuyamadım, bozuk olabilir. Lütfen yeniden gönderin.
image-format = Bu görsel biçimini okuyamıyorum. Lütfen JPEG, PNG ya da WebP gönderin.
image-heif = HEIC ve AVIF dosyalarını okuyamıyorum. Görseli dosya olarak değil, fotoğraf olarak gönderin: o zaman Telegram dönüştürür.
image-animated = Hareketli görsellere bakamıyorum. Lütfen durağan bir görsel gönderin.
image-refused = Bu görseli kullanamadım. Lütfen başka birini gönderin.

# Commands
command-start = Buradan başlayın
command-help = Yapabildiklerim
command-new = Yeni bir sohbet başlatın
command-stop = Yazdığım yanıtı durdurun
command-retry = Son sorunuzu yeniden yanıtlatın
command-sources = Bildiklerim
command-spaces = Baktığım alanlar
command-why = Son yanıtım nasıl oluştu
command-status = Sizin için ne yapıyorum
command-language = Menülerin dilini seçin
command-privacy = Hakkınızda sakladıklarım
command-memory = Hakkınızda hatırladıklarım
command-export = Verileriniz, dosya olarak
command-forget = Hakkınızdaki her şeyi silin
command-stats = Kullanım istatistikleri
command-approvals = Onay bekleyen yanıtlar
admins-only = Bu komut yalnızca yöneticiler içindir.
database-away = Veritabanıma şu anda ulaşılamıyor. Lütfen bir dakika sonra yeniden deneyin.
button-not-yours = Bu düğme başka birine ait.
never = henüz yapılmadı
and-more = … ve { $count } tane daha
privacy-heading = Hakkınızda sakladıklarım
privacy =
    Beni yöneten kişinin ya da şirketin veritabanında şunları saklarım:
    • Telegram kimliğiniz ve adınız, mesajlarınız ve yanıtlarım
    • hakkınızda hatırladıklarım ile görevleriniz, notlarınız ve planlarınız
    • bağlarsanız görev listenizin oturum bilgileri, şifrelenmiş olarak
    • her fotoğrafın parmak izi ve açıklaması; fotoğrafın kendisi asla
    • gönderdiğiniz dosyaların, sayfaların ve kayıtların metni; sesin kendisi asla
    • her yanıta nasıl karar verdiğim ve 👍 ya da 👎 oyunuz
    • günlük kullanımınız: token, görsel ve aramalar

    Yanıt verebilmek için mesajınızı, sohbeti ve bulduğum bölümleri, beni yöneten kişinin seçtiği dil modeline gönderirim. Diğer kullanıcılar bunların hiçbirini görmez.
new-conversation = Yeni bir sohbete başlıyoruz. Önceki konuştuklarımızı artık kullanmıyorum ama kendinizle ilgili anlattıklarınızı hâlâ hatırlıyorum.
language = Menüler ve yardım hangi dilde olsun? Yanıtlarım sorunuzun dilini izler.
language-auto = Otomatik
language-chosen =
    { $chosen ->
        [auto] Menülerim ve bildirimlerim Telegram uygulamanızın ve mesajlarınızın dilini izler.
       *[other] Menülerim ve bildirimlerim artık Türkçe. Yanıtlarım yine sorunuzun dilinde olur.
    }
language-not-spoken = Bu dili henüz konuşmuyorum. Bunlardan birini seçin ya da /language komutunu dilin adıyla gönderin.
status-sound = Bugün dinlenen ve seslendirilen saniye: { $seconds }.
sources-none = Henüz belgem yok. Beni yöneten kişi `ingest add-source` ile belge ekleyebilir.
spaces = Belgelerimin bu alanları size açık. ✓ işaretli olanlara bakarım; diğerlerine yalnızca adını anarsanız. Değiştirmek için birine dokunun.
spaces-none = Sizin için baktığım her şey, beni kullanabilen herkese açık.
sources-known = { $sources } kaynak biliyorum, içlerinde { $documents } belge var ({ $passages } bölüm):
sources-line = • { $name }: { $documents } belge, { $passages } bölüm, son eşitleme: { $synced }
sources-line-internal = • { $name } (hakkımda): { $documents } belge, { $passages } bölüm, son eşitleme: { $synced }
passage-gone = Bu bölüm artık belgelerimde yok.
passage-read = Bölümü oku
why-button = Neden?
why-nothing = Henüz bir şey yanıtlamadım. Önce bir soru sorun.
why-no-answer = O mesajın nasıl oluştuğuna dair kaydım yok. Yanıtlarımdan birini /why ile yanıtlayın.
why-heading = Bu yanıt nasıl oluştu
why-done-direct = Bir şeye bakmadan doğrudan yanıtladım.
why-done-rag =
    { $read ->
        [0] Belgelerimde aradım, bununla ilgili bir şey bulamadım.
       *[other] Belgelerimde aradım: okuduğum bölüm { $read }, alıntıladığım { $cited }.
    }
why-done-web =
    { $read ->
        [0] Web’de aradım, bununla ilgili bir şey bulamadım.
       *[other] Web’de aradım: okuduğum sonuç { $read }, alıntıladığım { $cited }.
    }
why-done-rag-web =
    { $read ->
        [0] Önce belgelerimde, sonra web’de aradım; bununla ilgili bir şey bulamadım.
       *[other] Önce belgelerimde, sonra web’de aradım: okuduğum bölüm { $read }, alıntıladığım { $cited }.
    }
why-web-failed =
    { $read ->
        [0] Web’de arama yapamadım.
       *[other] Web’de arama yapamadım; belgelerimden okuduğum bölüm { $read }, alıntıladığım { $cited }.
    }
why-reason = Nedeni: { $reason }
looked-for = Aranan: “{ $query }”
why-further-queries = Ardından aranan: “{ $query }”
why-photo = Fotoğraf: baktım
why-photo-asked = Fotoğraf: sorunuzla birlikte yeniden baktım
why-memory = Hatırladığım: hakkınızda { $count } bilgi (bkz. /memory)
why-recalled = • { $text }
why-summary = Hatırladığım: önceki konuşmalarımızın özeti
why-past = Önceki konuşmamızdan:
why-past-turn = • { $date }: “{ $text }”
why-read-document =
    Belgeler: { $read ->
        [0] bir şey bulunamadı
       *[other] { $read } bölüm okundu
    }
why-read-web =
    Web: { $read ->
        [0] bir şey bulunamadı
       *[other] { $read } sonuç okundu
    }
why-doubted = Denetim: { $count } cümle şüpheli göründü
why-planned = Mesajınızın tek başına istediği işlemler: { $count }
why-repaired = Denetim: ilk sürümde hiç alıntı yoktu ya da kaynaksız bir cümle vardı, bu yüzden modelden yeniden yazmasını istedim
why-permitted = Hep izin verdiğiniz için sorulmadan yapılan çağrılar (/tools): { $count }
why-unsupported = Denetim: { $count } cümlenin kaynağı yok, yanıtta belirtildi
why-contradicted = Denetim: { $count } cümle kaynaklarla çelişiyor, yanıtta belirtildi
why-judged = Denetim: kaynaklarla karşılaştırılan cümle sayısı: { $count }
why-unjudged = Denetim: yanıtta belirtildiği gibi karşılaştırılamayan cümle sayısı: { $count }
why-unsampled = Denetim: yanıtların yalnızca bir bölümü denetlendiği için karşılaştırılmayan cümle sayısı: { $count }
why-second_look_failed = Sorun: planlama modeli yanıtı denetleyemedi
why-check-left-out = Model denetimi yapılmadı, çünkü çok uzun sürerdi
why-refused = Denetim: okuduklarımın hiçbiri modelin yazdığını desteklemiyor, bu yüzden göstermedim
why-planner_failed = Sorun: planlama modeli plan vermedi, bu yüzden yalnızca kayıtlı belgelerde arandı
why-further_search_failed = Sorun: planlama modeli hâlâ neyin eksik olduğunu söyleyemedi
why-look-left-out = Başka arama yapılmadı, çünkü çok uzun sürerdi
why-embedding_failed = Sorun: anlama göre değil, yalnızca sözcüklere göre arayabildim
why-rerank_failed = Sorun: bulunan bölümlerin sıralanması başarısız oldu ya da çok uzun sürdü, bu yüzden arama sırasıyla kaldılar
why-passage = • { $label } ({ $score })
why-passage-cited = • { $label } ({ $score }, alıntılandı)
why-models = Model: { $models }
why-calls = Model çağrısı: { $calls }; ilk sözcükten önce art arda: { $before }. Okunan token: { $read }; sunucunun yeniden kullandığı: { $cached }
why-times =
    { $steps ->
        [blank] Süre: { $total } sn
       *[other] Süre: { $total } sn ({ $steps })
    }
why-reference = Beni yöneten kişi için başvuru numarası: { $request_id }
step-N1_ingest_input = okuma { $seconds }
step-N2_load_long_term_memory = hatırlama { $seconds }
step-N13_read_files = dosya okuma { $seconds }
step-N3_vision_summarize = görsele bakma { $seconds }
step-N4_build_effective_query = planlama { $seconds }
step-N5_retrieve = belgelerde arama { $seconds }
step-N14_search_further = aramaya devam { $seconds }
step-N8_web_search = web’de arama { $seconds }
step-N6_synthesize = yazma { $seconds }
step-N7_persist = kaydetme { $seconds }
step-N9_ask_back = size sorma { $seconds }
step-N10_take_answer = yanıtınızı okuma { $seconds }
step-N11_request_approval = onay isteme { $seconds }
rated = Geri bildiriminiz için teşekkürler.
rated-down = Teşekkürler. Beni yöneten kişi artık bu soruyu ve yanıtını okuyabilir.
rating-withdrawn = Geri bildiriminizi kaldırdım.
status-answering =
    Sizin için bir yanıt yazıyorum. { $waiting ->
        [0] Bekleyen başka mesaj yok.
       *[other] { $waiting } mesaj daha bekliyor.
    }
status-waiting =
    { $waiting ->
        [0] Tüm mesajlarınız yanıtlandı.
       *[other] { $waiting } mesajınız yanıt bekliyor.
    }
status-use = Bugünkü kullanım: token { $tokens }, görsel { $images }, web araması { $searches }, bağlı araç çağrısı { $tool_calls }. Yeni günün başlangıcı: { $at } ({ $wait }).
use-free = { $used }
use-limited = { $used } / { $limit }
status-documents = Belgeler: { $documents }, toplam { $passages } bölüm; son eşitleme: { $synced }
status-documents-away = Belgeler: veritabanlarına şu anda ulaşılamıyor.
status-out-of-reach = ⚠️ Ulaşılamıyor ({ $duration }): { $problem }
status-models = Modeller: { $chat } yazar, { $vision } görsellere bakar
status-version = rich-agent { $version }
memory-empty = Hakkınızda henüz bir şey hatırlamıyorum. Kendinizden söz edin, aklımda tutayım.
memory-known =
    { $count ->
        [one] Hakkınızda 1 şey hatırlıyorum. Unutmamı isterseniz numarasına dokunun.
       *[other] Hakkınızda { $count } şey hatırlıyorum. Birini unutmamı isterseniz numarasına dokunun.
    }
memory-facts = Bilgiler
memory-preferences = Tercihler
memory-tasks = Yapılacaklar
memory-past = geçmişte
memory-planned = planlanan
memory-item = { $text } ({ $told })
memory-item-due = { $text } – son tarih { $due } ({ $told })
memory-deleted = Unuttum. Bunu anlattığınız mesajlar sohbetimizde duruyor. Onları da silmek için “… unut” yazın.
forgetting-told = Bunu unutayım mı?
forgetting-everything = Bana anlattığınız ve konuştuğumuz her şeyi unutayım mı? Bu, hatırladığım { $memory } şey ile yanıtlarıyla birlikte { $messages } mesaj demek.
forgetting-named = Bunlarda yalnızca adı geçiyor. Siz istemedikçe kalırlar:
forgetting-only-named = Açıkça bununla ilgili bir şey bulamadım. Yalnızca adının geçtiği şunları unutayım mı?
forgetting-of-memory = Hatırladıklarım:
forgetting-of-thing = Görevleriniz, notlarınız ve planlarınız:
forgetting-of-file = Dosyalarınız:
forgetting-of-message = Mesajlarınız ve yanıtlarım:
forgetting-of-summary = Önceki konuşmalarımızın özetinde:
forgetting-more = … ve { $count } tane daha.
forgetting-final = Bu geri alınamaz. Lütfen bir düğmeye dokunun.
forgetting-yes = Unut
forgetting-yes-all = Hepsini unut
forgetting-no = Her şey kalsın
forgetting-done = Unutuldu: hatırladığım { $memory } şey ve yanıtlarıyla birlikte { $messages } mesaj. Bunlar hafızamdan, sohbetimizden, özetinden, arşivden ve /export kaydından silindi. Bu sohbette gördükleriniz, siz Telegram’da silene kadar kalır.
forgetting-left = Yalnızca adının geçtiği { $count } kayıt, seçtiğiniz gibi kalıyor.
forgetting-done-everything = Ayarlarınız, geri bildirimleriniz ve kullanım kaydınız kalıyor; /forget bunları da siler.
forgetting-nothing = Bununla ilgili ne hatırladıklarımda ne de sohbetimizde bir şey buldum; hiçbir şey silinmedi. Hakkınızda hatırladıklarım: /memory.
forgetting-failed = Modelim hata verdiği için neyin unutulmasını istediğinizi anlayamadım. Hiçbir şey silinmedi. Lütfen daha sonra yeniden deneyin ya da /memory ve /forget komutlarını kullanın.
forgetting-kept = Hiçbir şey silinmedi.
forgetting-wish = (Bir şeyi unutma isteği. Sözleri saklanmaz.)
planner-failed-note = Planlama modelim hata verdi. Bir şey yapmamı ya da unutmamı istediyseniz hiçbir şey yapılmadı, hiçbir şey silinmedi: lütfen yeniden isteyin ya da /memory ve /forget komutlarını kullanın.
planner-failed-still = Hiçbir şey yapılmadı, hiçbir şey silinmedi.
exported =
    Hakkınızda sakladığım her şey burada: { $messages } mesaj, { $decisions } karar{ $images ->
        [0] {""}
       *[other] , { $images } görsel özeti
    }, hatırladıklarım ile görevleriniz, notlarınız ve planlarınız. Dosya JSON biçimindedir.
forget-confirm =
    Hakkınızda sakladığım her şeyi sileyim mi? Sohbetimiz, hakkınızda hatırladıklarım, görevleriniz, notlarınız ve planlarınız, her yanıta nasıl karar verdiğim, geri bildirimleriniz, fotoğraflarınızın açıklamaları, dosyalarınızın ve kayıtlarınızın metni ve ayarlarınız silinir.

    Bu geri alınamaz. Bu sohbetteki mesajlar, siz Telegram’da silene kadar kalır. Verilerinizin bir kopyası için önce /export gönderin.
forget-yes = Evet, her şeyi sil
forget-no = Hayır, kalsın
forget-wish = { $what } hakkında söylediklerimi unut
command-alone = Hiçbir şey yapmadım: { $command } arkasına sözcük almaz. Bunu istiyorsanız tek başına gönderin.
secret-delete-yourself = Mesajınızı silemedim. İçinde parolanız var, lütfen kendiniz silin.
forget-kept = Hiçbir şey silinmedi.
forgotten = Hakkınızda sakladığım her şey silindi. Yeniden yazarsanız sıfırdan başlarız.
confirmation-over = Bu sorunun süresi doldu. Lütfen komutu yeniden gönderin.
nothing-to-retry = Yeniden yanıtlanacak bir soru yok. Önce bir soru sorun.
stats-heading = İstatistikler
stats-users = Kullanıcılar: { $known }; son gün { $day }, 7 günde { $week }; beni engelleyen { $blocking }
stats-turns = Yanıtlar: son gün { $day }, 7 günde { $week }
stats-plans = Planlar, 7 gün: { $plans }
stats-plan-direct = doğrudan { $count }
stats-plan-rag = belgeler { $count }
stats-plan-web = web { $count }
stats-plan-rag-web = belgeler ve web { $count }
stats-times = Yanıt süresi, 7 gün: p50 { $p50 } sn, p95 { $p95 } sn
stats-failures = Hatalar: 7 günde yarıda kalan yanıt { $broken }, iletilemeyen mesaj { $undelivered }; vazgeçilen güncelleme { $dead }
stats-feedback = Geri bildirim: 👍 { $up }, 👎 { $down }
stats-use-day = Bugünkü kullanım (UTC): token { $tokens }, görsel { $images }, web araması { $searches }; { $cost }
stats-use-week = Kullanım, 7 gün: token { $tokens }, görsel { $images }, web araması { $searches }; { $cost }
stats-cached = Okunan token’lardan sunucunun daha önce okudukları: % { $share }
stats-cost = maliyet { $cost }
stats-cost-partly = maliyet { $cost }, { $models } hariç (fiyat girilmemiş)
stats-cost-unknown = fiyat girilmemiş (MODEL_PRICES)
stats-price-table = MODEL_PRICES içinde olmayan fiyatlar: { $table }
stats-top-users = En çok token, 7 gün: { $users }
stats-inbox = Bekleyen güncellemeler: { $pending }
stats-approvals = Onay bekleyen: { $count } (/approvals)

# Approval
approval-waiting = Bu tür yanıtları göndermeden önce bir kişi okur. Yanıtınız inceleniyor; onaylanır onaylanmaz göndereceğim. Bu arada yazmayı sürdürebilirsiniz.
approval-review =
    { $number } numaralı yanıt onayınızı bekliyor.
    Kimden: { $user }
    Tür: { $intent }
    Soru: { $question }

    Taslak aşağıda. Düzeltilmiş metinle yanıtlayın ya da düğmelerini kullanın.
button-approve = Onayla
button-correct = Düzenle
button-reject = Reddet
approval-correction = Yanıt { $number }: bu mesajı düzeltilmiş metinle yanıtlayın. Kullanıcı onu olduğu gibi okuyacak.
approval-reason = Yanıt { $number }: bu mesajı ret nedeniyle yanıtlayın. Kullanıcı onu okuyacak.
approval-words-missing = Bunu metin olarak yazmanız gerekiyor. Lütfen aynı mesajı yeniden yanıtlayın.
approval-is-approved =
    { $by ->
        [you] ✓ Siz onayladınız.
       *[other] ✓ Onaylayan: { $admin }.
    }
approval-is-corrected =
    { $by ->
        [you] ✎ Sizin metninizle gönderildi.
       *[other] ✎ Gönderilen metnin sahibi: { $admin }.
    }
approval-is-rejected =
    { $by ->
        [you] ✗ Siz reddettiniz.
       *[other] ✗ Reddeden: { $admin }.
    }
approval-is-expired = Zamanında karar verilmedi. Kullanıcıya bildirdim.
approval-is-withdrawn = Kullanıcı soruyu değiştirdi; bu taslağa artık gerek yok.
approval-approved = Bu yanıt incelendi ve onaylandı.
approval-corrected = Bu yanıt incelendi ve düzeltildi.
approval-rejected = Üzgünüm, buna yanıt veremiyorum. Nedeni: { $reason }
approval-expired = Üzgünüm, yanıtım zamanında incelenmedi. Lütfen daha sonra yeniden sorun.
approvals-known =
    { $count ->
        [0] Onay bekleyen yanıt yok.
       *[other] { $count } yanıt onay bekliyor:
    }
approvals-line = • { $number }, şu zamandan beri: { $since }, kimden: { $user }: { $question }

# Why a turn is answered as it is
reason-as_planned = planlandığı gibi
reason-greeting = bir selamlama
reason-farewell = bir veda
reason-thanks = bir teşekkür
reason-help = yardım isteği
reason-laughter = gülme
reason-reaction = bir emoji
reason-silence = mesajda aranacak sözcük yok
reason-number = bir sayı ya da işlem
reason-known_word = kayıtlı belgelerde geçen bir sözcük
reason-forget_wish = bir şeyi unutma isteği
reason-stopped = planlanmadan önce durdurdunuz
reason-no_web = web araması kurulu değil
reason-no_plan = planlama modeli plan vermedi, bu yüzden kayıtlı belgelerde arandı, web’de aranmadı
reason-file_read = mesaj gönderdiğiniz bir dosyayla ilgili
reason-file_refused = gönderdiğiniz dosyaların hiçbiri okunamıyor
reason-about_bot = benimle ilgili sorular kendi belgelerimden yanıtlanır
reason-about_now = yanıt güncel duruma bağlı, bu yüzden web’de arandı
reason-documents_first = kayıtlı belgeler web’den önce gelir
reason-documents_may_say = yanıt kayıtlı belgelerde olabilir
reason-documents_wanted = belgelerin ne dediğini sordunuz
reason-web_ruled_out = mesaj özel olabilir, bu yüzden web’de aranmadı
reason-say_little = kayıtlı belgelerde bununla ilgili az şey var, bu yüzden web’de de arandı
reason-say_little_on = kayıtlı belgelerde “{ $subject }” ile ilgili az şey var, bu yüzden web’de de arandı

# Alerts for admins
alert-credit = ⚠️ Model sunucusundaki hesabın bakiyesi bitti ({ $service }), kimseye yanıt veremiyorum. { $hint } Kaçan soruların yanıtlanması için ardından `rich-agent inbox replay --all` komutunu çalıştırın. Bunu en fazla saatte bir gönderirim.
alert-key = ⚠️ Model sunucusu anahtarı kabul etmiyor ({ $service }), kimseye yanıt veremiyorum. { $hint } Kaçan soruların yanıtlanması için ardından `rich-agent inbox replay --all` komutunu çalıştırın. Bunu en fazla saatte bir gönderirim.
alert-away = ⚠️ Model sunucusu ({ $service }) şu zamana kadar istek almıyor: { $at }. Kullanıcılardan o zaman yeniden sormalarını istiyorum. Bunu önlemek için sınırı yükseltin ya da başka bir sunucu kullanın. Bunu en fazla saatte bir gönderirim.
alert-lesson = ⚠️ Bir kullanıcının hafızasını bir mesajdan güncellemeyi günlerce denedim ve vazgeçtim. Nedeni günlükte. Bunu en fazla saatte bir gönderirim.
alert-refused = ⚠️ Model sunucusu bir isteğimi reddediyor: { $problem } { $hint } Onsuz elimden geldiğince devam ediyorum. Bunu saatte en fazla bir kez gönderirim.

# Tools: what each is for, and what is happening while it runs.
status-acting = Kullanılan araç: { $tool }…
tool-list_files = Dosyalarınız
tool-undo_last_change = Son değişikliği geri alma
tool-search_documents = Belgeler
tool-search_web = Web araması
tool-request_more_information = Size bir soru
doing-list_files = Dosyalarınıza bakıyorum…
doing-undo_last_change = Son değişikliği geri alıyorum…
doing-search_documents = Belgelerde arıyorum…
doing-search_web = Web’de arıyorum…
approve-calls = Şunu yapmak istiyorum. Yapayım mı?
approve-not-planned = Mesajınız tek başına bunu istemiyor. Dikkatle bakın.
approve-yes = Onayla
approve-no = İptal
approve-words-yes = evet|tamam|olur
approve-words-no = hayır|iptal|vazgeç
card-labelled = { $label }: { $text }
card-not-done = Yapılmadı.
approve-adjust = Değiştir
approve-how-to-adjust = Neyin değişeceğini yazın, yeniden önereyim.
approve-always = Bunun için hep
approve-always-same = “{ $always }” bunu onaylar ve aynı çağrı bundan sonra sorulmadan yapılır. /tools ile geri alınır.
approve-always-alike = “{ $always }” bunu onaylar ve { $fixed } değeri aynı olan çağrılar, geri kalanı ne olursa olsun, bundan sonra sorulmadan yapılır. /tools ile geri alınır.
web-approve-in-words = “{ $yes }” ya da “{ $no }” diye yanıtlayın veya neyin değişeceğini yazın.
card-characters-left-out = Kalan karakterler: { $count }
card-arguments-left-out = Kalan bilgiler: { $count }
card-in-file = Hepsi buraya sığmıyor. Metnin tamamı “approval.txt” dosyasında. Karar vermeden önce lütfen okuyun.
card-copied-from = Kaynak: { $sources }
copied-user = mesajınız
copied-memory = sizin için sakladıklarım
copied-assistant = önceki bir yanıt
copied-operator = botun işletmecisi
copied-document = belge
copied-page = web sayfası
copied-file = dosya
copied-server = başka bir program
copied-other = başka biri
card-takes-back = Geri alınacaklar
argument-duration = Süre
argument-yes = evet
argument-no = hayır
argument-none = yok
approve-cancelled = İptal edildi. Hiçbir şey değişmedi.
acting-limit-calls = Bir mesaj için en fazla 10 işlem yapabiliyorum, sınıra ulaştım. Yapılacak bir şey kaldıysa “devam et” yazın.
acting-limit-errors = Art arda üç kez hata oluştuğu için durdum. Başka bir şey değişmedi.
undo-button = Geri al
undo-done = Geri alındı:
undo-too-late = Bu artık geri alınamaz.
step-N12_act = işlem { $seconds }

reason-in_group = gruplarda yalnızca kayıtlı belgelerden yanıt veririm
reason-link_ignored = bağlantının okunmamasını istediniz
reason-link_kept = sayfanın hatırlanmasını istediniz
reason-link_read = bağlantısını verdiğiniz sayfa okundu
reason-in_session = bu mesaj adım adım bir oturuma ait
reason-session_left = adım adım oturumu bitirmek istediniz

timeline-left-out = ve { $count } tane daha
command-timezone = Saat diliminizi seçin
time-repeats =
    { $unit ->
        [hourly] { $count ->
            [one] her saat
           *[other] { $count } saatte bir
        }
        [daily] { $count ->
            [one] her gün
           *[other] { $count } günde bir
        }
        [weekly] { $count ->
            [one] her hafta
           *[other] { $count } haftada bir
        }
        [monthly] { $count ->
            [one] her ay
           *[other] { $count } ayda bir
        }
       *[yearly] { $count ->
           [one] her yıl
          *[other] { $count } yılda bir
       }
    }
time-zone-none = Saat diliminizi henüz bilmiyorum. Buradan seçin ya da /timezone komutunu Europe/Istanbul gibi bir adla gönderin.
time-zone = Saat diliminiz { $zone }. Orada şu an { $now }. Değiştirmek için /timezone komutunu başka bir adla gönderin.
time-zone-chosen = Saat diliminiz { $zone }. Orada şu an { $now }. Yinelenen hatırlatmalar buna uyar.
time-zone-near = { $name } adında bir saat dilimi bilmiyorum. Şunlardan birini mi demek istediniz?
time-zone-which = { $name } için birden fazla saat dilimi var. Sizinki hangisi?
time-zone-unknown = { $name } adında bir saat dilimi bilmiyorum. Ad, Europe/Istanbul gibi bölge ve şehirden oluşur.

# The page of a passage.
passage-place = { $source } · bölüm { $position } / { $count }
passage-before = ← Önceki
passage-after = Sonraki →

# The page of a browser while the bot starts.
bot-starting = Bot başlatılıyor…

# Calls that a user permitted for good (/tools).
command-tools = Sorulmadan neler yapılabilir, görün
tools-none = Henüz hiçbir çağrıya kalıcı izin vermediniz. Güvenli olduğunda, çağrıdan önceki soru “Bunun için hep” seçeneğini sunar.
tools-about = Bu çağrılar size sorulmadan yapılır. ✕ izni geri alır; numarasıyla /tools da aynısını yapar.
tools-given-on = izin: { $day }
tools-used = çağrı: { $count }
tools-any = herhangi
tools-changed = Araç o zamandan beri değişti, bu yüzden böyle bir çağrı yine sorulur.
tools-take-all-back = Hepsini geri al
tools-taken-back = Geri alındı. Böyle bir çağrı yine sorulur.

# Outside Telegram.
only-in-telegram = Bu yalnızca Telegram'da tam olarak çalışır: orada { $command } gönderin.

run-not-latest = Bir konuşmanın yalnızca en yeni sorusu yeniden yanıtlanabilir.

# What is asked in groups.

guest-user-limit = Bugünlük gruplardaki soru hakkınız bitti. Bana özel sohbette sorun.
guest-group-limit = Bu grupta son bir saatte çok soru soruldu. Daha sonra deneyin ya da bana özel sohbette sorun.
guest-withheld = Bunu bir grupta yanıtlayamam. Bana özel sohbette sorun.
guest-answer-cut = Bu, daha uzun bir yanıtın başı. Tamamı için bana özel sohbette sorun.
guest-answered-privately = Size özel sohbetimizde yanıt verdim.
## Files

file-page = sayfa { $number }
file-sheet-named = sayfa { $heading }
file-sheet-numbered = çalışma sayfası { $number }
file-slide-named = slayt { $number }: { $heading }
file-slide-numbered = slayt { $number }
ask-about-files =
    { $count ->
        [one] Okudum: { $names }. Bununla ilgili ne öğrenmek istersiniz?
       *[other] Okudum: { $names }. Bunlarla ilgili ne öğrenmek istersiniz?
    }
file-topic-summary = Özetle
file-topic-points = Ana noktaları listele
file-read-whole = Tamamını okudum: { $name }.
file-macros = Makrolar çalıştırılmadı: { $name }.
file-read-in-parts = Tamamını okudum: { $name }, { $parts } bölüm halinde.
file-read-partly = { $name } uzun: { $units } bölümünden { $read } tanesini okudum. Kalanını ya da tek bir bölümü sorun.
file-searched = { $name } uzun: sorunuz için içinde aradım, tamamını okumadım.
file-parts-unread = Okuyamadıklarım: { $parts } ({ $name }).
file-part-attachment = { $count } ek
file-part-chart = { $count } grafik
file-part-diagram = { $count } şema
file-part-drawing = { $count } çizim
file-part-equation = { $count } denklem
file-part-field = { $count } form alanı
file-part-file = { $count } dosya
file-part-formula = { $count } sonucu kaydedilmemiş formül
file-part-letter = { $count } karakter
file-part-object = { $count } gömülü nesne
file-part-page = { $count } metinsiz sayfa
file-part-picture = { $count } resim
file-part-remark = { $count } açıklama
file-part-row = { $count } satır
file-part-sheet = { $count } çalışma sayfası
file-part-slide = { $count } metinsiz slayt
file-refused-too-large = “{ $name }” 20 MB’tan büyük; Telegram bundan fazlasını indirmeme izin vermiyor. Daha küçük bir dosya gönderin ya da bölün.
file-refused-too-long = “{ $name }” okunamayacak kadar uzun. Önemli bölümü ayrı bir dosya olarak gönderin.
file-refused-unsupported = “{ $name }” dosyasını okuyamıyorum. PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, EML, MSG, MHTML, ZIP ve düz metin okuyabilirim. Bunlardan biri olarak kaydedip yeniden gönderin.
file-refused-old-office = “{ $name }” eski bir Office biçiminde. DOCX, XLSX, PPTX ya da PDF olarak kaydedip yeniden gönderin.
file-refused-archive = “{ $name }” açamadığım bir biçimde sıkıştırılmış. ZIP olarak ya da içindeki dosyaları gönderin.
file-refused-encrypted = “{ $name }” parolayla korunuyor. Parolasız kaydedip yeniden gönderin.
file-refused-empty = “{ $name }” içinde metin bulamadım. İçinde bir şey varsa PDF ya da fotoğraf olarak gönderin.
file-refused-damaged = “{ $name }” bozuk ya da adının söylediği türde değil. Açıp yeniden kaydedin ve yeni kopyayı gönderin.
file-refused-gone = “{ $name }” alınamadı: dosya artık yok. Yeniden gönderin.
file-keep-button = Hatırla
file-only-here-button = Yalnızca burada
file-kept =
    { $count ->
        [one] Bu dosyayı hatırlayacağım. /files listesinde.
       *[other] Bu dosyaları hatırlayacağım. /files listesinde.
    }
file-not-kept =
    { $count ->
        [one] Bu dosyayı bu sohbetle birlikte unutacağım (/new).
       *[other] Bu dosyaları bu sohbetle birlikte unutacağım (/new).
    }
file-forgotten = Unuttum.
files-none = Burada dosyanız yok. Bana bir dosya gönderin: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV ya da metin.
files-title =
    { $count ->
        [one] Dosyanız:
       *[other] { $count } dosyanız:
    }
files-line = { $number }. { $name }, { $sent }
files-line-kept = { $number }. { $name }, { $sent }, hatırlanıyor
files-line-unread = Okunmayanlar: { $parts }.
files-hint = 📌 bir dosyayı bu sohbetten sonra da hatırlar ya da bundan vazgeçer. 🗑 dosyayı unutur.
command-files = Dosyalarınız: liste, hatırla, unut

# Links.

ask-about-links =
    { $count ->
        [one] Bu bağlantıyla ne yapayım? { $links }
       *[other] Bu bağlantılarla ne yapayım? { $links }
    }
link-wish-summary = Özetle
link-wish-keep = Hatırla
link-wish-ignore = Yok say
link-ignored = Tamam, okumuyorum.
link-kept =
    { $count ->
        [one] “{ $names }” sayfasını okudum, hatırlayacağım. İstediğiniz zaman sorun; /files listesinde.
       *[other] Okudum, hatırlayacağım: { $names }. İstediğiniz zaman sorun; /files listesinde.
    }
page-refused-private = { $name } adresini okumuyorum: özel bir ağa çıkıyor.
page-refused-robots = { $name } adresini okuyamam: site orada programlara izin vermiyor. Bana metnini ya da sayfayı dosya olarak gönderin.
page-refused-closed = { $name } yalnızca oturum açanlara açık. Bana metnini ya da sayfayı dosya olarak gönderin.
page-refused-gone = { $name } adresinde sayfa yok. Adres tam mı?
page-refused-too-large = { $name } sayfası benim için çok büyük. Önemli bölümü gönderin.
page-refused-too-long = { $name } sayfası benim için çok uzun. Önemli bölümü gönderin.
page-refused-slow = { $name } çok geç yanıt veriyor. Daha sonra deneyin.
page-refused-away = { $name } alınamadı: sitede sorun var ya da siteye ulaşılamıyor. Daha sonra deneyin.
page-refused-empty = { $name } adresinde metin bulamadım. Sayfa metni yalnızca insanlara ya da oturum açınca gösteriyor olabilir. Bana metnini gönderin.
page-refused-made-by-scripts = { $name } adresinde metin görmüyorum: sayfa ancak tarayıcıda doluyor. Bana metnini gönderin ya da sayfayı tarayıcıda kaydedip dosyayı gönderin.
page-refused-consent = { $name } adresinde yalnızca düğmeli bir soru görüyorum, örneğin onay sorusu; arkasındaki sayfayı görmüyorum. Bana metnini ya da sayfayı dosya olarak gönderin.
page-refused-unsupported = { $name } okuyabileceğim bir sayfa ya da belge değil.
page-refused-old-office = { $name } adresindeki dosya, okuyamadığım eski bir Office biçiminde.
page-refused-archive = { $name } adresindeki dosya açamadığım bir biçimde sıkıştırılmış.
page-refused-encrypted = { $name } adresindeki dosya parolayla korunuyor.
page-refused-damaged = { $name } adresindeki dosya bozuk ya da adının söylediği türde değil.
page-refused-too-many-links = { $name } okunmadı: bir mesaj için çok fazla bağlantı var.

# The demo.
demo-about-stand-in = Bu, bilgisayarınızda çalışan bir demo. Bot gerçek; Telegram ve dil modeli birer taklit ve bu model yalnızca alıntı yapabilir. Gerçek bir model için: “Model bağla” ya da OPENAI_API_KEY=sk-… rich-agent demo
demo-about-model = Bu, bilgisayarınızda çalışan bir demo. Bot ve dil modeli ({ $model }) gerçek; Telegram ise taklit.
demo-about-operator = Bu botu yöneten Ada olarak yazıyorsunuz: /help, işletmenlerin yapabildiklerini de gösterir.
pages-skip = İçeriğe geç
pages-elsewhere = Diğer sayfalar
pages-sign-in = Lütfen oturum açın
pages-from-elsewhere = Başka bir sitedeki bağlantı sizi buraya getirdi.
pages-open = Sayfayı aç
pages-not-for-you = Bu sayfayı göremezsiniz. Botun sahibinden bir rol isteyin.
pages-problem = Olmadı
pages-problem-back = Geri dönün; girdikleriniz hâlâ orada.
pages-gone = Bulunamadı
pages-gone-how = Burada bir şey yok ya da artık yok.
pages-later = Bot şu anda yanıt veremiyor. Biraz sonra yeniden deneyin.
pages-unsent = Hiçbir şey gönderilmedi: bota ulaşılamıyor. Yeniden deneyin.
pages-as-table = Tablo olarak
pages-cancel = Vazgeç
pages-copy = Kopyala
pages-copied = Kopyalandı
pages-pages = Listenin sayfaları
pages-first = Başa dön
pages-next = Daha fazla
pages-search = Ara

# The pages of users.
panel-save = Kaydet
widget-unanswered = Yanıt gelmedi. Lütfen yeniden deneyin.
widget-wait = Bu biraz daha uzun sürüyor. Yapılacak.
