import type { CopySource } from "../base/copy/copySource.js";
import type { UnitSnapshot } from "../base/row/unitSnapshot.js";
import type { Steps } from "../base/schedule/steps.js";
import type { StopSignal } from "../base/schedule/stopController.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import type { DescribeOptions, LeafRequest, WithoutId } from "./leafProtocol.js";
import type {
  DescribedTable,
  HeldDays,
  HeldMinutes,
  LeafHints,
  LeafHoldings,
  LeafQueryStats,
  LeafReply,
  LeafStatus,
} from "./leafReply.js";

export type RequestOf<Kind extends LeafRequest["kind"]> = Extract<
  LeafRequest,
  { readonly kind: Kind }
>;
export type ReplyBody<Kind extends LeafReply["kind"]> = Omit<
  WithoutId<Extract<LeafReply, { readonly kind: Kind }>>,
  "kind"
>;

/** The operations of a leaf. Each may reject with a HadalError, which is sent as a problem. */
export interface LeafHandlers {
  append(request: RequestOf<"append">, body: Uint8Array): Promise<ReplyBody<"appended">>;
  holds(request: RequestOf<"holds">): Promise<ReplyBody<"holding">["batches"]>;
  holdsOfBody(request: RequestOf<"holdsOfBody">): Promise<ReplyBody<"holding">["batches"]>;
  /** Resolves when it is on the disk. */
  settle(request: RequestOf<"settle">): Promise<void>;
  undecided(): Promise<ReplyBody<"undecided">>;
  storeHint(request: RequestOf<"setAside">, body: Uint8Array): Promise<void>;
  /** Null where there is none. */
  takeHint(request: RequestOf<"takeAside" | "dropAside">): Promise<ReplyBody<"appended"> | null>;
  dropHint(request: RequestOf<"takeAside" | "dropAside">): Promise<void>;
  listHints(request: RequestOf<"asides">): Promise<LeafHints>;
  /**
   * Resolves with the whole answer; `onPartial` gets what there is so far, each replacing the one
   * before.
   */
  query(
    query: ResolvedQuery,
    context: QueryContext,
    onPartial: (answer: QueryAnswer) => Steps<void>,
  ): Promise<QueryAnswer>;
  expire(request: RequestOf<"expire">): Promise<ReplyBody<"expiring">>;
  planThinning(request: RequestOf<"planThinning">): Promise<ReplyBody<"expiring">>;
  planCut(request: RequestOf<"planCut">): Promise<ReplyBody<"expiring">>;
  planDrop(request: RequestOf<"planDrop">): Promise<ReplyBody<"expiring">>;
  reduce(request: RequestOf<"reduce">): Promise<void>;
  drop(request: RequestOf<"drop">): Promise<void>;
  fence(request: RequestOf<"fence">): Promise<void>;
  holdings(): Promise<LeafHoldings>;
  heldDays(request: RequestOf<"heldDays">): Promise<HeldDays>;
  heldMinutes(request: RequestOf<"heldMinutes">): Promise<HeldMinutes>;
  describe(request: DescribeOptions): Promise<readonly DescribedTable[]>;
  forms(request: RequestOf<"forms">): Promise<ReplyBody<"forms">["columns"]>;
  status(): Promise<LeafStatus>;
  /** What copies of the leaf read. */
  readonly copies: CopySource;
  awaitCopy(request: RequestOf<"awaitCopy">): Promise<ReplyBody<"copied">["batchIds"]>;
}

export interface QueryContext {
  /** Aborted by a cancel, by the end of the connection, and at the deadline. */
  readonly signal: StopSignal;
  /** On the clock of performance.now(). */
  readonly deadline: number;
  /** See the request. */
  readonly snapshot?: UnitSnapshot;
}

export interface QueryAnswer {
  readonly stats: LeafQueryStats;
  /** An encoded PartialResult; called only when there is room to send it. */
  encode(): Steps<Uint8Array>;
}
