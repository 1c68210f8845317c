import { html } from 'hono/html';
import type { Html } from '../console/frame/html.ts';
import { MOST_REQUEST_LETTERS } from '../safety/requests/request-records.ts';
import type { FormPart } from '../sign-in/multipart.ts';
import { parseHttpLink } from './http-link.ts';
import { publicPage, REMOVAL_PATH, type Speech } from './layout.ts';

export const MOST_PICTURE_BYTES = 20 * 1024 * 1024;
/** In UTF-8 a character takes at most four bytes. */
const MOST_FIELD_BYTES = 4 * MOST_REQUEST_LETTERS.about;

/** What a person typed, as they typed it. */
export interface TypedFields {
  readonly link: string;
  readonly contact: string;
  readonly about: string;
}

export const NOTHING_TYPED: TypedFields = { link: '', contact: '', about: '' };

export interface FilledForm extends TypedFields {
  /** The file that was chosen. Its memory belongs to the request. */
  readonly picture: Uint8Array | undefined;
}

/** Why a form is shown again. */
export type FormProblem = keyof Speech['words']['removalPage']['problems'];

/** Reads the fields of the form; a field that is absent is empty. Control characters, which nobody can type, are dropped. */
export function readFilledForm(parts: readonly FormPart[]): FilledForm {
  const field = (wanted: keyof TypedFields): string => {
    const found = parts.find(({ name, isFile }) => name === wanted && !isFile)?.bytes;
    if (found === undefined) return '';
    const text = found.subarray(0, MOST_FIELD_BYTES).toString('utf8').replaceAll('\r\n', '\n');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are dropped
    const shown = text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ').trim();
    return shown.slice(0, MOST_REQUEST_LETTERS[wanted]).toWellFormed();
  };
  // A browser sends an empty file where none was chosen.
  const file = parts.find(({ name, isFile, bytes }) => name === 'picture' && isFile && bytes.length > 0);
  return { link: field('link'), contact: field('contact'), about: field('about'), picture: file?.bytes };
}

/** What is missing or wrong in a form. Whether there is such a message or picture is not looked at. */
export function formProblemOf({ link, contact, about, picture }: FilledForm): FormProblem | undefined {
  if (link === '' && picture === undefined) return 'nothing';
  if (link !== '' && parseHttpLink(link) === undefined) return 'link';
  if (contact === '') return 'contact';
  if (about === '') return 'about';
  return picture !== undefined && picture.byteLength > MOST_PICTURE_BYTES ? 'large' : undefined;
}

/** The form, with what was typed into it before. */
export function formPage(typed: TypedFields, problem: FormProblem | undefined, speech: Speech): Html {
  const { words, query } = speech;
  const said = words.removalPage;
  const alert =
    problem === undefined ? '' : html`<p class="problem" role="alert">${said.problems[problem]}</p>`;
  return publicPage(
    said.title,
    html`${alert}
<p>${said.intro}</p>
<p>${said.next}</p>
<form method="post" action="${REMOVAL_PATH}${query}" enctype="multipart/form-data" class="card">
<h2>${said.what}</h2>
<label class="field"><span>${said.link}</span>
<input type="text" inputmode="url" name="link" value="${typed.link}" maxlength="${MOST_REQUEST_LETTERS.link}" autocomplete="off" aria-describedby="link-hint"></label>
<p class="quiet" id="link-hint">${said.linkHint}</p>
<label class="field"><span>${said.picture}</span>
<input type="file" name="picture" accept="image/jpeg,image/png,image/webp" aria-describedby="picture-hint"></label>
<p class="quiet" id="picture-hint">${said.pictureHint}</p>
<label class="field"><span>${said.about}</span>
<textarea name="about" rows="5" maxlength="${MOST_REQUEST_LETTERS.about}" required aria-describedby="about-hint">${typed.about}</textarea></label>
<p class="quiet" id="about-hint">${said.aboutHint}</p>
<label class="field"><span>${said.contact}</span>
<input type="text" name="contact" value="${typed.contact}" maxlength="${MOST_REQUEST_LETTERS.contact}" required autocomplete="email" aria-describedby="contact-hint"></label>
<p class="quiet" id="contact-hint">${said.contactHint}</p>
<p><button class="main">${said.send}</button></p>
<p class="quiet">${said.kept}</p>
</form>
<h2>${said.asked}</h2>
<form method="post" action="${REMOVAL_PATH}/find${query}" class="card">
<label class="field"><span>${said.number}</span>
<input type="text" name="number" maxlength="60" required autocomplete="off" spellcheck="false"></label>
<p><button>${said.find}</button></p></form>`,
    speech,
    REMOVAL_PATH,
  );
}

/** The page for a visitor who has to wait, or whose form did not arrive. */
export function problemPage(problem: FormProblem, speech: Speech): Html {
  const said = speech.words.removalPage;
  return publicPage(
    said.notSent,
    html`<p class="problem" role="alert">${said.problems[problem]}</p>
<p><a href="${REMOVAL_PATH}${speech.query}">${said.back}</a></p>`,
    speech,
    REMOVAL_PATH,
  );
}
