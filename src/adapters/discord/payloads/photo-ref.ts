import { z } from 'zod';

/** The content of a photo reference: the URL, and the message that has the photo, because URLs expire. */
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

/** Allows URLs on these hosts only, with TLS except on this machine, where tests have their servers. */
export function createHostCheck(hosts: readonly string[]): HostCheck {
  const allowed = new Set(hosts.map((host) => host.toLowerCase()));
  return (address) => {
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    if (url.username !== '' || url.password !== '') return false;
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return false;
    // `host` includes a port that is not the default, so a name without a port allows the default port only.
    return allowed.has(url.host);
  };
}
