import type { Random } from "./randomExpression.js";

/** Columns that random scripts read; each may be missing. */
export const scriptColumns = [
  { name: "n", type: "int", decimals: 0 },
  { name: "price", type: "int", decimals: 6 },
  { name: "s", type: "string", decimals: 0 },
  { name: "tags", type: "set", decimals: 0 },
] as const;

/**
 * Source of a function of the row that does with its values whatever JavaScript can do with them:
 * numbers, texts, lists and dates, variables that change their type, loops. It ends, and may throw.
 */
export function randomScript(random: Random): string {
  if (random.below(3) === 0) return `(row) => ${value(random, 3)}`;
  const lines = Array.from({ length: random.below(4) }, () => statement(random, 2));
  const last = random.below(6) === 0 ? "" : `return ${value(random, 2)};`;
  return `(row) => {\n  let x = ${value(random, 2)}, y;\n  ${[...lines, last].join("\n  ")}\n}`;
}

function statement(random: Random, depth: number): string {
  const inner = () => statement(random, depth - 1);
  switch (depth <= 0 ? random.below(4) : random.below(9)) {
    case 0:
      return `x = ${value(random, 2)};`;
    case 1:
      return `y ${pick(random, ["=", "+=", "-=", "*=", "??=", "||=", "&&=", "|="])} ${value(random, 2)};`;
    case 2:
      return pick(random, ["x++;", "--y;", "y = x;", "x = y;"]);
    case 3:
      return `return ${value(random, 2)};`;
    case 4:
      return `if (${value(random, 1)}) { ${inner()} } else { ${inner()} }`;
    case 5:
      return `for (const c of ${pick(random, ["row.tags ?? []", "row.s ?? ''", "[row.n, 1]"])}) { y = c; ${inner()} }`;
    case 6:
      return `for (const k in { a: 1 }) { x = k; ${inner()} }`;
    case 7:
      return `try { ${inner()} } catch (error) { y = error; ${inner()} }`;
    default:
      return `{ const f = (x) => { y = x; return ${value(random, 1)}; }; x = f(${value(random, 1)}); }`;
  }
}

const binary = ["+", "+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>"];
const logical = ["&&", "||", "??", ",", "<", "===", "!=", "in [0, 1] ||"];
const unary = ["-", "+", "~", "!", "typeof ", "void "];
const math = ["abs", "floor", "round", "sign", "clz32", "sqrt", "log10", "min", "max", "hypot"];
const globals = [
  "Number",
  "parseFloat",
  "parseInt",
  "String",
  "Boolean",
  "isNaN",
  "Number.parseInt",
];

function value(random: Random, depth: number): string {
  const next = () => value(random, depth - 1);
  if (depth <= 0) return leaf(random);
  switch (random.below(12)) {
    case 0:
    case 1:
      return `((${next()}) ${pick(random, binary)} (${next()}))`;
    case 2:
      return `((${next()}) ${pick(random, logical)} (${next()}))`;
    case 3:
      return `(${pick(random, unary)}(${next()}))`;
    case 4:
      return `(${next()} ? ${next()} : ${next()})`;
    case 5:
      return `Math.${pick(random, math)}(${next()}, ${next()})`;
    case 6:
      return `${pick(random, globals)}(${next()})`;
    case 7:
      return ofText(random, `(${text(random, depth - 1)})`, next());
    case 8:
      return ofList(random, `(${list(random, depth - 1)})`, next());
    case 9:
      return `new Date(${next()})${pick(random, [".getTime()", ".getDay()", ".toJSON()", "", ".valueOf()"])}`;
    case 10:
      return `(${pick(random, ["x++", "y = 1", "y ??= 'a'", "x += 0.5"])})`;
    default:
      return leaf(random);
  }
}

const textMethods = [
  ...["indexOf('a')", "charCodeAt(1)", "codePointAt(9)", "slice(1)", "trim()", "at(3)"],
  ...["toUpperCase()", "replace('a', 1)", "repeat(2)", "charAt(0)", "concat(1)", "length"],
  ...["split('')", "includes('a')", "startsWith(1)", "localeCompare('b')", "normalize()"],
];
const listMethods = [
  ...["indexOf('a')", "includes(1)", "join('')", "slice(1)", "at(7)", "pop()", "length"],
  ...["shift()", "concat(1)", "map((t) => t.length)", "reverse()", "find((t) => t > 'a')"],
];

const ofText = (random: Random, text: string, index: string): string =>
  random.below(6) === 0
    ? `${text}[${index}]`
    : `${text}${chain(random)}${pick(random, textMethods)}`;
const ofList = (random: Random, list: string, index: string): string =>
  random.below(6) === 0
    ? `${list}[${index}]`
    : `${list}${chain(random)}${pick(random, listMethods)}`;

const chain = (random: Random): string => (random.below(3) === 0 ? "?." : ".");

function text(random: Random, depth: number): string {
  const inner = depth <= 0 ? leaf(random) : value(random, depth - 1);
  return pick(random, [
    "row.s",
    "row.s",
    "'a b'",
    `\`\${row.n} of\``,
    `\`\${${inner}}\``,
    "'' + row.n",
  ]);
}

function list(random: Random, depth: number): string {
  const inner = depth <= 0 ? leaf(random) : value(random, depth - 1);
  return pick(random, ["row.tags", "row.tags", "['a', 'b']", "'a,b'.split(',')", `[${inner}]`]);
}

const leaf = (random: Random): string =>
  pick(random, [
    ...["row.n", "row.n", "row.price", "row.s", "row.tags", "row['n']", "x", "y", "x"],
    ...["1", "0.5", "-3", "'b'", "null", "undefined", "true", "NaN", "Infinity", "Math.PI", "7n"],
  ]);

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random.below(from.length)]!;
}
