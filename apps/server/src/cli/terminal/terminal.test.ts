import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { printLines } from "./printLines.js";
import { createTerminal } from "./terminal.js";

/** A pipe whose reader leaves after `readable` writes. */
function createPipe(readable: number): { stream: NodeJS.WriteStream; written: string[] } {
  const written: string[] = [];
  const stream = new Writable({
    write(bytes, _encoding, done) {
      if (written.length >= readable) {
        done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
        return;
      }
      written.push(String(bytes));
      done();
    },
  });
  return { stream: stream as unknown as NodeJS.WriteStream, written };
}

test("a reader that goes away ends the printing without an error", async () => {
  const { stream, written } = createPipe(1);
  const terminal = createTerminal({ stdout: stream, stderr: createPipe(9).stream });
  let made = 0;
  function* lines(): Generator<string> {
    for (; made < 100_000; made++) yield `line ${made}`;
  }
  await printLines(lines(), terminal);
  expect(written).toHaveLength(1);
  expect(written[0]?.startsWith("line 0\nline 1\n")).toBe(true);
  // Without a reader no work is done: it stops soon after the reader left.
  expect(made).toBeLessThan(3_000);
  expect(await terminal.write("more")).toBe(false);
});

test("a reader gets every line", async () => {
  const { stream, written } = createPipe(1_000);
  const terminal = createTerminal({ stdout: stream, stderr: stream });
  const lines = Array.from({ length: 2_500 }, (_, i) => `line ${i}`);
  await printLines(lines, terminal);
  expect(written.join("")).toBe(`${lines.join("\n")}\n`);
});
