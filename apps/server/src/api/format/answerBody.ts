import { Readable } from "node:stream";
import { nextTurn } from "../../base/schedule/steps.js";
import type { HeldAnswer } from "../../query/admit/answerPool.js";
import type { TextPieces } from "./printResult.js";

/** The text of an answer: whole where it is one piece, else as it is printed, while the reader takes it. */
export function answerBody(pieces: TextPieces, held: HeldAnswer): string | Readable {
  const texts = pieces[Symbol.iterator]();
  const first = texts.next();
  if (first.done === true) return "";
  const second = texts.next();
  if (second.done === true) return first.value;
  return Readable.from(printed(first.value, second.value, texts, held), { objectMode: false });
}

async function* printed(
  first: string,
  second: string,
  texts: Iterator<string>,
  held: HeldAnswer,
): AsyncGenerator<string> {
  yield first;
  let text = second;
  for (let turns = 1; ; turns++) {
    held.progress();
    yield text;
    await nextTurn(turns);
    const next = texts.next();
    if (next.done === true) return;
    text = next.value;
  }
}
