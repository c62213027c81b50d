import { simulate } from "./drive/simulate.js";

/** `--seeds N [--from N]`, or `--seed N` with a trace; `--until-failure` stops at the first. */
const { argv, stdout } = globalThis.process;

function flag(name: string): number | null {
  const at = argv.indexOf(name);
  return at < 0 ? null : Number(argv[at + 1]);
}

const print = (line: string): void => void stdout.write(`${line}\n`);

const stops = argv.includes("--until-failure");
const one = flag("--seed");
const first = one ?? flag("--from") ?? 1;
const count = one === null ? (flag("--seeds") ?? 500) : 1;
let ran = 0;
let failed = 0;
const broken = new Set<string>();
let events = 0;
const answers: Record<string, number> = {};
const startedMs = Date.now();
for (let seed = first; seed < first + count && !(stops && failed > 0); seed++) {
  const outcome = await simulate(seed, one === null ? null : print);
  events += outcome.events;
  ran++;
  for (const [name, n] of Object.entries(outcome.answers)) answers[name] = (answers[name] ?? 0) + n;
  if (outcome.breaches.length === 0) continue;
  failed++;
  for (const { invariant } of outcome.breaches) broken.add(invariant);
  for (const { invariant, text } of outcome.breaches) print(`seed ${seed}: ${invariant}: ${text}`);
}
const seconds = (Date.now() - startedMs) / 1_000;
print(JSON.stringify({ seeds: ran, failed, broken: [...broken], events, answers, seconds }));
globalThis.process.exitCode = failed === 0 ? 0 : 1;
