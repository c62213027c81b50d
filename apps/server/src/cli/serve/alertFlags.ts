import { parseAddressRange } from "../../access/egress/addressRanges.js";
import type { AlertSettings } from "../../base/limit/alertSettings.js";
import { checkText, type Find, type Found, flag, refused, type ServeFlag } from "./serveFlag.js";

/** How messages of alerts leave the server. */
export const alertFlags: readonly ServeFlag[] = [
  flag(
    "webhooksAllow",
    "--webhooks-allow <ranges>",
    "addresses and ranges (10.0.0.0/8), with commas between, that webhooks of alerts may go to although they are not public",
    "none",
  ),
  flag(
    "smtpUrl",
    "--smtp-url <url>",
    "mail server of alerts: smtp://name:password@host:587?from=alerts@example.com; smtps:// encrypts from the start",
    "none",
  ),
  flag(
    "publicUrl",
    "--public-url <url>",
    "address by which people reach this server, for links in messages",
    "where it listens",
  ),
];

export function checkAlerts(find: Find): AlertSettings {
  return {
    webhooksAllow: checkRanges(find("webhooksAllow")),
    smtpUrl: checkSmtpUrl(find("smtpUrl")),
    publicUrl: checkPublicUrl(find("publicUrl")),
  };
}

function checkRanges(found: Found | null): readonly string[] {
  const ranges = checkText(found, "")
    .split(",")
    .map((range) => range.trim())
    .filter((range) => range !== "");
  const wrong = ranges.find((range) => parseAddressRange(range) === null);
  if (wrong === undefined) return ranges;
  throw refused(
    `${found?.source} are addresses and ranges such as 10.0.0.0/8,fd00::/8; found ${JSON.stringify(wrong)}.`,
  );
}

function checkSmtpUrl(found: Found | null): string | null {
  if (found === null) return null;
  const { value, source } = found;
  if (typeof value === "string" && URL.canParse(value)) {
    const { protocol, hostname } = new URL(value);
    if (["smtp:", "smtps:"].includes(protocol) && hostname !== "") return value;
  }
  // Not the value: it may have a password.
  throw refused(
    `${source} is an address such as smtp://name:password@mail.example.com:587?from=alerts@example.com.`,
  );
}

function checkPublicUrl(found: Found | null): string | null {
  if (found === null) return null;
  const { value, source } = found;
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : null;
  const isWeb = url !== null && ["http:", "https:"].includes(url.protocol);
  if (isWeb && url.username === "" && url.search === "" && url.hash === "")
    return url.href.replace(/\/+$/, "");
  throw refused(
    `${source} is an address such as https://hadal.example.com; found ${JSON.stringify(value)}.`,
  );
}
