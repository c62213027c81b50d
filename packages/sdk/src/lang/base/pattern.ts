/** A LIKE pattern in pieces: plain text, `%` for any text, `_` for one code point. */
type Piece = { readonly text: string } | "any" | "one";

/** LIKE as the simplest equal condition; patterns are RE2's. */
export function readLike(
  pattern: string,
  escapeSign: string,
  word: "like" | "ilike",
): { readonly op: "=" | "contains" | "~"; readonly value: string } {
  const pieces = splitPattern(pattern, escapeSign);
  const texts = pieces.filter((piece) => typeof piece === "object");
  const [only] = texts;
  if (word === "like" && !pieces.includes("one") && texts.length <= 1) {
    const text = only?.text ?? "";
    if (!pieces.includes("any")) return { op: "=", value: text };
    const isInside = pieces[0] === "any" && pieces.at(-1) === "any";
    if (isInside) return { op: "contains", value: text };
  }
  return { op: "~", value: likeToPattern(pieces, word === "ilike" ? "(?is)" : "(?s)") };
}

function likeToPattern(pieces: readonly Piece[], flags: string): string {
  // An open end needs no anchor: matching on to the end would only cost time.
  const opens = pieces[0] === "any";
  const closes = pieces.at(-1) === "any" && pieces.length > 1;
  const inner = pieces.slice(opens ? 1 : 0, closes ? -1 : undefined);
  const body = inner.map((piece) => {
    if (piece === "any") return ".*";
    return piece === "one" ? "." : escapePattern(piece.text);
  });
  return `${flags}${opens ? "" : "\\A"}${body.join("")}${closes || (opens && pieces.length === 1) ? "" : "\\z"}`;
}

function splitPattern(pattern: string, escapeSign: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let text = "";
  const endText = (): void => {
    if (text !== "") pieces.push({ text });
    text = "";
  };
  const points = [...pattern];
  for (let i = 0; i < points.length; i++) {
    const point = points[i]!;
    if (point === escapeSign && i + 1 < points.length) {
      i += 1;
      text += points[i];
    } else if (point === "%") {
      endText();
      if (pieces.at(-1) !== "any") pieces.push("any");
    } else if (point === "_") {
      endText();
      pieces.push("one");
    } else {
      text += point;
    }
  }
  endText();
  return pieces;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}
