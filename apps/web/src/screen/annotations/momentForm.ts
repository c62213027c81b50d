import { type AnnotationBody, HadalError, type SavedDocument } from "@hadal/sdk";
import { checkAnnotationBody } from "@hadal/sdk/checks";
import { readNames } from "../../format/nameList.js";
import { parseMoment, printMoment } from "../../format/timeText.js";
import { type Faults, faultsOfError } from "./faults.js";

/** An annotation made by hand, as its form has it. */
export interface MomentForm {
  readonly title: string;
  readonly time: string;
  /** Empty: it is a moment. */
  readonly until: string;
  readonly text: string;
  /** With commas. */
  readonly tags: string;
  /** None: charts of every table. */
  readonly tables: readonly string[];
}

/** What times are read and written by. */
export interface Clock {
  readonly timeZone: string;
  readonly nowMs: number;
}

export const emptyMoment: MomentForm = {
  ...{ title: "", time: "now", until: "", text: "", tags: "", tables: [] },
};

export function formOfMoment({ title, body }: SavedDocument, clock: Clock): MomentForm {
  const { time, until, text = "", tags = [], tables = [] } = checkAnnotationBody(body);
  const printed = (one: string | number): string =>
    printMoment(typeof one === "number" ? one : parseMoment(one, "UTC", 0), clock.timeZone);
  return {
    ...{ title, text, tables, tags: tags.join(", ") },
    time: printed(time),
    until: until === undefined ? "" : printed(until),
  };
}

export type ReadMoment =
  | { readonly ok: true; readonly body: AnnotationBody }
  | { readonly ok: false; readonly faults: Faults };

/** The body of the form, its times fixed; else what is wrong, by field. */
export function readMoment(form: MomentForm, { timeZone, nowMs }: Clock): ReadMoment {
  const faults: Record<string, string> = {};
  const read = (name: "time" | "until"): number | undefined => {
    try {
      return parseMoment(form[name], timeZone, nowMs);
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      faults[name] = error.errors[0]?.detail ?? error.message;
      return undefined;
    }
  };
  const time = read("time");
  const until = form.until.trim() === "" ? undefined : read("until");
  if (form.title.trim() === "") faults.title = "Give it a title.";
  if (time === undefined || Object.keys(faults).length > 0) return { ok: false, faults };
  const tags = readNames(form.tags);
  const text = form.text.trim();
  const body: AnnotationBody = {
    ...{ time, ...(until !== undefined && { until }), ...(text !== "" && { text }) },
    ...{ ...(tags.length > 0 && { tags }) },
    ...(form.tables.length > 0 && { tables: form.tables }),
  };
  try {
    return { ok: true, body: checkAnnotationBody(body) };
  } catch (error) {
    return { ok: false, faults: faultsOfError(error) };
  }
}
