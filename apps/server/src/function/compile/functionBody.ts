import type { AnyNode, Node, ReturnStatement } from "acorn";
import { childrenOf, type FunctionNode, sourceOffset } from "./functionSyntax.js";

/**
 * A piece of a function's body, to be put into a loop over rows: the user's text as it is, or what stands in place of
 * some characters of it, none of them a line break.
 */
export type BodyPiece =
  | string
  /** The value of a column, by its place among the inputs. */
  | { readonly put: "column"; readonly index: number; readonly instead: number }
  /** What is returned comes next, up to its end; or nothing is returned. */
  | { readonly put: "value" | "end" | "nothing"; readonly instead: number };

/** Where the source reads a column. */
export interface ColumnRead {
  readonly node: Node;
  readonly index: number;
}

/**
 * The body of a function of the row, from the end of its head: a loop over rows that holds it needs no call for each of
 * them, which takes as long as two statements. Null where it would mean something else there.
 */
export function bodyOf(
  fn: FunctionNode,
  source: string,
  headEnd: number,
  reads: readonly ColumnRead[],
): readonly BodyPiece[] | null {
  const returns: ReturnStatement[] = [];
  if (!collectReturns(fn.body, returns)) return null;
  const pieces = new BodyPieces(source, headEnd, reads);
  const end = fn.end - sourceOffset;
  if (fn.body.type !== "BlockStatement") {
    pieces.put("value", headEnd, headEnd);
    pieces.put("end", end, end);
    return pieces.upTo(end);
  }
  for (const { start, end, argument } of returns) {
    const from = start - sourceOffset;
    const to = end - sourceOffset;
    if (argument == null) {
      if (source.slice(from, to).includes("\n")) return null;
      pieces.put("nothing", from, to);
      continue;
    }
    pieces.put("value", from, from + "return".length);
    // Parentheses around what is returned belong to no node: it reaches to the end of the statement.
    pieces.put("end", source[to - 1] === ";" ? to - 1 : to, to);
  }
  return pieces.upTo(end);
}

/** What means something else in every function, however it is spelled. */
const ownNames: ReadonlySet<string> = new Set(["arguments", "eval"]);

/** All that returns, in its order; false where there is what a loop cannot hold. */
function collectReturns(node: Node, found: ReturnStatement[]): boolean {
  const any = node as AnyNode;
  switch (any.type) {
    // They could keep variables of a row that is over.
    case "ArrowFunctionExpression":
    case "FunctionExpression":
    case "FunctionDeclaration":
    case "ClassExpression":
    case "ClassDeclaration":
    // In a loop they would be those of what is around it.
    case "ThisExpression":
    case "MetaProperty":
      return false;
    case "VariableDeclaration":
      // It would be one variable for all rows.
      if (any.kind === "var") return false;
      break;
    case "Identifier":
      // Those are the names of what is around it.
      if (any.name.startsWith("$") || ownNames.has(any.name)) return false;
      break;
    case "ReturnStatement":
      found.push(any);
  }
  for (const child of childrenOf(any)) if (!collectReturns(child, found)) return false;
  return true;
}

/** The source cut up where something is put in its place. */
class BodyPieces {
  readonly #source: string;
  readonly #headEnd: number;
  readonly #puts: { readonly from: number; readonly to: number; readonly piece: BodyPiece }[] = [];

  constructor(source: string, headEnd: number, reads: readonly ColumnRead[]) {
    this.#source = source;
    this.#headEnd = headEnd;
    for (const { node, index } of reads) {
      const from = node.start - sourceOffset;
      const to = node.end - sourceOffset;
      const piece = { put: "column", index, instead: this.#length(from, to) } as const;
      this.#puts.push({ from, to, piece });
    }
  }

  put(what: "value" | "end" | "nothing", from: number, to: number): void {
    this.#puts.push({ from, to, piece: { put: what, instead: this.#length(from, to) } });
  }

  /** The head is left blank, so that lines and columns of the body stay. */
  upTo(end: number): readonly BodyPiece[] {
    const pieces: BodyPiece[] = [this.#source.slice(0, this.#headEnd).replaceAll(/./gu, " ")];
    let at = this.#headEnd;
    const puts = this.#puts.toSorted((a, b) => a.from - b.from || a.to - b.to);
    for (const { from, to, piece } of puts) {
      if (from > at) pieces.push(this.#source.slice(at, from));
      pieces.push(piece);
      at = to;
    }
    if (end > at) pieces.push(this.#source.slice(at, end));
    return pieces;
  }

  /** As places are counted in a line. */
  #length(from: number, to: number): number {
    return [...this.#source.slice(from, to)].length;
  }
}
