// Rows of JSON: a module of its own, over memory that one thread has to itself. Into shared memory
// the host copies several times as slowly.
export { readJsonRows } from "./json/jsonRows";
export { packJsonTexts } from "./json/packJsonTexts";
export { staticDataEnd } from "./base/staticData";
