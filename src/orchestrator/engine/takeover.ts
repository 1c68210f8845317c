import type { Clock } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';

export interface TakeoverParts {
  readonly clock: Clock;
  readonly members: Pick<Members, 'isAlive' | 'renew' | 'watch'>;
  /** Whether this process may take up anything. */
  readonly isOpen: () => boolean;
  /** This process is a member no more. */
  readonly lost: () => void;
  /** Others may have stored or released something. */
  readonly look: () => void;
  /** Takes up the jobs of the dead, and what this process had claimed under a former id. */
  readonly takeUp: () => Promise<void>;
  /** Never rejects. */
  readonly failed: (error: unknown) => Promise<void>;
}

const LOOK_MS = 1_000;

/** What a process owes to the others on its store: it finds work that they have left, and takes over from the dead. */
export function createTakeover(parts: TakeoverParts) {
  const { clock, members, isOpen } = parts;
  let cancel = (): void => undefined;
  let unwatch = (): void => undefined;
  let isRunning = false;
  let isToRenew = false;
  let current = Promise.resolve();

  const tick = async (): Promise<void> => {
    if (!members.isAlive() || !isOpen()) return;
    if (isToRenew) await members.renew();
    parts.look();
    await parts.takeUp();
  };
  const plan = (): void => {
    if (!isRunning) return;
    cancel = clock.after(LOOK_MS, () => {
      current = tick().catch(parts.failed).then(plan);
    });
  };

  return {
    start(): void {
      isRunning = true;
      unwatch = members.watch({
        lost: parts.lost,
        joined() {
          isToRenew = false;
        },
      });
      plan();
    },
    /** A claim was not answered: the store may take this process for the holder of something that it knows nothing of. */
    renew(): void {
      isToRenew = true;
    },
    async stop(): Promise<void> {
      isRunning = false;
      cancel();
      unwatch();
      await current;
    },
  };
}
