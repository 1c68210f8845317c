import { cardTests } from './card-tests.ts';

cardTests('gateway');
