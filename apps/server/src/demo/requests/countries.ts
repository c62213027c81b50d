/** Where requests come from. `weight` is roughly people online who shop in this invented store; `offsetMinutes` the local time that most of them live by; `distance` what the way to the servers adds to latency. */
export interface Country {
  readonly code: string;
  readonly weight: number;
  readonly offsetMinutes: number;
  readonly distance: number;
}

const rows: readonly [string, number, number, number][] = [
  ["US", 200, -360, 1],
  ["IN", 120, 330, 1.5],
  ["DE", 95, 60, 1.05],
  ["GB", 85, 0, 1.05],
  ["BR", 80, -180, 1.3],
  ["FR", 72, 60, 1.05],
  ["JP", 70, 540, 1.25],
  ["MX", 46, -360, 1.1],
  ["ID", 44, 420, 1.5],
  ["IT", 42, 60, 1.1],
  ["ES", 40, 60, 1.1],
  ["CA", 38, -300, 1],
  ["PL", 34, 60, 1.1],
  ["TR", 32, 180, 1.2],
  ["NL", 30, 60, 1],
  ["KR", 30, 540, 1.2],
  ["AU", 26, 600, 1.4],
  ["VN", 24, 420, 1.5],
  ["PH", 24, 480, 1.5],
  ["TH", 22, 420, 1.4],
  ["AR", 20, -180, 1.35],
  ["CO", 18, -300, 1.2],
  ["EG", 17, 120, 1.4],
  ["NG", 16, 60, 1.6],
  ["ZA", 16, 120, 1.5],
  ["UA", 15, 120, 1.15],
  ["SE", 14, 60, 1.05],
  ["BE", 13, 60, 1],
  ["CH", 12, 60, 1],
  ["AT", 12, 60, 1.05],
  ["CZ", 11, 60, 1.1],
  ["PT", 11, 0, 1.1],
  ["RO", 10, 120, 1.15],
  ["GR", 9, 120, 1.15],
  ["DK", 8, 60, 1.05],
  ["FI", 8, 120, 1.1],
  ["NO", 8, 60, 1.05],
  ["IE", 7, 0, 1],
  ["CL", 7, -240, 1.35],
  ["NZ", 5, 720, 1.45],
];

const total = rows.reduce((sum, [, weight]) => sum + weight, 0);

export const countries: readonly Country[] = rows.map(
  ([code, weight, offsetMinutes, distance]) => ({
    code,
    weight: weight / total,
    offsetMinutes,
    distance,
  }),
);
