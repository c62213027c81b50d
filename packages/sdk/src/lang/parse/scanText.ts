import { refuse } from "../base/sqlRefusal.js";

/** 256 KiB: a filter of 10,000 values of 20 characters. */
export const sqlUnitsMax = 262_144;
/** Words and operators, without the values of lists: 1,000 conditions are some 5,000 of them. */
export const sqlWordsMax = 6_000;
/** Values of lists, and the commas between them: a filter has at most 10,000 values. */
export const sqlValuesMax = 24_000;
/** Deeper than any person writes, and far from the end of any stack. */
export const sqlDepthMax = 100;
/** More digits than any column has; work on them grows faster than their number. */
export const sqlNumberUnitsMax = 400;

/**
 * Checks the text before it is parsed: its length, its nesting depth, and whether every quote and
 * comment ends. Otherwise these could overload the parser.
 */
export function scanText(text: string): void {
  if (text.length > sqlUnitsMax) {
    const detail = `The query has ${text.length} characters; at most ${sqlUnitsMax} (sqlUnitsMax).`;
    refuse(sqlUnitsMax, "too-long", detail);
  }
  let brackets = 0;
  let cases = 0;
  let count = 0;
  let values = 0;
  for (const { 0: token, index: at } of text.matchAll(tokens)) {
    switch (token[0]!.toLowerCase()) {
      case "'":
      case '"':
        checkQuote(token, at);
        break;
      case "/":
        if (token.startsWith("/*")) checkComment(token, at);
        break;
      case "(":
      case "[":
        brackets += 1;
        break;
      case ")":
      case "]":
        brackets = Math.max(0, brackets - 1);
        break;
      case "c":
        if (isWord(token, "case")) cases += 1;
        break;
      case "e":
        if (isWord(token, "end")) cases = Math.max(0, cases - 1);
    }
    if (token.length > sqlNumberUnitsMax && /^[.\d]/.test(token)) {
      const detail = `The number has ${token.length} characters; at most ${sqlNumberUnitsMax} (sqlNumberUnitsMax).`;
      refuse(at, "too-long", detail);
    }
    if (/^['",\d]/.test(token)) values += 1;
    else count += 1;
    if (values > sqlValuesMax) {
      const detail = `The query has more than ${sqlValuesMax} values and commas (sqlValuesMax).`;
      refuse(at, "too-long", detail);
    }
    if (count > sqlWordsMax) {
      const detail = `The query has more than ${sqlWordsMax} words and operators (sqlWordsMax); values in lists do not count.`;
      refuse(at, "too-long", detail);
    }
    if (brackets + cases > sqlDepthMax) {
      refuse(at, "too-deep", `The query nests deeper than ${sqlDepthMax} (sqlDepthMax).`);
    }
  }
}

/**
 * Quoted texts and names, comments, brackets, words (`case` and `end` nest like brackets), and
 * other signs.
 */
const tokens =
  /'[^']*(?:''[^']*)*'?|"[^"]*(?:""[^"]*)*"?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\w$.\u0080-\uffff]+|\S/g;

function isWord(token: string, word: string): boolean {
  return token.length === word.length && token.toLowerCase() === word;
}

function checkQuote(token: string, at: number): void {
  const quote = token[0]!;
  const quotes = token.length - token.replaceAll(quote, "").length;
  if (quotes % 2 === 0) return;
  const what = quote === "'" ? "text" : "name";
  refuse(at, "syntax", `The ${what} that begins here has no end: close it with ${quote}.`);
}

function checkComment(token: string, at: number): void {
  if (token.length >= 4 && token.endsWith("*/")) return;
  refuse(at, "syntax", "The comment that begins here has no end: close it with */.");
}
