import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { hangUp, listen } from '../../listen.ts';
import { recordRequest } from '../record-requests.ts';
import type { Delivery } from './delivery.ts';
import { type Payload, readPayload } from './payload.ts';
import { Refusal } from './refusal.ts';
import type { World } from './world.ts';

/**
 * What a call runs into. `lost`: it takes effect, but its answer is torn off; `mute`: it takes effect in silence;
 * `short`: half of a file, as if it were all of it.
 */
export interface Fault {
  readonly method: string;
  readonly kind: 'hang' | 'reset' | 'lost' | 'mute' | 'html' | 'short' | number;
  readonly retryAfter?: number;
  readonly description?: string;
  /** The whole answer, with a number as its status. */
  readonly body?: string;
  times: number;
}

/** A call as it came in. */
export interface Call {
  readonly method: string;
  readonly values: Payload['values'];
}

/** The server of the fake, with its faults and the log of its calls. */
export interface Served {
  readonly url: string;
  readonly calls: readonly Call[];
  onCall(listener: (call: Call) => void): void;
  fault(fault: Fault): void;
  clearFaults(): void;
  close(): Promise<void>;
}

const send = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

/** Plain HTTP in front of the fake: addresses, faults and the log of what was asked. */
export const serve = async (options: {
  readonly token: string;
  readonly world: World;
  readonly delivery: Delivery;
  readonly answer: (method: string, payload: Payload) => unknown;
  /** Told of a mistake of the fake itself, which is answered as an error of the server. */
  readonly broke: (error: unknown) => void;
}): Promise<Served> => {
  const { token, world, delivery } = options;
  const calls: Call[] = [];
  const listeners: ((call: Call) => void)[] = [];
  const faults: Fault[] = [];

  const faultFor = (method: string): Fault | undefined => {
    const found = faults.find((each) => each.times > 0 && (each.method === method || each.method === '*'));
    if (found) found.times -= 1;
    return found;
  };

  const file = (path: string, response: ServerResponse): void => {
    const found = [...world.files.values()].find((each) => each.path === path);
    const fault = faultFor('file');
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'reset') return void response.destroy();
    if (fault?.kind === 'short' && found)
      return void response.end(found.bytes.subarray(0, found.bytes.length / 2));
    if (fault?.kind === 302) return void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
    if (fault || found === undefined) {
      send(response, Number(fault?.kind ?? 404), { ok: false });
      return;
    }
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': found.bytes.length,
    });
    response.end(found.bytes);
  };

  const refuse = (response: ServerResponse, { code, message, parameters }: Refusal): void =>
    send(response, code, { ok: false, error_code: code, description: message, parameters });

  const perform = async (
    method: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const payload = await readPayload(request);
    const call: Call = { method, values: payload.values };
    calls.push(call);
    const { offset: _, ...values } = payload.values;
    recordRequest('telegram', 'POST', method, values, [...payload.files.values()]);
    for (const listener of listeners) listener(call);
    const fault = faultFor(method);
    try {
      if (fault && fault.kind !== 'lost' && fault.kind !== 'mute') return misbehave(fault, response);
      const gone = new AbortController();
      response.on('close', () => gone.abort());
      const result =
        method === 'getUpdates'
          ? await delivery.getUpdates(payload, gone.signal)
          : options.answer(method, payload);
      if (fault?.kind === 'mute') return;
      if (fault) response.destroy();
      else send(response, 200, { ok: true, result });
    } finally {
      world.changed();
    }
  };

  const misbehave = (fault: Fault, response: ServerResponse): void => {
    if (fault.kind === 'hang') return;
    if (fault.kind === 'reset') return void response.destroy();
    if (fault.kind === 'html') return void response.writeHead(502).end('<html>Bad Gateway</html>');
    if (fault.body !== undefined) return void response.writeHead(Number(fault.kind)).end(fault.body);
    const parameters = fault.retryAfter === undefined ? undefined : { retry_after: fault.retryAfter };
    throw new Refusal(Number(fault.kind), fault.description ?? `scripted ${fault.kind}`, parameters);
  };

  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const [, , method] = path.split('/');
    if (path.startsWith(`/file/bot${token}/`)) return file(path.slice(`/file/bot${token}/`.length), response);
    if (path !== `/bot${token}/${method}` || method === undefined) {
      request.resume();
      return send(response, 401, { ok: false, error_code: 401, description: 'Unauthorized' });
    }
    perform(method, request, response).catch((error: unknown) => {
      if (error instanceof Refusal) return refuse(response, error);
      // The program that asked was killed in the middle of it.
      if (request.errored) return;
      options.broke(error);
      send(response, 500, { ok: false, error_code: 500, description: String(error) });
    });
  });
  return {
    url: await listen(server),
    calls,
    onCall: (listener) => void listeners.push(listener),
    fault: (fault) => void faults.push(fault),
    clearFaults: () => void faults.splice(0),
    close: () => hangUp(server),
  };
};
