import {
  findTimeZone,
  HadalError,
  pictureHeight,
  pictureThemes,
  pictureWidth,
  resolveTime,
  resolveTimeRange,
} from "@hadal/sdk";
import type { PictureRequest } from "../../../picture/pictureOrder.js";
import type { Parameter } from "../../docs/operation.js";

const text = (name: string, description: string, example: string): Parameter => ({
  ...{ name, in: "query", description, example },
  schema: { type: "string", minLength: 1 },
});

/** What every picture takes. */
export const sizeParameters: readonly Parameter[] = [
  {
    ...{ name: "width", in: "query", description: "Pixels.", example: 800 },
    schema: { type: "integer", ...pictureWidth },
  },
  {
    ...{ name: "height", in: "query", example: 500 },
    description: "Pixels; a board has the height that it needs.",
    schema: { type: "integer", ...pictureHeight },
  },
  text("timeZone", "IANA zone in place of the saved one.", "Europe/Berlin"),
  {
    ...{ name: "theme", in: "query", description: "Its colours.", example: "dark" },
    schema: { enum: [...pictureThemes], default: "light" },
  },
];

/** What applies to every tile. */
export const timeParameters: readonly Parameter[] = [
  text("from", "Start in place of the saved one, as in a query.", "-3h"),
  text("to", "End in place of the saved one.", "now"),
  {
    ...{ name: "bar", in: "query", schema: { type: "string", minLength: 1 } },
    description:
      "Of a dashboard: time, comparison, filters and variables in place of the saved ones, as in the address of its page, escaped once more.",
  },
];

export type PictureLook = Omit<PictureRequest, "subject">;

/** The parameters that were given, checked. Throws `bad-request` and `time-range-invalid`. */
export function lookOf(
  given: ReadonlyMap<string, string | number>,
  { width, nowMs }: { readonly width: number; readonly nowMs: number },
): PictureLook {
  const from = textOf(given, "from");
  const to = textOf(given, "to");
  const timeZone = textOf(given, "timeZone");
  const zone = timeZone === null ? "UTC" : checkedZone(timeZone);
  for (const time of [from, to]) if (time !== null) resolveTime(time, nowMs, zone);
  // One end alone is compared with the saved other one, by the query.
  if (from !== null && to !== null) resolveTimeRange(from, to, nowMs, zone);
  return {
    ...{ from, to, timeZone, nowMs, rangeMsMax: null, bar: textOf(given, "bar") },
    theme: given.get("theme") === "dark" ? "dark" : "light",
    width: Number(given.get("width") ?? width),
    height: given.has("height") ? Number(given.get("height")) : null,
  };
}

export function textOf(given: ReadonlyMap<string, string | number>, name: string): string | null {
  const value = given.get(name);
  return value === undefined ? null : String(value);
}

function checkedZone(name: string): string {
  try {
    findTimeZone(name);
    return name;
  } catch {
    const detail = `No time zone is called ${JSON.stringify(name.slice(0, 100))}; names look like Europe/Berlin.`;
    throw new HadalError("bad-request", { detail });
  }
}
