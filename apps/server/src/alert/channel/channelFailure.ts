/** Why a message did not get there. */
export class ChannelFailure extends Error {
  /** Whether the same message may be taken later. */
  readonly isFinal: boolean;
  /** The receiver's own wish; null: it has none. */
  readonly retryAfterMs: number | null;

  constructor(
    text: string,
    {
      isFinal = false,
      retryAfterMs = null,
    }: Partial<Pick<ChannelFailure, "isFinal" | "retryAfterMs">> = {},
  ) {
    super(text);
    this.isFinal = isFinal;
    this.retryAfterMs = retryAfterMs;
  }
}
