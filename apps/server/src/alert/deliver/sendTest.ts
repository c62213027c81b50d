import { randomUUID } from "node:crypto";
import type { AlertChannel, AlertMessage, Query } from "@hadal/sdk";
import type { ChannelMeans } from "../channel/channelKind.js";
import { sendToChannel } from "../channel/channelKinds.js";

export interface TestOptions {
  readonly ruleId: string;
  readonly title: string;
  readonly query: Query;
  /** The whole address of the rule's page. */
  readonly link: string;
  readonly means: ChannelMeans;
}

/** Sends one message that says that it is a test, once. Rejects as channels do. */
export async function sendTest(
  channel: AlertChannel,
  { ruleId, title, query, link, means }: TestOptions,
): Promise<void> {
  const nowMs = means.nowMs();
  const message: AlertMessage = {
    // Over: whatever it opens at the receiver's is closed by the same id.
    ...{ state: "ok", ruleId, title: `Test of ${title}`, text: "This is a test." },
    ...{ value: null, interval: null, group: null, groupColumns: [], groups: [], groupCount: 0 },
    ...{ since: nowMs, completeness: null, fromMs: nowMs, toMs: nowMs, query, link },
    repetition: 0,
  };
  const id = `test-${randomUUID()}`;
  await sendToChannel({ key: id, id, message, link, image: null, finds: [] }, channel, means);
}

/** Why a test did not arrive; null: the receiver has taken it. */
export async function testError(
  channel: AlertChannel,
  options: TestOptions,
): Promise<string | null> {
  try {
    await sendTest(channel, options);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
