import { Hono } from 'hono';
import { html } from 'hono/html';
import {
  SIMPLE_SETTINGS,
  type SimpleSetting,
  settingIn,
  simpleSettings,
} from '../../command/community-settings.ts';
import { UserError } from '../../command/errors.ts';
import { descriptionIn, type Option } from '../../command/option.ts';
import { readArguments } from '../../command/read-arguments.ts';
import { partsOf, type SettingPart, type SettingValue, valueFrom } from '../../command/setting-row.ts';
import { PLATFORMS } from '../../platforms/platforms.ts';
import type { Words } from '../../words/words.ts';
import { fill, fillText, type Html, hiddenField, outsideText } from '../frame/html.ts';
import type { ConsoleEnv } from '../frame/layout.ts';
import type { CommunityData, CommunityDetails } from './community-data.ts';
import { addAction, type Confirmation, type FormFields } from './confirm.ts';
import { communityPath } from './paths.ts';
import { answerPage, type ConsoleContext, notFound } from './show.ts';

type Said = Words['owner']['console']['actions'];

/** The confirmations of actions on this community, without those that have been undone since. */
export function doneTexts({ pause, isApproved }: CommunityDetails, { owner }: Words) {
  const { credits, changed, resumed, paused, approved, revoked } = owner.console.actions.done;
  return {
    credits,
    changed,
    ...(pause === undefined ? { resumed } : { paused }),
    ...(isApproved ? { approved } : { revoked }),
  };
}

const LONGEST_REASON = 200;
/** The most credits that the form accepts: as many as `/settings credits`, and never less than the present number. */
const mostCredits = (allowance: number): number => Math.max(100_000, allowance);

const reasonText = (reason: string, said: Said): Html =>
  reason === '' ? html`${said.noReason}` : fill(said.reason, { reason: outsideText(reason) });

function choicesOf(option: Option) {
  if (option.kind === 'choice') return option.choices;
  return option.kind === 'flag' ? [true, false] : undefined;
}

/** The field of one option. `text`: a value of it as people read it. */
function fieldOf(
  name: string,
  option: Option,
  value: SettingPart | undefined,
  text: (value: SettingPart) => string,
): Html {
  const choices = choicesOf(option);
  if (choices !== undefined)
    return html`<select name="${name}">${choices.map(
      (each) =>
        html`<option value="${String(each)}"${each === value ? html` selected` : ''}>${text(each)}</option>`,
    )}</select>`;
  const kind =
    option.kind === 'integer'
      ? html`type="number" min="${option.min}" max="${option.max}"`
      : html`type="text"`;
  return html`<input ${kind} name="${name}" value="${value}" required autocomplete="off">`;
}

/** The fields of a setting; the only one has the description of the setting. */
function fieldsOf(setting: SimpleSetting, value: SettingValue, words: Words): Html {
  const row = SIMPLE_SETTINGS[setting];
  const parts = partsOf(row, value);
  const options = Object.entries(row.options);
  const description = row.description[words.language];
  const isOnly = options.length === 1;
  return html`${isOnly ? '' : html`<p>${description}</p>`}${options.map(([name, option]) => {
    const text = (part: SettingPart): string => (isOnly ? row.text(part, words) : String(part));
    const label = isOnly ? description : descriptionIn(option.description, words);
    return html`<label class="field"><span>${label}</span>${fieldOf(name, option, parts[name], text)}</label>`;
  })}`;
}

/** Shows the forms of a community's page, each of which begins an action. */
export function communityForms(found: CommunityDetails, path: string, token: string, words: Words): Html {
  const { pause, isApproved, allowance, settings } = found;
  const { actions: said, communities } = words.owner.console;
  const form = (action: string, fields: Html | '', button: string): Html =>
    html`<form method="post" action="${path}/${action}" class="card">${hiddenField('token', token)}
${fields}<p><button>${button}</button></p></form>`;
  const approvalForm = (): Html | '' => {
    if (isApproved === undefined) return '';
    if (isApproved) return form('revoke', html`<p>${said.isApproved}</p>`, said.revoke);
    return form('approve', html`<p>${said.isNotApproved}</p>`, said.approve);
  };
  const reason = html`<label class="field"><span>${said.reasonField}</span>
<input type="text" name="reason" maxlength="${LONGEST_REASON}" autocomplete="off"></label>`;
  const amount = html`<label class="field"><span>${communities.creditsADay}</span>
<input type="number" name="amount" min="0" max="${mostCredits(allowance)}" step="1" value="${allowance}" required></label>`;
  return html`<div class="actions">
${pause === undefined ? '' : form('resume', html`<p>${said.refused}</p>`, said.resume)}
${pause?.byOwner ? '' : form('pause', reason, pause === undefined ? said.pause : said.pauseAsOwner)}
${form('credits', amount, said.setCredits)}
${simpleSettings.map((name) => {
  const { command, name: label } = SIMPLE_SETTINGS[name];
  const fields = fieldsOf(name, settingIn(settings, name), words);
  return form(command, fields, fillText(said.changeOne, { name: label[words.language] }));
})}
${approvalForm()}
</div>`;
}

