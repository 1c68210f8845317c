import { expect } from 'vitest';
import {
  type Button,
  barText,
  type Line,
  type Media,
  type Span,
  type Tile,
  TONE_MARKS,
  type View,
} from '../../../../src/command/view.ts';
import { imageOf, jpeg } from '../../../fakes/pictures.ts';
import { type FileMedia, type Repeated, shownAs, withEveryFile } from '../contents.ts';
import type { Seen } from '../driver.ts';
import type { Scene } from '../scene.ts';
import { busy, done, hostile, line } from '../views.ts';
import type { Cases, KeysOf } from './cases.ts';

/** The parts of a view that a person sees. */

const shown = (scene: Scene, view: View): Promise<Seen> =>
  scene.show({ kind: 'message', audience: 'everyone', view });

const showLine = async (scene: Scene, spans: Line): Promise<Seen> =>
  shown(scene, { tone: 'info', lines: ['before', spans, 'after'] });

const readsAs =
  (spans: (scene: Scene) => Line, ...texts: readonly string[]) =>
  async (scene: Scene) => {
    const seen = await showLine(scene, spans(scene));
    for (const text of ['before', ...texts, 'after']) expect(seen.text).toContain(text);
    expect(seen.links).toEqual([]);
    expect(seen.mentions).toEqual([]);
  };

type SpanKey = 'text' | KeysOf<Exclude<Span, string>>;

export const spanCases = {
  text: {
    'text has no effect: no mention, no markup, no link': async (scene) => {
      const seen = await shown(scene, {
        tone: 'info',
        title: hostile,
        lines: [hostile, [{ bold: hostile }], [{ quote: hostile }]],
      });
      expect(seen.links).toEqual([]);
      expect(seen.mentions).toEqual([]);
      expect(seen.text.split(hostile).length - 1).toBe(4);
    },
  },
  bold: { 'bold text is read as it is': readsAs(() => ['a ', { bold: 'b*o_l`d' }, ' c'], 'a b*o_l`d c') },
  code: { 'code is read as it is': readsAs(() => ['a ', { code: 'x*y*z' }, ' c'], 'x*y*z') },
  quote: {
    'a quote is read as it is': readsAs(
      () => [{ quote: 'said *who* to @everyone' }],
      'said *who* to @everyone',
    ),
  },
  link: {
    'only a link is a link': async (scene) => {
      const seen = await showLine(scene, [
        'see ',
        { link: 'the *manual*', url: 'https://docs.example/a?b=1' },
      ]);
      expect(seen.text).toContain('the *manual*');
      expect(seen.links).toEqual(['https://docs.example/a?b=1']);
    },
  },
  url: 'part of a link',
  command: {
    'a command is read by its name': async (scene) =>
      expect((await showLine(scene, ['try ', { command: 'help' }])).text).toContain('/help'),
  },
  person: {
    'a person is shown, and not notified': async (scene) => {
      const { id, name } = scene.bob.caller;
      const { text } = await showLine(scene, ['by ', { person: id, name }]);
      expect(text.includes(id) || text.includes(name)).toBe(true);
    },
  },
  name: 'part of a person or a channel',
  isRole: {
    'a role is shown, and nobody is notified': async (scene) =>
      expect(
        (await showLine(scene, ['for ', { person: '123456789012345678', isRole: true }])).text,
      ).toContain('123456789012345678'),
  },
  channel: {
    'a channel is shown in a line': async (scene) => {
      const { channel } = scene.stage.place;
      const { text, links } = await showLine(scene, ['in ', { channel }]);
      // Telegram's links leave out what its ids begin with.
      expect([text, ...links].join()).toContain(channel.replace(/^-1000*/, ''));
    },
  },
  thread: 'part of a channel',
} satisfies Record<SpanKey, Cases>;

