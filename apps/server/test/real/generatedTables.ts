import type { SeededRandom } from "../oracle/seed/seededRandom.js";
import { createSeededRandom } from "../oracle/seed/seededRandom.js";
import type { RealTable } from "./realTable.js";
import { accessLogTable, flightsTable, githubTable, stacksTable } from "./realTable.js";

/** Texts of the same shapes as the real files, through the same parsers, for machines without them. */
export function generatedTables(seed: number): readonly RealTable[] {
  const random = createSeededRandom(seed);
  return [
    flightsTable(times(3000, () => flight(random))),
    accessLogTable(times(2000, (index) => accessLine(random, index))),
    githubTable(times(400, (index) => JSON.stringify(event(random, index)))),
    stacksTable(times(200, () => folded(random))),
  ];
}

const airports = ["ATL", "DTW", "HNL", "LAS", "OAK", "PHX", "SEA", "SFO"];

function flight(random: SeededRandom): object {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `2001/0${random.int(1, 3)}/${two(random.int(1, 28))}`;
  return {
    date: `${day} ${two(random.int(0, 23))}:${two(random.int(0, 59))}`,
    delay: random.int(-40, 600),
    distance: random.int(80, 2700),
    origin: random.pick(airports),
    destination: random.pick(airports),
  };
}

function accessLine(random: SeededRandom, index: number): string {
  const client = `10.0.${random.int(0, 3)}.${random.int(1, 50)}`;
  const clock = new Date(index * 40_000).toISOString().slice(11, 19);
  const method = random.pick(["GET", "GET", "GET", "POST", "HEAD"]);
  const path = `/${random.pick(["presentations", "blog", "files"])}/${random.int(1, 200)}?q="x"`;
  const bytes = random.chance(0.1) ? "-" : random.int(0, 300_000);
  const referrer = random.chance(0.4) ? "-" : "http://example.org/über";
  const request = `"${method} ${path} HTTP/1.${random.int(0, 1)}" ${random.pick([200, 304, 404, 500])} ${bytes}`;
  return `${client} - - [${17 + Math.floor(index / 2160)}/May/2015:${clock} +0000] ${request} "${referrer}" "Agent ${random.int(1, 30)}"`;
}

function event(random: SeededRandom, index: number): object {
  const type = random.pick(["PushEvent", "CreateEvent", "WatchEvent"]);
  const owner = random.int(1, 60);
  return {
    id: String(17_244_207_336 + index),
    type,
    actor: { id: owner, login: `user-${owner}[bot]` },
    repo: { id: 300_000_000 + owner, name: `user-${owner}/répo` },
    payload:
      type === "PushEvent"
        ? { size: random.int(1, 20) }
        : type === "WatchEvent"
          ? { action: "started" }
          : { ref_type: random.pick(["branch", "tag"]) },
    public: true,
    created_at: new Date(Date.UTC(2021, 6, 21, 6) + index * 13_000).toISOString(),
    ...(random.chance(0.3) ? { org: { login: `org-${random.int(1, 5)}` } } : {}),
  };
}

function folded(random: SeededRandom): string {
  const frames = Array.from({ length: random.int(1, 25) }, () => `frame_${random.int(1, 40)}`);
  return `java;${frames.join(";")} ${random.int(1, 200)}`;
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
