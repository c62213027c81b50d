import { HadalError } from "@hadal/sdk";

/** The stream contradicts itself, or ends too early. */
export function brokenArrow(what: string): HadalError {
  const shown = JSON.stringify(what.slice(0, 200));
  return new HadalError("body-undecodable", {
    detail: `The Arrow stream is broken: ${shown}. Nothing of it was stored.`,
  });
}

/** The uncompressed content is longer than a body may be. */
export function inflatedTooLarge(max: number): HadalError {
  return new HadalError("body-too-large", { max, limitName: "bodyBytesMax" });
}

/** A type that no column of Hadal has. */
export function unstoredType(name: string, type: unknown): HadalError {
  return new HadalError("body-undecodable", {
    detail: `Column ${JSON.stringify(name.slice(0, 200))} has the Arrow type ${String(type)}, which Hadal does not store: cast it or leave it out. Nothing was stored.`,
  });
}
