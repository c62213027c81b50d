import { bigintAsText, isFinal, type ServerFrame, type WithoutSeq } from "@hadal/sdk";
import type { WebSocket } from "ws";
import { nextTurn } from "../../base/schedule/steps.js";
import type { AnswerPool, HeldAnswer } from "../../query/admit/answerPool.js";
import type { LiveLimits } from "../context/deps.js";
import { printJson, type TextPieces } from "../format/printResult.js";
import { frameKey } from "./frameKey.js";

/** A frame before it has its number in the sequence. */
export type OutgoingFrame = WithoutSeq<ServerFrame>;

/** Frames are sent in pieces of at most this size, to see whether the peer takes them: 20 s for each are 13 KB/s. */
const pieceBytes = 262_144;

/** Partials replace one another: only a peer that asks without reading has this many frames waiting. */
const waitingMax = 1_000;

export interface OutletOptions {
  readonly answers: AnswerPool;
  readonly limits: LiveLimits;
  readonly onStuck: () => void;
  /** Called when the peer has taken data. */
  readonly onTaken: () => void;
}

interface Waiting {
  readonly frame: OutgoingFrame;
  readonly held: HeldAnswer | null;
  readonly sent: (() => void) | undefined;
}

/** A frame that is printed as it leaves. */
interface Leaving extends Waiting {
  readonly pieces: Iterator<Buffer>;
  /** Printed, and not sent yet. */
  next: Buffer;
  turns: number;
}

/**
 * Sends the frames of one live socket. For a slow peer frames wait here, and a newer partial replaces the one of its query,
 * so that memory is bounded. A peer that stops reading is closed.
 */
export class FrameOutlet {
  readonly #socket: WebSocket;
  readonly #options: OutletOptions;
  readonly #waiting: Waiting[] = [];
  /** By {@link frameKey}, of each query's id. */
  readonly #seqs = new Map<string, Map<string, number>>();
  #leaving: Leaving | null = null;
  /** A piece is on its way to the network. */
  #isSending = false;
  #stuckTimer: NodeJS.Timeout | null = null;

  constructor(socket: WebSocket, options: OutletOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  /** `sent` is called once the frame has left for the network. */
  push(frame: OutgoingFrame, sent?: () => void): void {
    const before = this.#waiting.findIndex(
      ({ frame: other }) =>
        frameKey(other) === frameKey(frame) && other.kind !== "problem" && !isFinal(other),
    );
    if (before >= 0) this.#takeBack(before);
    else if (this.#waiting.length === waitingMax) {
      this.#options.onStuck();
      return;
    }
    const held = "rows" in frame ? this.#options.answers.hold(frame, this.#options.onStuck) : null;
    this.#waiting.push({ frame, held, sent });
    this.#pump();
  }

  /** Removes the waiting frames of a query, and restarts its sequence numbers. */
  forget(id: string): void {
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      if (this.#waiting[i]!.frame.id === id) this.#takeBack(i);
    }
    this.#seqs.delete(id);
  }

  close(): void {
    while (this.#waiting.length > 0) this.#takeBack(0);
    this.#leaving?.held?.release();
    this.#leaving = null;
    this.#stopTimer();
  }

  #takeBack(index: number): void {
    const [taken] = this.#waiting.splice(index, 1);
    taken?.held?.release();
  }

  #pump(): void {
    if (this.#isSending) return;
    this.#leaving ??= this.#begin();
    if (this.#leaving === null) return;
    this.#sendPiece(this.#leaving);
    if (this.#socket.bufferedAmount > 0 && this.#stuckTimer === null) {
      this.#stuckTimer = setTimeout(() => this.#options.onStuck(), this.#options.limits.stuckMs);
      this.#stuckTimer.unref();
    }
  }

  #begin(): Leaving | null {
    const first = this.#waiting.shift();
    if (first === undefined) return null;
    const pieces = buffers(this.#print(first.frame));
    const next = pieces.next();
    return { ...first, pieces, next: next.done === true ? Buffer.alloc(0) : next.value, turns: 0 };
  }

  #sendPiece(frame: Leaving): void {
    const piece = frame.next;
    const following = frame.pieces.next();
    const fin = following.done === true;
    if (fin) this.#leaving = null;
    else frame.next = following.value;
    this.#isSending = true;
    this.#socket.send(piece, { binary: false, fin }, (error) => {
      this.#isSending = false;
      if (error) {
        frame.held?.release();
        return;
      }
      // Data that fits the local buffers is sent at once, even if the peer is gone.
      if (this.#stuckTimer !== null) this.#options.onTaken();
      this.#stopTimer();
      for (const { held } of [frame, ...this.#waiting]) held?.progress();
      if (!fin) {
        // Other work runs before the next piece is printed.
        void nextTurn(++frame.turns).then(() => this.#pump());
        return;
      }
      frame.held?.release();
      frame.sent?.();
      this.#pump();
    });
  }

  #print(frame: OutgoingFrame): TextPieces {
    if (frame.kind === "problem") return [JSON.stringify(frame)];
    const seq = this.#nextSeq(frame);
    if (frame.kind === "facets" || frame.kind === "what-changed")
      return [JSON.stringify({ ...frame, seq }, bigintAsText)];
    const { kind, id, tile, ...result } = frame;
    return printJson(result, { seq, kind, id, ...(tile === undefined ? {} : { tile }) });
  }

  #nextSeq(frame: OutgoingFrame): number {
    let seqs = this.#seqs.get(frame.id);
    if (seqs === undefined) {
      seqs = new Map();
      this.#seqs.set(frame.id, seqs);
    }
    const seq = (seqs.get(frameKey(frame)) ?? 0) + 1;
    seqs.set(frameKey(frame), seq);
    return seq;
  }

  #stopTimer(): void {
    if (this.#stuckTimer !== null) clearTimeout(this.#stuckTimer);
    this.#stuckTimer = null;
  }
}

function* buffers(texts: TextPieces): Generator<Buffer, undefined> {
  for (const text of texts) {
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += pieceBytes)
      yield bytes.subarray(from, from + pieceBytes);
  }
  return undefined;
}
