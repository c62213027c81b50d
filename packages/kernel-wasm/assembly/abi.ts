// Bare constants: read by asc and by tsc alike.

/** Low memory that belongs to the kernel's static data; the host's regions start here. */
export const RESERVED_BYTES = 1024;
