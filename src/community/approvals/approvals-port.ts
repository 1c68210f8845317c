import { defined } from '../../base/defined.ts';
import { APPROVAL_DECISIONS, type ApprovalsPort } from '../../command/approvals-port.ts';
import type { CommunityGate } from '../../command/community-gate.ts';
import type { Incoming } from '../../command/desk.ts';
import { type Caller, isPersonal, type Place } from '../../command/place.ts';
import { shorten } from '../../command/shorten.ts';
import type { Line, View } from '../../command/view.ts';
import { isIdOf, PLATFORMS } from '../../platforms/platforms.ts';
import { type Words, wordsFor } from '../../words/words.ts';
import { refuse } from '../community-error.ts';
import type { Audit } from '../rules/audit.ts';
import type { CommunityRules } from '../rules/community-rules.ts';
import type { Moderators } from '../rules/moderators.ts';
import type { Approval, Approvals, WaitingEntry } from './approvals.ts';

/** Makes the view of the notice about a community: with buttons while it waits, later with the decision. */
export function drawApproval(
  community: string,
  { name, approved, waiting }: Approval,
  { approval: said }: Words,
): View {
  const { title } = said;
  const of = isPersonal(community) ? (waiting?.person ?? name) : name;
  const lines: Line[] = [
    ...(of === undefined ? [] : [(isPersonal(community) ? said.person : said.community)(of)]),
    [`${said.id} `, { code: community }],
  ];
  if (approved !== undefined) return { tone: 'done', title, lines: [...lines, said.approvedBy(approved.by)] };
  if (waiting === undefined) return { tone: 'info', title, lines: [...lines, said.expired] };
  if (waiting.members !== undefined) lines.push(said.members(waiting.members));
  if (!isPersonal(community) && waiting.person !== undefined)
    lines.push((waiting.isAdded ? said.addedBy : said.usedBy)(waiting.person));
  if (waiting.dismissed !== undefined)
    return { tone: 'info', title, lines: [...lines, said.dismissedBy(waiting.dismissed.by)] };
  const buttons = APPROVAL_DECISIONS.map((decision) => ({
    action: `${decision}:${waiting.id}`,
    label: said.buttons[decision],
    ...(decision === 'approve' ? { style: 'primary' as const } : {}),
  }));
  return { tone: 'ask', title, lines, buttons: [buttons] };
}

const LONGEST_NAME = 100;

/** Makes the port of approvals, which checks at every call that the caller is an owner. */
export function createApprovalsPort(parts: {
  readonly approvals: Approvals;
  readonly rules: Pick<CommunityRules, 'language'>;
  readonly moderators: Pick<Moderators, 'isOwner'>;
  readonly audit: Pick<Audit, 'note'>;
  readonly gate: Pick<CommunityGate, 'unapproved'>;
  readonly say: (to: { readonly place: Place }, view: View) => Promise<unknown>;
  /** Whether communities need an approval (`COMMUNITIES=approved`). */
  readonly isNeeded: boolean;
  readonly ownerWords: Words;
}) {
  const { approvals, rules, moderators, audit, gate, say } = parts;
  const welcome = async (waited: WaitingEntry | undefined): Promise<void> => {
    // A community from the platform's list has no channel to write to.
    if (waited === undefined || waited.place.channel === '') return;
    const chosen = await rules.language(waited.place.community).catch(() => undefined);
    const lines = [wordsFor(chosen ?? waited.locale).approval.welcome];
    // If the bot may not write there, people find out at their next try.
    await say({ place: waited.place }, { tone: 'done', lines }).catch(() => undefined);
  };
  /** Approves a community; returns whether that changed anything. */
  const approve = async (community: string, by: Caller): Promise<boolean> => {
    if ((await approvals.find(community)).found.approved !== undefined) return false;
    await audit.note(by, { community }, 'settings.approve', { community });
    const changed = await approvals.approve(community, shorten(by.name, LONGEST_NAME));
    // The welcome is not awaited, so that a slow platform does not delay the owner.
    if (changed !== undefined) void welcome(changed.waited);
    return changed !== undefined;
  };
  /** Revokes the approval of a community; returns whether it had one. */
  const revoke = async (community: string, by: Caller): Promise<boolean> => {
    if ((await approvals.find(community)).found.approved === undefined) return false;
    await audit.note(by, { community }, 'settings.revoke', { community });
    return approvals.revoke(community);
  };

  return ({ caller, place }: Incoming, words: Words): ApprovalsPort => {
    /** Makes an action on the community that was typed, or on this one. */
    const changing = (change: typeof approve) => async (typed?: string) => {
      if (!moderators.isOwner(caller)) refuse({ code: 'not-owner' });
      const community = typed === undefined ? place.community : readCommunityId(typed);
      if (community === undefined) refuse({ code: 'not-a-community', typed: typed ?? '' });
      return { community, changed: await change(community, caller) };
    };

    return {
      isOpen: async () => !(await gate.unapproved(caller, place)),
      isNeeded: parts.isNeeded,
      approve: changing(approve),
      revoke: changing(revoke),
      async decide(id, what) {
        if (!moderators.isOwner(caller)) return { kind: 'not-yours', text: words.approval.ownersOnly };
        const asked = await approvals.requested(id);
        if (asked === undefined) return { kind: 'stale', text: words.approval.expired };
        // A request is decided once; the community may since have asked again, under another id.
        const isOpen = asked.found.waiting?.id === id && asked.found.waiting.dismissed === undefined;
        if (isOpen) {
          if (what === 'approve') await approve(asked.community, caller);
          else if (await approvals.dismiss(id, shorten(caller.name, LONGEST_NAME)))
            await audit.note(caller, asked, 'settings.approve.dismissed', {
              community: asked.community,
            });
        }
        // The view needs the name and the request from before, because an approval does not keep them.
        const { name, waiting } = asked.found;
        const after = { ...defined({ name, waiting }), ...(await approvals.requested(id))?.found };
        return {
          kind: 'replace',
          view: drawApproval(asked.community, after, parts.ownerWords),
          evenIfOld: true,
        };
      },
    };
  };
}

/** Reads the id of a community as the owners' notice shows it: `telegram:-100123`, `telegram:dm:42`. */
function readCommunityId(typed: string): string | undefined {
  const [name = '', rest = ''] = typed.trim().split(/:(.*)/s);
  const platform = PLATFORMS.find((each) => each === name.toLowerCase());
  if (platform === undefined) return undefined;
  const isKnown = (id: string): boolean =>
    id.startsWith('dm:') ? isIdOf(platform, 'directChat', id.slice(3)) : isIdOf(platform, 'community', id);
  // The lower case is only the second try, because ids of some platforms have capitals.
  const id = [rest, rest.toLowerCase()].find(isKnown);
  return id && `${platform}:${id}`;
}
