import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderView } from '../../../../../src/adapters/discord/outgoing/render.ts';
import { render } from '../../../../../src/adapters/telegram/outgoing/render.ts';
import type { View } from '../../../../../src/command/view.ts';
import { display } from '../../../../fakes/discord/markdown.ts';

describe('a view as a message', () => {
  test('never exceeds Discord’s limits, however long its texts are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 3_000 }), { maxLength: 40 }),
        fc.integer({ min: 0, max: 60 }),
        (lines, count) => {
          const buttons = Array.from({ length: count }, (_, at) => [
            { action: `a:${at}`, label: 'x'.repeat(100) },
          ]);
          const { body } = renderView({ tone: 'busy', title: 'T', lines, bar: 0.5, buttons });
          expect(body.content.length).toBeLessThanOrEqual(2000);
          expect(body.content).toContain('50%');
          expect(body.components.length).toBeLessThanOrEqual(5);
          for (const row of body.components) {
            expect(row.components.length).toBeLessThanOrEqual(5);
            for (const each of row.components)
              expect('label' in each ? each.label?.length : 0).toBeLessThanOrEqual(80);
          }
        },
      ),
    );
  });

  test('a long text is cut with an ellipsis, and the lines after it remain', () => {
    const { body } = renderView({ tone: 'done', lines: ['*'.repeat(1_500), 'AI-generated'] });
    const { text, effects } = display(body.content);
    expect(text).toContain('…');
    expect(text).toContain('AI-generated');
    expect(effects).toEqual([]);
  });

  test('of many long lines each is shortened, and none is dropped', () => {
    const people = Array.from({ length: 15 }, (_, at) => `person ${at}: ${'because '.repeat(25)}`);
    const { body } = renderView({ tone: 'info', title: 'Settings', lines: [...people, 'Blocked words: 3'] });
    const { text } = display(body.content);
    for (let at = 0; at < 15; at += 1) expect(text).toContain(`person ${at}: because`);
    expect(text).toContain('Blocked words: 3');
    expect(body.content.length).toBeLessThanOrEqual(2000);
  });

  test('links that are too long are dropped, and nothing else of the list', () => {
    const entries = Array.from({ length: 12 }, (_, at) => [
      { code: `id-${at}` },
      ` Filter ${at}`,
      ' ',
      { link: 'preview', url: `https://pictures.example/${'x'.repeat(300)}/${at}.jpg` },
    ]);
    const { body } = renderView({ tone: 'info', title: 'Filters', lines: [...entries, 'Page 1 of 3'] });
    const { text, links } = display(body.content);
    for (let at = 0; at < 12; at += 1) expect(text).toContain(`Filter ${at}`);
    expect(text).toContain('Page 1 of 3');
    expect(links.length).toBeGreaterThan(3);
    expect(body.content.length).toBeLessThanOrEqual(2000);
  });

  test('the progress bar never shows 100% and stays within its bounds', () => {
    const bar = (value: number) => renderView({ tone: 'busy', lines: [], bar: value }).body.content;
    expect(bar(1)).toContain('99%');
    expect(bar(1)).toContain('▱');
    expect(bar(-1)).toContain('0%');
    expect(bar(0.5)).toBe(`${'▰'.repeat(6)}${'▱'.repeat(6)} 50%`);
  });

  test('shows the state in the same order and with the same symbols as elsewhere', () => {
    const busy: View = { tone: 'busy', title: 'Face swap', lines: ['About 5 s left'], bar: 0.5 };
    const { content } = renderView(busy).body;
    expect(content.replaceAll('**', '')).toBe(render(busy, 4096).text);
    const marks = (['busy', 'done', 'failed', 'ask', 'info'] as const).map(
      (tone) => renderView({ tone, title: 'x', lines: [] }).body.content,
    );
    expect(marks).toEqual(['⏳ **x**', '✨ **x**', '⚠️ **x**', '❔ **x**', '**x**']);
  });

  test('two buttons with one action become one: Discord would refuse the whole message', () => {
    const { body } = renderView({
      tone: 'info',
      lines: ['x'],
      buttons: [
        [
          { action: 'go', label: 'Go' },
          { action: 'go', label: 'Go again' },
        ],
        [{ action: 'go', label: 'And again' }],
      ],
    });
    expect(body.components).toMatchObject([{ components: [{ label: 'Go' }] }]);
    expect(body.components[0]?.components).toHaveLength(1);
  });

  describe('with tiles', () => {
    const tile = (at: number, action = `pick:draft:filter:${at}`) => ({
      action,
      label: String(at),
      name: `Filter ${at}`,
    });
    const menuOf = (view: Partial<View>) => {
      const { body } = renderView({ tone: 'ask', lines: ['x'], ...view }, { placeholder: 'Choose…' });
      const [menu] = body.components[0]?.components ?? [];
      if (menu === undefined || !('options' in menu)) throw new Error('no menu');
      return { menu, rows: body.components };
    };

    test('has a menu in its own row before the buttons, five rows in all', () => {
      const buttons = Array.from({ length: 30 }, (_, at) => [{ action: `b:${at}`, label: String(at) }]);
      const { menu, rows } = menuOf({ tiles: [tile(12)], buttons });
      expect(menu).toEqual({
        type: 3,
        custom_id: 'tiles',
        placeholder: 'Choose…',
        options: [{ label: '12 · Filter 12', value: 'pick:draft:filter:12' }],
      });
      expect(rows.map((row) => row.components.length)).toEqual([1, 5, 5, 5, 5]);
    });

    test('drops what Discord would refuse: duplicates, too many, too long', () => {
      const { menu } = menuOf({
        tiles: [
          tile(1),
          { ...tile(1), name: 'Again' },
          tile(2, ''),
          tile(3, 'x'.repeat(65)),
          { ...tile(4), name: '𝕏'.repeat(120) },
          ...Array.from({ length: 30 }, (_, at) => tile(at + 5)),
        ],
      });
      expect(menu.options.map(({ value }) => value)).toEqual(
        [1, ...Array.from({ length: 24 }, (_, at) => at + 4)].map((at) => `pick:draft:filter:${at}`),
      );
      expect(menu.options[1]?.label).toBe(`4 · ${'𝕏'.repeat(95)}…`);
      expect(menu.options.every(({ label }) => [...label].length <= 100)).toBe(true);
    });

    test('without any that can be chosen has no menu', () => {
      expect(renderView({ tone: 'ask', lines: ['x'], tiles: [tile(1, '')] }).body.components).toEqual([]);
    });
  });

  test('a spoiler gets Discord’s file name prefix once, and unusual file names are simplified', () => {
    const media = {
      kind: 'image',
      bytes: new Uint8Array(3),
      type: 'image/png',
      as: 'inline',
      alt: 'A',
      width: 1,
      height: 1,
    } as const;
    const names = (name: string, spoiler: boolean) =>
      renderView({ tone: 'done', lines: [], media: { ...media, name, spoiler } }).body.attachments.map(
        (each) => each.filename,
      );
    expect(names('SPOILER_a b/c.png', true)).toEqual(['SPOILER_a_b_c.png']);
    expect(names('../x.png', false)).toEqual(['.._x.png']);
  });

  test('the link to a result of a spoiler photo is a spoiler, including its preview', () => {
    const media = { kind: 'link', url: 'https://results.example/v.mp4', label: 'Watch' } as const;
    const hidden = '||[Watch](https://results.example/v.mp4)||';
    const lines = { tone: 'done', lines: [] } as const;
    expect(renderView({ ...lines, media }, { spoiler: true }).body.content).toBe(hidden);
    expect(renderView({ ...lines, media: { ...media, spoiler: true } }).body.content).toBe(hidden);
  });

  test('a result that is only linked shows the link; an empty view still is a message', () => {
    const media = { kind: 'link', url: 'https://results.example/v.mp4', label: 'Watch' } as const;
    const { body, files } = renderView({ tone: 'done', lines: [], media });
    expect(display(body.content)).toMatchObject({ text: 'Watch', links: ['https://results.example/v.mp4'] });
    expect(files).toEqual([]);
    expect(renderView({ tone: 'info', lines: [] }).body.content).not.toBe('');
  });

  test('nobody is ever notified', () => {
    expect(renderView({ tone: 'info', lines: ['@everyone'] }).body.allowed_mentions).toEqual({ parse: [] });
  });
});
