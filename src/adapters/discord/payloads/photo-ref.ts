import { z } from 'zod';

/** A photo's URL, and the message it is in: URLs expire. */
const photo = z.object({
  url: z.string(),
  id: z.string().optional(),
  channel: z.string().optional(),
  message: z.string().optional(),
});

type Attachment = z.infer<typeof photo>;

export const attachmentRef = (value: Attachment): string => JSON.stringify(value);
export const readAttachmentRef = (ref: string): Attachment => photo.parse(JSON.parse(ref));

export type HostCheck = (address: string) => boolean;

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Photos are fetched from these hosts only; without TLS only from this machine (tests). */
export function createHostCheck(hosts: readonly string[]): HostCheck {
  const allowed = new Set(hosts.map((host) => host.toLowerCase()));
  return (address) => {
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    if (url.username !== '' || url.password !== '') return false;
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return false;
    // `host` includes a port that is not the default: a name without a port allows the default only.
    return allowed.has(url.host);
  };
}
