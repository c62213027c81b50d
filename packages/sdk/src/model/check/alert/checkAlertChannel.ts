import { alertChannelKinds, alertRecipientsMax } from "../../alert/alert.js";
import {
  checkKeys,
  checkList,
  checkObject,
  type JsonObject,
  joinPath,
  kindOf,
  type ProblemList,
} from "../../problem/problemList.js";

const urlUnitsMax = 2_000;
const textUnitsMax = 500;

/** The keys of each kind, and what checks them. A secret may be left out: then it is kept. */
const kinds: Readonly<
  Record<
    (typeof alertChannelKinds)[number],
    (channel: JsonObject, path: string, problems: ProblemList) => void
  >
> = {
  webhook(channel, path, problems) {
    checkKeys(channel, path, ["kind", "url", "secret"], problems);
    checkUrl(channel.url, joinPath(path, "url"), problems);
    checkText(channel.secret, joinPath(path, "secret"), problems);
  },
  slack: checkPostUrl,
  teams: checkPostUrl,
  email(channel, path, problems) {
    checkKeys(channel, path, ["kind", "to"], problems);
    const toPath = joinPath(path, "to");
    const to = checkList(channel.to, toPath, alertRecipientsMax, problems);
    if (to?.length === 0) problems.add(toPath, "missing", "An e-mail has at least one address.");
    for (const [i, address] of (to ?? []).entries()) {
      if (typeof address === "string" && isAddress(address)) continue;
      const detail = `An address looks like ann@example.com; found ${kindOf(address)}.`;
      problems.add(`${toPath}[${i}]`, "type-mismatch", detail);
    }
  },
  pagerduty(channel, path, problems) {
    checkKeys(channel, path, ["kind", "routingKey"], problems);
    checkText(channel.routingKey, joinPath(path, "routingKey"), problems);
  },
};

export function checkAlertChannel(value: unknown, path: string, problems: ProblemList): void {
  const channel = checkObject(value, path, problems);
  if (channel === null) return;
  const kind = alertChannelKinds.find((one) => one === channel.kind);
  if (kind !== undefined) {
    kinds[kind](channel, path, problems);
    return;
  }
  const detail = `kind is one of ${alertChannelKinds.join(", ")}; found ${kindOf(channel.kind)}.`;
  const code = channel.kind === undefined ? "missing" : "unknown-value";
  problems.add(joinPath(path, "kind"), code, detail);
}

function checkPostUrl(channel: JsonObject, path: string, problems: ProblemList): void {
  checkKeys(channel, path, ["kind", "url"], problems);
  // It is a secret as a whole: left out it is kept.
  if (channel.url !== undefined) checkUrl(channel.url, joinPath(path, "url"), problems);
}

/** Where it leads is checked when it is saved, by the server. */
function checkUrl(value: unknown, path: string, problems: ProblemList): void {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : null;
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  if (isWeb && (value as string).length <= urlUnitsMax) return;
  const code = value === undefined ? "missing" : "type-mismatch";
  problems.add(path, code, `Expected an address such as https://example.com/hook.`);
}

function checkText(value: unknown, path: string, problems: ProblemList): void {
  if (value === undefined) return;
  if (typeof value === "string" && value !== "" && value.length <= textUnitsMax) return;
  const detail = `Expected a text of up to ${textUnitsMax} characters, found ${kindOf(value)}.`;
  problems.add(path, "type-mismatch", detail);
}

/** One recipient: without spaces, lists and line breaks, which would be further headers. */
const isAddress = (text: string): boolean =>
  text.length <= textUnitsMax && /^[^\s@,;<>"()\p{Cc}]+@[^\s@,;<>"()\p{Cc}]+$/u.test(text);
