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

/** Rows to one turn of the loop: the turn itself costs as much as reading a column. */
const unrolled = 4;

/**
 * Text of a function of the prelude that gives `begin(buffers, rowCount)`, `step(from, to)` and `end()`: one row
 * after the other, no call across the border. It is evaluated where `$f` and the variables of columns are in scope.
 */
export function scalarLoop(program: ScalarProgram, shape: string): string {
  const body = `${readRow(program, shape)}`;
  const turn = Array.from({ length: unrolled }, () => `${body}$i++;`).join("");
  const out = program.result === "string" ? "U32" : "F64";
  return `($p)=>{"use strict";${declareColumns(shape)}let $o,$m,$t,$v,$q;const $k=$p.code;return{
begin($b,$n){${openColumns(shape)}$o=new $p.${out}($n);$m=$p.codes()},
step($i,$e){for(;$i+${unrolled}<=$e;){${turn}}for(;$i<$e;){${body}$i++;}},
end(){return $o.buffer}}}`;
}

/** `let` for the arrays and dictionaries that {@link openColumns} sets. */
export function declareColumns(shape: string): string {
  return [...shape].map((_, k) => `let $a${k},$d${k};`).join("");
}

export function openColumns(shape: string): string {
  return [...shape]
    .map((letter, k) => `$a${k}=new $p.${arrayOf[letter]}($b[${k}]);$d${k}=$p.dictionaries[${k}];`)
    .join("");
}

/** The value of a column in row `$i`. */
export function readColumn(letter: string, k: number): string {
  if (letter === "c") return `$d${k}[$a${k}[$i]]`;
  return letter === "m" ? `(($t=$a${k}[$i])===$t?$t:undefined)` : `$a${k}[$i]`;
}

function readRow({ call, names, result }: ScalarProgram, shape: string): string {
  const values = [...shape].map(readColumn);
  if (call === "variables") {
    return values.map((value, k) => `$${k}=${value};`).join("") + store("$f()", result);
  }
  const row = values.map((value, k) => `[${JSON.stringify(names[k])}]:${value}`).join(",");
  return store(call === "row" ? `$f({${row}})` : `$f(${values.join(",")})`, result);
}

function store(called: string, result: ScalarProgram["result"]): string {
  if (result === "number") return `$o[$i]=${called};`;
  if (result === "number or null") return `$v=${called};$o[$i]=$v===null?NaN:$v;`;
  return `$v=${called};$o[$i]=$v===undefined||$v===null?0:($q=$m.get($v))!==undefined?$q:$k($v);`;
}
