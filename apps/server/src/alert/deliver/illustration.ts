import type { AlertMessage } from "@hadal/sdk";

/** Of a PNG: mail and webhooks carry it whole, a third longer as text. */
const imageBytesMax = 524_288;
/** A message is worth more than its picture. */
const illustrationMsMax = 10_000;

export interface Illustration {
  /** A PNG of the message's query; null: there is none. */
  readonly image: Uint8Array | null;
  /** What differs most from before, in words. */
  readonly finds: readonly string[];
}

/** With the rights of the rule's owner. */
export type Illustrate = (message: AlertMessage, signal: AbortSignal) => Promise<Illustration>;

const nothing: Illustration = { image: null, finds: [] };

/** What fails, takes too long or is too large is left out: the message goes all the same. */
export async function illustrationInTime(
  illustrate: Illustrate,
  message: AlertMessage,
): Promise<Illustration> {
  const signal = AbortSignal.timeout(illustrationMsMax);
  const late = new Promise<Illustration>((resolve) => {
    signal.addEventListener("abort", () => resolve(nothing), { once: true });
  });
  const { image, finds } = await Promise.race([
    illustrate(message, signal).catch(() => nothing),
    late,
  ]);
  return { image: image === null || image.length > imageBytesMax ? null : image, finds };
}
