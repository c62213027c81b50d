import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchEnvironment } from "./lib/scratchFolder.mjs";

describe("files of tests", () => {
  it("stay where the caller wants them", () =>
    expect(scratchEnvironment("/somewhere", tmpdir())).toEqual({}));

  it("are in the system's folder where there is none in memory", () => {
    const gone = mkdtempSync(join(tmpdir(), "hadal-test-"));
    rmdirSync(gone);
    expect(scratchEnvironment(undefined, gone)).toEqual({});
  });

  it("are not in a folder with hardly any room", () =>
    expect(scratchEnvironment(undefined, "/proc")).toEqual({}));
});
