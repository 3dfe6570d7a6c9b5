// What the page says to a user in their own language: on the card of an empty chat, and around it.

/**
 * By language: the line above the questions, the button for a model, two pictures, and one of their own;
 * then the field to write in, the list of people, the places to write in, the topics, the scene and its steps.
 */
const WORDS = {
  en: ["Write to the bot, or try one of these:", "Connect a model", "A chart", "A receipt", "Your photo",
    "Message", "Add a caption…", "Chats", "Each line is a person who talks with the bot in a chat of their own.", "No messages yet", "You", "Photo", "Private chat", "Group", "Group without the bot", "Topics", "All", "Topic", "Play a scene", "List, receipt, reminder, undo"],
  de: ["Schreib dem Bot oder probier etwas davon:", "Modell verbinden", "Ein Diagramm", "Ein Kassenbon", "Dein Foto",
    "Nachricht", "Bildunterschrift hinzufügen…", "Chats", "Jede Zeile ist eine Person, die mit dem Bot in einem eigenen Chat schreibt.", "Noch keine Nachrichten", "Du", "Foto", "Privater Chat", "Gruppe", "Gruppe ohne den Bot", "Themen", "Alle", "Thema", "Szene abspielen", "Liste, Kassenbon, Erinnerung, Rückgängig"],
  fr: ["Écrivez au bot, ou essayez une de ces questions :", "Connecter un modèle", "Un graphique", "Un ticket", "Votre photo",
    "Message", "Ajouter une légende…", "Discussions", "Chaque ligne est une personne qui parle avec le bot dans sa propre discussion.", "Aucun message", "Vous", "Photo", "Discussion privée", "Groupe", "Groupe sans le bot", "Sujets", "Tous", "Sujet", "Jouer une scène", "Liste, ticket, rappel, annulation"],
  es: ["Escribe al bot o prueba una de estas:", "Conectar un modelo", "Un gráfico", "Un recibo", "Tu foto",
    "Mensaje", "Añade un comentario…", "Chats", "Cada línea es una persona que habla con el bot en su propio chat.", "Aún no hay mensajes", "Tú", "Foto", "Chat privado", "Grupo", "Grupo sin el bot", "Temas", "Todos", "Tema", "Ver una escena", "Lista, recibo, recordatorio, deshacer"],
  it: ["Scrivi al bot o prova una di queste:", "Collega un modello", "Un grafico", "Uno scontrino", "La tua foto",
    "Messaggio", "Aggiungi una didascalia…", "Chat", "Ogni riga è una persona che parla con il bot in una chat tutta sua.", "Ancora nessun messaggio", "Tu", "Foto", "Chat privata", "Gruppo", "Gruppo senza il bot", "Argomenti", "Tutti", "Argomento", "Guarda una scena", "Lista, scontrino, promemoria, annulla"],
  pt: ["Escreva para o bot ou experimente uma destas:", "Conectar um modelo", "Um gráfico", "Um recibo", "Sua foto",
    "Mensagem", "Adicionar legenda…", "Conversas", "Cada linha é uma pessoa que fala com o bot em uma conversa só dela.", "Nenhuma mensagem ainda", "Você", "Foto", "Conversa privada", "Grupo", "Grupo sem o bot", "Tópicos", "Todos", "Tópico", "Ver uma cena", "Lista, recibo, lembrete, desfazer"],
  nl: ["Schrijf de bot of probeer er een van:", "Model verbinden", "Een grafiek", "Een kassabon", "Je eigen foto",
    "Bericht", "Bijschrift toevoegen…", "Chats", "Elke regel is iemand die in een eigen chat met de bot praat.", "Nog geen berichten", "Jij", "Foto", "Privéchat", "Groep", "Groep zonder de bot", "Onderwerpen", "Alle", "Onderwerp", "Speel een scène", "Lijst, kassabon, herinnering, ongedaan maken"],
  pl: ["Napisz do bota albo wypróbuj jedno z tych:", "Połącz model", "Wykres", "Paragon", "Twoje zdjęcie",
    "Wiadomość", "Dodaj podpis…", "Czaty", "Każdy wiersz to osoba, która rozmawia z botem we własnym czacie.", "Brak wiadomości", "Ty", "Zdjęcie", "Czat prywatny", "Grupa", "Grupa bez bota", "Tematy", "Wszystkie", "Temat", "Odtwórz scenę", "Lista, paragon, przypomnienie, cofnięcie"],
  ru: ["Напишите боту или попробуйте один из вопросов:", "Подключить модель", "Диаграмма", "Чек", "Ваше фото",
    "Сообщение", "Добавить подпись…", "Чаты", "Каждая строка — человек, который говорит с ботом в своём чате.", "Сообщений пока нет", "Вы", "Фото", "Личный чат", "Группа", "Группа без бота", "Темы", "Все", "Тема", "Показать сценку", "Список, чек, напоминание, отмена"],
  uk: ["Напишіть боту або спробуйте одне із запитань:", "Підключити модель", "Діаграма", "Чек", "Ваше фото",
    "Повідомлення", "Додати підпис…", "Чати", "Кожен рядок — людина, яка розмовляє з ботом у власному чаті.", "Повідомлень ще немає", "Ви", "Фото", "Приватний чат", "Група", "Група без бота", "Теми", "Усі", "Тема", "Показати сценку", "Список, чек, нагадування, скасування"],
  tr: ["Bota yazın ya da şunlardan birini deneyin:", "Model bağla", "Bir grafik", "Bir fiş", "Kendi fotoğrafınız",
    "Mesaj", "Açıklama ekle…", "Sohbetler", "Her satır, botla kendi sohbetinde konuşan bir kişidir.", "Henüz mesaj yok", "Siz", "Fotoğraf", "Özel sohbet", "Grup", "Botun olmadığı grup", "Konular", "Tümü", "Konu", "Bir sahne oynat", "Liste, fiş, hatırlatma, geri alma"],
  ar: ["اكتب إلى البوت أو جرّب أحد هذه الأسئلة:", "ربط نموذج", "رسم بياني", "إيصال", "صورتك",
    "رسالة", "أضف تعليقًا…", "المحادثات", "كل سطر شخص يتحدث مع البوت في محادثة خاصة به.", "لا رسائل بعد", "أنت", "صورة", "محادثة خاصة", "مجموعة", "مجموعة بلا البوت", "المواضيع", "الكل", "موضوع", "شغّل مشهدًا", "قائمة، إيصال، تذكير، تراجع"],
  fa: ["به ربات بنویسید یا یکی از این‌ها را امتحان کنید:", "اتصال یک مدل", "نمودار", "رسید خرید", "عکس شما",
    "پیام", "افزودن زیرنویس…", "گفتگوها", "هر سطر کسی است که در گفتگوی خودش با ربات حرف می‌زند.", "هنوز پیامی نیست", "شما", "عکس", "گفتگوی خصوصی", "گروه", "گروه بدون ربات", "موضوع‌ها", "همه", "موضوع", "پخش یک صحنه", "فهرست، رسید، یادآوری، واگرد"],
  hi: ["बॉट को लिखें या इनमें से कुछ आज़माएँ:", "मॉडल जोड़ें", "एक चार्ट", "एक रसीद", "आपकी फ़ोटो",
    "संदेश", "कैप्शन जोड़ें…", "चैट", "हर पंक्ति एक व्यक्ति है, जो अपनी अलग चैट में बॉट से बात करता है।", "अभी कोई संदेश नहीं", "आप", "फ़ोटो", "निजी चैट", "समूह", "बॉट के बिना समूह", "विषय", "सभी", "विषय", "एक दृश्य देखें", "सूची, रसीद, रिमाइंडर, वापस लेना"],
  id: ["Tulis ke bot, atau coba salah satu ini:", "Hubungkan model", "Grafik", "Struk belanja", "Foto Anda",
    "Pesan", "Tambahkan keterangan…", "Obrolan", "Setiap baris adalah orang yang berbicara dengan bot di obrolannya sendiri.", "Belum ada pesan", "Anda", "Foto", "Obrolan pribadi", "Grup", "Grup tanpa bot", "Topik", "Semua", "Topik", "Putar adegan", "Daftar, struk, pengingat, urungkan"],
  vi: ["Nhắn cho bot, hoặc thử một câu dưới đây:", "Kết nối mô hình", "Một biểu đồ", "Một hóa đơn", "Ảnh của bạn",
    "Tin nhắn", "Thêm chú thích…", "Trò chuyện", "Mỗi dòng là một người nói chuyện với bot trong cuộc trò chuyện của riêng mình.", "Chưa có tin nhắn", "Bạn", "Ảnh", "Trò chuyện riêng", "Nhóm", "Nhóm không có bot", "Chủ đề", "Tất cả", "Chủ đề", "Xem một cảnh", "Danh sách, hóa đơn, lời nhắc, hoàn tác"],
  ja: ["ボットにメッセージを送るか、次から試してみてください：", "モデルを接続", "グラフ", "レシート", "あなたの写真",
    "メッセージ", "キャプションを追加…", "チャット", "1 行が 1 人です。それぞれが自分のチャットでボットと話します。", "まだメッセージはありません", "あなた", "写真", "個人チャット", "グループ", "ボットのいないグループ", "トピック", "すべて", "トピック", "実演を見る", "リスト、レシート、リマインダー、元に戻す"],
  ko: ["봇에게 메시지를 보내거나 다음을 시도해 보세요:", "모델 연결", "차트", "영수증", "내 사진",
    "메시지", "캡션 추가…", "채팅", "한 줄이 한 사람이며, 각자 자기 채팅에서 봇과 이야기합니다.", "아직 메시지 없음", "나", "사진", "개인 채팅", "그룹", "봇이 없는 그룹", "주제", "전체", "주제", "장면 보기", "목록, 영수증, 알림, 되돌리기"],
  "zh-Hans": ["给机器人发消息，或试试这些：", "连接模型", "图表", "收据", "你的照片",
    "消息", "添加说明…", "聊天", "每一行是一个人，在自己的聊天里和机器人对话。", "还没有消息", "你", "照片", "私聊", "群组", "没有机器人的群组", "话题", "全部", "话题", "播放一段演示", "清单、收据、提醒、撤销"],
  "zh-Hant": ["傳訊息給機器人，或試試這些：", "連接模型", "圖表", "收據", "你的照片",
    "訊息", "加上說明…", "聊天", "每一行是一個人，在自己的聊天裡和機器人對話。", "還沒有訊息", "你", "照片", "私人聊天", "群組", "沒有機器人的群組", "話題", "全部", "話題", "播放一段示範", "清單、收據、提醒、復原"],
};
const NAMES = [
  "begin", "connect", "chart", "receipt", "photo",
  "message", "caption", "chats", "people", "empty", "you", "picture", "private", "group", "guest", "topics", "all", "topic", "scene", "steps",
];
const RIGHT_TO_LEFT = new Set(["ar", "fa"]);

/** Of texts that begin with a code ("ja:…"), the one for `lang` of wordsIn; without a code it is English. */
export function fitting(texts, lang) {
  const coded = texts.map((text) => /^([a-z]{2})(-[A-Za-z]{2,4})?:(.*)$/s.exec(text) ?? ["", "en", "", text]);
  const own = coded.find(([, code, region]) => code === lang || `${code}${region ?? ""}` === lang);
  return (own ?? coded.find(([, code]) => code === "en"))?.[3] ?? "";
}

/** The words for a language as Telegram tells it ("de", "pt-br", "zh-hant"), English for others. */
export function wordsIn(code) {
  const [language, ...rest] = (code ?? "").toLowerCase().split("-");
  const isTraditional = rest.some((one) => ["hant", "tw", "hk", "mo"].includes(one));
  const known = language === "zh" ? (isTraditional ? "zh-Hant" : "zh-Hans") : language in WORDS ? language : "en";
  const words = Object.fromEntries(WORDS[known].map((text, place) => [NAMES[place], text]));
  return { ...words, lang: known, dir: RIGHT_TO_LEFT.has(known) ? "rtl" : "ltr" };
}
