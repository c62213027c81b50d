import { windowLimitsDefault } from "../../src/tree/window/requestWindow.js";
import { type LinkFigures, linkDefault, simulateLink } from "./simulatedLink.js";

const sizes = [1, 2, 4, 8, 16, 32, 48, 64, 80, 96, 128, 160, 200] as const;
const barMax = 40;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Prints what Figure 4 of "Scaling Memcache at Facebook" shows, for fixed windows and for ours (M14). */
export function windowCurve(): void {
  const { children, queries, answerBytes, bytesPerMs, bufferBytes, timeoutMs } = linkDefault;
  say(
    `Simulated, not measured: one aggregator asks ${children} children, ${queries} queries one after`,
  );
  say(
    `another; answers of ${answerBytes / 1_024} KB leave by one port of ${(bytesPerMs * 8) / 1e6} Gbit/s`,
  );
  say(
    `with ${bufferBytes / 2 ** 20} MiB of buffer, and are dropped where it is full. A request without an`,
  );
  say(`answer after ${timeoutMs} ms is lost and asked again. The window is the code that runs.`);
  say("");
  say("   window   median ms      p95 ms   lost %");
  const rows = sizes.map((size) => ({
    name: String(size),
    figures: simulateLink({ floor: size, max: size }),
  }));
  const longest = Math.max(...rows.map(({ figures }) => figures.medianMs));
  for (const { name, figures } of rows) say(printRow(name, figures, longest));
  const own = simulateLink(windowLimitsDefault);
  const { floor, max } = windowLimitsDefault;
  say(`${printRow("sliding", own, longest)}`);
  say("");
  say(`Sliding: from ${floor} to ${max}, ${own.meanWindow.toFixed(0)} on average.`);
}

function printRow(
  name: string,
  { medianMs, p95Ms, lostPercent }: LinkFigures,
  longest: number,
): string {
  const bar = "█".repeat(Math.max(1, Math.round((barMax * medianMs) / longest)));
  const cells = [medianMs.toFixed(1).padStart(12), p95Ms.toFixed(1).padStart(12)];
  return `${name.padStart(9)}${cells.join("")}${lostPercent.toFixed(1).padStart(9)}  ${bar}`;
}
