/**
 * Evaluated in every realm before the user's source, so that what it takes of the language is as it came. It gives the
 * host few functions that work on whole batches: a call across the border costs as much as ten rows.
 */
export const preludeSource = `(() => {
"use strict";
const { parse, stringify } = JSON;
const { freeze, getPrototypeOf, prototype: plain } = Object;
const { isArray } = Array;
const { isFinite } = Number;
const text = String;

const dictionaries = [];
const extend = (column, json, resets) => {
  const known = resets || dictionaries[column] === undefined ? [undefined] : dictionaries[column];
  const added = parse(json);
  for (let i = 0; i < added.length; i++) known[known.length] = isArray(added[i]) ? freeze(added[i]) : added[i];
  dictionaries[column] = known;
};

let codes = new Map();
let codeCount = 0;
let fresh = [];
const nameOf = (value) =>
  typeof value === "function" ? "a function" : typeof value === "symbol" ? "a symbol" : isArray(value) ? "a list" : "an object";
const code = (value) => {
  const kind = typeof value;
  if (kind === "number" && !isFinite(value)) return 0;
  if (kind === "object" || kind === "function" || kind === "symbol")
    throw new TypeError("the function returned " + nameOf(value) + "; a value is a number, a string, true, false or nothing");
  const own = kind === "string" ? value : text(value);
  let known = codes.get(own);
  if (known === undefined) {
    known = ++codeCount;
    fresh[fresh.length] = own;
    codes.set(own, known);
  }
  if (kind !== "string") codes.set(value, known);
  return known;
};
const takeFresh = () => {
  const json = stringify(fresh);
  fresh = [];
  return json;
};
const forget = () => {
  codes = new Map();
  codeCount = 0;
};

const lines = [];
let unitsLeft = 0;
const show = (value) => {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return text(value);
  try {
    return stringify(value) || text(value);
  } catch (error) {
    return "an object that has no text: " + text(error);
  }
};
const log = (...parts) => {
  if (unitsLeft <= 0) return;
  let line = "";
  for (let i = 0; i < parts.length; i++) line += (i === 0 ? "" : " ") + show(parts[i]);
  if (line.length > unitsLeft) line = line.substring(0, unitsLeft) + " … (cut: functionLogUnitsMax)";
  unitsLeft -= line.length + 1;
  lines[lines.length] = line;
};
globalThis.console = { log, info: log, warn: log, error: log, debug: log };

/** Name, message and stack of whatever was thrown. */
const part = (object, key) => {
  try {
    const value = object[key];
    return value === undefined || value === null ? "" : text(value).substring(0, 2000);
  } catch (error) {
    return "";
  }
};
const describe = (error) => {
  const isObject = (typeof error === "object" && error !== null) || typeof error === "function";
  if (!isObject) return ["", text(error).substring(0, 2000), ""];
  return [part(error, "name"), part(error, "message"), part(error, "stack")];
};

/** States as JSON, with what JSON lacks spelled out; what would come back as something else is refused. */
const numberTag = "\\u0000number";
const bigintTag = "\\u0000bigint";
const tagged = (tag, value) => ({ [tag]: text(value) });
const replace = function (key, given) {
  const value = this[key];
  const kind = typeof value;
  if (kind === "number") return isFinite(value) ? value : tagged(numberTag, value);
  if (kind === "bigint") return tagged(bigintTag, value);
  if (kind === "function" || kind === "symbol") throw new TypeError("a state cannot hold " + nameOf(value));
  if (kind === "undefined" && isArray(this)) throw new TypeError("a state cannot hold undefined in a list");
  if (kind !== "object" || value === null || isArray(value)) return value;
  const prototype = getPrototypeOf(value);
  if (prototype !== plain && prototype !== null)
    throw new TypeError("a state is made of plain objects, lists, numbers, strings, true, false and null");
  return value;
};
const revive = (key, value) => {
  if (typeof value !== "object" || value === null) return value;
  if (value[numberTag] !== undefined) return Number(value[numberTag]);
  return value[bigintTag] !== undefined ? BigInt(value[bigintTag]) : value;
};
const printState = (state) => {
  const json = stringify(state, replace);
  if (json === undefined) throw new TypeError("a state cannot be undefined: init and update return one");
  return json;
};
const readState = (json) => parse(json, revive);

/** A finished value, or one of a trial: what a row can hold. */
const finished = (value) => {
  const kind = typeof value;
  if (value === undefined || value === null || (kind === "number" && !isFinite(value))) return null;
  if (kind === "number" || kind === "string") return value;
  if (kind === "boolean" || kind === "bigint") return text(value);
  throw new TypeError("the function returned " + nameOf(value) + "; a value is a number, a string, true, false or nothing");
};

/** The same of a group: integers stay whole on their way out. */
const finishedGroup = (value) => typeof value === "bigint" ? tagged(bigintTag, value) : finished(value);

return {
  parse, stringify, dictionaries, extend, code, takeFresh, forget, describe, printState, readState, finished, finishedGroup,
  codes: () => codes,
  codeCount: () => codeCount,
  startLog: (units) => { unitsLeft = units; },
  takeLog: () => stringify(lines.splice(0)),
  F64: Float64Array, I32: Int32Array, U32: Uint32Array,
};
})()`;
