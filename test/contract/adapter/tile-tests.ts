import { expect, test } from 'vitest';
import type { Tile, View } from '../../../src/command/view.ts';
import { holds } from '../../eventually.ts';
import { jpeg } from './pictures.ts';
import type { Scene } from './scene.ts';
import { line } from './views.ts';

const tile = (label: string, name: string): Tile => ({
  action: `use:d1:f:${label}`,
  label,
  name,
  preview: `https://previews.example/${label}.jpg`,
});

/** A page of filters with its sheet. */
const page = async (tiles: readonly Tile[], turn: string): Promise<View> => ({
  tone: 'info',
  title: 'Filters',
  lines: ['Press one to use it.'],
  tiles,
  media: {
    kind: 'image',
    bytes: await jpeg(),
    type: 'image/jpeg',
    name: 'filters.jpg',
    as: 'inline',
    alt: 'the filters',
    width: 8,
    height: 8,
  },
  buttons: [[{ action: 'page:d1:1', label: turn }]],
});

/** Filters that are chosen by eye. */
export const tileTests = (scene: Scene): void => {
  test('tiles are shown with their picture, in their order', async () => {
    const tiles = [tile('12', 'Pop Art'), tile('A', 'halloween'), tile('3', 'Noir')];
    scene.desk.replies({ kind: 'message', view: await page(tiles, '▶') });
    await scene.stage.ann.type('/help');
    const seen = await scene.last(scene.stage.ann, 1);
    expect(seen.tiles).toEqual(['12', 'A', '3']);
    expect(seen.media?.kind).toBe('image');
    expect(seen.buttons).toContain('▶');
    expect([seen.links, seen.mentions]).toEqual([[], []]);
  });

  test('a tile that is pressed acts like a button, for whoever pressed it', async () => {
    scene.desk.replies({ kind: 'message', view: await page([tile('12', 'Pop Art'), tile('A', 'x')], '▶') });
    await scene.stage.ann.type('/help');
    const seen = await scene.last(scene.stage.ann, 1);
    scene.desk.replies({ kind: 'message', view: line('Send the photo.') });
    await scene.stage.bob.choose(seen, 'A');
    const heard = await holds(() => {
      expect(scene.desk.heard).toHaveLength(2);
      return scene.desk.heard[1];
    });
    expect(heard).toMatchObject({ via: 'press', what: 'use:d1:f:A', place: scene.stage.place });
    expect(heard?.caller.id).toBe(scene.stage.bob.caller.id);
    const after = await scene.last(scene.stage.bob, 2);
    expect(after.text).toContain('Send the photo.');
    expect((await scene.stage.bob.room())[0]?.tiles).toEqual(['12', 'A']);
  });

  test('another page takes the place of the one before', async () => {
    scene.desk.replies({ kind: 'message', view: await page([tile('1', 'Pop Art')], '▶') });
    await scene.stage.ann.type('/help');
    const seen = await scene.last(scene.stage.ann, 1);
    scene.desk.replies({ kind: 'replace', view: await page([tile('26', 'Noir')], '◀') });
    await scene.stage.ann.press(seen, '▶');
    const turned = await holds(async () => {
      const [message, ...others] = await scene.stage.ann.room();
      expect(others).toEqual([]);
      expect(message?.tiles).toEqual(['26']);
      return message;
    });
    expect(turned?.id).toBe(seen.id);
    expect(turned?.media?.kind).toBe('image');
    expect(turned?.buttons).toContain('◀');
    await scene.stage.ann.choose(turned ?? seen, '26');
    await holds(() => expect(scene.desk.heard.at(-1)?.what).toBe('use:d1:f:26'));
  });
};
