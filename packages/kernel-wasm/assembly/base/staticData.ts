/** Where the static data ends; a test checks that it is below RESERVED_BYTES. */
export function staticDataEnd(): usize {
  return __heap_base;
}
