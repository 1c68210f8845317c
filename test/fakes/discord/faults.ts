import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * What can go wrong with a request. `after`: the request takes effect and only its answer is lost, which is what
 * makes repeating dangerous.
 */
export interface Fault {
  readonly method?: string;
  readonly path: RegExp;
  /** Hits only requests that carry files. */
  readonly uploads?: true;
  readonly kind: 'status' | 'hang' | 'reset' | 'close';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly after?: boolean;
  /** How many requests it hits; all of them when left out. */
  readonly times?: number;
}

/** The faults that requests of the fake Discord meet. */
export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  take(method: string, path: string, hasFiles: boolean): Fault | undefined;
}

/** Faults by request: a test adds them, and the server takes the one that fits. */
export const createFaults = (): Faults => {
  let active: { readonly fault: Fault; left: number }[] = [];
  return {
    add(fault) {
      active.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
    },
    clear() {
      active = [];
    },
    take(method, path, hasFiles) {
      const hit = active.find(
        ({ fault, left }) =>
          left > 0 &&
          fault.path.test(path) &&
          (hasFiles || fault.uploads === undefined) &&
          (fault.method === undefined || fault.method === method),
      );
      if (hit === undefined) return undefined;
      hit.left -= 1;
      return hit.fault;
    },
  };
};

/** Lets a request meet this fault instead of its answer. */
export const applyFault = (fault: Fault, request: IncomingMessage, response: ServerResponse): void => {
  if (fault.kind === 'hang') return;
  if (fault.kind === 'close') return void request.socket.end();
  if (fault.kind === 'reset') {
    const socket = request.socket;
    if ('resetAndDestroy' in socket) socket.resetAndDestroy();
    return;
  }
  const html = typeof fault.body === 'string';
  response.writeHead(fault.status ?? 500, {
    'content-type': html ? 'text/html' : 'application/json',
    ...fault.headers,
  });
  response.end(html ? fault.body : JSON.stringify(fault.body ?? { message: 'fault', code: 0 }));
};
