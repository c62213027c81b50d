import { describe, expect, test } from "vitest";
import { bodyOptions, type ReadOptions } from "./readOptions.js";

const read: ReadOptions = {
  ...{ timeColumn: "at", timeUnit: "ms", timeZone: "Europe/Berlin" },
  csv: { delimiter: ";", decimal: "," },
};

describe("every part of a file is read as its preview was", () => {
  test("with the time column, the unit and the zone of times", () => {
    expect(bodyOptions("ndjson", read)).toEqual({
      contentType: "application/x-ndjson",
      ...{ time: "at", timeUnit: "ms", timeZone: "Europe/Berlin" },
    });
  });

  test("CSV also with its separators, which other formats do not have", () => {
    expect(bodyOptions("csv", read)).toMatchObject({
      contentType: "text/csv",
      csv: { delimiter: ";", decimal: "," },
    });
  });

  test("without a chosen time column the server looks for one", () => {
    expect(bodyOptions("csv", { ...read, timeColumn: null })).not.toHaveProperty("time");
  });
});
