/**
 * Entry `@hadal/sdk/checks`: what the server checks input with. Apart from the client, which leaves
 * it to the server.
 */
export { checkFacets } from "./model/check/checkFacets.js";
export { checkFunctionDraft, checkFunctionTrial } from "./model/check/checkFunction.js";
export { checkLink } from "./model/check/checkLink.js";
export { checkQuery } from "./model/check/checkQuery.js";
export { checkTableSettings } from "./model/check/checkTableSettings.js";
export { checkWhatChanged } from "./model/check/checkWhatChanged.js";
