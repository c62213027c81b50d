import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { HadalError } from "@hadal/sdk";

/** Each throws `origin-refused`. */
export interface OriginCheck {
  /** For a request that another page's script may have sent. */
  readonly whole: (request: IncomingMessage) => void;
  /** For one whose answer a page could read that points its own name here. */
  readonly host: (request: IncomingMessage) => void;
}

/**
 * Lets a request pass when its Host is this server's own and its Origin, if it has one, is that host. A page that
 * points its own name at this address (DNS rebinding) has that name as Host; addresses cannot be pointed elsewhere.
 */
export function createOriginCheck(host: string, hostsAllowed: readonly string[] = []): OriginCheck {
  const allowed = new Set(hostsAllowed.map((name) => name.toLowerCase()));
  const names = new Set(["localhost", host.toLowerCase(), ...allowed]);
  const checkHost = ({ headers }: IncomingMessage): URL => {
    const hostText = headers.host ?? "";
    const hostUrl = parseHost(`http://${hostText}`);
    if (hostUrl === null || !(names.has(hostUrl.hostname) || isAddress(hostUrl.hostname))) {
      throw new HadalError("origin-refused", {
        origin: `Host ${JSON.stringify(hostText.slice(0, 255))}`,
      });
    }
    return hostUrl;
  };
  return {
    host: checkHost,
    whole(request) {
      const hostUrl = checkHost(request);
      const { origin } = request.headers;
      if (origin === undefined) return;
      const originUrl = parseHost(origin);
      const own = originUrl !== null && originUrl.host === hostUrl.host;
      if (!own && !(originUrl !== null && allowed.has(originUrl.hostname))) {
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
