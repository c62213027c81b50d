import type { BodyPiece } from "../compile/functionBody.js";

/** What stands in place of a piece of the user's text in a line. Columns count from 1. */
interface Edit {
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly instead: number;
}

/** What is put in place of each kind of piece. */
export interface PutTexts {
  readonly columns: readonly string[];
  readonly value: string;
  readonly end: string;
  readonly nothing: string;
}

/** A function's body with texts of ours in place of what it reads and returns. */
export class BodyText {
  readonly text: string;
  readonly #edits: Edit[] = [];

  constructor(pieces: readonly BodyPiece[], texts: PutTexts) {
    let text = "";
    let line = 1;
    let column = 1;
    for (const piece of pieces) {
      if (typeof piece === "string") {
        text += piece;
        const lines = piece.split("\n");
        line += lines.length - 1;
        column = (lines.length > 1 ? 1 : column) + [...(lines.at(-1) ?? "")].length;
      } else {
        // Words around it stay apart.
        const own = ` ${piece.put === "column" ? texts.columns[piece.index] : texts[piece.put]} `;
        this.#edits.push({ line, column, length: own.length, instead: piece.instead });
        text += own;
        column += own.length;
      }
    }
    this.text = text;
  }

  /** Where in the user's source a place of the text is. */
  placeOf<Place extends { readonly line: number; readonly column: number }>(place: Place): Place {
    let shift = 0;
    for (const edit of this.#edits) {
      if (edit.line !== place.line || edit.column > place.column) continue;
      if (place.column < edit.column + edit.length)
        return { ...place, column: edit.column + shift };
      shift += edit.instead - edit.length;
    }
    return { ...place, column: place.column + shift };
  }
}
