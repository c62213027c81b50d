const word = /[0-9A-Za-z\u0080-\uffff]+/y;
const isWord = (char: string | undefined): boolean =>
  char !== undefined && /^[0-9A-Za-z\u0080-\uffff]$/.test(char);

/** The rules of `pattern`, as regular expressions that are tried one after the other at each place. */
export function naivePattern(text: string): string {
  let [pattern, at, noGroupsBefore] = ["", 0, 0];
  const match = (rule: RegExp, from = at): string | null => {
    const sticky = new RegExp(rule.source, `${rule.flags.replace("y", "")}y`);
    sticky.lastIndex = from;
    return sticky.exec(text)?.[0] ?? null;
  };
  const put = (replaced: string, length: number): void => {
    pattern += replaced;
    at += length;
  };
  const groups = (): string | null => {
    if (at < noGroupsBefore) return null;
    const run = match(/[0-9a-f]+((::|[:-])[0-9a-f]+)*/i);
    if (run === null) return null;
    const isWhole = /\d/.test(run) && (run.includes("::") || run.split(/[:-]/).length >= 4);
    if (isWhole && !isWord(text[at + run.length])) return run;
    noGroupsBefore = at + run.length;
    return null;
  };
  const wholeWord = (from: number): string | null => {
    const power = match(/\d+e[+-]\d+/i, from);
    if (power !== null) return power;
    const found = match(word, from);
    if (found === null) return null;
    if (/^[0-9a-f]{8,}$/i.test(found)) return found;
    if (!/\d/.test(found)) return null;
    const isWhole =
      /^(\d+|0x[0-9a-f]+|\d+[et]\d+|\d+z|[0-9a-f]{6,})$/i.test(found) ||
      (found.length >= 6 && /\d\D+\d|\D\d+\D/.test(found));
    return isWhole ? found : null;
  };
  const joined = (): void => {
    while (/\d/.test(text[at - 1] ?? "") && match(/[.,:+-]\d/) !== null) {
      at++;
      const whole = wholeWord(at);
      if (whole !== null) at += whole.length;
      else {
        const digits = match(/\d+/) ?? "";
        const rest = (match(word) ?? "").slice(digits.length);
        at += digits.length;
        put(rest.replace(/\d+/g, "<*>"), rest.length);
      }
    }
  };
  while (at < text.length) {
    const isBehindWord = isWord(text[at - 1]);
    const quoted = match(
      /(["'`])(?:\\[\s\S]|(?!\1(?![0-9A-Za-z\u0080-\uffff]))[^\\])*\1(?![0-9A-Za-z\u0080-\uffff])/,
    );
    const month = match(/(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?: {1,2}|[/-])(?=\d)/);
    const found = match(word);
    if (found !== null) {
      const run = groups();
      const whole = run === null ? wholeWord(at) : null;
      if (run !== null) put("<*>", run.length);
      else if (month !== null) put(`<*>${month[3]}`, month.length);
      else if (whole !== null) put("<*>", whole.length);
      else put(found.replace(/\d+/g, "<*>"), found.length);
      if (run === null && month === null && /\d/.test(whole ?? found)) joined();
    } else if (quoted !== null && !isBehindWord && text[at - 1] !== "\\") {
      put(`${quoted[0]}<*>${quoted[0]}`, quoted.length);
    } else if (match(/(?<=^|[\s=([,:])[+-](?=\d)/) !== null) put("", 1);
    else put(text[at] ?? "", 1);
  }
  return pattern;
}
