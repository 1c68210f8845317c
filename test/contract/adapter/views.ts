import type { View } from '../../../src/command/view.ts';
import { sizeOf } from '../../fakes/picture-size.ts';

/** What the suite has the adapters show. */

export const line = (text: string): View => ({ tone: 'info', lines: [text] });
export const busy = (text: string, bar: number): View => ({
  tone: 'busy',
  title: 'Face swap',
  lines: [text],
  bar,
  buttons: [[{ action: 'cancel:1', label: 'Cancel', style: 'danger' }]],
});
export const done = (bytes: Uint8Array, kind: 'image' | 'video' = 'image', spoiler = false): View => ({
  tone: 'done',
  lines: ['Took 3 s', 'AI-generated'],
  media: {
    ...(kind === 'video'
      ? { kind, type: 'video/mp4', name: 'result.mp4' }
      : { kind, type: 'image/jpeg', name: 'result.jpg', ...(sizeOf(bytes) ?? { width: 1, height: 1 }) }),
    bytes,
    as: 'inline',
    alt: 'A portrait',
    ...(spoiler ? { spoiler } : {}),
  },
  buttons: [
    [
      { action: 'again:1', label: 'Again' },
      { action: 'delete:1', label: 'Delete', style: 'danger' },
    ],
  ],
});

/** Text that tries everything: markup, links, mentions, headings, lists, code, emoji, direction marks. */
export const hostile = [
  '@everyone <@123456789012345678> *b* _i_ ~~s~~ ||x|| `c` [a](https://evil.example) https://evil.example',
  '# big',
  '- item',
  '<b>bold</b> &amp; <a href="https://evil.example">x</a> \\ /start@other_bot #tag t.me/x',
].join(' ');
