import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Chat, createChat } from '../../../src/adapters/web/outgoing/chat.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { Records } from '../../../src/base/keyv/records.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { createRecords, recordsWith } from '../../fakes/records.ts';
import { createFolder } from '../../fakes/web/open-web.ts';

const ROOM = 'web:room:studio';

type Wrap = (keyv: Records) => Parameters<typeof recordsWith>[1];

/** A chat on a real store, whose methods a test replaces with `wrap`. */
const open = async (wrap: Wrap = () => ({}), clock: Clock = systemClock) => {
  const store = await openSqliteStore({ path: join(createFolder(), 'store.sqlite'), keys: [] });
  onTestFinished(() => store.close());
  const keyv = store.keyv('web');
  const state = recordsWith(keyv, wrap(keyv));
  const dropped: string[] = [];
  const again = (): Chat => createChat({ state, clock, dropped: ({ id }) => void dropped.push(id) });
  return { chat: again(), again, dropped };
};

const said = (id: string, text = id) => ({ room: 'studio', id, from: 'ann', text });

it('a chat message that is being stored delays no other', async () => {
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

it('a chat message that could not be stored is withdrawn, and can be sent again', async () => {
  let isFull = true;
  const { chat, again } = await open((keyv) => ({
    set: (...written) => (isFull ? Promise.reject(new Error('disk full')) : keyv.set(...written)),
  }));
  await expect(chat.put(said('one'))).rejects.toThrow('disk full');
  expect(chat.all('studio')).toEqual([]);

  isFull = false;
  await chat.put(said('one'));
  const after = again();
  await after.load();

  expect(after.all('studio').map(({ text }) => text)).toEqual(['one']);
});

it('simultaneous chat messages share the writes of their room’s list', async () => {
  const writes: string[] = [];
  const { chat, again } = await open((keyv) => ({
    set(key, value) {
      writes.push(key);
      return keyv.set(key, value);
    },
  }));

  await Promise.all(Array.from({ length: 50 }, (_, index) => chat.put(said(`m${index}`))));
  expect(writes.filter((key) => key === ROOM).length).toBeLessThan(10);

  const after = again();
  await after.load();
  expect(after.all('studio')).toHaveLength(50);
});

it('a chat message that was removed and sent again meanwhile exists', async () => {
  const { chat, again } = await open();

  await chat.put(said('one'));
  await Promise.all([chat.remove({ room: 'studio', id: 'one' }), chat.put(said('one', 'anew'))]);
  const after = again();
  await after.load();

  expect(after.all('studio').map(({ text }) => text)).toEqual(['anew']);
});

it('a chat message whose process died before it was listed is there when it is sent again', async () => {
  let isDead = true;
  const { chat, again } = await open((keyv) => ({
    set: async (key, value) => {
      if (isDead && key === ROOM) throw new Error('it died');
      return keyv.set(key, value);
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

  // After a restart nobody knows any more whose the messages were: they make room for those of others, the oldest first.
  const after = again();
  await after.load();
  await after.put(said('new'), { address: '203.0.113.1', session: 'ann' });
  expect(ids(after).slice(0, 2)).toEqual(['ann', 'near']);
  expect(ids(after).at(-1)).toBe('new');
});

it('a chat message that a full room drops while it is being changed leaves nothing in the store', async () => {
  const isHeld = Promise.withResolvers<void>();
  const written: string[] = [];
  const { chat } = await open((keyv) => ({
    async set(key, value) {
      await keyv.set(key, value);
      if (JSON.stringify(value).includes('changed')) await isHeld.promise;
      written.push(key);
      return true;
    },
    async delete(key) {
      written.splice(0, written.length, ...written.filter((each) => each !== key));
      return keyv.delete(key);
    },
  }));

  await chat.put(said('first'));
  const changing = chat.change({ room: 'studio', id: 'first' }, (message) => ({
    ...message,
    text: 'changed',
  }));
  for (let each = 0; each < 200; each += 1) await chat.put(said(`m${each}`));
  isHeld.resolve();

  expect(await changing).toBeUndefined();
  expect(written).not.toContain('web:message:studio:first');
});

it('a room’s list of an earlier release, which stored each id with a number, is read', async () => {
  const state = createRecords();
  const clock = createFakeClock();
  const dropped = (): void => undefined;
  await createChat({ state, clock, dropped }).put(said('one'));

  await state.set(ROOM, [['one', 1_700_000_000_000]]);
  const after = createChat({ state, clock, dropped });
  await after.load();

  expect(after.all('studio').map(({ text }) => text)).toEqual(['one']);
});
