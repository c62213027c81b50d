/** Entry `@hadal/sdk/checks`: what the server checks input with. Apart from the client, which leaves it to the server. */
export { checkFacets } from "./model/checkFacets.js";
export { checkFunctionDraft, checkFunctionTrial } from "./model/checkFunction.js";
export { checkLink } from "./model/checkLink.js";
export { checkQuery } from "./model/checkQuery.js";
export { checkTableSettings } from "./model/checkTableSettings.js";
export { checkWhatChanged } from "./model/checkWhatChanged.js";
