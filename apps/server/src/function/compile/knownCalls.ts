import { type Kind, kinds, orMissing } from "./valueKind.js";

/** Functions of Math that give whole numbers. */
export const wholeMath = new Set(["floor", "ceil", "round", "trunc", "sign", "clz32", "imul"]);

/** What functions of the language return, unless their names are declared otherwise. */
export const globalCalls = new Map<string, Kind>([
  ["Number", kinds.number],
  ["parseFloat", kinds.number],
  ["parseInt", kinds.integer],
  ["String", kinds.string],
  ["Boolean", kinds.boolean],
  ["isNaN", kinds.boolean],
  ["isFinite", kinds.boolean],
]);

export const staticCalls = new Map<string, ReadonlyMap<string, Kind>>([
  [
    "Number",
    new Map([
      ["parseFloat", kinds.number],
      ["parseInt", kinds.integer],
    ]),
  ],
  [
    "Date",
    new Map([
      ["now", kinds.integer],
      ["UTC", kinds.integer],
      ["parse", kinds.integer],
    ]),
  ],
  ["String", new Map([["fromCharCode", kinds.string]])],
]);

/** Methods of strings, and of lists of strings. */
export const stringCalls = new Map<string, Kind>([
  ...["indexOf", "lastIndexOf", "localeCompare", "charCodeAt"].map(
    (name) => [name, kinds.integer] as const,
  ),
  ...["slice", "substring", "substr", "trim", "trimStart", "trimEnd", "toLowerCase"].map(
    (name) => [name, kinds.string] as const,
  ),
  ...["toUpperCase", "replace", "replaceAll", "padStart", "padEnd", "repeat", "charAt"].map(
    (name) => [name, kinds.string] as const,
  ),
  ["codePointAt", orMissing(kinds.integer)],
  ["at", orMissing(kinds.string)],
  ["concat", kinds.string],
  ["split", kinds.list],
  ["includes", kinds.boolean],
  ["startsWith", kinds.boolean],
  ["endsWith", kinds.boolean],
]);

export const listCalls = new Map<string, Kind>([
  ["indexOf", kinds.integer],
  ["lastIndexOf", kinds.integer],
  ["includes", kinds.boolean],
  ["join", kinds.string],
  ["slice", kinds.list],
  ["at", orMissing(kinds.string)],
  ["pop", orMissing(kinds.string)],
  ["shift", orMissing(kinds.string)],
]);
