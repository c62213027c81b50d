import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { parseAddressRange } from "../../access/egress/addressRanges.js";
import { Egress, type EgressOptions } from "../../access/egress/egress.js";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a receiver answers; `hang`: nothing, ever. */
export type ReceiverAnswer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly text?: string;
    }
  | "hang";

export interface WebReceiver {
  readonly url: string;
  readonly received: Received[];
  /** Changes what it answers from now on. */
  answer: (request: Received) => ReceiverAnswer;
  close(): void;
}

/** A real HTTP server, which takes everything until it is asked for something else. */
export async function startWebReceiver(): Promise<WebReceiver> {
  const received: Received[] = [];
  const server: Server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { url: path = "", headers } = request;
    const one = { path, headers, body: Buffer.concat(parts).toString("utf8") };
    received.push(one);
    const answer = receiver.answer(one);
    if (answer !== "hang") response.writeHead(answer.status, answer.headers).end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: WebReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: () => ({ status: 200 }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

/** An egress that may send to receivers of tests. */
export function egressToTests(options: Partial<EgressOptions> = {}): Egress {
  const loopback = parseAddressRange("127.0.0.0/8");
  if (loopback === null) throw new Error("127.0.0.0/8 is a range");
  return new Egress({ allowed: [loopback], ...options });
}

export interface MailReceiver {
  readonly port: number;
  readonly mails: { readonly to: readonly string[]; readonly text: string }[];
  close(): Promise<void>;
}

/** A real mail server without sign-in; refuses what is for `refused@…`. */
export async function startMailReceiver(port = 0): Promise<MailReceiver> {
  const mails: MailReceiver["mails"] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _session, done) => {
      if (address.startsWith("refused@"))
        return done(Object.assign(new Error("no such mailbox"), { responseCode: 550 }));
      done();
    },
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, text: Buffer.concat(parts).toString("utf8") });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const chosen = (server.server.address() as AddressInfo).port;
  return {
    ...{ port: chosen, mails },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
