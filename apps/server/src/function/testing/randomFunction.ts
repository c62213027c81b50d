import type { Random } from "./randomExpression.js";

/** Columns that random functions read: integers, thousandths, a string; each may be missing. */
export const functionColumns = [
  { name: "n", type: "int", decimals: 0 },
  { name: "m", type: "int", decimals: 0 },
  { name: "price", type: "int", decimals: 3 },
  { name: "s", type: "string", decimals: 0 },
] as const;

/** Source of a function of the row that both the compiler and the sandbox run: `kind` says what it returns. */
export function randomFunction(random: Random, kind: "number" | "text" | "truth"): string {
  const value = (depth: number): string => {
    if (kind === "number") return number(random, depth);
    return kind === "text" ? text(random, depth) : truth(random, depth);
  };
  if (random.below(2) === 0) return `(row) => ${value(3)}`;
  const name = `const x = ${number(random, 2)};`;
  const early = `if (${truth(random, 2)}) return ${value(2)};`;
  const last = random.below(5) === 0 ? "" : `return ${value(2)};`;
  const branch = `if (${truth(random, 1)}) { ${last} } else { let y = x; return ${value(1)}; }`;
  const body = [name, early, random.below(3) === 0 ? branch : last].join("\n  ");
  return `(row) => {\n  ${body}\n}`;
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random.below(from.length)]!;
}

function number(random: Random, depth: number): string {
  const next = () => number(random, depth - 1);
  if (depth <= 0 || random.below(6) === 0) {
    const constants = ["0", "1", "-1", "2", "3", "0.5", "1e3", "-2.25", "1e6", "7", "1e300", "0.1"];
    return random.below(3) === 0 ? pick(random, constants) : column(random);
  }
  switch (random.below(9)) {
    case 0:
    case 1:
    case 2:
      return `(${next()} ${pick(random, ["+", "-", "*", "/", "%"])} ${next()})`;
    case 3:
      return `Math.${pick(random, ["abs", "floor", "ceil", "trunc", "round", "sqrt"])}(${next()})`;
    case 4:
      return `Math.${pick(random, ["min", "max"])}(${next()}, ${next()})`;
    case 5:
      return `(${truth(random, depth - 1)} ? ${next()} : ${next()})`;
    case 6:
      return `(${next()} ${pick(random, ["||", "&&", "??"])} ${next()})`;
    case 7:
      return `(- ${next()})`;
    default:
      return `(+ ${next()})`;
  }
}

const column = (random: Random): string => pick(random, ["row.n", "row.m", "row['price']"]);

function text(random: Random, depth: number): string {
  const next = () => text(random, depth - 1);
  if (depth <= 0 || random.below(4) === 0) {
    return random.below(2) === 0 ? "row.s" : pick(random, ["'a'", '"b"', "''", "'slow'"]);
  }
  return random.below(3) === 0
    ? `(${next()} ${pick(random, ["||", "??"])} ${next()})`
    : `(${truth(random, depth - 1)} ? ${next()} : ${next()})`;
}

function truth(random: Random, depth: number): string {
  const inner = () => truth(random, depth - 1);
  const order = pick(random, ["<", "<=", ">", ">=", "===", "!==", "=="]);
  switch (depth <= 0 ? random.below(3) : random.below(7)) {
    case 0:
      return `${number(random, depth - 1)} ${order} ${number(random, depth - 1)}`;
    case 1:
      return `row.s ${pick(random, ["===", "!==", "=="])} ${pick(random, ["'a'", "'b'", "''"])}`;
    case 2:
      return `${pick(random, ["row.n", "row.s"])} ${pick(random, ["== null", "!= null", "=== undefined"])}`;
    case 3:
      return `!(${inner()})`;
    case 4:
      return `!${number(random, depth - 1)}`;
    default:
      return `(${inner()} ${pick(random, ["&&", "||"])} ${inner()})`;
  }
}
