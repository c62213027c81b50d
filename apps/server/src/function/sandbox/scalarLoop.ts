import { sliceRows } from "../../base/limit/functionLimits.js";
import type { BodyPiece } from "../compile/functionBody.js";
import type { FunctionResult } from "../compile/inferType.js";
import { BodyText } from "./bodyText.js";
import type { BatchColumn, ScalarProgram } from "./sandboxMessages.js";

/** How a batch's columns are read, one letter each: a loop is built for one such shape. */
export function shapeOf(columns: readonly BatchColumn[]): string {
  return columns.map(letterOf).join("");
}

function letterOf(column: BatchColumn): string {
  if (column.kind === "codes") return "c";
  if (!column.complete) return "m";
  return column.values instanceof Int32Array ? "i" : "f";
}

/** The array constructor of each letter, by its name in the prelude. */
const arrayOf: Readonly<Record<string, string>> = { c: "U32", m: "F64", f: "F64", i: "I32" };

/**
 * Text of a prelude function that returns `begin(buffers, rowCount)`, `step()` for the next slice of rows, and `end()`.
 * Rows are read without calls into the host. It is evaluated where `$f` is in scope.
 */
export function scalarLoop(program: ScalarProgram, shape: string): string {
  const { call, names, result } = program;
  const values = [...shape].map(readColumn);
  const row = values.map((value, k) => `[${JSON.stringify(names[k])}]:${value}`).join(",");
  const called = call === "row" ? `$g({${row}})` : `$g(${values.join(",")})`;
  const { before, after, last } = storeOf(result);
  return loopOf(result, shape, "var $g=$f;", `${before}${called}${after};${last}`);
}

/** The function's body in a loop, after one added line. */
export interface BodyLoop {
  readonly text: string;
  readonly body: BodyText;
}

/** The same without a call for each row, and with nothing of the function in scope. */
export function bodyLoop(
  { result }: ScalarProgram,
  pieces: readonly BodyPiece[],
  shape: string,
): BodyLoop {
  const { before, after, last } = storeOf(result);
  const reads = pieces.flatMap((piece) =>
    typeof piece !== "string" && piece.put === "column" ? [piece.index] : [],
  );
  // An input that is read once is read at that place, and so only in rows that reach it.
  const isKept = (k: number): boolean => reads.indexOf(k) !== reads.lastIndexOf(k);
  const values = [...shape].map(readColumn);
  const kept = values.flatMap((value, k) => (isKept(k) ? [`$${k}=${value}`] : []));
  const nothing = `${before}void 0${after};`;
  const body = new BodyText(pieces, {
    columns: values.map((value, k) => (isKept(k) ? `$${k}` : value)),
    value: `{${before}`,
    end: `${after};break $x}`,
    nothing: `{${nothing}break $x}`,
  });
  const variables = values.map((_, k) => `var $${k};`).join("");
  const row = `${kept.join(";")};$x:{\n${body.text}\n${nothing}}${last}`;
  return { text: loopOf(result, shape, variables, row), body };
}

function loopOf(result: FunctionResult, shape: string, variables: string, row: string): string {
  const out = result === "string" ? "U32" : "F64";
  const parts = [
    `($p)=>{"use strict";${declareColumns(shape)}let $out,$m,$at,$all;const $k=$p.code;return{`,
    `begin($b,$n){${openColumns(shape)}$out=new $p.${out}($n);$m=$p.codes();$at=0;$all=$n},`,
    `step(){${nextSlice}var $o=$out;${holdColumns(shape)}var $v,$t,$q;${variables}`,
    `do{${row}$i++}while($i<$e)},`,
    "end(){return $out.buffer}}}",
  ];
  return parts.join("");
}

/** `let` for the arrays and dictionaries that {@link openColumns} sets. */
export function declareColumns(shape: string): string {
  return [...shape].map((_, k) => `let $array${k},$dictionary${k};`).join("");
}

/** What {@link readColumn} reads: local variables, which are faster than those of outer scopes. */
export function holdColumns(shape: string): string {
  return [...shape].map((_, k) => `var $a${k}=$array${k},$d${k}=$dictionary${k};`).join("");
}

export function openColumns(shape: string): string {
  return [...shape]
    .map(
      (letter, k) =>
        `$array${k}=new $p.${arrayOf[letter]}($b[${k}]);$dictionary${k}=$p.dictionaries[${k}];`,
    )
    .join("");
}

/**
 * From row `$i` to `$e`, at least one. The loop counts rows itself: two arguments for each call would cost as much as
 * three rows. Variables are `var`, as `let` checks on every use whether the variable is initialized.
 */
export const nextSlice = `var $i=$at,$e=$at=$at+${sliceRows}<$all?$at+${sliceRows}:$all;`;

/** The value of a column in row `$i`; `undefined` may be a variable of the user's there. */
export function readColumn(letter: string, k: number): string {
  if (letter === "c") return `$d${k}[$a${k}[$i]]`;
  return letter === "m" ? `(($t=$a${k}[$i])===$t?$t:void 0)` : `$a${k}[$i]`;
}

interface Store {
  /** Around what is returned. */
  readonly before: string;
  readonly after: string;
  /** At the end of every row. */
  readonly last: string;
}

function storeOf(result: FunctionResult): Store {
  if (result === "number") return { before: "$o[$i]=(", after: ")", last: "" };
  if (result === "number or null") {
    return { before: "$o[$i]=($v=(", after: "))===null?0/0:$v", last: "" };
  }
  const last = "$o[$i]=$v===undefined||$v===null?0:($q=$m.get($v))!==undefined?$q:$k($v);";
  return { before: "$v=(", after: ")", last };
}
