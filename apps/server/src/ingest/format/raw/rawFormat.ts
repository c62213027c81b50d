import { HadalError, timeColumn } from "@hadal/sdk";
import { createLinePattern } from "../../../base/format/raw/linePattern.js";
import { linePresets } from "../../../base/format/raw/linePresets.js";
import type { IngestFormat } from "../ingestFormat.js";
import { RawReader } from "./rawReader.js";

/** Lines of logs; the request's `pattern` says how they are read. */
export const rawFormat: IngestFormat = {
  mediaTypes: ["text/plain"],
  open: (collector, { timeName = timeColumn, raw }) => {
    if (raw?.pattern === undefined) {
      const detail = `Raw lines need \`pattern\`: ${[...linePresets.keys()].join(", ")}, or a pattern with named groups.`;
      throw new HadalError("bad-request", { detail });
    }
    const { pattern, multiline } = raw;
    return new RawReader(collector, createLinePattern({ pattern, multiline }), timeName);
  },
};
