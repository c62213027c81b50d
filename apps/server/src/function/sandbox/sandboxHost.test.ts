import { HadalError, type ProblemCode } from "@hadal/sdk";
import { afterAll, describe, expect, it } from "vitest";
import { functionLimitsDefault } from "../../base/limit/functionLimits.js";
import { StopController } from "../../base/schedule/stopController.js";
import { type SandboxCommand, sandboxCommands } from "./sandboxCommand.js";
import { SandboxHost } from "./sandboxHost.js";
import type { BatchColumn, ScalarProgram } from "./sandboxMessages.js";

/** The built one: the process runs what is shipped. */
const script = new URL("../../../dist/sandbox.js", import.meta.url);
const host = new SandboxHost({
  script,
  limits: functionLimitsDefault,
  isolation: "weak",
  warn: () => undefined,
});
const never = new StopController().signal;

afterAll(() => host.close());

const ints = (values: readonly number[]): BatchColumn => ({
  kind: "numbers",
  values: Int32Array.from(values),
  complete: true,
});
const floats = (values: readonly number[]): BatchColumn => ({
  kind: "numbers",
  values: Float64Array.from(values),
  complete: false,
});
const coded = (codes: readonly number[], added: readonly unknown[]): BatchColumn => ({
  kind: "codes",
  values: Uint32Array.from(codes),
  added: JSON.stringify(added),
  resets: false,
});

const scalar = (source: string, more: Partial<ScalarProgram> = {}): ScalarProgram => ({
  kind: "scalar",
  source,
  call: "row",
  body: null,
  names: ["a", "b"],
  result: "string",
  ...more,
});

async function evaluate(program: ScalarProgram, columns: readonly BatchColumn[]) {
  const run = await host.open(program, never);
  try {
    const rowCount = columns[0]?.values.length ?? 3;
    const batch = { kind: "evaluate", rowCount, columns } as const;
    if (program.result !== "string") {
      return [...(await run.call(batch, "numbers")).values];
    }
    const { codes, added } = await run.call(batch, "strings");
    const texts = [null, ...(JSON.parse(added) as string[])];
    return Array.from(codes, (code) => texts[code]);
  } finally {
    run.close();
  }
}

async function failure(program: ScalarProgram, columns = [ints([1])]): Promise<HadalError> {
  const error = await evaluate(program, columns).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(HadalError);
  return error as HadalError;
}

describe("a scalar function", () => {
  it("takes rows as objects, values or parameters alike", async () => {
    const columns = [ints([1, 2, 3, 4, 5]), floats([0.5, Number.NaN, -1, 1e300, 0])];
    const wanted = [0.5, -2, -3, 4e300, 0];
    const result = "number or null";
    const ways: Partial<ScalarProgram>[] = [
      { source: "(row) => (row.b === undefined ? -row.a : row.a * row.b)" },
      { source: "(a, b) => (b === undefined ? -a : a * b)", call: "values" },
      { source: "($0,$1)=>\n ($1 === undefined ? -$0 : $0 * $1)", call: "parameters" },
    ];
    for (const way of ways) {
      expect(await evaluate(scalar("", { ...way, result }), columns)).toEqual(wanted);
    }
  });

  it("returns strings, and other values as strings", async () => {
    const source = `(row) => [undefined, null, NaN, Infinity, 1.5, -0, true, 12345678901234567890n, "é\\0\\u{1F600}", ""][row.a]`;
    const columns = [ints([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])];
    const wanted = [null, null, null, null, "1.5", "0", "true"];
    expect(await evaluate(scalar(source), columns)).toEqual([
      ...wanted,
      "12345678901234567890",
      "é\0\u{1F600}",
      "",
    ]);
  });

  it("reads strings and lists by code", async () => {
    const columns = [coded([1, 2, 0, 1], ["x\0y", "ü"]), coded([2, 1, 1, 0], [["p"], ["q", "r"]])];
    const source = `(row) => (row.a ?? "-") + (row.b?.join() ?? "-")`;
    expect(await evaluate(scalar(source), columns)).toEqual(["x\0yq,r", "üp", "-p", "x\0y-"]);
  });

  it("keeps a column's dictionary, and returns each distinct string once", async () => {
    const run = await host.open(scalar("(row) => row.a + '!'", { names: ["a"] }), never);
    const ask = (columns: readonly BatchColumn[]) =>
      run.call({ kind: "evaluate", rowCount: columns[0]!.values.length, columns }, "strings");
    expect(await ask([coded([1, 2], ["x", "y"])])).toMatchObject({ added: '["x!","y!"]' });
    const second = await ask([coded([3, 1, 2], ["z"])]);
    expect(second.added).toBe('["z!"]');
    expect([...second.codes]).toEqual([3, 1, 2]);
    const reset: BatchColumn = {
      kind: "codes",
      values: Uint32Array.of(1),
      added: '["y"]',
      resets: true,
    };
    expect([...(await ask([reset])).codes]).toEqual([2]);
    run.close();
  });

  it("cannot change a list of one row for the next", async () => {
    const error = await failure(scalar("(row) => row.a.push('x')"), [coded([1, 1], [["p"]])]);
    expect(error).toMatchObject({ code: "function-failed" });
  });
});

