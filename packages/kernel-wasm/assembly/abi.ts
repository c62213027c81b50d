// Bare constants: read by asc and by tsc alike.

/** Low memory that belongs to the kernel's static data; the host's regions start here. */
export const RESERVED_BYTES = 1024;

/** Tables of up to so many groups are gathered in packed words of count and sum; the host keeps room for that many. */
export const PACKED_GROUPS = 4096;
/** Parts that a radix table cuts its keys into, by their hash. */
export const RADIX_PARTS = 256;

// A scan program, see src/operations/scanProgram.ts. Offsets and sizes are bytes.
export const PROGRAM_CONDITION_COUNT = 0;
export const PROGRAM_INPUT_COUNT = 4;
export const PROGRAM_CONDITIONS = 8;
export const PROGRAM_UNITS = 12;
export const PROGRAM_BYTES = 16;
export const CONDITION_RANGE_COUNT = 0;
export const CONDITION_NEGATED = 4;
export const CONDITION_RANGES = 8;
export const CONDITION_BYTES = 16;
export const UNIT_ROW_COUNT = 0;
export const UNIT_FROM = 4;
export const UNIT_TO = 8;
export const UNIT_WEIGHTS = 12;
export const UNIT_WEIGHT_WIDTH = 16;
export const UNIT_READ_BYTES = 20;
export const UNIT_TRUE_CONDITIONS = 24;
export const UNIT_BYTES = 32;
export const COLUMN_ADDRESS = 0;
export const COLUMN_FORM = 4;
export const COLUMN_BASE = 8;
export const COLUMN_PRESENT = 16;
export const COLUMN_TABLE = 20;
export const COLUMN_TABLE_WIDTH = 24;
export const COLUMN_TABLE_COUNT = 28;
export const COLUMN_BYTES = 32;
/** A column that the unit lacks; codes of a table are their width and FORM_CODES. */
export const FORM_MISSING = 16;
export const FORM_CODES = 32;
/** An input that is a product of two columns: the words of a table tell the second, and its base in the place of a count. */
export const FORM_PRODUCT = 64;
/** Of the totals, i64 each. */
export const TOTAL_ROWS_SCANNED = 0;
export const TOTAL_READ_BYTES = 8;
export const TOTAL_ROWS = 16;
export const TOTAL_WEIGHT = 24;
export const TOTAL_INPUTS = 32;
export const INPUT_SUM = 0;
export const INPUT_WEIGHT = 8;
export const INPUT_ROWS = 16;
export const INPUT_BYTES = 24;
/** Rows that pass through the first-level cache at once. */
export const PROGRAM_BLOCK_ROWS = 1024;
/** Steps that a unit's conditions come to, at most. */
export const PROGRAM_STEPS = 64;
