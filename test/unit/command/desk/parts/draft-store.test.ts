import { describe, expect, test } from 'vitest';
import { createDrafts, draftRecords } from '../../../../../src/command/desk/parts/draft-store.ts';
import type { Draft } from '../../../../../src/command/draft.ts';
import { alice, bob, direct, photo, room } from '../../../../fakes/call.ts';
import { createRecords, withUpdate } from '../../../../fakes/records.ts';

const draft: Draft = {
  id: 'd1',
  command: 'animate',
  given: { photo },
  caller: alice,
  place: room,
  event: 'e1',
  asked: 'prompt',
  awaits: 'text',
};

/** Keeps what it is given and for how long, as Keyv would. */
const createStore = () => {
  const kept = new Map<string, unknown>();
  const times = new Map<string, number>();
  return withUpdate({
    times,
    kept,
    get: async <T>(key: string) => kept.get(key) as T | undefined,
    set: async (key: string, value: unknown, ttl = 0) => {
      kept.set(key, value);
      times.set(key, ttl);
    },
    delete: async (key: string) => kept.delete(key),
  });
};

describe('drafts', () => {
  test('are stored: another desk with the same store has them', async () => {
    const store = createRecords();
    await createDrafts(store).save(draft);
    expect(await createDrafts(store).load('d1')).toEqual(draft);
    expect(await createDrafts(store).awaiting(alice, room)).toEqual(draft);
  });

  test('the latest waiting draft gets the answer, by its person in its place', async () => {
    const drafts = createDrafts(createRecords());
    await drafts.save(draft);
    await drafts.save({ ...draft, id: 'd2' });
    expect((await drafts.awaiting(alice, room))?.id).toBe('d2');
    expect(await drafts.awaiting(bob, room)).toBeUndefined();
    expect(await drafts.awaiting(alice, direct)).toBeUndefined();
    expect(await drafts.awaiting(alice, { ...room, thread: 'topic' })).toBeUndefined();
    expect(await drafts.awaiting({ ...alice, platform: 'telegram' }, room)).toBeUndefined();
  });

  test('a finished or forgotten draft gets no answer', async () => {
    const drafts = createDrafts(createRecords());
    await drafts.save(draft);
    const { awaits: _awaits, asked: _asked, ...idle } = draft;
    await drafts.save(idle);
    expect(await drafts.awaiting(alice, room)).toBeUndefined();
    await drafts.save(draft);
    await drafts.forget(draft);
    expect(await drafts.awaiting(alice, room)).toBeUndefined();
    expect(await drafts.load('d1')).toBeUndefined();
  });

  test('forgetting one keeps another waiting one', async () => {
    const drafts = createDrafts(createRecords());
    await drafts.save(draft);
    await drafts.save({ ...draft, id: 'd2' });
    await drafts.forget(draft);
    expect((await drafts.awaiting(alice, room))?.id).toBe('d2');
  });

  test('expire after a day; in a group answers count for ten minutes only', async () => {
    const store = createStore();
    const drafts = createDrafts(store);
    const seat = 'awaiting:web:alice:room:';
    await drafts.save(draft);
    expect([store.times.get('draft:d1'), store.times.get(seat)]).toEqual([86_400_000, 600_000]);
    await drafts.save({ ...draft, id: 'd2', place: { ...room, direct: true } });
    expect([store.times.get('draft:d2'), store.times.get(seat)]).toEqual([86_400_000, 86_400_000]);
  });

  test('are stored with their owner, also the awaited answers', async () => {
    const store = createStore();
    const drafts = createDrafts(store);
    await drafts.save(draft);
    await drafts.save({ ...draft, id: 'd3', caller: bob });
    const owners = [...store.kept].map(([key, value]) => [key, draftRecords.ownerOf(key, value)]);
    expect(Object.fromEntries(owners)).toEqual({
      'draft:d1': 'web:alice',
      'awaiting:web:alice:room:': 'web:alice',
      'draft:d3': 'web:bob',
      'awaiting:web:bob:room:': 'web:bob',
    });
    for (const [key, value] of store.kept) expect(draftRecords.isValid(key, value)).toBe(true);
    expect(draftRecords.ownerOf('awaiting:telegram:channel:-100:7:', 'd1')).toBe('telegram:channel:-100');
  });

  test('an unreadable record is ignored', async () => {
    const store = createStore();
    const drafts = createDrafts(store);
    await drafts.save(draft);
    for (const broken of [null, 'text', 7, {}, { id: 'd1' }]) {
      store.kept.set('draft:d1', broken);
      expect(await drafts.load('d1')).toBeUndefined();
      expect(await drafts.awaiting(alice, room)).toBeUndefined();
    }
  });
});
