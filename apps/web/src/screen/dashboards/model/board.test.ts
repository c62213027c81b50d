import { type Dashboard, type DashboardTile, HadalError, type SavedDocument } from "@hadal/sdk";
import { checkDashboard } from "@hadal/sdk/checks";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BoardEdit, editBoard, sectionsOf, tilesOf } from "./boardEdits.js";
import { type Cell, cellsOf } from "./boardGrid.js";
import { createBoardStore } from "./boardStore.js";

const text = (id: string, cell: Partial<Cell> = {}): DashboardTile => ({ id, text: id, ...cell });
const board = (...tiles: readonly DashboardTile[]): Dashboard => ({ sections: [{ tiles }] });

const overlap = (a: Cell, b: Cell): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

const ids = ["a", "b", "c", "d"];
const cell = fc.record({
  ...{ x: fc.nat(11), y: fc.nat(20) },
  ...{ w: fc.integer({ min: 1, max: 12 }), h: fc.integer({ min: 1, max: 8 }) },
});
const edit: fc.Arbitrary<BoardEdit> = fc.oneof(
  fc.record({ kind: fc.constant("place tile" as const), id: fc.constantFrom(...ids), cell }),
  fc.record({ kind: fc.constant("remove tile" as const), id: fc.constantFrom(...ids) }),
  fc.record({
    ...{ kind: fc.constant("move tile" as const), id: fc.constantFrom(...ids) },
    section: fc.nat(1),
  }),
);

test("after any edits the board is sound and no tiles overlap", () => {
  const start: Dashboard = { sections: [{ tiles: ids.map((id) => text(id)) }, { tiles: [] }] };
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
      const after = edits.reduce(editBoard, start);
      expect(() => checkDashboard(after)).not.toThrow();
      for (const { tiles } of sectionsOf(after)) {
        const cells = [...cellsOf(tiles).values()];
        cells.forEach((one, i) => {
          expect(cells.slice(i + 1).some((other) => overlap(one, other))).toBe(false);
        });
      }
    }),
  );
});

describe("edits", () => {
  test("a tile without a place goes below the others, side by side", () => {
    const cells = cellsOf([text("a", { x: 0, y: 0, w: 6, h: 3 }), text("b"), text("c")]);
    expect(cells.get("b")).toEqual({ x: 0, y: 3, w: 4, h: 4 });
    expect(cells.get("c")).toMatchObject({ x: 4 });
  });

  test("a moved tile makes the others give way", () => {
    const before = board(
      text("a", { x: 0, y: 0, w: 12, h: 2 }),
      text("b", { x: 0, y: 2, w: 12, h: 2 }),
    );
    const after = editBoard(before, {
      kind: "place tile",
      id: "b",
      cell: { x: 0, y: 0, w: 12, h: 2 },
    });
    const cells = cellsOf(tilesOf(after));
    expect([cells.get("b")?.y, cells.get("a")?.y]).toEqual([0, 2]);
  });

  test("a step goes past a tile in its way, and stops at the edge", () => {
    const two = board(text("a", { x: 0, y: 0, w: 6, h: 4 }), text("b", { x: 0, y: 4, w: 6, h: 4 }));
    const up = editBoard(two, { kind: "step tile", id: "b", x: 0, y: -1 });
    expect(cellsOf(tilesOf(up)).get("b")?.y).toBe(0);
    expect(cellsOf(tilesOf(up)).get("a")?.y).toBe(4);
    const right = editBoard(two, { kind: "step tile", id: "b", x: 1, y: 0 });
    expect(cellsOf(tilesOf(right)).get("b")?.x).toBe(1);
    expect(editBoard(two, { kind: "step tile", id: "a", x: -1, y: 0 })).toBe(two);
  });

  test("the first tile of an empty board makes its first section", () => {
    expect(tilesOf(editBoard({}, { kind: "add tile", tile: text("a") }))).toHaveLength(1);
  });

  test("sections are renamed, folded, moved and removed with their tiles", () => {
    const two: Dashboard = {
      sections: [
        { title: "A", tiles: [text("a")] },
        { title: "B", tiles: [] },
      ],
    };
    const edits: BoardEdit[] = [
      { kind: "move section", index: 0, by: 1 },
      { kind: "rename section", index: 0, title: "First" },
      { kind: "fold section", index: 1, folded: true },
    ];
    const after = edits.reduce(editBoard, two);
    expect(sectionsOf(after).map(({ title, folded }) => [title, folded])).toEqual([
      ["First", undefined],
      ["A", true],
    ]);
    expect(tilesOf(editBoard(after, { kind: "remove section", index: 1 }))).toEqual([]);
  });

  test("an edit of an unknown tile changes nothing", () => {
    const before = board(text("a"));
    expect(editBoard(before, { kind: "remove tile", id: "x" })).toBe(before);
    expect(editBoard(before, { kind: "duplicate tile", id: "x", as: "y" })).toBe(before);
  });
});

const saved = (version: number, body: Dashboard): SavedDocument => ({
  ...{ id: "1", kind: "dashboard", title: "Site", version, body: { ...body } },
  ...{ createdMs: 0, createdBy: null, changedMs: 0, changedBy: null },
});

/** Documents of a server that refuses a save from another version. */
function server(current: number) {
  let version = current;
  return {
    find: async () => saved(version, {}),
    save: async (_: string, draft: { body: object }, from?: { version?: number }) => {
      if (from?.version !== version) throw new HadalError("version-conflict", { detail: "" });
      version += 1;
      return saved(version, draft.body as Dashboard);
    },
  };
}

describe("the store", () => {
  test("undo and redo walk the edits, and the saved state is known again", async () => {
    const store = createBoardStore(server(1), saved(1, board()));
    store.edit({ kind: "add tile", tile: text("a") });
    await store.save();
    expect(store.getState()).toMatchObject({ isChanged: false, document: { version: 2 } });
    store.edit({ kind: "remove tile", id: "a" });
    store.rename("Other");
    store.undo();
    store.undo();
    expect(store.getState()).toMatchObject({ isChanged: false, title: "Site", canRedo: true });
    store.redo();
    expect(tilesOf(store.getState().board)).toEqual([]);
    expect(store.getState().isChanged).toBe(true);
  });

  test("a newer version is a conflict, and can be saved over", async () => {
    const store = createBoardStore(server(5), saved(4, board()));
    store.rename("Mine");
    await store.save();
    expect(store.getState()).toMatchObject({
      isChanged: true,
      problem: { code: "version-conflict" },
    });
    await store.saveOver();
    expect(store.getState()).toMatchObject({ problem: null, document: { version: 6 } });
  });
});
