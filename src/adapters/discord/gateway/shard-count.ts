import { z } from 'zod';
import { sleep } from '../../../base/clock.ts';
import type { DiscordContext } from '../rest/api.ts';

export const SHARD_COUNT_KEY = 'shards';
const CHECK_EVERY_MS = 10_000;

const shape = z.number().int().min(1);

export const readShardCount = (value: unknown): number | undefined => shape.safeParse(value).data;

/** Makes all processes use the same number of shards, even if Discord recommends different numbers to them. */
export function createShardCount({
  state,
  members,
  clock,
}: Pick<DiscordContext, 'state' | 'members' | 'clock'>) {
  let refused = new AbortController();

  const read = async (): Promise<number | undefined> =>
    readShardCount(await state.get(SHARD_COUNT_KEY).catch(() => undefined));

  return {
    /** Returns the number that other processes use; a process that is alone takes the one that Discord recommends. */
    async agree(recommended: number): Promise<number> {
      const known = await read();
      if (known !== undefined && members.count() > 1 && !refused.signal.aborted) return known;
      refused = new AbortController();
      const count = Math.max(1, recommended);
      if (known !== count) await state.set(SHARD_COUNT_KEY, count).catch(() => undefined);
      return count;
    },
    /** Called when Discord refuses the number in use. */
    refuse: (): void => refused.abort(),
    /** Resolves when this number was refused, when another number is in use, or when `until` aborts. */
    async changed(count: number, until: AbortSignal): Promise<void> {
      const ended = AbortSignal.any([until, refused.signal]);
      while (!ended.aborted) {
        await sleep(clock, CHECK_EVERY_MS, ended).catch(() => undefined);
        const known = members.count() > 1 ? await read() : undefined;
        if (known !== undefined && known !== count) return;
      }
    },
  };
}
