import { type AlertChannel, alertMask, HadalError, type ProblemPart } from "@hadal/sdk";

/** What reaches each kind of channel and is never returned; null: nothing. */
const secretKeys: Readonly<Record<AlertChannel["kind"], string | null>> = {
  ...{ webhook: "secret", slack: "url", teams: "url", pagerduty: "routingKey", email: null },
};

/** Secrets by the place of their channel. */
export type ChannelSecrets = Readonly<Record<string, string>>;

/** Channels as answers have them, and their secrets apart. */
export interface KeptChannels {
  readonly channels: readonly AlertChannel[];
  readonly secrets: ChannelSecrets;
}

/**
 * Takes the secrets out of channels; one that is masked or left out is that of the same channel before. Throws
 * `invalid-query` where there is none and the channel needs it.
 */
export function splitSecrets(given: readonly AlertChannel[], before: KeptChannels): KeptChannels {
  const secrets: Record<string, string> = {};
  const problems: ProblemPart[] = [];
  const channels = given.map((channel, i): AlertChannel => {
    const key = secretKeys[channel.kind];
    if (key === null) return channel;
    const value = textOf(channel, key);
    const secret = value === null || isMask(value) ? keptSecret(channel, key, i, before) : value;
    if (secret !== null) {
      secrets[i] = secret;
      return { ...channel, [key]: maskOf(key, secret) } as AlertChannel;
    }
    if (value !== null || channel.kind !== "webhook") {
      const path = `body.channels[${i}].${key}`;
      problems.push({ path, code: "missing", detail: `${path} has to be given: none is kept.` });
    }
    return channel;
  });
  const [first] = problems;
  if (first === undefined) return { channels, secrets };
  throw new HadalError("invalid-query", { detail: String(first.detail), more: "" }, problems);
}

/** The channel as it is reached. */
export function withSecret(channel: AlertChannel, place: number, secrets: ChannelSecrets) {
  const key = secretKeys[channel.kind];
  const secret = secrets[place];
  if (key === null || secret === undefined) return channel;
  return { ...channel, [key]: secret } as AlertChannel;
}

/** Of the channel in the same place, or of one elsewhere that shows the same. */
function keptSecret(
  channel: AlertChannel,
  key: string,
  place: number,
  { channels, secrets }: KeptChannels,
): string | null {
  const shown = textOf(channel, key);
  const isSame = (other: AlertChannel | undefined): boolean =>
    other?.kind === channel.kind &&
    (key !== "url" || shown === null || textOf(other, key) === shown);
  if (isSame(channels[place])) return secrets[place] ?? null;
  const found = channels.findIndex(
    (other) => isSame(other) && (key === "url" || textOf(other, "url") === textOf(channel, "url")),
  );
  return secrets[found] ?? null;
}

const isMask = (text: string): boolean => text === alertMask || text.endsWith(`/${alertMask}`);

/** Of an address its host may be shown. */
const maskOf = (key: string, secret: string): string =>
  key === "url" ? `${new URL(secret).origin}/${alertMask}` : alertMask;

function textOf(channel: AlertChannel, key: string): string | null {
  const value: unknown = Reflect.get(channel, key);
  return typeof value === "string" ? value : null;
}
