/** Something the person can put right. Its message is shown as it is: what was wrong, what is allowed, what to do. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
