import { defineCommand } from '../src/command/command.ts';

export default defineCommand({
  name: 'privacy',
  description: 'What is kept about you, and how to delete it',
  openToBlocked: true,
  examples: ['/privacy'],
  options: {},
  run: async ({ words, privacy, keep }) => ({
    kind: 'message',
    private: 'in-place',
    view: {
      tone: 'info',
      title: words.privacy.title,
      lines: [
        words.privacy.photo,
        words.privacy.link,
        words.privacy.kept,
        privacy.keepsChat ? words.privacy.resultsHere : words.privacy.results,
      ],
      buttons: [[{ action: `erase:${await keep()}`, label: words.privacy.button, style: 'danger' }]],
    },
  }),
});
