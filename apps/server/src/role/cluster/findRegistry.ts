import { setTimeout as pause } from "node:timers/promises";
import { apiBase } from "@hadal/sdk";
import { systemErrorText } from "../../base/file/systemErrorText.js";
import { askForRegistry, openRegistryOffer } from "../../cluster/key/registryOffer.js";
import { JoinRefused } from "../../registry/member/members.js";

const availableMsMax = 15_000;
const retryMs = 500;
const answerMsMax = 5_000;

/**
 * The PostgreSQL of the cluster, from `--join`: itself, or by way of a gateway's URL. Rejects with
 * {@link JoinRefused}.
 */
export async function findRegistry(
  join: string | null,
  key: string,
  warn: (text: string) => void,
): Promise<string | null> {
  if (join === null || !/^https?:/.test(join)) return join;
  const deadline = performance.now() + availableMsMax;
  for (let tries = 0; ; tries++) {
    try {
      return await askGateway(join, key);
    } catch (error) {
      if (error instanceof JoinRefused) throw error;
      const away = `${join} cannot be reached: ${reasonOf(error)}`;
      if (performance.now() > deadline) throw new JoinRefused(`${away}.`);
      if (tries === 0) warn(`${away}; it is tried for ${availableMsMax / 1_000} s`);
      await pause(retryMs);
    }
  }
}

async function askGateway(join: string, key: string): Promise<string> {
  const asked = askForRegistry(key);
  const reply = await fetch(new URL(`${apiBase}/cluster/registry`, join), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(asked),
    signal: AbortSignal.timeout(answerMsMax),
  });
  const answer = (await reply.json().catch(() => null)) as Record<string, unknown> | null;
  const { sealed, detail } = answer ?? {};
  if (reply.ok && typeof sealed === "string") {
    try {
      return openRegistryOffer(key, asked, sealed);
    } catch {
      throw new JoinRefused(`${join} has another key; all members have the same one.`);
    }
  }
  if (typeof detail === "string") throw new JoinRefused(`${join} refuses: ${detail}`);
  throw new JoinRefused(`${join} is no gateway of a Hadal cluster (it answered ${reply.status}).`);
}

/** `fetch` hides the reason in its cause. */
const reasonOf = (error: unknown): string =>
  systemErrorText((error as { readonly cause?: unknown }).cause ?? error);
