import type { IngestLimits } from "../base/ingestLimits.js";
import type { Sender } from "./fairOrder.js";
import { type BodyRoom, type IngestLoad, IngestMemory, smallBytesMax } from "./ingestMemory.js";
import { ReadTurns } from "./readTurns.js";

/** Takes bodies in: each in the memory that is left for it, large ones in turns. */
export class BodyIntake {
  private readonly turns = new ReadTurns();
  private readonly memory: IngestMemory;

  constructor(limits: IngestLimits) {
    this.memory = new IngestMemory(limits);
  }

  get load(): IngestLoad {
    return this.memory.load;
  }

  /** Refuses those that wait, and those that come. */
  stop(): void {
    this.memory.stop();
  }

  /** Gives back what the body held when the work is done. `declaredBytes`: its length; null where that is not known. */
  async run<Result>(
    client: string,
    declaredBytes: number | null,
    work: (body: TakenBody) => Promise<Result>,
  ): Promise<Result> {
    const room = this.memory.open(client, declaredBytes);
    try {
      return await work(new TakenBody(room, this.turns));
    } finally {
      room.close();
    }
  }
}

/** One body on its way in. */
export class TakenBody {
  constructor(
    private readonly room: BodyRoom,
    private readonly turns: ReadTurns,
  ) {}

  get sender(): Sender {
    return this.room.sender;
  }

  /**
   * Reads the whole body by `read`, which does its work between two blocks at once. `bytesOf`: what the outcome takes,
   * in place of the body.
   */
  async read<Rows>(
    body: AsyncIterable<Uint8Array>,
    read: (blocks: AsyncIterable<Uint8Array>) => Promise<Rows>,
    bytesOf: (rows: Rows) => number,
  ): Promise<Rows> {
    const turn = { isMine: false };
    try {
      const rows = await read(this.blocks(body, turn));
      this.room.keep(bytesOf(rows));
      return rows;
    } finally {
      if (turn.isMine) this.turns.leave();
    }
  }

  /** Does a piece of work that takes long when no block of another body is being read. */
  inTurn<Result>(work: () => Result): Promise<Result> {
    return this.turns.run(this.sender, work);
  }

  private async *blocks(
    body: AsyncIterable<Uint8Array>,
    turn: { isMine: boolean },
  ): AsyncGenerator<Uint8Array> {
    let bodyBytes = 0;
    for await (const bytes of body) {
      bodyBytes += bytes.length;
      // A small send never waits; of a large one what follows is counted before it comes.
      if (bodyBytes > smallBytesMax) await this.room.coverNext(bodyBytes);
      yield* this.asTurn(bytes, bodyBytes, turn);
    }
    // What is left is read at the end: that is a turn too.
    if (bodyBytes > smallBytesMax) await this.enter(turn);
  }

  private async *asTurn(
    bytes: Uint8Array,
    bodyBytes: number,
    turn: { isMine: boolean },
  ): AsyncGenerator<Uint8Array> {
    if (bodyBytes > smallBytesMax) await this.enter(turn);
    try {
      yield bytes;
    } finally {
      if (turn.isMine) this.turns.leave();
      turn.isMine = false;
    }
  }

  private async enter(turn: { isMine: boolean }): Promise<void> {
    await this.turns.enter(this.room.sender);
    turn.isMine = true;
  }
}
