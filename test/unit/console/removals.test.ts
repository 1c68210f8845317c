import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../src/base/clock.ts';
import type { Removal } from '../../../src/safety/removal/removal-records.ts';
import type { StoredRequest } from '../../../src/safety/requests/request-records.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { noRemovals, noRequests, stageConsole } from '../../fakes/console.ts';
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

it('the page of removals tells how many messages of a removed result remain somewhere, and why', async () => {
  const { browser } = await staged({ ...removal, remaining: 3, blanked: 4, unreachable: 5, unknown: 6 });

  const list = await browser.get('/owner/removals');

  const said = wordsFor('en').removal;
  expect(list.text).toMatch(/<td[^>]*>3<br>/);
  expect(list.text).toContain(said.blanked(4));
  expect(list.text).toContain(said.unreachable(5));
  expect(list.text).toContain(said.unknownPlaces(6));
});

it('the page of removals names only those kinds of remaining messages that there are', async () => {
  const { browser } = await staged({ ...removal, blanked: 1, unreachable: 0 });

  const list = await browser.get('/owner/removals');

  const said = wordsFor('en').removal;
  expect(list.text).toContain(said.blanked(1));
  expect(list.text).not.toContain(said.unreachable(0));
});

it('the page of removals offers nothing to take back where no photo is refused', async () => {
  const { browser } = await staged({ ...removal, blocked: 'none' });

  expect((await browser.get('/owner/removals')).text).not.toContain('Refuse the photos no longer</button>');
  expect((await browser.get('/owner/removals/job-1/undo')).status).toBe(404);
});

const job = sampleJob({ state: 'done' });

it('the page of removals removes a result that is named by a link, after a question that says which it is', async () => {
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
          searched.push({ mark, after });
          return after === undefined
            ? { found: [{ job, as: 'result', distance: 7 }], next: { createdAt: 5, seq: 3 } }
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

  it('a search by a picture shows the results that are most alike, goes on with older ones, and removes one', async () => {
    const { browser, searched, send } = await staged();

    const found = await send('a picture');
    expect(found.text).toContain('7 of 256 bits differ');
    expect(found.path).not.toContain('mark');
    const further = /href="(\/owner\/removals\/picture[^"]*)"/.exec(found.text)?.[1] ?? '';
    const older = await browser.get(further.replaceAll('&amp;', '&'));

    expect(older.text).toContain('None of these results is alike.');
    expect(searched).toEqual([
      { mark: 'mark of a picture', after: undefined },
      { mark: 'mark of a picture', after: { createdAt: 5, seq: 3 } },
    ]);
    expect((await browser.press(found, 'Remove result', { reason: 'she asked' })).text).toContain(job.id);
  });

  it('a search by a picture is refused for what is no picture, without the token of a page, and for a file that is too large', async () => {
    const { searched, send } = await staged();

    expect((await send('no')).status).toBe(400);
    expect((await send('a picture', 'forged')).status).toBe(403);
    expect((await send('x'.repeat(22 * 1024 * 1024))).status).toBe(413);
    expect(searched).toEqual([]);
  });
});

const asked: StoredRequest = {
  id: 'request-1',
  at: Date.UTC(2026, 0, 5, 12),
  from: 'hash of an address',
  link: 'https://discord.test/1/2/3?<b>',
  picture: { file: 'x' },
  contact: '<i>ann@example.test</i>',
  about: '<script>alert(1)</script>',
};

const stagedWith = async (request: StoredRequest) => {
  const done: string[] = [];
  const stage = stageConsole({
    removals: {
      ...noRemovals,
      requests: {
        all: async () => ({ open: [request], closed: [] }),
        find: async (id) => (id === request.id ? request : undefined),
        candidates: async () => [
          { job: sampleJob({ id: 'job-near', state: 'done' }), as: 'result', distance: 7 },
        ],
        async remove(id, job) {
          done.push(`remove ${id} ${job}`);
          return job === 'job-near';
        },
        refuse: async (id, reason) => void done.push(`refuse ${id} ${reason}`),
        foundNothing: async (id) => void done.push(`nothing ${id}`),
      },
    },
  });
  await stage.clock.advance(HOUR_MS);
  const browser = await stage.signedIn();
  const list = await browser.get('/owner/removals');
  return { done, browser, list, page: await browser.get('/owner/removals/requests/request-1') };
};

