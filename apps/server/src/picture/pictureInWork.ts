import { HadalError } from "@hadal/sdk";
import type { MessageToThread, PictureQuestion } from "./pictureMessages.js";
import type { PictureSource } from "./pictureOrder.js";

export interface OrderOptions {
  readonly source: PictureSource;
  /** Who wants it: each has a number of pictures at once. */
  readonly client: string;
  /** Aborted: nothing waits for the picture any more. */
  readonly signal: AbortSignal;
}

type Reply =
  Exclude<MessageToThread, { kind: "draw" }> extends infer One
    ? One extends unknown
      ? Omit<One, "id">
      : never
    : never;

/** One picture that the thread draws, and the questions it has about it. */
export class PictureInWork {
  readonly bytes: Promise<Uint8Array>;
  readonly #source: PictureSource;
  readonly #post: (reply: Reply) => void;
  readonly #open = new Set<number>();
  #resolve: (bytes: Uint8Array) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(
    { source, signal }: Pick<OrderOptions, "source" | "signal">,
    post: (reply: Reply) => void,
  ) {
    this.#source = source;
    this.#post = post;
    this.bytes = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    signal.addEventListener("abort", () => this.end(new HadalError("cancelled")));
    if (signal.aborted) this.end(new HadalError("cancelled"));
  }

  /** Whether it waits for answers. */
  get isAsking(): boolean {
    return this.#open.size > 0;
  }

  async answer(call: number, { method, argument }: PictureQuestion): Promise<void> {
    this.#open.add(call);
    try {
      const value = await this.#source[method](argument as never);
      this.#settle(call, { kind: "answer", call, value });
    } catch (error) {
      if (error instanceof HadalError) this.#refuse(call, error);
      else this.end(error);
    }
  }

  drawn(bytes: Uint8Array): void {
    this.#resolve(bytes);
  }

  /** What the thread still does for it ends with its next answer. */
  end(error: unknown): void {
    this.#reject(error);
    for (const call of this.#open) this.#refuse(call, new HadalError("cancelled"));
  }

  #refuse(call: number, error: HadalError): void {
    this.#settle(call, { kind: "refusal", call, problem: error.toProblem() });
  }

  #settle(call: number, reply: Reply): void {
    if (this.#open.delete(call)) this.#post(reply);
  }
}
