import { createHash } from 'node:crypto';
import { Routes } from 'discord.js';
import type { Clock } from '../../../base/clock.ts';
import type { KeyValue } from '../../../base/key-value.ts';
import type { Log } from '../../../log/log.ts';
import type { Requests } from '../api/requests.ts';

const retryMs = 5 * 60_000;

/**
 * Overwrites the commands at Discord in one request, only when they changed: each new name counts against 200 a day.
 * Runs in the background and retries.
 */
export const createRegistration = (options: {
  readonly requests: Requests;
  readonly state: KeyValue;
  readonly clock: Clock;
  readonly log: Log;
  readonly commands: unknown;
}) => {
  const { requests, state, clock, log, commands } = options;
  const hash = createHash('sha256').update(JSON.stringify(commands)).digest('hex');
  let cancel = (): void => {};
  let stopped = false;

  const attempt = async (application: string): Promise<void> => {
    const key = `commands:${application}`;
    try {
      if ((await state.get(key)) === hash) return;
      await requests.asBot({
        doing: 'register the commands',
        method: 'PUT',
        route: Routes.applicationCommands(application),
        body: commands,
        repeatable: true,
      });
      await state.set(key, hash);
      log.info('commands registered with Discord');
    } catch (error) {
      log.warn({ err: error }, 'the commands could not be registered with Discord; retrying later');
      if (!stopped) cancel = clock.after(retryMs, () => void attempt(application));
    }
  };

  return {
    run: (application: string): void => {
      cancel();
      void attempt(application);
    },
    stop(): void {
      stopped = true;
      cancel();
    },
  };
};
