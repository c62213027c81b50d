import { nearestName } from "../../model/problem/nearestName.js";
import { clauseWords, reservedWords, tableWords } from "../base/names.js";
import { SqlRefusal } from "../base/sqlRefusal.js";
import type { Statement } from "../base/syntax.js";
import { SyntaxError as GrammarError, parse } from "./generated/sqlParser.js";
import { refusalBehindTable, refusalOf, refusalOfSign } from "./refusals.js";
import { scanText } from "./scanText.js";

/** What the grammar says of the place where it stopped. */
interface Stop {
  readonly expected: readonly {
    readonly type: string;
    readonly description?: string;
    readonly text?: string;
  }[];
  readonly location: { readonly start: { readonly offset: number } };
}

/** How many of the allowed continuations are listed. */
const expectedShownMax = 8;

/**
 * The syntax of one query. Throws a SqlRefusal that says what was expected where, and the nearest
 * word.
 */
export function parseStatement(text: string): Statement {
  scanText(text);
  try {
    return parse(text, { reservedWords, clauseWords, tableWords }) as Statement;
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    throw explainStop(text, error as unknown as Stop);
  }
}

function explainStop(text: string, stop: Stop): SqlRefusal {
  const at = stop.location.start.offset;
  const words = [...new Set(stop.expected.flatMap(wordOf))];
  const found = wordAt(text, at);
  const named = namedRefusal(text, at, found);
  if (named !== null) return new SqlRefusal(at, "unsupported", named);
  const slip = findSlip(text, at, found, words);
  const hint = slip === null ? "" : ` Did you mean ${slip.keyword}${slip.where}?`;
  const quoted =
    reservedWords.has(found.toLowerCase()) && words.includes("a name")
      ? ` ${found.toUpperCase()} is a keyword: as a name it is written "${found}".`
      : "";
  const detail = `Expected ${listWords(words)}; found ${describeFound(text, at, found)}.${hint}${quoted}`;
  return new SqlRefusal(at, "syntax", detail);
}

/** Refusals that name what is not there. */
function namedRefusal(text: string, at: number, found: string): string | null {
  const behindTable = refusalBehindTable(text, at);
  if (behindTable !== null) return behindTable;
  const before = text.slice(0, at);
  if (/;\s*$/.test(before) && at < text.length)
    return "One query at a time: send the next by itself.";
  const bySign = refusalOfSign(text, at);
  if (bySign !== null) return bySign;
  // A keyword of Hadal in the wrong place is not unsupported SQL, unless it begins the text.
  const isClause =
    /^(with|for|any|all)$/i.test(found) && before.trim() !== "" && !/[=<>]\s*$/.test(before);
  return found === "" || isClause ? null : refusalOf(found);
}

/** What was expected, in plain words; spaces and the insides of names and numbers are no news. */
function wordOf({ type, description, text }: Stop["expected"][number]): readonly string[] {
  if (type === "end") return ["the end of the query"];
  if (type === "other") return description === "white space" ? [] : [description ?? ""];
  if (type === "literal") return text === undefined || text.trim() === "" ? [] : [`"${text}"`];
  return [];
}

const isKeyword = (word: string): boolean => /^[A-Z]+$/.test(word);

/** The few that help: values have many forms, and operators may follow anything. */
function listWords(words: readonly string[]): string {
  const isValue = words.includes("a number") && words.includes("a name");
  const named = isValue
    ? ["a column, a value or a function", ...words.filter((word) => !valueWords.has(word))]
    : words;
  const withoutSigns = named.filter((word) => !operatorWords.has(word));
  const isOperator = withoutSigns.length < named.length;
  const plain = isOperator ? [...withoutSigns, "an operator"] : withoutSigns;
  const shown = plain.slice(0, expectedShownMax);
  if (shown.length < plain.length) return `${shown.join(", ")} or another clause`;
  if (shown.length === 0) return "something else";
  if (shown.length === 1) return shown[0]!;
  return `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}

const valueWords: ReadonlySet<string> = new Set([
  ...["a number", "a name", "a text in single quotes", '"("', '"-"', '"+"', '"*"', "*", "NOT"],
  ...["ARRAY", "CASE", "CAST", "DATE", "EXTRACT", "FALSE", "INTERVAL", "NULL", "TIMESTAMP"],
  ...["TIMESTAMPTZ", "TRUE"],
]);

const operatorWords: ReadonlySet<string> = new Set([
  ...["<=", ">=", "<>", "!=", "<", ">", "=", "!~*", "!~", "~*", "~", "||", "+", "-", "*", "/"].map(
    (sign) => `"${sign}"`,
  ),
  ...['"%"', '"::"', '"."', "NOT", "LIKE", "ILIKE", "IN", "BETWEEN", "CONTAINS", "IS", "INCLUDES"],
  ...["STARTS", "ENDS", "AND", "OR", "PER"],
]);

/** Longest keyword with the blanks after it. */
const slipUnitsMax = 60;

/** A word here or before that is close to a keyword which is allowed there. */
function findSlip(
  text: string,
  at: number,
  found: string,
  words: readonly string[],
): { readonly keyword: string; readonly where: string } | null {
  const keywords = words.filter(isKeyword);
  const here = found.length > 1 ? nearestName(found, keywords) : null;
  if (here !== null) return { keyword: here, where: "" };
  // An alias needs no AS: `count(*) FORM requests` stops only behind the slip.
  const before = /([A-Za-z]+)\s*$/.exec(text.slice(Math.max(0, at - slipUnitsMax), at))?.[1] ?? "";
  if (before.length < 3 || keywords.includes(before.toUpperCase())) return null;
  const keyword = nearestName(before, keywords);
  return keyword === null ? null : { keyword, where: ` instead of ${before}` };
}

function wordAt(text: string, at: number): string {
  return /^[\w$\u0080-\uffff]+/.exec(text.slice(at, at + 60))?.[0] ?? "";
}

function describeFound(text: string, at: number, word: string): string {
  if (at >= text.length) return "the end of the query";
  if (word !== "") return `"${word}"`;
  return `"${String.fromCodePoint(text.codePointAt(at)!)}"`;
}
