import { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import { createRemovalPage, type RemovalPageDependencies } from '../../src/removal-page/removal-page.ts';
import { createRequestRecords } from '../../src/safety/requests/request-records.ts';
import { createFakeClock } from './clock.ts';
import { createRecords } from './records.ts';
import { serveWeb } from './web/open-web.ts';

/** A form that is filled in, with markup in it that must not take effect. */
export const FILLED: Readonly<Record<string, string>> = {
  link: 'https://discord.com/channels/1/2/3',
  about: 'I am in it, <b>and</b> I do not want that',
  contact: 'ann@example.test',
};

/** Opens the page for people outside the chat on a real socket, without a program around it. */
export async function stageRemovalPage(more: Partial<RemovalPageDependencies> = {}) {
  // Records expire by the machine's time.
  const clock = createFakeClock(Date.now());
  const state = createRecords();
  const records = createRequestRecords(state, clock.now);
  const logged: string[] = [];
  const page = createRemovalPage({
    requests: records,
    fingerprint: async () => ({ file: 'file' }),
    ownerLanguage: 'en',
    clock,
    log: { error: (...what: readonly unknown[]) => void logged.push(JSON.stringify(what)) },
    ...more,
  });
  const http = await serveWeb(new Hono(), { mount: [{ path: '/removal', app: page, isPublic: true }] });
  onTestFinished(http.close);

  const get = async (path = '/removal', headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${http.url}${path}`, { headers, redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const post = async (
    fields: Readonly<Record<string, string | Blob>>,
    headers: Readonly<Record<string, string>> = {},
    path = '/removal',
  ) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const answer = await fetch(`${http.url}${path}`, { method: 'POST', body, headers, redirect: 'manual' });
    const location = answer.headers.get('location') ?? '';
    return { status: answer.status, location, text: await answer.text() };
  };
  /** The header with which a proxy on this machine tells a visitor's address. */
  const from = (address: string) => ({ 'x-forwarded-for': address });
  return { url: http.url, port: http.port, clock, state, records, logged, get, post, from };
}
