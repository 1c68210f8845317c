import { Hono } from 'hono';
import { html } from 'hono/html';
import { foreign, type Html } from '../frame/html.ts';
import type { ConsoleEnv } from '../sign-in/guard.ts';
import { askOnce } from './confirm.ts';
import { communityPath } from './paths.ts';
import { type ConsoleContext, notFound, show } from './show.ts';

/** What the owner can do with a community, each audited. */
export interface CommunityActs {
  pause(community: string, reason: string): Promise<void>;
  resume(community: string): Promise<void>;
  setCredits(community: string, amount: number): Promise<void>;
  /** Undefined: no community needs it. */
  readonly approval:
    | { approve(community: string): Promise<void>; revoke(community: string): Promise<void> }
    | undefined;
}

export const DONE: Readonly<Record<string, string>> = {
  paused: 'The community is paused.',
  resumed: 'The community is open again.',
  credits: 'The daily credits were set.',
  approved: 'The community is approved.',
  revoked: 'The approval was revoked.',
};

const LONGEST_REASON = 200;
const MOST_CREDITS = 100_000;

interface Shown {
  readonly pause: string | undefined;
  readonly isApproved: boolean | undefined;
  readonly allowance: number;
}

/** The forms that begin an action. */
export function communityForms({ pause, isApproved, allowance }: Shown, path: string, token: string): Html {
  const form = (action: string, fields: Html | '', button: string): Html =>
    html`<form method="post" action="${path}/${action}" class="card"><input type="hidden" name="token" value="${token}">
${fields}<p><button>${button}</button></p></form>`;
  const reason = html`<label class="field"><span>Reason, shown to its people</span>
<input type="text" name="reason" maxlength="${LONGEST_REASON}" autocomplete="off"></label>`;
  const amount = html`<label class="field"><span>Credits a person a day</span>
<input type="number" name="amount" min="0" max="${MOST_CREDITS}" step="1" value="${allowance}" required></label>`;
  return html`<div class="actions">
${pause === undefined ? form('pause', reason, 'Pause') : form('resume', html`<p>New jobs are refused here.</p>`, 'Resume')}
${form('credits', amount, 'Set credits')}
${isApproved === undefined ? '' : isApproved ? form('revoke', html`<p>It is approved.</p>`, 'Revoke') : form('approve', html`<p>It is not approved.</p>`, 'Approve')}
</div>`;
}

export function createCommunityActions(acts: CommunityActs, pattern: RegExp) {
  const app = new Hono<ConsoleEnv>();
  const communityIn = (context: ConsoleContext): string | undefined => {
    const id = context.get('ids').find(context.req.param('hidden') ?? '');
    return id !== undefined && pattern.test(id) ? id : undefined;
  };
  const ask = (
    context: ConsoleContext,
    id: string,
    question: { title: string; what: Html; button: string; fields?: Record<string, string> },
    act: () => Promise<string>,
  ) => {
    const back = communityPath(id, context.get('ids'));
    return askOnce(context, { section: 'communities', back, ...question }, act);
  };

  app.post('/:hidden/pause', async (context) => {
    const id = communityIn(context);
    if (id === undefined) return notFound(context, 'community');
    const reason = (context.get('form').get('reason') ?? '').trim().slice(0, LONGEST_REASON);
    const what = html`New jobs are refused in ${foreign(id)}, and waiting ones fail at no cost, until it is resumed.
${reason === '' ? 'No reason is given.' : html`The reason that its people read: ${foreign(reason)}`}`;
    return ask(
      context,
      id,
      { title: 'Pause this community?', what, button: 'Pause it', fields: { reason } },
      async () => {
        await acts.pause(id, reason);
        return 'paused';
      },
    );
  });

  app.post('/:hidden/resume', async (context) => {
    const id = communityIn(context);
    if (id === undefined) return notFound(context, 'community');
    const what = html`Jobs are accepted again in ${foreign(id)}.`;
    return ask(context, id, { title: 'Resume this community?', what, button: 'Resume it' }, async () => {
      await acts.resume(id);
      return 'resumed';
    });
  });

  app.post('/:hidden/credits', async (context) => {
    const id = communityIn(context);
    if (id === undefined) return notFound(context, 'community');
    const typed = context.get('form').get('amount') ?? '';
    const amount = /^\d{1,6}$/.test(typed) ? Number(typed) : Number.NaN;
    if (!(amount <= MOST_CREDITS)) {
      const body = html`<p class="problem" role="alert">The amount must be a whole number from 0 to ${MOST_CREDITS}.</p>
<p><a href="${communityPath(id, context.get('ids'))}">Back</a></p>`;
      return show(context, { title: 'Set daily credits', section: 'communities', body }, 400);
    }
    const what = html`Each person in ${foreign(id)} can use ${amount} credits a day, unless they or one of their roles have their
own. As you set it, USER_MAX_DAILY_CREDITS does not limit it.`;
    const fields = { amount: String(amount) };
    return ask(context, id, { title: 'Set daily credits?', what, button: 'Set them', fields }, async () => {
      await acts.setCredits(id, amount);
      return 'credits';
    });
  });

  const { approval } = acts;
  if (approval === undefined) return app;
  app.post('/:hidden/approve', async (context) => {
    const id = communityIn(context);
    if (id === undefined) return notFound(context, 'community');
    const what = html`The people of ${foreign(id)} can use every command. It is told so, where the bot may write.`;
    return ask(context, id, { title: 'Approve this community?', what, button: 'Approve it' }, async () => {
      await approval.approve(id);
      return 'approved';
    });
  });
  app.post('/:hidden/revoke', async (context) => {
    const id = communityIn(context);
    if (id === undefined) return notFound(context, 'community');
    const what = html`The people of ${foreign(id)} can use only /help and /privacy, and waiting jobs fail at no cost.`;
    return ask(context, id, { title: 'Revoke the approval?', what, button: 'Revoke it' }, async () => {
      await approval.revoke(id);
      return 'revoked';
    });
  });
  return app;
}
