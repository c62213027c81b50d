// Rows of JSON: a separate module, over memory of one thread alone. The host copies into shared
// memory several times as slowly.
export { readJsonRows } from "./json/jsonRows";
export { packJsonTexts } from "./json/packJsonTexts";
export { staticDataEnd } from "./base/staticData";
