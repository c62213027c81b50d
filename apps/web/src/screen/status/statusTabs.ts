/** The parts of the screen, each with its address. */
export const statusTabs = [
  { tab: "cluster", name: "Cluster", path: "/status" },
  { tab: "planner", name: "Planner", path: "/status/planner" },
] as const;
