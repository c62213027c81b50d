import {
  type CsvParameters,
  checkDelimiter,
  HadalError,
  parseCsvTypes,
  parseNullTexts,
} from "@hadal/sdk";
import type { CsvOptions } from "../ingestFormat.js";

/** Throws a HadalError where a parameter is invalid, or the body is not CSV. */
export function readCsvParameters(
  parameters: CsvParameters,
  contentType: string | undefined,
): CsvOptions {
  const given = Object.entries(parameters).filter(([, text]) => text !== undefined);
  const [first] = given[0] ?? [];
  if (first !== undefined && !/^\s*text\/csv\s*(;|$)/i.test(contentType ?? "")) {
    throw new HadalError("bad-request", {
      detail: `\`${first}\` is an option for CSV; this body is ${contentType ?? "of no known type"}. The settings of a table set types for every format.`,
    });
  }
  const { delimiter, decimal, types } = parameters;
  if (decimal !== undefined && decimal !== "." && decimal !== ",") {
    throw new HadalError("bad-request", { detail: "`decimal` is a point or a comma." });
  }
  const separator = delimiter === undefined ? undefined : checkDelimiter(delimiter);
  return {
    delimiter: separator,
    decimal,
    nullTexts: parameters.null === undefined ? undefined : parseNullTexts(parameters.null),
    types: types === undefined ? undefined : parseCsvTypes(types),
  };
}
