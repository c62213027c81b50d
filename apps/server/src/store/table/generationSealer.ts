import { inTurns, neverStops, type Steps } from "../../base/schedule/steps.js";
import type { TableColumns } from "../columns/tableColumns.js";
import { outgrownColumns, outgrownLists, repetitiveColumns } from "../columns/textOrCodes.js";
import type { OpenSegment } from "../open/openSegment.js";
import { sealSteps } from "../seal/sealSegment.js";
import type { TableContext } from "../segment/tableContext.js";
import { nextStoreTurn } from "../upkeep/nextStoreTurn.js";
import { OpenFacts } from "./openFacts.js";
import type { ChangedForms, OpenGeneration } from "./openGeneration.js";
import type { OpenUnits } from "./openUnits.js";
import type { TableSegments } from "./tableSegments.js";

export interface GenerationSealerOptions {
  readonly context: TableContext;
  readonly columns: TableColumns;
  readonly sealed: TableSegments;
  readonly units: OpenUnits;
  /** Called in the turn in which the generation has no open rows any more. */
  readonly onSealed: (generation: OpenGeneration) => void;
}

/** Makes sealed segments of open ones, and chooses the forms of the columns of later rows. */
export class GenerationSealer {
  #isChanging = false;
  readonly #options: GenerationSealerOptions;

  constructor(options: GenerationSealerOptions) {
    this.#options = options;
  }

  /** Rows are being sealed, or memory is being reserved in turns. */
  get isChanging(): boolean {
    return this.#isChanging;
  }

  /**
   * Replaces an open segment by a sealed one, in turns: until the last one queries read the open
   * segment, and no batch becomes visible. The file is written in the background. False: it has no
   * rows. Rejects, and changes nothing, when memory ran out meanwhile.
   */
  async seal(generation: OpenGeneration): Promise<boolean> {
    const { context, units, sealed, onSealed } = this.#options;
    units.joinAll(generation);
    const open = generation.segment;
    if (open === null || open.rowCount === 0) return false;
    const before = generation.laterForms;
    const forms = before ?? laterForms([open]);
    const options = { asText: forms.asText, ownLists: new Set(forms.lists.keys()) };
    const steps = sealSteps(open.view(), generation.number, context, options);
    await this.changeInTurns(steps, (segment) => {
      if (before === null) this.#change(forms, [open]);
      generation.laterForms = forms;
      open.retire();
      generation.segment = null;
      const origin = generation.facts.origin;
      generation.facts = new OpenFacts();
      sealed.add(segment, origin);
      onSealed(generation);
    });
    return true;
  }

  /** No row is added to the generation from here on; later ones may have other forms. */
  endForms(generation: OpenGeneration): void {
    const segments = generation.segments.filter(({ rowCount }) => rowCount > 0);
    generation.laterForms = laterForms(segments);
    this.#change(generation.laterForms, segments);
  }

  #change({ asText, lists }: ChangedForms, segments: readonly OpenSegment[]): void {
    const { columns, context } = this.#options;
    for (const name of asText) columns.storeAsText(name);
    for (const segment of segments)
      for (const name of repetitiveColumns(segment.view(), context.memory))
        columns.storeAsCodes(name);
    columns.renewLists(lists);
  }

  /**
   * No batch becomes visible between these turns: it waits for the writer. `onDone` is called in
   * the last turn.
   */
  async changeInTurns<Result>(
    steps: Steps<Result>,
    onDone: (result: Result) => void,
  ): Promise<void> {
    this.#isChanging = true;
    try {
      onDone(await inTurns(steps, neverStops, nextStoreTurn));
    } finally {
      this.#isChanging = false;
    }
  }
}

const laterForms = (segments: readonly OpenSegment[]): ChangedForms => ({
  asText: new Set(segments.flatMap((segment) => [...outgrownColumns(segment)])),
  lists: new Map(segments.flatMap((segment) => [...outgrownLists(segment)])),
});
