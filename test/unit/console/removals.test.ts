import { describe, expect, it } from 'vitest';
import type { Removal } from '../../../src/safety/removal/removal-records.ts';
import { noRemovals, stageConsole } from '../../fakes/console.ts';
import { sampleJob } from '../../fakes/sample-job.ts';

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
      ...noRemovals,
      list: async () => [found],
      find: async (job) => (job === found.job ? found : undefined),
      undo: async ({ job }) => void undone.push(job),
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

const job = sampleJob({ state: 'done' });

it('removes a result that is named by a link, after a question that says which it is', async () => {
  const removed: string[] = [];
  const stage = stageConsole({
    removals: {
      ...noRemovals,
      findResult: async (result) => (result === 'https://t.me/c/1/2' ? job : undefined),
      remove: async (id, reason) => void removed.push(`${id} ${reason}`),
    },
  });
  const browser = await stage.signedIn();
  const page = await browser.get('/owner/removals');

  const unknown = await browser.press(page, 'Remove result', { result: 'https://t.me/c/1/3' });
  expect(unknown.status).toBe(404);
  const typed = { result: 'https://t.me/c/1/2', reason: 'she asked' };
  const question = await browser.press(page, 'Remove result', typed);
  expect(question.text).toContain(job.id);
  expect(question.text).toContain(job.place.community);
  expect(removed).toEqual([]);

  const after = await browser.press(question, 'Remove result');
  expect(removed).toEqual([`${job.id} she asked`]);
  expect(after.text).toContain('The result was removed');
});

describe('a search by a picture', () => {
  const staged = async () => {
    const searched: unknown[] = [];
    const stage = stageConsole({
      removals: {
        ...noRemovals,
        markOf: async (picture) => (picture.byteLength > 3 ? `mark of ${Buffer.from(picture)}` : undefined),
        async findAlike(mark, after) {
          searched.push([mark, after]);
          return after === undefined
            ? { found: [{ job, bits: 7 }], next: { createdAt: 5, seq: 3 } }
            : { found: [] };
        },
        findResult: async () => job,
      },
    });
    const browser = await stage.signedIn();
    const page = await browser.get('/owner/removals');
    const token = /name="token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const send = async (picture: string, sent = token) => {
      const part = (name: string, value: string): string =>
        `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      const file = `--edge\r\ncontent-disposition: form-data; name="picture"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n${picture}\r\n`;
      const answer = await browser.post(
        '/owner/removals/picture',
        `${part('token', sent)}${file}--edge--\r\n`,
        {
          'content-type': 'multipart/form-data; boundary=edge',
        },
      );
      const to = answer.headers.get('location');
      return to === null ? answer : browser.get(to);
    };
    return { browser, searched, send };
  };

  it('shows the results that are most alike, goes on with older ones, and removes one', async () => {
    const { browser, searched, send } = await staged();

    const found = await send('a picture');
    expect(found.text).toContain('7 / 256');
    expect(found.path).not.toContain('mark');
    const further = /href="(\/owner\/removals\/picture[^"]*)"/.exec(found.text)?.[1] ?? '';
    const older = await browser.get(further.replaceAll('&amp;', '&'));

    expect(older.text).toContain('None of these results is alike.');
    expect(searched).toEqual([
      ['mark of a picture', undefined],
      ['mark of a picture', { createdAt: 5, seq: 3 }],
    ]);
    expect((await browser.press(found, 'Remove result', { reason: 'she asked' })).text).toContain(job.id);
  });

  it('is refused for what is no picture, without the token of a page, and for a file that is too large', async () => {
    const { searched, send } = await staged();

    expect((await send('no')).status).toBe(400);
    expect((await send('a picture', 'forged')).status).toBe(403);
    expect((await send('x'.repeat(22 * 1024 * 1024))).status).toBe(413);
    expect(searched).toEqual([]);
  });
});
