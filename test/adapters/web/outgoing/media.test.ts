import { describe, expect, it } from 'vitest';
import { createMediaStore } from '../../../../src/adapters/web/outgoing/media.ts';
import { createRecords } from '../../../fakes/records.ts';

const megabytes = (count: number, fill: number): Uint8Array => new Uint8Array(count * 1024 * 1024).fill(fill);

describe('kept results', () => {
  it('kept results are the same after a restart, whatever their size', async () => {
    const state = createRecords();
    const store = createMediaStore(state);
    const bytes = megabytes(2.5, 7);

    bytes.set([1, 2, 3]);
    const id = await store.keep('message', bytes, 'video/mp4');
    const again = createMediaStore(state);
    await again.load();

    expect(await again.read(id)).toEqual({ bytes, type: 'video/mp4' });
  });

  it('kept results are stored once for one message, and apart for two', async () => {
    const store = createMediaStore(createRecords());
    const bytes = new Uint8Array([1, 2, 3]);

    const id = await store.keep('one', bytes, 'image/png');
    expect(await store.keep('one', bytes, 'image/png')).toBe(id);

    const other = await store.keep('two', bytes, 'image/png');
    expect(other).not.toBe(id);

    await store.drop(other);
    expect(store.has(id)).toBe(true);
    expect(await store.read(other)).toBeUndefined();
  });

  it('kept results are written again when a crash left them incomplete', async () => {
    const state = createRecords();
    const bytes = megabytes(2, 5);
    const id = await createMediaStore(state).keep('one', bytes, 'video/mp4');

    await state.delete(`web:media:${id}:1`);
    const store = createMediaStore(state);
    await store.load();

    expect(await store.read(id)).toBeUndefined();

    await store.keep('one', bytes, 'video/mp4');
    expect((await store.read(id))?.bytes).toEqual(bytes);
  });

  it('kept results are limited in number, and the oldest is removed', async () => {
    const state = createRecords();
    const store = createMediaStore(state);
    const oldest = await store.keep('the oldest message', new Uint8Array([1]), 'image/png');
    const newer: string[] = [];

    for (let count = 0; count < 120; count += 1)
      newer.push(await store.keep(`message ${count}`, new Uint8Array([count]), 'image/png'));

    expect(store.has(oldest)).toBe(false);
    expect(await state.get(`web:media:${oldest}:0`)).toBeUndefined();
    expect(newer.filter((id) => !store.has(id))).toEqual([]);
  });
});
