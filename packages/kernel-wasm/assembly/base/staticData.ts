/** Where the static data ends; the host checks that it is below what it was told to leave free. */
export function staticDataEnd(): usize {
  return __heap_base;
}
