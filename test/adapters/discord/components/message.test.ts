import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderView } from '../../../../src/adapters/discord/components/message.ts';
import { render } from '../../../../src/adapters/telegram/outgoing/render.ts';
import type { View } from '../../../../src/command/view.ts';
import { buttonsOf, checkV2, menuOf, partsOf, textIn } from '../../../fakes/discord/components.ts';
import { display } from '../../../fakes/discord/markdown.ts';
import { imageOf } from '../../../fakes/pictures.ts';

const tile = (at: number, action = `pick:draft:filter:${at}`) => ({
  action,
  label: String(at),
  name: `Filter ${at}`,
});

/** How many buttons or menus are in each row. */
const rowsOf = ({ components: [container] }: ReturnType<typeof renderView>['body']): readonly number[] =>
  container.components.flatMap((each) => ('components' in each ? [each.components.length] : []));

describe('a view as a message', () => {
  test('a message never exceeds Discord’s limits, however long the texts of its view are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 3_000 }), { maxLength: 40 }),
        fc.integer({ min: 0, max: 60 }),
        (lines, count) => {
          const buttons = Array.from({ length: count }, (_, at) => [
            { action: `a:${at}`, label: 'x'.repeat(100) },
          ]);
          const tiles = Array.from({ length: count % 3 }, (_, at) => tile(at));
          const { body } = renderView({ tone: 'busy', title: 'T', lines, bar: 0.5, buttons, tiles });
          expect(textIn(checkV2(body.components, []))).toContain('50%');
          expect(partsOf(body).length).toBeGreaterThanOrEqual(Math.min(count, 25));
        },
      ),
    );
  });

  test('a long text of a message is cut with an ellipsis, and the lines after it remain', () => {
    const { body } = renderView({ tone: 'done', lines: ['*'.repeat(3_000), 'AI-generated'] });
    const { text, effects } = display(textIn(body.components));
    expect(text).toContain('…');
    expect(text).toContain('AI-generated');
    expect(effects).toEqual([]);
  });

  test('of many long lines of a message each is shortened, and none is dropped', () => {
    const people = Array.from({ length: 15 }, (_, at) => `person ${at}: ${'because '.repeat(50)}`);
    const { body } = renderView({ tone: 'info', title: 'Settings', lines: [...people, 'Blocked words: 3'] });
    const { text } = display(textIn(body.components));

    for (let at = 0; at < 15; at += 1) expect(text).toContain(`person ${at}: because`);
    expect(text).toContain('Blocked words: 3');
    expect(textIn(body.components).length).toBeLessThanOrEqual(4000);
  });

  test('links of a message that are too long are dropped, and nothing else of the list', () => {
    const entries = Array.from({ length: 12 }, (_, at) => [
      { code: `id-${at}` },
      ` Filter ${at}`,
      ' ',
      { link: 'preview', url: `https://pictures.example/${'x'.repeat(600)}/${at}.jpg` },
    ]);
    const { body } = renderView({ tone: 'info', title: 'Filters', lines: [...entries, 'Page 1 of 3'] });
    const { text, links } = display(textIn(body.components));

    for (let at = 0; at < 12; at += 1) expect(text).toContain(`Filter ${at}`);
    expect(text).toContain('Page 1 of 3');
    expect(links.length).toBeGreaterThan(3);
    expect(textIn(body.components).length).toBeLessThanOrEqual(4000);
  });

  test('the progress bar of a message never shows 100% and stays within its bounds', () => {
    const bar = (value: number) =>
      textIn(renderView({ tone: 'busy', lines: [], bar: value }).body.components);

    expect(bar(1)).toContain('99%');
    expect(bar(1)).toContain('▱');
    expect(bar(-1)).toContain('0%');
    expect(bar(0.5)).toBe(`${'▰'.repeat(6)}${'▱'.repeat(6)} 50%`);
  });

  test('a message shows the state in the same order and with the same symbols as on other platforms', () => {
    const busy: View = { tone: 'busy', title: 'Face swap', lines: ['About 5 s left'], bar: 0.5 };
    expect(textIn(renderView(busy).body.components).replace('### ', '')).toBe(render(busy, 4096).text);

    const marks = (['busy', 'done', 'failed', 'ask', 'info'] as const).map((tone) =>
      textIn(renderView({ tone, title: 'x', lines: [] }).body.components),
    );
    expect(marks).toEqual(['### ⏳ x', '### ✨ x', '### ⚠️ x', '### ❔ x', '### x']);
  });

  test('two buttons with one action become one, because Discord would refuse the whole message', () => {
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
    expect(buttonsOf(body)).toEqual(['Go']);
  });

  describe('with tiles', () => {
    const shown = (view: Partial<View>) => {
      const { body } = renderView({ tone: 'ask', lines: ['x'], ...view }, { placeholder: 'Choose…' });
      return { menu: menuOf(body), rows: rowsOf(body) };
    };

    test('tiles become a menu in its own row before the buttons', () => {
      const buttons = Array.from({ length: 30 }, (_, at) => [{ action: `b:${at}`, label: String(at) }]);
      const { menu, rows } = shown({ tiles: [tile(12)], buttons });
      expect(menu).toEqual({
        type: 3,
        custom_id: 'tiles',
        placeholder: 'Choose…',
        options: [{ label: '12 · Filter 12', value: 'pick:draft:filter:12' }],
      });
      expect(rows).toEqual([1, 5, 5, 5, 5, 5, 5]);
    });

    test('tiles that Discord would refuse are dropped: duplicates, too many, too long', () => {
      const { menu } = shown({
        tiles: [
          tile(1),
          { ...tile(1), name: 'Again' },
          tile(2, ''),
          tile(3, 'x'.repeat(65)),
          { ...tile(4), name: '𝕏'.repeat(120) },
          ...Array.from({ length: 30 }, (_, at) => tile(at + 5)),
        ],
      });
      expect(menu?.options.map(({ value }) => value)).toEqual(
        [1, ...Array.from({ length: 24 }, (_, at) => at + 4)].map((at) => `pick:draft:filter:${at}`),
      );
      expect(menu?.options[1]?.label).toBe(`4 · ${'𝕏'.repeat(95)}…`);
      expect(menu?.options.every(({ label }) => [...label].length <= 100)).toBe(true);
    });

    test('tiles of which none can be chosen become no menu', () => {
      expect(shown({ tiles: [tile(1, '')] })).toEqual({ menu: undefined, rows: [] });
    });
  });

  describe('with a file', () => {
    const render = (more: Parameters<typeof imageOf>[1]) =>
      renderView({ tone: 'done', lines: [], media: imageOf(new Uint8Array(3), { name: 'x.png', ...more }) })
        .body;

    const inside = ({ components: [container] }: ReturnType<typeof render>) => container.components;

    test('a file of a message is shown in a gallery with its description, hidden where it is a spoiler', () => {
      const url = 'attachment://x.png';
      const gallery = (spoiler: boolean) => [
        { type: 12, items: [{ media: { url }, spoiler, description: 'A portrait' }] },
      ];

      expect(inside(render({}))).toEqual(gallery(false));
      expect(inside(render({ spoiler: true }))).toEqual(gallery(true));
      expect(inside(render({ as: 'file' }))).toEqual([{ type: 13, file: { url }, spoiler: false }]);
    });

    test('a file of a message gets a simple name, and no empty description', () => {
      const names = (name: string) => render({ name }).attachments.map((each) => each.filename);
      expect(names('a b/c.png')).toEqual(['a_b_c.png']);
      expect(names('../x.png')).toEqual(['.._x.png']);
      expect(render({ alt: '' }).attachments).toEqual([{ id: '0', filename: 'x.png', is_spoiler: false }]);
    });
  });

  test('more than five choices become a menu, and the other buttons stay', () => {
    const choice = (at: number) => ({
      action: `pick:d:o:${at}`,
      label: `Choice ${at}`,
      choice: true as const,
    });

    const next = { action: 'page:d:1', label: '▶' };
    const rendered = (count: number) =>
      renderView({
        tone: 'ask',
        lines: ['x'],
        buttons: [...Array.from({ length: count }, (_, at) => [choice(at)]), [next]],
      }).body;

    expect(buttonsOf(rendered(5))).toEqual([0, 1, 2, 3, 4].map((at) => `Choice ${at}`).concat('▶'));
    expect(menuOf(rendered(5))).toBeUndefined();
    expect(buttonsOf(rendered(6))).toEqual(['▶']);
    expect(menuOf(rendered(6))?.options).toEqual(
      [0, 1, 2, 3, 4, 5].map((at) => ({ value: `pick:d:o:${at}`, label: `Choice ${at}` })),
    );
  });

  test('a link to a result of a spoiler photo is a spoiler, where the result is only linked', () => {
    const media = { kind: 'link', url: 'https://results.example/v.mp4', label: 'Watch' } as const;
    const hidden = '||[Watch](<https://results.example/v.mp4>)||';
    const lines = { tone: 'done', lines: [] } as const;

    expect(textIn(renderView({ ...lines, media }, { spoiler: true }).body.components)).toBe(hidden);
    expect(textIn(renderView({ ...lines, media: { ...media, spoiler: true } }).body.components)).toBe(hidden);
  });

  test('an empty view still becomes a message', () => {
    for (const lines of [[], ['', ' ']]) checkV2(renderView({ tone: 'info', lines }).body.components, []);
  });

  test('a link without an end becomes its label, and no word of the label is lost', () => {
    const url = `https://results.example/${'x'.repeat(4_050)}`;
    const media = { kind: 'link', url, label: 'Watch' } as const;
    const { body } = renderView({ tone: 'done', title: 'Video', lines: ['AI-generated'], media });

    expect(textIn(checkV2(body.components, []))).toBe('### ✨ Video\nAI-generated\nWatch');
  });
});
