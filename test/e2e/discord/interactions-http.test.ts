import { interactionTests } from './interaction-tests.ts';

interactionTests('HTTP');
