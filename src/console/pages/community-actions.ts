import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Pause } from '../../command/community-gate.ts';
import {
  type CommunitySettings,
  type SettingValue,
  SIMPLE_SETTINGS,
  type SimpleSetting,
  settingIn,
  simpleSettings,
} from '../../command/community-settings.ts';
import { UserError } from '../../command/errors.ts';
import { readArguments } from '../../command/read-arguments.ts';
import { wordsFor } from '../../words/words.ts';
import { foreign, type Html } from '../frame/html.ts';
import type { ConsoleEnv } from '../sign-in/guard.ts';
import { addAction, type Fields, type Question } from './confirm.ts';
import { communityPath } from './paths.ts';
import { notFound, show } from './show.ts';

/** What the owner can do with a community, each audited. */
export interface CommunityActs {
  pause(community: string, reason: string): Promise<void>;
  resume(community: string): Promise<void>;
  setCredits(community: string, amount: number): Promise<void>;
  set(community: string, name: SimpleSetting, value: SettingValue): Promise<void>;
  /** Undefined: no community needs it. */
  readonly approval:
    | { approve(community: string): Promise<void>; revoke(community: string): Promise<void> }
    | undefined;
}

interface Shown {
  readonly pause: Pause | undefined;
  readonly isApproved: boolean | undefined;
  readonly allowance: number;
  readonly settings: CommunitySettings;
}

/** What an action has done, unless somebody else has undone it since. */
export function doneTexts({ pause, isApproved }: Shown) {
  return {
    credits: 'The daily credits were set.',
    changed: 'The setting was changed.',
    ...(pause === undefined
      ? { resumed: 'The community is open again.' }
      : { paused: 'The community is paused.' }),
    ...(isApproved ? { approved: 'The community is approved.' } : { revoked: 'The approval was revoked.' }),
  };
}

const LONGEST_REASON = 200;
/** As /settings credits allows, and never less than there are. */
const mostCredits = (allowance: number): number => Math.max(100_000, allowance);

function reasonText(reason: string): Html {
  return reason === ''
    ? html`No reason is given.`
    : html`The reason that its people read: ${foreign(reason)}`;
}

const words = wordsFor('en');

function fieldOf(name: SimpleSetting, value: SettingValue): Html {
  const { option, text } = SIMPLE_SETTINGS[name];
  const choices =
    option.kind === 'choice' ? option.choices : option.kind === 'flag' ? [true, false] : undefined;
  if (choices !== undefined)
    return html`<select name="${option.name}">${choices.map(
      (each) =>
        html`<option value="${String(each)}"${each === value ? html` selected` : ''}>${text(each, words)}</option>`,
    )}</select>`;
  const kind =
    option.kind === 'integer'
      ? html`type="number" min="${option.min}" max="${option.max}"`
      : html`type="text"`;
  return html`<input ${kind} name="${option.name}" value="${value}" required autocomplete="off">`;
}

/** The forms that begin an action. */
export function communityForms(shown: Shown, path: string, token: string): Html {
  const { pause, isApproved, allowance, settings } = shown;
  const form = (action: string, fields: Html | '', button: string): Html =>
    html`<form method="post" action="${path}/${action}" class="card"><input type="hidden" name="token" value="${token}">
${fields}<p><button>${button}</button></p></form>`;
  const reason = html`<label class="field"><span>Reason, shown to its people</span>
<input type="text" name="reason" maxlength="${LONGEST_REASON}" autocomplete="off"></label>`;
  const amount = html`<label class="field"><span>Credits a person a day</span>
<input type="number" name="amount" min="0" max="${mostCredits(allowance)}" step="1" value="${allowance}" required></label>`;
  return html`<div class="actions">
${pause === undefined ? '' : form('resume', html`<p>New jobs are refused here.</p>`, 'Resume')}
${pause?.byOwner ? '' : form('pause', reason, pause === undefined ? 'Pause' : 'Pause as owner')}
${form('credits', amount, 'Set credits')}
${simpleSettings.map((name) => {
  const { command, words: wordsOf } = SIMPLE_SETTINGS[name];
  const { name: label, description } = wordsOf(words);
  const field = html`<label class="field"><span>${description}</span>${fieldOf(name, settingIn(settings, name))}</label>`;
  return form(command, field, `Change: ${label}`);
})}
${isApproved === undefined ? '' : isApproved ? form('revoke', html`<p>It is approved.</p>`, 'Revoke') : form('approve', html`<p>It is not approved.</p>`, 'Approve')}
</div>`;
}

