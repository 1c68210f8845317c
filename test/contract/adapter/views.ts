import type { Question, ReplyOf } from '../../../src/command/reply.ts';
import type { View } from '../../../src/command/view.ts';
import { imageOf } from '../../fakes/pictures.ts';

/** Views and questions that the suite has the adapters show. */

export const line = (text: string): View => ({ tone: 'info', lines: [text] });
export const busy = (text: string, bar: number, job = '1'): View => ({
  tone: 'busy',
  title: 'Face swap',
  lines: [text],
  bar,
  buttons: [[{ action: `cancel:${job}`, label: 'Cancel', style: 'danger' }]],
});
export const done = (bytes: Uint8Array): View => ({
  tone: 'done',
  lines: ['Took 3 s', 'AI-generated'],
  media: imageOf(bytes),
  buttons: [
    [
      { action: 'again:1', label: 'Again' },
      { action: 'delete:1', label: 'Delete', style: 'danger' },
    ],
  ],
});

type Ask = ReplyOf<'ask'>;

/** A question that is answered in writing. */
export const asks = (draft: string, more: Partial<Ask> = {}, question: Partial<Question> = {}): Ask => ({
  kind: 'ask',
  draft,
  questions: [{ option: 'prompt', label: 'What should happen', kind: 'text', max: 100, ...question }],
  view: { tone: 'ask', title: 'Animate', lines: ['What should happen?'] },
  audience: 'everyone',
  ...more,
});

/** A question that is answered by a button. */
export const offers = (draft: string, text = 'Which look?', more: Partial<Ask> = {}): Ask => ({
  kind: 'ask',
  draft,
  questions: [
    {
      option: 'look',
      label: text,
      kind: 'choice',
      choices: [
        { value: 'noir', label: 'Noir' },
        { value: 'pop', label: 'Pop' },
      ],
    },
  ],
  view: {
    tone: 'ask',
    lines: [text],
    buttons: [
      [
        { action: `use:${draft}:noir`, label: 'Noir', choice: true },
        { action: `use:${draft}:pop`, label: 'Pop', choice: true },
      ],
    ],
  },
  audience: 'everyone',
  ...more,
});

/** Text that tries everything: markup, links, mentions, headings, lists, code, emoji, direction marks. */
export const hostile = [
  '@everyone <@123456789012345678> *b* _i_ ~~s~~ ||x|| `c` [a](https://evil.example) https://evil.example',
  '# big',
  '- item',
  '<b>bold</b> &amp; <a href="https://evil.example">x</a> \\ /start@other_bot #tag t.me/x',
].join(' ');
