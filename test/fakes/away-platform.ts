import { world } from './orchestrator-world.ts';

/** Makes the platform of the running test's world unreachable: until it is back it takes no final edit, gives no new card and deletes nothing. */
export function platformGoesAway() {
  const platform = { isAway: true, tries: 0 };
  const answer = (): void => {
    platform.tries += 1;
    if (platform.isAway) throw new Error('the platform is away');
  };
  world.onFinalEdit(() => {
    answer();
    return { state: 'drawn' };
  });
  world.script.newCard = (job) => {
    answer();
    return { platform: 'web', ref: `elsewhere-${job.id}` };
  };
  world.script.discard = answer;
  return platform;
}
