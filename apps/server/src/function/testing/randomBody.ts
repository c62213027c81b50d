import type { Random } from "./randomExpression.js";

/** Source of a function of the row (`a`, `b`: numbers, `s`: a string) that leaves its statements in all the ways there are. It ends. */
export function randomBody(random: Random): string {
  const lines: string[] = [];
  for (let i = random.below(4) + 1; i > 0; i--) lines.push(statement(random, 3));
  if (random.below(3) > 0) lines.push(returned(random));
  return `(row) => {\n  let x = 0, n = 0;\n  ${lines.join(random.below(2) === 0 ? "\n  " : " ")}\n}`;
}

function statement(random: Random, depth: number): string {
  const block = () => `{ ${statement(random, depth - 1)} ${statement(random, depth - 1)} }`;
  const inner = () => (random.below(2) === 0 ? statement(random, depth - 1) : block());
  switch (depth <= 0 ? random.below(5) : random.below(13)) {
    case 0:
      return `x = ${value(random)};`;
    case 1:
      return `const y = ${value(random)}; x = y;`.replaceAll("y", `y${random.below(1e9)}`);
    case 2:
      return returned(random);
    case 3:
      return random.below(3) === 0 ? `throw new Error("é" + ${value(random)});` : "n++;";
    case 4:
      return random.below(4) === 0 ? "x = row.s.length + row.s.none.more;" : "x = x + row.a;";
    case 5:
      return `if (${truth(random)}) ${inner().replace(/^const .*/, "n++;")} else ${block()}`;
    case 6:
      return `switch (row.a % 3) { case 0: ${block()} case 1: ${block()} break; default: ${block()} }`;
    case 7:
      return `for (let i = 0; i < 3; i++) { if (${truth(random)}) continue; ${inner()} }`;
    case 8:
      return `for (const c of [row.a, row.b, 7]) { x = c; if (${truth(random)}) break; ${inner()} }`;
    case 9:
      return `try { ${inner()} } catch (error) { x = error.message.length; ${inner()} }`;
    case 10:
      return `try { ${inner()} } finally { ${inner()} }`;
    case 11: {
      const label = `l${random.below(1e9)}`;
      const leaving = `if (${truth(random)}) break ${label};`;
      return `${label}: { try { ${inner()} } finally { ${leaving} } ${inner()} }`;
    }
    default:
      return `do { ${inner()} n++; } while (n < 3 && ${truth(random)});`;
  }
}

function returned(random: Random): string {
  const end = random.below(2) === 0 ? ";" : " // the end;\n";
  const given = [
    "",
    " row.a",
    "(row).b",
    ` (${value(random)}, x)`,
    ` x > 1 ? row.b : null`,
    " null",
  ];
  return `return${pick(random, [...given, ` ${value(random)}`, ` /* b */ ${value(random)} `])}${end}`;
}

function value(random: Random): string {
  const texts = ["row.s", `\`\${row.s}é\``, 'row["s"]', "row.s + x"];
  const numbers = ["row.a", "row['b']", "x", "n", "1", "-row.a", "row.b * 2", "(row.a - row.b)"];
  return pick(random, random.below(4) === 0 ? texts : numbers);
}

const truth = (random: Random): string =>
  pick(random, ["row.a > row.b", "x === 1", "row.b === undefined", "n > 1", "row.s > 'b'", "true"]);

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random.below(from.length)]!;
}
