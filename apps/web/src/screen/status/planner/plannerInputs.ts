import {
  type PlanNumber,
  type PlanOptions,
  type PlanShape,
  planBounds,
  planFault,
  planShapes,
} from "@hadal/sdk";

/** The form as it is typed; an empty text is a number as the running cluster has it. */
export interface PlannerInputs {
  readonly numbers: ReadonlyMap<PlanNumber, string>;
  readonly shape: PlanShape;
  /** Empty: the largest table. */
  readonly table: string;
}

const shapeDefault: PlanShape = "time-series";

const numberNames = Object.keys(planBounds) as readonly PlanNumber[];

/** The inputs of an address. */
export function readInputs(search: string): PlannerInputs {
  const parameters = new URLSearchParams(search);
  const numbers = numberNames.flatMap((name): [PlanNumber, string][] => {
    const text = parameters.get(name) ?? "";
    return text === "" ? [] : [[name, text]];
  });
  const shape = planShapes.find((one) => one === parameters.get("shape")) ?? shapeDefault;
  return { numbers: new Map(numbers), shape, table: parameters.get("table") ?? "" };
}

/** The address of inputs. */
export function printInputs({ numbers, shape, table }: PlannerInputs): string {
  const parameters = new URLSearchParams();
  for (const name of numberNames) {
    const text = numbers.get(name) ?? "";
    if (text !== "") parameters.set(name, text);
  }
  if (shape !== shapeDefault) parameters.set("shape", shape);
  if (table !== "") parameters.set("table", table);
  return `/status/planner${parameters.size === 0 ? "" : `?${parameters}`}`;
}

export function withNumber(inputs: PlannerInputs, name: PlanNumber, text: string): PlannerInputs {
  const numbers = new Map(inputs.numbers);
  if (text === "") numbers.delete(name);
  else numbers.set(name, text);
  return { ...inputs, numbers };
}

export interface CheckedInputs {
  readonly asked: PlanOptions;
  /** What is wrong with a number. */
  readonly faults: ReadonlyMap<PlanNumber, string>;
}

/** The options that inputs ask for, and what is wrong with those that are no numbers or out of bounds. */
export function checkInputs({ numbers, shape, table }: PlannerInputs): CheckedInputs {
  const faults = new Map<PlanNumber, string>();
  const asked: { -readonly [Name in keyof PlanOptions]: PlanOptions[Name] } = { shape };
  if (table !== "") asked.table = table;
  for (const [name, text] of numbers) {
    // A scan has no groups to choose.
    if (name === "groups" && shape === "scan") continue;
    const value = readNumber(text);
    const fault = planFault(name, value);
    if (fault === null) asked[name] = value;
    else faults.set(name, `It ${fault}.`);
  }
  return { asked, faults };
}

/** Digits may be grouped as people write them: `1 000 000`, `1,000,000`. */
function readNumber(text: string): number {
  const digits = text.replace(/[\s,_]/g, "");
  return /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN;
}
