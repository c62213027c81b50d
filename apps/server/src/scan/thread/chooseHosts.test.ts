import { expect, test } from "vitest";
import type { ScanTask } from "../task/scanTask.js";
import { chooseHosts } from "./chooseHosts.js";
import type { ScanHost } from "./scanHost.js";

interface NamedHost extends ScanHost {
  readonly name: string;
}

const host = (name: string, running: number): NamedHost => ({
  ...{ name, running, rowsScanned: 0 },
  run: () => Promise.reject(new Error("nothing is run here")),
  close: () => Promise.resolve(),
});

/** A task of one segment with this many groups, as far as its host is chosen by it. */
const task = (groupCount: number): ScanTask =>
  ({
    ...{ background: false, sample: null, branches: [], units: [], programs: [] },
    sides: [{ table: { kind: "direct", groupCount }, states: [], dealt: null }],
  }) as unknown as ScanTask;

/** The hosts of a query of this many lanes; `running`: what each thread has. */
function chosen(
  running: readonly number[],
  groupCount: number,
  { lanes = 1, isMainFree = false, hasQuick = true } = {},
): string {
  const hosts = {
    threads: running.map((count, i) => host(`${i}`, count)),
    main: { ...host("main", 0), takes: () => isMainFree },
    quick: hasQuick ? host("quick", 0) : null,
  };
  const found = chooseHosts(hosts, Array<ScanTask>(lanes).fill(task(groupCount)));
  return found
    .slice(0, lanes)
    .map((one) => (one as NamedHost).name)
    .join(" ");
}

test("a short task beside others has the quick thread", () => {
  expect(chosen([1], 20)).toBe("quick");
  expect(chosen([2, 1], 20, { lanes: 2 })).toBe("1 quick");
});

test("a long one has not, nor has one that finds a thread free, or the main thread", () => {
  expect(chosen([1], 1_000_000)).toBe("0");
  expect(chosen([3, 0], 20)).toBe("1");
  expect(chosen([1], 20, { isMainFree: true })).toBe("main");
  expect(chosen([1], 20, { hasQuick: false })).toBe("0");
});

test("the least busy come first, and the main thread last", () => {
  expect(chosen([2, 0, 1], 20, { lanes: 3, isMainFree: true })).toBe("1 2 main");
  expect(chosen([2, 0, 1], 1_000_000, { lanes: 2 })).toBe("1 2");
});
