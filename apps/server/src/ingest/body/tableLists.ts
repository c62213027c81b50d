import { HadalError } from "@hadal/sdk";

/** The rows of one table in a body of several. */
export interface TableList {
  readonly table: string;
  /** One row a line: line n is the element n - 1 of its list. */
  readonly lines: Uint8Array;
}

/** A unit of more tables is a mistake: each is checked, and has batches of its own. */
export const tablesPerRequestMax = 100;

/** Bytes that are searched in one turn of the event loop: everything else waits meanwhile. */
const bytesAtOnce = 1_048_576;
/** Deeper nesting is refused by the readers of rows. */
const depthMax = 200;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const newline = 0x0a;

/**
 * Splits `{"tables": {"a": [row, …], …}}` into the rows of each table. Only the frame is checked here:
 * each row is read later, as a line. Throws `bad-request` with the place of what is wrong.
 */
export async function splitTables(
  body: Uint8Array,
  pause: () => Promise<void>,
): Promise<readonly TableList[]> {
  const reader = new FrameReader(body);
  let searchedAt = 0;
  const found = new Map<string, Uint8Array>();
  reader.expect(openBrace, "an object with `tables`");
  const name = reader.string("`tables`");
  if (name !== "tables") throw reader.fault(`The body has \`${name}\`; it has \`tables\` alone.`);
  reader.expect(colon, "a colon");
  reader.expect(openBrace, "an object with a list of rows for each table");
  for (let isFirst = true; reader.next(isFirst, closeBrace); isFirst = false) {
    const table = reader.string("the name of a table");
    if (found.has(table)) throw reader.fault(`The table ${table} comes twice.`);
    if (found.size === tablesPerRequestMax)
      throw reader.fault(
        `There are more than ${tablesPerRequestMax} tables (tablesPerRequestMax).`,
      );
    reader.expect(colon, "a colon");
    reader.expect(openBracket, `the list of rows of ${table}`);
    const lines: Uint8Array[] = [];
    for (let isFirstRow = true; reader.next(isFirstRow, closeBracket); isFirstRow = false) {
      lines.push(reader.value(), lineEnd);
      if (reader.at - searchedAt < bytesAtOnce) continue;
      searchedAt = reader.at;
      await pause();
    }
    found.set(table, Buffer.concat(lines));
  }
  reader.expect(closeBrace, "the end of the object");
  reader.end();
  return [...found].map(([table, lines]) => ({ table, lines }));
}

const lineEnd = Uint8Array.of(newline);

/** Walks over JSON without reading the values. */
class FrameReader {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  expect(byte: number, what: string): void {
    this.#skipSpace();
    if (this.#bytes[this.at] !== byte) throw this.fault(`Expected ${what}.`);
    this.at++;
  }

  /** Whether there is another element before the end of a list or an object, which is passed. */
  next(isFirst: boolean, end: number): boolean {
    this.#skipSpace();
    if (this.#bytes[this.at] === end) {
      this.at++;
      return false;
    }
    if (!isFirst) {
      if (this.#bytes[this.at] !== comma) throw this.fault("Expected a comma, or the end of it.");
      this.at++;
      this.#skipSpace();
      if (this.#bytes[this.at] === end) throw this.fault("A comma has nothing behind it.");
    }
    return true;
  }

  string(what: string): string {
    this.#skipSpace();
    const start = this.at;
    if (this.#bytes[start] !== quote) throw this.fault(`Expected ${what}, in quotes.`);
    this.#skipString();
    try {
      return JSON.parse(Buffer.from(this.#bytes.subarray(start, this.at)).toString()) as string;
    } catch {
      this.at = start;
      throw this.fault(`Expected ${what}, in quotes.`);
    }
  }

  /** The bytes of a value, in one line. */
  value(): Uint8Array {
    this.#skipSpace();
    const start = this.at;
    let depth = 0;
    let hasLineEnds = false;
    for (; this.at < this.#bytes.length; this.at++) {
      const byte = this.#bytes[this.at]!;
      if (byte === quote) {
        this.#skipString();
        this.at--;
      } else if (byte === openBrace || byte === openBracket) {
        if (++depth > depthMax) throw this.fault(`Values nest deeper than ${depthMax} (depthMax).`);
      } else if (byte === closeBrace || byte === closeBracket) {
        if (depth === 0) break;
        depth--;
      } else if (byte === comma && depth === 0) break;
      else if (byte === newline || byte === 0x0d) hasLineEnds = true;
    }
    const value = this.#bytes.subarray(start, this.at);
    if (value.length === 0) throw this.fault("Expected a row.");
    return hasLineEnds ? inOneLine(value) : value;
  }

  end(): void {
    this.#skipSpace();
    if (this.at < this.#bytes.length) throw this.fault("Something follows the object.");
  }

  fault(detail: string): HadalError {
    const before = this.#bytes.subarray(0, this.at);
    let line = 1;
    for (const byte of before) if (byte === newline) line++;
    const column = this.at - before.lastIndexOf(newline);
    const place = { line, column, code: "invalid-json", detail };
    return new HadalError("bad-request", { detail: `Line ${line}, column ${column}: ${detail}` }, [
      place,
    ]);
  }

  #skipSpace(): void {
    for (;;) {
      const byte = this.#bytes[this.at];
      if (byte !== 0x20 && byte !== newline && byte !== 0x0d && byte !== 0x09) return;
      this.at++;
    }
  }

  /** Stops behind its end. */
  #skipString(): void {
    const start = this.at;
    for (this.at++; this.at < this.#bytes.length; this.at++) {
      const byte = this.#bytes[this.at]!;
      if (byte === backslash) this.at++;
      else if (byte === quote) {
        this.at++;
        return;
      } else if (byte < 0x20) break;
    }
    if (this.at >= this.#bytes.length) this.at = start;
    throw this.fault("A text does not end in its line.");
  }
}

/** Line ends between values only: none is within a text. */
const inOneLine = (value: Uint8Array): Uint8Array =>
  value.map((byte) => (byte === newline || byte === 0x0d ? 0x20 : byte));