const COMMUNITY_ID = new RegExp(`^(?:${PLATFORMS.join('|')}):[\\w:-]{1,60}$`);

/** Finds the community that an address names; a response if there is none, or if its id has changed. */
export async function communityAt(
  context: ConsoleContext,
  details: CommunityData['details'],
): Promise<CommunityDetails | Response> {
  const ids = context.get('ids');
  const id = ids.find(context.req.param('hidden') ?? '');
  if (id === undefined || !COMMUNITY_ID.test(id)) return notFound(context, 'community');
  const found = await details(id);
  return found.id === id ? found : context.redirect(communityPath(found.id, ids), 303);
}

/** Makes the actions of a community's page: pause, resume, credits, settings, approval. */
export function createCommunityActions({
  acts,
  details,
  waiting,
}: Pick<CommunityData, 'acts' | 'details' | 'waiting'>) {
  const app = new Hono<ConsoleEnv>();
  type Found = CommunityDetails & { readonly change: ReturnType<typeof acts> };
  type Asked = Pick<Confirmation, 'title' | 'what' | 'button' | 'act' | 'done'>;
  type Refused = { readonly title: string; readonly why: Html };
  /** Adds an action. `prepare` returns the question to confirm, or why there is nothing to do. */
  const add = (
    action: string,
    names: readonly string[],
    prepare: (found: Found, said: Said, fields: FormFields, words: Words) => Asked | Refused,
  ): void =>
    addAction(app, `/:hidden/${action}`, names, async (context, fields) => {
      const found = await communityAt(context, details);
      if (found instanceof Response) return found;
      const back = communityPath(found.id, context.get('ids'));
      const words = context.get('words');
      const { actions, frame } = words.owner.console;
      const asked = prepare({ ...found, change: acts(found.id, words) }, actions, fields, words);
      if (!('why' in asked)) return { section: 'communities', back, ...asked };
      const body = html`<p class="problem" role="alert">${asked.why}</p><p><a href="${back}">${frame.back}</a></p>`;
      return answerPage(context, { title: asked.title, section: 'communities', body }, 400);
    });

  add('pause', ['reason'], ({ id, pause, change }, said, { reason = '' }) => {
    const title = said.askPause;
    if (pause?.byOwner)
      return { title, why: fill(said.isPaused, { reason: reasonText(pause.reason, said) }) };
    const what = fill(said.whatPause, { id: outsideText(id), reason: reasonText(reason, said) });
    return { title, what, button: said.doPause, act: () => change.pause(reason), done: 'paused' };
  });

  add('resume', [], ({ id, pause, change }, said) => {
    const title = said.askResume;
    if (pause === undefined) return { title, why: html`${said.isOpen}` };
    const what = fill(said.whatResume, { id: outsideText(id) });
    return { title, what, button: said.doResume, act: () => change.resume(), done: 'resumed' };
  });

  add('credits', ['amount'], ({ id, allowance, change }, said, { amount: typed = '' }) => {
    const title = said.askCredits;
    const most = mostCredits(allowance);
    const amount = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
    if (!(amount <= most)) return { title, why: fill(said.wrongAmount, { most }) };
    const what = fill(said.whatCredits(amount), { id: outsideText(id) });
    return { title, what, button: said.doCredits, act: () => change.setCredits(amount), done: 'credits' };
  });

  for (const name of simpleSettings) {
    const row = SIMPLE_SETTINGS[name];
    const names = Object.keys(row.options);
    add(row.command, names, ({ id, change }, said, fields, words) => {
      const title = said.askChange;
      try {
        const empty = Object.fromEntries(names.map((each) => [each, '']));
        const { args } = readArguments(row.options, { ...empty, ...fields }, words);
        const value = valueFrom(row, args);
        const chosen = outsideText(row.text(value, words));
        const what = fill(said.whatChange, {
          name: row.name[words.language],
          id: outsideText(id),
          value: chosen,
        });
        return { title, what, button: said.doChange, act: () => change.set(name, value), done: 'changed' };
      } catch (error) {
        if (error instanceof UserError) return { title, why: outsideText(error.message) };
        throw error;
      }
    });
  }

  if (waiting === undefined) return app;
  add('approve', [], ({ id, isApproved, change }, said) => {
    const title = said.askApprove;
    if (isApproved) return { title, why: html`${said.isApprovedAlready}` };
    const what = fill(said.whatApprove, { id: outsideText(id) });
    return { title, what, button: said.doApprove, act: () => change.approve(), done: 'approved' };
  });
  add('revoke', [], ({ id, isApproved, change }, said) => {
    const title = said.askRevoke;
    if (!isApproved) return { title, why: html`${said.isNotApproved}` };
    const what = fill(said.whatRevoke, { id: outsideText(id) });
    return { title, what, button: said.doRevoke, act: () => change.revoke(), done: 'revoked' };
  });
  return app;
}
