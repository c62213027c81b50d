import { HadalError } from "@hadal/sdk";

export type BodyFormat = "ndjson" | "json" | "csv";

/** Finds where records end in a stream of bytes, without reading their contents. */
export interface RecordScanner {
  /** Index where the record ends that `bytes` continues or begins at `from`; -1 when it goes on. */
  end(bytes: Uint8Array, from: number): number;
  /** Bytes between a record's end and the next one's start. */
  readonly separatorBytes: number;
  /** Whether the record that just ended, or ends with the file, has content. */
  readonly hasContent: boolean;
  /** Whether records are elements of a list, as which each body has to be sent again. */
  readonly isList: boolean;
  /** Whether the file may end here. */
  readonly isWhole: boolean;
  /** Begins the next record. */
  reset(): void;
}

const newline = 10;
const quote = 34;
const comma = 44;
const backslash = 92;
const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** `delimiter` is what separates values of CSV. */
export function createRecordScanner(format: BodyFormat, delimiter = ","): RecordScanner {
  switch (format) {
    case "ndjson":
      return createLineScanner();
    case "csv":
      return createCsvScanner(delimiter);
    case "json":
      return new JsonScanner();
  }
}

function createLineScanner(): RecordScanner {
  let hasContent = false;
  return {
    separatorBytes: 0,
    isList: false,
    get hasContent() {
      return hasContent;
    },
    isWhole: true,
    reset() {
      hasContent = false;
    },
    end(bytes, from) {
      const at = bytes.indexOf(newline, from);
      const stop = at < 0 ? bytes.length : at;
      for (let i = from; i < stop && !hasContent; i++) hasContent = !isSpace(bytes[i]!);
      return at < 0 ? -1 : at + 1;
    },
  };
}

/** A newline outside quotes ends a record. Quotes open at the start of a value only, as in RFC 4180. */
function createCsvScanner(delimiter: string): RecordScanner {
  const separator = delimiter.charCodeAt(0);
  let hasContent = false;
  let state: "start" | "plain" | "quoted" | "closing" = "start";
  const after = (byte: number): typeof state => {
    if (state === "quoted") return byte === quote ? "closing" : "quoted";
    if (byte === quote && state !== "plain") return "quoted";
    return byte === separator ? "start" : "plain";
  };
  return {
    separatorBytes: 0,
    isList: false,
    get hasContent() {
      return hasContent;
    },
    get isWhole() {
      return state !== "quoted";
    },
    reset() {
      hasContent = false;
      state = "start";
    },
    end(bytes, from) {
      for (let i = from; i < bytes.length; i++) {
        const byte = bytes[i]!;
        if (byte === newline && state !== "quoted") return i + 1;
        state = after(byte);
        hasContent ||= !isSpace(byte);
      }
      return -1;
    },
  };
}

/** Elements of one array, or objects one after the other. The array's own brackets end records without content. */
class JsonScanner implements RecordScanner {
  hasContent = false;
  #state: "before" | "array" | "object" | "between objects" | "after" = "before";
  #inString = false;
  #escaped = false;
  #depth = 0;

  get isWhole(): boolean {
    return this.#state !== "array" && this.#state !== "object";
  }

  get isList(): boolean {
    return this.#state === "array" || this.#state === "after";
  }

  get separatorBytes(): number {
    return this.isList ? 1 : 0;
  }

  reset(): void {
    this.hasContent = false;
  }

  end(bytes: Uint8Array, from: number): number {
    for (let i = from; i < bytes.length; i++) {
      if (this.#endsBefore(bytes[i]!)) return i;
      if (this.#state !== "object" || this.#depth > 0) continue;
      this.#state = "between objects";
      return i + 1;
    }
    return -1;
  }

  #endsBefore(byte: number): boolean {
    if (this.#inString) {
      this.#continueString(byte);
      return false;
    }
    if (isSpace(byte)) return false;
    if (this.#state === "before") return this.#begin(byte);
    if (this.#state === "between objects") return this.#beginNext(byte);
    if (this.#state === "after") {
      throw malformed(
        "There is more after the end of the list of rows; for one value per line use --format ndjson.",
      );
    }
    if (this.#depth === 0 && (byte === comma || byte === closeBracket)) {
      if (byte === closeBracket) this.#state = "after";
      return true;
    }
    this.hasContent = true;
    if (byte === quote) this.#inString = true;
    else if (byte === openBrace || byte === openBracket) this.#depth += 1;
    else if (byte === closeBrace || byte === closeBracket) this.#depth -= 1;
    if (this.#depth < 0) throw malformed("A bracket closes that was never opened.");
    return false;
  }

  #continueString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inString = false;
  }

  #begin(byte: number): boolean {
    if (byte === openBracket) {
      this.#state = "array";
      return true;
    }
    if (byte !== openBrace) throw malformed("A JSON file contains an array of rows, or objects.");
    return this.#beginObject();
  }

  #beginNext(byte: number): boolean {
    if (byte === openBrace) return this.#beginObject();
    throw malformed(
      "Behind a row there is something that is no row: write rows as a list, or as objects without commas between them.",
    );
  }

  #beginObject(): boolean {
    this.#state = "object";
    this.hasContent = true;
    this.#depth = 1;
    return false;
  }
}

function isSpace(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}

function malformed(detail: string): HadalError {
  return new HadalError("body-undecodable", { detail });
}
