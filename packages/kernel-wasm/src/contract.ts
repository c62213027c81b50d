import type { AccumulationOperations } from "./operations/aggregate/accumulation.js";
import type { BestGroupOperations } from "./operations/aggregate/bestGroups.js";
import type { BucketOperations } from "./operations/aggregate/buckets.js";
import type { DistinctOperations } from "./operations/aggregate/distinct.js";
import type { SpreadOperations } from "./operations/aggregate/spread.js";
import type { SquareOperations } from "./operations/aggregate/squares.js";
import type { TotalOperations } from "./operations/aggregate/totals.js";
import type { DealOperations } from "./operations/group/deal.js";
import type { GroupCodeOperations } from "./operations/group/groupCodes.js";
import type { GroupOperations } from "./operations/group/groups.js";
import type { HashKeyOperations } from "./operations/hash/hashKeys.js";
import type { NarrowOperations } from "./operations/hash/narrow.js";
import type { PartedKeyOperations } from "./operations/hash/partedKeys.js";
import type { RadixOperations } from "./operations/hash/radix.js";
import type { ScanProgramOperations } from "./operations/program/scanProgram.js";
import type { CodeBitsOperations } from "./operations/seal/codeBits.js";
import type { OrderOperations } from "./operations/seal/order.js";
import type { PackedOperations } from "./operations/seal/packed.js";
import type { ValueTableOperations } from "./operations/seal/valueTable.js";
import type { SelectionOperations } from "./operations/select/selections.js";
import type { AutomatonOperations } from "./operations/text/automaton.js";
import type { TemplateOperations } from "./operations/text/templates.js";
import type { TextOperations } from "./operations/text/text.js";

/**
 * All operations of the kernel. Addresses are byte offsets into the one shared memory; the kernel
 * allocates nothing. It may read up to 4096 bytes (READ_AHEAD_BYTES) after its inputs; these must
 * exist, and no result depends on them. `createKernel` (WASM) and `createReferenceKernel` (the
 * plain twin of the tests) implement them over the same memory.
 */
export interface KernelOperations
  extends SelectionOperations,
    GroupOperations,
    HashKeyOperations,
    AccumulationOperations,
    OrderOperations,
    GroupCodeOperations,
    AutomatonOperations,
    BestGroupOperations,
    DealOperations,
    DistinctOperations,
    NarrowOperations,
    PackedOperations,
    PartedKeyOperations,
    RadixOperations,
    ScanProgramOperations,
    SpreadOperations,
    SquareOperations,
    BucketOperations,
    CodeBitsOperations,
    TemplateOperations,
    TextOperations,
    TotalOperations,
    ValueTableOperations {}
