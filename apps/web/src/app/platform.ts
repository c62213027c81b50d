/** Apple's keyboards have ⌘ where others have Ctrl. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