describe('several requests for removal', () => {
  const listed = ['request-1', 'request-2', 'request-3'].map((id) => ({ ...asked, id }));
  const by = { what: 'nothing', at: 1, by: 'Olga' } as const;

  const stagedWithList = async () => {
    const answered: string[] = [];
    const decided = new Set<string>();
    const stage = stageConsole({
      removals: {
        ...noRemovals,
        requests: {
          ...noRequests,
          all: async () => ({ open: listed, closed: [] }),
          async find(id) {
            const request = listed.find((each) => each.id === id);
            return request && decided.has(id) ? { ...request, decided: by } : request;
          },
          foundNothing: async (id) => void answered.push(id),
        },
      },
    });
    const browser = await stage.signedIn();
    const page = await browser.get('/owner/removals');
    const token = /name="token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const choose = async (...ids: readonly string[]) => {
      const body = new URLSearchParams({ token });
      for (const id of ids) body.append('chosen', id);
      const answer = await browser.post('/owner/removals/answer', body.toString());
      return browser.get(answer.headers.get('location') ?? '');
    };
    return { answered, decided, browser, page, choose };
  };

  it('several requests for removal are answered with Nothing found after one question, those alone that were chosen', async () => {
    const { answered, browser, page, choose } = await stagedWithList();
    for (const { id } of listed) expect(page.text).toContain(`name="chosen" value="${id}"`);

    const question = await choose('request-1', 'request-3');
    expect(question.text).toContain('Requests: 2.');
    expect(question.path).not.toContain('request-1');
    expect(answered).toEqual([]);

    const after = await browser.press(question, 'Nothing found');
    expect(answered).toEqual(['request-1', 'request-3']);
    expect(after.text).toContain('The people who asked read that nothing was found.');
  });

  it('of several requests for removal, those that were decided meanwhile, or do not exist, are left out', async () => {
    const { answered, decided, browser, choose } = await stagedWithList();
    decided.add('request-1');

    const question = await choose('request-1', 'request-2', 'request-2', 'none');
    expect(question.text).toContain('Requests: 1.');

    await browser.press(question, 'Nothing found');
    expect(answered).toEqual(['request-2']);
  });

  it('fifty requests for removal are answered at once, and nothing is asked where none was chosen', async () => {
    const { choose } = await stagedWithList();
    const others = Array.from({ length: 49 }, (_, number) => `x${String(number).padStart(21, '0')}`);

    expect((await choose(...others, 'request-2')).text).toContain('Requests: 1.');
    expect((await choose()).status).toBe(303);
  });
});

describe('a request for removal', () => {
  it('a request for removal is listed in the console with the time that is left, and shown with what may be meant, escaped', async () => {
    const { list, page } = await stagedWith(asked);

    expect(list.text).toContain('1 d 23 h');
    expect(page.text).toContain('job-near');
    expect(page.text).toContain('7 of 256 bits differ');
    expect(page.text).toContain('&lt;i&gt;ann@example.test&lt;/i&gt;');
    for (const { text } of [list, page]) expect(text).not.toMatch(/<script>alert|<i>ann|hash of an address/);
  });

  it('a request for removal is answered by removing a result, after a question', async () => {
    const { browser, page, done } = await stagedWith(asked);

    const question = await browser.press(page, 'Remove');

    expect(done).toEqual([]);

    const after = await browser.press(question, 'Remove');

    expect(done).toEqual(['remove request-1 job-near']);
    expect(after.text).toContain('The result was removed.');
  });

  it('a request for removal is not answered by a result that is gone, and the page says so', async () => {
    const { browser, page } = await stagedWith(asked);
    const question = await browser.get(`${page.path}/remove/job-gone`);
    expect((await browser.press(question, 'Remove')).text).toContain('There is no such result any more.');
  });

  it('a request for removal is refused with a reason, which the owner sees as its reader will', async () => {
    const { browser, page, done } = await stagedWith(asked);

    const question = await browser.press(page, 'Refuse', { reason: 'Nobody is <b>shown</b>.' });

    expect(question.text).toContain('Nobody is &lt;b&gt;shown&lt;/b&gt;.');

    await browser.press(question, 'Refuse');

    expect(done).toEqual(['refuse request-1 Nobody is <b>shown</b>.']);
  });

  it('a request for removal is not refused without a reason', async () => {
    const { browser, page, done } = await stagedWith(asked);

    await browser.press(page, 'Refuse', { reason: ' ' });

    expect(done).toEqual([]);
  });

  it('a request for removal is decided once', async () => {
    const by = { what: 'nothing', at: 1, by: 'Olga' } as const;
    const { browser, page, done } = await stagedWith({ ...asked, decided: by });
    expect(page.text).not.toContain('Nothing found</button>');
    expect((await browser.get(`${page.path}/nothing`)).status).toBe(303);
    expect(done).toEqual([]);
  });

  it('a request for removal that does not exist is answered like any unknown page', async () => {
    const { browser } = await stagedWith(asked);
    expect((await browser.get('/owner/removals/requests/none')).status).toBe(404);
    expect((await browser.get('/owner/removals/requests/none/remove/job')).status).toBe(404);
  });
});