export function createCommunityActions(
  acts: CommunityActs,
  details: (community: string) => Promise<Shown & { readonly id: string }>,
  pattern: RegExp,
) {
  const app = new Hono<ConsoleEnv>();
  type Asked = Pick<Question, 'title' | 'what' | 'button' | 'act' | 'done'>;
  /** `prepare` returns what is asked, or why there is nothing to do. */
  const add = (
    action: string,
    names: readonly string[],
    prepare: (
      id: string,
      found: Shown,
      fields: Fields,
    ) => Asked | { readonly title: string; readonly why: Html },
  ): void =>
    addAction(app, `/:hidden/${action}`, names, async (context, fields) => {
      const ids = context.get('ids');
      const id = ids.find(context.req.param('hidden') ?? '');
      if (id === undefined || !pattern.test(id)) return notFound(context, 'community');
      const found = await details(id);
      const back = communityPath(found.id, ids);
      // It has another id now.
      if (found.id !== id) return context.redirect(back, 303);
      const asked = prepare(id, found, fields);
      if (!('why' in asked)) return { section: 'communities', back, ...asked };
      const body = html`<p class="problem" role="alert">${asked.why}</p><p><a href="${back}">Back</a></p>`;
      return show(context, { title: asked.title, section: 'communities', body }, 400);
    });

  add('pause', ['reason'], (id, { pause }, { reason = '' }) => {
    const title = 'Pause this community?';
    if (pause?.byOwner) return { title, why: html`It is paused already. ${reasonText(pause.reason)}` };
    const what = html`New jobs are refused in ${foreign(id)}, and waiting ones fail at no cost, until an owner resumes it: its
moderators cannot. ${reasonText(reason)}`;
    return { title, what, button: 'Pause it', act: () => acts.pause(id, reason), done: 'paused' };
  });

  add('resume', [], (id, { pause }) => {
    const title = 'Resume this community?';
    if (pause === undefined) return { title, why: html`It is open already.` };
    return {
      title,
      what: html`Jobs are accepted again in ${foreign(id)}.`,
      button: 'Resume it',
      act: () => acts.resume(id),
      done: 'resumed',
    };
  });

  add('credits', ['amount'], (id, { allowance }, { amount: typed = '' }) => {
    const title = 'Set daily credits?';
    const most = mostCredits(allowance);
    const amount = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
    if (!(amount <= most)) return { title, why: html`The amount must be a whole number from 0 to ${most}.` };
    const what = html`Each person in ${foreign(id)} can use ${amount} ${amount === 1 ? 'credit' : 'credits'} a day, unless they or
one of their roles have their own. As you set it, USER_MAX_DAILY_CREDITS does not limit it, and its moderators can neither change it nor
give one person more a day.`;
    return { title, what, button: 'Set them', act: () => acts.setCredits(id, amount), done: 'credits' };
  });

  for (const name of simpleSettings) {
    const { command, option, words: wordsOf, read, text } = SIMPLE_SETTINGS[name];
    add(command, [option.name], (id, _, fields) => {
      const title = 'Change this setting?';
      try {
        const value = read(readArguments({ [option.name]: option }, fields, words).args[option.name]);
        const what = html`${wordsOf(words).name} of ${foreign(id)}: ${foreign(text(value, words))}`;
        return { title, what, button: 'Change it', act: () => acts.set(id, name, value), done: 'changed' };
      } catch (error) {
        if (error instanceof UserError) return { title, why: foreign(error.message) };
        throw error;
      }
    });
  }

  const { approval } = acts;
  if (approval === undefined) return app;
  add('approve', [], (id, { isApproved }) => {
    const title = 'Approve this community?';
    if (isApproved) return { title, why: html`It is approved already.` };
    const what = html`The people of ${foreign(id)} can use every command. It is told so, where the bot may write.`;
    return { title, what, button: 'Approve it', act: () => approval.approve(id), done: 'approved' };
  });
  add('revoke', [], (id, { isApproved }) => {
    const title = 'Revoke the approval?';
    if (!isApproved) return { title, why: html`It is not approved.` };
    const what = html`The people of ${foreign(id)} can use only /help and /privacy, and waiting jobs fail at no cost.`;
    return { title, what, button: 'Revoke it', act: () => approval.revoke(id), done: 'revoked' };
  });
  return app;
}
