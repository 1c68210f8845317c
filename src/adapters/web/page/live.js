/** Reads the event stream, and reconnects from the last event id. */

/**
 * @param {{ state(rooms: Record<string, any[]>): void, message(message: any): void,
 *   gone(spot: { room: string, id: string }): void, session(): void, connected(yes: boolean): void }} handlers
 * @returns {() => void} ends it
 */
export function listen(handlers) {
  /** @type {EventSource | undefined} */
  let source;
  /** @type {string | undefined} */
  let last;
  let wait = 500;
  let ended = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @param {MessageEvent} event */
  const read = (event) => {
    last = event.lastEventId;
    return JSON.parse(event.data);
  };

  const open = () => {
    if (ended) return;
    source = new EventSource(last === undefined ? '/api/events' : `/api/events?last=${last}`);
    source.addEventListener('open', () => {
      wait = 500;
      handlers.connected(true);
    });
    source.addEventListener('state', (event) => handlers.state(read(event).rooms));
    source.addEventListener('message', (event) => handlers.message(read(event)));
    source.addEventListener('gone', (event) => handlers.gone(read(event)));
    source.addEventListener('session', () => handlers.session());
    source.addEventListener('error', () => {
      handlers.connected(false);
      // EventSource reconnects after a dropped connection, but not after an HTTP error.
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(reconnect, wait);
      wait = Math.min(wait * 2, 8000);
    });
  };

  const reconnect = async () => {
    const answer = await fetch('/api/session').catch(() => undefined);
    if (answer?.status === 401) location.reload();
    else open();
  };

  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    source?.close();
  };
}
