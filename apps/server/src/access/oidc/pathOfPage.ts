import { HadalError } from "@hadal/sdk";

/** A cookie holds 4 KB, encrypted and with the rest of a sign-in. */
const pathUnitsMax = 1_500;

/**
 * The path of the page to go to after a sign-in. Throws `bad-request` for what a browser could take for another site; a
 * path that is too long becomes the start page.
 */
export function pathOfPage(to: string): string {
  const base = "http://page.invalid";
  // Browsers read \ as / and leave out tabs and line ends.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is those that are refused
  const isPath = /^\/(?![/\\])[^\\\u0000-\u0020\u007f]*$/.test(to);
  if (!isPath || !URL.canParse(to, base) || new URL(to, base).origin !== base) {
    const detail = "to is a path of this server's page, such as /explore.";
    throw new HadalError("bad-request", { detail }, [{ path: "to", code: "invalid", detail }]);
  }
  const { pathname, search, hash } = new URL(to, base);
  // `/./\/host` and the like are normalized by now; what is left is compared again.
  if (pathname.startsWith("//") || pathname.startsWith("/api/")) return "/";
  const path = pathname + search + hash;
  return path.length > pathUnitsMax ? "/" : path;
}
