import { HadalError, type Result } from "@hadal/sdk";
import { loadArrow } from "../../base/format/arrowLibrary.js";
import { encodeArrow } from "./arrowResult.js";
import { printCsv, printJson, printNdjson, type TextPieces } from "./printResult.js";

/** A result as the body of an answer. No format leaves out the completeness. */
export interface ResultFormat {
  /** As the Content-Type has it. */
  readonly mediaType: string;
  print(result: Result): TextPieces | Promise<Uint8Array>;
}

const json = { mediaType: "application/json; charset=utf-8", print: printJson };
const ndjson = { mediaType: "application/x-ndjson; charset=utf-8", print: printNdjson };
const csv = { mediaType: "text/csv; charset=utf-8", print: printCsv };
const arrow = {
  mediaType: "application/vnd.apache.arrow.stream",
  print: async (result: Result) => encodeArrow(result, await loadArrow()),
};

const formats = new Map<string, ResultFormat>([
  ["application/json", json],
  ["application/*", json],
  ["*/*", json],
  ["application/x-ndjson", ndjson],
  ["application/ndjson", ndjson],
  ["text/csv", csv],
  ["text/*", csv],
  ["application/vnd.apache.arrow.stream", arrow],
]);

/** The media types that a result can have. */
const resultTypes = [json, ndjson, csv, arrow].map(({ mediaType }) => mediaType.split(";")[0]!);

/** The first format of an Accept header that is known, best quality first. */
export function chooseFormat(accept: string | undefined): ResultFormat {
  if (accept === undefined || accept.trim() === "") return json;
  const wanted = accept
    .split(",")
    .map((part) => {
      const [mediaType = "", ...parameters] = part
        .split(";")
        .map((text) => text.trim().toLowerCase());
      const quality = parameters.find((text) => text.startsWith("q="))?.slice(2);
      return { mediaType, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { mediaType } of wanted) {
    const format = formats.get(mediaType);
    if (format !== undefined) return format;
  }
  throw new HadalError("not-acceptable", {
    detail: `No answer can be printed as ${accept.slice(0, 100)}. Ask for ${resultTypes.join(", ")}.`,
  });
}
