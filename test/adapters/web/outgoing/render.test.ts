import { describe, expect, it } from 'vitest';
import { render } from '../../../../src/adapters/web/outgoing/render.ts';
import type { View } from '../../../../src/command/view.ts';
import { imageOf } from '../../../fakes/pictures.ts';

const view = (more: Partial<View>): View => ({ tone: 'info', lines: [], ...more });
const picture = imageOf(new Uint8Array([1]));

describe('a view for the page', () => {
  it('a view becomes plain data without bytes for the page', () => {
    const shown = render(
      view({ media: picture, bar: 0.5, title: 'Title', lines: ['one', [{ bold: 'two' }]] }),
      'id-1',
    );
    expect(JSON.parse(JSON.stringify(shown))).toEqual({
      tone: 'info',
      title: ['Title'],
      lines: [['one'], [{ bold: 'two' }]],
      bar: 0.5,
      media: { kind: 'image', id: 'id-1', name: 'result.jpg', alt: 'A portrait', spoiler: false },
    });
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    ' https://x.example',
    'https://',
    'file:///etc/passwd',
  ])('a view for the page has no link to %j', (url) => {
    const inText = render(view({ lines: [[{ link: 'here', url }]] }));
    const asMedia = render(view({ media: { kind: 'link', url, label: 'video' } }));

    expect(inText.lines).toEqual([['here']]);
    expect(asMedia.media).toBeUndefined();
  });

  it('a view for the page has its web links', () => {
    const link = { link: 'here', url: 'https://x.example/a' };

    expect(render(view({ lines: [[link]] })).lines).toEqual([[link]]);
  });

  it('a view for the page keeps the progress bar within its bounds, and files as files', () => {
    expect(render(view({ bar: 7 })).bar).toBe(1);
    expect(render(view({ bar: -1 })).bar).toBe(0);
    expect(render(view({ media: { ...picture, as: 'file' } }), 'x').media?.kind).toBe('file');
  });
});
