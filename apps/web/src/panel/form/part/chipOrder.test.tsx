import type { DragEvent, KeyboardEvent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { type ChipOrder, type TakesChips, useChipOrder } from "./chipOrder.js";

interface ListProps {
  readonly calls: string[];
  readonly takes: TakesChips | undefined;
  readonly onOrder: (order: ChipOrder) => void;
}

function List({ calls, takes, onOrder }: ListProps) {
  onOrder(useChipOrder("filter", 3, (from, to) => calls.push(`move ${from} to ${to}`), takes));
  return null;
}

/** The handlers of a list of three filter chips; `calls` records what they do. */
function orderOf(calls: string[], takes?: TakesChips): ChipOrder {
  const orders: ChipOrder[] = [];
  renderToStaticMarkup(
    <List calls={calls} takes={takes} onOrder={(order) => orders.push(order)} />,
  );
  const [order] = orders;
  if (order === undefined) throw new Error("the list was not rendered");
  return order;
}

const key = (name: string, altKey: boolean) =>
  ({
    ...{ key: name, altKey, preventDefault: () => {}, stopPropagation: () => {} },
  }) as unknown as KeyboardEvent<HTMLElement>;

/** A drag event that carries the chip that `start` began to drag. */
function dragOf(start: (event: DragEvent<HTMLElement>) => void): DragEvent<HTMLElement> {
  const data = new Map<string, string>();
  const dataTransfer = {
    ...{ effectAllowed: "none", setData: (type: string, text: string) => data.set(type, text) },
    getData: (type: string) => data.get(type) ?? "",
    get types() {
      return [...data.keys()];
    },
  };
  const event = { dataTransfer, preventDefault: () => {}, stopPropagation: () => {} };
  start(event as unknown as DragEvent<HTMLElement>);
  return event as unknown as DragEvent<HTMLElement>;
}

describe("chips are ordered", () => {
  test("by Alt with Up and Down, not by the arrow keys alone", () => {
    const calls: string[] = [];
    const { onKeyDown } = orderOf(calls).chip(1);
    onKeyDown(key("ArrowUp", true));
    onKeyDown(key("ArrowDown", true));
    onKeyDown(key("ArrowLeft", true));
    onKeyDown(key("ArrowUp", false));
    expect(calls).toEqual(["move 1 to 0", "move 1 to 2"]);
  });
  test("by a drop on another chip, or at the end by a drop beside the chips", () => {
    const calls: string[] = [];
    const order = orderOf(calls);
    const drag = dragOf(order.chip(0).onDragStart);
    order.chip(1).onDrop(drag);
    order.list.onDrop(drag);
    expect(calls).toEqual(["move 0 to 1", "move 0 to 2"]);
  });
});

test("chips of one other list are accepted, other drags are ignored", () => {
  const calls: string[] = [];
  const order = orderOf(calls, { kind: "group", onTake: (index) => calls.push(`take ${index}`) });
  const dragged = (type: string) => dragOf(({ dataTransfer }) => dataTransfer.setData(type, "1"));
  order.list.onDrop(dragged("application/x-hadal-group"));
  order.list.onDrop(dragged("application/x-hadal-column"));
  order.list.onDrop(dragged("text/plain"));
  expect(calls).toEqual(["take 1"]);
});
