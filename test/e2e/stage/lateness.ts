import type { Stage } from './stage.ts';

/** How quick the machine is, is not what the test is about. */
export const forgiveLateness = ({ discord: { world } }: Stage): void => {
  const others = world.complaints.filter((complaint) => !complaint.endsWith('answered too late'));
  world.complaints.splice(0, world.complaints.length, ...others);
};
