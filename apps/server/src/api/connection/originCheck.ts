import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { HadalError } from "@hadal/sdk";
import type { Reached } from "./proxies.js";

/** `whole` and `host` throw `origin-refused`. */
export interface OriginCheck {
  /** For a request that another page's script may have sent. */
  readonly whole: (reached: Reached, request: IncomingMessage) => void;
  /** For a request whose answer another page could read by DNS rebinding. */
  readonly host: (reached: Reached) => void;
  /** Whether a page of that origin is the server's own, or of a host that settings allow. */
  readonly isOwn: (reached: Reached, origin: string) => boolean;
}

/**
 * Accepts a request whose Host is a name or address of this server and whose Origin, if any, is that host. A page that
 * resolves its name to this address (DNS rebinding) has that name as Host.
 */
export function createOriginCheck(host: string, hostsAllowed: readonly string[] = []): OriginCheck {
  const allowed = new Set(hostsAllowed.map((name) => name.toLowerCase()));
  const names = new Set(["localhost", host.toLowerCase(), ...allowed]);
  const checkHost = ({ host: hostText, protocol }: Reached): URL => {
    const hostUrl = parseHost(`${protocol}://${hostText}`);
    if (hostUrl === null || !(names.has(hostUrl.hostname) || isAddress(hostUrl.hostname))) {
      throw new HadalError("origin-refused", {
        origin: `Host ${JSON.stringify(hostText.slice(0, 255))}`,
      });
    }
    return hostUrl;
  };
  const isOwn: OriginCheck["isOwn"] = (reached, origin) => {
    const hostUrl = checkHost(reached);
    const originUrl = parseHost(origin);
    if (originUrl === null) return false;
    return originUrl.host === hostUrl.host || allowed.has(originUrl.hostname);
  };
  return {
    host: checkHost,
    isOwn,
    whole(reached, { headers: { origin } }) {
      checkHost(reached);
      if (origin !== undefined && !isOwn(reached, origin)) {
        throw new HadalError("origin-refused", {
          origin: `Origin ${JSON.stringify(origin.slice(0, 255))}`,
        });
      }
    },
  };
}

function parseHost(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0;
}
