import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Chat, createChat } from '../../../src/adapters/web/outgoing/chat.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { Records } from '../../../src/base/keyv/records.ts';
import { openStore } from '../../../src/store/sqlite/store.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { recordsWith } from '../../fakes/records.ts';
import { createFolder } from './open-web.ts';

const ROOM = 'web:room:studio';

type Wrap = (keyv: Records) => Parameters<typeof recordsWith>[1];

/** `wrap`: what a test does to the store. */
const open = async (wrap: Wrap = () => ({}), clock: Clock = systemClock) => {
  const store = await openStore({ path: join(createFolder(), 'store.sqlite'), keys: [] });
  onTestFinished(() => store.close());
  const keyv = store.keyv('web');
  const state = recordsWith(keyv, wrap(keyv));
  const dropped: string[] = [];
  const again = (): Chat => createChat({ state, clock, dropped: ({ id }) => void dropped.push(id) });
  return { chat: again(), again, dropped };
};

const said = (id: string, text = id) => ({ room: 'studio', id, from: 'ann', text });

it('a message that is being stored delays no other', async () => {
  const held = Promise.withResolvers<void>();
  const { chat, again } = await open((keyv) => ({
    async set(key, value) {
      if (key.includes('held')) await held.promise;
      return keyv.set(key, value);
    },
  }));
  const slow = chat.put(said('held'));
  await chat.put(said('other'));
  const later = chat.put(said('held', 'newer'));
  held.resolve();
  await Promise.all([slow, later]);
  const after = again();
  await after.load();
  expect(after.all('studio').map(({ text }) => text)).toEqual(['newer', 'other']);
});

it('a message that could not be stored leaves its room’s list after a while', async () => {
  const clock = createFakeClock();
  const set = (): Promise<never> => Promise.reject(new Error('disk full'));
  const { chat, again } = await open(() => ({ set }), clock);
  await expect(chat.put(said('lost'))).rejects.toThrow('disk full');
  const after = again();
  for (const left of [1, 1, 0]) {
    expect((await after.refresh('studio')).size).toBe(left);
    await clock.advance(601_000);
  }
});

it('simultaneous messages share the writes of their room’s list', async () => {
  const writes: string[] = [];
  const { chat, again } = await open((keyv) => ({
    update(key, change, ttlMs) {
      writes.push(key);
      return keyv.update(key, change, ttlMs);
    },
  }));
  await Promise.all(Array.from({ length: 50 }, (_, index) => chat.put(said(`m${index}`))));
  expect(writes.filter((key) => key === ROOM).length).toBeLessThan(10);
  const after = again();
  await after.load();
  expect(after.all('studio')).toHaveLength(50);
});

it('a message that was removed and sent again meanwhile exists', async () => {
  const { chat, again } = await open();
  await chat.put(said('one'));
  await Promise.all([chat.remove({ room: 'studio', id: 'one' }), chat.put(said('one', 'anew'))]);
  const after = again();
  await after.load();
  expect(after.all('studio').map(({ text }) => text)).toEqual(['anew']);
});

it('a message whose process died before it was listed is there when it is sent again', async () => {
  let isDead = true;
  const { chat, again } = await open((keyv) => ({
    update: async (key, change, ttlMs) => {
      if (isDead && key === ROOM) throw new Error('it died');
      return keyv.update(key, change, ttlMs);
    },
  }));
  await expect(chat.put(said('one'))).rejects.toThrow('it died');
  isDead = false;
  await again().put(said('one'));
  const after = again();
  await after.load();
  expect(after.all('studio').map(({ text }) => text)).toEqual(['one']);
});

it('a person who fills a room loses their own messages, not those of others', async () => {
  const { chat, again } = await open();
  const ids = (of: Chat) => of.all('studio').map(({ id }) => id);
  await chat.put(said('old'));
  await chat.put(said('ann'), { address: '203.0.113.1', session: 'ann' });
  await chat.put(said('near'), { address: '203.0.113.66', session: 'near' });
  for (let each = 0; each < 250; each += 1)
    await chat.put(said(`eve ${each}`), { address: '203.0.113.66', session: 'eve' });
  expect(ids(chat)).toHaveLength(200);
  expect(ids(chat).slice(0, 4)).toEqual(['old', 'ann', 'near', 'eve 53']);
  // After a restart nobody knows any more whose they were: they make room for those of others, the oldest first.
  const after = again();
  await after.load();
  await after.put(said('new'), { address: '203.0.113.1', session: 'ann' });
  expect(ids(after).slice(0, 2)).toEqual(['ann', 'near']);
  expect(ids(after).at(-1)).toBe('new');
});

it('a message that is listed while the list is read for others’ changes stays, with its media', async () => {
  const [isRead, isListed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let refreshing: Promise<unknown> | undefined;
  const { chat, dropped } = await open((keyv) => ({
    async get<T>(key: string) {
      const value = await keyv.get<T>(key);
      if (refreshing === undefined || key !== ROOM) return value;
      isRead.resolve();
      await isListed.promise;
      return value;
    },
    async update(key, change, ttlMs) {
      if (key === ROOM) {
        refreshing = Promise.resolve();
        refreshing = chat.refresh('studio');
        await isRead.promise;
      }
      return keyv.update(key, change, ttlMs);
    },
  }));
  await chat.put(said('one'));
  isListed.resolve();
  await refreshing;
  expect([chat.all('studio').map(({ id }) => id), dropped]).toEqual([['one'], []]);
});
