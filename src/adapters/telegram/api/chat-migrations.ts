import type { KeyValue } from '../../../base/key-value.ts';
import type { Members } from '../../../base/members/members.ts';
import type { Log } from '../../../log/log.ts';
import { isFault } from './fault.ts';

/** A group that becomes a supergroup gets a new id. */
export function createMigrations(options: {
  readonly state: KeyValue;
  readonly log: Log;
  readonly members: Members;
  readonly stop: AbortSignal;
  readonly migrated?: ((from: string, to: string) => Promise<void> | void) | undefined;
}) {
  const record = async (from: number, to: number): Promise<void> => {
    const key = `telegram:migrated:${from}`;
    let isDone = false;
    const isKnown = async (): Promise<boolean> => (await options.state.get<number>(key)) === to;
    if (await isKnown()) return;
    const move = async (): Promise<void> => {
      isDone = await isKnown();
      if (isDone) return;
      await options.migrated?.(`telegram:${from}`, `telegram:${to}`);
      // After the hook: if that fails, it is called again at the next update or error that names the migration.
      await options.state.set(key, to);
      isDone = true;
      options.log.info({ from, to }, 'a group became a supergroup');
    };
    // Telegram tells it in both chats, which two processes may handle.
    await options.members.hold(`telegram-migration:${from}`, move, options.stop);
    if (!isDone) throw new Error('Stopped before the records of a group could follow it.');
  };
  return {
    record,
    /** Runs again with the new id when Telegram names one. */
    async follow<T>(chat: number, run: (chat: number) => Promise<T>): Promise<T> {
      try {
        return await run(chat);
      } catch (error) {
        if (!isFault(error, 'migrated') || error.migratedTo === undefined) throw error;
        await record(chat, error.migratedTo);
        return await run(error.migratedTo);
      }
    },
  };
}

export type Migrations = ReturnType<typeof createMigrations>;
