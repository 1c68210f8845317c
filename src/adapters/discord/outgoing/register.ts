import { Routes } from 'discord.js';
import type { AdapterOptions } from '../../adapter.ts';
import { registerChanged } from '../../register-changed.ts';
import type { Requests } from '../api/requests.ts';

const RETRY_MS = 5 * 60_000;

/**
 * Overwrites the commands at Discord in one request, only when they changed: each new name counts against 200 a day.
 * Runs in the background and retries.
 */
export function createRegistration({
  requests,
  state,
  clock,
  log,
  commands,
}: Pick<AdapterOptions, 'state' | 'clock' | 'log'> & {
  readonly requests: Requests;
  readonly commands: unknown;
}) {
  let cancel = (): void => {};
  let stopped = false;

  const attempt = async (application: string): Promise<void> => {
    const route = Routes.applicationCommands(application);
    try {
      const isNew = await registerChanged(state, `commands:${application}`, commands, () =>
        requests.asBot({ doing: 'register the commands', method: 'PUT', route, body: commands }),
      );
      if (isNew) log.info('commands registered with Discord');
    } catch (error) {
      log.warn({ err: error }, 'the commands could not be registered with Discord; retrying later');
      if (!stopped) cancel = clock.after(RETRY_MS, () => void attempt(application));
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
}
