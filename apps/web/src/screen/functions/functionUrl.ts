export const functionUrl = (name: string): string => `/functions/${encodeURIComponent(name)}`;
