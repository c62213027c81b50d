import { embedExpiresMsMax } from "../../embed.js";
import {
  type EmbedImage,
  type EmbedImageDraft,
  embedImageFormats,
  pictureHeight,
  pictureThemes,
  pictureWidth,
} from "../../picture.js";
import {
  checkInteger,
  checkKeys,
  checkObject,
  createProblemList,
  type JsonObject,
  type ProblemList,
} from "../../problem/problemList.js";
import { checkTimeZone } from "../checkTimes.js";
import { checkQueryAt } from "./checkQueryAt.js";

const imageKeys: readonly (keyof EmbedImage)[] = [
  ...(["query", "view", "width", "height", "theme", "timeZone"] as const),
];
const viewMax = 100;

/** What is drawn of an embed; throws `invalid-query` with everything that is wrong. */
export const checkEmbedImage = (value: unknown): EmbedImage => check(value, imageKeys, () => {});

/** The body of `POST /embeds/{id}/image-url`. */
export const checkEmbedImageDraft = (value: unknown): EmbedImageDraft =>
  check(value, [...imageKeys, "format", "expiresInMs"], (draft, problems) => {
    checkWord(draft, "format", embedImageFormats, problems);
    checkInteger(draft.expiresInMs, "expiresInMs", { max: embedExpiresMsMax }, problems);
  });

function check(
  value: unknown,
  keys: readonly string[],
  checkRest: (image: JsonObject, problems: ProblemList) => void,
): EmbedImageDraft {
  const problems = createProblemList();
  const image = checkObject(value, "", problems);
  if (image === null) throw problems.toError();
  checkKeys(image, "", keys, problems);
  const [width, height] = [pictureWidth, pictureHeight];
  checkInteger(image.width, "width", { min: width.minimum, max: width.maximum }, problems);
  checkInteger(image.height, "height", { min: height.minimum, max: height.maximum }, problems);
  checkWord(image, "theme", pictureThemes, problems);
  checkTimeZone(image.timeZone, problems);
  const { view } = image;
  if (view !== undefined && (typeof view !== "string" || view === "" || view.length > viewMax))
    problems.add("view", "type-mismatch", `view is a text of 1 to ${viewMax} characters.`);
  if (image.query !== undefined) checkQueryAt(image.query, problems);
  checkRest(image, problems);
  if (problems.count > 0) throw problems.toError();
  return image as EmbedImageDraft;
}

function checkWord(
  image: JsonObject,
  key: string,
  words: readonly string[],
  problems: ProblemList,
): void {
  const value = image[key];
  if (value === undefined || words.some((word) => word === value)) return;
  problems.add(key, "unknown-value", `${key} is ${words.join(" or ")}.`);
}
