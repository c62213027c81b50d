import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HadalError, type ProblemCode } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askAll, sendRows } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

const secret = "canary-7f3a";
const table = "rows";
let folder: string;
let canary: string;
let cluster: Cluster;
let leafPids: ReadonlyMap<string, number>;
let connections = 0;
const listener = createServer((_, response) => {
  connections++;
  response.end();
});
let port = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-canary-"));
  canary = join(folder, "canary.txt");
  await writeFile(canary, secret);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  port = (listener.address() as AddressInfo).port;
  cluster = await startCluster({ leaves: 1, environment: { CANARY: secret } });
  await sendRows(cluster, table, [
    { time: 1_000, name: "one", n: 1 },
    { time: 2_000, name: "two", n: 2 },
  ]);
  leafPids = await cluster.leafPids();
}, 60_000);

afterAll(async () => {
  await cluster?.stop();
  listener.close();
  await rm(folder, { recursive: true, force: true });
});

const ask = (js: string) =>
  askAll(cluster, table, { derive: [{ as: "d", js }], groupBy: ["d"], timeoutMs: 10_000 });

/** FILE and PORT stand for the canary and the listener. */
const attempts: readonly [what: string, js: string, code: ProblemCode][] = [
  // Out of the realm.
  ["process", "(row) => process.env.CANARY", "function-failed"],
  ["global", "(row) => global.process.env.CANARY", "function-failed"],
  ["require", "(row) => require('fs').readFileSync('FILE', 'utf8')", "function-failed"],
  ["module", "(row) => module.constructor._load('fs')", "function-failed"],
  [
    "constructor chain",
    "(row) => this.constructor.constructor('return process')().env.CANARY",
    "function-failed",
  ],
  [
    "constructor of a function",
    "(row) => (() => 1).constructor('return process.env.CANARY')()",
    "function-failed",
  ],
  [
    "constructor of an error",
    "(row) => { try { null.x } catch (e) { return e.constructor.constructor('return process')().pid } }",
    "function-failed",
  ],
  [
    "async function constructor",
    "(row) => (async () => 1).constructor('return process')().then((p) => p.pid) && process",
    "function-failed",
  ],
  [
    "generator constructor",
    "(row) => (function* () {}).constructor('yield process')().next().value.pid",
    "function-failed",
  ],
  ["indirect eval", "(row) => (0, eval)('process.env.CANARY')", "function-failed"],
  [
    "eval of the loop's scope",
    "(row) => eval('$p.extend.constructor')('return process')()",
    "function-failed",
  ],
  ["prelude", "(row) => $p", "function-failed"],
  [
    "host of console",
    "(row) => console.log.constructor('return process')().env",
    "function-failed",
  ],
  ["host of a batch", "(row) => arguments.callee.caller.arguments[0]", "function-invalid"],
  [
    "host of a batch, by a function of its own",
    "(row) => (function () { return arguments.callee.caller.arguments[0] })()",
    "function-failed",
  ],
  [
    "prepareStackTrace",
    "(row) => { Error.prepareStackTrace = (e, s) => s; return new Error().stack[0].getThis().process.env.CANARY }",
    "function-failed",
  ],
  [
    "stack frames",
    "(row) => new Error().stack.getFunction().constructor('return process')()",
    "function-failed",
  ],
  ["__proto__ of the row", "(row) => ({}).__proto__.__proto__.constructor", "function-failed"],
  [
    "proxy returned",
    "(row) => new Proxy({}, { get: () => () => process.env.CANARY })",
    "function-failed",
  ],
  ["getter returned", "(row) => ({ get value() { return process } })", "function-failed"],
  ["toString returned", "(row) => ({ toString: () => process.env.CANARY })", "function-failed"],
  ["symbol returned", "(row) => Symbol.for('x')", "function-failed"],
  ["promise returned", "(row) => Promise.resolve('x')", "function-failed"],
  [
    "symbol species",
    "(row) => { class Odd extends Array { static get [Symbol.species]() { return process } } return new Odd(1).map((x) => x) }",
    "function-failed",
  ],
  ["throw null", "(row) => { throw null }", "function-failed"],
  ["throw a proxy", "(row) => { throw new Proxy({}, { get() { throw 1 } }) }", "function-failed"],
  [
    "throw in toString",
    "(row) => { throw { toString() { throw process.env.CANARY } } }",
    "function-failed",
  ],
  // Files, network, programs.
  [
    "import of fs",
    "(row) => { import('fs').then((fs) => fs.readFileSync('FILE')); return import.meta.url }",
    "function-invalid",
  ],
  [
    "import awaited",
    "async (row) => (await import('node:fs')).readFileSync('FILE', 'utf8')",
    "function-invalid",
  ],
  ["fetch", "(row) => fetch('http://127.0.0.1:PORT/')", "function-failed"],
  [
    "XMLHttpRequest",
    "(row) => new XMLHttpRequest().open('GET', 'http://127.0.0.1:PORT/')",
    "function-failed",
  ],
  ["WebSocket", "(row) => new WebSocket('ws://127.0.0.1:PORT/')", "function-failed"],
  ["std of QuickJS", "(row) => std.loadFile('FILE')", "function-failed"],
  ["os of QuickJS", "(row) => os.exec(['cat', 'FILE'])", "function-failed"],
  ["bjson of QuickJS", "(row) => bjson.read(new ArrayBuffer(8), 0, 8)", "function-failed"],
  ["Deno", "(row) => Deno.readTextFileSync('FILE')", "function-failed"],
  ["timers", "(row) => setTimeout(() => process.exit(1), 0)", "function-failed"],
  ["exit", "(row) => process.exit(1)", "function-failed"],
  ["worker", "(row) => new Worker('data:,')", "function-failed"],
  ["WebAssembly", "(row) => new WebAssembly.Memory({ initial: 65536 })", "function-failed"],
  [
    "SharedArrayBuffer as a clock",
    "(row) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60000)",
    "function-failed",
  ],
  ["stdout", "(row) => process.stdout.write('x'.repeat(1e9))", "function-failed"],
  // Time.
  ["endless loop", "(row) => { for (;;); }", "function-limit"],
  [
    "endless loop that catches",
    "(row) => { for (;;) try { for (;;); } catch {} }",
    "function-limit",
  ],
  [
    "endless loop in finally",
    "(row) => { try { for (;;); } finally { for (;;); } }",
    "function-limit",
  ],
  [
    "endless getter of an error",
    "(row) => { throw { get message() { for (;;); } } }",
    "function-limit",
  ],
  ["catastrophic pattern", "(row) => /^(a|a)*$/.test('a'.repeat(50) + 'b')", "function-limit"],
  ["large number", "(row) => (2n ** 1000000n).toString()", "function-limit"],
  ["sort that never ends", "(row) => [3, 2, 1].sort(() => { for (;;); })", "function-limit"],
  [
    "endless generator",
    "(row) => { for (const x of (function* () { for (;;) yield 1 })()); }",
    "function-limit",
  ],
  ["replace callback", "(row) => 'a'.replace(/a/, () => { for (;;); })", "function-limit"],
  [
    "proxy of a row",
    "(row) => { const p = new Proxy([], { get: () => 1e9 }); return Array.prototype.indexOf.call(p, 0) }",
    "function-limit",
  ],
  // Memory, stack and output.
  [
    "list that grows",
    "(row) => { const a = []; for (;;) a.push(new Array(1000).fill(a.length)); }",
    "function-limit",
  ],
  [
    "string that doubles",
    "(row) => { let s = 'x'; for (;;) s = s + s + Math.random(); }",
    "function-failed",
  ],
  ["10 GB of a buffer", "(row) => new ArrayBuffer(1e10)", "function-failed"],
  ["64 MB of a buffer", "(row) => new Uint8Array(2 ** 26).fill(1).join()", "function-limit"],
  ["recursion", "(row) => { const f = () => f() + 1; return f(); }", "function-limit"],
  [
    "recursion of JSON",
    "(row) => { let o = {}; const a = o; for (let i = 0; i < 1e5; i++) o = o.o = {}; return JSON.stringify(a) }",
    "function-limit",
  ],
  ["1 GB returned", "(row) => 'x'.repeat(2 ** 29)", "function-limit"],
  ["4 MB returned", "(row) => 'x'.repeat(2 ** 22)", "function-limit"],
  ["log flood", "(row) => { for (;;) console.log('x'.repeat(1000)) }", "function-limit"],
];

