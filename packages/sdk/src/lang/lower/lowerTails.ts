import { nearestHint } from "../../model/problem/nearestName.js";
import { type CacheUse, type Compare, cacheUses, type Query } from "../../model/query.js";
import { msOfDuration, readInterval } from "../base/interval.js";
import { isInteger } from "../base/literal.js";
import { refuse } from "../base/sqlRefusal.js";
import type { Count, Node, OptionItem, StringNode, Tail } from "../base/syntax.js";
import { lowerFilter } from "./lowerFilter.js";
import type { Lowering } from "./lowering.js";

type Kind = Tail["kind"];

const clauseNames: Readonly<Record<Kind, string>> = {
  orderBy: "ORDER BY",
  limit: "LIMIT",
  offset: "OFFSET",
  series: "SERIES",
  show: "SHOW",
  compare: "COMPARE",
  timeZone: "TIME ZONE",
  with: "WITH",
};

/** The clauses behind HAVING by their kind; refuses one that occurs twice. */
export function sortTails(tails: readonly Tail[]): {
  readonly [K in Kind]?: Extract<Tail, { readonly kind: K }>;
} {
  const sorted = new Map<Kind, Tail>();
  for (const tail of tails) {
    if (sorted.has(tail.kind)) {
      refuse(tail.at, "syntax", `There are two clauses ${clauseNames[tail.kind]}: keep one.`);
    }
    sorted.set(tail.kind, tail);
  }
  return Object.fromEntries(sorted);
}

/** The number of a clause; whether it is allowed is checked with the rest of the query. */
export function lowerCount(value: Count, path: string, lowering: Lowering): number {
  lowering.mark(path, value.at);
  return Number(value.text);
}

export function lowerCompare(
  to: StringNode | null,
  where: Node | null,
  lowering: Lowering,
): Compare {
  const compare: { -readonly [K in keyof Compare]: Compare[K] } = {};
  if (to !== null) {
    lowering.mark("compare.offset", to.at);
    compare.offset = readInterval(to.value, to.at);
  }
  if (where !== null) {
    lowering.mark("compare.filter", where.at);
    compare.filter = conditionsOf(where).map((node, i) =>
      lowerFilter(node, `compare.filter[${i}]`, lowering),
    );
  }
  return compare;
}

/** The conditions that all have to be true; TRUE alone is none. */
function conditionsOf(where: Node): readonly Node[] {
  // One pair of parentheses belongs to the clause: COMPARE WHERE (…).
  const inner = where.kind === "paren" ? where.operand : where;
  if (inner.kind === "constant" && inner.value === true) return [];
  return inner.kind === "and" ? inner.operands : [inner];
}

type Options = Pick<Query, "exact" | "timeoutMs" | "freshnessMs" | "cache">;

const optionNames = ["exact", "timeout", "freshness", "cache"];

export function lowerOptions(items: readonly OptionItem[], lowering: Lowering): Options {
  const options: { -readonly [K in keyof Options]: Options[K] } = {};
  for (const { name, value } of items) {
    const known = name.value.toLowerCase();
    switch (known) {
      case "exact":
        lowering.mark("exact", name.at);
        options.exact = readExact(value);
        break;
      case "timeout":
        lowering.mark("timeoutMs", value?.at ?? name.at);
        options.timeoutMs = readLength(value, name.at, known);
        break;
      case "freshness":
        lowering.mark("freshnessMs", value?.at ?? name.at);
        options.freshnessMs = readLength(value, name.at, known);
        break;
      case "cache":
        lowering.mark("cache", value?.at ?? name.at);
        options.cache = readCache(value, name.at);
        break;
      default: {
        const shown = name.value.slice(0, 60);
        const detail = `WITH knows ${optionNames.join(", ")}; found ${shown}.${nearestHint(shown, optionNames)}`;
        refuse(name.at, "unknown-key", detail);
      }
    }
  }
  return options;
}

function readExact(value: Node | null): boolean {
  if (value === null) return true;
  if (value.kind === "constant" && value.value !== null) return value.value;
  return refuse(value.at, "type-mismatch", "exact is TRUE or FALSE.");
}

function readCache(value: Node | null, at: number): CacheUse {
  const text = value?.kind === "string" ? value.value : null;
  const use = cacheUses.find((one) => one === text);
  if (use !== undefined) return use;
  return refuse(
    value?.at ?? at,
    "type-mismatch",
    `cache is ${cacheUses.map(quoted).join(" or ")}.`,
  );
}

const quoted = (text: string): string => `'${text}'`;

/** A length of time: '2s', '500 milliseconds', or whole milliseconds. */
function readLength(value: Node | null, at: number, name: string): number {
  if (value?.kind === "string") {
    return msOfDuration(readInterval(value.value, value.at), value.at);
  }
  if (value?.kind === "number" && isInteger(value.text)) return Number(value.text);
  return refuse(value?.at ?? at, "type-mismatch", `${name} is a length of time: ${name} = '2s'.`);
}
