import { describe, expect, it } from 'vitest';
import { render } from '../../../../src/adapters/web/outgoing/render.ts';
import type { Media, View } from '../../../../src/command/view.ts';

const view = (more: Partial<View>): View => ({ tone: 'info', lines: [], ...more });
const picture: Extract<Media, { kind: 'image' }> = {
  kind: 'image',
  bytes: new Uint8Array([1]),
  type: 'image/jpeg',
  name: 'r.jpg',
  as: 'inline',
  alt: 'A portrait',
  width: 1,
  height: 1,
};

describe('a view for the page', () => {
  it('is plain data without bytes', () => {
    const shown = render(
      view({ media: picture, bar: 0.5, title: 'Title', lines: ['one', [{ bold: 'two' }]] }),
      'id-1',
    );
    expect(JSON.parse(JSON.stringify(shown))).toEqual({
      tone: 'info',
      title: ['Title'],
      lines: [['one'], [{ bold: 'two' }]],
      bar: 0.5,
      media: { kind: 'image', id: 'id-1', name: 'r.jpg', alt: 'A portrait', spoiler: false },
    });
  });

  it('names the previews of tiles by their ids, never by their address', () => {
    const tiles = [
      { action: 'use:d:f:1', label: '1', name: 'Pop Art', preview: 'https://x.example/1.jpg' },
      { action: 'use:d:f:2', label: '2', name: 'Mosaic', preview: 'https://x.example/2.jpg' },
      { action: 'use:d:f:x', label: 'A', name: 'Mine' },
    ];
    const shown = render(view({ tiles }), '', (url) => (url.endsWith('1.jpg') ? 'id-1' : undefined));
    expect(shown.tiles).toEqual([
      { action: 'use:d:f:1', label: '1', name: 'Pop Art', preview: 'id-1' },
      { action: 'use:d:f:2', label: '2', name: 'Mosaic' },
      { action: 'use:d:f:x', label: 'A', name: 'Mine' },
    ]);
  });

  it('shows people by name and id, as text', () => {
    const { lines } = render(
      view({ lines: [[{ person: 'ann', name: 'Ann' }, ' is blocked'], [{ person: 'x' }]] }),
    );
    expect(lines).toEqual([['Ann (ann)', ' is blocked'], ['x']]);
  });

  it('shows channels as text', () => {
    const { lines } = render(view({ lines: [['Log: ', { channel: 'lobby', name: 'here' }]] }));
    expect(lines).toEqual([['Log: ', 'here']]);
  });

  it('allows only web links', () => {
    const links = [
      'javascript:alert(1)',
      'data:text/html,x',
      ' https://x.example',
      'https://',
      'file:///etc/passwd',
    ];
    for (const url of links) {
      expect(render(view({ lines: [[{ link: 'here', url }]] })).lines).toEqual([['here']]);
      expect(render(view({ media: { kind: 'link', url, label: 'video' } })).media).toBeUndefined();
    }
    const good = { link: 'here', url: 'https://x.example/a' };
    expect(render(view({ lines: [[good]] })).lines).toEqual([[good]]);
  });

  it('keeps the progress bar within its bounds, and files as files', () => {
    expect(render(view({ bar: 7 })).bar).toBe(1);
    expect(render(view({ bar: -1 })).bar).toBe(0);
    expect(render(view({ media: { ...picture, as: 'file' } }), 'x').media?.kind).toBe('file');
  });
});