describe("what a function is stopped for", () => {
  it("names the line and the column of the user's source", async () => {
    const source = "(row) => {\n  const x = row.a;\n  return row.b.c;\n}";
    const error = await failure(scalar(source));
    expect(error.errors).toMatchObject([{ line: 3, column: 15, code: "function-failed" }]);
    expect(error.message).toContain("TypeError: cannot read property 'c' of undefined");
  });

  const faults: readonly [string, ProblemCode, string][] = [
    ["(row) => { throw null }", "function-failed", "null"],
    ["(row) => { throw { get message() { for (;;); } } }", "function-limit", "functionCpuMs"],
    ["(row) => ({})", "function-failed", "an object"],
    ["(row) => { for (;;); }", "function-limit", "functionCpuMs"],
    ["(row) => { try { for (;;); } catch { return 'x' } }", "function-limit", "functionCpuMs"],
    ["(row) => /(a+)+$/.test('a'.repeat(40) + 'b')", "function-limit", "functionCpuMs"],
    ["(row) => (2n ** 1000000n).toString()", "function-limit", "functionCpuMs"],
    ["(row) => 'x'.repeat(2 ** 26) + row.a", "function-limit", "functionMemoryBytes"],
    ["(row) => 'x'.repeat(2 ** 21)", "function-limit", "functionOutputBytes"],
    ["(row) => { const f = () => f() + 1; return f() }", "function-limit", "functionStackBytes"],
    ["(row) => row..a", "function-failed", "SyntaxError"],
    ["42", "function-failed", "not a function"],
  ];
  for (const [source, code, text] of faults) {
    it(source, async () => {
      const error = await failure(scalar(source));
      expect(error.message).toContain(text);
      expect(error.code).toBe(code);
    });
  }

  it("an abort ends it in the middle of a call, and the next one runs", async () => {
    const controller = new StopController();
    const run = await host.open(scalar("(row) => { for (;;); }"), controller.signal);
    const columns = [ints([1])];
    const asked = run.call({ kind: "evaluate", rowCount: 1, columns }, "strings");
    const startedAt = performance.now();
    setTimeout(() => controller.abort(), 20);
    await expect(asked).rejects.toMatchObject({ code: "cancelled" });
    expect(performance.now() - startedAt).toBeLessThan(250);
    expect(await evaluate(scalar("(row) => 'fine'"), columns)).toEqual(["fine"]);
  });

  it("waits for the way to start it that works here", async () => {
    const [first, ...others] = sandboxCommands(script);
    const commands: SandboxCommand[] = [
      { program: "false", args: [], keeps: [] },
      { program: "no such program", args: [], keeps: [] },
    ];
    const own = new SandboxHost({
      ...{ script, limits: functionLimitsDefault, isolation: "weak", warn: () => undefined },
      commands: [...commands, ...(first === undefined ? [] : [first]), ...others],
    });
    try {
      const run = await own.open(scalar("(row) => 'here'"), never);
      const batch = { kind: "evaluate", rowCount: 1, columns: [ints([1])] } as const;
      expect((await run.call(batch, "strings")).added).toBe('["here"]');
      run.close();
    } finally {
      await own.close();
    }
  });

  it("refuses to run where it would keep what it should not have, and says what; weak, it runs and says so", async () => {
    const weakest = sandboxCommands(script).at(-1)!;
    expect(weakest.keeps).toContain("the network");
    for (const isolation of ["strict", "weak"] as const) {
      const warnings: string[] = [];
      const own = new SandboxHost({
        ...{ script, limits: functionLimitsDefault, isolation },
        warn: (text) => warnings.push(text),
        commands: [{ program: "false", args: [], keeps: [] }, weakest],
      });
      try {
        expect(own.state.state).toBe("unused");
        for (let i = 0; i < 2; i++) {
          const opened = own.open(scalar("(row) => 'here'"), never);
          if (isolation === "weak") (await opened).close();
          else {
            await expect(opened).rejects.toMatchObject({
              code: "sandbox-refused",
              message: expect.stringMatching(/the network.*--sandbox weak/),
            });
          }
        }
        const state = isolation === "weak" ? "weak" : "refused";
        expect(own.state).toEqual({ state, keeps: weakest.keeps });
        expect(warnings).toEqual([expect.stringContaining("the network")]);
      } finally {
        await own.close();
      }
    }
  });

  it("is strict on Linux alone, as a user that owns nothing where root can choose one", () => {
    const [own, nobody, ...others] = sandboxCommands(script, { platform: "linux", isRoot: true });
    const userOf = (one: typeof own) => Number(/--reuid=(\d+)/.exec(one!.args.join(" "))?.[1]);
    expect(userOf(own)).toBeGreaterThanOrEqual(2 ** 30);
    expect(userOf(sandboxCommands(script, { platform: "linux", isRoot: true })[0])).not.toBe(
      userOf(own),
    );
    expect(userOf(nobody)).toBe(65_534);
    for (const one of [own!, nobody!]) {
      expect(one.keeps).toEqual([]);
      for (const part of ["--net", "--no-new-privs", "--clear-groups"])
        expect(one.args).toContain(part);
    }
    for (const { keeps } of others) expect(keeps).toContain("the rights of root");
    const [strict] = sandboxCommands(script, { platform: "linux", isRoot: false });
    expect([strict!.keeps, strict!.args.includes("--bounding-set=-all")]).toEqual([[], true]);
    for (const { keeps } of sandboxCommands(script, { platform: "darwin", isRoot: false }))
      expect(keeps).toEqual(["the network"]);
  });

  it("a process that is killed takes its runs with it, and no others", async () => {
    const run = await host.open(scalar("(row) => 'x'"), never);
    const pid = (await host.pid())!;
    // Stopped first: it could answer before it is killed.
    process.kill(pid, "SIGSTOP");
    const asked = run.call({ kind: "evaluate", rowCount: 1, columns: [ints([1])] }, "strings");
    process.kill(pid, "SIGKILL");
    await expect(asked).rejects.toMatchObject({ code: "unavailable" });
    run.close();
    expect(await evaluate(scalar("(row) => 'again'"), [ints([1])])).toEqual(["again"]);
    expect(await host.pid()).not.toBe(pid);
  });
});

