import { describe, expect, test } from "vitest";
import { previewFile } from "./previewFile.js";
import { FileFault, rowFile } from "./rowFile.js";

describe("unsupported files", () => {
  const look = async (bytes: Uint8Array<ArrayBuffer>) => {
    const client = { previewBody: () => Promise.reject(new Error("not asked")) };
    return previewFile(client, await rowFile(new Blob([bytes]), "x"), "t");
  };
  test.each<[string, readonly number[], string]>([
    ["a workbook", [0x50, 0x4b, 3, 4, 20], "save the sheet as CSV"],
    ["a picture", [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0], "is not text: byte 9 is zero"],
    ["UTF-16", [0xff, 0xfe, 0x74, 0], "save it as UTF-8"],
    ["nothing", [], "“x” is empty"],
    ["a text without rows", [0x61, 0x2c, 0x62], "has no rows"],
  ])("%s is named", async (_, bytes, words) => {
    await expect(look(Uint8Array.from(bytes))).rejects.toThrow(words);
    await expect(look(Uint8Array.from(bytes))).rejects.toBeInstanceOf(FileFault);
  });
});
