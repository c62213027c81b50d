export const exploreUrl = (table: string): string => `/explore?table=${encodeURIComponent(table)}`;
export const pageUrl = (table: string): string => `/tables/${encodeURIComponent(table)}`;
