/** What a reader needs beside the chart itself: loaded once there is an answer. */
export { applyEdit } from "../../draft/edit/edits.js";
export { editOfIntent } from "../../panel/editOfIntent.js";
export { hasOffers } from "../../panel/menu/menuEntries.js";
export { ValueMenu } from "../../panel/menu/ValueMenu.js";
export { limitsOf } from "./limits.js";
export { Tools } from "./Tools.js";
export { ValuesTable } from "./ValuesTable.js";
