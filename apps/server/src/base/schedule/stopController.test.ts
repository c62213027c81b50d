import { describe, expect, test } from "vitest";
import { StopController, type StopSignal } from "./stopController.js";

describe.each([
  ["of our own", () => new StopController()],
  ["of Node", () => new AbortController()],
])("a signal %s", (_, create: () => { readonly signal: StopSignal; abort(): void }) => {
  test("calls all remaining listeners, in order and once", () => {
    const { signal, ...controller } = withAbort(create());
    const heard: string[] = [];
    const dropped = (): void => void heard.push("dropped");
    signal.addEventListener("abort", () => void heard.push("first"), { once: true });
    signal.addEventListener("abort", dropped);
    signal.addEventListener("abort", () => void heard.push("last"));
    signal.removeEventListener("abort", dropped);
    expect(signal.aborted).toBe(false);
    controller.abort();
    controller.abort();
    expect(signal.aborted).toBe(true);
    expect(heard).toEqual(["first", "last"]);
  });

  test("that was stopped calls no listener that is added later", () => {
    const { signal, ...controller } = withAbort(create());
    controller.abort();
    let heard = false;
    signal.addEventListener("abort", () => {
      heard = true;
    });
    controller.abort();
    expect(heard).toBe(false);
  });

  test("has stopped before it calls listeners, which may be removed meanwhile", () => {
    const { signal, ...controller } = withAbort(create());
    const seen: boolean[] = [];
    const first = (): void => {
      seen.push(signal.aborted);
      signal.removeEventListener("abort", first);
    };
    signal.addEventListener("abort", first);
    signal.addEventListener("abort", () => void seen.push(signal.aborted));
    controller.abort();
    expect(seen).toEqual([true, true]);
  });
});

function withAbort(controller: { readonly signal: StopSignal; abort(): void }) {
  return { signal: controller.signal, abort: () => controller.abort() };
}
