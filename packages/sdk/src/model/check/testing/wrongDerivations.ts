import {
  deriveMax,
  expressionArity,
  expressionDepthMax,
  expressionFns,
  expressionTermsMax,
  expressionTextMax,
  functionSourceMax,
} from "../../expression.js";

type WrongQuery = [string, Record<string, unknown>, string, string, string];

const one = { value: 1 };
const a = { column: "a" };
const call = (fn: unknown, count: number) => ({ fn, args: Array.from({ length: count }, () => a) });

/** A query with one derived column. */
const derive = (column: unknown) => ({ derive: [column] });
const expression = (term: unknown) => derive({ as: "d", expression: term });

/** A term within `depth` calls. */
function nested(depth: number): unknown {
  let term: unknown = a;
  for (let i = 1; i < depth; i++) term = { fn: "abs", args: [term] };
  return term;
}

function deepPath(depth: number): string {
  return `derive[0].expression${".args[0]".repeat(depth)}`;
}

/** One column less than the functions take, and one more, of all functions of expressions. */
const wrongArities: readonly WrongQuery[] = expressionFns.flatMap((fn) => {
  const [least, most] = expressionArity[fn];
  return [least - 1, most + 1].map((count): WrongQuery => {
    const wanted = least === most ? `${least} argument(s)` : `${least} to ${most} argument(s)`;
    const detail = `${fn} takes ${wanted}; found ${count}.`;
    const path = "derive[0].expression.args";
    return [`${fn} of ${count}`, expression(call(fn, count)), path, "wrong-arguments", detail];
  });
});

/** Wrong derived columns, as rows of wrongQueries. */
export const wrongDerivations: readonly WrongQuery[] = [
  ["derive as an object", { derive: a }, "derive", "type-mismatch", "list"],
  ["a derived column as text", derive("a + 1"), "derive[0]", "type-mismatch", "object"],
  [
    "more derived columns than a question has",
    { derive: Array.from({ length: deriveMax + 1 }, (_, i) => ({ as: `d${i}`, expression: a })) },
    "derive",
    "too-many",
    `${deriveMax}`,
  ],
  ["a derived column without a name", derive({ expression: a }), "derive[0].as", "missing", "name"],
  [
    "a derived column of no name",
    derive({ as: "", expression: a }),
    "derive[0].as",
    "invalid-name",
    "empty",
  ],
  [
    "two derived columns of one name",
    {
      derive: [
        { as: "d", expression: a },
        { as: "d", js: "() => 1" },
      ],
    },
    "derive[1].as",
    "duplicate-name",
    'called "d"',
  ],
  ...["time", "sample_rate"].map(
    (as): WrongQuery => [
      `a derived column called ${as}`,
      derive({ as, expression: a }),
      "derive[0].as",
      "duplicate-name",
      `${as} is a column of every table`,
    ],
  ),
  ["no way to compute", derive({ as: "d" }), "derive[0]", "missing", "expression, js or function"],
  [
    "two ways to compute",
    derive({ as: "d", expression: a, js: "() => 1" }),
    "derive[0]",
    "ambiguous",
    "expression, js or function",
  ],
  [
    "a misspelled way to compute, beside a good one",
    derive({ as: "d", expression: a, expresion: a }),
    "derive[0].expresion",
    "unknown-key",
    '"expression"',
  ],
  [
    "arguments for an expression",
    derive({ as: "d", expression: a, args: ["b"] }),
    "derive[0].args",
    "unknown-key",
    "args",
  ],
  ["js as a number", derive({ as: "d", js: 1 }), "derive[0].js", "type-mismatch", "number"],
  [
    "js that is too long",
    derive({ as: "d", js: " ".repeat(functionSourceMax + 1) }),
    "derive[0].js",
    "too-many",
    "functionSourceMax",
  ],
  [
    "a function of no name",
    derive({ as: "d", function: "" }),
    "derive[0].function",
    "invalid-name",
    "empty",
  ],
  [
    "a function's argument as a term",
    derive({ as: "d", function: "f", args: ["a", { column: "b" }] }),
    "derive[0].args[1]",
    "type-mismatch",
    "name",
  ],
  ["an expression as text", expression("a + 1"), "derive[0].expression", "type-mismatch", "object"],
  ["a term of nothing", expression({}), "derive[0].expression", "missing", "column, value"],
  [
    "a term of two kinds",
    expression({ column: "a", value: 1 }),
    "derive[0].expression",
    "ambiguous",
    "column, value",
  ],
  [
    "arguments of a column",
    expression({ column: "a", args: [] }),
    "derive[0].expression.args",
    "unknown-key",
    "args",
  ],
  [
    "a column of no name",
    expression({ column: "" }),
    "derive[0].expression.column",
    "invalid-name",
    "empty",
  ],
  [
    "an unknown function",
    expression({ fn: "lenght", args: [a] }),
    "derive[0].expression.fn",
    "unknown-function",
    'Did you mean "length"?',
  ],
  [
    "a function of objects' own",
    expression({ fn: "constructor", args: [a] }),
    "derive[0].expression.fn",
    "unknown-function",
    '"constructor"',
  ],
  [
    "a function's name as a number",
    expression({ fn: 5, args: [a] }),
    "derive[0].expression.fn",
    "unknown-function",
    "number",
  ],
  [
    "a call without arguments",
    expression({ fn: "abs" }),
    "derive[0].expression.args",
    "type-mismatch",
    "list",
  ],
  ...wrongArities,
  [
    "an unknown function deep inside",
    expression({ fn: "+", args: [one, { fn: "abs", args: [{ fn: "flor", args: [] }] }] }),
    "derive[0].expression.args[1].args[0].fn",
    "unknown-function",
    '"flor"',
  ],
  [
    "expressions that nest too deep",
    expression(nested(expressionDepthMax + 1)),
    deepPath(expressionDepthMax),
    "too-deep",
    "expressionDepthMax",
  ],
  [
    "more terms than expressionTermsMax over all columns",
    {
      derive: Array.from({ length: 6 }, (_, i) => ({ as: `d${i}`, expression: call("in", 1_000) })),
    },
    "derive",
    "too-many",
    `${expressionTermsMax}`,
  ],
  ["a list as a value", expression({ value: [1] }), valuePath(), "type-mismatch", "list"],
  ["an infinite value", expression({ value: -1 / 0 }), valuePath(), "not-finite", "beyond 1.8e308"],
  [
    "a value that lost digits",
    expression({ value: 2 ** 53 }),
    valuePath(),
    "unsafe-integer",
    "integer",
  ],
  ["a text of half a sign", expression({ value: "\ud800" }), valuePath(), "not-unicode", "Unicode"],
  [
    "a text that is too long",
    expression({ value: "a".repeat(expressionTextMax + 1) }),
    valuePath(),
    "too-many",
    "expressionTextMax",
  ],
  ...[1, "1.5", "", "9223372036854775808", "-9223372036854775809", "1e3"].map(
    (integer): WrongQuery => [
      `integer ${JSON.stringify(integer)}`,
      expression({ integer }),
      "derive[0].expression.integer",
      "out-of-range",
      "64 bits",
    ],
  ),
];

function valuePath(): string {
  return "derive[0].expression.value";
}
