import { describe, expect, test, vi } from "vitest";
import type { DescribedLeaf, LeafDescription } from "../../tree/describeLeaves.js";
import { createTableCatalogue, mergeDescriptions } from "./tableCatalogue.js";

type LeafTable = LeafDescription["tables"][number];

function table(name: string, rest: Partial<LeafTable> = {}): LeafTable {
  return {
    name,
    rows: 10,
    bytes: 100,
    bookBytes: 8,
    rawBytes: 400,
    segments: 1,
    fromMs: 5,
    toMs: 9,
    columns: [],
    ...rest,
  };
}

const order = { of: () => new Set<string>(), see: async () => undefined };

/** A leaf with a given description, which counts its calls. */
function leaf(id: string, tables: () => readonly LeafTable[] | null) {
  const described = { id, asked: 0 };
  const asDescribed: DescribedLeaf & { asked: number } = Object.assign(described, {
    async request(_: unknown, __: undefined, ___: { timeoutMs: number }) {
      described.asked += 1;
      const found = tables();
      if (found === null) throw new Error("dead");
      return { header: { kind: "described" as const, id: 1, tables: found } };
    },
  });
  return asDescribed;
}

describe("merging descriptions", () => {
  test("columns come in the order given, others behind them, whichever leaf answers first", () => {
    const column = (name: string) => ({
      ...{ name, types: ["int" as const], decimals: 0, decimalsMax: 18 },
      ...{ rows: 10, bytes: 7, rawBytes: 14 },
    });
    const leaves = [
      { leafId: "a", tables: [table("t", { columns: [column("x"), column("new"), column("y")] })] },
      {
        leafId: "b",
        tables: [table("t", { columns: [column("z"), column("y"), column("newer")] })],
      },
    ];
    const orderOf = () => new Set(["y", "gone", "z", "x"]);
    for (const described of [leaves, leaves.toReversed()]) {
      const merged = mergeDescriptions(described, orderOf).get("t");
      expect(merged?.columns.infos.map(({ name }) => name)).toEqual([
        ...["time", "y", "z", "x", "new", "newer"],
      ]);
    }
  });
  test("adds rows and bytes, widens the time, keeps the order of columns", () => {
    const column = (name: string, decimals: number): LeafTable["columns"][number] =>
      ({
        ...{ name, types: ["int"], decimals, decimalsMax: 18 },
        ...{ rows: 10, bytes: 7, rawBytes: 14 },
      }) as const;
    const merged = mergeDescriptions([
      { leafId: "a", tables: [table("t", { columns: [column("latency_us", 0), column("x", 2)] })] },
      {
        leafId: "b",
        tables: [table("t", { fromMs: 1, toMs: 3, columns: [column("y", 0), column("x", 6)] })],
      },
    ]).get("t");
    expect(merged).toMatchObject({
      rows: 20,
      bytes: 200,
      fromMs: 1,
      toMs: 9,
      bytesPerRow: 10,
      compressionRatio: 4,
    });
    expect(merged?.columns.infos).toEqual([
      { name: "time", type: "int", decimals: 0, rows: 0, bytes: 0, compressionRatio: null },
      {
        name: "latency_us",
        type: "int",
        decimals: 0,
        rows: 10,
        bytes: 7,
        unit: "us",
        compressionRatio: 2,
      },
      { name: "x", type: "int", decimals: 6, rows: 20, bytes: 14, compressionRatio: 2 },
      { name: "y", type: "int", decimals: 0, rows: 10, bytes: 7, compressionRatio: 2 },
    ]);
  });

  test.each([
    ["int", "string", "string"],
    ["string", "int", "string"],
    ["string", "vector", "vector"],
  ] as const)("%s on one leaf and %s on another is %s", (a, b, wider) => {
    const one = (leafId: string, type: "int" | "string" | "vector"): LeafDescription => ({
      leafId,
      tables: [
        table("t", {
          columns: [
            {
              ...{ name: "c", types: [type], decimals: type === "int" ? 2 : 0, decimalsMax: 18 },
              ...{ rows: 1, bytes: 1, rawBytes: 1 },
            },
          ],
        }),
      ],
    });
    const merged = mergeDescriptions([one("a", a), one("b", b)]).get("t");
    expect(merged?.columns.infos[1]).toMatchObject({ name: "c", type: wider, decimals: 0 });
  });

  test("a type that only a leaf without rows of it knows does not count", async () => {
    const one = (leafId: string, type: "int" | "string", rows: number): LeafDescription => ({
      leafId,
      tables: [
        table("t", {
          columns: [
            {
              ...{ name: "c", types: [type], decimals: 0, decimalsMax: 18 },
              ...{ rows, bytes: rows, rawBytes: rows },
            },
          ],
        }),
      ],
    });
    const typed = async (...described: readonly LeafDescription[]) => {
      const leaves = described.map(({ leafId, tables }) => leaf(leafId, () => tables));
      const catalogue = createTableCatalogue({ leaves: () => leaves, now: () => 0, order });
      const { columns, mixed } = await catalogue.schema("t");
      return [columns.get("c")?.type, [...mixed.keys()]];
    };
    const [gone, kept] = [one("a", "string", 0), one("b", "int", 1)];
    const [more, wide] = [one("c", "int", 2), one("d", "string", 1)];
    expect(await typed(gone, kept)).toEqual(["int", []]);
    expect(await typed(kept, gone, more)).toEqual(["int", []]);
    expect(await typed(gone)).toEqual(["string", []]);
    expect(await typed(gone, kept, wide)).toEqual(["string", ["c"]]);
    expect(await typed(gone, one("b", "int", 0))).toEqual(["string", ["c"]]);
  });

  test("an empty table has neither span nor ratio", () => {
    const empty = table("t", { rows: 0, bytes: 0, rawBytes: 0, fromMs: null, toMs: null });
    const merged = mergeDescriptions([{ leafId: "a", tables: [empty] }]).get("t");
    expect(merged).toMatchObject({
      fromMs: null,
      toMs: null,
      bytesPerRow: null,
      compressionRatio: null,
    });
  });
});

