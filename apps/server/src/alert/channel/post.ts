import { HadalError } from "@hadal/sdk";
import type { Egress } from "../../access/egress/egress.js";
import type { EgressAnswer } from "../../access/egress/egressAnswer.js";
import { ChannelFailure } from "./channelFailure.js";
import type { ChannelMeans } from "./channelKind.js";

interface Posted {
  readonly url: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends JSON; a 2xx is a receipt, everything else a failure. Rejects as {@link ChannelKind} says. */
export async function post(
  { url, body, headers = {} }: Posted,
  { egress, nowMs }: Pick<ChannelMeans, "egress" | "nowMs">,
): Promise<void> {
  const answer = await answerOf(egress, {
    ...{ url, body },
    headers: { ...headers, "content-type": "application/json", "user-agent": "Hadal" },
  });
  const { status, retryAfter } = answer;
  if (status >= 200 && status < 300) return;
  throw new ChannelFailure(reasonOf(answer), {
    isFinal: isFinalStatus(status),
    retryAfterMs: delayOf(retryAfter, nowMs()),
  });
}

/** Of a channel's address; without what comes after the host, which may be a secret. */
export const hostOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).host : "not an address";

async function answerOf(
  egress: Egress,
  request: Parameters<Egress["post"]>[0],
): Promise<EgressAnswer> {
  try {
    return await egress.post(request);
  } catch (error) {
    // Another attempt would not be allowed either.
    if (error instanceof HadalError)
      throw new ChannelFailure(`${error.code}: ${error.message}`, { isFinal: true });
    throw error;
  }
}

/** What is wrong with the message itself: it would be the same the next time. Others may be an address that moves. */
const finalStatuses: ReadonlySet<number> = new Set([400, 410, 411, 413, 414, 415, 422]);
const isFinalStatus = (status: number): boolean => finalStatuses.has(status);

/** Of an answer, for people who look for what is wrong. */
const shownMax = 200;

function reasonOf({ status, text }: EgressAnswer): string {
  if (status >= 300 && status < 400) return `it answered ${status}; redirects are not followed`;
  const shown = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return `it answered ${status}${shown === "" ? "" : `: ${shown.slice(0, shownMax)}`}`;
}

/** `Retry-After` in seconds or as a date. */
function delayOf(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
