import { html } from 'hono/html';
import type { Html } from '../frame/html.ts';
import { bareLayout, ROOT } from '../frame/layout.ts';

export type Problem = 'wrong' | 'wait';

const PROBLEMS: Readonly<Record<Problem, string>> = {
  wrong: 'That is not the password.',
  wait: 'Too many attempts. Wait a moment, then try again.',
};

export function signInPage(problem: Problem | undefined): Html {
  return bareLayout(
    'Darkroom console',
    html`<form method="post" action="${ROOT}/sign-in">
${problem === undefined ? '' : html`<p class="problem" role="alert">${PROBLEMS[problem]}</p>`}
<input type="text" name="username" value="owner" autocomplete="username" hidden>
<label class="field"><span>Password (PLAYGROUND_PASSWORD)</span>
<input type="password" name="password" autocomplete="current-password" required autofocus></label>
<button class="main">Sign in</button></form>`,
  );
}