describe("the catalogue", () => {
  test("asks leaves once for many, again for who looks later, and at once for a table it does not know", async () => {
    let nowMs = 0;
    let tables: readonly LeafTable[] = [table("requests")];
    const one = leaf("a", () => tables);
    const catalogue = createTableCatalogue({ leaves: () => [one], now: () => nowMs, order });
    await Promise.all([catalogue.tables(), catalogue.table("requests")]);
    await catalogue.schema("requests");
    expect(one.asked).toBe(1);
    tables = [table("requests"), table("flights")];
    expect((await catalogue.table("flights")).name).toBe("flights");
    expect(one.asked).toBe(2);
    nowMs = 1_500;
    await catalogue.schema("requests");
    expect(one.asked).toBe(2);
    await catalogue.tables();
    expect(one.asked).toBe(3);
    nowMs = 4_000;
    await catalogue.schema("requests");
    expect(one.asked).toBe(4);
  });

  test("rows that came while leaves were being asked are in later answers", async () => {
    let rows = 1;
    let answer = () => {};
    const one = leaf("a", () => [table("t", { rows })]);
    const request = one.request.bind(one);
    one.request = async (...asked) => {
      const described = await request(...asked);
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return described;
    };
    const catalogue = createTableCatalogue({ leaves: () => [one], now: () => 0, order });
    const before = catalogue.table("t");
    await vi.waitFor(() => expect(one.asked).toBe(1));
    rows = 2;
    const after = [catalogue.table("t"), catalogue.table("t")];
    answer();
    expect((await before).rows).toBe(1);
    await vi.waitFor(() => expect(one.asked).toBe(2));
    answer();
    expect((await Promise.all(after)).map((detail) => detail.rows)).toEqual([2, 2]);
    expect(one.asked).toBe(2);
  });

  test("names the nearest table", async () => {
    const catalogue = createTableCatalogue({
      order,
      leaves: () => [leaf("a", () => [table("requests")])],
      now: () => 0,
    });
    await expect(catalogue.table("request")).rejects.toMatchObject({
      code: "unknown-table",
      message: expect.stringContaining('Did you mean "requests"?'),
    });
  });

  test("a leaf that does not answer keeps its last description", async () => {
    let nowMs = 0;
    let isAlive = true;
    const leaves = [
      leaf("a", () => [table("t")]),
      leaf("b", () => (isAlive ? [table("t"), table("only_on_b")] : null)),
    ];
    const catalogue = createTableCatalogue({ leaves: () => leaves, now: () => nowMs, order });
    expect((await catalogue.tables()).map(({ name }) => name)).toEqual(["only_on_b", "t"]);
    isAlive = false;
    nowMs = 2_000;
    expect((await catalogue.table("t")).rows).toBe(20);
    expect((await catalogue.table("only_on_b")).rows).toBe(10);
  });

  test("knows the columns whose values no one form suits, and asks leaves about those", async () => {
    const column = (name: string, own: Partial<LeafTable["columns"][number]>) => ({
      ...{ name, types: ["int"] as const, decimals: 0, decimalsMax: 18 },
      ...{ rows: 1, bytes: 1, rawBytes: 1, ...own },
    });
    const one = leaf("a", () => [
      table("t", {
        columns: [column("plain", {}), column("ms", {}), column("ts", { decimalsMax: 0 })],
      }),
    ]);
    const other = leaf("b", () => [
      table("t", { columns: [column("ms", { types: ["string"] }), column("ts", { decimals: 6 })] }),
    ]);
    const asked: unknown[] = [];
    const describe = one.request.bind(one);
    one.request = async (request, ...rest) => {
      if (request.kind !== "forms") return describe(request, ...rest);
      asked.push(request);
      const columns = [{ column: "ms", types: ["int" as const], numbers: null }];
      return { header: { kind: "forms", id: 1, columns } };
    };
    // It hangs: the other leaf describes its own columns.
    const describeOther = other.request.bind(other);
    other.request = async (request, ...rest) => {
      if (request.kind === "forms") throw new Error("late");
      return describeOther(request, ...rest);
    };
    const catalogue = createTableCatalogue({ leaves: () => [one, other], now: () => 0, order });
    const { mixed, columns } = await catalogue.schema("t");
    expect([...mixed]).toEqual([
      ["ms", { types: ["int", "string"], decimals: 0, decimalsMax: 18 }],
      ["ts", { types: ["int"], decimals: 6, decimalsMax: 0 }],
    ]);
    expect(columns.get("ts")).toMatchObject({ type: "string", decimals: 0 });
    const ranges = [{ fromMs: 1, toMs: 2 }];
    const found = await catalogue.forms("t", ["ms", "ts"], ranges);
    expect(found).toEqual([{ column: "ms", types: ["int"], numbers: null }]);
    const wanted = [
      { name: "ms", exact: false },
      { name: "ts", exact: true },
    ];
    expect(asked).toEqual([{ kind: "forms", table: "t", columns: wanted, ranges }]);
  });

  test("without any description there is no table to be unknown", async () => {
    const catalogue = createTableCatalogue({
      leaves: () => [leaf("a", () => null)],
      now: () => 0,
      order,
    });
    await expect(catalogue.table("t")).rejects.toMatchObject({ code: "no-leaves" });
    await expect(catalogue.tables()).rejects.toMatchObject({ code: "no-leaves" });
  });

  test("a table whose leaves have been away since the start is not unknown", async () => {
    const catalogue = createTableCatalogue({
      leaves: () => [leaf("a", () => [table("t")]), leaf("b", () => null)],
      ...{ now: () => 0, order },
      holdersOf: (name) => (name === "on_b" ? ["b"] : []),
    });
    await expect(catalogue.table("on_b")).rejects.toMatchObject({
      code: "no-leaves",
      message: expect.stringContaining("should hold them: b.") as string,
    });
    await expect(catalogue.table("nowhere")).rejects.toMatchObject({ code: "unknown-table" });
  });

  test("values are never negative where all leaves have said so, those that are away too", async () => {
    const column = (neverNegative: boolean) => ({
      name: "x",
      types: ["int" as const],
      decimals: 0,
      decimalsMax: 18,
      rows: 1,
      bytes: 1,
      rawBytes: 1,
      neverNegative,
    });
    let isAlive = true;
    const known = new Map([["b", true]]);
    const leaves = [
      leaf("a", () => [table("t", { columns: [column(true)] })]),
      leaf("b", () =>
        isAlive ? [table("t", { columns: [column(known.get("b") === true)] })] : null,
      ),
      leaf("c", () => []),
    ];
    const catalogue = createTableCatalogue({ leaves: () => leaves, now: () => 0, order });
    // No one has said anything yet.
    expect(catalogue.neverNegative("t", "x")).toBe(false);
    await catalogue.tables();
    isAlive = false;
    await catalogue.tables();
    expect(catalogue.neverNegative("t", "x")).toBe(true);
    isAlive = true;
    known.set("b", false);
    await catalogue.tables();
    expect(catalogue.neverNegative("t", "x")).toBe(false);
  });

  test("values that a leaf has lost may have been negative, also of a column that it knows no more", async () => {
    let hasLost = false;
    const leaves = [leaf("a", () => [{ ...table("t", { columns: [] }), hasLost }])];
    const catalogue = createTableCatalogue({ leaves: () => leaves, now: () => 0, order });
    await catalogue.tables();
    expect(catalogue.neverNegative("t", "x")).toBe(true);
    hasLost = true;
    await catalogue.refresh();
    expect(catalogue.neverNegative("t", "x")).toBe(false);
  });

  test("leaves tell columns again only where their forms changed, or what they hold is asked for", async () => {
    const column = (name: string, rows: number) => ({
      ...{ name, types: ["int" as const], decimals: 0, decimalsMax: 18 },
      ...{ rows, bytes: rows, rawBytes: rows },
    });
    let held = { forms: "1", rows: 5, columns: [column("a", 5)] };
    const sent: string[] = [];
    const one: DescribedLeaf = {
      id: "a",
      async request(request) {
        if (request.kind !== "describe") throw new Error("no one asks that");
        const { columns, ...rest } = table("t", held);
        const isKnown = request.known?.some(
          ([name, forms]) => name === "t" && forms === held.forms,
        );
        const withColumns = isKnown !== true || request.counted?.includes("t") === true;
        sent.push(withColumns ? "columns" : "forms");
        const tables = [withColumns ? { ...rest, columns } : rest];
        return { header: { kind: "described", id: 1, tables } };
      },
    };
    const known = { ...order, of: () => names };
    const names = new Set<string>();
    const catalogue = createTableCatalogue({ leaves: () => [one], now: () => 0, order: known });
    const schema = await catalogue.schema("t");
    held = { ...held, rows: 6, columns: [column("a", 6)] };
    await catalogue.refresh();
    expect((await catalogue.tables()).map(({ rows }) => rows)).toEqual([6]);
    // The same columns: nothing is computed again.
    expect(await catalogue.schema("t")).toBe(schema);
    expect(sent).toEqual(["columns", "forms", "forms"]);
    const { columns } = await catalogue.table("t");
    expect(columns.find(({ name }) => name === "a")?.rows).toBe(6);
    held = { forms: "2", rows: 7, columns: [column("a", 6), column("b", 1)] };
    await catalogue.know("t", ["a", "b"]);
    expect((await catalogue.schema("t")).columns.has("b")).toBe(true);
    expect(sent).toEqual(["columns", "forms", "forms", "columns", "columns"]);
  });
});
