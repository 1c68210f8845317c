import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Message } from '../../../../src/adapters/web/outgoing/message.ts';
import type { Reply } from '../../../../src/command/reply.ts';
import { holds } from '../../../eventually.ts';
import { openWeb } from './open-web.ts';

/** A desk that never comes to an end for one visitor must still have an answer for another. */
it('slow commands of one visitor do not block those of others', async () => {
  const { url, desk } = await openWeb();
  const sessions = await Promise.all(
    Array.from(
      { length: 20 },
      async () => (await fetch(`${url}/`)).headers.get('set-cookie')?.split(';')[0] ?? '',
    ),
  );
  const say = async (visitor: string, cookie: string): Promise<number> => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ id: randomUUID(), room: 'studio', text: '/faceswap 3' }))
      form.set(name, value);
    const headers = {
      cookie,
      'x-darkroom': '1',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': visitor,
    };
    const answer = await fetch(`${url}/api/messages`, { method: 'POST', body: form, headers });
    await answer.body?.cancel();
    return answer.status;
  };
  const never = Promise.withResolvers<Reply>();
  desk.replies(...Array.from({ length: 200 }, () => never.promise));
  const taken = async (count: number, cookies: readonly string[]): Promise<number> => {
    let all = 0;
    for (let each = 0; each < count; each += 1)
      if ((await say('203.0.113.66', cookies[each % cookies.length] ?? '')) === 202) all += 1;
    return all;
  };
  const [first = '', second = '', last = '', ...others] = sessions;
  expect(await taken(60, [first])).toBe(20);
  expect(await taken(120, others)).toBe(40);
  // Somebody else at the same address, and at another one.
  expect(await say('203.0.113.66', last)).toBe(202);
  expect(await say('203.0.113.1', last)).toBe(202);
  // Room again as soon as theirs have ended.
  never.resolve({ kind: 'note', text: 'done' });
  await holds(async () => expect(await say('203.0.113.66', second)).toBe(202));
});

it('messages of one visitor do not remove those of others', async () => {
  const { url, desk } = await openWeb();
  const visit = async (visitor: string) => {
    const cookie = (await fetch(`${url}/`)).headers.get('set-cookie')?.split(';')[0] ?? '';
    const headers = { cookie, 'x-darkroom': '1', 'x-forwarded-for': visitor };
    const say = async (text: string): Promise<number> => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ id: randomUUID(), room: 'studio', text }))
        form.set(name, value);
      const answer = await fetch(`${url}/api/messages`, { method: 'POST', body: form, headers });
      await answer.body?.cancel();
      return answer.status;
    };
    const seen = async (): Promise<readonly Message[]> => {
      const answer = await fetch(`${url}/api/messages?room=studio`, { headers });
      return ((await answer.json()) as { messages: Message[] }).messages;
    };
    return { say, seen };
  };
  const [ann, eve] = [await visit('203.0.113.1'), await visit('203.0.113.66')];
  desk.replies({ kind: 'card', job: 'job-1', view: { tone: 'busy', lines: ['waiting'] }, private: false });
  await ann.say('/faceswap 3');
  await holds(() => expect(desk.cards).toHaveLength(1));
  for (let each = 0; each < 210; each += 1)
    await holds(async () => expect(await eve.say(`/help ${each}`)).toBe(202));
  await holds(async () => {
    const seen = await ann.seen();
    expect(seen).toHaveLength(200);
    expect(seen.slice(0, 2).map(({ text, view }) => text ?? view?.tone)).toEqual(['/faceswap 3', 'busy']);
  });
});
