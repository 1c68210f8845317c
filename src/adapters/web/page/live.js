/** The stream of events: opened again whenever it breaks, told where it broke. */

/**
 * @param {{ state(rooms: Record<string, any[]>): void, message(message: any): void,
 *   gone(spot: { room: string, id: string }): void, session(): void, connected(yes: boolean): void }} told
 * @returns {() => void} ends it
 */
export const listen = (told) => {
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
      told.connected(true);
    });
    source.addEventListener('state', (event) => told.state(read(event).rooms));
    source.addEventListener('message', (event) => told.message(read(event)));
    source.addEventListener('gone', (event) => told.gone(read(event)));
    source.addEventListener('session', () => told.session());
    source.addEventListener('error', () => {
      told.connected(false);
      // A dropped connection is taken up again by the browser; after any other answer it gives up.
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(knock, wait);
      wait = Math.min(wait * 2, 8000);
    });
  };

  const knock = async () => {
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
};