/** Parts of a file that say what it is. Each other part is a flag, which must have its effect for pictures and videos, shown or attached. */
type FileParts = 'bytes' | 'type' | 'name' | 'width' | 'height';
type FileFlag = Exclude<KeysOf<FileMedia>, FileParts | 'kind' | 'isOriginal'>;
type MediaRows = Record<Media['kind'] | FileParts | 'isOriginal' | 'url' | 'label', Cases> &
  Record<FileFlag, Repeated>;

/** A result of Ann's with this file. */
const result = async (scene: Scene, file: FileMedia): Promise<Seen> => {
  const { card } = await scene.openCard();
  const { media: _, ...view } = done(file.bytes);
  await scene.stage.adapter.draw(card, { ...view, media: file }, 'final');
  return scene.last(scene.ann, 1);
};

export const mediaCases = {
  image: 'tested with `as`',
  video: 'tested with `as`',
  link: {
    'a result that is too large for the platform is a link': async (scene) => {
      const url = 'https://results.example/1.mp4';
      const seen = await shown(scene, { ...line('Done'), media: { kind: 'link', url, label: 'Open it' } });
      expect(seen.text).toContain('Open it');
      expect(seen.links).toEqual([url]);
    },
  },
  as: {
    ...withEveryFile('a result is shown in the message, or attached to it', async (scene, file) =>
      expect((await result(scene, file)).media).toMatchObject(shownAs(file)),
    ),
    ...withEveryFile('an answer has its file in the message, or attached to it', async (scene, file) =>
      expect((await shown(scene, { ...line('Here'), media: file })).media).toMatchObject(shownAs(file)),
    ),
  },
  spoiler: withEveryFile('a file that is a spoiler is hidden', async (scene, file) => {
    const { media } = await result(scene, { ...file, spoiler: true });
    const isHidden = file.as === 'inline' || scene.can('hidden attachments');
    expect(media).toMatchObject({ ...shownAs(file), spoiler: isHidden });
  }),
  showsPhoto: withEveryFile('what shows somebody’s photo is not stored', async (scene, file) => {
    const seen = await shown(scene, { ...line('Look'), media: { ...file, showsPhoto: true } });
    expect(seen.media?.bytes).toEqual(file.bytes);
    const stored = await scene.stage.stored();
    for (const encoding of ['base64', 'base64url', 'hex'] as const)
      expect(stored).not.toContain(Buffer.from(file.bytes).toString(encoding).slice(0, 60));
  }),
  alt: withEveryFile(
    'a screen reader can say what a file shows',
    async (scene, file) => expect((await result(scene, file)).media?.alt).toBe(file.alt),
    ['alternative texts'],
  ),
  isOriginal: 'not shown: it decides about a button of the card',
  bytes: 'tested with `as`',
  type: 'tested with `as`',
  name: 'tested with `as`',
  width: 'part of every picture',
  height: 'part of every picture',
  url: 'part of a link',
  label: 'part of a link',
} satisfies MediaRows;

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
  media: imageOf(await jpeg()),
  buttons: [[{ action: 'page:d1:1', label: turn }]],
});

