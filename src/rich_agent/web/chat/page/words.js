// What the page itself says, in each language that the bot has.

const WORDS = {
  en: {
    title: "Chat", skip: "Skip to the message field", conversation: "Conversation", signOut: "Sign out",
    signedInAs: "Signed in as {who}", signIn: "Sign in",
    signInHow: "Send /web to the bot in Telegram and open the link that it makes. The link works once, within 5 minutes.",
    signingIn: "Signing in…", empty: "Ask me anything. This is the same conversation as in Telegram.",
    earlier: "Show earlier messages", placeholder: "Message", send: "Send", stop: "Stop", attach: "Add images or files",
    remove: "Remove {name}", you: "You", bot: "Answer", image: "Image", dayPicture: "The schedule of {day} as a picture", attachedImage: "Attached image: {name}",
    offline: "You are offline. I go on as soon as you are back.", reconnecting: "Reconnecting…",
    queued: "Waiting for an earlier answer…", thinking: "Thinking…", reading: "Reading the file…", looking: "Looking at the image…",
    searching: "Searching the documents…", searching_web: "Searching the web…", drafting: "Writing…", acting: "Working…",
    busy: "The model is busy…", sources: "Sources", opensNew: "opens in a new tab", cite: "Source {n}: {title}",
    toolRuns: "runs", toolWaits: "waits for you", toolDone: "done", toolFailed: "failed", toolDenied: "not done", arguments: "What was asked", result: "What came back",
    approvalTitle: "May I do this?", approve: "Approve", refuse: "Do not", edit: "Edit", unreadableField: "This cannot be read.", undo: "Undo", undone: "Undone:", undoLate: "This can no longer be undone.",
    question: "A question for you",
    answerHere: "Choose, or write your answer below.", cancelQuestion: "Never mind",
    stopped: "Stopped.", failed: "That did not work.", retry: "Try again", copy: "Copy", copied: "Copied",
    tooLarge: "{name} is too large.", record: "Record a voice message", spoken: "Voice message", recording: "Recording", discard: "Discard the recording",
    hearing: "Writing down what you said…", notSent: "The recording could not be sent. Check your connection and send it again.",
    micRefused: "The microphone is blocked. Allow it for this page in your browser, then try again.",
    micMissing: "No microphone can be used. Connect one, or close the program that uses it, then try again.",
    answerReady: "Answer: {text}", signedOut: "You are signed out.", decided: "Answered: {text}", approved: "Approved", refused: "Refused",
  },
  ja: {
    title: "チャット", skip: "入力欄へ移動", conversation: "会話", signOut: "ログアウト",
    signedInAs: "{who} としてログイン中", signIn: "ログイン",
    signInHow: "Telegram でボットに /web を送り、作られたリンクを開いてください。リンクは 5 分以内に 1 回だけ使えます。",
    signingIn: "ログインしています…", empty: "何でも聞いてください。Telegram と同じ会話です。",
    earlier: "以前のメッセージを表示", placeholder: "メッセージ", send: "送信", stop: "停止", attach: "画像やファイルを追加",
    remove: "{name} を取り除く", you: "あなた", bot: "回答", image: "画像", dayPicture: "{day} の予定の図", attachedImage: "添付画像: {name}",
    offline: "オフラインです。つながりしだい続けます。", reconnecting: "再接続しています…",
    queued: "前の回答を待っています…", thinking: "考えています…", reading: "ファイルを読んでいます…", looking: "画像を見ています…",
    searching: "資料を調べています…", searching_web: "ウェブを検索しています…", drafting: "書いています…", acting: "作業しています…",
    busy: "モデルが混み合っています…", sources: "出典", opensNew: "新しいタブで開きます", cite: "出典 {n}: {title}",
    toolRuns: "実行中", toolWaits: "承認待ち", toolDone: "完了", toolFailed: "失敗", toolDenied: "実行せず", arguments: "依頼内容", result: "結果",
    approvalTitle: "実行してもよいですか？", approve: "承認", refuse: "しない", edit: "編集", unreadableField: "読み取れません。", undo: "元に戻す", undone: "元に戻しました:", undoLate: "もう元に戻せません。",
    question: "質問があります",
    answerHere: "選ぶか、下に答えを書いてください。", cancelQuestion: "やめる",
    stopped: "停止しました。", failed: "うまくいきませんでした。", retry: "もう一度", copy: "コピー", copied: "コピーしました",
    tooLarge: "{name} は大きすぎます。", record: "音声メッセージを録音", spoken: "音声メッセージ", recording: "録音中", discard: "録音を破棄",
    hearing: "音声を文字にしています…", notSent: "録音を送信できませんでした。接続を確認して、もう一度送信してください。",
    micRefused: "マイクの使用が許可されていません。ブラウザでこのページに許可してから、もう一度お試しください。",
    micMissing: "使えるマイクがありません。マイクを接続するか、使用中のアプリを閉じてから、もう一度お試しください。",
    answerReady: "回答: {text}", signedOut: "ログアウトしました。", decided: "回答済み: {text}", approved: "承認済み", refused: "却下済み",
  },
};

let locale = "en";

/** Choose the first of these languages that the page speaks. */
export function speak(...languages) {
  const known = languages.map((one) => (one ?? "").split("-")[0]).find((one) => one in WORDS);
  locale = known ?? "en";
  document.documentElement.lang = locale;
}

/** A phrase with its places filled in. */
export function say(name, values = {}) {
  return (WORDS[locale][name] ?? "").replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

/** Whether there is a phrase of this name. */
export const hasPhrase = (name) => Object.hasOwn(WORDS.en, name);
