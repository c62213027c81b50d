import type { Registry } from "../../../registry/registry.js";
import type { NamedRule } from "../../schedule/messageOf.js";
import type { Plant } from "./plants.js";
import type { Receivers } from "./receivers.js";
import type { Truth } from "./truth.js";
import type { World } from "./world.js";

/** What all gateways of a world share. */
export interface SharedParts {
  readonly world: World;
  readonly registry: Registry;
  readonly truth: Truth;
  readonly receivers: Receivers;
  readonly plant: Plant | null;
  /** How far the clock of the database is off, in ms. */
  registryOffsetMs: number;
  /** Until when no gateway reaches the registry. */
  awayUntilMs: number;
  /** Until when answers to changes get lost. */
  lossyUntilMs: number;
  /** As they were saved last. */
  rules: readonly NamedRule[];
  /** When rules were evaluated last. */
  evaluatedMs: number;
  /** What went against a promise. */
  readonly faults: string[];
  readonly newName: (kind: string) => string;
}
