import type { Family } from '../interface/families.ts';
import { earlyFacePlan, facePlan, facePromptPlan } from './face.ts';
import { classicPlan, groupPlan, groupPromptPlan } from './group.ts';
import type { RunContext, RunPlan } from './plan.ts';
import { motionPlan, transitionPlan } from './video.ts';

export interface RunEndpoint {
  path: string;
  family: Family;
  plan: (body: unknown, context: RunContext) => RunPlan;
}

/** One row per run endpoint. */
export const runEndpoints: RunEndpoint[] = [
  { path: '/v6/run/face_swap', family: 'face-v6', plan: facePlan('v6.1') },
  { path: '/v5/run/face_swap', family: 'face-v5', plan: facePlan('v5') },
  { path: '/v1/run/faceswap', family: 'face-v2', plan: earlyFacePlan },
  { path: '/v2/run/self-prompt', family: 'face-v2', plan: facePromptPlan },
  { path: '/v5/run/multi_swap', family: 'multi-v5', plan: groupPlan('realistic') },
  { path: '/v5/run/multi_swap_self_prompt', family: 'multi-v5', plan: groupPromptPlan('realistic') },
  { path: '/v1/run/stylized_multi_swap', family: 'multi-stylized', plan: groupPlan('stylized') },
  {
    path: '/v1/run/stylized_multi_swap_self_prompt',
    family: 'multi-stylized',
    plan: groupPromptPlan('stylized'),
  },
  { path: '/v4/multi_swap_styles', family: 'multi-v4', plan: classicPlan },
  { path: '/v1/run/single_frame_video', family: 'video', plan: motionPlan },
  { path: '/v1/run/first_last_frame_video', family: 'video', plan: transitionPlan },
];
