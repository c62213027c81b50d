import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { TLSSocket } from "node:tls";

/** How a request reached the server: as the client sees it, also through proxies that are trusted. */
export interface Reached {
  /** Of the client. */
  readonly address: string;
  /** With the port, as the client's `Host` named it. */
  readonly host: string;
  readonly protocol: "http" | "https";
  /** Whether the last hop is a trusted proxy. */
  readonly isByProxy: boolean;
}

/** What `X-Forwarded-…` of a request says counts only where it comes from one of these; of others it is ignored. */
export class Proxies {
  readonly #trusted = new BlockList();

  /** Addresses, and ranges such as `10.0.0.0/8`; checked before (`isCidr`). */
  constructor(cidrs: readonly string[]) {
    for (const cidr of cidrs) {
      const [address = "", bits] = cidr.split("/");
      const family = isIP(address) === 6 ? "ipv6" : "ipv4";
      if (bits === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(bits), family);
    }
  }

  trusts(address: string): boolean {
    const own = withoutPrefix(address);
    const family = isIP(own);
    return family !== 0 && this.#trusted.check(own, family === 6 ? "ipv6" : "ipv4");
  }

  reached({ socket, headers }: Pick<IncomingMessage, "socket" | "headers">): Reached {
    const peer = withoutPrefix(socket.remoteAddress ?? "");
    const host = headers.host ?? "";
    const protocol = (socket as TLSSocket).encrypted === true ? "https" : "http";
    if (!this.trusts(peer)) return { address: peer, host, protocol, isByProxy: false };
    const stated = lastOf(headers["x-forwarded-proto"]);
    return {
      address: this.#client(peer, listOf(headers["x-forwarded-for"])),
      host: lastOf(headers["x-forwarded-host"]) ?? host,
      protocol: stated === "https" || stated === "http" ? stated : protocol,
      isByProxy: true,
    };
  }

  /** The last address that is not a trusted proxy: those before it are what the client wrote. */
  #client(peer: string, forwarded: readonly string[]): string {
    let client = peer;
    for (const address of forwarded.toReversed()) {
      if (isIP(address) === 0) break;
      client = withoutPrefix(address);
      if (!this.trusts(client)) break;
    }
    return client;
  }
}

/** A socket for both families has the IPv4 addresses of its peers as `::ffff:127.0.0.1`. */
function withoutPrefix(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}

function listOf(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === "object" ? header.join(",") : (header ?? "");
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** What the nearest proxy wrote. */
function lastOf(header: string | readonly string[] | undefined): string | undefined {
  return listOf(header).at(-1);
}
