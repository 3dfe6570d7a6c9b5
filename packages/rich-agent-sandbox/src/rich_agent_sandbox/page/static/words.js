// What the page says to a user in their own language, where they begin: on the card of an empty chat.

/** By language: the line above the questions, the button for a model, two pictures, and one of their own. */
const WORDS = {
  en: ["Write to the bot, or try one of these:", "Connect a model", "A chart", "A receipt", "Your photo"],
  de: ["Schreib dem Bot oder probier etwas davon:", "Modell verbinden", "Ein Diagramm", "Ein Kassenbon", "Dein Foto"],
  fr: ["Écrivez au bot, ou essayez une de ces questions :", "Connecter un modèle", "Un graphique", "Un ticket", "Votre photo"],
  es: ["Escribe al bot o prueba una de estas:", "Conectar un modelo", "Un gráfico", "Un recibo", "Tu foto"],
  it: ["Scrivi al bot o prova una di queste:", "Collega un modello", "Un grafico", "Uno scontrino", "La tua foto"],
  pt: ["Escreva para o bot ou experimente uma destas:", "Conectar um modelo", "Um gráfico", "Um recibo", "Sua foto"],
  nl: ["Schrijf de bot of probeer er een van:", "Model verbinden", "Een grafiek", "Een kassabon", "Je eigen foto"],
  pl: ["Napisz do bota albo wypróbuj jedno z tych:", "Połącz model", "Wykres", "Paragon", "Twoje zdjęcie"],
  ru: ["Напишите боту или попробуйте один из вопросов:", "Подключить модель", "Диаграмма", "Чек", "Ваше фото"],
  uk: ["Напишіть боту або спробуйте одне із запитань:", "Підключити модель", "Діаграма", "Чек", "Ваше фото"],
  tr: ["Bota yazın ya da şunlardan birini deneyin:", "Model bağla", "Bir grafik", "Bir fiş", "Kendi fotoğrafınız"],
  ar: ["اكتب إلى البوت أو جرّب أحد هذه الأسئلة:", "ربط نموذج", "رسم بياني", "إيصال", "صورتك"],
  fa: ["به ربات بنویسید یا یکی از این‌ها را امتحان کنید:", "اتصال یک مدل", "نمودار", "رسید خرید", "عکس شما"],
  hi: ["बॉट को लिखें या इनमें से कुछ आज़माएँ:", "मॉडल जोड़ें", "एक चार्ट", "एक रसीद", "आपकी फ़ोटो"],
  id: ["Tulis ke bot, atau coba salah satu ini:", "Hubungkan model", "Grafik", "Struk belanja", "Foto Anda"],
  vi: ["Nhắn cho bot, hoặc thử một câu dưới đây:", "Kết nối mô hình", "Một biểu đồ", "Một hóa đơn", "Ảnh của bạn"],
  ja: ["ボットにメッセージを送るか、次から試してみてください：", "モデルを接続", "グラフ", "レシート", "あなたの写真"],
  ko: ["봇에게 메시지를 보내거나 다음을 시도해 보세요:", "모델 연결", "차트", "영수증", "내 사진"],
  "zh-Hans": ["给机器人发消息，或试试这些：", "连接模型", "图表", "收据", "你的照片"],
  "zh-Hant": ["傳訊息給機器人，或試試這些：", "連接模型", "圖表", "收據", "你的照片"],
};
const NAMES = ["begin", "connect", "chart", "receipt", "photo"];
const RIGHT_TO_LEFT = new Set(["ar", "fa"]);

/** The words for a language as Telegram tells it ("de", "pt-br", "zh-hant"), English for others. */
export function wordsIn(code) {
  const [language, ...rest] = (code ?? "").toLowerCase().split("-");
  const isTraditional = rest.some((one) => ["hant", "tw", "hk", "mo"].includes(one));
  const known = language === "zh" ? (isTraditional ? "zh-Hant" : "zh-Hans") : language in WORDS ? language : "en";
  const words = Object.fromEntries(WORDS[known].map((text, place) => [NAMES[place], text]));
  return { ...words, lang: known, dir: RIGHT_TO_LEFT.has(known) ? "rtl" : "ltr" };
}
