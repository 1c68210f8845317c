import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { acceptedLanguage } from '../../../sign-in/accepted-language.ts';
import { SESSION_MS, setPrivateCookie } from '../../../sign-in/cookies.ts';
import { visitorAddress } from '../../../sign-in/visitor.ts';
import type { Session, Sessions } from './sessions.ts';

const COOKIE_NAME = 'darkroom';

/** The variables that `requireSession` sets on Hono's context. */
export interface RequestSession {
  readonly Variables: { readonly session: Session; readonly locale: string };
}

/** The language for a request: the chosen one, else the browser's. */
export const localeOf = (context: Context, session: Session | undefined): string =>
  session?.locale ?? acceptedLanguage(context) ?? 'en';

export const sessionIn = (context: Context, sessions: Sessions): Promise<Session | undefined> =>
  sessions.find(getCookie(context, COOKIE_NAME));

/**
 * Begins a session and sets its cookie. With `kept`, after sign-in, it is stored; otherwise not before the visitor changes
 * something.
 */
export async function beginSession(context: Context, sessions: Sessions, kept: boolean): Promise<void> {
  const cookie = kept ? await sessions.open(visitorAddress(context)) : sessions.issue();
  setPrivateCookie(context, COOKIE_NAME, cookie, SESSION_MS / 1000);
}

/** Middleware that refuses requests without a session, and sets session and language for the others. */
export const requireSession = (sessions: Sessions) =>
  createMiddleware<RequestSession>(async (context, next) => {
    const session = await sessionIn(context, sessions);
    if (session === undefined) return context.json({ error: 'no session' }, 401);
    context.set('session', session);
    context.set('locale', localeOf(context, session));
    return next();
  });
