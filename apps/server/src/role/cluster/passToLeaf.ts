import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";

const pathPattern = /^\/leaf\/([a-z0-9-]{1,100})$/;

/** The path of a leaf behind its machine's address. */
export const leafPath = (leafId: string): string => `leaf/${leafId}`;

/**
 * Passes connections for `/leaf/ID` on to the leaf, byte by byte: one port is open on each machine. The
 * leaf checks the key itself. Returns whether the connection is for a leaf.
 */
export function passToLeaf(
  addressOf: (leafId: string) => string | null,
): (request: IncomingMessage, wire: Duplex, head: Buffer) => boolean {
  return (request, wire, head) => {
    if (request.url === "/") return false;
    const leafId = pathPattern.exec(request.url ?? "")?.[1];
    const address = leafId === undefined ? null : addressOf(leafId);
    if (address === null) {
      wire.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
      return true;
    }
    const [host, port] = address.split(":") as [string, string];
    const far = connect(Number(port), host, () => {
      far.setNoDelay(true);
      far.write(printUpgrade(request));
      far.write(head);
      wire.pipe(far);
      far.pipe(wire);
    });
    const end = (): void => {
      far.destroy();
      wire.destroy();
    };
    for (const one of [far, wire]) one.on("error", end).on("close", end);
    return true;
  };
}

function printUpgrade({ rawHeaders }: IncomingMessage): string {
  const lines = ["GET / HTTP/1.1"];
  for (let i = 0; i < rawHeaders.length; i += 2)
    lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}
