import { Routes } from 'discord.js';
import { registerChanged } from '../../register-changed.ts';
import type { Common } from '../api/requests.ts';
import type { registration } from './commands.ts';

const RETRY_MS = 5 * 60_000;

/**
 * Overwrites the commands at Discord in one request, only when they changed: each new name counts against 200 a day.
 * Runs in the background and retries.
 */
export function createRegistration(
  { asBot, members, state, clock, log }: Common,
  commands: ReturnType<typeof registration>,
) {
  let cancel = (): void => {};
  const stopping = new AbortController();

  /** One process at a time: the next one finds them registered. */
  const run = (application: string): void => {
    cancel();
    const route = Routes.applicationCommands(application);
    const register = async (): Promise<void> => {
      const isNew = await registerChanged(state, `commands:${application}`, commands, () =>
        asBot('register the commands', 'PUT', route, { body: commands }),
      );
      if (isNew) log.info('commands registered with Discord');
    };
    members.hold('discord-commands', register, stopping.signal).catch((error: unknown) => {
      log.warn({ err: error }, 'the commands could not be registered with Discord; retrying later');
      if (!stopping.signal.aborted) cancel = clock.after(RETRY_MS, () => run(application));
    });
  };

  return {
    run,
    stop(): void {
      stopping.abort();
      cancel();
    },
  };
}