describe("an attempt to get out, or to take all there is", () => {
  it.each(attempts)("%s", async (_, js, code) => {
    const source = js.replaceAll("FILE", canary).replaceAll("PORT", String(port));
    const startedAt = performance.now();
    const error = await ask(source).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(HadalError);
    const problem = error as HadalError;
    expect(problem.code, problem.message).toBe(code);
    expect(JSON.stringify(problem.toProblem())).not.toContain(secret);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    // Whoever asks next is answered.
    const next = await ask("(row) => row.name + typeof leaked + [].length + 'x'.repeat(2)");
    expect(next.rows.map(([name]) => name).sort()).toEqual(["oneundefined0xx", "twoundefined0xx"]);
  });

  it("has left everything as it was", async () => {
    expect(attempts.length).toBeGreaterThanOrEqual(50);
    expect(await readFile(canary, "utf8")).toBe(secret);
    expect(connections).toBe(0);
    expect(await cluster.leafPids()).toEqual(leafPids);
    const { rows } = await askAll(cluster, table);
    expect(rows[0]?.[0]).toBe(2);
  });
});

describe("one function and the next", () => {
  it.each([
    "String.prototype.repeat = () => 'patched'; Array.prototype.push = () => 0",
    "globalThis.leaked = 'yes'",
    "Object.prototype.leaked = 'yes'",
    "JSON.parse = JSON.stringify = () => '[\"patched\"]'; Map.prototype.get = () => 7",
  ])("%s is of no consequence to the next query", async (patch) => {
    await ask(`(row) => { ${patch}; return row.name }`).catch(() => undefined);
    const { rows } = await ask("(row) => row.name + typeof leaked + 'x'.repeat(2)");
    expect(rows.map(([name]) => name).sort()).toEqual(["oneundefinedxx", "twoundefinedxx"]);
  });

  it("two functions of one query share nothing", async () => {
    const { rows } = await askAll(cluster, table, {
      derive: [
        { as: "a", js: "(row) => { globalThis.leaked = 1; return row.name }" },
        { as: "b", js: "(row) => row.name + typeof leaked" },
      ],
      groupBy: ["a", "b"],
    });
    expect(rows.map(([, b]) => b).sort()).toEqual(["oneundefined", "twoundefined"]);
  });
});
