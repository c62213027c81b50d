import { bigintAsText, isFinal, type ServerFrame, type WithoutSeq } from "@hadal/sdk";
import type { WebSocket } from "ws";
import type { LiveLimits } from "./deps.js";
import { printable } from "./resultFormats.js";

/** A frame before it has its number in the sequence. */
export type OutgoingFrame = WithoutSeq<ServerFrame>;

/** A frame leaves in pieces of this size, one after the other, so that it shows whether the peer takes them: 20 s for each are 13 KB/s. */
const pieceBytes = 262_144;

/** Partials replace one another: only a peer that asks and does not read has so many waiting. */
const waitingMax = 1_000;

interface Waiting {
  readonly frame: OutgoingFrame;
  readonly sent: (() => void) | undefined;
}

/** A frame of which some pieces have left, or none. */
interface Leaving {
  readonly bytes: Buffer;
  sentBytes: number;
  readonly sent: (() => void) | undefined;
}

/**
 * The way out of one live socket. While the peer reads slowly, frames wait here and a partial is replaced by the next
 * one of its query, so that memory stays bounded; a peer that reads nothing at all is closed, one that goes on reading
 * is not, however long its answer takes.
 */
export class FrameOutlet {
  private readonly waiting: Waiting[] = [];
  private readonly seqs = new Map<string, number>();
  private leaving: Leaving | null = null;
  private stuckTimer: NodeJS.Timeout | null = null;

  constructor(
    private readonly socket: WebSocket,
    private readonly limits: LiveLimits,
    private readonly onStuck: () => void,
    /** The peer has taken something. */
    private readonly onTaken: () => void,
  ) {}

  /** `sent` is called once the frame has left for the network. */
  push(frame: OutgoingFrame, sent?: () => void): void {
    const before = this.waiting.findIndex(
      ({ frame: other }) => other.id === frame.id && other.kind !== "problem" && !isFinal(other),
    );
    if (before >= 0) this.waiting.splice(before, 1);
    else if (this.waiting.length === waitingMax) {
      this.onStuck();
      return;
    }
    this.waiting.push({ frame, sent });
    this.pump();
  }

  /** Takes back what waits for a query, and begins its numbers anew. */
  forget(id: string): void {
    for (let i = this.waiting.length - 1; i >= 0; i--) {
      if (this.waiting[i]!.frame.id === id) this.waiting.splice(i, 1);
    }
    this.seqs.delete(id);
  }

  close(): void {
    this.waiting.length = 0;
    this.leaving = null;
    this.stopTimer();
  }

  private pump(): void {
    while (this.hasRoom()) {
      this.leaving ??= this.next();
      if (this.leaving === null) break;
      this.sendPiece(this.leaving);
    }
    if (this.socket.bufferedAmount > 0 && this.stuckTimer === null) {
      this.stuckTimer = setTimeout(() => this.onStuck(), this.limits.stuckMs);
      this.stuckTimer.unref();
    }
  }

  private next(): Leaving | null {
    const first = this.waiting.shift();
    if (first === undefined) return null;
    return { bytes: Buffer.from(this.print(first.frame)), sentBytes: 0, sent: first.sent };
  }

  private sendPiece(frame: Leaving): void {
    const { bytes, sentBytes, sent } = frame;
    const piece = bytes.subarray(sentBytes, sentBytes + pieceBytes);
    frame.sentBytes += piece.length;
    const fin = frame.sentBytes === bytes.length;
    if (fin) this.leaving = null;
    this.socket.send(piece, { binary: false, fin }, (error) => {
      if (error) return;
      // What fits the buffers of this side leaves at once, whether or not anyone is there to take it.
      if (this.stuckTimer !== null) this.onTaken();
      this.stopTimer();
      if (fin) sent?.();
      this.pump();
    });
  }

  private hasRoom(): boolean {
    return this.socket.bufferedAmount < this.limits.bufferedBytesMax;
  }

  private print(frame: OutgoingFrame): string {
    if (frame.kind === "problem") return JSON.stringify(frame);
    const seq = (this.seqs.get(frame.id) ?? 0) + 1;
    this.seqs.set(frame.id, seq);
    if (frame.kind === "facets" || frame.kind === "what-changed")
      return JSON.stringify({ ...frame, seq }, bigintAsText);
    return `{"seq":${seq},${JSON.stringify(printable(frame)).slice(1)}`;
  }

  private stopTimer(): void {
    if (this.stuckTimer !== null) clearTimeout(this.stuckTimer);
    this.stuckTimer = null;
  }
}