export const tileCases = {
  label: {
    'tiles are shown with their picture, in their order': async (scene) => {
      const tiles = [tile('12', 'Pop Art'), tile('A', 'halloween'), tile('3', 'Noir')];
      const seen = await shown(scene, await page(tiles, '▶'));
      expect(seen.tiles).toEqual(['12', 'A', '3']);
      expect(seen.media?.kind).toBe('image');
      expect(seen.buttons).toContain('▶');
      expect(seen.links).toEqual([]);
      expect(seen.mentions).toEqual([]);
    },
    'another page of tiles takes the place of the one before': async (scene) => {
      const seen = await shown(scene, await page([tile('1', 'Pop Art')], '▶'));
      scene.desk.replies({ kind: 'replace', view: await page([tile('26', 'Noir')], '◀') });
      await scene.ann.presses(seen, '▶');
      const turned = await scene.holds(async () => {
        const message = await scene.last(scene.ann, 1);
        expect(message.tiles).toEqual(['26']);
        return message;
      });
      expect(turned.id).toBe(seen.id);
      expect(turned.media?.kind).toBe('image');
      expect(turned.buttons).toContain('◀');

      await scene.ann.presses(turned, '26');
      expect((await scene.heard(3)).what).toBe('use:d1:f:26');
    },
  },
  action: {
    'a tile that is pressed acts like a button, for whoever pressed it': async (scene) => {
      const seen = await shown(scene, await page([tile('12', 'Pop Art'), tile('A', 'x')], '▶'));
      scene.desk.replies({ kind: 'message', audience: 'everyone', view: line('Send the photo.') });
      await scene.bob.presses(seen, 'A');
      const heard = await scene.heard(2);

      expect(heard).toMatchObject({ via: 'press', what: 'use:d1:f:A', place: scene.stage.place });
      expect(heard.caller.id).toBe(scene.bob.caller.id);
      expect((await scene.last(scene.bob, 2)).text).toContain('Send the photo.');
      expect((await scene.bob.sees())[0]?.tiles).toEqual(['12', 'A']);
    },
  },
  name: 'shown in another way by each platform',
  preview: 'shown in another way by each platform',
} satisfies Record<keyof Tile, Cases>;

export const buttonCases = {
  label: {
    'buttons are shown in their order, row by row, and each does what it says': async (scene) => {
      const rows = [['One', 'Two', 'Three'], ['Four'], ['Five', 'Six']];
      const buttons = rows.map((row) => row.map((label) => ({ action: `do:${label}`, label })));
      const seen = await shown(scene, { ...line('Choose'), buttons });
      expect(seen.buttons).toEqual(rows.flat());

      await scene.bob.presses(seen, 'Five');
      expect(await scene.heard(2)).toMatchObject({ via: 'press', what: 'do:Five' });
    },
  },
  action: 'tested with `label`',
  style: 'shown in another way by each platform',
  choice: 'tested with questions',
  spot: 'pressable in the picture in the playground alone',
} satisfies Record<keyof Button, Cases>;

export const viewCases = {
  tone: {
    'a message of every tone shows its title and its lines': async (scene) => {
      for (const [count, tone] of Object.keys(TONE_MARKS).entries()) {
        scene.desk.replies({
          kind: 'message',
          audience: 'everyone',
          view: {
            tone: tone as View['tone'],
            title: `Title ${tone}`,
            lines: [`First ${tone}`, `Second ${tone}`],
          },
        });
        await scene.ann.types({ command: 'help' });
        const { text } = await scene.last(scene.ann, count + 1);
        for (const part of ['Title', 'First', 'Second']) expect(text).toContain(`${part} ${tone}`);
      }
    },
  },
  title: spanCases.text,
  lines: {
    'a text that is too long for a message is shortened': async (scene) => {
      const seen = await shown(scene, { tone: 'info', lines: [`begins ${'and goes on '.repeat(3_000)}`] });
      expect(seen.text).toContain('begins and goes on');
    },
  },
  bar: {
    'a message shows its progress bar': async (scene) =>
      expect((await shown(scene, busy('Working', 0.5))).text).toContain(barText(0.5)),
  },
  media: mediaCases.as,
  keepsMedia: {
    'a result that late progress was drawn over is as before, once its end is drawn again': async (scene) => {
      const { card } = await scene.openCard();
      const view = done(await jpeg());
      await scene.stage.adapter.draw(card, view, 'final');
      const result = await scene.last(scene.bob, 1);
      const { media: _, ...end } = view;

      for (const late of [busy('Late', 0.9), { ...end, keepsMedia: 'It was a link' }])
        await scene.holds(async () => {
          expect((await scene.stage.adapter.draw(card, late, 'cosmetic')).state).toBe('drawn');
        });
      expect(await scene.last(scene.bob, 1)).toEqual(result);
    },
  },
  tiles: tileCases.label,
  buttons: buttonCases.label,
} satisfies Record<keyof View, Cases>;
