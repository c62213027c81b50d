import { HadalError } from "@hadal/sdk";
import type { RowCollector } from "../../row/rowCollector.js";
import { parseExactJson } from "../../value/exactJson.js";
import { RowRejected } from "../../value/rowRejected.js";

/** Takes the lines that the general parser reads, until the first ones show that they are rows. */
export interface NdjsonStart {
  addJson(text: string, line: number): void;
  end(): void;
}

interface Line {
  readonly text: string;
  readonly line: number;
}

/**
 * Formatted JSON sent as NDJSON would be refused line by line. Its first line opens an object or a
 * list that is not closed there, and no row begins on the second: then the body is refused at once.
 * A row that is cut off costs itself alone.
 */
export function createNdjsonStart(collector: RowCollector): NdjsonStart {
  let isStart = true;
  let opening: Line | null = null;
  const add = ({ text, line }: Line): void => collector.addJson(text, line);
  return {
    addJson(text, line) {
      if (opening !== null) {
        if (opening.text.trimStart().startsWith("[") || !text.trimStart().startsWith("{"))
          throw formattedJson(opening.line);
        add(opening);
        opening = null;
      } else if (isStart && isCutOff(text)) {
        isStart = false;
        opening = { text, line };
        return;
      }
      isStart = false;
      add({ text, line });
    },
    end() {
      if (opening !== null) add(opening);
    },
  };
}

/** Whether the text ends within the object or list that it opens. */
function isCutOff(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    parseExactJson(text);
    return false;
  } catch (error) {
    return error instanceof RowRejected && (error.column ?? 0) > text.trimEnd().length;
  }
}

function formattedJson(line: number): HadalError {
  const detail = `The first row opens a JSON value that goes on over more lines; NDJSON has one row a line. Send the body as application/json (on the command line --format json), which reads rows over many lines. Nothing of it was stored.`;
  return new HadalError("body-undecodable", { detail }, [{ line, code: "row-over-lines", detail }]);
}
