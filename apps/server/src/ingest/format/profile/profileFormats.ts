import { timeColumn } from "@hadal/sdk";
import type { RowCollector } from "../../row/rowCollector.js";
import { readRowTime } from "../../value/rowTime.js";
import type { FormatOptions, IngestFormat } from "../ingestFormat.js";
import { CpuProfileReader } from "./cpuProfileReader.js";
import { FoldedReader } from "./foldedReader.js";

/** `main;render;paint 42` a line, as `stackcollapse` writes them. */
const foldedFormat: IngestFormat = {
  mediaTypes: ["text/x-folded"],
  open: (collector, options) =>
    new FoldedReader(collector, options.timeName ?? timeColumn, momentOf(collector, options)),
};

/** What `node --cpu-prof` and the developer tools of browsers write. */
const cpuProfileFormat: IngestFormat = {
  mediaTypes: ["application/x-cpuprofile"],
  open: (collector, options) =>
    new CpuProfileReader(collector, options.timeName ?? timeColumn, momentOf(collector, options)),
};

/** Where stacks come from: profilers. */
export const profileFormats: readonly IngestFormat[] = [foldedFormat, cpuProfileFormat];

/** The request's `at`; without it, when it came. */
function momentOf({ timeRule }: RowCollector, { raw }: FormatOptions): number {
  if (raw?.at === undefined) return timeRule.receivedMs ?? Date.now();
  const isNumber = /^\d+$/.test(raw.at);
  return readRowTime(isNumber ? Number(raw.at) : raw.at, "at", timeRule);
}
