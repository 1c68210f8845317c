/** The owner's browser without a screen: keeps the cookies of the console, presses its buttons, follows where that leads. */

/** A page as the browser got it. */
export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly path: string;
  readonly text: string;
}

/** The owner’s browser, and what can be done with it. */
export interface ConsoleBrowser {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Shown>;
  /** Sends the form of a page that has this button. `fields`: what is typed. */
  press(page: Shown, button: string, fields?: Readonly<Record<string, string>>): Promise<Shown>;
  post(path: string, body: string, headers?: Readonly<Record<string, string>>): Promise<Shown>;
  readonly cookies: Map<string, string>;
}

type Ask = (path: string, init: RequestInit) => Promise<Response>;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => ENTITIES[name] ?? '');
const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : plain(found);
};

const formWith = (page: string, button: string): { action: string; fields: Record<string, string> } => {
  for (const [, head = '', inside = ''] of page.matchAll(/<form ([^>]*)>([\s\S]*?)<\/form>/g)) {
    const labels = [...inside.matchAll(/<button([^>]*)>([^<]*)</g)];
    if (!labels.some(([, tag = '', label]) => label === button || attribute(tag, 'aria-label') === button))
      continue;
    const inputs = [...inside.matchAll(/<input ([^>]*)>/g)].map(([, tag = '']) => tag);
    const filled = inputs.map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? '']);
    const menus = [...inside.matchAll(/<select ([^>]*)>([\s\S]*?)<\/select>/g)];
    const chosen = menus.map(([, tag = '', options = '']) => {
      const [first = ''] = /<option [^>]*/.exec(options) ?? [];
      const [selected = first] = /<option [^>]* selected\b/.exec(options) ?? [];
      return [attribute(tag, 'name') ?? '', attribute(selected, 'value') ?? ''];
    });
    return { action: attribute(head, 'action') ?? '', fields: Object.fromEntries([...filled, ...chosen]) };
  }
  throw new Error(`no form with the button ${button} in:\n${page}`);
};

/** `origin`: where the console is. */
export function openConsole(
  origin: string,
  ask: Ask = (path, init) => fetch(`${origin}${path}`, init),
): ConsoleBrowser {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit): Promise<Shown> => {
    const headers = new Headers(init.headers);
    if (cookies.size > 0)
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const answer = await ask(path, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return { status: answer.status, headers: answer.headers, path, text: await answer.text() };
  };
  const get: ConsoleBrowser['get'] = (path, headers = {}) => send(path, { headers });
  const follow = async (answer: Shown): Promise<Shown> => {
    const to = answer.status === 303 ? answer.headers.get('location') : null;
    return to === null ? answer : follow(await get(to));
  };
  const post: ConsoleBrowser['post'] = (path, body, headers = {}) =>
    send(path, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'navigate',
        origin,
        ...headers,
      },
    });
  return {
    cookies,
    get,
    post,
    async press(page, button, typed = {}) {
      const { action, fields } = formWith(page.text, button);
      return follow(await post(action, new URLSearchParams({ ...fields, ...typed }).toString()));
    },
  };
}
