/**
 * Entry `@hadal/sdk/checks`: what the server checks input with. Apart from the client, which leaves
 * it to the server.
 */
export { checkAlertRule, isTimeGroup, valueGroupsOf } from "./model/check/alert/checkAlert.js";
export {
  checkAnnotationBody,
  checkAnnotationDraft,
} from "./model/check/annotation/checkAnnotation.js";
export { checkAnnotationQuery } from "./model/check/annotation/checkAnnotationQuery.js";
export { checkDashboard, isNewerDashboard } from "./model/check/checkDashboard.js";
export { checkDocumentDraft } from "./model/check/checkDocument.js";
export { checkFacets } from "./model/check/checkFacets.js";
export { checkFunctionDraft, checkFunctionTrial } from "./model/check/checkFunction.js";
export { checkLink } from "./model/check/checkLink.js";
export { checkQuery } from "./model/check/checkQuery.js";
export { checkSource, isBroker, isTopicName } from "./model/check/checkSource.js";
export { checkTableSettings } from "./model/check/checkTableSettings.js";
export { checkWhatChanged } from "./model/check/checkWhatChanged.js";
export { checkEmbedKeyDraft, checkEmbedScope } from "./model/check/embed/checkEmbed.js";
export { checkEmbedImage, checkEmbedImageDraft } from "./model/check/embed/checkEmbedImage.js";
export { checkGrants } from "./model/check/people/checkGrants.js";
export { checkTokenDraft, checkUserDraft } from "./model/check/people/checkPeople.js";
export {
  boardOfGrafana,
  type ImportedBoard,
  isGrafanaBoard,
} from "./model/grafana/grafanaBoard.js";
