import { z } from 'zod';
import type { Catalog } from '../catalog/catalog.ts';
import { invalidImage } from '../interface/http-error.ts';
import type { Task } from '../render/task.ts';

/** What a run request asks for, once its rules are checked; the pictures are read after that. */
export interface RunPlan {
  task: Task;
  images: { field: string; value: string }[];
  cost: number;
}

export interface RunContext {
  catalog: Catalog;
  seed: number;
}

export const reference = z.union([z.int(), z.string().min(1)]);
export const prompt = z.string().trim().min(1).max(5000);

export function required(value: unknown, field: string) {
  if (typeof value !== 'string' || value.trim() === '') throw invalidImage(`${field} is empty.`);
  return { field, value };
}
