import { afterEach, expect, test, vi } from "vitest";
import { loadHadalChart } from "./loadHadalChart.js";

afterEach(() => void vi.unstubAllGlobals());

test.each(["http://", "https://[", "http://a b"])(
  "an address that is none rejects, and throws nothing at the page: %s",
  async (src) => {
    vi.stubGlobal("customElements", { get: () => undefined });
    vi.stubGlobal("document", { baseURI: "https://host.example/" });
    await expect(loadHadalChart(src)).rejects.toThrow("no address of a server");
  },
);
