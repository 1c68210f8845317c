import { describe, expect, test, vi } from 'vitest';
import { createDrafts, draftRecordRules } from '../../../../../src/command/desk/parts/draft-store.ts';
import type { Draft } from '../../../../../src/command/draft.ts';
import { ann, bob, direct, photo, room } from '../../../../fakes/call.ts';
import { createRecords } from '../../../../fakes/records.ts';

const DAY_MS = 86_400_000;
const TEN_MINUTES_MS = 600_000;

const draft: Draft = {
  id: 'd1',
  command: 'animate',
  given: { photo },
  caller: ann,
  place: room,
  event: 'e1',
  asked: 'prompt',
  awaits: 'text',
};

describe('drafts', () => {
  test('drafts are stored, and the latest that waits gets the answer of its person in its place', async () => {
    const store = createRecords();
    await createDrafts(store).save(draft);
    // These drafts are those of another desk with the same store.
    const drafts = createDrafts(store);

    expect(await drafts.load('d1')).toEqual(draft);

    await drafts.save({ ...draft, id: 'd2' });
    expect((await drafts.awaiting(ann, room))?.id).toBe('d2');
    expect(await drafts.awaiting(bob, room)).toBeUndefined();
    for (const place of [direct, { ...room, thread: 'topic' }])
      expect(await drafts.awaiting(ann, place)).toBeUndefined();
    expect(await drafts.awaiting({ ...ann, platform: 'telegram' }, room)).toBeUndefined();

    // Another draft goes on waiting when one is forgotten.
    await drafts.forget(draft);
    expect(await drafts.load('d1')).toBeUndefined();
    expect((await drafts.awaiting(ann, room))?.id).toBe('d2');

    await drafts.forget({ ...draft, id: 'd2' });
    expect(await drafts.awaiting(ann, room)).toBeUndefined();
  });

  test('drafts that are finished get no answer', async () => {
    const drafts = createDrafts(createRecords());

    await drafts.save(draft);
    const { awaits: _awaits, asked: _asked, ...idle } = draft;
    await drafts.save(idle);

    expect(await drafts.awaiting(ann, room)).toBeUndefined();
  });

  test('drafts expire after a day, get answers in a group for ten minutes, and all have an owner', async () => {
    const store = createRecords();
    const stored = vi.spyOn(store, 'set');
    const drafts = createDrafts(store);

    await drafts.save(draft);
    await drafts.save({ ...draft, id: 'd3', caller: bob, place: { ...room, direct: true } });

    const found = stored.mock.calls.map(([key, value, ttlMs]) => ({
      key,
      ttlMs,
      owner: draftRecordRules.ownerOf(key, value),
      isValid: draftRecordRules.isValid(key, value),
    }));
    expect(found).toEqual([
      { key: 'draft:d1', ttlMs: DAY_MS, owner: 'web:ann', isValid: true },
      { key: 'awaiting:web:ann:room:', ttlMs: TEN_MINUTES_MS, owner: 'web:ann', isValid: true },
      { key: 'draft:d3', ttlMs: DAY_MS, owner: 'web:bob', isValid: true },
      { key: 'awaiting:web:bob:room:', ttlMs: DAY_MS, owner: 'web:bob', isValid: true },
    ]);
    expect(draftRecordRules.ownerOf('awaiting:telegram:channel:-100:7:', 'd1')).toBe('telegram:channel:-100');
  });

  test('drafts that cannot be read are ignored', async () => {
    const store = createRecords();
    const drafts = createDrafts(store);

    await drafts.save(draft);
    for (const broken of [null, 'text', 7, {}, { id: 'd1' }]) {
      await store.set('draft:d1', broken);
      expect(await drafts.load('d1')).toBeUndefined();
      expect(await drafts.awaiting(ann, room)).toBeUndefined();
    }
  });
});
