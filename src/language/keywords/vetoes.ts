/** Words that show that a prompt talks about something instead of ordering it, for every keyword. */

/** Applied to the sentence of a strong phrase, or to the whole prompt for a weak one. */
export const GLOBAL_VETOES: readonly string[] = [
  "(について|に関して|に関する|という|といった|なのか|ですか|でしょうか|できる|すべき|場合|状況|シナリオ)",
  "とは( |?|、|何|なん|なに|どう|どんな|一体|いったい)",
  "(とは|って|は)$",
  "(って|は)(何|なに|なん|どう|どんな|いつ|なぜ)",
  "(ますか|ましたか|ませんか|のか$|のでは|かな$|だっけ)",
  "(なぜ|何故|どうして|どうやって|どのように|どうすれば|使い方|仕組み|意味|違い|比べ|どっち|どちら)",
  "(使わな|使わず|使用しな|使う必要|不要|いらない|要らない|なしで|無しで|必要ない|必要は|しなくて|オフ|無効|禁止|避け|代わりに|ではなく|じゃなく)",
  "(と書|と言|と入力|と表示|と打|と送|と記載|と呼|と出|と聞|と答|と返|とあ)",
  "(about|regarding|concerning|whether|versus|vs|difference|differences|compared|comparison|compare|meaning|means|mean)",
  "(what is|what's|what are|what does|what do|what was|what if|what would|what happens)",
  "how (to|do|does|did|is|are|can|could|should|would|come|i|we|it)",
  "(why|which|who|when does|when is|when should|when do)",
  "(should i|should we|should it|shall we|shall i|do i|do we|does it|is it|is there|can i|can we|are there|did you|have you|were you|are you)",
  "(in case|scenario|scenarios|situation|situations|for example|for instance|example|examples|such as|like when|as if)",
  "(the word|the words|the phrase|the term|the text|the string|the name|called|named|labeled|labelled|says|said|saying|mentions|mentioned|written|typed)",
  "(was|were) (his|her|the|what|my|our|their|a)",
  "(instead of|rather than|without|no need|not needed|not necessary|avoid|except|unless|never use|don't use|do not use|dont use|not use|don't start|do not start|don't run|do not run)",
  "(next time|from now on|in the future|another time)",
  "(docs|documentation|changelog|wiki|faq|tutorial|article|blog|paper|story|book|movie|song)",
];

/** After the title of an explicit order: a question, an example, or the value of a setting of that name. */
export const explicitVeto = (): RegExp =>
  /^[^:\u2014-]{1,25}[:\u2014-]\s*(?:true|false|yes|no|null|none|on|off|enabled|disabled|\d|what|how|why|when|which|who|is|are|does|did|should|can it|an?\b)|\?$|\(#\d+\)|\((?:merged|wip|draft)\)|\b(?:for example|for instance|e\.g)\b|(?:ですか|ますか|でしょうか|のか|とは|という)/;

/** Before a Japanese order: it is for later, or for a case that may never occur. */
export const NOT_NOW: readonly string[] = [
  "これから(は|も)$",
  "(次から|次回|次回から|今後|今度から|明日|明日から|来週|来月|今夜|いつか|あとで|後で)(は|も|、|)$",
  "(なら|ならば|たら|だら|れば)(は|、|)$",
  "(もし|必要なら|必要であれば|時間があれば|余裕があれば|覚えておいて|覚えて)",
];

/** The prompt is about the keywords themselves, such as a bug report or test, so it contains no orders. */
export const TALK_VETOES: readonly string[] = [
  "(keyword|keywords|detector|detection|false positive|false positives|misfire|misfires|misfired|steps to reproduce|repro steps)",
  "(expected behavior|expected behaviour|actual behavior|actual behaviour|transcript|regression test|regression tests|acceptance criteria)",
  "(triggered|triggers|triggering|activates|activated|activation|randomly|accidentally|unexpectedly|by mistake)",
  "(キーワード|誤検知|誤検出|誤発動|誤爆|誤作動|誤反応|再現手順|期待結果|期待動作|トリガー|発動した|発動され|発動する|勝手に|受け入れ条件)",
];

/** Phrases that contain a veto word but still are a request. */
export const NO_VETOES: readonly string[] = [
  ...["できるように", "できるよう", "できるだけ", "できる限り", "できるまで", "できる所まで", "できるところまで"],
  ...[
    "くれますか",
    "もらえますか",
    "いただけますか",
    "頂けますか",
    "くれませんか",
    "もらえませんか",
    "いただけませんか",
  ],
  // Here って is the end of the verb.
  ...["を作って", "で作って", "まで作って", "に作って", "機能作って", "をやって", "でやって", "までやって", "に入って"],
  ...[
    "についてリサーチ",
    "について調査",
    "に関してリサーチ",
    "に関して調査",
    "次は何を作るか",
    "次の機能は何",
    "without stopping",
  ],
];
