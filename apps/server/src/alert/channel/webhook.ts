import { createHmac } from "node:crypto";
import type { ChannelKind, ChannelOf, OutgoingMessage } from "./channelKind.js";
import { linksOf } from "./messageLines.js";
import { hostOf, post } from "./post.js";

/** JSON for programs (INTERFACE 12); signed where there is a secret. */
export const webhook: ChannelKind<ChannelOf<"webhook">> = {
  check: ({ url }, { egress }) => egress.check(url),
  receiver: ({ url }) => hostOf(url),
  address: ({ url }) => url,
  send(message, { url, secret }, means) {
    const body = JSON.stringify(bodyOf(message));
    const seconds = Math.floor(means.nowMs() / 1_000);
    const signature = secret === undefined ? {} : signatureOf(secret, seconds, body);
    return post({ url, body, headers: { "x-hadal-delivery": message.key, ...signature } }, means);
  },
};

function bodyOf(outgoing: OutgoingMessage): object {
  const { id, message, link, image, finds } = outgoing;
  const { state, title, text, value, interval, completeness, group, groups, unit } = message;
  return {
    ...{ id, state, title, text, value, interval, completeness, link },
    ...(unit !== undefined && { unit }),
    actions: linksOf(outgoing).slice(1),
    image: image === null ? null : `data:image/png;base64,${Buffer.from(image).toString("base64")}`,
    ...{ finds, group, groupColumns: message.groupColumns, groups },
    ...{ groupCount: message.groupCount, ruleId: message.ruleId, since: message.since },
    ...{ fromMs: message.fromMs, toMs: message.toMs, repetition: message.repetition },
  };
}

/** The time is signed, too: a receiver can refuse a message that is sent again by someone else later. */
function signatureOf(
  secret: string,
  seconds: number,
  body: string,
): Readonly<Record<string, string>> {
  const sum = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return { "x-hadal-signature": `t=${seconds},v1=${sum}` };
}
