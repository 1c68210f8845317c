import { describe, expect, it, vi } from 'vitest';
import { PictureRefused } from '../../../../src/picture/structure.ts';
import { createContentCheck } from '../../../../src/safety/content/check.ts';
import type { Content } from '../../../../src/safety/content/content.ts';

const harmless: Content = { drawing: 0.1, hentai: 0.4, neutral: 0.1, porn: 0.4, sexy: 0 };
const intimate: Content = { drawing: 0, hentai: 0.45, neutral: 0.05, porn: 0.45, sexy: 0.05 };
const picture = Buffer.from('picture');

function open(look: () => Promise<Content>, isStopping = () => false) {
  const events: string[] = [];
  const cannotRun = vi.fn();
  const check = createContentCheck({
    look,
    counted: (event) => events.push(event),
    cannotRun,
    isStopping,
    log: { warn: () => undefined },
  });
  return { look: () => check.isIntimate(picture, 'ann'), events, cannotRun };
}

describe('the check of content', () => {
  it('the check of content adds up what the model says of two classes', async () => {
    expect(await open(async () => harmless).look()).toBe(false);
    expect(await open(async () => intimate).look()).toBe(true);
  });

  it('the check of content lets nothing pass when the model cannot run, and tells owners when it fails again and again', async () => {
    let isBroken = true;
    const { look, events, cannotRun } = open(async () => {
      if (isBroken) throw new Error('the face finder stopped');
      return harmless;
    });

    await expect(look()).rejects.toThrow('stopped');
    await expect(look()).rejects.toThrow('stopped');
    expect(cannotRun).not.toHaveBeenCalled();

    await expect(look()).rejects.toThrow('stopped');
    expect(cannotRun).toHaveBeenCalledTimes(1);
    expect(events).toEqual(['unchecked', 'unchecked', 'unchecked']);

    isBroken = false;
    expect(await look()).toBe(false);
    isBroken = true;
    await expect(look()).rejects.toThrow('stopped');
    expect(cannotRun).toHaveBeenCalledTimes(1);
  });

  it('the check of content says of what is no picture that it is none, which is nothing for owners', async () => {
    const { look, events } = open(async () => {
      throw new PictureRefused('broken');
    });
    await expect(look()).rejects.toThrow(PictureRefused);
    expect(events).toEqual([]);
  });

  it('the check of content tells nobody when it fails because the program ends', async () => {
    const { look, events } = open(
      async () => {
        throw new Error('closed');
      },
      () => true,
    );
    await expect(look()).rejects.toThrow('closed');
    expect(events).toEqual([]);
  });
});
