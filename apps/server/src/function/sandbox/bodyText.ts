import type { BodyPiece } from "../compile/functionBody.js";

/** What replaces a piece of the user's text in a line. Columns count from 1. */
interface Edit {
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly instead: number;
}

/** What replaces each kind of piece. */
export interface PutTexts {
  readonly columns: readonly string[];
  readonly value: string;
  readonly end: string;
  readonly nothing: string;
}

/** A function's body in which the inputs and returns are replaced. */
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
        // Spaces keep the words around it apart.
        const own = ` ${piece.put === "column" ? texts.columns[piece.index] : texts[piece.put]} `;
        this.#edits.push({ line, column, length: own.length, instead: piece.instead });
        text += own;
        column += own.length;
      }
    }
    this.text = text;
  }

  /** The place in the user's source of a place in the text. */
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
