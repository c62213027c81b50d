import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { HadalError } from "@hadal/sdk";

/** Longer than any password or token. */
const secretBytesMax = 65_536;

/** What is given by standard input, without the line end of `echo`. */
export async function readSecret(input: AsyncIterable<Buffer | string>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of input) {
    parts.push(Buffer.from(part));
    bytes += part.length;
    if (bytes <= secretBytesMax) continue;
    const detail = `Standard input has more than ${secretBytesMax} bytes: that is no password or token.`;
    throw new HadalError("bad-request", { detail });
  }
  return Buffer.concat(parts)
    .toString()
    .replace(/\r?\n$/, "");
}

/** Asks a person at a terminal; what is typed is not shown. */
export async function askSecret(question: string): Promise<string> {
  process.stderr.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: unseen, terminal: true });
  try {
    return (await prompt.question("")).trim();
  } finally {
    prompt.close();
    process.stderr.write("\n");
  }
}
