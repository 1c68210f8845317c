import { expect, it } from 'vitest';
import type { Removal } from '../../../src/safety/removal/removal-records.ts';
import { noRequests, stageConsole } from '../../fakes/console.ts';

const removal: Removal = {
  job: 'job-1',
  community: 'discord:1',
  kind: 'face-swap-v6',
  at: 1,
  until: 2,
  by: { key: 'discord:7', name: 'Mo', isOwner: false },
  reason: '<b>she asked</b>',
  messages: 2,
  remaining: 1,
  photos: 1,
  blocked: 'all',
};

const staged = async (found: Removal) => {
  const undone: string[] = [];
  const stage = stageConsole({
    removals: {
      list: async () => [found],
      find: async (job) => (job === found.job ? found : undefined),
      undo: async ({ job }) => void undone.push(job),
      requests: noRequests,
    },
  });
  return { undone, browser: await stage.signedIn() };
};

it('the page of removals tells what was removed, by whom and why, and takes a removal back after a question', async () => {
  const { browser, undone } = await staged(removal);

  const list = await browser.get('/owner/removals');
  expect(list.text).toContain('discord:7');
  expect(list.text).toContain('&lt;b&gt;she asked&lt;/b&gt;');

  const question = await browser.press(list, 'Refuse the photos no longer');
  expect(undone).toEqual([]);

  const after = await browser.press(question, 'Refuse the photos no longer');
  expect(undone).toEqual(['job-1']);
  expect(after.text).toContain('The photos are no longer refused.');
});

it('offers nothing to take back where no photo is refused', async () => {
  const { browser } = await staged({ ...removal, blocked: 'none' });

  expect((await browser.get('/owner/removals')).text).not.toContain('Refuse the photos no longer</button>');
  expect((await browser.get('/owner/removals/job-1/undo')).status).toBe(404);
});
