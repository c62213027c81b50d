import { HadalError } from "@hadal/sdk";

/** Longer ones are no webhook's. */
const urlLengthMax = 2_048;

/**
 * The address as browsers read it: `0x7f.1`, `2130706433` and `127。0。0。1` all become 127.0.0.1. Throws
 * `egress-refused` where it is not one of HTTP, or has a name or password.
 */
export function parseEgressUrl(text: string): URL {
  if (text.length > urlLengthMax) throw refused(`It is longer than ${urlLengthMax} characters.`);
  // URL drops line ends and tabs, so that the text would be another address than it seems.
  if (/[\p{Cc}\s\\]/u.test(text)) throw refused("It has spaces, control signs or backslashes.");
  if (!URL.canParse(text)) throw refused("It is not an address such as https://host/path.");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw refused(`It starts with ${url.protocol} and not with https: or http:.`);
  if (url.username !== "" || url.password !== "")
    throw refused("It has a name or password; use the secret of the channel.");
  return url;
}

/** Of a URL: without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** The path is left out: those of many webhooks are a secret. */
export function refused(reason: string, url?: URL): HadalError {
  const where = url === undefined ? "" : ` ${url.host}`;
  return new HadalError("egress-refused", {
    detail: `The address${where} is not sent to. ${reason}`,
  });
}
