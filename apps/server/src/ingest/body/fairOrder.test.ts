import { expect, test } from "vitest";
import { FairOrder } from "./fairOrder.js";

test("clients that were never seen again are forgotten, the longest unheard first", () => {
  const order = new FairOrder();
  const sender = (client: string) => ({ sender: { client, order: 1 } });
  for (const client of ["old", "often"]) order.noteTurn(sender(client).sender);
  for (let i = 0; i < 20_000; i++) {
    order.noteTurn({ client: `c${i}`, order: 1 });
    if (i % 5_000 === 0) order.noteTurn({ client: "often", order: 1 });
  }
  expect(order.choose([sender("often"), sender("old")])).toEqual(sender("old"));
  expect(order.choose([sender("often"), sender("c0"), sender("old")])).toEqual(sender("c0"));
});

test("an address with many names has no more turns than others", () => {
  const order = new FairOrder();
  const sender = (client: string) => ({ sender: { client, order: 1 } });
  order.noteTurn({ client: "b", order: 1 });
  order.noteTurn({ client: "a first", order: 1 });
  expect(order.choose([sender("a second"), sender("b")])).toEqual(sender("b"));
  order.noteTurn({ client: "b", order: 1 });
  expect(order.choose([sender("a first"), sender("a second"), sender("b")])).toEqual(
    sender("a second"),
  );
});

test("a person with many addresses has no more turns than another", () => {
  const order = new FairOrder();
  const sender = (client: string) => ({ sender: { client, order: 1 } });
  order.noteTurn({ client: "user:a ::1 s", order: 1 });
  expect(order.choose([sender("user:a ::2 s"), sender("user:b ::1 s")])).toEqual(
    sender("user:b ::1 s"),
  );
  order.noteTurn({ client: "user:b ::1 s", order: 1 });
  expect(order.choose([sender("user:a ::1 new"), sender("user:a ::2 s")])).toEqual(
    sender("user:a ::2 s"),
  );
});
