import { defineCommand } from '../src/command/command.ts';
import { infoReply } from '../src/command/reply.ts';
import { translations } from './texts/privacy.ts';

export default defineCommand({
  name: 'privacy',
  description: 'What is kept about you, and how to delete it',
  translations,
  personal: true,
  openToBlocked: true,
  openToUnapproved: true,
  examples: ['/privacy'],
  options: {},
  run: async ({ words: { privacy: said }, keep, ports: { privacy, faceCheck } }) =>
    infoReply({
      title: said.title,
      lines: [
        said.photo,
        ...(faceCheck.isOn ? [said.faceCheck] : []),
        ...(privacy.checksContent ? [said.contentCheck] : []),
        privacy.keepsFaces ? said.faces : said.photoNotKept,
        said.link,
        said.kept,
        said.hashes,
        said.marks,
        ...(privacy.hasVisibleMark ? [said.visibleMark] : []),
        privacy.keepsChat ? said.resultsHere : said.results,
      ],
      buttons: [[{ action: `erase:${await keep()}`, label: said.button, style: 'danger' }]],
    }),
});
