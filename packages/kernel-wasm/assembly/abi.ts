// Bare constants: read by asc and by tsc alike.

/**
 * Low memory that belongs to the kernel: its static data, and the switch; the host's regions start
 * here.
 */
export const RESERVED_BYTES = 2048;
/** A byte: 1 when loops read ahead, for all threads over the memory. */
export const READ_AHEAD_SWITCH = 2040;

/**
 * Tables of up to this many groups use packed words of count and sum; the host keeps room for that
 * many.
 */
export const PACKED_GROUPS = 4096;
/** Parts that a radix table cuts its keys into, by their hash. */
export const RADIX_PARTS = 256;
/** Rows that a narrow table takes together, and the bytes it keeps for them. */
export const NARROW_BATCH = 256;
export const NARROW_BATCH_BYTES = 3136;
/** Keys that get their ids together. */
export const KEY_BATCH = 256;
/** A search of texts keeps the results of at most this many templates, a byte each. */
export const TEMPLATES_MAX = 8192;

// A scan program, see src/operations/program/scanProgram.ts. Offsets and sizes are bytes.
export const PROGRAM_CONDITION_COUNT = 0;
export const PROGRAM_INPUT_COUNT = 4;
export const PROGRAM_CONDITIONS = 8;
export const PROGRAM_UNITS = 12;
export const PROGRAM_SPREAD_COUNT = 16;
export const PROGRAM_SPREAD_ROWS = 20;
export const PROGRAM_BYTES = 24;
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
/**
 * An input that is a product of two columns: the words of the table give the second column, and its
 * base in the place of a count.
 */
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
export const INPUT_BYTES = 32;
/** Rows that go through all steps before the next ones do, at most. */
export const PROGRAM_BLOCK_ROWS = 1024;
/** Loops read ahead: no column ends nearer to the end of the memory. */
export const READ_AHEAD_BYTES = 4096;
/** Maximum number of steps for a unit's conditions. */
export const PROGRAM_STEPS = 64;

// A name of JSON rows: the places of its cells and what was found of it, see src/json/jsonRows.ts.
// Offsets and sizes are bytes.
/** The first 16 bytes of the key, and which of them count. */
export const PLACE_KEY_START = 0;
export const PLACE_KEY_MASK = 16;
export const PLACE_KEY = 32;
export const PLACE_KEY_BYTES = 36;
export const PLACE_ACCEPTS = 40;
export const PLACE_DECIMALS = 44;
export const PLACE_MIN = 48;
export const PLACE_MAX = 56;
export const PLACE_KINDS = 64;
export const PLACE_CELLS = 68;
export const PLACE_TEXTS = 72;
export const PLACE_SLOTS = 76;
export const PLACE_NEXT_ROW = 80;
export const PLACE_TEXT_COUNT = 84;
export const PLACE_MISSING = 88;
export const PLACE_FRACTIONS = 92;
/** The places of the names within its objects: of the first, and behind the last. */
export const PLACE_CHILDREN = 96;
export const PLACE_CHILDREN_END = 100;
/** A hash shifted right by this is the number of a pair of slots. */
export const PLACE_SLOT_SHIFT = 104;
/** Texts listed by the reads before this one. */
export const PLACE_TEXT_KNOWN = 108;
export const PLACE_BYTES = 112;
/**
 * A step of a row that other rows are compared with: the text before its value: position, length,
 * first 16 bytes, and which of these count; its place, and the usual kind of its values.
 */
export const STEP_LITERAL_START = 0;
export const STEP_LITERAL_MASK = 16;
export const STEP_LITERAL = 32;
export const STEP_LITERAL_BYTES = 36;
export const STEP_PLACE = 40;
export const STEP_KIND = 44;
export const STEP_BYTES = 48;
/**
 * What a name's values may be, as bits; of fractions, strings, sets and vectors at most one, as
 * they share its texts.
 */
export const ACCEPTS_NULL = 1;
export const ACCEPTS_INTEGER = 2;
export const ACCEPTS_FRACTION = 4;
export const ACCEPTS_STRING = 8;
export const ACCEPTS_SET = 16;
export const ACCEPTS_VECTOR = 32;
export const ACCEPTS_OBJECT = 64;
export const ACCEPTS_TIME = 128;
/**
 * How a row ends: with its line; or with a comma, and the next row on the same line or on the next
 * one.
 */
export const ROWS_IN_LINES = 0;
export const ROWS_LISTED_IN_LINE = 1;
export const ROWS_LISTED_IN_LINES = 2;
/** The kind of a cell. */
export const CELL_MISSING = 0;
export const CELL_INTEGER = 1;
export const CELL_FRACTION = 2;
export const CELL_TEXT = 3;
/**
 * One of a name's different texts: where it is kept if it is long, its length, the first row that
 * has it, two words of its bytes (of those of 16 and more the last), and its first 16 bytes.
 */
export const TEXT_START = 0;
export const TEXT_LENGTH = 4;
export const TEXT_ROW = 8;
export const TEXT_LOW = 16;
export const TEXT_HIGH = 24;
export const TEXT_FIRST = 32;
export const TEXT_BYTES = 48;
/** Up to here the words and the first bytes are all of a text. */
export const TEXT_SHORT_MAX = 32;

// An automaton over bytes: words, classes of bytes, whether a byte leads back to the state where no
// match has begun, table.
export const AUTOMATON_FIRST = 0;
export const AUTOMATON_REST = 4;
export const AUTOMATON_MATCHED = 8;
export const AUTOMATON_END = 12;
export const AUTOMATON_STUCK_STATE = 16;
export const AUTOMATON_STUCK_CLASS = 20;
export const AUTOMATON_LEAP_BYTES = 24;
export const AUTOMATON_LEAP_TO = 28;
export const AUTOMATON_CLASSES = 32;
export const AUTOMATON_STAYS = 288;
export const AUTOMATON_TABLE = 544;
