// Bare constants: read by asc and by tsc alike.

/** Low memory that belongs to the kernel's static data; the host's regions start here. */
export const RESERVED_BYTES = 1024;

/** Tables of up to so many groups are gathered in packed words of count and sum; the host keeps room for that many. */
export const PACKED_GROUPS = 4096;
/** Parts that a radix table cuts its keys into, by their hash. */
export const RADIX_PARTS = 256;
