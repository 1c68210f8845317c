import { isIPv6 } from 'node:net';
import type { Config } from '../../config/config.ts';
import { type Check, checkOf, examine } from '../doctor/diagnose.ts';
import { KNOWN } from './about-store.ts';

const ANSWER_MS = 5_000;
const MAX_BYTES = 65_536;

/** The checks of the doctor: names, results and reasons, which are constants. */
export async function aboutHealth(config: Config) {
  const checks: Pick<Check, 'name' | 'status' | 'reason'>[] = [];
  try {
    for await (const finding of examine(config)) {
      const { name, status, reason } = checkOf(finding);
      const isPlain = reason !== undefined && /^[\w .-]{1,60}$/.test(reason) && !/\d{6}/.test(reason);
      checks.push({ name, status, ...(isPlain ? { reason } : {}) });
    }
  } catch {
    checks.push({ name: 'Doctor', status: 'failed', reason: 'unexpected error' });
  }
  return checks;
}

/** What the program that runs with these settings says, if it does. Another program may listen there. */
export async function aboutRunning({ http: { host, port } }: Config) {
  if (port === 0) return { answers: false };
  const everywhere = new Map([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '::1'],
  ]);
  const name = everywhere.get(host) ?? host;
  const url = `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
  const [ready, health] = [await ask(`${url}/readyz`), await ask(`${url}/healthz`)];
  if (ready === undefined) return { answers: false };
  const { uptimeSeconds } = Object(health);
  const checks = Object.entries(Object(Object(ready).checks));
  return {
    answers: true,
    ...(Number.isSafeInteger(uptimeSeconds) ? { uptimeSeconds: Number(uptimeSeconds) } : {}),
    isReady: Object(ready).status === 'ready',
    checks: checks
      .filter(([each]) => KNOWN.has(each))
      .map(([each, check]) => ({ name: each, ok: Object(check).ok === true })),
  };
}

async function ask(url: string): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(url, { signal, redirect: 'manual' });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > MAX_BYTES) return undefined;
    }
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
