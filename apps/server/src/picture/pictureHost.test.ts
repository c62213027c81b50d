import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { HadalError, type Query } from "@hadal/sdk";
import { afterAll, afterEach, expect, test } from "vitest";
import { PictureHost, type PictureHostOptions } from "./pictureHost.js";
import type { PictureOrder, PictureSource } from "./pictureOrder.js";

/**
 * The host with threads that speak its protocol. What they do for a picture is its title: `echo` asks one query and
 * gives its answer back, `spin` computes for ever, `die` ends the thread, `fail` breaks.
 */
const thread = `
import { parentPort as port } from "node:worker_threads";
const waiting = new Map();
port.on("message", (message) => {
  if (message.kind !== "draw") {
    const id = waiting.get(message.call);
    if (message.kind === "answer")
      port.postMessage({ kind: "drawn", id, bytes: new TextEncoder().encode(message.value) });
    else port.postMessage({ kind: "problem", id, problem: message.problem });
    return;
  }
  const { id, order } = message;
  const { title } = order.request.subject;
  if (title === "spin") for (;;);
  if (title === "die") process.exit(1);
  if (title === "fail") port.postMessage({ kind: "failure", id, text: "broken" });
  if (title === "echo") {
    waiting.set(id, id);
    port.postMessage({ kind: "ask", id, call: id, question: { method: "ask", argument: {} } });
  }
});
`;
const folder = mkdtempSync(join(tmpdir(), "hadal-pictures-"));
const script = join(folder, "thread.mjs");
writeFileSync(script, thread);
afterAll(() => rmSync(folder, { recursive: true }));

/** Enough for a busy machine to start a thread. */
const timeMs = 4_000;

const hosts: PictureHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

function hostOf(more: Partial<PictureHostOptions> = {}): PictureHost {
  const host = new PictureHost({
    ...{ script: pathToFileURL(script), bundle: pathToFileURL(script), warn: () => undefined },
    ...more,
  });
  hosts.push(host);
  return host;
}

const query: Query = { table: "t", from: 0, to: 1 };
const orderOf = (title: string): PictureOrder => ({
  format: "svg",
  request: {
    subject: { kind: "query", title, query, view: null, viewOptions: {} },
    ...{
      theme: "light",
      width: 200,
      height: 100,
      from: null,
      to: null,
      timeZone: null,
      bar: null,
      nowMs: 0,
      rangeMsMax: null,
    },
  },
});

type Ask = () => Promise<unknown>;
const never: Ask = () => new Promise(() => undefined);
const sourceOf = (ask: Ask): PictureSource => ({ ask }) as unknown as PictureSource;

function draw(
  host: PictureHost,
  title: string,
  { ask = async () => title, client = "ann", signal = new AbortController().signal } = {} as {
    readonly ask?: Ask;
    readonly client?: string;
    readonly signal?: AbortSignal;
  },
): Promise<string> {
  const source = sourceOf(ask);
  return host
    .draw(orderOf(title), { source, client, signal })
    .then((bytes) => Buffer.from(bytes).toString());
}

const codeOf = (drawn: Promise<unknown>): Promise<string> =>
  drawn.then(
    () => "drawn",
    (error: unknown) => (error instanceof HadalError ? error.code : String(error)),
  );

test("questions are answered by the source; its problems are those of the picture", async () => {
  const host = hostOf();
  expect(await draw(host, "echo", { ask: async () => "numbers" })).toBe("numbers");
  const refused: Ask = async () => {
    throw new HadalError("unknown-table", { table: "t", nearest: "" });
  };
  expect(await codeOf(draw(host, "echo", { ask: refused }))).toBe("unknown-table");
});

test("one person has some pictures at once, and all together some more", async () => {
  const host = hostOf();
  const stops = Array.from({ length: 22 }, () => new AbortController());
  const pictures = stops.map(({ signal }, i) =>
    codeOf(draw(host, "echo", { ask: never, client: `c${Math.floor(i / 5)}`, signal })),
  );
  expect(await codeOf(draw(host, "echo", { client: "c0" }))).toBe("overloaded");
  expect(await codeOf(draw(host, "echo", { client: "other" }))).toBe("unavailable");
  for (const stop of stops) stop.abort();
  expect(new Set(await Promise.all(pictures))).toEqual(new Set(["cancelled"]));
  expect(await draw(host, "echo")).toBe("echo");
});

test("a thread that computes for too long is ended; the next picture has another one", async () => {
  const host = hostOf({ timeMsMax: timeMs });
  expect(await codeOf(draw(host, "spin"))).toBe("unavailable");
  expect(await draw(host, "echo")).toBe("echo");
});

test("only the picture that took too long is called slow; another one of its thread was interrupted", async () => {
  const host = hostOf({ timeMsMax: timeMs });
  const messageOf = (drawn: Promise<unknown>): Promise<string> =>
    drawn.then(
      () => "drawn",
      (error: Error) => error.message,
    );
  const drawn = [draw(host, "spin"), draw(host, "echo")].map(messageOf);
  expect(await Promise.all(drawn)).toEqual([
    expect.stringContaining("took too long"),
    expect.stringContaining("interrupted"),
  ]);
});

test("a picture whose answers come too late ends, without the thread's other pictures", async () => {
  const host = hostOf({ timeMsMax: timeMs });
  const late = codeOf(draw(host, "echo", { ask: never }));
  expect(await draw(host, "echo")).toBe("echo");
  expect(await late).toBe("unavailable");
  expect(await draw(host, "echo")).toBe("echo");
});

test("a thread that breaks or dies fails its pictures alone", async () => {
  const warned: string[] = [];
  const host = hostOf({ warn: (text) => warned.push(text) });
  expect(await codeOf(draw(host, "fail"))).toBe("internal");
  expect(warned.join()).toContain("broken");
  expect(await codeOf(draw(host, "die"))).toBe("unavailable");
  expect(await draw(host, "echo")).toBe("echo");
});

test("without work the thread ends, and begins again", async () => {
  const host = hostOf({ idleMs: 1 });
  for (let i = 0; i < 3; i++) {
    expect(await draw(host, "echo")).toBe("echo");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
});

test("a server without the bundle says so", async () => {
  expect(await codeOf(draw(hostOf({ bundle: null }), "echo"))).toBe("unavailable");
});
