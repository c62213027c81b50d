import type { KeyboardEvent, PointerEvent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, describe, expect, test } from "vitest";
import { readerStorage } from "../storage/browserStorage.js";
import { type ColumnWidths, useColumnWidths } from "./useColumnWidths.js";

const key = "hadal.columnWidths";

function Table({ onWidths }: { readonly onWidths: (widths: ColumnWidths) => void }) {
  onWidths(useColumnWidths());
  return null;
}

/** The widths of a table that is opened now. */
function opened(): ColumnWidths {
  const all: ColumnWidths[] = [];
  renderToStaticMarkup(<Table onWidths={(widths) => all.push(widths)} />);
  const [widths] = all;
  if (widths === undefined) throw new Error("the table was not rendered");
  return widths;
}

/** The handle of a column that begins at pixel 100 and is 80 wide. */
const handle = {
  parentElement: { getBoundingClientRect: () => ({ left: 100, width: 80 }) },
  hasPointerCapture: (id: number) => id === 1,
};
const pressed = (name: string) =>
  ({
    key: name,
    currentTarget: handle,
    preventDefault: () => {},
  }) as unknown as KeyboardEvent<HTMLElement>;
const pointed = (clientX: number, pointerId = 1) =>
  ({ clientX, pointerId, currentTarget: handle }) as unknown as PointerEvent<HTMLElement>;

beforeEach(() => readerStorage.removeItem(key));

describe("the width of a column", () => {
  test("is the table's own until the reader sets it, and is kept for the next visit", () => {
    expect(opened().widthOf("page")).toBeNull();
    opened().handleOf("page").onPointerMove(pointed(340));
    expect(opened().widthOf("page")).toBe(240);
    expect(opened().widthOf("user")).toBeNull();
    opened().handleOf("page").onDoubleClick();
    expect(opened().widthOf("page")).toBeNull();
  });

  test("follows the pointer only while it is held", () => {
    opened().handleOf("page").onPointerMove(pointed(340, 2));
    expect(opened().widthOf("page")).toBeNull();
  });

  test.each([
    ["ArrowRight", 96],
    ["ArrowLeft", 64],
    ["Enter", null],
  ])("after the key %s is %s", (name, width) => {
    opened().handleOf("page").onKeyDown(pressed(name));
    expect(opened().widthOf("page")).toBe(width);
  });

  test("stays one that can be read and taken hold of again", () => {
    opened().handleOf("page").onPointerMove(pointed(90));
    opened().handleOf("user").onPointerMove(pointed(90_000));
    expect([opened().widthOf("page"), opened().widthOf("user")]).toEqual([48, 1_200]);
  });

  test.each(["", "{", "null", "7", '{"page":100}', '[["page"],["page","x"],["page",1e9],[1,100]]'])(
    "is the table's own where the browser has kept %j",
    (kept) => {
      readerStorage.setItem(key, kept);
      expect(opened().widthOf("page")).toBeNull();
    },
  );

  test("is kept for the columns that were set last, however many there are", () => {
    const many = Array.from({ length: 500 }, (_, i) => [`column ${i}`, 100]);
    readerStorage.setItem(key, JSON.stringify(many));
    opened().handleOf("page").onPointerMove(pointed(340));
    expect(opened().widthOf("page")).toBe(240);
    expect([opened().widthOf("column 0"), opened().widthOf("column 1")]).toEqual([null, 100]);
  });
});
