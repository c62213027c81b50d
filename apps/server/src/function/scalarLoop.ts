import { sliceRows } from "../base/functionLimits.js";
import type { BatchColumn, ScalarProgram } from "./sandboxMessages.js";

/** How a batch's columns are read, one letter each: a loop fits one such shape. */
export function shapeOf(columns: readonly BatchColumn[]): string {
  return columns.map(letterOf).join("");
}

function letterOf(column: BatchColumn): string {
  if (column.kind === "codes") return "c";
  if (!column.complete) return "m";
  return column.values instanceof Int32Array ? "i" : "f";
}

/** The constructor of each letter's array, as the prelude calls it. */
const arrayOf: Readonly<Record<string, string>> = { c: "U32", m: "F64", f: "F64", i: "I32" };

/**
 * Text of a function of the prelude that gives `begin(buffers, rowCount)`, `step()` for the next slice of rows, and `end()`: one row
 * after the other, no call across the border. It is evaluated where `$f` is in scope.
 */
export function scalarLoop(program: ScalarProgram, shape: string): string {
  const out = program.result === "string" ? "U32" : "F64";
  return `($p)=>{"use strict";${declareColumns(shape)}let $out,$m,$at,$all;const $k=$p.code;return{
begin($b,$n){${openColumns(shape)}$out=new $p.${out}($n);$m=$p.codes();$at=0;$all=$n},
step(){${nextSlice}${holdColumns(shape)}const $g=$f,$o=$out;let $t,$v,$q;for(;$i<$e;$i++){${readRow(program, shape)}}},
end(){return $out.buffer}}}`;
}

/** `let` for the arrays and dictionaries that {@link openColumns} sets. */
export function declareColumns(shape: string): string {
  return [...shape].map((_, k) => `let $array${k},$dictionary${k};`).join("");
}

/** What {@link readColumn} reads: variables of the function itself, which are nearer than those around it. */
export function holdColumns(shape: string): string {
  return [...shape].map((_, k) => `const $a${k}=$array${k},$d${k}=$dictionary${k};`).join("");
}

export function openColumns(shape: string): string {
  return [...shape]
    .map(
      (letter, k) =>
        `$array${k}=new $p.${arrayOf[letter]}($b[${k}]);$dictionary${k}=$p.dictionaries[${k}];`,
    )
    .join("");
}

/** From row `$i` up to `$e`. That the loop counts itself spares every call two arguments, which cost as much as three rows. */
export const nextSlice = `let $i=$at;const $e=$at=$at+${sliceRows}<$all?$at+${sliceRows}:$all;`;

/** The value of a column in row `$i`. */
export function readColumn(letter: string, k: number): string {
  if (letter === "c") return `$d${k}[$a${k}[$i]]`;
  return letter === "m" ? `(($t=$a${k}[$i])===$t?$t:undefined)` : `$a${k}[$i]`;
}

function readRow({ call, names, result }: ScalarProgram, shape: string): string {
  const values = [...shape].map(readColumn);
  if (call !== "row") return store(`$g(${values.join(",")})`, result);
  const row = values.map((value, k) => `[${JSON.stringify(names[k])}]:${value}`).join(",");
  return store(`$g({${row}})`, result);
}

function store(called: string, result: ScalarProgram["result"]): string {
  if (result === "number") return `$o[$i]=${called};`;
  if (result === "number or null") return `$v=${called};$o[$i]=$v===null?NaN:$v;`;
  return `$v=${called};$o[$i]=$v===undefined||$v===null?0:($q=$m.get($v))!==undefined?$q:$k($v);`;
}
