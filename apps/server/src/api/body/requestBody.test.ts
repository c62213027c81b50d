import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { bodyOf } from "./requestBody.js";

const idleMs = 400;

async function readAll(body: PassThrough | null): Promise<string> {
  let text = "";
  for await (const chunk of bodyOf({ body }, idleMs)) text += String(chunk);
  return text;
}

test("a body is read to its end; a request without one has no bytes", async () => {
  const body = new PassThrough();
  body.write("a");
  body.end("b");
  expect(await readAll(body)).toBe("ab");
  expect(await readAll(null)).toBe("");
});

test("a body of which no byte comes any more is a problem, and one that comes slowly is not", async () => {
  const stalled = new PassThrough();
  stalled.write("a");
  await expect(readAll(stalled)).rejects.toMatchObject({ code: "request-timeout", status: 408 });
  const slow = new PassThrough();
  let left = 6;
  const timer = setInterval(() => {
    left -= 1;
    slow.write("x");
    if (left === 0) slow.end();
    if (left === 0) clearInterval(timer);
  }, idleMs / 4);
  expect(await readAll(slow)).toBe("x".repeat(6));
});

test("a reader that takes its time is no fault of the sender", async () => {
  const body = new PassThrough();
  body.write("a");
  const chunks = bodyOf({ body }, idleMs)[Symbol.asyncIterator]();
  expect(String((await chunks.next()).value)).toBe("a");
  await new Promise((resolve) => setTimeout(resolve, 1.5 * idleMs));
  body.end("b");
  expect(String((await chunks.next()).value)).toBe("b");
  expect((await chunks.next()).done).toBe(true);
});

test("of a body that is not read on, the rest can be thrown away", async () => {
  const body = new PassThrough();
  body.write("a");
  for await (const chunk of bodyOf({ body }, idleMs)) {
    expect(String(chunk)).toBe("a");
    break;
  }
  const ended = new Promise((resolve) => body.once("end", resolve));
  body.resume();
  body.end("b".repeat(100_000));
  await ended;
});