describe("a fresh realm", () => {
  it("knows nothing of the one before", async () => {
    const patch = `(row) => { String.prototype.trim = () => "patched"; globalThis.leak = 1; Array.prototype.leak = 2; return " x ".trim() }`;
    expect(await evaluate(scalar(patch), [ints([1])])).toEqual(["patched"]);
    const look = `(row) => " x ".trim() + typeof leak + typeof [].leak`;
    expect(await evaluate(scalar(look), [ints([1])])).toEqual(["xundefinedundefined"]);
  });

  it("runs in UTC, whatever the zone of the machine", async () => {
    const source = "(row) => new Date(0).getHours() + ' ' + new Date(0).getTimezoneOffset()";
    expect(await evaluate(scalar(source), [ints([1])])).toEqual(["0 0"]);
  });
});

describe("an aggregate function", () => {
  const source = `{
    init() { return { n: 0, sum: 0n, most: -Infinity } },
    update(state, x, weight) { state.n += weight; state.sum += BigInt(x); state.most = Math.max(state.most, x) },
    merge(a, b) { return { n: a.n + b.n, sum: a.sum + b.sum, most: Math.max(a.most, b.most) } },
    finalize(state) { return state.n === 0 ? null : state.sum + "/" + state.n + "/" + state.most },
  }`;
  const program = { kind: "aggregate", source, columnCount: 1 } as const;

  it("aggregates by group, sends its states on, merges and finishes them", async () => {
    const run = await host.open(program, never);
    const update = (values: number[], groups: number[], groupCount: number, weights?: number[]) =>
      run.call(
        {
          kind: "update",
          rowCount: values.length,
          columns: [ints(values)],
          groups: Uint32Array.from(groups),
          groupCount,
          weights: weights === undefined ? null : Uint32Array.from(weights),
        },
        "updated",
      );
    await update([1, 2, 3], [0, 1, 0], 2);
    await update([10, 20], [2, 1], 3, [5, 7]);
    const { states } = await run.call({ kind: "states" }, "states");
    expect(states).toHaveLength(3);
    const json = JSON.stringify([[states[0], states[1]], [states[2]], []]);
    const { values } = await run.call({ kind: "finalize", states: json }, "finalized");
    expect(JSON.parse(values)).toEqual(["26/10/20", "10/5/10", null]);
    run.close();
  });

  it("refuses a state that would not come back as it was", async () => {
    for (const state of ["new Map()", "{ f() {} }", "[undefined]", "undefined", "new Date()"]) {
      const odd = `{ init: () => (${state}), update() {}, merge(a) { return a }, finalize() { return 1 } }`;
      const run = await host.open({ ...program, source: odd }, never);
      const columns = [ints([1])];
      const groups = new Uint32Array(1);
      const batch = { kind: "update", rowCount: 1, columns, groups, groupCount: 1 } as const;
      await run.call({ ...batch, weights: null }, "updated");
      const asked = run.call({ kind: "states" }, "states");
      await expect(asked).rejects.toMatchObject({ code: "function-failed" });
      run.close();
    }
  });
});
